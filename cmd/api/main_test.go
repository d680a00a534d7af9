package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"amanat/internal/testing/dbtest"
)

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

func status(t *testing.T, url string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0
	}
	defer func() { _ = response.Body.Close() }()
	_, _ = io.Copy(io.Discard, response.Body)
	return response.StatusCode
}

// start runs the process with ADDR and returns its ops port once it is ready, and a channel for the
// result of run.
func start(ctx context.Context, t *testing.T, addr string) (opsAddr string, ended <-chan error) {
	t.Helper()
	opsAddr = freeAddress(t)
	t.Setenv("OPS_ADDR", opsAddr)
	t.Setenv("PUBLIC_URL", "http://"+addr)
	t.Setenv("DATABASE_URL", dbtest.New(t).APIURL)
	t.Setenv("REDIS_URL", "redis://"+miniredis.RunT(t).Addr())
	t.Setenv("RECEIVERS", "Bkash:01700000001,Nagad:01700000002")
	result := make(chan error, 1)
	go func() { result <- run(ctx) }()
	require.Eventually(t, func() bool { return status(t, "http://"+opsAddr+"/readyz") == http.StatusOK },
		20*time.Second, 20*time.Millisecond)
	return opsAddr, result
}

// When stopped, the process first becomes unready, then finishes the running request, then exits
// without an error.
func TestRun_drains_requests(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	addr := freeAddress(t)
	t.Setenv("ADDR", addr)
	opsAddr, ended := start(ctx, t, addr)
	require.Equal(t, http.StatusOK, status(t, "http://"+addr+"/api/public/public-stats"))

	body, write := io.Pipe()
	answered := make(chan int, 1)
	go func() {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+addr+"/api/auth/login", body)
		if err == nil {
			var response *http.Response
			if response, err = http.DefaultClient.Do(r); err == nil {
				_ = response.Body.Close()
				answered <- response.StatusCode
				return
			}
		}
		answered <- 0
	}()
	// Returns once the client has begun to send.
	_, err := io.Copy(write, strings.NewReader(`{"username": "nobody", `))
	require.NoError(t, err)
	stop()
	require.Eventually(t, func() bool { return status(t, "http://"+opsAddr+"/readyz") == http.StatusServiceUnavailable },
		5*time.Second, 10*time.Millisecond)
	_, err = io.Copy(write, strings.NewReader(`"password": "river-stone"}`))
	require.NoError(t, err)
	require.NoError(t, write.Close())
	require.Equal(t, http.StatusUnauthorized, <-answered)
	require.NoError(t, <-ended)
}

// When stopped, the process asks open sockets to reconnect, and does not wait for a socket that
// does not respond.
func TestRun_drains_sockets(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	addr := freeAddress(t)
	t.Setenv("ADDR", addr)
	_, ended := start(ctx, t, addr)
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	client := &http.Client{Jar: jar}
	response, err := client.Post("http://"+addr+"/api/auth/signup", "application/json",
		strings.NewReader(`{"username": "rahim", "email": "rahim@example.com", "password": "river-stone"}`))
	require.NoError(t, err)
	_ = response.Body.Close()
	require.Equal(t, http.StatusCreated, response.StatusCode)
	open := func() *websocket.Conn {
		dialer := websocket.Dialer{Jar: jar}
		socket, response, err := dialer.DialContext(t.Context(), "ws://"+addr+"/api/ws?since=0", http.Header{"Origin": {"http://" + addr}})
		require.NoError(t, err)
		_ = response.Body.Close()
		t.Cleanup(func() { _ = socket.Close() })
		return socket
	}
	socket := open()
	open() // this one reads nothing
	_, hello, err := socket.ReadMessage()
	require.NoError(t, err)
	require.Contains(t, string(hello), `"type":"hello"`)
	stop()
	for err == nil { // presence frames may come first
		_, _, err = socket.ReadMessage()
	}
	var closed *websocket.CloseError
	require.ErrorAs(t, err, &closed)
	require.Equal(t, websocket.CloseServiceRestart, closed.Code)
	select {
	case err := <-ended:
		require.NoError(t, err)
	case <-time.After(30 * time.Second):
		require.FailNow(t, "the process goes on")
	}
}

func TestRun_invalid_environment(t *testing.T) {
	t.Setenv("DATABASE_URL", "")
	require.ErrorContains(t, run(t.Context()), "DATABASE_URL: is required")
}
