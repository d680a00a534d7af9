package torture

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"syscall"
	"time"

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
	smallFile   = 1 << 20         // bytes; a segment of the write-ahead log is larger
	mostWrong   = 2 * time.Minute // clocks of processes, in both directions
	followed    = 3 * time.Second // by a standby, before the primary dies
	mostCut     = 20_000          // bytes until a connection is cut
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
// ends, it is started again once there is room.
func (n *nemesis) fillDisk(ctx context.Context) error {
	server := n.server()
	if err := server.LimitFiles(ctx, smallFile); err != nil {
		return err
	}
	pause(ctx, diskFull)
	err := server.LimitFiles(ctx, -1)
	if server.Ended() {
		return server.Restart(ctx)
	}
	return err
}

// canFillDisk reports whether the processes of the server can be limited.
func canFillDisk() bool {
	_, err := exec.LookPath("prlimit")
	return err == nil
}
