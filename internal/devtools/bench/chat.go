package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

// letters is messages on their way, by their texts, and who waits for each.
type letters struct {
	mu      sync.Mutex
	waiting map[string]chan struct{}
}

func (l *letters) post(text string) <-chan struct{} {
	came := make(chan struct{})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting[text] = came
	return came
}

var (
	newMessage = []byte(`"type":"newMessage"`)
	textMark   = []byte(`"text":"`)
)

// heard wakes who waits for the message of a frame.
func (l *letters) heard(frame []byte) {
	if !bytes.Contains(frame, newMessage) {
		return
	}
	_, rest, _ := bytes.Cut(frame, textMark)
	text, _, _ := bytes.Cut(rest, []byte(`"`))
	l.mu.Lock()
	defer l.mu.Unlock()
	if came := l.waiting[string(text)]; came != nil {
		delete(l.waiting, string(text))
		close(came)
	}
}

// chat measures messages from their POST at one node to the receiver's frame at the other: by so many clients who go on at once, or at a
// fixed rate.
func (m *market) chat(ctx context.Context, perSecond float64) (Sample, error) {
	underway := &letters{waiting: map[string]chan struct{}{}}
	sockets, err := openSockets(ctx, m.sites[1:], m.town.sessions[:len(m.town.conversations)], underway.heard)
	if err != nil {
		return Sample{}, err
	}
	client := &http.Client{Timeout: callTimeout, Transport: &http.Transport{MaxIdleConnsPerHost: connsAClient * m.options.Clients}}
	defer client.CloseIdleConnections()
	var taken atomic.Int64
	sendNext := func(ctx context.Context, _ int) error {
		return m.send(ctx, client, underway, int(taken.Add(1))%len(m.town.conversations))
	}
	var sample Sample
	if perSecond > 0 {
		sample, err = openLoop(ctx, perSecond, m.options.Duration, sendNext)
	} else {
		sample, err = closedLoop(ctx, m.options.Clients, m.options.Duration, sendNext)
	}
	return sample, errors.Join(err, closeSockets(sockets))
}

// send writes one message as a buyer, and returns when its receiver has it on the screen.
func (m *market) send(ctx context.Context, client *http.Client, underway *letters, pair int) error {
	text := uuid.NewString()
	body, err := json.Marshal(map[string]string{"conversationId": m.town.conversations[pair].String(), "text": text})
	if err != nil {
		return err
	}
	came := underway.post(text)
	status, answer, err := m.call(ctx, client, request{
		method: http.MethodPost, path: "/api/messages", session: m.sessions[pair], body: body,
	})
	if err != nil {
		return err
	}
	if status != http.StatusCreated {
		return fmt.Errorf("message: %d %s", status, answer)
	}
	select {
	case <-came:
		return nil
	case <-time.After(hearWait):
		return fmt.Errorf("message %s was not heard", text)
	}
}
