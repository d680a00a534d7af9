package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"

	"amanat/internal/devtools/bkash"
	"amanat/internal/devtools/localstack"
	"amanat/internal/lib/failpoint"
)

// fault is something that goes wrong, and is repaired.
type fault struct {
	name string
	// How often it happens in ten minutes.
	often int
	do    func(ctx context.Context) error
	// A kill counts among the kills.
	kills bool
}

// Lengths of faults.
const (
	full        = 10 * time.Minute // for which fault.often counts
	dieWait     = 15 * time.Second // for a process to reach its failpoint
	cutFor      = 300 * time.Millisecond
	resetFor    = 200 * time.Millisecond
	dataGone    = 8 * time.Second // black hole between the processes and PostgreSQL
	redisGone   = 10 * time.Second
	diskFull    = 4 * time.Second
	stuckAfter  = 20 * time.Second // since then there is room, and the server does not answer
	smallFile   = 1 << 20          // bytes; a segment of the write-ahead log is larger
	mostWrong   = 2 * time.Minute  // clocks of processes, in both directions
	followed    = 3 * time.Second  // by a standby, before the primary dies
	mostCut     = 20_000           // bytes until a connection is cut
	shortFreeze = 2 * time.Second
	longFreeze  = 35 * time.Second // longer than River waits before it rescues a job
)

// nemesis makes the faults of one lane happen, one after the other. The lanes do not wait for each
// other.
type nemesis struct {
	*system
	random *rand.Rand
}

// lanes returns the faults of each lane.
func lanes() []func(n *nemesis) []fault {
	return []func(n *nemesis) []fault{(*nemesis).processFaults, (*nemesis).serverFaults, (*nemesis).freezes}
}

func (n *nemesis) freezes() []fault {
	return []fault{{name: "worker frozen (SIGSTOP)", often: 8, do: n.freeze}}
}

func (n *nemesis) processFaults() []fault {
	die := func(processes []*process, place string) func(ctx context.Context) error {
		return func(ctx context.Context) error { return n.dieAt(ctx, processes, place) }
	}
	kill := func(processes []*process) func(ctx context.Context) error {
		return func(ctx context.Context) error { return n.kill(ctx, processes) }
	}
	roll := func(processes []*process) func(ctx context.Context) error {
		return func(ctx context.Context) error { return n.roll(ctx, processes) }
	}
	return []fault{
		{name: "worker killed before its commit", often: 33, kills: true, do: die(n.workers, failpoint.WorkerBeforeCommit)},
		{name: "worker killed after its commit", often: 33, kills: true, do: die(n.workers, failpoint.WorkerAfterCommit)},
		{name: "worker killed", often: 34, kills: true, do: kill(n.workers)},
		{name: "api killed while a caller waits", often: 34, kills: true, do: die(n.apis, failpoint.APIWaiting)},
		{name: "api killed", often: 16, kills: true, do: kill(n.apis)},
		{name: "api rolled (SIGTERM)", often: 6, do: roll(n.apis)},
		{name: "worker rolled (SIGTERM)", often: 6, do: roll(n.workers)},
	}
}

func (n *nemesis) serverFaults() []fault {
	disturb := func(toxics func() []toxic, length time.Duration, links ...*link) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			return n.disturb(ctx, links[n.random.IntN(len(links))], toxics(), length)
		}
	}
	cutSome := func() []toxic {
		stream := upstream
		if n.random.IntN(2) == 0 {
			stream = downstream
		}
		return cut(stream, 1+n.random.Int64N(mostCut))
	}
	list := []fault{
		{name: "PostgreSQL killed", often: 30, kills: true, do: n.killPostgres},
		{name: "Redis killed", often: 20, kills: true, do: n.killRedis},
		{name: "PostgreSQL: connections reset", often: 20, do: disturb(reset, resetFor, n.apiData, n.workerData)},
		{name: "PostgreSQL: connections cut in mid-stream", often: 30, do: disturb(cutSome, cutFor, n.apiData, n.workerData)},
		{name: "PostgreSQL: black hole", often: 4, do: disturb(swallow, dataGone, n.apiData, n.workerData)},
		{name: "Redis: connections reset", often: 10, do: disturb(reset, resetFor, n.apiRedis, n.workerRedis)},
		{name: "Redis: black hole", often: 4, do: disturb(swallow, redisGone, n.apiRedis, n.workerRedis)},
		{name: "PostgreSQL promoted to its standby", often: 3, do: n.promote},
		{name: "bKash: maintenance", often: 2, do: n.maintain},
	}
	if canFillDisk() {
		list = append(list, fault{name: "disk full", often: 4, do: n.fillDisk})
	}
	return list
}

