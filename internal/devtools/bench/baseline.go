package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/lib/postgres"
)

// insertBare measures the least that a service can do for a request that it must not lose: HTTP,
// one INSERT and its commit. Latencies of payments at the same rate are compared with it. The
// server runs in this process, with a table of its own in pgbench's database.
func (e *environment) insertBare(ctx context.Context, perSecond float64) (sample Sample, err error) {
	pool, err := postgres.Connect(ctx, e.server.URL(tpcbDatabase), postgres.Options{MaxConns: int32(e.options.Clients)})
	if err != nil {
		return Sample{}, err
	}
	defer pool.Close()
	if err := createBaseline(ctx, pool); err != nil {
		return Sample{}, err
	}
	site, stop, err := serveBaseline(ctx, pool)
	if err != nil {
		return Sample{}, err
	}
	defer func() { err = errors.Join(err, stop()) }()
	client := e.newClient()
	defer client.CloseIdleConnections()
	return e.load(ctx, perSecond, func(ctx context.Context, _ int) error {
		r := request{method: http.MethodPost, path: "/", session: e.sessions[0], body: []byte(uuid.NewString())}
		status, answer, err := r.sendTo(ctx, site, client)
		if err == nil && status != http.StatusOK {
			err = fmt.Errorf("baseline: %d %s", status, answer)
		}
		return err
	})
}

// serveBaseline starts a server that inserts the body of each request and then answers. stop closes
// it and returns why it ended if that was earlier.
func serveBaseline(ctx context.Context, pool *pgxpool.Pool) (site string, stop func() error, err error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{ReadHeaderTimeout: callTimeout, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = insertBaseline(r.Context(), pool, string(body))
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	stop = func() error {
		err := server.Close()
		if served := <-ended; !errors.Is(served, http.ErrServerClosed) {
			err = errors.Join(err, served)
		}
		return err
	}
	return "http://" + listener.Addr().String(), stop, nil
}
