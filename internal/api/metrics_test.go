package api_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/pauses"
	"amanat/internal/lib/otlp"
	"amanat/internal/lib/tracing"
	"amanat/internal/testing/otlptest"
)

// values returns the values of a counter by its only label.
func values(t *testing.T, registry *prometheus.Registry, name string) map[string]float64 {
	t.Helper()
	families, err := registry.Gather()
	require.NoError(t, err)
	found := map[string]float64{}
	for _, family := range families {
		if family.GetName() == name {
			for _, metric := range family.GetMetric() {
				found[metric.GetLabel()[0].GetValue()] = metric.GetCounter().GetValue()
			}
		}
	}
	return found
}

func TestMetrics_logins_and_uploads(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	before := values(t, f.metrics, "amanat_logins_total")
	require.Len(t, before, 9, "a series from the start")
	member := f.member("rahim")
	f.visitor().post("/auth/login", fields{"username": "rahim", "password": "not-his"}).want(401)
	f.visitor().post("/auth/login", fields{"username": "", "password": ""}).want(400)
	after := values(t, f.metrics, "amanat_logins_total")
	require.InDelta(t, 1, after["wrong"]-before["wrong"], 0)
	require.InDelta(t, 1, after["invalid"]-before["invalid"], 0)

	require.Zero(t, values(t, f.metrics, "amanat_uploads_total")["received"])
	member.post("/posts", fields{"title": "A channel", "image": strings.Repeat("A", 200<<10)})
	require.InDelta(t, 1, values(t, f.metrics, "amanat_uploads_total")["received"], 0)
}

// operator returns the service of the operator's tool. The api hears of its changes when its clock
// has advanced by two seconds.
func (f *fixture) operator() *pauses.Service { return &pauses.Service{DB: f.workerDB, Clock: f.clock} }

func (f *fixture) pauses(areas ...pauses.Area) {
	f.t.Helper()
	for _, area := range areas {
		require.NoError(f.t, f.operator().Pause(f.t.Context(), area, "a test"))
	}
	f.clock.Advance(2 * time.Second)
}

func (f *fixture) resumes(areas ...pauses.Area) {
	f.t.Helper()
	for _, area := range areas {
		_, err := f.operator().Resume(f.t.Context(), area)
		require.NoError(f.t, err)
	}
	f.clock.Advance(2 * time.Second)
}

const (
	textMoneyPaused = "Payments are paused for a short time. Your money is safe, and nothing is lost. Please try again later."
	report          = "/auth/deposit"
)

func TestPauses_money(t *testing.T) {
	t.Parallel()
	f, _, buyer, seller := newFixtureWithUsers(t)
	waits := buyer.withdraws(10, "01712345678")
	deal := buyer.agreed(seller, 20)
	f.pauses(pauses.Money)

	pay, key := "/deals/pay/"+deal.ID.String(), []string{"Idempotency-Key", "one-click"}
	paid := buyer.post(pay, nil, key...)
	require.Equal(t, "paused_money", paid.refused(503, "unavailable", textMoneyPaused).Reason)
	require.Equal(t, "60", paid.header.Get("Retry-After"))
	withdrawal := fields{"amount": 10, "phonenumber": "01712345678", "paymentMethod": "Bkash"}
	buyer.post("/withdraw", withdrawal).refused(503, "unavailable", textMoneyPaused)
	buyer.post(report, fields{}).refused(503, "unavailable", textMoneyPaused)

	// What moves no money goes on, and so does saying that a withdrawal was somebody else's.
	buyer.get("/deals/" + deal.ID.String()).want(200)
	f.visitor().post("/auth/logout", nil).want(200)
	buyer.notMine(waits.ID)

	f.resumes(pauses.Money)
	buyer.post(pay, nil, key...).want(200)
}

func TestPauses_areas(t *testing.T) {
	t.Parallel()
	f, _, buyer, _ := newFixtureWithUsers(t)
	var now api.Pauses
	f.visitor().get("/public/pauses").want(200).into(&now)
	require.Empty(t, now.Paused)
	require.NotNil(t, now.Paused)
	begun := f.clock.Now()
	f.pauses(pauses.Deposits, pauses.Withdrawals, pauses.Signups)

	f.visitor().get("/public/pauses").want(200).into(&now)
	require.Len(t, now.Paused, 3)
	require.Equal(t, pauses.Deposits, now.Paused[0].Area)
	require.WithinDuration(t, begun, now.Paused[0].Since, time.Second)
	buyer.post(report, fields{}).
		refused(503, "unavailable", "Deposits are paused for a short time. Please do not send money now, and try again later.")
	buyer.post("/withdraw", fields{}).
		refused(503, "unavailable", "Withdrawals are paused for a short time. Your balance is safe. Please try again later.")
	f.visitor().post("/auth/signup", fields{}).
		refused(503, "unavailable", "New accounts are paused for a short time. Please try again later.")

	f.resumes(pauses.Deposits, pauses.Withdrawals, pauses.Signups)
	buyer.post(report, fields{}).want(400)
	f.visitor().post("/auth/signup", fields{}).want(400)
}

