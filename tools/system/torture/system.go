package main

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/devtools/bkash"
	"amanat/internal/devtools/localstack"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
)

// Passwords of the logins on a server that only this run uses.
const (
	apiPassword    = "api-of-the-torture" //nolint:gosec // see above
	workerPassword = "worker-of-the-torture"
)

const (
	database       = "amanat"
	ownerConns     = 4
	maxConnections = 150
	replicas       = 2 // of api and worker
	adminCount     = 3
	operatorWait   = 5 * time.Minute
	softStop       = 5 * time.Second
	rate           = "122.40"
	publicFolder   = 0o755
)

// system is an installation with its own servers. All links between processes and servers can be
// disturbed, except those of the observer, who looks at the books.
type system struct {
	options Options
	dir     string

	proxies *toxiproxy.ApiServer
	// Links to PostgreSQL and to Redis, one each for the apis and for the workers.
	apiData, workerData, apiRedis, workerRedis *link
	observing                                  *link

	mu       sync.Mutex
	postgres *localstack.Postgres
	clusters int // that there were, with those of standbys

	skewed atomic.Int64 // starts of a process with a wrong clock

	redis   *localstack.RedisServer
	mails   *localstack.MailCatcher
	bkash   *bkash.Server
	noBkash func() error // stops it
	owner   *pgxpool.Pool
	apis    []*process
	workers []*process
}

// openSystem starts the servers and the processes. On failure it stops what it has started.
func openSystem(ctx context.Context, o Options) (s *system, err error) {
	s = &system{options: o, proxies: newProxyServer()}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if s.dir, err = os.MkdirTemp("", "amanat-torture-"); err != nil {
		return s, err
	}
	if err := os.Chmod(s.dir, publicFolder); err != nil { // PostgreSQL's user must enter it
		return s, err
	}
	if err := s.startServers(ctx); err != nil {
		return s, err
	}
	if err := s.openLinks(); err != nil {
		return s, err
	}
	if s.owner, err = postgres.Connect(ctx, s.url(s.observing, "", ""), postgres.Options{MaxConns: ownerConns}); err != nil {
		return s, err
	}
	if _, err := s.amanat(ctx, s.url(s.observing, postgres.APIRole, apiPassword), "set-rate", rate); err != nil {
		return s, err
	}
	return s, s.startProcesses(ctx)
}

func (s *system) startServers(ctx context.Context) (err error) {
	s.postgres, err = localstack.StartPostgres(ctx, localstack.PostgresOptions{
		Dir: filepath.Join(s.dir, "postgres-1"), MaxConnections: maxConnections,
		// A standby that follows late still finds the log.
		Settings: []string{"wal_keep_size=1GB"},
	})
	if err != nil {
		return err
	}
	s.clusters = 1
	ownerURL, err := s.postgres.EnsureDatabase(ctx, database)
	if err != nil {
		return err
	}
	roles := postgres.Roles{APIPassword: apiPassword, WorkerPassword: workerPassword}
	if err := postgres.Migrate(ctx, ownerURL, roles); err != nil {
		return err
	}
	program, err := exec.LookPath("redis-server")
	if err != nil {
		return fmt.Errorf("redis-server must be installed, to be killed: %w", err)
	}
	if s.redis, err = localstack.StartRedisServer(ctx, program, s.dir); err != nil {
		return err
	}
	if s.mails, err = localstack.StartMail(ctx, clock.System{}.Now); err != nil {
		return err
	}
	s.bkash, s.noBkash, err = bkash.Listen(ctx, time.Now)
	return err
}

func (s *system) openLinks() (err error) {
	redis := strings.TrimPrefix(s.redis.URL(), "redis://")
	for _, l := range []struct {
		link     **link
		name     string
		upstream string
	}{
		{&s.apiData, "api to PostgreSQL", s.postgres.Address()},
		{&s.workerData, "worker to PostgreSQL", s.postgres.Address()},
		{&s.apiRedis, "api to Redis", redis},
		{&s.workerRedis, "worker to Redis", redis},
		{&s.observing, "observer to PostgreSQL", s.postgres.Address()},
	} {
		if *l.link, err = openLink(s.proxies, l.name, l.upstream); err != nil {
			return err
		}
	}
	return nil
}

