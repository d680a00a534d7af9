package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"amanat/internal/devtools/localstack"
	"amanat/internal/devtools/phone"
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
	phone     *phone.Phone
	payers    int // deposits to the phone
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
	if err := e.signUp(ctx); err != nil {
		return e, err
	}
	return e, e.startPhone(ctx)
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

const (
	startWait  = 30 * time.Second
	stopWait   = 40 * time.Second
	startPause = 20 * time.Millisecond
	nodes      = 2 // apis; the first receives the requests, both have sockets
)

// startPrograms starts the apis and one worker with their default settings, as they are deployed.
func (e *environment) startPrograms(ctx context.Context) error {
	workerURL, err := e.login(mainDatabase, postgres.WorkerRole, workerPassword)
	if err != nil {
		return err
	}
	for range nodes {
		api, err := e.startAPI(ctx)
		if err != nil {
			return err
		}
		e.sites, e.apis = append(e.sites, api.site), append(e.apis, api.program.pid)
	}
	e.site = e.sites[0]
	worker := []string{
		"DATABASE_URL=" + workerURL, "SMTP_URL=" + e.mails.URL(), "MAIL_FROM=Amanat <no-reply@amanat.test>",
		"SUPPORT_EMAIL=support@amanat.test", "SOFT_STOP=5s", largeCredits, "PHONE_KEYS=" + phoneName + "=" + phoneKey,
	}
	ops, err := localstack.FreeAddress(ctx)
	if err != nil {
		return err
	}
	running, err := e.start(ctx, "worker", ops, worker)
	if err != nil {
		return err
	}
	e.worker = running.pid
	return nil
}

// largeCredits lets a single admin approve the deposits that the load users start with.
const largeCredits = "CREDIT_SECOND_ADMIN=0"

// node is a running api.
type node struct {
	site, ops string // URLs
	program   *program
}

// program is a running api or worker.
type program struct {
	*localstack.Program
	pid int
}

func (e *environment) startAPI(ctx context.Context) (node, error) {
	databaseURL, err := e.login(mainDatabase, postgres.APIRole, apiPassword)
	if err != nil {
		return node{}, err
	}
	address, err := localstack.FreeAddress(ctx)
	if err != nil {
		return node{}, err
	}
	ops, err := localstack.FreeAddress(ctx)
	if err != nil {
		return node{}, err
	}
	running, err := e.start(ctx, "api", ops, []string{
		"ADDR=" + address, "DATABASE_URL=" + databaseURL, "RECEIVERS=Bkash:01711000000:merchant,Nagad:01811000000:merchant",
		// The load comes from a few new users who make many requests.
		"LIMITS=signup=off,anonymous-reads=off,messages=off,conversations=off,conversations-day=off,deals=off,deals-day=off,withdrawals=off",
		"ADMIN_SECOND_FACTOR=false", "TRUST_LIMITS=off", largeCredits,
	})
	return node{site: "http://" + address, ops: "http://" + ops, program: running}, err
}

func (e *environment) start(ctx context.Context, name, ops string, env []string) (*program, error) {
	log, err := os.Create(filepath.Join(e.dir, fmt.Sprintf("%s-%d.log", name, len(e.running)+1)))
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }()
	cmd := exec.CommandContext(context.WithoutCancel(ctx), filepath.Join(e.options.Programs, name)) //nolint:gosec // our own
	cmd.Env = append([]string{"REDIS_URL=" + e.redis.URL(), "OPS_ADDR=" + ops, "LOG_LEVEL=warn"}, env...)
	cmd.Stdout, cmd.Stderr = log, log
	// Only the bench itself receives the terminal's interrupt.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	running, err := localstack.StartProgram(cmd)
	if err != nil {
		return nil, err
	}
	e.running = append(e.running, running)
	if err := awaitReady(ctx, "http://"+ops+"/readyz"); err != nil {
		said, _ := os.ReadFile(log.Name())
		return nil, fmt.Errorf("start %s: %w\n%s", name, err, said)
	}
	return &program{Program: running, pid: cmd.Process.Pid}, nil
}

