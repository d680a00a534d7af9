package opsserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/opsserver"
)

type fixture struct {
	server *opsserver.Server
	log    *bytes.Buffer
}

func newFixture(t *testing.T, opts opsserver.Options) *fixture {
	t.Helper()
	f := &fixture{log: &bytes.Buffer{}}
	opts.Logger = slog.New(slog.NewTextHandler(f.log, nil))
	if opts.Registry == nil {
		opts.Registry = opsserver.NewRegistry()
	}
	f.server = opsserver.New(opts)
	return f
}

func (f *fixture) get(t *testing.T, path string) *httptest.ResponseRecorder {
	t.Helper()
	recorder := httptest.NewRecorder()
	f.server.Handler().ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody))
	return recorder
}

func (f *fixture) ready(t *testing.T) (int, opsserver.Readiness) {
	t.Helper()
	recorder := f.get(t, "/readyz")
	var answer opsserver.Readiness
	require.NoError(t, json.Unmarshal(recorder.Body.Bytes(), &answer))
	return recorder.Code, answer
}

func pass(context.Context) error { return nil }

func fail(context.Context) error { return errors.New("connection refused") }

func boom(context.Context) error { panic("boom") }

func hang(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

func TestHealth(t *testing.T) {
	t.Parallel()
	f := newFixture(t, opsserver.Options{Checks: map[string]opsserver.Check{"postgres": fail}})

	recorder := f.get(t, "/healthz")

	require.Equal(t, http.StatusOK, recorder.Code, "a process without its database must not be restarted")
	require.JSONEq(t, `{"status": "alive", "version": "`+opsserver.Version()+`"}`, recorder.Body.String())
}

func TestReady(t *testing.T) {
	t.Parallel()

	tests := []struct {
		name       string
		opts       opsserver.Options
		wantCode   int
		wantStatus string
	}{
		{"nothing to check", opsserver.Options{}, http.StatusOK, "ready"},
		{"all pass", opsserver.Options{Checks: map[string]opsserver.Check{"a": pass, "b": pass}}, http.StatusOK, "ready"},
		{"one fails", opsserver.Options{Checks: map[string]opsserver.Check{"a": pass, "b": fail}}, http.StatusServiceUnavailable, "not ready"},
		{"watch fails", opsserver.Options{Watches: map[string]opsserver.Check{"redis": fail}}, http.StatusOK, "ready"},
		{"panics", opsserver.Options{Checks: map[string]opsserver.Check{"a": boom}}, http.StatusServiceUnavailable, "not ready"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			code, answer := newFixture(t, test.opts).ready(t)
			require.Equal(t, test.wantCode, code)
			require.Equal(t, test.wantStatus, answer.Status)
			require.Len(t, answer.Checks, len(test.opts.Checks))
			require.Len(t, answer.Watches, len(test.opts.Watches))
		})
	}
}

func TestReady_errors(t *testing.T) {
	t.Parallel()
	f := newFixture(t, opsserver.Options{
		Checks:       map[string]opsserver.Check{"postgres": fail, "river": pass},
		Watches:      map[string]opsserver.Check{"redis": hang},
		CheckTimeout: 20 * time.Millisecond,
	})

	_, answer := f.ready(t)

	require.Equal(t, "connection refused", answer.Checks["postgres"].Error)
	require.True(t, answer.Checks["river"].OK)
	require.Contains(t, answer.Watches["redis"].Error, "deadline exceeded")
	require.GreaterOrEqual(t, answer.Watches["redis"].Milliseconds, 20.0)
}

// Some clients keep reading from a silent server after their context has ended.
func TestReady_check_ignores_context(t *testing.T) {
	t.Parallel()
	var starts atomic.Int32
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	f := newFixture(t, opsserver.Options{
		Checks: map[string]opsserver.Check{"stuck": func(context.Context) error {
			starts.Add(1)
			<-release
			return nil
		}},
		CheckTimeout: 20 * time.Millisecond,
	})

	for range 3 {
		code, answer := f.ready(t)
		require.Equal(t, http.StatusServiceUnavailable, code)
		require.Contains(t, answer.Checks["stuck"].Error, "deadline exceeded")
	}
	require.EqualValues(t, 1, starts.Load(), "checks do not pile up")
}

