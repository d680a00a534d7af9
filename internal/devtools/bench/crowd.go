package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// crowd is sockets in a process of their own: a process may have no more than so many files, and reading must not wait for publishing.
// Each line to it is an order, each line from it the answer.
type crowd struct {
	cmd    *exec.Cmd
	orders io.WriteCloser
	answer *json.Decoder
}

type crowdOrder struct {
	Sites    []string `json:"sites,omitempty"` // open sockets there
	Sessions []string `json:"sessions,omitempty"`
	Take     bool     `json:"take,omitempty"` // tell how long frames have taken, and forget it
}

type crowdAnswer struct {
	Heard int64           `json:"heard"`
	Took  []time.Duration `json:"took,omitempty"`
}

// startCrowd starts a process and opens the sockets.
func (m *market) startCrowd(ctx context.Context, sites, sessions []string) (c *crowd, err error) {
	c = &crowd{cmd: exec.CommandContext(ctx, filepath.Join(m.options.Programs, "bench"), "-crowd")} //nolint:gosec // our own
	c.cmd.Stderr = os.Stderr
	if c.orders, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	output, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.answer = json.NewDecoder(output)
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	if _, err := c.ask(crowdOrder{Sites: sites, Sessions: sessions}); err != nil {
		return nil, errors.Join(fmt.Errorf("open sockets: %w", err), c.close())
	}
	return c, nil
}

func (c *crowd) ask(order crowdOrder) (crowdAnswer, error) {
	var answer crowdAnswer
	if err := json.NewEncoder(c.orders).Encode(order); err != nil {
		return answer, err
	}
	return answer, c.answer.Decode(&answer)
}

// close disconnects everybody; it fails when somebody fared badly.
func (c *crowd) close() error {
	return errors.Join(c.orders.Close(), c.cmd.Wait())
}

// RunCrowd is a crowd's process: it obeys orders until there are no more, and fails when a socket fared badly.
func RunCrowd(ctx context.Context, in io.Reader, out io.Writer) error {
	var heard atomic.Int64
	var mu sync.Mutex
	var took []time.Duration
	orders, answers := json.NewDecoder(in), json.NewEncoder(out)
	var first crowdOrder
	if err := orders.Decode(&first); err != nil {
		return err
	}
	sockets, err := openSockets(ctx, first.Sites, first.Sessions, func(frame []byte) {
		due, ok := dueOf(frame)
		if !ok {
			return
		}
		late := time.Since(due)
		mu.Lock()
		took = append(took, late)
		mu.Unlock()
		heard.Add(1)
	})
	if err != nil {
		return err
	}
	for order := first; err == nil; err = orders.Decode(&order) {
		answer := crowdAnswer{Heard: heard.Load()}
		if order.Take {
			mu.Lock()
			answer.Took, took = took, nil
			mu.Unlock()
			heard.Store(0)
		}
		if err := answers.Encode(answer); err != nil {
			return err
		}
		order = crowdOrder{}
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	return closeSockets(sockets)
}

// dueMark precedes, in a published frame, the time at which it was due.
var (
	dueMark = []byte(`"due":"`)
	filling = string(bytes.Repeat([]byte("x"), 256))
)

// published is a frame that is in no log, as large as that of a short message.
func published(due time.Time) string {
	return `{"v":1,"id":"00000000-0000-0000-0000-000000000000","type":"typing","ts":"2026-01-01T00:00:00Z","data":{` +
		string(dueMark) + strconv.FormatInt(due.UnixNano(), 10) + `","text":"` + filling + `"}}`
}

// dueOf reads when a published frame was due; false when it is another frame.
func dueOf(frame []byte) (time.Time, bool) {
	_, rest, found := bytes.Cut(frame, dueMark)
	if !found {
		return time.Time{}, false
	}
	digits, _, _ := bytes.Cut(rest, []byte(`"`))
	nanos, err := strconv.ParseInt(string(digits), 10, 64)
	return time.Unix(0, nanos), err == nil
}

// audience is the crowds of one measurement.
type audience []*crowd

// crowds is among how many processes the sockets are shared.
const crowds = 2

// gather opens sockets at the sites, so many at each.
func (m *market) gather(ctx context.Context, sites ...string) (a audience, err error) {
	sessions := m.town.sessions[:m.options.Sockets*len(sites)]
	for part := range slices.Chunk(sessions, (len(sessions)+crowds-1)/crowds) {
		c, err := m.startCrowd(ctx, sites, part)
		if err != nil {
			return nil, errors.Join(err, a.close())
		}
		a = append(a, c)
	}
	return a, nil
}

// take waits until so many frames were heard and returns how long they took, shortest first.
func (a audience) take(ctx context.Context, frames int) ([]time.Duration, error) {
	for deadline := time.Now().Add(hearWait); ; time.Sleep(openPause) {
		heard := 0
		for _, c := range a {
			answer, err := c.ask(crowdOrder{})
			if err != nil {
				return nil, err
			}
			heard += int(answer.Heard)
		}
		if heard >= frames {
			break
		}
		if time.Now().After(deadline) || ctx.Err() != nil {
			return nil, fmt.Errorf("%d of %d frames were heard", heard, frames)
		}
	}
	var took []time.Duration
	for _, c := range a {
		answer, err := c.ask(crowdOrder{Take: true})
		if err != nil {
			return nil, err
		}
		took = append(took, answer.Took...)
	}
	slices.Sort(took)
	return took, nil
}

func (a audience) close() error {
	var problems error
	for _, c := range a {
		problems = errors.Join(problems, c.close())
	}
	return problems
}
