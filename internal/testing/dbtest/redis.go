package dbtest

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"amanat/internal/devtools/localstack"
	"amanat/internal/testing/program"
)

// RedisServer is a Redis of one test, which can stop and restart it.
type RedisServer struct {
	URL string

	tb     testing.TB
	server interface {
		Interrupt()
		Resume(ctx context.Context) error
		Stop()
		URL() string
	}
}

// Redis starts a server that ends with the test: redis-server if it is on PATH, otherwise an
// in-process one.
func Redis(tb testing.TB) *RedisServer {
	tb.Helper()
	r := &RedisServer{tb: tb}
	program, err := exec.LookPath("redis-server")
	if errors.Is(err, exec.ErrNotFound) {
		r.server, err = localstack.StartRedis()
	} else if err == nil {
		r.server, err = localstack.StartRedisServer(tb.Context(), program, tb.TempDir())
	}
	require.NoError(tb, err)
	tb.Cleanup(r.server.Stop)
	r.URL = r.server.URL()
	return r
}

// Stop ends the server and all its connections, and waits until it has ended.
func (r *RedisServer) Stop() { r.server.Interrupt() }

// Start restarts a stopped server at the same address, without its data.
func (r *RedisServer) Start() {
	r.tb.Helper()
	require.NoError(r.tb, r.server.Resume(r.tb.Context()))
}

const (
	redisWait = 20 * time.Second
	redisTick = 10 * time.Millisecond
)

// redisProcess is a redis-server with a configuration of its own.
type redisProcess struct {
	tb      testing.TB
	port    int
	client  *redis.Client // without login
	program *localstack.Program
}

// startRedis starts a redis-server with further lines of configuration on a free port. Unlike for
// Redis, there is no substitute for the program.
func startRedis(tb testing.TB, args []string, lines ...string) *redisProcess {
	tb.Helper()
	server := program.Path(tb, "redis-server")
	r := &redisProcess{tb: tb, port: freePort(tb)}
	dir := tb.TempDir()
	config := strings.Join(append([]string{
		"port " + strconv.Itoa(r.port), "bind 127.0.0.1", "dir " + dir, "daemonize no", "protected-mode no",
	}, lines...), "\n") + "\n"
	path := filepath.Join(dir, "redis.conf")
	require.NoError(tb, os.WriteFile(path, []byte(config), 0o600))
	cmd := exec.CommandContext(context.WithoutCancel(tb.Context()), server, append([]string{path}, args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var err error
	r.program, err = localstack.StartProgram(cmd)
	require.NoError(tb, err)
	r.client = redis.NewClient(&redis.Options{Addr: r.address(), Protocol: 2, DialerRetries: 1})
	tb.Cleanup(r.stop)
	r.await("answer", func(ctx context.Context) bool {
		err := r.client.Ping(ctx).Err()
		return err == nil || redis.HasErrorPrefix(err, "NOAUTH")
	})
	return r
}

func (r *redisProcess) address() string { return "127.0.0.1:" + strconv.Itoa(r.port) }

// stop kills the server.
func (r *redisProcess) stop() {
	_ = r.client.Close()
	_ = r.program.Stop(redisWait, syscall.SIGKILL)
}

func (r *redisProcess) await(what string, happened func(ctx context.Context) bool) {
	r.tb.Helper()
	ctx, cancel := context.WithTimeout(r.tb.Context(), redisWait)
	defer cancel()
	for !happened(ctx) {
		select {
		case <-ctx.Done():
			require.FailNow(r.tb, "Redis does not "+what)
		case <-time.After(redisTick):
		}
	}
}

func (r *redisProcess) info(ctx context.Context, section, line string) bool {
	text, err := r.client.Do(ctx, "info", section).Text()
	return err == nil && strings.Contains(text, line)
}

var noDisk = []string{`save ""`, "appendonly no", "repl-diskless-sync yes", "repl-diskless-sync-delay 0"}

// RedisSentinel starts a primary, a replica and a sentinel, and returns the URL and a function that
// kills the primary.
func RedisSentinel(tb testing.TB) (address string, killPrimary func()) {
	tb.Helper()
	primary := startRedis(tb, nil, noDisk...)
	replica := startRedis(tb, nil, append([]string{"replicaof 127.0.0.1 " + strconv.Itoa(primary.port)}, noDisk...)...)
	replica.await("replicate", func(ctx context.Context) bool { return replica.info(ctx, "replication", "master_link_status:up") })
	watcher := startRedis(tb, []string{"--sentinel"},
		fmt.Sprintf("sentinel monitor amanat 127.0.0.1 %d 1", primary.port), "sentinel down-after-milliseconds amanat 300",
		"sentinel failover-timeout amanat 2000")
	watcher.await("know the replica", func(ctx context.Context) bool { return watcher.info(ctx, "sentinel", "slaves=1") })
	return "redis+sentinel://" + watcher.address() + "/amanat", primary.stop
}

// RedisTLS starts a server that speaks TLS and has one user with the given rights, in the words of
// an ACL. It returns the URL and the file with the certificate's authority.
func RedisTLS(tb testing.TB, rights string) (address, caFile string) {
	tb.Helper()
	certFile, keyFile := selfSigned(tb)
	port := freePort(tb)
	startRedis(tb, nil, append([]string{
		"tls-port " + strconv.Itoa(port), "tls-cert-file " + certFile, "tls-key-file " + keyFile, "tls-ca-cert-file " + certFile,
		"tls-auth-clients no", "user default off", "user amanat on >secret " + rights,
	}, noDisk...)...)
	return "rediss://amanat:secret@localhost:" + strconv.Itoa(port) + "/0", certFile
}

// selfSigned makes a certificate for localhost that signs itself.
func selfSigned(tb testing.TB) (certFile, keyFile string) {
	tb.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(tb, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Redis of a test"}, DNSNames: []string{"localhost"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(tb, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(tb, err)
	dir := tb.TempDir()
	write := func(name, kind string, content []byte) string {
		path := filepath.Join(dir, name)
		require.NoError(tb, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}), 0o600))
		return path
	}
	return write("cert.pem", "CERTIFICATE", cert), write("key.pem", "PRIVATE KEY", private)
}

func freePort(tb testing.TB) int {
	tb.Helper()
	listener, err := new(net.ListenConfig).Listen(tb.Context(), "tcp4", "127.0.0.1:0")
	require.NoError(tb, err)
	defer func() { _ = listener.Close() }()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	require.NoError(tb, err)
	number, err := strconv.Atoi(port)
	require.NoError(tb, err)
	return number
}
