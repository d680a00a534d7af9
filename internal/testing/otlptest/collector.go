// Package otlptest is a collector of traces for tests.
package otlptest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Span is a span and the process that has sent it.
type Span struct {
	*otlp.Span
	Service string
}

// Collector keeps the spans that it is sent over OTLP/HTTP.
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

func (c *Collector) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var request collector.ExportTraceServiceRequest
	if err != nil || proto.Unmarshal(body, &request) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, resource := range request.GetResourceSpans() {
		service := ""
		for _, attribute := range resource.GetResource().GetAttributes() {
			if attribute.GetKey() == "service.name" {
				service = attribute.GetValue().GetStringValue()
			}
		}
		for _, scope := range resource.GetScopeSpans() {
			for _, span := range scope.GetSpans() {
				c.spans = append(c.spans, Span{span, service})
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
	at := slices.IndexFunc(spans, func(s Span) bool { return s.GetName() == name })
	require.GreaterOrEqual(t, at, 0, "no span %s", name)
	trace := string(spans[at].GetTraceId())
	var chain []Span
	for at >= 0 {
		span := spans[at]
		require.Equal(t, trace, string(span.GetTraceId()))
		chain = append(chain, span)
		at = slices.IndexFunc(spans, func(s Span) bool { return string(s.GetSpanId()) == string(span.GetParentSpanId()) })
	}
	slices.Reverse(chain)
	return chain
}