func TestReady_client_gone(t *testing.T) {
	t.Parallel()
	f := newFixture(t, opsserver.Options{Checks: map[string]opsserver.Check{"a": func(ctx context.Context) error { return ctx.Err() }}})
	gone, cancel := context.WithCancel(t.Context())
	cancel()

	recorder := httptest.NewRecorder()
	f.server.Handler().ServeHTTP(recorder, httptest.NewRequestWithContext(gone, http.MethodGet, "/readyz", http.NoBody))

	require.Equal(t, http.StatusOK, recorder.Code)
	require.NotContains(t, f.log.String(), "readiness changed")
}

func TestReady_logs_changes_only(t *testing.T) {
	t.Parallel()
	f := newFixture(t, opsserver.Options{Checks: map[string]opsserver.Check{"postgres": fail}})

	for range 3 {
		f.ready(t)
	}

	require.Equal(t, 1, bytes.Count(f.log.Bytes(), []byte("readiness changed")))
}

func TestSetDraining(t *testing.T) {
	t.Parallel()
	f := newFixture(t, opsserver.Options{Checks: map[string]opsserver.Check{"postgres": pass}})
	code, _ := f.ready(t)
	require.Equal(t, http.StatusOK, code)

	f.server.SetDraining()

	code, answer := f.ready(t)
	require.Equal(t, http.StatusServiceUnavailable, code)
	require.Equal(t, "draining", answer.Status)
	require.Equal(t, http.StatusOK, f.get(t, "/healthz").Code, "a draining process is alive")
}

type brokenCollector struct{ desc *prometheus.Desc }

func (c brokenCollector) Describe(descs chan<- *prometheus.Desc) { descs <- c.desc }

func (c brokenCollector) Collect(metrics chan<- prometheus.Metric) {
	metrics <- prometheus.NewInvalidMetric(c.desc, errors.New("broken"))
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	registry := opsserver.NewRegistry()
	registry.MustRegister(brokenCollector{prometheus.NewDesc("amanat_broken", "Never there.", nil, nil)})
	metrics := opsserver.NewOperationMetrics(registry)
	f := newFixture(t, opsserver.Options{Registry: registry})

	metrics.OperationSettled("deal_pay", "done", 40*time.Millisecond)
	metrics.OperationSettled("deal_pay", "done", -time.Second) // the clocks of two machines differ
	metrics.OperationSettled("deal_pay", "rejected", time.Minute)

	recorder := f.get(t, "/metrics")
	require.Equal(t, http.StatusOK, recorder.Code, "a broken collector must not hide the others")
	for _, line := range []string{
		`amanat_operations_total{kind="deal_pay",outcome="done"} 2`,
		`amanat_operation_seconds_bucket{kind="deal_pay",outcome="done",le="0.025"} 1`,
		`amanat_operation_seconds_bucket{kind="deal_pay",outcome="done",le="0.05"} 2`,
		`amanat_operation_seconds_sum{kind="deal_pay",outcome="rejected"} 60`,
		`amanat_build_info{version="` + opsserver.Version() + `"} 1`,
		"go_goroutines ",
		"process_open_fds ",
	} {
		require.Contains(t, recorder.Body.String(), line)
	}
}

func TestServe(t *testing.T) {
	t.Parallel()
	f := newFixture(t, opsserver.Options{})
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.server.ServeListener(ctx, listener) }()

	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+listener.Addr().String()+"/healthz", http.NoBody)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusOK, response.StatusCode)

	require.ErrorContains(t, f.server.Serve(t.Context(), listener.Addr().String()), "address already in use")

	cancel()
	require.NoError(t, <-ended)
	_, err = http.DefaultClient.Do(request)
	require.Error(t, err, "the port is closed")
}

func TestNew_without_registry(t *testing.T) {
	t.Parallel()
	require.Panics(t, func() { opsserver.New(opsserver.Options{}) })
}
