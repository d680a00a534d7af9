// Package s3test starts a real S3 server, whose buckets are folders.
package s3test

import (
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/lib/blobs"
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
	socket  string
	process *exec.Cmd
}

// Start starts a server.
func Start(tb testing.TB) *Server {
	tb.Helper()
	folder, err := os.MkdirTemp("", "s3") //nolint:usetesting // tb.TempDir may be too long for a socket
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = os.RemoveAll(folder) })
	s := &Server{tb: tb, folder: folder, socket: filepath.Join(folder, "socket")}
	require.NoError(tb, os.MkdirAll(filepath.Join(folder, "data", bucket), 0o700))
	require.NoError(tb, os.Mkdir(filepath.Join(folder, "attributes"), 0o700))
	// The port is this process's from the beginning to the end of the test, also while the server
	// is stopped, so no other process can take it.
	listener, err := new(net.ListenConfig).Listen(tb.Context(), "tcp4", "127.0.0.1:0")
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = listener.Close() })
	go s.accept(listener)
	s.Options = blobs.Options{
		Endpoint: "http://" + listener.Addr().String(), Bucket: bucket, Region: "us-east-1", AccessKey: accessKey, SecretKey: secretKey,
		Prefix: "pictures/", PathStyle: true,
	}
	s.Run()
	tb.Cleanup(s.Stop)
	return s
}

func (s *Server) accept(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		go s.forward(conn)
	}
}

// forward connects a client with the server, or hangs up if that is stopped.
func (s *Server) forward(client net.Conn) {
	defer func() { _ = client.Close() }()
	server, err := s.dial()
	if err != nil {
		return
	}
	go func() {
		_, _ = io.Copy(server, client)
		_ = server.Close()
	}()
	_, _ = io.Copy(client, server)
}

func (s *Server) dial() (net.Conn, error) { return net.DialTimeout("unix", s.socket, time.Second) } //nolint:noctx // it is bounded

// Run starts a stopped server at the same address, with its objects.
func (s *Server) Run() {
	s.tb.Helper()
	s.process = exec.Command(program(s.tb), s.socket, s.folder, accessKey, secretKey) //nolint:gosec,noctx // ended by Stop
	require.NoError(s.tb, s.process.Start())
	require.Eventually(s.tb, func() bool {
		conn, err := s.dial()
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	}, startTimeout, 20*time.Millisecond, "the S3 server does not start")
}

// Stop ends the server. Calls fail from then on.
func (s *Server) Stop() {
	if s.process != nil {
		_ = s.process.Process.Kill()
		_ = s.process.Wait()
		_ = os.Remove(s.socket)
		s.process = nil
	}
}

// Files returns the paths of the objects.
func (s *Server) Files() []string {
	s.tb.Helper()
	files, err := filepath.Glob(filepath.Join(s.folder, "data", bucket, "pictures", "*-*"))
	require.NoError(s.tb, err)
	return files
}

// program returns the path of the server, which `make bin/s3server` builds.
func program(tb testing.TB) string {
	tb.Helper()
	root, err := os.Getwd()
	require.NoError(tb, err)
	for root != "/" && !exists(filepath.Join(root, "go.mod")) {
		root = filepath.Dir(root)
	}
	path := filepath.Join(root, "bin", "s3server")
	require.FileExists(tb, path, "run make bin/s3server")
	return path
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
