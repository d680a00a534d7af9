package redisclient

import (
	"errors"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// mode is how the servers of an address belong together.
type mode int

const (
	single   mode = iota // one server
	sentinel             // a primary with replicas, which sentinels choose
	cluster              // servers that share the keys among themselves
)

var schemes = map[string]struct {
	mode mode
	tls  bool
}{
	"redis": {single, false}, "rediss": {single, true}, "unix": {single, false},
	"redis+sentinel": {sentinel, false}, "rediss+sentinel": {sentinel, true},
	"redis+cluster": {cluster, false}, "rediss+cluster": {cluster, true},
}

// Address is what REDIS_URL says.
type Address struct {
	Username, Password string
	Hosts              []string // host:port, of the sentinels with Sentinel; none with a socket

	mode             mode
	tls              bool
	socket           string
	master           string // the name that the sentinels know the primary by
	db               int
	sentinelUsername string
	// SentinelPassword is that of the sentinels, which have users of their own.
	SentinelPassword string
}

const (
	defaultPort         = "6379"
	defaultSentinelPort = "26379"
)

var errAddress = errors.New("must be a URL, as in redis://user:password@host:6379/0, rediss:// for TLS, " +
	"redis+sentinel://user:password@host1:26379,host2:26379/mymaster/0 or redis+cluster://user:password@host1:6379,host2:6379; " +
	"in a password, %2F stands for /, %23 for #, %3F for ?, %40 for @ and %25 for %")

var errParameter = errors.New("has an unknown parameter, or a password with a ?, which is written %3F")

// Parse reads an address. Its errors do not repeat it, since it holds a password.
func Parse(value string) (Address, error) {
	scheme, rest, found := strings.Cut(value, "://")
	kind, known := schemes[scheme]
	if !found || !known {
		return Address{}, errAddress
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
		return Address{}, errAddress
	}
	a := Address{mode: kind.mode, tls: kind.tls, Username: u.User.Username()}
	a.Password, _ = u.User.Password()
	if scheme == "unix" {
		a.socket = u.Path
		return a, a.checkSocket(hosts, u)
	}
	if a.Hosts, err = splitHosts(hosts, kind.mode); err != nil {
		return Address{}, err
	}
	return a, a.readPath(u)
}

func (a *Address) checkSocket(hosts string, u *url.URL) error {
	if hosts != "" || a.socket == "" {
		return errAddress
	}
	db := u.Query().Get("db")
	if db == "" {
		return nil
	}
	return a.setDB(db)
}

func splitHosts(text string, m mode) ([]string, error) {
	port := defaultPort
	if m == sentinel {
		port = defaultSentinelPort
	}
	hosts := strings.Split(text, ",")
	if m == single && len(hosts) > 1 {
		return nil, errors.New("must have one host, or the scheme redis+sentinel or redis+cluster")
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
func (a *Address) readPath(u *url.URL) error {
	parts := slices.DeleteFunc(strings.Split(u.Path, "/"), func(part string) bool { return part == "" })
	query := u.Query()
	a.sentinelUsername, a.SentinelPassword = query.Get("sentinel_username"), query.Get("sentinel_password")
	for name := range query {
		if a.mode != sentinel || (name != "sentinel_username" && name != "sentinel_password") {
			return errParameter // its name may be part of a password
		}
	}
	if a.mode == sentinel {
		if len(parts) == 0 {
			return errors.New("must have the name of the primary after the sentinels, as in redis+sentinel://host:26379/mymaster")
		}
		a.master, parts = parts[0], parts[1:]
	}
	switch {
	case len(parts) == 0:
		return nil
	case len(parts) > 1 || a.mode == cluster:
		return errAddress
	}
	return a.setDB(parts[0])
}

func (a *Address) setDB(text string) error {
	var err error
	if a.db, err = strconv.Atoi(text); err != nil || a.db < 0 {
		return errors.New("must have the number of a database, as in redis://host:6379/0")
	}
	return nil
}

// Local reports whether it is one server on this machine. Sentinels and servers of a cluster may
// name others.
func (a Address) Local() bool {
	return a.mode == single && !slices.ContainsFunc(a.Hosts, func(host string) bool {
		name, _, _ := net.SplitHostPort(host)
		ip := net.ParseIP(name)
		return name != "localhost" && (ip == nil || !ip.IsLoopback())
	})
}
