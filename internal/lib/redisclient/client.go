// Package redisclient makes the Redis clients of a process, for one server, for servers behind
// Sentinel and for Redis Cluster, with one set of timeouts.
package redisclient

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	dialTimeout = time.Second
	callTimeout = 2 * time.Second
	noRetries   = -1 // a late message is useless
	// protocol is that of RESP2: pub/sub over RESP3 has lost messages silently.
	protocol = 2
	// maxRedirects is how many servers of a cluster a call may be sent on to.
	maxRedirects = 3
)

// LogTo directs what the Redis library itself has to say, such as failed attempts to connect, to
// log. The library has one logger for the process, and without a call it writes plain text to
// standard error. Commands call it before they open a client.
func LogTo(log *slog.Logger) { redis.SetLogger(redisLog{log}) }

type redisLog struct{ log *slog.Logger }

// Printf logs as a warning: the library reports failures only.
func (l redisLog) Printf(ctx context.Context, format string, args ...any) {
	l.log.WarnContext(ctx, "redis client", "report", fmt.Sprintf(format, args...))
}

// New returns a client for an address that Parse accepts. It connects when it is used. Its timeouts
// are short: Redis may be down, or accept connections and not answer. caFile has the certificates
// that sign those of the servers, "" for the system's. The caller closes the client.
func New(address, caFile string) (redis.UniversalClient, error) {
	a, err := Parse(address)
	if err != nil {
		return nil, fmt.Errorf("REDIS_URL: %w", err)
	}
	secured, err := a.tlsConfig(caFile)
	if err != nil {
		return nil, fmt.Errorf("REDIS_CA_FILE: %w", err)
	}
	switch a.mode {
	case sentinel:
		return redis.NewFailoverClient(&redis.FailoverOptions{
			MasterName: a.master, SentinelAddrs: a.Hosts, SentinelUsername: a.sentinelUsername, SentinelPassword: a.SentinelPassword,
			Username: a.Username, Password: a.Password, DB: a.db, TLSConfig: secured,
			ContextTimeoutEnabled: true, DialTimeout: dialTimeout, DialerRetries: 1, MaxRetries: noRetries,
			ReadTimeout: callTimeout, WriteTimeout: callTimeout, Protocol: protocol,
		}), nil
	case cluster:
		return redis.NewClusterClient(&redis.ClusterOptions{
			Addrs: a.Hosts, Username: a.Username, Password: a.Password, TLSConfig: secured, MaxRedirects: maxRedirects,
			ContextTimeoutEnabled: true, DialTimeout: dialTimeout, DialerRetries: 1, MaxRetries: noRetries,
			ReadTimeout: callTimeout, WriteTimeout: callTimeout, Protocol: protocol,
		}), nil
	case single:
	}
	options := &redis.Options{
		Username: a.Username, Password: a.Password, DB: a.db, TLSConfig: secured,
		ContextTimeoutEnabled: true, // otherwise calls outlive their context
		DialTimeout:           dialTimeout, DialerRetries: 1, MaxRetries: noRetries,
		ReadTimeout: callTimeout, WriteTimeout: callTimeout, Protocol: protocol,
	}
	if a.socket != "" {
		options.Network, options.Addr = "unix", a.socket
	} else {
		options.Addr = a.Hosts[0]
	}
	return redis.NewClient(options), nil
}

// tlsConfig returns nil without TLS.
func (a Address) tlsConfig(caFile string) (*tls.Config, error) {
	if !a.tls {
		if caFile != "" {
			return nil, errors.New("is set, but REDIS_URL is without TLS: it starts with rediss:// for that")
		}
		return nil, nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if caFile == "" {
		var err error
		// crypto/tls would read them during the first handshake, which may then exceed dialTimeout.
		if config.RootCAs, err = x509.SystemCertPool(); err != nil {
			return nil, fmt.Errorf("the system's certificates: %w", err)
		}
		return config, nil
	}
	content, err := os.ReadFile(caFile)
	if err != nil {
		return nil, err
	}
	config.RootCAs = x509.NewCertPool()
	if !config.RootCAs.AppendCertsFromPEM(content) {
		return nil, fmt.Errorf("%s has no certificate in PEM", caFile)
	}
	return config, nil
}

// Sharded reports whether the client is of a cluster, whose servers share the channels of sharded
// pub/sub among themselves.
func Sharded(client redis.UniversalClient) bool {
	_, is := client.(*redis.ClusterClient)
	return is
}
