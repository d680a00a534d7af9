//go:build soak

package system

import (
	"strings"
	"testing"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"
)

// blackHole is a proxy to a server that can block: connections stay open, but no data passes in
// either direction.
type blackHole struct {
	t       *testing.T
	proxy   *toxiproxy.Proxy
	address string
}

// newBlackHole starts a proxy to the server of a redis:// URL.
func newBlackHole(t *testing.T, url string) *blackHole {
	t.Helper()
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	h := &blackHole{t: t, proxy: toxiproxy.NewProxy(server, "hole", "127.0.0.1:0", strings.TrimPrefix(url, "redis://"))}
	require.NoError(t, h.proxy.Start())
	t.Cleanup(h.proxy.Stop)
	h.address = h.proxy.Listen
	return h
}

func (h *blackHole) block() {
	h.t.Helper()
	for _, stream := range []string{"upstream", "downstream"} {
		_, err := h.proxy.Toxics.AddToxicJson(strings.NewReader(
			`{"name": "` + stream + `", "type": "timeout", "stream": "` + stream + `", "attributes": {"timeout": 0}}`))
		require.NoError(h.t, err)
	}
}

func (h *blackHole) restore() {
	h.t.Helper()
	for _, stream := range []string{"upstream", "downstream"} {
		require.NoError(h.t, h.proxy.Toxics.RemoveToxic(h.t.Context(), stream))
	}
}

// linkUp reports whether an api considers its link to Redis alive.
func linkUp(api *process) bool { return api.metrics()["amanat_realtime_link_up"] == 1 }

// slowCloses returns the number of sockets that an api has closed because their clients did not
// read.
func slowCloses(api *process) float64 {
	return api.metrics()[`amanat_realtime_sockets_closed_total{reason="slow"}`]
}
