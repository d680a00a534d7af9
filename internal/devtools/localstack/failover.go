package localstack

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	standbyName    = "standby"
	promoteTimeout = 60 * time.Second
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
