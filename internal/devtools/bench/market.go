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
	"amanat/internal/platform/clock"
	"amanat/internal/platform/postgres"
)

const (
	marketDatabase = "amanat"
	ledgerDatabase = "ledger" // for postings of no deal, which would be errors in the market's books
	tpcbDatabase   = "pgbench"
	apiPassword    = "api-of-the-bench"
	workerPassword = "worker-of-the-bench"
	ownerConns     = 4
	idleWait       = 2 * time.Minute // for the queue to get empty
	idlePause      = 50 * time.Millisecond
	maxConnections = 200
)

// market is one installation on servers of its own: a PostgreSQL that syncs, with pgbench's tables beside ours, a Redis, an api, a worker,
// and people who have money.
type market struct {
	options Options
	version string // of PostgreSQL
	dir     string

	server  *localstack.Postgres
	redis   redisServer
	mails   *localstack.MailCatcher
	owner   *pgxpool.Pool
	ledger  *pgxpool.Pool // with the worker's rights
	site    string        // URL of the api that is called
	sites   []string      // of that one and of another, for sockets
	running []*localstack.Program

	wallets  []uuid.UUID // owners of the wallets in the ledger's database
	posted   int         // measurements of postings so far, for their keys
	buyers   []uuid.UUID // who are signed in and have money
	sessions []string    // of the buyers
	town     town
	unpaid   []bill
}

type redisServer interface {
	URL() string
	Stop()
}

// openMarket starts everything. Nothing of it outlives close.
func openMarket(ctx context.Context, o Options) (m *market, err error) {
	m = &market{options: o}
	defer func() {
		if err != nil {
			err = errors.Join(err, m.close())
		}
	}()
	if m.dir, err = os.MkdirTemp("", "amanat-bench-"); err != nil {
		return m, err
	}
	if err := m.startServers(ctx); err != nil {
		return m, err
	}
	if err := m.preparePgbench(ctx); err != nil {
		return m, err
	}
	if err := m.populate(ctx); err != nil {
		return m, fmt.Errorf("populate: %w", err)
	}
	if err := m.startPrograms(ctx); err != nil {
		return m, err
	}
	return m, m.signUp(ctx)
}

func (m *market) startServers(ctx context.Context) (err error) {
	m.server, err = localstack.StartPostgres(ctx, localstack.PostgresOptions{MaxConnections: maxConnections})
	if err != nil {
		return err
	}
	if m.redis, err = startRedis(ctx, m.dir); err != nil {
		return err
	}
	if m.mails, err = localstack.StartMail(ctx, clock.System{}.Now); err != nil {
		return err
	}
	if _, err := m.server.EnsureDatabase(ctx, tpcbDatabase); err != nil {
		return err
	}
	for _, database := range []string{marketDatabase, ledgerDatabase} {
		ownerURL, err := m.server.EnsureDatabase(ctx, database)
		if err != nil {
			return err
		}
		if err := postgres.Migrate(ctx, ownerURL, postgres.Roles{APIPassword: apiPassword, WorkerPassword: workerPassword}); err != nil {
			return err
		}
	}
	if m.owner, err = postgres.Connect(ctx, m.server.URL(marketDatabase), postgres.Options{MaxConns: ownerConns}); err != nil {
		return err
	}
	ledgerURL, err := m.login(ledgerDatabase, postgres.WorkerRole, workerPassword)
	if err != nil {
		return err
	}
	m.ledger, err = postgres.Connect(ctx, ledgerURL, postgres.Options{MaxConns: int32(m.options.Clients)})
	if err != nil {
		return err
	}
	m.version, err = serverVersion(ctx, m.owner)
	return err
}

// startRedis starts the real one where it is installed.
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

func (m *market) login(database, user, password string) (string, error) {
	u, err := url.Parse(m.server.URL(database))
	if err != nil {
		return "", err
	}
	u.User = url.UserPassword(user, password)
	return u.String(), nil
}

// settle waits until nothing is left of an earlier measurement, and writes down what the server still holds in memory, so that no
// measurement pays for the one before.
func (m *market) settle(ctx context.Context) error {
	deadline := time.Now().Add(idleWait)
	for {
		left, err := waitingJobs(ctx, m.owner)
		if err != nil {
			return err
		}
		if left == 0 {
			return checkpoint(ctx, m.owner)
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

// checkBooks makes sure that what was measured was right.
func (m *market) checkBooks(ctx context.Context) error {
	findings, err := reports.Reconcile(ctx, m.owner)
	if err == nil && len(findings) > 0 {
		err = fmt.Errorf("the books are not in order: %v", findings)
	}
	return err
}

func (m *market) close() error {
	problems := m.stopPrograms()
	for _, pool := range []*pgxpool.Pool{m.owner, m.ledger} {
		if pool != nil {
			pool.Close()
		}
	}
	if m.mails != nil {
		problems = errors.Join(problems, m.mails.Stop())
	}
	if m.redis != nil {
		m.redis.Stop()
	}
	if m.server != nil {
		problems = errors.Join(problems, m.server.Stop())
	}
	return errors.Join(problems, os.RemoveAll(m.dir))
}
