package main

import (
	"context"
	"crypto/rand"
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
	"time"

	"github.com/jackc/pgx/v5"

	"amanat/internal/app/config"
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
		ctx, stop := context.WithCancelCause(ctx)
		defer stop(nil)
		go func() {
			select {
			case <-s.servers.databaseEnded():
				stop(errDatabaseEnded)
			case <-ctx.Done():
			}
		}()
		server := p.site.HTTP("")
		server.Handler = devRoutes(p.site, p.riverUI, &s.servers, clock, func(ctx context.Context, step time.Duration) error {
			return p.pass(ctx, clock, step)
		})
		err := serve(ctx, server, listener)
		p.closeSockets(ctx)
		if errors.Is(context.Cause(ctx), errDatabaseEnded) {
			return errors.Join(err, errDatabaseEnded)
		}
		return err
	})
}

var errDatabaseEnded = errors.New("PostgreSQL has ended; its log is server.log in the data folder")

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
	if err := setPushKeys(s.env.DataDir, &api, &worker); err != nil {
		return settings{}, err
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: api.LogLevel}))
	return settings{
		api: api, worker: worker, clock: clock, log: log, ui: ui.Dist(), owner: s.servers.ownerURL,
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
  Clock        curl -d '{"advance": "72h"}' %[1]s/dev/clock
  Data         %[3]s

Ctrl-C stops it.
`, address, demoPassword, s.env.DataDir, mail, token)
}
