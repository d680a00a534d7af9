package api

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// proxies are the networks whose word about the client's address is believed.
type proxies []netip.Prefix

func (p proxies) trust(address netip.Addr) bool {
	for _, prefix := range p {
		if prefix.Contains(address.Unmap()) {
			return true
		}
	}
	return false
}

// peer returns the address of the other end of the connection; ok is false when it is not an IP address.
func peer(r *http.Request) (address netip.Addr, ok bool) {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	address, err = netip.ParseAddr(host)
	return address, err == nil
}

// client returns the address of the client. X-Forwarded-For is read from its end, where our own proxies write, and only as long as each
// hop is one of them: what stands before was sent by the client and may say anything.
func (p proxies) client(r *http.Request) string {
	address, ok := peer(r)
	if !ok {
		return r.RemoteAddr
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && p.trust(address); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		address = hop
	}
	return address.Unmap().String()
}
