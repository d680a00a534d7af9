// Command api serves the site: the UI and the API below /api. It keeps no state and moves no money,
// so any number of processes can run behind a proxy. config.API describes its environment.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/app/images"
	"amanat/internal/app/opsserver"
	"amanat/internal/app/process"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/ratelimit"
	"amanat/internal/lib/redisclient"
	"amanat/internal/money/ledger"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
	"amanat/queue/trace"
	"amanat/ui"
)

const (
	// drainPause is the time between failing the readiness check and closing the listener, in which
	// load balancers notice.
	drainPause = 2 * time.Second
	// drainTimeout bounds how long running requests and sockets may take to end.
	drainTimeout = 25 * time.Second
)

func main() { process.Main("api", config.CheckAPI, opsAddr, run) }

func opsAddr() (string, error) {
	c, err := config.LoadAPI()
	return c.OpsAddr, err
}

func run(ctx context.Context) error {
	c, err := config.LoadAPI()
	if err != nil {
		return err
	}
	p, err := process.Start(ctx, process.Config{
		Name: "amanat-api", LogLevel: c.LogLevel, DatabaseURL: c.DatabaseURL, DatabaseMaxConns: c.DatabaseMaxConns,
		DatabasePooled: c.DatabasePooled,
		Fingerprint:    c.Fingerprint(),
		Tracing:        c.TracingEnabled(), TracingHeaders: c.TracingHeaders(),
	})
	if err != nil {
		return err
	}
	defer p.Close()
	if reason := c.Insecure(); reason != "" {
		p.Log.Warn("insecure", "reason", reason)
	}
	if err := ledger.CheckRole(ctx, p.DB, false); err != nil {
		return err
	}
	if err := images.CheckBlobs(ctx, p.DB, c.Bucket.Used()); err != nil {
		return err
	}
	redisclient.LogTo(p.Log)
	redisClient, err := redisclient.New(c.RedisURL, c.RedisCAFile)
	if err != nil {
		return err
	}
	defer func() { _ = redisClient.Close() }()
	messages := realtime.NewRedis(redisClient, p.Log)
	p.Registry.MustRegister(messages.Metrics())
	p.Registry.MustRegister(realtime.PoolMetrics(redisClient)...)
	jobInserter, err := jobs.NewInserter(p.DB, p.Log, trace.Insert())
	if err != nil {
		return fmt.Errorf("river: %w", err)
	}
	link := realtime.NewLink(redisClient, p.Log)
	limiter := ratelimit.New(ratelimit.Options{Clock: clock.System{}, Redis: redisClient, Logger: p.Log})
	p.Registry.MustRegister(limiter.Metrics()...)
	server, err := api.Assemble(api.Dependencies{
		Config: c, Clock: clock.System{}, DB: p.DB, Jobs: jobInserter,
		Limiter: limiter, Link: link, Logger: p.Log, Messages: messages, Metrics: p.Registry, Redis: redisClient, UI: ui.Dist(),
		Waiter: operations.NewWaiter(p.DB, c.OperationWait),
	})
	if err != nil {
		return err
	}
	site := site{
		config: c, log: p.Log, messages: messages, link: link, server: server,
		ops: p.OpsServer(func(ctx context.Context) error { return redisClient.Ping(ctx).Err() }, nil),
	}
	return site.serve(ctx)
}

// site is everything that runs until the process is stopped.
type site struct {
	config   config.API
	log      *slog.Logger
	messages *realtime.Redis
	link     *realtime.Link
	ops      *opsserver.Server
	server   *api.Server
}

// serve serves requests until ctx ends, then waits for running ones. It stops their dependencies
// last.
func (s site) serve(ctx context.Context) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", s.config.Addr)
	if err != nil {
		return err
	}
	s.log.Info("serving", "address", listener.Addr().String(), "public_url", s.config.PublicURL)
	outer, stopOuter := context.WithCancel(context.WithoutCancel(ctx))
	defer stopOuter()
	group, groupCtx := errgroup.WithContext(outer)
	group.Go(func() error { return s.ops.Serve(groupCtx, s.config.OpsAddr) })
	group.Go(func() error { s.messages.Run(groupCtx); return nil })
	group.Go(func() error { s.link.Run(groupCtx, s.server.Hub()); return nil })
	group.Go(func() error { s.server.Hub().Run(groupCtx); return nil })
	group.Go(func() error { s.server.Presence().Run(groupCtx, s.server.Hub()); return nil })
	group.Go(func() error {
		defer stopOuter()
		return s.serveHTTP(ctx, groupCtx, listener)
	})
	return group.Wait()
}

// closing ends each connection after its next response while the api drains. Shutdown closes idle
// connections at once, and a proxy may be sending a request on one, which it must not repeat.
func (s site) closing(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.ops.Draining() && r.Header.Get("Upgrade") == "" {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// serveHTTP serves until ctx ends, and then drains, or until failed ends because another part of
// the process has failed.
func (s site) serveHTTP(ctx, failed context.Context, listener net.Listener) error {
	server := s.server.HTTP(s.config.Addr)
	server.Handler = s.closing(server.Handler)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return err
	case <-failed.Done():
		return server.Close()
	case <-ctx.Done():
	}
	s.ops.SetDraining()
	select {
	case <-time.After(drainPause):
	case <-failed.Done():
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	var sockets sync.WaitGroup
	sockets.Go(func() { s.server.Hub().Drain(drain) })
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
