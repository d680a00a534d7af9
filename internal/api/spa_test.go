package api_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/clock"
	"amanat/internal/config"
	"amanat/internal/realtime"
)

type page struct {
	status int
	header http.Header
	body   string
}

// asIs does not ask for gzip by itself.
var asIs = &http.Transport{DisableCompression: true}

func (s *site) page(method, path string, headers ...string) page {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, nil)
	require.NoError(s.t, err)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := asIs.RoundTrip(r)
	require.NoError(s.t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(s.t, err)
	return page{response.StatusCode, response.Header, string(body)}
}

func TestPages(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for _, path := range []string{"/", "/login", "/deal/0198", "/profile/rahim", "/reset-password?token=a.b", "/apiary"} {
		got := s.page(http.MethodGet, path)
		require.Equal(t, 200, got.status, path)
		require.Equal(t, "<!doctype html>", got.body, path)
		require.Equal(t, "no-cache", got.header.Get("Cache-Control"))
		require.Equal(t, "text/html; charset=utf-8", got.header.Get("Content-Type"))
		again := s.page(http.MethodGet, path, "If-None-Match", got.header.Get("Etag"))
		require.Equal(t, http.StatusNotModified, again.status)
		require.Empty(t, again.body)
	}
	require.Empty(t, s.page(http.MethodHead, "/login").body)
	require.Equal(t, 405, s.page(http.MethodPost, "/login").status)
	require.Equal(t, "User-agent: *", s.page(http.MethodGet, "/robots.txt").body)
	for _, path := range []string{"/assets/gone.js", "/assets/", "/favicon.ico", "/.vite/manifest.json", "/assets/../../secret.txt"} {
		got := s.page(http.MethodGet, path)
		require.Equal(t, 404, got.status, path)
		require.Equal(t, "no-store", got.header.Get("Cache-Control"))
	}
}

func TestAssets(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for accepted, want := range map[string]string{
		"gzip, deflate, br": "brotli", "gzip": "gzip", "br;q=0, gzip;q=0.5": "gzip", "": "plain", "identity": "plain", "zstd": "plain",
	} {
		got := s.page(http.MethodGet, "/assets/index-abc.js", "Accept-Encoding", accepted)
		require.Equal(t, want, got.body, accepted)
		require.Equal(t, "public, max-age=31536000, immutable", got.header.Get("Cache-Control"))
		require.Equal(t, "text/javascript; charset=utf-8", got.header.Get("Content-Type"))
		require.Equal(t, "Accept-Encoding", got.header.Get("Vary"))
		require.Equal(t, map[string]string{"brotli": "br", "gzip": "gzip"}[want], got.header.Get("Content-Encoding"))
	}
	require.Empty(t, s.page(http.MethodGet, "/assets/font-abc.woff2").header.Get("Vary"))
}

func TestWithoutABuiltUI(t *testing.T) {
	t.Parallel()
	handler, err := api.Assemble(api.Dependencies{
		Config: config.API{PublicURL: "http://localhost:8080"}, Clock: clock.System{}, Link: realtime.NewLink(nowhere(), quiet()), Logger: quiet(),
		Messages: messenger{}, Metrics: prometheus.NewRegistry(), Redis: nowhere(), UI: fstest.MapFS{".gitkeep": &fstest.MapFile{}},
	})
	require.NoError(t, err)
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
	require.Equal(t, http.StatusServiceUnavailable, recorder.Code)
	require.Contains(t, recorder.Body.String(), "make build")
}
