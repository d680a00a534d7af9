package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
	"github.com/riverqueue/river"
	"golang.org/x/sync/errgroup"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/app/opsserver"
	"amanat/internal/domain/accounts"
	"amanat/internal/domain/deals"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/ratelimit"
	"amanat/internal/lib/redisclient"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
	"amanat/queue/trace"
	"amanat/queue/ui"
	"amanat/queue/workers"
)

const (
	drainTimeout  = 5 * time.Second // how long running requests may take to end
	socketTimeout = time.Second     // how long sockets may take to close
)

// processes are an api and a worker, assembled as in cmd/api and cmd/worker, with their own
// connection pools.
type processes struct {
	site     *api.Server
	accounts *accounts.Service // for the seed
	// For the seed, with the login of the database's owner, because no one can sign up as an admin.
	admins   *accounts.Service
	apiDB    *pgxpool.Pool
	ownerDB  *pgxpool.Pool
	waiter   *operations.Waiter
	jobs     *river.Client[pgx.Tx]
	deals    *deals.Settler // executes due actions while time is moved
	messages *realtime.Redis
	link     *realtime.Link
	redis    *redis.Client
	log      *slog.Logger
	riverUI  *ui.Handler

	pools []*pgxpool.Pool
}

type settings struct {
	api    config.API
	worker config.Worker
	clock  clock.Clock
	log    *slog.Logger
	ui     fs.FS
	owner  string // URL of the database for its owner
	bkash  http.Handler

	origins []string // other addresses of the site
}

func assemble(ctx context.Context, s settings) (p *processes, err error) {
	p = &processes{log: s.log}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	p.apiDB, err = p.connect(ctx, s.api.DatabaseURL,
		postgres.Options{MaxConns: s.api.DatabaseMaxConns, ApplicationName: "amanat-api"})
	if err != nil {
		return p, err
	}
	workerDB, err := p.connect(ctx, s.worker.DatabaseURL,
		postgres.Options{MaxConns: s.worker.DatabaseMaxConns, ApplicationName: "amanat-worker"})
	if err != nil {
		return p, err
	}
	p.ownerDB, err = p.connect(ctx, s.owner, postgres.Options{MaxConns: 1, ApplicationName: "amanat-owner"})
	if err != nil {
		return p, err
	}
	p.admins = accounts.New(accounts.Options{DB: p.ownerDB, Clock: s.clock})
	queueDB, err := p.connect(ctx, s.worker.DatabaseURL, workers.QueueOptions())
	if err != nil {
		return p, err
	}
	if p.redis, err = redisclient.New(s.api.RedisURL, s.api.RedisCAFile); err != nil {
		return p, err
	}
	p.messages = realtime.NewRedis(p.redis, s.log)
	p.link = realtime.NewLink(p.redis, s.log)
	if err := p.assembleAPI(s); err != nil {
		return p, err
	}
	if err := p.assembleDeals(s, workerDB); err != nil {
		return p, err
	}
	if p.riverUI, err = ui.New(workerDB, s.log, s.worker.RiverUIToken); err != nil {
		return p, err
	}
	p.jobs, err = workers.Assemble(workers.Dependencies{
		Config: s.worker, Clock: s.clock, SessionClock: clock.System{}, DB: workerDB, QueueDB: queueDB, Logger: s.log,
		Messages: p.messages, Observe: opsserver.NewOperationMetrics(prometheus.NewRegistry()), Queues: jobs.Queues(),
	})
	return p, err
}

// assembleAPI assembles the api. Its sessions use the machine's clock, so that moving business time
// does not sign users out.
func (p *processes) assembleAPI(s settings) error {
	inserter, err := jobs.NewInserter(p.apiDB, s.log, trace.Insert())
	if err != nil {
		return err
	}
	p.waiter = operations.NewWaiter(p.apiDB, s.api.OperationWait)
	p.accounts = accounts.New(accounts.Options{DB: p.apiDB, Clock: s.clock, SessionClock: clock.System{}})
	p.site, err = api.Assemble(api.Dependencies{
		Config: s.api, Clock: s.clock, SessionClock: clock.System{}, DB: p.apiDB, Jobs: inserter,
		Limiter: ratelimit.New(ratelimit.Options{Clock: s.clock, Redis: p.redis, Logger: s.log}),
		Link:    p.link, Logger: s.log, Messages: p.messages, Metrics: prometheus.NewRegistry(), UI: s.ui, Waiter: p.waiter,
		Origins: s.origins, Redis: p.redis,
		TrustBrowsers: true, // whoever starts the demo releases money at once, in a browser that nobody knows
	})
	return err
}

func (p *processes) connect(ctx context.Context, url string, opts postgres.Options) (*pgxpool.Pool, error) {
	pool, err := postgres.Connect(ctx, url, opts)
	if err != nil {
		return nil, err
	}
	p.pools = append(p.pools, pool)
	return pool, nil
}

func (p *processes) close() {
	if p.redis != nil {
		_ = p.redis.Close()
	}
	for _, pool := range p.pools {
		pool.Close()
	}
}

// run works jobs and relays realtime messages while use runs. It returns when use has returned and
// everything else has ended.
func (p *processes) run(ctx context.Context, use func(ctx context.Context) error) error {
	// Messages of the last job must still be published.
	outer, stopOuter := context.WithCancel(context.WithoutCancel(ctx))
	defer stopOuter()
	group, groupCtx := errgroup.WithContext(outer)
	group.Go(func() error { p.messages.Run(groupCtx); return nil })
	group.Go(func() error { p.link.Run(groupCtx, p.site.Hub()); return nil })
	group.Go(func() error { p.site.Hub().Run(groupCtx); return nil })
	group.Go(func() error { p.site.Presence().Run(groupCtx, p.site.Hub()); return nil })
	group.Go(func() error {
		defer stopOuter()
		working, stopWorking := context.WithCancel(context.WithoutCancel(ctx))
		defer stopWorking()
		if err := p.jobs.Start(working); err != nil {
			return fmt.Errorf("worker: %w", err)
		}
		if err := p.riverUI.Start(groupCtx); err != nil {
			return fmt.Errorf("river ui: %w", err)
		}
		err := use(ctx)
		stopWorking() // a soft stop: running jobs finish
		<-p.jobs.Stopped()
		return err
	})
	return group.Wait()
}

// closeSockets asks open pages to reconnect.
func (p *processes) closeSockets(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), socketTimeout)
	defer cancel()
	p.site.Hub().Drain(ctx)
}

// serve serves on the listener until ctx ends, then waits for running requests.
func serve(ctx context.Context, server *http.Server, listener net.Listener) error {
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
		defer cancel()
		stopped <- errors.Join(server.Shutdown(ctx), server.Close())
	})
	err := server.Serve(listener)
	if stop() { // ctx has not ended
		return fmt.Errorf("serve: %w", err)
	}
	// A slow client is not an error.
	if err := <-stopped; err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("stop serving: %w", err)
	}
	return nil
}
