// Command worker runs River jobs: all work that moves money, mail, notices, maintenance. Any number may run; -queues chooses what one
// serves, so that operators scale them apart. Its environment is config.Worker.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"golang.org/x/sync/errgroup"

	"amanat/internal/clock"
	"amanat/internal/config"
	"amanat/internal/ops"
	"amanat/internal/postgres"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
	"amanat/queue/workers"
)

func main() {
	queues := flag.String("queues", strings.Join(jobs.Queues(), ","), "the queues to serve, separated by commas")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, strings.Split(*queues, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		stop()
		os.Exit(1) //nolint:gocritic // stop has run
	}
}

func run(ctx context.Context, queues []string) error {
	c, err := config.LoadWorker()
	if err != nil {
		return err
	}
	log := slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: c.LogLevel}))
	db, err := postgres.Connect(ctx, c.DatabaseURL, postgres.Options{MaxConns: c.DatabaseMaxConns, ApplicationName: "amanat-worker"})
	if err != nil {
		return err
	}
	defer db.Close()
	queueDB, err := postgres.Connect(ctx, c.DatabaseURL, workers.QueueOptions())
	if err != nil {
		return err
	}
	defer queueDB.Close()
	if err := postgres.Validate(ctx, db); err != nil {
		return err
	}
	redisClient, err := realtime.NewClient(c.RedisURL)
	if err != nil {
		return err
	}
	defer func() { _ = redisClient.Close() }()
	messages := realtime.NewRedis(redisClient, log)

	registry := ops.NewRegistry()
	registry.MustRegister(ops.PoolCollector("main", db), ops.PoolCollector("queue", queueDB),
		ops.QueueCollector(queueDB, clock.System{}, log), messages.Metrics())
	client, err := workers.Assemble(workers.Dependencies{
		Config: c, Clock: clock.System{}, DB: db, QueueDB: queueDB, Logger: log, Messages: messages,
		Observe: ops.NewOperationMetrics(registry), Queues: queues,
	})
	if err != nil {
		return err
	}
	opsServer := ops.New(ops.Options{
		Checks:   map[string]ops.Check{"database": db.Ping},
		Watches:  map[string]ops.Check{"redis": func(ctx context.Context) error { return redisClient.Ping(ctx).Err() }},
		Registry: registry,
		Logger:   log,
	})
	return serve(ctx, c, client, opsServer, messages)
}

// runner is a River client.
type runner interface {
	Start(ctx context.Context) error
	Stopped() <-chan struct{}
}

// serve works until ctx ends, then lets running jobs finish for the configured time. The ops port and the publisher go last.
func serve(ctx context.Context, c config.Worker, client runner, opsServer *ops.Server, messages *realtime.Redis) error {
	outer, stopOuter := context.WithCancel(context.WithoutCancel(ctx))
	defer stopOuter()
	group, groupCtx := errgroup.WithContext(outer)
	group.Go(func() error { return opsServer.Serve(groupCtx, c.OpsAddr) })
	group.Go(func() error { messages.Run(groupCtx); return nil })
	group.Go(func() error {
		defer stopOuter()
		// Started on a context of its own kind: ending it is a soft stop.
		working, stopWorking := context.WithCancel(ctx)
		defer stopWorking()
		if err := client.Start(working); err != nil {
			return fmt.Errorf("start: %w", err)
		}
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
