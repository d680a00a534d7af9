package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"amanat/internal/app/config"
	"amanat/internal/devtools/bkash"
	"amanat/internal/devtools/localstack"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/ui"
)

// seedingFile exists in the data folder while the demo data is created: a database in which that
// was interrupted is deleted.
const seedingFile = "seeding"

// stack is everything that runs.
type stack struct {
	env     config.Local
	out     io.Writer
	servers servers
	greeted bool // the address has been printed
}

// run starts everything, prints the address and serves until ctx ends. The caller must stop the
// servers.
func (s *stack) run(ctx context.Context, listener net.Listener) error {
	port := netip.MustParseAddrPort(listener.Addr().String()).Port()
	s.announce("Starting PostgreSQL")
	if err := s.servers.startDatabase(ctx, s.env); err != nil {
		return err
	}
	s.announce("Migrating the database")
	roles := postgres.Roles{APIPassword: rand.Text(), WorkerPassword: rand.Text()}
	fresh, err := s.migrate(ctx, roles)
	if err != nil {
		return err
	}
	var behind time.Duration
	if fresh {
		behind = seedSpan
	}
	clock, err := openClock(s.env.DataDir, behind)
	if err != nil {
		return err
	}
	if err := s.servers.startOthers(ctx, s.env, clock.Now); err != nil {
		return err
	}
	settings, err := s.settings(int(port), roles, clock)
	if err != nil {
		return err
	}
	p, err := assemble(ctx, settings)
	if err != nil {
		return err
	}
	defer p.close()
	return p.run(ctx, func(ctx context.Context) error {
		if fresh {
			if err := s.seed(ctx, p, clock); err != nil {
				return err
			}
		}
		s.greet(settings.api.PublicURL, settings.worker.RiverUIToken)
		ctx, stop := s.untilDatabaseEnds(ctx)
		defer stop(nil)
		simulated, err := startPhone(ctx, settings.worker.PhoneKeys[phoneName], settings.api.PublicURL, clock, p.ownerDB)
		if err != nil {
			return err
		}
		pass := func(ctx context.Context, step time.Duration) error { return p.pass(ctx, clock, step) }
		server := p.site.HTTP("")
		server.Handler = devRoutes(p.site, p.riverUI, simulated, settings.bkash, &s.servers, clock, pass)
		err = serve(ctx, server, listener)
		p.closeSockets(ctx)
		if errors.Is(context.Cause(ctx), errDatabaseEnded) {
			return errors.Join(err, errDatabaseEnded)
		}
		return err
	})
}

var errDatabaseEnded = errors.New("PostgreSQL has ended; its log is server.log in the data folder")

// untilDatabaseEnds returns a context that ends with errDatabaseEnded if PostgreSQL does.
func (s *stack) untilDatabaseEnds(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, stop := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-s.servers.databaseEnded():
			stop(errDatabaseEnded)
		case <-ctx.Done():
		}
	}()
	return ctx, stop
}

// migrate applies the migrations and reports whether the database is empty.
func (s *stack) migrate(ctx context.Context, roles postgres.Roles) (fresh bool, err error) {
	if _, err := os.Stat(s.seeding()); err == nil && s.servers.postgres != nil {
		if err := s.servers.recreateDatabase(ctx); err != nil {
			return false, err
		}
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	err = postgres.Migrate(ctx, s.servers.ownerURL, roles)
	if errors.Is(err, postgres.ErrOtherMigrations) && s.servers.postgres != nil {
		return false, fmt.Errorf("%w; `make reset` deletes the data in %s", err, s.env.DataDir)
	}
	if err != nil {
		return false, fmt.Errorf("migrate: %w", err)
	}
	conn, err := pgx.Connect(ctx, s.servers.ownerURL)
	if err != nil {
		return false, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	inhabited, err := anyUser(ctx, conn)
	return !inhabited, err
}

func (s *stack) seeding() string { return filepath.Join(s.env.DataDir, seedingFile) }

func (s *stack) seed(ctx context.Context, p *processes, clock *businessClock) error {
	s.announce("Creating the demo data")
	if err := replaceFile(s.seeding(), nil); err != nil {
		return err
	}
	if err := seed(ctx, p, clock); err != nil {
		return err
	}
	if err := p.pass(ctx, clock, 0); err != nil {
		return err
	}
	return os.Remove(s.seeding())
}

func (s *stack) settings(port int, roles postgres.Roles, clock *businessClock) (settings, error) {
	apiURL, err := loginURL(s.servers.ownerURL, postgres.APIRole, roles.APIPassword)
	if err != nil {
		return settings{}, err
	}
	workerURL, err := loginURL(s.servers.ownerURL, postgres.WorkerRole, roles.WorkerPassword)
	if err != nil {
		return settings{}, err
	}
	api, err := config.LocalAPI(port, apiURL, s.servers.redisURL)
	if err != nil {
		return settings{}, err
	}
	worker, err := config.LocalWorker(port, workerURL, s.servers.redisURL, s.servers.smtpURL)
	if err != nil {
		return settings{}, err
	}
	if worker.RiverUIToken == "" {
		worker.RiverUIToken = rand.Text()
	}
	if len(worker.PhoneKeys) == 0 {
		worker.PhoneKeys = config.PhoneKeys{phoneName: rand.Text()}
	}
	simulated := bkash.New(config.LocalOrigin("localhost", port)+bkashPath, clock.Now)
	if !worker.BkashCheckout.Used() {
		if err := worker.BkashCheckout.UnmarshalText([]byte(simulated.Setting())); err != nil {
			return settings{}, err
		}
	}
	if err := setPushKeys(s.env.DataDir, &api, &worker); err != nil {
		return settings{}, err
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: api.LogLevel}))
	return settings{
		bkash: simulated, api: api, worker: worker, clock: clock, log: log, ui: ui.Dist(), owner: s.servers.ownerURL,
		// The origin that Vite's proxy sends, and users who open the site by IP address.
		origins: []string{config.LocalOrigin("127.0.0.1", port)},
	}, nil
}

