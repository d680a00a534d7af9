package workers

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"amanat/internal/lib/postgres"
	"amanat/internal/money/operations"
)

// A worker that has not been seen for operations.workerUnseen counts as dead, so beats are a
// fraction of that apart, even if one takes all its time.
const (
	beatEvery    = 2 * time.Second
	beatTimeout  = 2 * time.Second
	sweepEvery   = 3 * time.Second
	sweepJitter  = time.Second
	sweepTimeout = 5 * time.Second
)

// beatsToSweep is how many heartbeats in a row a worker makes before it looks for others that have
// died. After an outage of the database all of them look dead until they have made one.
const beatsToSweep = 2

// Process runs the workers of a worker process. While it does, it records every two seconds that
// it lives, and enqueues new jobs for operations that have lost theirs with another process.
//
// Every process sweeps, whatever queues it serves, since any of them may be the only one that
// lives. A sweep takes milliseconds, or tens of them while thousands of operations wait, and those
// of several processes do not hinder each other.
type Process struct {
	*river.Client[pgx.Tx]

	db         postgres.Querier // River's pool, whose connections jobs do not hold
	operations *operations.Service
	log        *slog.Logger

	beats    atomic.Int64 // in a row, since the last that failed
	beating  outage
	sweeping outage
	stopped  chan struct{}
}

func newProcess(client *river.Client[pgx.Tx], db postgres.Querier, ops *operations.Service, log *slog.Logger) *Process {
	p := &Process{Client: client, db: db, operations: ops, log: log}
	p.beating = outage{log: log, routine: "heartbeat"}
	p.sweeping = outage{log: log, routine: "operations sweep"}
	return p
}

// Start starts to work jobs until ctx ends, as river.Client does. It may be called once.
func (p *Process) Start(ctx context.Context) error {
	p.beat(ctx) // before a job is attempted
	if err := p.Client.Start(ctx); err != nil {
		p.forget(ctx)
		return err
	}
	p.stopped = make(chan struct{})
	go p.run(context.WithoutCancel(ctx), p.Client.Stopped())
	return nil
}

// Stopped returns a channel that is closed when the process, once started, has stopped: no job of
// it runs, and other processes know.
func (p *Process) Stopped() <-chan struct{} { return p.stopped }

// run beats and sweeps until the client has stopped. A process that finishes its last jobs is
// alive.
func (p *Process) run(ctx context.Context, clientStopped <-chan struct{}) {
	defer close(p.stopped)
	running, stop := context.WithCancel(ctx)
	var loops sync.WaitGroup
	loops.Go(func() { repeat(running, func() time.Duration { return beatEvery }, p.beat) })
	loops.Go(func() { repeat(running, sweepPause, p.sweep) })
	<-clientStopped
	stop()
	loops.Wait()
	p.forget(ctx)
}

// sweepPause varies, so that the processes of a deployment sweep at different times.
func sweepPause() time.Duration { return sweepEvery - sweepJitter/2 + rand.N(sweepJitter) }

// repeat calls do after each pause until ctx ends.
func repeat(ctx context.Context, pause func() time.Duration, do func(ctx context.Context)) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause()):
			do(ctx)
		}
	}
}

func (p *Process) beat(ctx context.Context) {
	limited, cancel := context.WithTimeout(ctx, beatTimeout)
	defer cancel()
	err := saveHeartbeat(limited, p.db, p.ID())
	if ctx.Err() != nil {
		return
	}
	p.beating.note(ctx, err)
	if err != nil {
		p.beats.Store(0)
		return
	}
	p.beats.Add(1)
}

// sweep does nothing while the database is away, which beat has logged.
func (p *Process) sweep(ctx context.Context) {
	if p.beats.Load() < beatsToSweep {
		return
	}
	limited, cancel := context.WithTimeout(ctx, sweepTimeout)
	defer cancel()
	revived, err := p.operations.Sweep(limited)
	if ctx.Err() != nil {
		return
	}
	p.sweeping.note(ctx, err)
	if err == nil && revived > 0 {
		p.log.WarnContext(ctx, "operations had lost their jobs", "revived", revived)
	}
}

// forget deletes the heartbeat. If that fails, the process counts as one that died.
func (p *Process) forget(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), beatTimeout)
	defer cancel()
	if err := deleteHeartbeat(ctx, p.db, p.ID()); err != nil {
		p.log.WarnContext(ctx, "the heartbeat of a stopped worker remains", "worker", p.ID(), "error", err)
	}
}

// outage logs when a routine begins to fail and when it works again, not every failure in between.
// It must be used from one goroutine at a time.
type outage struct {
	log     *slog.Logger
	routine string
	failing bool
}

func (o *outage) note(ctx context.Context, err error) {
	switch {
	case err != nil && !o.failing:
		o.log.WarnContext(ctx, "worker routine fails, will be tried again", "routine", o.routine, "error", err)
	case err == nil && o.failing:
		o.log.InfoContext(ctx, "worker routine works again", "routine", o.routine)
	}
	o.failing = err != nil
}
