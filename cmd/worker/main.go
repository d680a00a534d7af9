// Command worker runs River jobs: everything that moves money, mail, notices and maintenance. Any
// number of processes can run; QUEUES selects the queues of one, so that they can be
// scaled separately. config.Worker describes its environment.
package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"runtime/debug"
	"slices"

	"golang.org/x/sync/errgroup"

	"amanat/internal/app/config"
	"amanat/internal/app/images"
	"amanat/internal/app/opsserver"
	"amanat/internal/app/process"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/redisclient"
	"amanat/internal/money/ledger"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
	"amanat/queue/ui"
	"amanat/queue/workers"
)

func main() {
	process.Main("worker", config.CheckWorker, opsAddr, run)
}

func opsAddr() (string, error) {
	c, err := config.LoadWorker()
	return c.OpsAddr, err
}

// served returns the configured queues, or else all.
func served(c config.Worker) []string {
	if len(c.Queues) > 0 {
		return slices.Sorted(maps.Keys(c.Queues))
	}
	return jobs.Queues()
}

// gcPercent is the growth of the heap between two garbage collections. A worker keeps little in
// memory and allocates much for each job, so collecting less often costs a few megabytes and saves
// a fifth of its CPU time. GOGC in the environment takes precedence.
const (
	gcPercent        = 400
	defaultGCPercent = 100
)

func run(ctx context.Context) error {
	if before := debug.SetGCPercent(gcPercent); before != defaultGCPercent { // set by GOGC
		debug.SetGCPercent(before)
	}
	c, err := config.LoadWorker()
	if err != nil {
		return err
	}
	p, err := process.Start(ctx, process.Config{
		Name: "amanat-worker", LogLevel: c.LogLevel, DatabaseURL: c.DatabaseURL, DatabaseMaxConns: c.DatabaseMaxConns,
		DatabasePooled: c.DatabasePooled,
		Fingerprint:    c.Fingerprint(),
		Tracing:        c.TracingEnabled(), TracingHeaders: c.TracingHeaders(),
	})
	if err != nil {
		return err
	}
	defer p.Close()
	if err := ledger.CheckRole(ctx, p.DB, true); err != nil {
		return err
	}
	if err := images.CheckBlobs(ctx, p.DB, c.Bucket.Used()); err != nil {
		return err
	}
	queueDB, err := p.OpenPool(ctx, "queue", workers.QueueOptions())
	if err != nil {
		return err
	}
	redisclient.LogTo(p.Log)
	redisClient, err := redisclient.New(c.RedisURL, c.RedisCAFile)
	if err != nil {
		return err
	}
	defer func() { _ = redisClient.Close() }()
	messages := realtime.NewRedis(redisClient, p.Log)
	p.Registry.MustRegister(opsserver.QueueCollector(queueDB, clock.System{}, p.Log, jobs.Queues()),
		opsserver.PaymentsCollector(queueDB, clock.System{}, p.Log), messages.Metrics())
	p.Registry.MustRegister(realtime.PoolMetrics(redisClient)...)
	client, err := workers.Assemble(workers.Dependencies{
		Config: c, Clock: clock.System{}, DB: p.DB, QueueDB: queueDB, Logger: p.Log, Messages: messages,
		Observe: opsserver.NewOperationMetrics(p.Registry), Metrics: p.Registry, Queues: served(c),
	})
	if err != nil {
		return err
	}
	mounted, err := mountRiverUI(ctx, c, p)
	if err != nil {
		return err
	}
	opsServer := p.OpsServer(func(ctx context.Context) error { return redisClient.Ping(ctx).Err() }, mounted)
	return serve(ctx, c, client, opsServer, messages)
}

// mountRiverUI returns the handler of River UI, none without a token.
func mountRiverUI(ctx context.Context, c config.Worker, p *process.Process) (map[string]http.Handler, error) {
	if c.RiverUIToken == "" {
		return nil, nil
	}
	page, err := ui.New(p.DB, p.Log, c.RiverUIToken)
	if err != nil {
		return nil, err
	}
	if err := page.Start(ctx); err != nil {
		return nil, fmt.Errorf("river ui: %w", err)
	}
	return map[string]http.Handler{ui.Prefix: page}, nil
}

type runner interface {
	Start(ctx context.Context) error
	Stopped() <-chan struct{}
}

// serve works jobs until ctx ends, then lets running jobs finish within the configured time. The
// ops port opens once jobs are worked, so that a worker that fails to start was never ready, and
// stops last, with the publisher.
func serve(ctx context.Context, c config.Worker, client runner, opsServer *opsserver.Server, messages *realtime.Redis) error {
	outer, stopOuter := context.WithCancel(context.WithoutCancel(ctx))
	defer stopOuter()
	group, groupCtx := errgroup.WithContext(outer)
	group.Go(func() error { messages.Run(groupCtx); return nil })
	// Canceling the context that River is started with is a soft stop, so it is a separate one.
	working, stopWorking := context.WithCancel(ctx)
	defer stopWorking()
	if err := client.Start(working); err != nil {
		stopOuter()
		_ = group.Wait() // the publisher returns no error
		if ctx.Err() != nil {
			return nil // the process was told to stop
		}
		return fmt.Errorf("start: %w", err)
	}
	group.Go(func() error { return opsServer.Serve(groupCtx, c.OpsAddr) })
	group.Go(func() error {
		defer stopOuter()
		select {
		case <-ctx.Done():
			opsServer.SetDraining()
		case <-groupCtx.Done():
			stopWorking()
		}
		<-client.Stopped()
		return nil
	})
	if err := group.Wait(); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}
