// Command local runs the whole of Amanat in one process, for `make run` and the end-to-end tests:
// embedded PostgreSQL, Redis and mail, the api and a worker, and demo data in an empty database. It
// listens on 127.0.0.1 only. config.Local describes its environment. It has two routes of its own:
// /dev/mail shows the sent mails, /dev/clock returns business time and moves it forward.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"amanat/internal/app/config"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	env, err := config.LoadLocal()
	if err == nil {
		err = run(ctx, env, os.Stdout)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "amanat:", err)
		os.Exit(1)
	}
}

// run serves until ctx ends. It writes messages to the user to out.
func run(ctx context.Context, env config.Local, out io.Writer) error {
	if err := os.MkdirAll(env.DataDir, 0o755); err != nil { //nolint:gosec // the database's own user must get through
		return fmt.Errorf("AMANAT_DATA: %w", err)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(env.Port)))
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("port %d is in use; choose another, as in: PORT=8081 make run", env.Port)
	}
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }() // serve closes it too
	stack := &stack{env: env, out: out}
	err = stack.run(ctx, listener)
	if ctx.Err() != nil && !stack.greeted {
		err = nil // stopped during the start, so the interruption is no failure
	}
	return errors.Join(err, stack.servers.stop())
}
