package localstack

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

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
