package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"amanat/tools/system/listener"
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

// serveClients is the main function of a client process. It executes commands until in ends, and
// fails if a socket lost or repeated an event, or reconnected.
func serveClients(ctx context.Context, in io.Reader, out io.Writer) error {
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

const (
	publicOrigin = "http://localhost:8080" // the default of PUBLIC_URL
	openAtOnce   = 64                      // sockets that are being opened at the same time
	openWait     = 2 * time.Minute
	openPause    = 5 * time.Millisecond
)

// openSockets opens a socket for each session, alternating between the sites, and waits until all
// are connected. heard is called with every frame.
func openSockets(ctx context.Context, sites, sessions []string, heard func(frame []byte)) (sockets []*listener.Listener, err error) {
	defer func() {
		if err != nil {
			_ = closeSockets(sockets) // their reports do not matter after an error
		}
	}()
	for i, session := range sessions {
		site := sites[i%len(sites)]
		sockets = append(sockets, listener.Open(ctx, listener.Options{
			Site: func() string { return site }, Origin: publicOrigin, Session: session, Newest: true, Heard: heard,
		}))
		if i >= openAtOnce {
			if err := awaitConnected(ctx, sockets[i-openAtOnce]); err != nil {
				return sockets, err
			}
		}
	}
	for _, socket := range sockets {
		if err := awaitConnected(ctx, socket); err != nil {
			return sockets, err
		}
	}
	return sockets, nil
}

func awaitConnected(ctx context.Context, socket *listener.Listener) error {
	for deadline := time.Now().Add(openWait); !socket.Connected(); time.Sleep(openPause) {
		if time.Now().After(deadline) || ctx.Err() != nil {
			return fmt.Errorf("a socket does not open: %+v", socket.Report())
		}
	}
	return nil
}

// closeSockets closes all sockets at once. It fails if a socket lost or repeated an event, or
// reconnected.
func closeSockets(sockets []*listener.Listener) error {
	var group sync.WaitGroup
	var failed atomic.Pointer[listener.Report]
	for _, socket := range sockets {
		group.Go(func() {
			if r := socket.Close(); r.Gaps+r.Doubles+r.Unrecovered > 0 || r.Connects > 1 {
				failed.Store(&r)
			}
		})
	}
	group.Wait()
	if r := failed.Load(); r != nil {
		return fmt.Errorf("a socket fared badly: %+v", *r)
	}
	return nil
}

const (
	deliveryTimeout = 30 * time.Second
	publishTick     = time.Millisecond
)

// listeners are the users with sockets. All are admins, so that all receive a broadcast, and buyers
// may write to them.
type listeners struct {
	ids           []uuid.UUID
	sessions      []string
	conversations []uuid.UUID // between the listener and the buyer at the same index
}

func (e *environment) insertListeners(ctx context.Context, now time.Time) (err error) {
	l := &e.listeners
	l.ids, l.conversations = newIDs(e.options.Sockets*nodes), newIDs(min(e.options.Sockets, buyerCount))
	if l.sessions, err = e.createUsers(ctx, "listener", true, l.ids, now); err != nil {
		return err
	}
	n := len(l.conversations)
	return insertConversations(ctx, e.owner, l.conversations, e.buyers[:n], l.ids[:n], now)
}

func (e *environment) redisClient() (*redis.Client, error) {
	options, err := redis.ParseURL(e.redis.URL())
	if err != nil {
		return nil, err
	}
	return redis.NewClient(options), nil
}

// fanOut measures frames from Redis to sockets at two nodes, published at a fixed rate. Latencies
// count from when a frame was due.
func (e *environment) fanOut(ctx context.Context, perSecond float64) (sample Sample, err error) {
	client, err := e.redisClient()
	if err != nil {
		return Sample{}, err
	}
	defer func() { _ = client.Close() }()
	p, err := e.openClients(ctx, e.sites...)
	if err != nil {
		return Sample{}, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	start, sent := time.Now(), 0
	ticker := time.NewTicker(publishTick)
	defer ticker.Stop()
	for now := start; now.Sub(start) < e.options.Duration; now = <-ticker.C {
		pipeline := client.Pipeline()
		for until := int(now.Sub(start).Seconds() * perSecond); sent < until; sent++ {
			due := start.Add(time.Duration(float64(sent) / perSecond * float64(time.Second)))
			pipeline.Publish(ctx, "rt:u:"+e.listeners.ids[sent%len(e.listeners.ids)].String(), newFrame(due))
		}
		if _, err := pipeline.Exec(ctx); err != nil {
			return Sample{}, err
		}
	}
	elapsed := time.Since(start)
	took, err := p.take(ctx, sent)
	if err != nil {
		return Sample{}, err
	}
	return (&recorder{took: took}).sample(elapsed), nil
}

// broadcast measures a frame to all sockets of one node, from its publication to its arrival at the
// last socket.
func (e *environment) broadcast(ctx context.Context) (sample Sample, err error) {
	client, err := e.redisClient()
	if err != nil {
		return Sample{}, err
	}
	defer func() { _ = client.Close() }()
	p, err := e.openClients(ctx, e.sites[1])
	if err != nil {
		return Sample{}, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	var r recorder
	start := time.Now()
	for time.Since(start) < e.options.Duration {
		if err := client.Publish(ctx, "rt:admins", newFrame(time.Now())).Err(); err != nil {
			return Sample{}, err
		}
		took, err := p.take(ctx, e.options.Sockets)
		if err != nil {
			return Sample{}, err
		}
		r.add(took[len(took)-1])
	}
	return r.sample(time.Since(start)), nil
}

// openIdle measures idle sockets at one node: the rate at which they open, and the memory that each
// takes. It starts a new node, because one that has served requests has memory to spare.
func (e *environment) openIdle(ctx context.Context) (sample Sample, err error) {
	api, err := e.startAPI(ctx)
	if err != nil {
		return Sample{}, err
	}
	defer func() { err = errors.Join(err, api.program.Stop(stopWait, syscall.SIGTERM, syscall.SIGKILL)) }()
	before, err := api.residentBytes(ctx)
	if err != nil {
		return Sample{}, err
	}
	start := time.Now()
	p, err := e.openClients(ctx, api.site)
	if err != nil {
		return Sample{}, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	elapsed := time.Since(start)
	after, err := api.residentBytes(ctx)
	if err != nil {
		return Sample{}, err
	}
	n := float64(e.options.Sockets)
	return Sample{PerSecond: n / elapsed.Seconds(), KiBEach: (after - before) / 1024 / n}, nil
}

// residentBytes returns the resident memory of a node.
func (n node) residentBytes(ctx context.Context) (float64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, n.ops+"/metrics", nil)
	if err != nil {
		return 0, err
	}
	return readMetric(request, "process_resident_memory_bytes")
}
