package api

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"testing"
	"testing/fstest"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/tracing"
)

// bare returns a server without domain packages, and its log.
func bare(t *testing.T, trusted ...string) (*Server, *bytes.Buffer) {
	t.Helper()
	log := &bytes.Buffer{}
	o := options{metrics: prometheus.NewRegistry(), publicURL: &url.URL{Scheme: "http", Host: "localhost"}, ui: fstest.MapFS{}}
	for _, prefix := range trusted {
		o.trustedProxies = append(o.trustedProxies, netip.MustParsePrefix(prefix))
	}
	s, err := newServer(services{clock: clock.System{}, logger: slog.New(slog.NewTextHandler(log, nil))}, o)
	require.NoError(t, err)
	return s, log
}

func TestServer_recovers_panic(t *testing.T) {
	t.Parallel()
	s, log := bare(t)
	mux := http.NewServeMux()
	mux.HandleFunc("/before", func(http.ResponseWriter, *http.Request) { panic("secret cause") })
	mux.HandleFunc("/amid", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "half an ans")
		panic("secret cause")
	})
	s.routes.Mount("/panic", http.StripPrefix("/api/panic", mux))
	server := httptest.NewServer(s)
	defer server.Close()
	get := func(path string) (*http.Response, string, error) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, nil)
		require.NoError(t, err)
		response, err := server.Client().Do(r)
		if err != nil {
			return nil, "", err
		}
		defer func() { _ = response.Body.Close() }()
		body, err := io.ReadAll(response.Body)
		return response, string(body), err
	}

	response, body, err := get("/api/panic/before")
	require.NoError(t, err)
	require.Equal(t, http.StatusInternalServerError, response.StatusCode)
	reference := tracing.Reference(response.Header.Get("X-Request-Id"))
	require.JSONEq(t, `{"code": "internal", "reason": "internal", "message": "Something went wrong", "reference": "`+reference+`"}`, body)
	require.Len(t, reference, len("7F3K-9Q2M"))

	_, _, err = get("/api/panic/amid")
	require.Error(t, err, "the client must not take half an answer for a whole one")
	server.Close() // waits for the handlers that write to the log
	require.Contains(t, log.String(), "secret cause")
	require.Contains(t, log.String(), "middleware_test.go", "where it happened")
}

func TestClientAddress(t *testing.T) {
	t.Parallel()
	s, _ := bare(t, "10.0.0.0/8", "2001:db8::/32")
	for _, test := range []struct {
		name, remote, want string
		forwarded          []string
	}{
		{"direct", "203.0.113.1:5", "203.0.113.1", nil},
		{"direct, pretending", "203.0.113.1:5", "203.0.113.1", []string{"198.51.100.1"}},
		{"one proxy", "10.0.0.1:5", "198.51.100.1", []string{"198.51.100.1"}},
		{"one proxy, pretending", "10.0.0.1:5", "198.51.100.1", []string{"10.9.9.9, 192.0.2.7, 198.51.100.1"}},
		{"two proxies", "10.0.0.1:5", "198.51.100.1", []string{"192.0.2.7, 198.51.100.1, 10.0.0.2"}},
		{"two headers", "10.0.0.1:5", "198.51.100.1", []string{"192.0.2.7", "198.51.100.1"}},
		{"nothing forwarded", "10.0.0.1:5", "10.0.0.1", nil},
		{"nonsense", "10.0.0.1:5", "10.0.0.1", []string{"198.51.100.1, unknown"}},
		{"version 6", "[2001:db8::1]:5", "2001:470::7", []string{"2001:470::7"}},
		{"version 4 in 6", "[::ffff:10.0.0.1]:5", "198.51.100.1", []string{"::ffff:198.51.100.1"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
			r.RemoteAddr = test.remote
			r.Header["X-Forwarded-For"] = test.forwarded
			require.Equal(t, test.want, s.proxies.client(r))
		})
	}
}

func TestOpenAPI(t *testing.T) {
	t.Parallel()
	document, err := OpenAPI()
	require.NoError(t, err)
	require.Contains(t, string(document), `"openapi": "3.1`)
}