// failures returns the "request failed" lines of the log.
func failures(t *testing.T, log string) []map[string]string {
	t.Helper()
	var found []map[string]string
	for line := range strings.Lines(log) {
		if !strings.Contains(line, `"msg":"request failed"`) {
			continue
		}
		var attributes map[string]string
		require.NoError(t, json.Unmarshal([]byte(line), &attributes), line)
		delete(attributes, "time")
		found = append(found, attributes)
	}
	return found
}

// The log line of a failed request names the route, the user and the SQL statement that failed.
func TestFailureLog_names_statement(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	b := f.member("rahim")
	_, err := f.owner.Exec(t.Context(), "alter table reviews rename to elsewhere")
	require.NoError(t, err)
	id := uuid.NewString()
	reply := b.get("/deals/" + id)
	reply.refused(500, "internal", "Something went wrong")
	var body api.Error
	reply.into(&body)
	require.Equal(t, tracing.Reference(reply.header.Get("X-Request-Id")), body.Reference)

	lines := failures(t, f.log.String())
	require.Len(t, lines, 1)
	require.Contains(t, lines[0]["error"], "42P01")
	statements := "deals.get, deals.list_events, deals.list_pictures, deals.open_counteroffer, deals.dispute_of, operations.pending_on: "
	require.True(t, strings.HasPrefix(lines[0]["error"], statements), lines[0]["error"])
	require.NotContains(t, lines[0]["error"], id, "values of statements are not logged")
	delete(lines[0], "error")
	require.Equal(t, map[string]string{
		"level": "ERROR", "msg": "request failed", "code": "internal", "method": "GET", "route": "/api/deals/{id}",
		"request_id": reply.header.Get("X-Request-Id"), "user_id": b.user.ID.String(),
		"ref": tracing.Reference(reply.header.Get("X-Request-Id")),
	}, lines[0])
}

// The log line of a visitor's failed request has no user_id.
func TestFailureLog_visitor(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, err := f.owner.Exec(t.Context(), "alter table deposits rename to elsewhere")
	require.NoError(t, err)
	f.visitor().get("/public/public-stats").refused(500, "internal", "Something went wrong")
	lines := failures(t, f.log.String())
	require.Len(t, lines, 1)
	require.Equal(t, "/api/public/public-stats", lines[0]["route"])
	require.Contains(t, lines[0]["error"], "reports.public_stats: ")
	require.NotContains(t, lines[0], "user_id")
}

// A payment is one trace, from the call through operation and job to the posting, and the request
// id of its call is on all of them.
func TestTrace_payment(t *testing.T) {
	spans := otlptest.New(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", spans.URL)
	t.Setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json")
	stop, err := otlp.Run(t.Context(), otlp.Options{
		Service: "test", Version: "1", Enabled: true, Log: quiet(), Registry: prometheus.NewRegistry(),
	})
	require.NoError(t, err)
	defer stop()

	f := newFixture(t)
	stopWork := f.work()
	_, buyer, seller := f.market()
	deal := seller.proposeToBuyer(buyer, 100)
	paid := buyer.post("/deals/pay/"+deal.ID.String(), nil).want(200)
	stopWork()
	stop()

	require.Equal(t, []string{
		"POST /api/deals/pay/{id}", "job deal_pay", "transaction", "settle deal_pay", "post deal_pay",
	}, names(spans.Chain(t, "post deal_pay")))

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
		list[i] = span.Name
	}
	return list
}

// requireImpersonal requires that no span has what users wrote, their names or addresses, or SQL.
func requireImpersonal(t *testing.T, spans *otlptest.Collector) {
	t.Helper()
	require.NotEmpty(t, spans.Spans())
	for _, span := range spans.Spans() {
		text := strings.ToLower(span.Text)
		for _, personal := range []string{"example.com", "select ", "insert into", `"buyer"`, `"seller"`, "amanat="} {
			require.NotContains(t, text, personal)
		}
	}
}
