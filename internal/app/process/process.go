// Package process starts and stops what every deployed process has: signal handling, a logger,
// database pools and the operators' port.
package process

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"amanat/internal/app/config"
	"amanat/internal/app/opsserver"
	"amanat/internal/lib/otlp"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/tracing"
)

// exitUsage is the exit code for a wrong command line, that of package flag.
const exitUsage = 2

// Main parses the command line and runs a command until it returns or a signal cancels its context.
// If it fails, Main prints the error and exits with status 1. With -version it prints the version
// instead, with -check the settings, and with -probe it asks the process of the same environment
// whether it is ready; opsAddr returns the address of its ops port.
func Main(name string, check config.Check, opsAddr func() (string, error), run func(ctx context.Context) error) {
	version := flag.Bool("version", false, "print the version and exit")
	checked := flag.Bool("check", false, "check the environment, print the settings without secrets, and exit")
	probe := flag.Bool("probe", false, "exit with 0 if the process that runs with this environment is ready")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "%s: unexpected argument %q\n", name, flag.Arg(0))
		os.Exit(exitUsage)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	var err error
	switch {
	case *version:
		_, err = fmt.Fprintln(os.Stdout, opsserver.Version())
	case *checked:
		err = check.Print(os.Stdout)
	case *probe:
		var addr string
		if addr, err = opsAddr(); err == nil {
			err = opsserver.Probe(ctx, addr)
		}
	default:
		err = run(ctx)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
}

// statementGrace is far above what most statements take on a busy server.
const statementGrace = time.Second

// Config is the configuration of a process.
type Config struct {
	Name             string // application_name in PostgreSQL
	LogLevel         slog.Level
	DatabaseURL      string
	DatabaseMaxConns int32
	DatabasePooled   bool   // the connections go through a pooler
	Fingerprint      string // of the settings that all processes must share
	Tracing          bool   // whether spans are sent to the collector of the OTEL_* variables
	TracingHeaders   map[string]string
}

// Process holds the resources of a process. Close releases them.
type Process struct {
	Log      *slog.Logger
	DB       *pgxpool.Pool // the main pool
	Registry *prometheus.Registry

	url         string
	pooled      bool
	pools       []*pgxpool.Pool
	stopTracing func()
}

// Start opens the main pool, checks that the database has the expected version, and creates the
// logger and the metrics registry.
func Start(ctx context.Context, c Config) (*Process, error) {
	p := &Process{
		Log:      slog.New(tracing.LogHandler(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: c.LogLevel}))),
		Registry: opsserver.NewRegistry(),
		url:      c.DatabaseURL,
		pooled:   c.DatabasePooled,
	}
	p.Registry.MustRegister(opsserver.SettingsInfo(c.Fingerprint))
	var err error
	p.stopTracing, err = otlp.Run(ctx, otlp.Options{
		Service: c.Name, Version: opsserver.Version(), Enabled: c.Tracing, Headers: c.TracingHeaders, Log: p.Log, Registry: p.Registry,
	})
	if err != nil {
		return nil, err
	}
	p.DB, err = p.OpenPool(ctx, "main", postgres.Options{MaxConns: c.DatabaseMaxConns, ApplicationName: c.Name, Grace: statementGrace})
	if err != nil {
		p.Close()
		return nil, err
	}
	if err := postgres.CheckSession(ctx, p.DB, p.pooled); err != nil {
		p.Close()
		return nil, err
	}
	if err := postgres.Validate(ctx, p.DB); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// OpenPool opens a further pool with the same login. name is its label in the metrics.
func (p *Process) OpenPool(ctx context.Context, name string, o postgres.Options) (*pgxpool.Pool, error) {
	o.Pooled = p.pooled
	pool, err := postgres.Connect(ctx, p.url, o)
	if err != nil {
		return nil, err
	}
	p.pools = append(p.pools, pool)
	p.Registry.MustRegister(opsserver.PoolMetrics(name, pool)...)
	return pool, nil
}

// OpsServer returns the server of the operators' port: readiness depends on the database, and Redis
// is watched. mounted are further handlers, by pattern.
func (p *Process) OpsServer(redis opsserver.Check, mounted map[string]http.Handler) *opsserver.Server {
	return opsserver.New(opsserver.Options{
		Checks:   map[string]opsserver.Check{"database": p.DB.Ping},
		Watches:  map[string]opsserver.Check{"redis": redis},
		Registry: p.Registry,
		Mounted:  mounted,
		Logger:   p.Log,
	})
}

// Close sends the last spans and closes the pools.
func (p *Process) Close() {
	p.stopTracing()
	for _, pool := range p.pools {
		pool.Close()
	}
}
