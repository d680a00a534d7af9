package webpush

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPublic(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"8.8.8.8", "142.250.4.95", "2404:6800:4003:c00::5f", "::ffff:8.8.8.8"} {
		require.True(t, public(netip.MustParseAddr(address)), address)
	}
	for _, address := range []string{
		"0.0.0.0", "127.0.0.1", "127.8.8.8", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "192.0.2.1",
		"198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "fe80::1", "fe80::1%eth0",
		"fc00::1", "fd12::1", "ff02::1", "64:ff9b::a00:1", "2002:a00:1::", "2001:db8::1", "2001::1",
	} {
		require.False(t, public(netip.MustParseAddr(address)), address)
	}
}
