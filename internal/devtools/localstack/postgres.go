package localstack

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
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

// ownerFile has the owner's password. It is in the cluster's folder, which only PostgreSQL's
// account can read.
const ownerFile = "amanat-owner"

// cluster is a data folder and what is needed to serve it.
type cluster struct {
	as     *account
	native string
	dir    string // where PostgreSQL's files are
	remove string // folder to delete at the end, "" to keep
	lock   *os.File
}

// openCluster finds the binaries and the data folder, and creates a cluster if the folder has none.
func openCluster(ctx context.Context, opts PostgresOptions) (*cluster, error) {
	dir := opts.Dir
	if dir != "" {
		var err error
		if dir, err = filepath.Abs(dir); err != nil {
			return nil, err
		}
	}
	as, err := serverAccount(dir)
	if err != nil {
		return nil, err
	}
	native, err := findNative()
	if err != nil {
		return nil, err
	}
	if native, err = usableNative(ctx, native, as); err != nil {
		return nil, err
	}
	c := &cluster{as: as, native: native}
	if err := c.prepare(ctx, dir, opts); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

func (c *cluster) prepare(ctx context.Context, dir string, opts PostgresOptions) (err error) {
	if dir == "" {
		if c.remove, err = tempDir(ctx, c.native, c.as, opts.inMemory()); err != nil {
			return err
		}
		c.dir = filepath.Join(c.remove, "data")
	} else {
		if err := os.MkdirAll(filepath.Dir(dir), publicDir); err != nil {
			return err
		}
		if c.lock, err = lockData(dir); err != nil {
			return err
		}
		if c.dir, err = placeData(ctx, dir, c.native, c.as); err != nil {
			return err
		}
	}
	_, err = os.Stat(filepath.Join(c.dir, "PG_VERSION"))
	if errors.Is(err, fs.ErrNotExist) {
		if err = c.create(ctx, opts.NoSync); err != nil {
			err = fmt.Errorf("create database cluster: %w", err)
		}
	}
	return err
}

// close unlocks the data folder, and deletes it if it is temporary.
func (c *cluster) close() {
	if c.remove != "" {
		_ = os.RemoveAll(c.remove)
	}
	if c.lock != nil {
		_ = c.lock.Close()
	}
}

// Files in memoryDir are kept in memory. Creating and dropping a test database mostly creates and
// deletes hundreds of files, which takes several times as long on disk.
const (
	memoryDir    = "/dev/shm"
	memoryNeeded = 4 << 30 // bytes
)

// tempDir creates a temporary folder that the account can enter; root's own temporary folder may be
// closed to it.
func tempDir(ctx context.Context, native string, as *account, inMemory bool) (string, error) {
	var problems error
	bases := []string{os.TempDir(), "/tmp", "/var/tmp"}
	if inMemory && freeBytes(memoryDir) >= memoryNeeded {
		bases = append([]string{memoryDir}, bases...)
	}
	for _, base := range bases {
		dir, err := os.MkdirTemp(base, "amanat-postgres-")
		if err == nil {
			if err = errors.Join(as.own(dir), as.probe(ctx, native, dir)); err == nil {
				return dir, nil
			}
			_ = os.RemoveAll(dir)
		}
		problems = errors.Join(problems, err)
	}
	return "", problems
}

// placeData returns the folder of the cluster of dir: dir itself, or, if the account cannot enter
// it (root's private folders), a folder in /var/lib/amanat that dir then links to. Deleting the
// link discards the data, as deleting the folder does.
func placeData(ctx context.Context, dir, native string, as *account) (string, error) {
	if target, err := filepath.EvalSymlinks(dir); err == nil {
		if _, err := os.Stat(filepath.Join(target, "PG_VERSION")); err == nil {
			return target, explainDenied(as.probe(ctx, native, target), target)
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	reach := errors.Join(as.own(dir), as.probe(ctx, native, dir))
	if reach == nil {
		return dir, nil
	}
	if as == nil {
		return "", explainDenied(reach, dir)
	}
	sum := sha256.Sum256([]byte(dir))
	base := "/var/lib/amanat"
	target := filepath.Join(base, hex.EncodeToString(sum[:8]))
	if err := mkdirReadable(base); err != nil {
		return "", err
	}
	if err := os.RemoveAll(target); err != nil { // an earlier cluster whose link was deleted
		return "", err
	}
	if err := errors.Join(os.Mkdir(target, 0o700), as.own(target), as.probe(ctx, native, target)); err != nil {
		return "", err
	}
	if err := os.Remove(dir); err != nil {
		return "", err
	}
	return target, os.Symlink(target, dir)
}

func explainDenied(err error, dir string) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%s is closed to the user that PostgreSQL runs as; it may have been made by another user: %w", dir, err)
	}
	return err
}

// create runs initdb. The cluster is created in a temporary folder and moved into place at the end,
// so that PG_VERSION exists only in a complete cluster, even if this process is killed.
func (c *cluster) create(ctx context.Context, noSync bool) error {
	parent, prefix := filepath.Dir(c.dir), ".initdb-"+filepath.Base(c.dir)+"-"
	// This process has locked the folder, so matching folders are left over from killed processes.
	if c.lock != nil {
		leftovers, _ := filepath.Glob(filepath.Join(parent, prefix+"*"))
		for _, leftover := range leftovers {
			_ = os.RemoveAll(leftover)
		}
	}
	work, err := os.MkdirTemp(parent, prefix)
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	password := filepath.Join(work, ownerFile)
	if err := errors.Join(c.as.own(work), os.WriteFile(password, []byte(rand.Text()), 0o600), c.as.own(password)); err != nil {
		return err
	}
	made := filepath.Join(work, "data")
	args := []string{
		"--pgdata=" + made, "--username=" + ownerName, "--pwfile=" + password,
		"--auth=scram-sha-256", "--data-checksums", "--no-instructions",
		// Collation and case mapping are by code point, the same on every machine. Text search and
		// trigrams recognize Bangla letters by the character classes of C.UTF-8.
		"--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C", "--lc-ctype=C.UTF-8",
	}
	if noSync {
		args = append(args, "--no-sync")
	}
	cmd := c.as.command(ctx, c.native, "initdb", args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	if err := os.Rename(password, filepath.Join(made, ownerFile)); err != nil {
		return err
	}
	if err := os.Remove(c.dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err // not empty
	}
	return os.Rename(made, c.dir)
}

func (c *cluster) ownerPassword() (string, error) {
	text, err := os.ReadFile(filepath.Join(c.dir, ownerFile))
	return strings.TrimSpace(string(text)), err
}

const (
	bouncerStop  = 5 * time.Second
	bouncerConns = 6 // sessions of the server for each login
)

// PgBouncer is a pooler in transaction mode in front of a server.
type PgBouncer struct {
	port   int
	dir    string
	server *Program
}

// StartPgBouncer starts program, a pgbouncer, in front of the server of the URLs, whose logins it
// accepts, and waits until it answers. The caller must stop it.
func StartPgBouncer(ctx context.Context, program string, logins ...string) (*PgBouncer, error) {
	as, err := serverAccount("")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("/tmp", "amanat-pgbouncer-") // open to the account
	if err != nil {
		return nil, err
	}
	b := &PgBouncer{dir: dir}
	if b.port, err = freePort(ctx); err == nil {
		err = b.configure(as, logins)
	}
	if err == nil {
		cmd := as.command(context.WithoutCancel(ctx), "", "", filepath.Join(dir, "pgbouncer.ini"))
		cmd.Path, cmd.Err = program, nil
		cmd.Args[0] = program
		b.server, err = StartProgram(cmd)
	}
	if err == nil {
		err = b.awaitReady(ctx, logins[0])
	}
	if err != nil {
		b.Stop()
		return nil, fmt.Errorf("start PgBouncer: %w", err)
	}
	return b, nil
}

func (b *PgBouncer) configure(as *account, logins []string) error {
	users := ""
	var host, port string
	for _, login := range logins {
		u, err := url.Parse(login)
		if err != nil {
			return err
		}
		password, _ := u.User.Password()
		users += fmt.Sprintf("%q %q\n", u.User.Username(), password)
		host, port = u.Hostname(), u.Port()
	}
	ini := strings.Join([]string{
		"[databases]", "* = host=" + host + " port=" + port,
		"[pgbouncer]", "listen_addr = 127.0.0.1", "listen_port = " + strconv.Itoa(b.port), "unix_socket_dir =",
		"pool_mode = transaction", "default_pool_size = " + strconv.Itoa(bouncerConns), "max_client_conn = 200",
		"auth_type = scram-sha-256", "auth_file = " + filepath.Join(b.dir, "users"),
		"logfile = " + filepath.Join(b.dir, "log"), "",
	}, "\n")
	return errors.Join(os.WriteFile(filepath.Join(b.dir, "users"), []byte(users), 0o600),
		os.WriteFile(filepath.Join(b.dir, "pgbouncer.ini"), []byte(ini), 0o600),
		as.own(b.dir), as.own(filepath.Join(b.dir, "users")), as.own(filepath.Join(b.dir, "pgbouncer.ini")))
}

// Through returns the URL with the pooler in the place of the server.
func (b *PgBouncer) Through(server string) string {
	u, err := url.Parse(server)
	if err != nil {
		return server
	}
	u.Host = net.JoinHostPort("127.0.0.1", strconv.Itoa(b.port))
	return u.String()
}

func (b *PgBouncer) awaitReady(ctx context.Context, login string) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, b.Through(login))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-b.server.done:
			return fmt.Errorf("it ended: %w\n%s", err, tail(filepath.Join(b.dir, "log")))
		case <-ctx.Done():
			return err
		case <-time.After(startPause):
		}
	}
}

// Stop ends the pooler and its connections.
func (b *PgBouncer) Stop() {
	if b.server != nil {
		_ = b.server.Stop(bouncerStop, syscall.SIGTERM, syscall.SIGKILL)
	}
	_ = os.RemoveAll(b.dir)
}
