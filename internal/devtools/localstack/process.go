package localstack

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

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
