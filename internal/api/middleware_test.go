package api

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
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
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

func TestEncodeWithin(t *testing.T) {
	t.Parallel()
	row := strings.Repeat("ক", 40) // 122 bytes with the quotes
	for _, test := range []struct {
		name      string
		rows, fit int
	}{
		{"empty", 0, 0},
		{"one row", 1, 1},
		{"all rows fit", 7, 7},
		{"first rows fit", 20, 7},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			list := make([]string, test.rows)
			for i := range list {
				list[i] = row
			}
			answer, err := encodeWithin(list, 1000)
			require.NoError(t, err)
			var sent []string
			require.NoError(t, json.Unmarshal(answer, &sent))
			require.Len(t, sent, test.fit)
			require.LessOrEqual(t, len(answer), 1000)
		})
	}
	_, err := encodeWithin([]string{strings.Repeat(row, 10)}, 1000)
	require.ErrorIs(t, err, errAnswerTooLarge, "an empty list would never end")
	_, err = encodeWithin(Message{catalog.Outcome{Message: strings.Repeat(row, 10), Code: "long"}}, 1000)
	require.ErrorIs(t, err, errAnswerTooLarge)
	_, err = encodeWithin(map[string]any{"x": func() {}}, 1000)
	require.Error(t, err)
}

func TestRegister_answer_too_large(t *testing.T) {
	t.Parallel()
	s, log := bare(t)
	size := maxAnswer
	register(s, endpoint{id: "test-large", method: http.MethodGet, path: "/test-large", tag: "Test", access: anyone, summary: "Large"},
		func(context.Context, *struct{}) (*output[Message], error) {
			return respond(Message{catalog.Outcome{Message: strings.Repeat("x", size), Code: ""}}), nil
		})
	get := func() *httptest.ResponseRecorder {
		recorder := httptest.NewRecorder()
		s.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/test-large", nil))
		return recorder
	}
	answer := get()
	require.Equal(t, http.StatusInternalServerError, answer.Code)
	var failure Error
	require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &failure))
	require.Equal(t, fault.Internal, failure.Code)
	require.Contains(t, log.String(), "answer too large")
	require.Contains(t, log.String(), "level=ERROR")

	size = maxAnswer - 100
	require.Equal(t, http.StatusOK, get().Code)
}

// stalling is a client that accepts a number of bytes and then fails.
type stalling struct {
	http.ResponseWriter
	left      int
	deadlines []time.Time
}

func (s *stalling) SetWriteDeadline(at time.Time) error {
	s.deadlines = append(s.deadlines, at)
	return nil
}

var errStalled = errors.New("stalled")

func (s *stalling) Write(piece []byte) (int, error) {
	if s.left -= len(piece); s.left < 0 {
		return 0, errStalled
	}
	return len(piece), nil
}

func TestWriteAnswer(t *testing.T) {
	t.Parallel()
	answer := make(encoded, 3*answerPiece+1)
	client := &stalling{left: len(answer)}
	before := time.Now()
	require.NoError(t, writeAnswer(client, answer))
	require.Len(t, client.deadlines, 4)
	for _, at := range client.deadlines {
		require.WithinDuration(t, before.Add(answerTimeout), at, 5*time.Second)
	}
	client = &stalling{left: answerPiece}
	require.ErrorIs(t, writeAnswer(client, answer), errStalled)
	require.Len(t, client.deadlines, 2, "nothing more is tried")
	require.NoError(t, writeAnswer(io.Discard, answer))
}

// exhausted is a listener that fails once as one does without file descriptors, then for good.
type exhausted struct {
	net.Listener
	failed bool
}

func (l *exhausted) Accept() (net.Conn, error) {
	if l.failed {
		return nil, errors.New("closed")
	}
	l.failed = true
	return nil, &net.OpError{Op: "accept", Net: "tcp", Err: syscall.EMFILE}
}

func TestServerLog(t *testing.T) {
	t.Parallel()
	t.Run("too many open files is a warning", func(t *testing.T) {
		t.Parallel()
		var out bytes.Buffer
		server := &Server{services: services{logger: slog.New(slog.NewJSONHandler(&out, nil))}}
		require.ErrorContains(t, server.HTTP("").Serve(&exhausted{Listener: &net.TCPListener{}}), "closed")
		require.Contains(t, out.String(), `"level":"WARN"`)
		require.Contains(t, out.String(), "too many open files")
	})
	for name, level := range map[string]slog.Level{"hidden": slog.LevelInfo, "shown": slog.LevelDebug} {
		t.Run("a failure of one connection is "+name+" at "+level.String(), func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			handler := slog.NewJSONHandler(&out, &slog.HandlerOptions{Level: level})
			server := (&Server{services: services{logger: slog.New(handler)}}).HTTP("")
			server.ErrorLog.Print("http: TLS handshake error from 192.0.2.1:1234: EOF")
			require.Equal(t, level == slog.LevelDebug, bytes.Contains(out.Bytes(), []byte(`"level":"DEBUG"`)))
		})
	}
}

// One user with slow connections does not keep others from downloading.
func TestDownloads_one_of_a_user(t *testing.T) {
	t.Parallel()
	d := newDownloads()
	user := uuid.New()
	require.True(t, d.start(user))
	require.False(t, d.start(user))
	for range maxDownloads - 1 {
		require.True(t, d.start(uuid.New()))
	}
	require.False(t, d.start(uuid.New()))
	d.end(user)
	require.True(t, d.start(user))
}
