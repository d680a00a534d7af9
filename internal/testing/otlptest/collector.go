// Package otlptest is a collector of traces for tests.
package otlptest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Span is a span and the process that has sent it.
type Span struct {
	Name     string `json:"name"`
	ID       string `json:"spanId"`
	ParentID string `json:"parentSpanId"`
	TraceID  string `json:"traceId"`
	Service  string `json:"-"`
	Text     string `json:"-"` // all that was sent
}

// Collector keeps the spans that it is sent over OTLP/HTTP as JSON, which
// OTEL_EXPORTER_OTLP_PROTOCOL=http/json asks for.
type Collector struct {
	URL string

	mu    sync.Mutex
	spans []Span
}

// New starts a collector, which stops with the test.
func New(t testing.TB) *Collector {
	t.Helper()
	c := &Collector{}
	server := httptest.NewServer(http.HandlerFunc(c.receive))
	t.Cleanup(server.Close)
	c.URL = server.URL
	return c
}

// request is what the collector reads of a request.
type request struct {
	ResourceSpans []struct {
		Resource struct {
			Attributes []struct {
				Key   string `json:"key"`
				Value struct {
					Text string `json:"stringValue"`
				} `json:"value"`
			} `json:"attributes"`
		} `json:"resource"`
		ScopeSpans []struct {
			Spans []json.RawMessage `json:"spans"`
		} `json:"scopeSpans"`
	} `json:"resourceSpans"`
}

func (c *Collector) receive(w http.ResponseWriter, r *http.Request) {
	var sent request
	if json.NewDecoder(r.Body).Decode(&sent) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, resource := range sent.ResourceSpans {
		service := ""
		for _, attribute := range resource.Resource.Attributes {
			if attribute.Key == "service.name" {
				service = attribute.Value.Text
			}
		}
		for _, scope := range resource.ScopeSpans {
			for _, text := range scope.Spans {
				span := Span{Service: service, Text: string(text)}
				if json.Unmarshal(text, &span) != nil {
					w.WriteHeader(http.StatusBadRequest)
					return
				}
				c.spans = append(c.spans, span)
			}
		}
	}
}

// Spans returns the spans that have arrived.
func (c *Collector) Spans() []Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.spans)
}

// Chain returns the first span with the name and its ancestors, from the root. All are of one
// trace.
func (c *Collector) Chain(t testing.TB, name string) []Span {
	t.Helper()
	spans := c.Spans()
	at := slices.IndexFunc(spans, func(s Span) bool { return s.Name == name })
	require.GreaterOrEqual(t, at, 0, "no span %s", name)
	trace := spans[at].TraceID
	var chain []Span
	for at >= 0 {
		span := spans[at]
		require.Equal(t, trace, span.TraceID)
		chain = append(chain, span)
		at = slices.IndexFunc(spans, func(s Span) bool { return s.ID == span.ParentID })
	}
	slices.Reverse(chain)
	return chain
}
