package api

import (
	"bytes"
	"errors"
	"log/slog"
	"net"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

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
