package localstack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// PostgresOptions configure a server.
type PostgresOptions struct {
	// The cluster's folder, created if missing. If empty, a temporary folder is used and deleted
	// when the server or this process ends.
	Dir            string
	MaxConnections int  // 0 means 100
	NoSync         bool // faster, but loses data if the machine crashes; for tests
	Large          bool // with NoSync: the data may not fit in memory
	// Further settings, such as "wal_keep_size=512MB".
	Settings []string
}

// inMemory reports whether the data may be kept in memory.
func (o PostgresOptions) inMemory() bool { return o.NoSync && !o.Large && o.Dir == "" }

const (
	ownerName     = "postgres"
	maintenanceDB = "postgres"
	logFile       = "server.log"
	// After a crash the server first replays its log.
	startTimeout = 60 * time.Second
	startPause   = 20 * time.Millisecond
	stopTimeout  = 20 * time.Second
	// How long the server of a killed process may take to end.
	previousTimeout  = 15 * time.Second
	portAttempts     = 5
	logTail          = 4 << 10
	defaultMaxConns  = 100
	addressInUseText = "Address already in use"
)

// Postgres is a running server. It ends with this process, however the process ends.
type Postgres struct {
	cluster  *cluster
	options  PostgresOptions
	port     int
	password string
	server   *Program
	cleaner  func()
}

// StartPostgres starts a server on a free port of 127.0.0.1 and waits until it accepts connections.
// The caller must stop it.
func StartPostgres(ctx context.Context, opts PostgresOptions) (*Postgres, error) {
	c, err := openCluster(ctx, opts)
	if err != nil {
		return nil, err
	}
	p, err := startCluster(ctx, c, opts)
	if err != nil {
		c.close()
		return nil, fmt.Errorf("start PostgreSQL: %w", err)
	}
	return p, nil
}

func startCluster(ctx context.Context, c *cluster, opts PostgresOptions) (*Postgres, error) {
	password, err := c.ownerPassword()
	if err != nil {
		return nil, err
	}
	if err := awaitPrevious(ctx, c.dir); err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		port, err := freePort(ctx)
		if err != nil {
			return nil, err
		}
		p := &Postgres{cluster: c, options: opts, port: port, password: password}
		err = p.start(ctx)
		if err == nil {
			return p, p.cleanAtEnd(ctx)
		}
		// Another process may take the port before the server does.
		if attempt == portAttempts || !strings.Contains(err.Error(), addressInUseText) {
			return nil, err
		}
	}
}

func (p *Postgres) cleanAtEnd(ctx context.Context) (err error) {
	if p.cluster.remove == "" {
		return nil
	}
	if p.cleaner, err = cleanAfterUs(ctx, p.server.process.Pid, p.cluster.remove); err != nil {
		return errors.Join(err, p.shutDown())
	}
	return nil
}

// URL returns the URL of a database for the cluster's owner, a superuser.
func (p *Postgres) URL(database string) string {
	u := url.URL{
		Scheme: "postgres", User: url.UserPassword(ownerName, p.password),
		Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(p.port)), Path: "/" + database, RawQuery: "sslmode=disable",
	}
	return u.String()
}

// EnsureDatabase creates a database if it does not exist and returns its URL.
func (p *Postgres) EnsureDatabase(ctx context.Context, name string) (string, error) {
	conn, err := pgx.Connect(ctx, p.URL(maintenanceDB))
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var exists bool
	if err := conn.QueryRow(ctx, "select exists (select from pg_database where datname = $1)", name).Scan(&exists); err != nil {
		return "", err
	}
	if !exists {
		if _, err := conn.Exec(ctx, "create database "+pgx.Identifier{name}.Sanitize()); err != nil {
			return "", fmt.Errorf("create database %s: %w", name, err)
		}
	}
	return p.URL(name), nil
}

// Done returns a channel that is closed when the server has ended.
func (p *Postgres) Done() <-chan struct{} { return p.server.done }

// Stop ends all sessions, waits until the data is on disk and the server has ended, and deletes a
// temporary folder.
func (p *Postgres) Stop() error {
	err := p.shutDown()
	p.cluster.close()
	if p.cleaner != nil {
		p.cleaner()
	}
	return err
}

func (p *Postgres) shutDown() error {
	// SIGINT is a fast shutdown, SIGQUIT an immediate one.
	if err := p.server.Stop(stopTimeout, syscall.SIGINT, syscall.SIGQUIT); err != nil {
		return fmt.Errorf("stop PostgreSQL: %w", err)
	}
	return nil
}

func (p *Postgres) start(ctx context.Context) error {
	log, err := os.Create(filepath.Join(p.cluster.dir, logFile))
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	// ctx cancels only the start; Stop ends the running server.
	cmd := p.cluster.as.command(context.WithoutCancel(ctx), p.cluster.native, "postgres", serverArgs(p.cluster.dir, p.port, p.options)...)
	cmd.Stdout, cmd.Stderr = log, log
	if p.server, err = StartProgram(cmd); err != nil {
		return err
	}
	if err := p.awaitReady(ctx); err != nil {
		return errors.Join(err, p.shutDown(), fmt.Errorf("server log:\n%s", tail(log.Name())))
	}
	return nil
}

func (p *Postgres) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, p.URL(maintenanceDB))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-p.server.done:
			return errors.New("the server ended")
		case <-ctx.Done():
			return err
		case <-time.After(startPause):
		}
	}
}

func serverArgs(dir string, port int, opts PostgresOptions) []string {
	maxConns := opts.MaxConnections
	if maxConns == 0 {
		maxConns = defaultMaxConns
	}
	buffers := "256MB"
	if opts.inMemory() {
		buffers = "64MB" // each connection is a process that maps them again
	}
	settings := []string{
		"port=" + strconv.Itoa(port),
		"listen_addresses=127.0.0.1",
		"unix_socket_directories=",
		"max_connections=" + strconv.Itoa(maxConns),
		"shared_buffers=" + buffers,
		"jit=off", // short statements only
		"timezone=UTC",
		"log_timezone=UTC",
	}
	if opts.NoSync {
		settings = append(settings, "fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off",
			"max_wal_size=256MB", "wal_level=minimal", "max_wal_senders=0",
			// Tests open thousands of connections, and their passwords are not secret.
			"scram_iterations=1")
	}
	settings = append(settings, opts.Settings...)
	args := []string{"-D", dir}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	return args
}

// FreeAddress returns the host and port of a loopback address at which nothing listens.
func FreeAddress(ctx context.Context) (string, error) {
	listener, err := listen(ctx)
	if err != nil {
		return "", err
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String(), nil
}

func freePort(ctx context.Context) (int, error) {
	free, err := FreeAddress(ctx)
	if err != nil {
		return 0, err
	}
	address, err := netip.ParseAddrPort(free)
	return int(address.Port()), err
}

func listen(ctx context.Context) (net.Listener, error) {
	return new(net.ListenConfig).Listen(ctx, "tcp4", "127.0.0.1:0")
}

func tail(path string) []byte {
	text, err := os.ReadFile(path)
	if err != nil {
		return []byte(err.Error())
	}
	return bytes.TrimSpace(text[max(0, len(text)-logTail):])
}
