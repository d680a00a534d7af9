// Command api serves the site: the UI and the calls below /api. Any number may run behind a proxy; it keeps no state and moves no
// money. Its environment is config.API.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"amanat/internal/api"
	"amanat/internal/clock"
	"amanat/internal/config"
	"amanat/internal/limit"
	"amanat/internal/operations"
	"amanat/internal/ops"
	"amanat/internal/postgres"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
	"amanat/ui"
)

const (
	// drainPause lets balancers see that the process is about to go before it stops taking connections.
	drainPause = 2 * time.Second
	// drainTimeout is how long requests under way and sockets may take to end.
	drainTimeout = 25 * time.Second
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "api:", err)
		stop()
		os.Exit(1) //nolint:gocritic // stop has run
	}
}

func run(ctx context.Context) error {
	c, err := config.LoadAPI()
	if err != nil {
		return err
	}
	log := slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: c.LogLevel}))
	db, err := postgres.Connect(ctx, c.DatabaseURL, postgres.Options{MaxConns: c.DatabaseMaxConns, ApplicationName: "amanat-api"})
	if err != nil {
		return err
	}
	defer db.Close()
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
	registry.MustRegister(ops.PoolCollector("main", db), messages.Metrics())
	jobInserter, err := jobs.NewInserter(db, log)
	if err != nil {
		return fmt.Errorf("river: %w", err)
	}
	p := process{
		config:   c,
		log:      log,
		messages: messages,
		link:     realtime.NewLink(redisClient, log),
		waiter:   operations.NewWaiter(db, c.OperationWait),
	}
	p.server, err = api.Assemble(api.Dependencies{
		Config: c, Clock: clock.System{}, DB: db, Jobs: jobInserter,
		Limiter: limit.New(limit.Options{Clock: clock.System{}, Redis: redisClient, Logger: log}),
		Link:    p.link, Logger: log, Messages: p.messages, Metrics: registry, Redis: redisClient, UI: ui.Dist(), Waiter: p.waiter,
	})
	if err != nil {
		return err
	}
	p.ops = ops.New(ops.Options{
		Checks:   map[string]ops.Check{"database": ping(db)},
		Watches:  map[string]ops.Check{"redis": func(ctx context.Context) error { return redisClient.Ping(ctx).Err() }},
		Registry: registry,
		Logger:   log,
	})
	return p.serve(ctx)
}

func ping(db *pgxpool.Pool) ops.Check { return db.Ping }

// process is what runs until it is told to stop.
type process struct {
	config   config.API
	log      *slog.Logger
	messages *realtime.Redis
	link     *realtime.Link
	ops      *ops.Server
	server   *api.Server
	waiter   *operations.Waiter
}

// serve answers requests until ctx ends, then lets those under way end. What they need goes last.
func (p process) serve(ctx context.Context) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", p.config.Addr)
	if err != nil {
		return err
	}
	outer, stopOuter := context.WithCancel(context.WithoutCancel(ctx))
	defer stopOuter()
	group, groupCtx := errgroup.WithContext(outer)
	group.Go(func() error { return p.ops.Serve(groupCtx, p.config.OpsAddr) })
	group.Go(func() error { p.messages.Run(groupCtx); return nil })
	group.Go(func() error { p.link.Run(groupCtx); return nil })
	group.Go(func() error { p.server.Hub().Run(groupCtx); return nil })
	group.Go(func() error { p.server.Presence().Run(groupCtx, p.server.Hub()); return nil })
	group.Go(func() error {
		defer stopOuter()
		return p.serveHTTP(ctx, groupCtx, listener)
	})
	p.log.Info("serving", "address", listener.Addr().String(), "public_url", p.config.PublicURL)
	return group.Wait()
}

// serveHTTP serves until ctx ends, and drains; or until failed does, which means that another part of the process has ended.
func (p process) serveHTTP(ctx, failed context.Context, listener net.Listener) error {
	server := p.server.HTTP(p.config.Addr)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return err
	case <-failed.Done():
		return server.Close()
	case <-ctx.Done():
	}
	p.ops.SetDraining()
	select {
	case <-time.After(drainPause):
	case <-failed.Done():
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	var sockets sync.WaitGroup
	sockets.Go(func() { p.server.Hub().Drain(drain) })
	err := server.Shutdown(drain)
	sockets.Wait()
	if err != nil {
		return errors.Join(fmt.Errorf("drain: %w", err), server.Close())
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
