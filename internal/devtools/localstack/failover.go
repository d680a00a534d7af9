package localstack

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	standbyName    = "standby"
	promoteTimeout = 60 * time.Second

	labelFile   = "backup_label"
	standbyFile = "standby.signal"
	// Settings of this file come after those of postgresql.conf.
	autoConf = "postgresql.auto.conf"
)

// Dir returns the folder of the cluster.
func (p *Postgres) Dir() string { return p.cluster.dir }

// Address returns host and port.
func (p *Postgres) Address() string { return "127.0.0.1:" + strconv.Itoa(p.port) }

// Kill kills the server with all its processes at once, as the out-of-memory killer does. Data that
// was not committed is lost. Restart starts it again.
func (p *Postgres) Kill() error {
	if err := p.server.Stop(stopTimeout, syscall.SIGKILL); err != nil {
		return fmt.Errorf("kill PostgreSQL: %w", err)
	}
	for deadline := time.Now().Add(stopTimeout); ; {
		pid, _ := processIn(p.cluster.dir)
		if pid == 0 {
			return nil
		}
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			return fmt.Errorf("kill process %d: %w", pid, err)
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("process %d does not end", pid)
		}
	}
}

// Processes returns the pids of the server and its sessions. They are known on Linux only.
func (p *Postgres) Processes() []int { return processesIn(p.cluster.dir) }

// LimitFiles sets the size in bytes to which the server and its sessions can make a file grow, as
// if the disk was full beyond it, or removes the limit with -1. It needs the program prlimit, which
// only Linux has.
func (p *Postgres) LimitFiles(ctx context.Context, bytes int64) error {
	limit := "unlimited"
	if bytes >= 0 {
		limit = strconv.FormatInt(bytes, 10)
	}
	program, err := exec.LookPath("prlimit")
	if err != nil {
		return err
	}
	var problems error
	set := func(pid int) {
		// Only the account of the server may do this to its processes, which not even root is.
		cmd := p.cluster.as.command(ctx, p.cluster.native, "", "--pid", strconv.Itoa(pid), "--fsize="+limit+":")
		cmd.Path = program
		out, err := cmd.CombinedOutput()
		if err != nil && slices.Contains(p.Processes(), pid) { // it has not ended meanwhile
			problems = errors.Join(problems, fmt.Errorf("prlimit: %w %s", err, out))
		}
	}
	set(p.server.process.Pid) // first, so that new sessions have the limit, too
	for _, pid := range p.Processes() {
		set(pid)
	}
	return problems
}

// Ended reports whether the server has ended.
func (p *Postgres) Ended() bool {
	select {
	case <-p.server.done:
		return true
	default:
		return false
	}
}

// Restart starts a server that has ended again, at the same address, and waits until it has
// replayed its log and accepts connections.
func (p *Postgres) Restart(ctx context.Context) error {
	if err := awaitPrevious(ctx, p.cluster.dir); err != nil {
		return err
	}
	if err := p.start(ctx); err != nil {
		return fmt.Errorf("restart PostgreSQL: %w", err)
	}
	return nil
}

// Standby copies the running server to the folder dir, which must be empty or missing, starts a
// server there that follows this one, and makes commits wait for it. When Standby returns,
// everything that was ever committed is on the disk of the standby.
func (p *Postgres) Standby(ctx context.Context, dir string) (*Postgres, error) {
	conn, err := pgx.Connect(ctx, p.URL(maintenanceDB))
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	target, err := placeData(ctx, dir, p.cluster.native, p.cluster.as)
	if err != nil {
		return nil, err
	}
	copied := &cluster{dir: target, as: p.cluster.as, native: p.cluster.native}
	if err := copied.copyRunning(ctx, p); err != nil {
		return nil, fmt.Errorf("copy the cluster: %w", err)
	}
	options := p.options
	options.Dir = dir
	standby, err := StartPostgres(ctx, options)
	if err != nil {
		return nil, err
	}
	if err := awaitFollowing(ctx, conn); err != nil {
		// Commits must not wait for it any longer.
		for _, sql := range []string{"alter system reset synchronous_standby_names", "select pg_reload_conf()"} {
			_, resetErr := conn.Exec(context.WithoutCancel(ctx), sql)
			err = errors.Join(err, resetErr)
		}
		return nil, errors.Join(err, standby.Stop())
	}
	return standby, nil
}