// url returns the URL of the database through a link, for a login or, without one, for the owner.
func (s *system) url(through *link, user, password string) string {
	u, err := url.Parse(s.server().URL(database))
	if err != nil {
		return "" // it has been built by the localstack
	}
	u.Host = through.address()
	if user != "" {
		u.User = url.UserPassword(user, password)
	}
	return u.String()
}

// server returns the primary.
func (s *system) server() *localstack.Postgres {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.postgres
}

// processSettings turn off what limits a few new users at one address.
func processSettings() []string {
	return []string{
		"CREDIT_SECOND_ADMIN=0", "ADMIN_SECOND_FACTOR=false", "ADMIN_REAUTH=0", "TRUST_LIMITS=off", "WITHDRAWAL_HOLD=0",
		"LIMITS=max-pending-deposits=1000000,max-pending-withdrawals=1000000,deals=off,deals-day=off,deposit=off,withdrawals=off," +
			"support=off,messages=off,phones=off",
	}
}

func (s *system) startProcesses(ctx context.Context) error {
	api := append(processSettings(), "DATABASE_URL="+s.url(s.apiData, postgres.APIRole, apiPassword), "DATABASE_MAX_CONNS=10",
		"REDIS_URL=redis://"+s.apiRedis.address(), "RECEIVERS=Bkash:01711000000:merchant,Nagad:01811000000:merchant")
	worker := []string{
		"DATABASE_URL=" + s.url(s.workerData, postgres.WorkerRole, workerPassword), "DATABASE_MAX_CONNS=12",
		"REDIS_URL=redis://" + s.workerRedis.address(), "SMTP_URL=" + s.mails.URL(), "MAIL_FROM=Amanat <no-reply@amanat.test>",
		"SUPPORT_EMAIL=support@amanat.test", "SOFT_STOP=" + softStop.String(), "CREDIT_SECOND_ADMIN=0", "WITHDRAWAL_HOLD=0",
		phoneKeys(), "AUTO_CREDIT_MAX=1000000", "LIMITS=max-pending-withdrawals=1000000", "BKASH_CHECKOUT=" + s.bkash.Setting(),
	}
	for i := range replicas {
		a, err := newProcess(ctx, fmt.Sprintf("api-%d", i+1), filepath.Join(s.options.Programs, "api"), s.dir, api)
		if err != nil {
			return err
		}
		w, err := newProcess(ctx, fmt.Sprintf("worker-%d", i+1), filepath.Join(s.options.Programs, "worker"), s.dir, worker)
		if err != nil {
			return err
		}
		s.apis, s.workers = append(s.apis, a), append(s.workers, w)
		if err := errors.Join(a.start(ctx), w.start(ctx)); err != nil {
			return err
		}
	}
	return nil
}

// sites returns the URLs of the apis.
func (s *system) sites() (sites []string) {
	for _, api := range s.apis {
		sites = append(sites, "http://"+api.site)
	}
	return sites
}

// insertPeople inserts users with a session each.
func (s *system) insertPeople(ctx context.Context, name string, admin bool, n int) (people []person, err error) {
	ids, hashes := make([]uuid.UUID, n), make([][]byte, n)
	for i := range ids {
		if ids[i], err = uuid.NewV7(); err != nil {
			return nil, err
		}
		token := base64.RawURLEncoding.EncodeToString(ids[i][:])
		hash := sha256.Sum256([]byte(token))
		people, hashes[i] = append(people, person{ids[i], token}), hash[:]
	}
	now := time.Now()
	if err := insertUsers(ctx, s.owner, name, admin, ids, now); err != nil {
		return nil, err
	}
	return people, insertSessions(ctx, s.owner, ids, hashes, now)
}

// close stops everything and deletes the folder.
func (s *system) close() error {
	problems := stopAll(append(s.apis, s.workers...))
	if s.owner != nil {
		s.owner.Close()
	}
	for _, l := range []*link{s.apiData, s.workerData, s.apiRedis, s.workerRedis, s.observing} {
		if l != nil {
			l.close()
		}
	}
	if s.mails != nil {
		problems = errors.Join(problems, s.mails.Stop())
	}
	if s.noBkash != nil {
		problems = errors.Join(problems, s.noBkash())
	}
	if s.redis != nil {
		s.redis.Stop()
	}
	if s.postgres != nil {
		problems = errors.Join(problems, s.postgres.Stop(), os.RemoveAll(s.postgres.Dir()))
	}
	if s.options.Keep {
		return problems
	}
	return errors.Join(problems, os.RemoveAll(s.dir))
}
