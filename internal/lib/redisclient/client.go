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
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
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

const (
	sentinelSuffix      = "+sentinel" // of a scheme
	defaultPort         = "6379"
	defaultSentinelPort = "26379"
)

var schemes = []string{"redis", "rediss", "unix", "redis" + sentinelSuffix, "rediss" + sentinelSuffix}

var errAddress = errors.New("must be a URL, as in redis://user:password@host:6379/0, rediss:// for TLS, or " +
	"redis+sentinel://user:password@host1:26379,host2:26379/mymaster/0; " +
	"in a password, %2F stands for /, %23 for #, %3F for ?, %40 for @ and %25 for %")

var errParameter = errors.New("has an unknown parameter, or a password with a ?, which is written %3F")

// Parse reads REDIS_URL. The options have MasterName with Sentinel, and TLSConfig with TLS. Errors
// do not repeat the value, since it holds a password.
func Parse(value string) (redis.UniversalOptions, error) {
	scheme, rest, found := strings.Cut(value, "://")
	if !found || !slices.Contains(schemes, scheme) {
		return redis.UniversalOptions{}, errAddress
	}
	// net/url accepts one host.
	end := len(rest)
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		end = i
	}
	login, hosts := "", rest[:end]
	if i := strings.LastIndexByte(hosts, '@'); i >= 0 {
		login, hosts = hosts[:i+1], hosts[i+1:]
	}
	u, err := url.Parse(scheme + "://" + login + "host" + rest[end:])
	if err != nil || u.Fragment != "" || strings.Contains(u.Path+login[:max(0, len(login)-1)], "@") {
		return redis.UniversalOptions{}, errAddress
	}
	o := redis.UniversalOptions{Username: u.User.Username()}
	o.Password, _ = u.User.Password()
	if strings.HasPrefix(scheme, "rediss") {
		o.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	if scheme == "unix" {
		return o, readSocket(&o, hosts, u)
	}
	sentinel := strings.HasSuffix(scheme, sentinelSuffix)
	if o.Addrs, err = splitHosts(hosts, sentinel); err != nil {
		return redis.UniversalOptions{}, err
	}
	return o, readPath(&o, u, sentinel)
}

// readSocket reads the address of a socket.
func readSocket(o *redis.UniversalOptions, hosts string, u *url.URL) error {
	if hosts != "" || u.Path == "" {
		return errAddress
	}
	o.Addrs = []string{u.Path}
	db := u.Query().Get("db")
	if db == "" {
		return nil
	}
	return setDB(o, db)
}

func splitHosts(text string, sentinel bool) ([]string, error) {
	port := defaultPort
	if sentinel {
		port = defaultSentinelPort
	}
	hosts := strings.Split(text, ",")
	if !sentinel && len(hosts) > 1 {
		return nil, errors.New("must have one host, or the scheme redis+sentinel")
	}
	for i, host := range hosts {
		name, given, err := net.SplitHostPort(host)
		if err != nil {
			name, given = strings.Trim(host, "[]"), port
		}
		if _, err := strconv.ParseUint(given, 10, 16); err != nil || name == "" {
			return nil, errAddress
		}
		hosts[i] = net.JoinHostPort(name, given)
	}
	return hosts, nil
}

// readPath reads what follows the hosts.
func readPath(o *redis.UniversalOptions, u *url.URL, sentinel bool) error {
	parts := slices.DeleteFunc(strings.Split(u.Path, "/"), func(part string) bool { return part == "" })
	query := u.Query()
	o.SentinelUsername, o.SentinelPassword = query.Get("sentinel_username"), query.Get("sentinel_password")
	for name := range query {
		if !sentinel || (name != "sentinel_username" && name != "sentinel_password") {
			return errParameter // its name may be part of a password
		}
	}
	if sentinel {
		if len(parts) == 0 {
			return errors.New("must have the name of the primary after the sentinels, as in redis+sentinel://host:26379/mymaster")
		}
		o.MasterName, parts = parts[0], parts[1:]
	}
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return setDB(o, parts[0])
	}
	return errAddress
}

func setDB(o *redis.UniversalOptions, text string) error {
	var err error
	if o.DB, err = strconv.Atoi(text); err != nil || o.DB < 0 {
		return errors.New("must have the number of a database, as in redis://host:6379/0")
	}
	return nil
}

// Local reports whether options are of one server on this machine. Sentinels may name others.
func Local(o redis.UniversalOptions) bool {
	return o.MasterName == "" && !slices.ContainsFunc(o.Addrs, func(address string) bool {
		name, _, _ := net.SplitHostPort(address)
		ip := net.ParseIP(name)
		return !strings.HasPrefix(address, "/") && name != "localhost" && (ip == nil || !ip.IsLoopback())
	})
}
