package system

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/stretchr/testify/require"

	"amanat/internal/testing/otlptest"
	"amanat/tools/system/watch"
)

const repositoryRoot = "../.."

// Each expression is one of Prometheus and reads metrics of Amanat that docs/runbook.md lists.
func TestWatch_expressions(t *testing.T) {
	t.Parallel()
	names := documented(t)
	for place, expression := range expressions(t) {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			found := uses(t, expression)
			require.NotEmpty(t, found)
			for _, use := range found {
				require.Regexp(t, `^(up|(amanat|go|process)_\w+)$`, use.metric, "a metric of Amanat")
				if strings.HasPrefix(use.metric, "amanat_") {
					require.Contains(t, names, base(use.metric), "the table of metrics in docs/runbook.md")
				}
			}
		})
	}
}

// requireWatched requires that the processes have every metric, label and value of a label that the
// alerts and the dashboard in the folder deploy use, and exactly the metrics that docs/runbook.md
// lists.
func requireWatched(t *testing.T, processes ...*process) {
	t.Helper()
	var series []string
	exposed := map[string]bool{}
	for _, p := range processes {
		for name := range p.metrics() {
			series = append(series, name)
			if metric, _, _ := strings.Cut(name, "{"); strings.HasPrefix(metric, "amanat_") {
				exposed[base(metric)] = true
			}
		}
	}
	require.ElementsMatch(t, documented(t), slices.Collect(maps.Keys(exposed)), "the table of metrics in docs/runbook.md")
	for place, expression := range expressions(t) {
		for _, use := range uses(t, expression) {
			if use.metric != "up" { // Prometheus makes it
				require.True(t, anyMatches(series, use), "%s: no process has %s with the labels %v", place, use.metric, use.labels)
			}
		}
	}
}

// anyMatches reports whether a series has the metric and its labels. A status is any: a test does
// not provoke them all.
func anyMatches(series []string, use use) bool {
	for _, name := range series {
		metric, labels, _ := strings.Cut(name, "{")
		matches := metric == use.metric
		for label, value := range use.labels {
			want := label + `="` + value
			if value != "" && label != "status" {
				want += `"`
			} else {
				want = label + `="`
			}
			matches = matches && strings.Contains(","+strings.TrimSuffix(labels, "}"), ","+want)
		}
		if matches {
			return true
		}
	}
	return false
}

// expressions returns the expressions of all alerts and panels, by where they are.
func expressions(t *testing.T) map[string]string {
	t.Helper()
	rules, err := watch.Rules(repositoryRoot)
	require.NoError(t, err)
	dashboard, err := watch.ReadDashboard(repositoryRoot)
	require.NoError(t, err)
	expressions := map[string]string{}
	for _, rule := range rules {
		expressions["alert "+rule.Alert] = rule.Expr
	}
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			// Grafana replaces its variable before Prometheus sees the expression.
			expressions["panel "+panel.Title+" "+target.RefID] = strings.ReplaceAll(target.Expr, "$__rate_interval", "1m")
		}
	}
	return expressions
}

var (
	documentedRow  = regexp.MustCompile(`(?m)^\| (.amanat_[^|]*) \|`)
	documentedName = regexp.MustCompile("`([a-z_]+)`")
	histogramPart  = regexp.MustCompile(`_seconds_(bucket|count|sum)$`)
)

// documented returns the metrics in the table of docs/runbook.md.
func documented(t *testing.T) []string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(repositoryRoot, "docs", "runbook.md"))
	require.NoError(t, err)
	var names []string
	for _, row := range documentedRow.FindAllStringSubmatch(string(content), -1) {
		for _, name := range documentedName.FindAllStringSubmatch(row[1], -1) {
			names = append(names, name[1])
		}
	}
	return names
}

// base returns the name of the metric that a name belongs to: a histogram has several.
func base(name string) string { return histogramPart.ReplaceAllString(name, "_seconds") }

// use is a metric that an expression reads.
type use struct {
	metric string
	// labels are those that the expression selects or groups by, apart from the ones that
	// Prometheus adds; with the value if it must be equal to one, else "".
	labels map[string]string
}

// added are the labels that Prometheus adds to each metric it scrapes.
var added = []string{labels.MetricName, "job", "instance"}

// uses parses an expression of PromQL and returns the metrics that it reads.
func uses(t *testing.T, expression string) []use {
	t.Helper()
	parsed, err := parser.ParseExpr(expression)
	require.NoError(t, err, expression)
	var uses []use
	parser.Inspect(parsed, func(node parser.Node, path []parser.Node) error {
		selector, is := node.(*parser.VectorSelector)
		if !is {
			return nil
		}
		use := use{metric: selector.Name, labels: map[string]string{}}
		for _, above := range path {
			if aggregate, is := above.(*parser.AggregateExpr); is {
				for _, label := range aggregate.Grouping {
					use.labels[label] = ""
				}
			}
		}
		for _, matcher := range selector.LabelMatchers {
			use.labels[matcher.Name] = ""
			if matcher.Type == labels.MatchEqual {
				use.labels[matcher.Name] = matcher.Value
			}
		}
		for _, label := range added {
			delete(use.labels, label)
		}
		uses = append(uses, use)
		return nil
	})
	return uses
}

// The approval of a deposit is one trace, from the call in the api to the posting in the worker.
// The worker serves River UI to who has the token.
func TestTraces(t *testing.T) {
	t.Parallel()
	s := newSystem(t, released)
	collector := otlptest.New(t)
	const token = "a-token-of-operators"
	tokenFile := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(tokenFile, []byte(token+"\n"), 0o600))
	traced := []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + collector.URL, "OTEL_EXPORTER_OTLP_PROTOCOL=http/json"}
	api := s.startAPI(traced...)
	s.serve(api)
	worker := s.startWorker("money,mail,notify,maintenance", append(traced, "RIVER_UI_TOKEN_FILE="+tokenFile)...)
	s.amanat(s.db.APIURL, "set-rate", "120")
	admin, buyer := s.admin("boss"), s.member("nusrat")

	var reported struct {
		Deposit struct {
			ID uuid.UUID `json:"_id"`
		}
	}
	buyer.post("/auth/deposit", fields{"amount": 500, "transactionId": "AB12CD34EF", "paymentMethod": "Bkash"}).
		want(http.StatusCreated).into(&reported)
	admin.do(admin.ask("/admin/deposit/approve/"+reported.Deposit.ID.String(), fields{"amount": 500, "userId": buyer.ID})).
		want(http.StatusOK)

	const refused = http.StatusUnauthorized
	for password, want := range map[string]int{"": refused, "another-token-of-theirs": refused, token: http.StatusOK} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, worker.ops+"/river/api/jobs?state=completed", http.NoBody)
		require.NoError(t, err)
		request.SetBasicAuth("rahim", password)
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, want, response.StatusCode)
	}
	status, _ := api.opsPage("/river/")
	require.Equal(t, http.StatusNotFound, status, "the api has no River UI")

	api.stop(drainBound) // sends the last spans
	worker.stop(softStop)
	var places []string
	for _, span := range collector.Chain(t, "post deposit_approve") {
		places = append(places, span.Service+": "+span.Name)
	}
	require.Equal(t, []string{
		"amanat-api: POST /api/admin/deposit/approve/{id}", "amanat-worker: job deposit_approve",
		"amanat-worker: settle deposit_approve", "amanat-worker: post deposit_approve",
	}, places)
}