// one locks one of the processes, and returns how to unlock it.
func (n *nemesis) one(processes []*process) (p *process, done func()) {
	first := n.random.IntN(len(processes))
	for i := range processes {
		if p = processes[(first+i)%len(processes)]; p.busy.TryLock() {
			return p, p.busy.Unlock
		}
	}
	p = processes[first]
	p.busy.Lock()
	return p, p.busy.Unlock
}

// clock returns the setting of a clock that is wrong, since clocks jump while machines restart.
func (n *nemesis) clock() string {
	n.skewed.Add(1)
	return "AMANAT_CLOCK_OFFSET=" + time.Duration(n.random.Int64N(2*int64(mostWrong))-int64(mostWrong)).String()
}

// fewJobs lets a worker that is about to die take a few of the jobs only, since all that it takes
// wait until it is known to be dead.
const fewJobs = "QUEUES=money=4"

// dieAt replaces a process with one that kills itself when it first reaches the failpoint.
func (n *nemesis) dieAt(ctx context.Context, processes []*process, place string) error {
	p, done := n.one(processes)
	defer done()
	if err := p.stop(syscall.SIGTERM, syscall.SIGKILL); err != nil {
		return err
	}
	if _, err := p.launch(ctx, "AMANAT_FAILPOINT="+place, fewJobs, n.clock()); err != nil {
		return err
	}
	if !p.dies(ctx, dieWait) { // too little happens
		if err := p.kill(); err != nil {
			return err
		}
	}
	return p.start(ctx, n.clock())
}

func (n *nemesis) kill(ctx context.Context, processes []*process) error {
	p, done := n.one(processes)
	defer done()
	if err := p.kill(); err != nil {
		return err
	}
	return p.start(ctx, n.clock())
}

func (n *nemesis) roll(ctx context.Context, processes []*process) error {
	p, done := n.one(processes)
	defer done()
	if err := p.stop(syscall.SIGTERM); err != nil {
		return err
	}
	return p.start(ctx, n.clock())
}

func (n *nemesis) freeze(ctx context.Context) error {
	p, done := n.one(n.workers)
	defer done()
	running := p.current()
	if err := running.Signal(syscall.SIGSTOP); err != nil {
		return err
	}
	pause(ctx, shortFreeze+time.Duration(n.random.Int64N(int64(longFreeze-shortFreeze))))
	if err := running.Signal(syscall.SIGCONT); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}

func (n *nemesis) disturb(ctx context.Context, l *link, toxics []toxic, length time.Duration) error {
	heal, err := l.disturb(ctx, toxics)
	pause(ctx, length)
	if heal != nil {
		heal()
	}
	return err
}

func (n *nemesis) killPostgres(ctx context.Context) error {
	server := n.server()
	if err := server.Kill(); err != nil {
		return err
	}
	return server.Restart(ctx)
}

func (n *nemesis) killRedis(ctx context.Context) error {
	n.redis.Interrupt()
	return n.redis.Resume(ctx)
}

// maintain has bKash answer every call with a page in HTML. After that, workers leave it alone for
// a minute.
func (n *nemesis) maintain(ctx context.Context) error {
	n.bkash.Break(bkash.Maintenance)
	defer n.bkash.Break(bkash.None)
	pause(ctx, maintenanceOf)
	return nil
}

// promote copies the primary to a standby, without which nothing is committed from then on, kills
// the primary and makes the standby the new one.
func (n *nemesis) promote(ctx context.Context) error {
	primary := n.server()
	n.clusters++
	standby, err := primary.Standby(ctx, fmt.Sprintf("%s/postgres-%d", n.dir, n.clusters))
	if err != nil {
		return err
	}
	pause(ctx, followed)
	if err := primary.Kill(); err != nil {
		return errors.Join(err, standby.Stop())
	}
	n.mu.Lock()
	n.postgres = standby
	n.mu.Unlock()
	if err := standby.Promote(ctx); err != nil {
		return err
	}
	for _, l := range []*link{n.apiData, n.workerData, n.observing} {
		if err := l.lead(standby.Address()); err != nil {
			return err
		}
	}
	return errors.Join(primary.Stop(), os.RemoveAll(primary.Dir()))
}

