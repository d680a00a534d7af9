// Package redisclient makes the Redis clients of a process, for one server and for servers behind
// Sentinel, with one set of timeouts.
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
func New(address, caFile string) (*redis.Client, error) {
	o, err := Parse(address)
	if err != nil {
		return nil, fmt.Errorf("REDIS_URL: %w", err)
	}
	if err := setAuthority(o.TLSConfig, caFile); err != nil {
		return nil, fmt.Errorf("REDIS_CA_FILE: %w", err)
	}
	o.ContextTimeoutEnabled = true // otherwise calls outlive their context
	o.DialTimeout, o.DialerRetries, o.MaxRetries = dialTimeout, 1, noRetries
	o.ReadTimeout, o.WriteTimeout, o.Protocol = callTimeout, callTimeout, protocol
	if o.MasterName != "" {
		return redis.NewFailoverClient(o.Failover()), nil
	}
	return redis.NewClient(o.Simple()), nil
}

// setAuthority sets who signs the servers' certificates. config is nil without TLS.
func setAuthority(config *tls.Config, caFile string) (err error) {
	if config == nil {
		if caFile != "" {
			return errors.New("is set, but REDIS_URL is without TLS: it starts with rediss:// for that")
		}
		return nil
	}
	if caFile == "" {
		// crypto/tls would read them during the first handshake, which may then exceed dialTimeout.
		if config.RootCAs, err = x509.SystemCertPool(); err != nil {
			return fmt.Errorf("the system's certificates: %w", err)
		}
		return nil
	}
	content, err := os.ReadFile(caFile)
	if err != nil {
		return err
	}
	config.RootCAs = x509.NewCertPool()
	if !config.RootCAs.AppendCertsFromPEM(content) {
		return fmt.Errorf("%s has no certificate in PEM", caFile)
	}
	return nil
}
