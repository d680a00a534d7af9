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

// pendingMessages are the messages on their way, by text, with a channel that is closed on
// delivery.
type pendingMessages struct {
	mu      sync.Mutex
	waiting map[string]chan struct{}
}

func (p *pendingMessages) add(text string) <-chan struct{} {
	delivered := make(chan struct{})
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting[text] = delivered
	return delivered
}

var (
	newMessage = []byte(`"type":"newMessage"`)
	textMark   = []byte(`"text":"`)
)

// deliver closes the channel of the message in a frame.
func (p *pendingMessages) deliver(frame []byte) {
	if !bytes.Contains(frame, newMessage) {
		return
	}
	_, rest, _ := bytes.Cut(frame, textMark)
	text, _, _ := bytes.Cut(rest, []byte(`"`))
	p.mu.Lock()
	defer p.mu.Unlock()
	if delivered := p.waiting[string(text)]; delivered != nil {
		delete(p.waiting, string(text))
		close(delivered)
	}
}

// chat measures messages from their POST at one node to the receiver's frame at the other: in a
// closed loop, or at a fixed rate if perSecond is positive.
func (e *environment) chat(ctx context.Context, perSecond float64) (Sample, error) {
	underway := &pendingMessages{waiting: map[string]chan struct{}{}}
	sockets, err := openSockets(ctx, e.sites[1:], e.listeners.sessions[:len(e.listeners.conversations)], underway.deliver)
	if err != nil {
		return Sample{}, err
	}
	client := e.newClient()
	defer client.CloseIdleConnections()
	var taken atomic.Int64
	sendNext := func(ctx context.Context, _ int) error {
		return e.send(ctx, client, underway, int(taken.Add(1))%len(e.listeners.conversations))
	}
	sample, err := e.load(ctx, perSecond, sendNext)
	return sample, errors.Join(err, closeSockets(sockets))
}

// send posts one message as a buyer and waits until its receiver's socket has the frame.
func (e *environment) send(ctx context.Context, client *http.Client, underway *pendingMessages, pair int) error {
	text := uuid.NewString()
	body, err := json.Marshal(map[string]string{"conversationId": e.listeners.conversations[pair].String(), "text": text})
	if err != nil {
		return err
	}
	delivered := underway.add(text)
	status, answer, err := e.call(ctx, client, request{
		method: http.MethodPost, path: "/api/messages", session: e.sessions[pair], body: body,
	})
	if err != nil {
		return err
	}
	if status != http.StatusCreated {
		return fmt.Errorf("message: %d %s", status, answer)
	}
	select {
	case <-delivered:
		return nil
	case <-time.After(deliveryTimeout):
		return fmt.Errorf("message %s was not heard", text)
	}
}