// fillDisk makes the server unable to write beyond the start of its files, as on a full disk. If it
// ends, it is started again once there is room. So is one that hangs: PostgreSQL 18 does if its
// disk is full at the end of its recovery.
func (n *nemesis) fillDisk(ctx context.Context) error {
	server := n.server()
	if err := server.LimitFiles(ctx, smallFile); err != nil {
		return err
	}
	pause(ctx, diskFull)
	err := server.LimitFiles(ctx, -1)
	for deadline := time.Now().Add(stuckAfter); !server.Ended() && n.owner.Ping(ctx) != nil; {
		if !pause(ctx, startPause) || time.Now().After(deadline) {
			err = errors.Join(err, server.Kill())
			break
		}
	}
	if server.Ended() {
		return errors.Join(err, server.Restart(ctx))
	}
	return err
}

// canFillDisk reports whether the processes of the server can be limited.
func canFillDisk() bool {
	_, err := exec.LookPath("prlimit")
	return err == nil
}

// link is a proxy between processes and a server, which can cut, reset and swallow.
type link struct {
	name  string
	mu    sync.Mutex
	proxy *toxiproxy.Proxy
}

// openLink starts a proxy to the address of a server.
func openLink(server *toxiproxy.ApiServer, name, upstream string) (*link, error) {
	l := &link{name: name, proxy: toxiproxy.NewProxy(server, name, "127.0.0.1:0", upstream)}
	return l, l.proxy.Start()
}

func newProxyServer() *toxiproxy.ApiServer {
	return toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
}

func (l *link) address() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.proxy.Listen
}

// lead makes new connections go to another server and closes the others.
func (l *link) lead(upstream string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.proxy.Update(&toxiproxy.Proxy{Listen: l.proxy.Listen, Upstream: upstream, Enabled: false}); err != nil {
		return err
	}
	return l.proxy.Update(&toxiproxy.Proxy{Listen: l.proxy.Listen, Upstream: upstream, Enabled: true})
}

func (l *link) close() { l.proxy.Stop() }

// toxic is something bad that happens to a link until it is removed.
type toxic struct {
	Name       string           `json:"name"`
	Type       string           `json:"type"`
	Stream     string           `json:"stream"`
	Attributes map[string]int64 `json:"attributes"`
}

// The directions of a link.
const (
	upstream   = "upstream"
	downstream = "downstream"
)

// swallow keeps connections open and lets nothing through.
func swallow() []toxic {
	return []toxic{
		{Type: "timeout", Stream: upstream, Attributes: map[string]int64{"timeout": 0}},
		{Type: "timeout", Stream: downstream, Attributes: map[string]int64{"timeout": 0}},
	}
}

// reset resets connections that are used.
func reset() []toxic {
	return []toxic{{Type: "reset_peer", Stream: downstream, Attributes: map[string]int64{"timeout": 0}}}
}

// cut ends every connection after some bytes, which may be in the middle of a commit or of its
// answer.
func cut(stream string, bytes int64) []toxic {
	return []toxic{{Type: "limit_data", Stream: stream, Attributes: map[string]int64{"bytes": bytes}}}
}

func toxicName(t toxic, i int) string { return fmt.Sprintf("%s-%d", t.Type, i) }

// disturb makes the toxics work until the returned function is called.
func (l *link) disturb(ctx context.Context, toxics []toxic) (heal func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	proxy := l.proxy
	for i, t := range toxics {
		t.Name = toxicName(t, i)
		encoded, err := json.Marshal(t)
		if err != nil {
			return nil, err
		}
		if _, err := proxy.Toxics.AddToxicJson(strings.NewReader(string(encoded))); err != nil {
			return nil, fmt.Errorf("%s on %s: %w", t.Type, l.name, err)
		}
	}
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		for i, t := range toxics {
			_ = proxy.Toxics.RemoveToxic(context.WithoutCancel(ctx), toxicName(t, i)) // it fails only if there is none
		}
	}, nil
}

