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

// clientProcess is a child process that holds sockets, because open files are limited per process
// and reading must not wait for publishing. Each line on its standard input is a command, and each
// line on its standard output the reply.
type clientProcess struct {
	cmd      *exec.Cmd
	commands io.WriteCloser
	replies  *json.Decoder
}

type clientCommand struct {
	// If set, open sockets at these sites.
	Sites    []string `json:"sites,omitempty"`
	Sessions []string `json:"sessions,omitempty"`
	// If set, return the latencies so far and reset them.
	Take bool `json:"take,omitempty"`
}

type clientReply struct {
	Heard int64           `json:"heard"`
	Took  []time.Duration `json:"took,omitempty"`
}

// startClientProcess starts a process and opens the sockets.
func (e *environment) startClientProcess(ctx context.Context, sites, sessions []string) (c *clientProcess, err error) {
	program := filepath.Join(e.options.Programs, "bench")
	c = &clientProcess{cmd: exec.CommandContext(ctx, program, "-client-process")} //nolint:gosec // our own
	c.cmd.Stderr = os.Stderr
	if c.commands, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	output, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.replies = json.NewDecoder(output)
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	if _, err := c.do(clientCommand{Sites: sites, Sessions: sessions}); err != nil {
		return nil, errors.Join(fmt.Errorf("open sockets: %w", err), c.close())
	}
	return c, nil
}

func (c *clientProcess) do(command clientCommand) (clientReply, error) {
	var reply clientReply
	if err := json.NewEncoder(c.commands).Encode(command); err != nil {
		return reply, err
	}
	return reply, c.replies.Decode(&reply)
}

// close closes the sockets and waits for the process. It fails if a socket lost or repeated an
// event, or reconnected.
func (c *clientProcess) close() error {
	return errors.Join(c.commands.Close(), c.cmd.Wait())
}

// RunClients is the main function of a client process. It executes commands until in ends, and
// fails if a socket lost or repeated an event, or reconnected.
func RunClients(ctx context.Context, in io.Reader, out io.Writer) error {
	var heard atomic.Int64
	var mu sync.Mutex
	var took []time.Duration
	commands, replies := json.NewDecoder(in), json.NewEncoder(out)
	var first clientCommand
	if err := commands.Decode(&first); err != nil {
		return err
	}
	sockets, err := openSockets(ctx, first.Sites, first.Sessions, func(frame []byte) {
		due, ok := parseDue(frame)
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
	for command := first; err == nil; err = commands.Decode(&command) {
		reply := clientReply{Heard: heard.Load()}
		if command.Take {
			mu.Lock()
			reply.Took, took = took, nil
			mu.Unlock()
			heard.Store(0)
		}
		if err := replies.Encode(reply); err != nil {
			return err
		}
		command = clientCommand{}
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	return closeSockets(sockets)
}

// dueMark precedes the time at which a published frame was due.
var (
	dueMark = []byte(`"due":"`)
	filling = string(bytes.Repeat([]byte("x"), 256))
)

// newFrame returns a frame without a sequence number, as large as that of a short message.
func newFrame(due time.Time) string {
	return `{"v":1,"id":"00000000-0000-0000-0000-000000000000","type":"typing","ts":"2026-01-01T00:00:00Z","data":{` +
		string(dueMark) + strconv.FormatInt(due.UnixNano(), 10) + `","text":"` + filling + `"}}`
}

// parseDue returns when a published frame was due; ok is false for any other frame.
func parseDue(frame []byte) (due time.Time, ok bool) {
	_, rest, found := bytes.Cut(frame, dueMark)
	if !found {
		return time.Time{}, false
	}
	digits, _, _ := bytes.Cut(rest, []byte(`"`))
	nanos, err := strconv.ParseInt(string(digits), 10, 64)
	return time.Unix(0, nanos), err == nil
}

// clientProcesses are the client processes of one measurement.
type clientProcesses []*clientProcess

// processCount is the number of processes that share the sockets.
const processCount = 2

// openClients opens options.Sockets sockets at each site.
func (e *environment) openClients(ctx context.Context, sites ...string) (p clientProcesses, err error) {
	sessions := e.listeners.sessions[:e.options.Sockets*len(sites)]
	for part := range slices.Chunk(sessions, (len(sessions)+processCount-1)/processCount) {
		c, err := e.startClientProcess(ctx, sites, part)
		if err != nil {
			return nil, errors.Join(err, p.close())
		}
		p = append(p, c)
	}
	return p, nil
}

// take waits until frames frames have been received and returns their latencies, sorted.
func (p clientProcesses) take(ctx context.Context, frames int) ([]time.Duration, error) {
	for deadline := time.Now().Add(deliveryTimeout); ; time.Sleep(openPause) {
		heard := 0
		for _, c := range p {
			reply, err := c.do(clientCommand{})
			if err != nil {
				return nil, err
			}
			heard += int(reply.Heard)
		}
		if heard >= frames {
			break
		}
		if time.Now().After(deadline) || ctx.Err() != nil {
			return nil, fmt.Errorf("%d of %d frames were heard", heard, frames)
		}
	}
	var took []time.Duration
	for _, c := range p {
		reply, err := c.do(clientCommand{Take: true})
		if err != nil {
			return nil, err
		}
		took = append(took, reply.Took...)
	}
	slices.Sort(took)
	return took, nil
}

func (p clientProcesses) close() error {
	var problems error
	for _, c := range p {
		problems = errors.Join(problems, c.close())
	}
	return problems
}