func awaitReady(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, startWait)
	defer cancel()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		response, err := http.DefaultClient.Do(request)
		if err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(startPause):
		}
	}
}

// readMetric returns the value of one series of a metrics page.
func readMetric(request *http.Request, name string) (float64, error) {
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer func() { _ = response.Body.Close() }()
	for scanner := bufio.NewScanner(response.Body); scanner.Scan(); {
		if value, found := strings.CutPrefix(scanner.Text(), name+" "); found {
			return strconv.ParseFloat(value, 64)
		}
	}
	return 0, fmt.Errorf("no metric %s", name)
}

func (e *environment) stopPrograms() error {
	var problems error
	for _, program := range e.running {
		problems = errors.Join(problems, program.Stop(stopWait, syscall.SIGTERM, syscall.SIGKILL))
	}
	return problems
}

const (
	buyerCount   = 1000
	sellerCount  = 1000
	expectedRate = 1500 // deals per second, more than any machine pays
	fullRates    = 2    // each round pays once at full rate and twice at half rate
)

// populate inserts users with money and sessions, and enough deals for them to pay. It inserts the
// rows that the api would, instead of making two hundred thousand requests.
func (e *environment) populate(ctx context.Context) error {
	workerURL, err := e.login(mainDatabase, postgres.WorkerRole, workerPassword)
	if err != nil {
		return err
	}
	worker, err := postgres.Connect(ctx, workerURL, postgres.Options{MaxConns: ownerConns})
	if err != nil {
		return err
	}
	defer worker.Close()

	now := time.Now()
	buyers, sellers := newIDs(buyerCount), newIDs(sellerCount)
	e.buyers = buyers
	if err := insertUsers(ctx, e.owner, "seller", false, sellers, now); err != nil {
		return err
	}
	if e.sessions, err = e.createUsers(ctx, "buyer", false, buyers, now); err != nil {
		return err
	}
	if err := e.insertListeners(ctx, now); err != nil {
		return err
	}
	seconds := e.warmUp().Seconds() + fullRates*e.options.Duration.Seconds()*float64(e.options.Rounds)
	deals := int(math.Ceil(expectedRate * seconds))
	for i, id := range newIDs(deals) {
		e.unpaid = append(e.unpaid, payment{id, i % buyerCount})
	}
	if err := insertDeals(ctx, e.owner, e.unpaid, buyers, sellers, now); err != nil {
		return err
	}
	e.wallets = newIDs(walletCount)
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(e.options.Clients)
	deposits := newIDs(buyerCount)
	if err := insertDeposits(ctx, e.owner, deposits, buyers, sellers[0], now); err != nil {
		return err
	}
	for i, id := range buyers {
		group.Go(func() error { return postDeposit(groupCtx, worker, deposits[i], id, sellers[0]) })
	}
	for _, id := range e.wallets {
		group.Go(func() error { return e.fillWallet(groupCtx, e.ledger, id) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return vacuum(ctx, e.owner)
}

// createUsers inserts users with a session each, and returns the session tokens.
func (e *environment) createUsers(
	ctx context.Context, name string, admin bool, ids []uuid.UUID, now time.Time,
) (sessions []string, err error) {
	if err := insertUsers(ctx, e.owner, name, admin, ids, now); err != nil {
		return nil, err
	}
	hashes := make([][]byte, len(ids))
	for i, id := range ids {
		token := base64.RawURLEncoding.EncodeToString(id[:])
		hash := sha256.Sum256([]byte(token))
		sessions, hashes[i] = append(sessions, token), hash[:]
	}
	return sessions, insertSessions(ctx, e.owner, ids, hashes, now)
}

func newIDs(n int) []uuid.UUID {
	ids := make([]uuid.UUID, n)
	for i := range ids {
		ids[i] = uuid.Must(uuid.NewV7())
	}
	return ids
}