const (
	startWait  = 60 * time.Second // for a process to become ready
	stopWait   = 40 * time.Second // for a process that is asked to end
	startPause = 20 * time.Millisecond
	probeWait  = 2 * time.Second
)

// process is an api or a worker that is started again and again at the same addresses.
type process struct {
	name    string // such as "worker-2"
	program string // path
	env     []string
	site    string // address of the site, if it is an api
	ops     string // address of the ops port
	log     string // file

	busy sync.Mutex // held by the one fault that deals with it

	mu      sync.Mutex
	running *localstack.Program
}

// newProcess prepares a process. The caller starts it.
func newProcess(ctx context.Context, name, program, dir string, env []string) (*process, error) {
	site, err := localstack.FreeAddress(ctx)
	if err != nil {
		return nil, err
	}
	ops, err := localstack.FreeAddress(ctx)
	if err != nil {
		return nil, err
	}
	return &process{
		name: name, program: program, site: site, ops: ops, log: filepath.Join(dir, name+".log"),
		env: append([]string{"ADDR=" + site, "OPS_ADDR=" + ops, "LOG_LEVEL=warn"}, env...),
	}, nil
}

// start starts the process with additional settings and waits until it is ready. It tries again if
// the process ends, as it does while the database is down.
func (p *process) start(ctx context.Context, settings ...string) error {
	ctx, cancel := context.WithTimeout(ctx, startWait)
	defer cancel()
	for {
		running, err := p.launch(ctx, settings...)
		if err != nil {
			return err
		}
		if p.awaitReady(ctx, running) {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%s does not start:\n%s", p.name, tail(p.log))
		}
	}
}

// launch starts the process without waiting.
func (p *process) launch(ctx context.Context, settings ...string) (*localstack.Program, error) {
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }()
	cmd := exec.CommandContext(context.WithoutCancel(ctx), p.program) //nolint:gosec // our own
	cmd.Env = append(append([]string{}, p.env...), settings...)
	cmd.Stdout, cmd.Stderr = log, log
	// Only the run itself receives the terminal's interrupt.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	running, err := localstack.StartProgram(cmd)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running = running
	return running, nil
}

// awaitReady returns false if the process ends or ctx does.
func (p *process) awaitReady(ctx context.Context, running *localstack.Program) bool {
	for !p.ready(ctx) {
		select {
		case <-running.Done():
			return false
		case <-ctx.Done():
			return false
		case <-time.After(startPause):
		}
	}
	return true
}

func (p *process) ready(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, probeWait)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.ops+"/readyz", http.NoBody)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	_ = response.Body.Close()
	return response.StatusCode == http.StatusOK
}

func (p *process) current() *localstack.Program {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.running
}

// kill kills the process with SIGKILL, whatever it is doing.
func (p *process) kill() error { return p.stop(syscall.SIGKILL) }

// stop sends the signals one after the other until the process has ended.
func (p *process) stop(signals ...os.Signal) error {
	running := p.current()
	if running == nil {
		return nil
	}
	if err := running.Stop(stopWait, signals...); err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	return nil
}

// dies waits until the process has ended by itself, and returns false if it does not in time.
func (p *process) dies(ctx context.Context, within time.Duration) bool {
	select {
	case <-p.current().Done():
		return true
	case <-ctx.Done():
	case <-time.After(within):
	}
	return false
}

const logTail = 4 << 10

func tail(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(text[max(0, len(text)-logTail):]))
}

// amanat runs a command of the operator's tool and returns its output.
func (s *system) amanat(ctx context.Context, databaseURL string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, operatorWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(s.options.Programs, "amanat"), args...) //nolint:gosec // our own
	cmd.Env = []string{"DATABASE_URL=" + databaseURL}
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("amanat %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return string(out), err
}

// stopAll ends the processes, gracefully where they do.
func stopAll(processes []*process) error {
	problems := make([]error, len(processes))
	var group sync.WaitGroup
	for i, p := range processes {
		group.Go(func() {
			if running := p.current(); running != nil {
				_ = running.Signal(syscall.SIGCONT) // it may be frozen
			}
			problems[i] = p.stop(syscall.SIGTERM, syscall.SIGKILL)
		})
	}
	group.Wait()
	return errors.Join(problems...)
}
