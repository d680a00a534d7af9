package api_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"amanat/internal/platform/tracing"
)

// receiver is a collector that keeps the spans it is sent.
type receiver struct {
	mu    sync.Mutex
	spans []*otlp.Span
}

func (c *receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var request collector.ExportTraceServiceRequest
	if err != nil || proto.Unmarshal(body, &request) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, resource := range request.GetResourceSpans() {
		for _, scope := range resource.GetScopeSpans() {
			c.spans = append(c.spans, scope.GetSpans()...)
		}
	}
}

// chain returns the names of the first span with the name and its ancestors, from the root, and
// whether all are of one trace.
func (c *receiver) chain(t *testing.T, name string) []string {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	at := slices.IndexFunc(c.spans, func(s *otlp.Span) bool { return s.GetName() == name })
	require.GreaterOrEqual(t, at, 0, "no span %s", name)
	trace := string(c.spans[at].GetTraceId())
	var names []string
	for at >= 0 {
		span := c.spans[at]
		require.Equal(t, trace, string(span.GetTraceId()))
		names = append(names, span.GetName())
		at = slices.IndexFunc(c.spans, func(s *otlp.Span) bool { return string(s.GetSpanId()) == string(span.GetParentSpanId()) })
	}
	slices.Reverse(names)
	return names
}

// A payment is one trace, from the call through operation and job to the posting, and the request
// id of its call is on all of them.
func TestTrace_payment(t *testing.T) {
	spans := &receiver{}
	server := httptest.NewServer(spans)
	defer server.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", server.URL)
	stop, err := tracing.Run(t.Context(), tracing.Options{
		Service: "test", Version: "1", Enabled: true, Log: quiet(), Registry: prometheus.NewRegistry(),
	})
	require.NoError(t, err)
	defer stop()

	f := newFixture(t)
	stopWork := f.work()
	boss, buyer, seller := f.admin("boss"), f.member("buyer"), f.member("seller")
	boss.setRate(120)
	buyer.fund(boss, 500)
	deal := seller.proposeToBuyer(buyer, 100)
	paid := buyer.post("/deals/pay/"+deal.ID.String(), nil).want(200)
	stopWork()
	stop()

	require.Equal(t, []string{
		"POST /api/deals/pay/{id}", "request deal_pay", "job deal_pay", "transaction", "settle deal_pay", "post deal_pay",
	}, spans.chain(t, "post deal_pay"))
	require.Equal(t, []string{"POST /api/deals/pay/{id}", "request deal_pay"}, spans.chain(t, "request deal_pay"))

	id := paid.header.Get("X-Request-Id")
	var operation, job string
	require.NoError(t, f.owner.QueryRow(t.Context(), `
		select o.request_id, j.metadata ->> 'request_id' from operations o
		  join river.river_job j on j.args @> jsonb_build_object('operation_id', o.id) where o.kind = 'deal_pay'`).Scan(&operation, &job))
	require.Equal(t, []string{id, id}, []string{operation, job})
	requireImpersonal(t, spans)
}

// requireImpersonal requires that no span has what users wrote, their names or addresses, or SQL.
func requireImpersonal(t *testing.T, spans *receiver) {
	t.Helper()
	spans.mu.Lock()
	defer spans.mu.Unlock()
	require.NotEmpty(t, spans.spans)
	for _, span := range spans.spans {
		text := strings.ToLower(span.String())
		for _, personal := range []string{"example.com", "select ", "insert into", `"buyer"`, `"seller"`, "amanat="} {
			require.NotContains(t, text, personal)
		}
	}
}
