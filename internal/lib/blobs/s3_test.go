package blobs_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/blobs"
	"amanat/internal/testing/s3test"
)

// calls returns how many calls were measured, by call and result.
func calls(t *testing.T, m *blobs.Metrics) map[string]uint64 {
	t.Helper()
	registry := prometheus.NewRegistry()
	require.NoError(t, registry.Register(m.Collector()))
	families, err := registry.Gather()
	require.NoError(t, err)
	found := map[string]uint64{}
	for _, metric := range families[0].GetMetric() {
		if n := metric.GetHistogram().GetSampleCount(); n > 0 {
			found[metric.GetLabel()[0].GetValue()+" "+metric.GetLabel()[1].GetValue()] = n
		}
	}
	return found
}

func TestS3(t *testing.T) {
	t.Parallel()
	metrics := blobs.NewMetrics()
	s, err := blobs.NewS3(s3test.Start(t).Options, metrics)
	require.NoError(t, err)
	_, err = s.Get(t.Context(), "a", 0)
	require.ErrorIs(t, err, blobs.ErrMissing)
	for range 2 {
		require.NoError(t, s.Put(t.Context(), "a", "text/plain", []byte("0123456789")))
	}
	for offset, want := range map[int64]string{0: "0123456789", 7: "789"} {
		body, err := s.Get(t.Context(), "a", offset)
		require.NoError(t, err)
		got, err := io.ReadAll(body)
		require.NoError(t, err)
		require.NoError(t, body.Close())
		require.Equal(t, want, string(got))
	}
	for range 2 {
		require.NoError(t, s.Delete(t.Context(), "a"))
	}
	require.Equal(t, map[string]uint64{"get missing": 1, "put ok": 2, "get ok": 2, "delete ok": 2}, calls(t, metrics))
}

// A client that goes away is no failure of the storage, which would page somebody. No answer in
// time is one.
func TestS3_cancelled(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 100)
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		asked <- struct{}{}
		<-release
		w.WriteHeader(http.StatusForbidden)
	}))
	defer server.Close()
	defer close(release)
	metrics := blobs.NewMetrics()
	s, err := blobs.NewS3(blobs.Options{
		Endpoint: server.URL, Bucket: "amanat", Region: "us-east-1", AccessKey: "a", SecretKey: "b", PathStyle: true,
	}, metrics)
	require.NoError(t, err)
	for name, call := range map[string]func(ctx context.Context) error{
		"put":    func(ctx context.Context) error { return s.Put(ctx, "a", "text/plain", []byte("a")) },
		"get":    func(ctx context.Context) error { _, err := s.Get(ctx, "a", 0); return err },
		"delete": func(ctx context.Context) error { return s.Delete(ctx, "a") },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-asked
			cancel()
		}()
		require.Error(t, call(ctx), name)
	}
	require.Equal(t, map[string]uint64{"put cancelled": 1, "get cancelled": 1, "delete cancelled": 1}, calls(t, metrics))
	ctx, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	_, err = s.Get(ctx, "a", 0)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.EqualValues(t, 1, calls(t, metrics)["get failed"])
}

// A storage that refuses the keys has failed.
func TestS3_refused(t *testing.T) {
	t.Parallel()
	o := s3test.Start(t).Options
	o.SecretKey = "another"
	metrics := blobs.NewMetrics()
	s, err := blobs.NewS3(o, metrics)
	require.NoError(t, err)
	require.Error(t, s.Put(t.Context(), "a", "text/plain", []byte("a")))
	_, err = s.Get(t.Context(), "a", 0)
	require.ErrorContains(t, err, "blobs: get: ")
	require.NotErrorIs(t, err, blobs.ErrMissing)
	require.Equal(t, map[string]uint64{"put failed": 1, "get failed": 1}, calls(t, metrics))
}
