package localstack

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

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
