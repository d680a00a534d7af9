package localstack

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"
)

const (
	labelFile   = "backup_label"
	standbyFile = "standby.signal"
	// Settings of this file come after those of postgresql.conf.
	autoConf = "postgresql.auto.conf"
)

// notCopied are files and folders of a running cluster that its copy must not have: they belong to
// the running server, or come to the standby from it.
var notCopied = map[string]bool{
	"postmaster.pid": true, "postmaster.opts": true, logFile: true, "pg_replslot": true, "pg_wal": true, "pg_stat_tmp": true,
	"pg_dynshmem": true, "pg_notify": true, "pgsql_tmp": true,
}

// StartStandby starts a server that follows primary, whose options must have Replicated, and waits
// until it answers queries. The caller must stop it before the primary.
func StartStandby(ctx context.Context, primary *Postgres, opts PostgresOptions) (*Postgres, error) {
	c := &cluster{as: primary.cluster.as, native: primary.cluster.native}
	var err error
	if c.remove, err = tempDir(ctx, c.native, c.as, opts.inMemory()); err != nil {
		return nil, err
	}
	c.dir = filepath.Join(c.remove, "data")
	if err = c.copyRunning(ctx, primary); err == nil {
		var p *Postgres
		if p, err = startCluster(ctx, c, opts); err == nil {
			return p, nil
		}
	}
	c.close()
	return nil, fmt.Errorf("start standby: %w", err)
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