// loginURL returns the URL of the same database for another login.
func loginURL(ownerURL, role, password string) (string, error) {
	u, err := url.Parse(ownerURL)
	if err != nil {
		// The parser's error would contain the password.
		return "", errors.New("DATABASE_URL is no URL")
	}
	u.User = url.UserPassword(role, password)
	return u.String(), nil
}

// announce prints a phase of the start, since the first start takes long.
func (s *stack) announce(phase string) { fmt.Fprintln(s.out, phase) }

func (s *stack) greet(address, token string) {
	s.greeted = true
	mail := address + "/dev/mail"
	if s.servers.mail == nil {
		mail = "goes to SMTP_URL"
	}
	fmt.Fprintf(s.out, `
Amanat is running at %[1]s

  Sign in as   admin, buyer or seller
  Password     %[2]s
  Mail         %[4]s
  Jobs         %[1]s/river/ with any name and the password %[5]s
  Pay taka     %[1]s/dev/phone
  Clock        curl -d '{"advance": "72h"}' %[1]s/dev/clock
  Data         %[3]s

Ctrl-C stops it.
`, address, demoPassword, s.env.DataDir, mail, token)
}

const database = "amanat"

// servers are the servers that api and worker use: embedded ones, or those named by the
// environment.
type servers struct {
	ownerURL string // URL of the database for its owner
	redisURL string
	smtpURL  string

	postgres *localstack.Postgres    // nil: not ours
	redis    *localstack.Redis       // nil: not ours
	mail     *localstack.MailCatcher // nil: not ours
}

// startDatabase starts the database. The caller must call stop, even after an error.
func (s *servers) startDatabase(ctx context.Context, env config.Local) (err error) {
	if s.ownerURL = env.DatabaseURL; s.ownerURL != "" {
		return nil
	}
	s.postgres, err = localstack.StartPostgres(ctx, localstack.PostgresOptions{Dir: filepath.Join(env.DataDir, "postgres")})
	if err != nil {
		return err
	}
	s.ownerURL, err = s.postgres.EnsureDatabase(ctx, database)
	return err
}

// startOthers starts Redis and the mail catcher; now returns the business time. The caller must
// call stop, even after an error.
func (s *servers) startOthers(ctx context.Context, env config.Local, now func() time.Time) (err error) {
	if s.redisURL = env.RedisURL; s.redisURL == "" {
		if s.redis, err = localstack.StartRedis(); err != nil {
			return fmt.Errorf("start Redis: %w", err)
		}
		s.redisURL = s.redis.URL()
	}
	if s.smtpURL = env.SMTPURL; s.smtpURL == "" {
		if s.mail, err = localstack.StartMail(ctx, now); err != nil {
			return fmt.Errorf("start mail: %w", err)
		}
		s.smtpURL = s.mail.URL()
	}
	return nil
}

// recreateDatabase deletes all data of the embedded server.
func (s *servers) recreateDatabase(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, s.postgres.URL("postgres"))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if err := dropDatabase(ctx, conn); err != nil {
		return err
	}
	_, err = s.postgres.EnsureDatabase(ctx, database)
	return err
}

// databaseEnded returns a channel that is closed when the embedded server ends. It is nil, and so
// never ready, for an external server.
func (s *servers) databaseEnded() <-chan struct{} {
	if s.postgres == nil {
		return nil
	}
	return s.postgres.Done()
}

func (s *servers) stop() error {
	var problems error
	if s.mail != nil {
		problems = s.mail.Stop()
	}
	if s.redis != nil {
		s.redis.Stop()
	}
	if s.postgres != nil {
		problems = errors.Join(problems, s.postgres.Stop())
	}
	return problems
}

const clockFile = "clock.json"

// businessClock is a clock that can be moved forward. It keeps its offset over restarts, because
// business time must never run backwards.
type businessClock struct {
	*clock.Offset
	mu   sync.Mutex
	path string
}

// clockState is the content of the clock's file.
type clockState struct {
	Offset string `json:"offset"` // ahead of the machine's clock, such as "72h0m0s"
}

// openClock returns a clock with the offset stored in the data folder, less behind, which the
// caller makes up for with Advance.
func openClock(dataDir string, behind time.Duration) (*businessClock, error) {
	c := &businessClock{path: filepath.Join(dataDir, clockFile)}
	var state clockState
	text, err := os.ReadFile(c.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		state.Offset = "0s"
	case err != nil:
		return nil, fmt.Errorf("business clock: %w", err)
	default:
		if err := json.Unmarshal(text, &state); err != nil {
			return nil, fmt.Errorf("business clock: %s: %w", c.path, err)
		}
	}
	offset, err := time.ParseDuration(state.Offset)
	if err != nil {
		return nil, fmt.Errorf("business clock: %s: %w", c.path, err)
	}
	c.Offset = clock.NewOffset(offset - behind)
	return c, nil
}

// advance moves the clock and stores the new offset. It writes to disk first: after a crash in
// between, business time is ahead, not behind.
func (c *businessClock) advance(step time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	text, err := json.Marshal(clockState{Offset: (c.Advance(0) + step).String()})
	if err != nil {
		return err
	}
	if err := replaceFile(c.path, text); err != nil {
		return fmt.Errorf("business clock: %w", err)
	}
	c.Advance(step)
	return nil
}

// replaceFile replaces a file atomically.
func replaceFile(path string, text []byte) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(file.Name())
		}
	}()
	_, err = file.Write(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
