// Command withpostgres runs a command with a temporary PostgreSQL server and exits with the
// command's exit code:
//
//	go run ./internal/devtools/localstack/cmd/withpostgres go test ./...
//
// AMANAT_TEST_DATABASE_URL_FILE names a file with the server's URL. The file's name is the same in
// each run, unless several run at once, so that Go can reuse the results of tests whose inputs have
// not changed: it compares the environment that a test has read. If AMANAT_TEST_DATABASE_URL is
// set, no server is started.
// The data is kept in memory if the system has room for it, unless -large says that it may not fit.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"

	"amanat/internal/devtools/localstack"
)

const (
	urlEnv         = "AMANAT_TEST_DATABASE_URL"
	urlFileEnv     = "AMANAT_TEST_DATABASE_URL_FILE"
	maxConnections = 300 // test packages run in parallel, and each test has its own pools
)

func main() {
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "withpostgres:", err)
		code = 1
	}
	os.Exit(code)
}

func run(command []string) (code int, err error) {
	large := len(command) > 0 && command[0] == "-large"
	if large {
		command = command[1:]
	}
	if len(command) > 0 && command[0] == "--" {
		command = command[1:]
	}
	if len(command) == 0 {
		return 0, errors.New("usage: withpostgres [-large] command [argument ...]")
	}
	// A terminal's interrupt reaches the command as well, and the server must outlive the command.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)

	if os.Getenv(urlEnv) == "" {
		server, err := localstack.StartPostgres(context.Background(), localstack.PostgresOptions{
			MaxConnections: maxConnections, NoSync: true, Large: large,
		})
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, server.Stop()) }()
		file, err := writeURL(server.URL("postgres"))
		if err != nil {
			return 0, err
		}
		defer func() { _ = file.Close() }() // and with it the lock
		if err := os.Setenv(urlFileEnv, file.Name()); err != nil {
			return 0, err
		}
	}
	cmd := exec.CommandContext(context.Background(), command[0], command[1:]...) //nolint:gosec // runs its arguments by design
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	return wait(cmd, signals)
}

// writeURL writes the URL to the first file that no other run has locked, and returns that file,
// locked.
func writeURL(url string) (*os.File, error) {
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("amanat-withpostgres-%d", os.Getuid()))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	for n := 0; ; n++ {
		file, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf("%d.url", n)), os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if errors.Is(err, syscall.EWOULDBLOCK) {
			_ = file.Close()
			continue
		}
		if err == nil {
			err = file.Truncate(0)
		}
		if err == nil {
			_, err = file.WriteString(url)
		}
		if err != nil {
			return nil, errors.Join(err, file.Close())
		}
		return file, nil
	}
}

// wait forwards signals to the command and returns its exit code.
func wait(cmd *exec.Cmd, signals <-chan os.Signal) (int, error) {
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for {
		select {
		case signal := <-signals:
			_ = cmd.Process.Signal(signal)
		case err := <-done:
			var exit *exec.ExitError
			if errors.As(err, &exit) {
				if exit.ExitCode() < 0 {
					return 0, fmt.Errorf("command: %w", err)
				}
				return exit.ExitCode(), nil
			}
			return 0, err
		}
	}
}