// Promote makes a standby accept writes. Its primary must have ended.
func (p *Postgres) Promote(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, promoteTimeout)
	defer cancel()
	conn, err := pgx.Connect(ctx, p.URL(maintenanceDB))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var promoted bool
	if err := conn.QueryRow(ctx, "select pg_promote(true, $1)", int(promoteTimeout.Seconds())).Scan(&promoted); err != nil {
		return err
	}
	if !promoted {
		return errors.New("the standby was not promoted in time")
	}
	return nil
}

// awaitFollowing makes commits wait for the standby, and waits until it has all earlier ones.
func awaitFollowing(ctx context.Context, conn *pgx.Conn) error {
	if _, err := conn.Exec(ctx, "alter system set synchronous_standby_names = '"+standbyName+"'"); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, "select pg_reload_conf()"); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		var follows bool
		err := conn.QueryRow(ctx, "select exists (select from pg_stat_replication where application_name = $1 and sync_state = 'sync')",
			standbyName).Scan(&follows)
		if err != nil {
			return fmt.Errorf("the standby does not follow: %w", err)
		}
		if follows {
			break
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the standby does not follow: %w", ctx.Err())
		case <-time.After(startPause):
		}
	}
	// A commit that waits for the standby, and so for all earlier ones.
	_, err := conn.Exec(ctx, "select pg_logical_emit_message(true, 'standby', '')")
	return err
}

// notCopied are files and folders of a running cluster that its copy must not have: they belong to
// the running server, or come to the standby from it.
var notCopied = map[string]bool{
	"postmaster.pid": true, "postmaster.opts": true, logFile: true, "pg_replslot": true, "pg_wal": true, "pg_stat_tmp": true,
	"pg_dynshmem": true, "pg_notify": true, "pgsql_tmp": true,
}

// copyRunning makes the cluster a copy of the primary's that follows it. It does by itself what
// pg_basebackup does, which the embedded binaries lack.
func (c *cluster) copyRunning(ctx context.Context, primary *Postgres) error {
	conn, err := pgx.Connect(ctx, primary.URL(maintenanceDB))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, "select pg_backup_start('standby', true)"); err != nil {
		return err
	}
	if err := c.copyFiles(primary.cluster.dir); err != nil {
		return err
	}
	var label string
	if err := conn.QueryRow(ctx, "select labelfile from pg_backup_stop(false)").Scan(&label); err != nil {
		return err
	}
	follow := fmt.Sprintf("primary_conninfo = 'host=127.0.0.1 port=%d user=%s password=%s application_name=%s'\n",
		primary.port, ownerName, primary.password, standbyName)
	return errors.Join(c.write(labelFile, label), c.write(standbyFile, ""), c.write(autoConf, follow))
}

func (c *cluster) write(name, text string) error {
	path := filepath.Join(c.dir, name)
	return errors.Join(os.WriteFile(path, []byte(text), 0o600), c.as.own(path))
}

// copyFiles copies a cluster while its server changes it: files may change and vanish.
func (c *cluster) copyFiles(from string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		target := filepath.Join(c.dir, strings.TrimPrefix(path, from))
		switch {
		case entry.IsDir():
			if err := errors.Join(os.MkdirAll(target, 0o700), c.as.own(target)); err != nil {
				return err
			}
			if notCopied[entry.Name()] {
				return fs.SkipDir // the folder itself must exist
			}
			return nil
		case notCopied[entry.Name()]:
			return nil
		}
		if err := copyFile(path, target); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
		return errors.Join(os.Chmod(target, 0o600), c.as.own(target))
	})
}
