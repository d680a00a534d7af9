package webpush

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// MaxEndpoint bounds the length of an endpoint. Those of the known services have up to 500 bytes.
const MaxEndpoint = 1000

var errEndpoint = errors.New("the endpoint must be an https address of a push service")

// CheckEndpoint reports whether an endpoint may be that of a push service: https on its own port,
// at a public name. Users send endpoints, so that the server must not call whatever they name; what
// the name resolves to is checked at each connection.
func CheckEndpoint(endpoint string) error {
	u, err := url.Parse(endpoint)
	if err != nil || len(endpoint) > MaxEndpoint || u.Scheme != "https" || u.User != nil || u.Fragment != "" || u.Opaque != "" {
		return errEndpoint
	}
	if port := u.Port(); port != "" && port != "443" {
		return errEndpoint
	}
	return checkHost(strings.ToLower(u.Hostname()))
}

// localDomains are names that never belong to a public server.
var localDomains = []string{".local", ".localhost", ".internal", ".lan", ".home.arpa", ".corp", ".home", ".intranet", ".onion"}

func checkHost(host string) error {
	host = strings.TrimSuffix(host, ".")
	last := host[strings.LastIndexByte(host, '.')+1:]
	// Without a dot it is a name of the local network. Old notations of IPv4 end with a number.
	if !strings.Contains(host, ".") || strings.ContainsAny(host, ":%[]") || last == "" || last[0] >= '0' && last[0] <= '9' {
		return errEndpoint
	}
	for _, local := range localDomains {
		if strings.HasSuffix(host, local) {
			return errEndpoint
		}
	}
	return nil
}

var errPrivate = errors.New("the address is not public")

// reserved are the networks of unicast addresses that lead to no public server, or to any address
// through a gateway.
var reserved = func() []netip.Prefix {
	var list []netip.Prefix
	for _, text := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24",
		"203.0.113.0/24", "240.0.0.0/4", "::/8", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
		"5f00::/16", "fec0::/10",
	} {
		list = append(list, netip.MustParsePrefix(text))
	}
	return list
}()

// public reports whether an address is one of the internet.
func public(address netip.Addr) bool {
	address = address.Unmap().WithZone("")
	if !address.IsGlobalUnicast() || address.IsPrivate() {
		return false
	}
	for _, prefix := range reserved {
		if prefix.Contains(address) {
			return false
		}
	}
	return true
}

const (
	dialTimeout    = 5 * time.Second
	maxAnswerBytes = 16 << 10 // of the headers
	idlePerHost    = 8
	idleTimeout    = time.Minute
)

// Client returns an HTTP client that connects to public addresses only, whatever a name resolves to
// at that moment, and follows no redirects.
func Client() *http.Client {
	dialer := &net.Dialer{Timeout: dialTimeout, ControlContext: refusePrivate}
	transport := &http.Transport{
		DialContext:            dialer.DialContext, // no proxy, which would resolve names itself
		ForceAttemptHTTP2:      true,
		IdleConnTimeout:        idleTimeout,
		MaxIdleConnsPerHost:    idlePerHost,
		MaxResponseHeaderBytes: maxAnswerBytes,
		ResponseHeaderTimeout:  sendTimeout,
		TLSHandshakeTimeout:    dialTimeout,
	}
	toTestService(transport)
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// refusePrivate is called with each address before a connection is made.
func refusePrivate(_ context.Context, _, address string, _ syscall.RawConn) error {
	parsed, err := netip.ParseAddrPort(address)
	if err != nil || !public(parsed.Addr()) {
		return errPrivate
	}
	return nil
}
