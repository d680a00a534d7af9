package torture

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
)

// link is a proxy between processes and a server, which can cut, reset and swallow.
type link struct {
	name  string
	mu    sync.Mutex
	proxy *toxiproxy.Proxy
}

// openLink starts a proxy to the address of a server.
func openLink(server *toxiproxy.ApiServer, name, upstream string) (*link, error) {
	l := &link{name: name, proxy: toxiproxy.NewProxy(server, name, "127.0.0.1:0", upstream)}
	return l, l.proxy.Start()
}

func newProxyServer() *toxiproxy.ApiServer {
	return toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
}

func (l *link) address() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.proxy.Listen
}

// lead makes new connections go to another server and closes the others.
func (l *link) lead(upstream string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.proxy.Update(&toxiproxy.Proxy{Listen: l.proxy.Listen, Upstream: upstream, Enabled: false}); err != nil {
		return err
	}
	return l.proxy.Update(&toxiproxy.Proxy{Listen: l.proxy.Listen, Upstream: upstream, Enabled: true})
}

func (l *link) close() { l.proxy.Stop() }

// toxic is something bad that happens to a link until it is removed.
type toxic struct {
	Name       string           `json:"name"`
	Type       string           `json:"type"`
	Stream     string           `json:"stream"`
	Attributes map[string]int64 `json:"attributes"`
}

// The directions of a link.
const (
	upstream   = "upstream"
	downstream = "downstream"
)

// swallow keeps connections open and lets nothing through.
func swallow() []toxic {
	return []toxic{
		{Type: "timeout", Stream: upstream, Attributes: map[string]int64{"timeout": 0}},
		{Type: "timeout", Stream: downstream, Attributes: map[string]int64{"timeout": 0}},
	}
}

// reset resets connections that are used.
func reset() []toxic {
	return []toxic{{Type: "reset_peer", Stream: downstream, Attributes: map[string]int64{"timeout": 0}}}
}

// cut ends every connection after some bytes, which may be in the middle of a commit or of its
// answer.
func cut(stream string, bytes int64) []toxic {
	return []toxic{{Type: "limit_data", Stream: stream, Attributes: map[string]int64{"bytes": bytes}}}
}

func toxicName(t toxic, i int) string { return fmt.Sprintf("%s-%d", t.Type, i) }

// disturb makes the toxics work until the returned function is called.
func (l *link) disturb(ctx context.Context, toxics []toxic) (heal func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	proxy := l.proxy
	for i, t := range toxics {
		t.Name = toxicName(t, i)
		encoded, err := json.Marshal(t)
		if err != nil {
			return nil, err
		}
		if _, err := proxy.Toxics.AddToxicJson(strings.NewReader(string(encoded))); err != nil {
			return nil, fmt.Errorf("%s on %s: %w", t.Type, l.name, err)
		}
	}
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		for i, t := range toxics {
			_ = proxy.Toxics.RemoveToxic(context.WithoutCancel(ctx), toxicName(t, i)) // it fails only if there is none
		}
	}, nil
}
