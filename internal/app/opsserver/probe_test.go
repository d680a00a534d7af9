package opsserver

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestProbe(t *testing.T) {
	t.Parallel()
	var down atomic.Bool
	ops := New(Options{
		Registry: NewRegistry(), Logger: slog.New(slog.DiscardHandler),
		Checks: map[string]Check{"database": func(context.Context) error {
			if down.Load() {
				return errors.New("the database is away")
			}
			return nil
		}},
	})
	server := httptest.NewServer(ops.Handler())
	t.Cleanup(server.Close)
	parsed, err := url.Parse(server.URL)
	require.NoError(t, err)
	for _, host := range []string{"127.0.0.1", "0.0.0.0", "", "::"} {
		require.NoError(t, Probe(t.Context(), net.JoinHostPort(host, parsed.Port())), host)
	}
	down.Store(true)
	require.ErrorContains(t, Probe(t.Context(), parsed.Host), "the database is away")
	down.Store(false)
	ops.SetDraining()
	require.ErrorContains(t, Probe(t.Context(), parsed.Host), "503 Service Unavailable")
	server.Close()
	// Mostly "connection refused", unless another test has taken the port.
	require.Error(t, Probe(t.Context(), parsed.Host))
	require.Error(t, Probe(t.Context(), "nowhere"))
}
