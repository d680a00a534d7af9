package api_test

import (
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/otlp"
	"amanat/internal/testing/otlptest"
)

// A payment is one trace, from the call through operation and job to the posting, and the request
// id of its call is on all of them.
func TestTrace_payment(t *testing.T) {
	spans := otlptest.New(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", spans.URL)
	stop, err := otlp.Run(t.Context(), otlp.Options{
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
	}, names(spans.Chain(t, "post deal_pay")))
	require.Equal(t, []string{"POST /api/deals/pay/{id}", "request deal_pay"}, names(spans.Chain(t, "request deal_pay")))

	id := paid.header.Get("X-Request-Id")
	var operation, job string
	require.NoError(t, f.owner.QueryRow(t.Context(), `
		select o.request_id, j.metadata ->> 'request_id' from operations o
		  join river.river_job j on j.args @> jsonb_build_object('operation_id', o.id) where o.kind = 'deal_pay'`).Scan(&operation, &job))
	require.Equal(t, []string{id, id}, []string{operation, job})
	requireImpersonal(t, spans)
}

func names(spans []otlptest.Span) []string {
	list := make([]string, len(spans))
	for i, span := range spans {
		list[i] = span.GetName()
	}
	return list
}

// requireImpersonal requires that no span has what users wrote, their names or addresses, or SQL.
func requireImpersonal(t *testing.T, spans *otlptest.Collector) {
	t.Helper()
	require.NotEmpty(t, spans.Spans())
	for _, span := range spans.Spans() {
		text := strings.ToLower(span.String())
		for _, personal := range []string{"example.com", "select ", "insert into", `"buyer"`, `"seller"`, "amanat="} {
			require.NotContains(t, text, personal)
		}
	}
}
