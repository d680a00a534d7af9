// Command withpostgres runs a command with a temporary PostgreSQL server and exits with the
// command's exit code:
//
//	go run ./internal/devtools/localstack/cmd/withpostgres go test ./...
//
// The server's URL is in AMANAT_TEST_DATABASE_URL; if that is set already, no server is started.
// The data is kept in memory if the system has room for it, unless -large says that it may not fit.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"amanat/internal/devtools/localstack"
)

const (
	urlEnv         = "AMANAT_TEST_DATABASE_URL"
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
		if err := os.Setenv(urlEnv, server.URL("postgres")); err != nil {
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
