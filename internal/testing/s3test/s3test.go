// Package s3test starts a real S3 server, whose buckets are folders.
package s3test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/platform/blobs"
)

const (
	bucket    = "amanat"
	accessKey = "access"
	secretKey = "secret-of-tests"
	// startTimeout bounds how long the server may take to listen.
	startTimeout = 20 * time.Second
)

// Server is a server with an empty bucket. It ends with the test.
type Server struct {
	Options blobs.Options

	tb      testing.TB
	folder  string
	address string
	process *exec.Cmd
}

// Start starts a server.
func Start(tb testing.TB) *Server {
	tb.Helper()
	listener, err := new(net.ListenConfig).Listen(tb.Context(), "tcp4", "127.0.0.1:0")
	require.NoError(tb, err)
	s := &Server{tb: tb, folder: tb.TempDir(), address: listener.Addr().String()}
	require.NoError(tb, listener.Close())
	require.NoError(tb, os.Mkdir(filepath.Join(s.folder, bucket), 0o700))
	s.Options = blobs.Options{
		Endpoint: "http://" + s.address, Bucket: bucket, Region: "us-east-1", AccessKey: accessKey, SecretKey: secretKey,
		Prefix: "pictures/", PathStyle: true,
	}
	s.Run()
	tb.Cleanup(s.Stop)
	return s
}

// Run starts a stopped server at the same address, with its objects.
func (s *Server) Run() {
	s.tb.Helper()
	s.process = exec.Command(program(s.tb), "--port", s.address, "--access", accessKey, "--secret", secretKey, //nolint:gosec,noctx // ended by Stop
		"--quiet", "posix", "--sidecar", s.tb.TempDir(), s.folder)
	require.NoError(s.tb, s.process.Start())
	require.Eventually(s.tb, func() bool {
		conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(s.tb.Context(), "tcp4", s.address)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	}, startTimeout, 20*time.Millisecond, "the S3 server does not start")
}

// Stop ends the server. Calls are refused from then on.
func (s *Server) Stop() {
	if s.process != nil {
		_ = s.process.Process.Kill()
		_ = s.process.Wait()
		s.process = nil
	}
}

// Files returns the paths of the objects.
func (s *Server) Files() []string {
	s.tb.Helper()
	files, err := filepath.Glob(filepath.Join(s.folder, bucket, "pictures", "*"))
	require.NoError(s.tb, err)
	return files
}

// program returns the path of the server, which `make bin/s3server` builds.
func program(tb testing.TB) string {
	tb.Helper()
	_, file, _, _ := runtime.Caller(0)
	root := file[:strings.LastIndex(file, "/internal/testing/")]
	path := filepath.Join(root, "bin", "s3server")
	_, err := os.Stat(path)
	require.NoError(tb, err, fmt.Sprintf("%s is missing: run make bin/s3server", path))
	return path
}
