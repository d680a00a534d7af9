package bench

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/devtools/localstack"
	"amanat/internal/domain/reports"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
)

const (
	mainDatabase = "amanat"
	// For transfers without a deal, which reconciliation would report in the main database.
	ledgerDatabase = "ledger"
	tpcbDatabase   = "pgbench"
	apiPassword    = "api-of-the-bench"
	workerPassword = "worker-of-the-bench"
	ownerConns     = 4
	idleWait       = 2 * time.Minute // for the queue to become empty
	idlePause      = 50 * time.Millisecond
	maxConnections = 200
)

// environment is an Amanat installation with its own servers: a PostgreSQL with fsync on that also
// holds pgbench's tables, a Redis, apis, a worker, and users with money.
type environment struct {
	options Options
	version string // PostgreSQL's
	dir     string

	server  *localstack.Postgres
	redis   redisServer
	mails   *localstack.MailCatcher
	owner   *pgxpool.Pool
	ledger  *pgxpool.Pool // connected as the worker
	site    string        // URL of the api that receives the requests
	sites   []string      // URLs of that api and another; both have sockets
	running []*localstack.Program

	// Processes whose CPU time is measured.
	postmaster int
	apis       []int
	worker     int

	wallets   []uuid.UUID // owners of the wallets in the ledger database
	posted    int         // number of posting measurements so far, part of their keys
	buyers    []uuid.UUID // have a session and money
	sessions  []string    // the buyers' session tokens
	listeners listeners
	unpaid    []payment
	warm      bool // payments have been made
}

type redisServer interface {
	URL() string
	Stop()
}

// openEnvironment starts the servers and the processes and inserts the data. On failure it stops
// what it has started.
func openEnvironment(ctx context.Context, o Options) (e *environment, err error) {
	e = &environment{options: o}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.close())
		}
	}()
	if e.dir, err = os.MkdirTemp("", "amanat-bench-"); err != nil {
		return e, err
	}
	if err := e.startServers(ctx); err != nil {
		return e, err
	}
	if err := e.preparePgbench(ctx); err != nil {
		return e, err
	}
	if err := e.populate(ctx); err != nil {
		return e, fmt.Errorf("populate: %w", err)
	}
	if err := e.startPrograms(ctx); err != nil {
		return e, err
	}
	return e, e.signUp(ctx)
}

func (e *environment) startServers(ctx context.Context) (err error) {
	e.server, err = localstack.StartPostgres(ctx, localstack.PostgresOptions{MaxConnections: maxConnections})
	if err != nil {
		return err
	}
	if e.redis, err = startRedis(ctx, e.dir); err != nil {
		return err
	}
	if e.mails, err = localstack.StartMail(ctx, clock.System{}.Now); err != nil {
		return err
	}
	if _, err := e.server.EnsureDatabase(ctx, tpcbDatabase); err != nil {
		return err
	}
	for _, database := range []string{mainDatabase, ledgerDatabase} {
		ownerURL, err := e.server.EnsureDatabase(ctx, database)
		if err != nil {
			return err
		}
		if err := postgres.Migrate(ctx, ownerURL, postgres.Roles{APIPassword: apiPassword, WorkerPassword: workerPassword}); err != nil {
			return err
		}
	}
	if e.owner, err = postgres.Connect(ctx, e.server.URL(mainDatabase), postgres.Options{MaxConns: ownerConns}); err != nil {
		return err
	}
	ledgerURL, err := e.login(ledgerDatabase, postgres.WorkerRole, workerPassword)
	if err != nil {
		return err
	}
	e.ledger, err = postgres.Connect(ctx, ledgerURL, postgres.Options{MaxConns: int32(e.options.Clients)})
	if err != nil {
		return err
	}
	if e.version, err = serverVersion(ctx, e.owner); err != nil {
		return err
	}
	return e.findPostmaster(ctx)
}

// findPostmaster finds the parent of all of PostgreSQL's processes.
func (e *environment) findPostmaster(ctx context.Context) error {
	if !procAvailable() {
		return nil
	}
	backend, err := backendPID(ctx, e.owner)
	if err != nil {
		return err
	}
	stat, err := readStat(backend)
	e.postmaster = stat.parent
	return err
}

// startRedis starts redis-server if it is installed, and an in-process Redis otherwise.
func startRedis(ctx context.Context, dir string) (redisServer, error) {
	program, err := exec.LookPath("redis-server")
	if errors.Is(err, exec.ErrNotFound) {
		return localstack.StartRedis()
	}
	if err != nil {
		return nil, err
	}
	return localstack.StartRedisServer(ctx, program, dir)
}

func (e *environment) login(database, user, password string) (string, error) {
	u, err := url.Parse(e.server.URL(database))
	if err != nil {
		return "", err
	}
	u.User = url.UserPassword(user, password)
	return u.String(), nil
}

// waitIdle waits until the job queue is empty and then vacuums the main database and runs a
// checkpoint, so that one measurement does not slow down the next. pgbench vacuums its tables
// before each of its runs too.
func (e *environment) waitIdle(ctx context.Context) error {
	if err := e.drain(ctx); err != nil {
		return err
	}
	if err := vacuum(ctx, e.owner); err != nil {
		return err
	}
	return checkpoint(ctx, e.owner)
}

// drain waits until the job queue is empty.
func (e *environment) drain(ctx context.Context) error {
	deadline := time.Now().Add(idleWait)
	for {
		left, err := waitingJobs(ctx, e.owner)
		if err != nil {
			return err
		}
		if left == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%d jobs are still waiting after %s", left, idleWait)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(idlePause):
		}
	}
}

// reconcile fails if the books do not balance.
func (e *environment) reconcile(ctx context.Context) error {
	findings, err := reports.Reconcile(ctx, e.owner)
	if err == nil && len(findings) > 0 {
		err = fmt.Errorf("the books are not in order: %v", findings)
	}
	return err
}

func (e *environment) close() error {
	problems := e.stopPrograms()
	for _, pool := range []*pgxpool.Pool{e.owner, e.ledger} {
		if pool != nil {
			pool.Close()
		}
	}
	if e.mails != nil {
		problems = errors.Join(problems, e.mails.Stop())
	}
	if e.redis != nil {
		e.redis.Stop()
	}
	if e.server != nil {
		problems = errors.Join(problems, e.server.Stop())
	}
	return errors.Join(problems, os.RemoveAll(e.dir))
}
