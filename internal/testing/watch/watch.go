// Package watch reads the alerts for Prometheus and the dashboard for Grafana in the folder deploy,
// so that tests can compare them with the runbook and with the metrics of real processes.
package watch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
	"go.yaml.in/yaml/v3"
)

// Rule is an alerting rule.
type Rule struct {
	Alert       string            `yaml:"alert"`
	Expr        string            `yaml:"expr"`
	For         time.Duration     `yaml:"for"`
	Labels      map[string]string `yaml:"labels"`
	Annotations map[string]string `yaml:"annotations"`
}

// Rules returns the rules of deploy/prometheus/alerts.yaml. root is the folder of the repository.
// It fails if the file has a field that Prometheus does not know, or one twice.
func Rules(root string) ([]Rule, error) {
	content, err := os.ReadFile(filepath.Join(root, "deploy", "prometheus", "alerts.yaml"))
	if err != nil {
		return nil, err
	}
	var file struct {
		Groups []struct {
			Name  string `yaml:"name"`
			Rules []Rule `yaml:"rules"`
		} `yaml:"groups"`
	}
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	decoder.KnownFields(true)
	if err := decoder.Decode(&file); err != nil {
		return nil, err
	}
	var rules []Rule
	for _, group := range file.Groups {
		rules = append(rules, group.Rules...)
	}
	return rules, nil
}

// Place is where a panel is in a grid of 24 columns.
type Place struct {
	X int `json:"x"`
	Y int `json:"y"`
	W int `json:"w"`
	H int `json:"h"`
}

// Panel is a panel, or a row that is the heading of those below it.
type Panel struct {
	ID          int               `json:"id"`
	Type        string            `json:"type"`
	Title       string            `json:"title"`
	Description string            `json:"description"`
	Collapsed   bool              `json:"collapsed"`
	Place       Place             `json:"gridPos"`
	Datasource  map[string]string `json:"datasource"`
	Field       struct {
		Defaults struct {
			Unit string `json:"unit"`
			Min  int    `json:"min"`
		} `json:"defaults"`
		Overrides []any `json:"overrides"`
	} `json:"fieldConfig"`
	Targets []struct {
		RefID  string `json:"refId"`
		Expr   string `json:"expr"`
		Legend string `json:"legendFormat"`
	} `json:"targets"`
	Panels []any `json:"panels"`
}

// Dashboard is deploy/grafana/amanat.json. It is written by hand: it has only these fields.
type Dashboard struct {
	UID           string            `json:"uid"`
	Title         string            `json:"title"`
	Description   string            `json:"description"`
	Tags          []string          `json:"tags"`
	SchemaVersion int               `json:"schemaVersion"`
	Editable      bool              `json:"editable"`
	GraphTooltip  int               `json:"graphTooltip"`
	Refresh       string            `json:"refresh"`
	Time          map[string]string `json:"time"`
	Timezone      string            `json:"timezone"`
	Templating    struct {
		List []struct {
			Name  string `json:"name"`
			Label string `json:"label"`
			Type  string `json:"type"`
			Query string `json:"query"`
		} `json:"list"`
	} `json:"templating"`
	Panels []Panel `json:"panels"`
}

// ReadDashboard returns the dashboard. It fails if the file has a field that Dashboard lacks.
func ReadDashboard(root string) (Dashboard, error) {
	content, err := os.ReadFile(filepath.Join(root, "deploy", "grafana", "amanat.json"))
	if err != nil {
		return Dashboard{}, err
	}
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	var dashboard Dashboard
	return dashboard, decoder.Decode(&dashboard)
}

// Expressions returns the expressions of all alerts and panels, by where they are.
func Expressions(root string) (map[string]string, error) {
	rules, err := Rules(root)
	if err != nil {
		return nil, err
	}
	dashboard, err := ReadDashboard(root)
	if err != nil {
		return nil, err
	}
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
	return expressions, nil
}

var (
	documentedRow  = regexp.MustCompile(`(?m)^\| (.amanat_[^|]*) \|`)
	documentedName = regexp.MustCompile("`([a-z_]+)`")
	histogramPart  = regexp.MustCompile(`_seconds_(bucket|count|sum)$`)
)

// Documented returns the metrics in the table of docs/runbook.md.
func Documented(root string) ([]string, error) {
	content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash("docs/runbook.md")))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, row := range documentedRow.FindAllStringSubmatch(string(content), -1) {
		for _, name := range documentedName.FindAllStringSubmatch(row[1], -1) {
			names = append(names, name[1])
		}
	}
	return names, nil
}

// Base returns the name of the metric that a name belongs to: a histogram has several.
func Base(name string) string { return histogramPart.ReplaceAllString(name, "_seconds") }

// Use is a metric that an expression reads.
type Use struct {
	Metric string
	// Labels are those that the expression selects or groups by, apart from the ones that
	// Prometheus adds; with the value if it must be equal to one, else "".
	Labels map[string]string
}

// added are the labels that Prometheus adds to each metric it scrapes.
var added = map[string]bool{labels.MetricName: true, "job": true, "instance": true}

// Uses parses an expression of PromQL and returns the metrics that it reads.
func Uses(expression string) ([]Use, error) {
	parsed, err := parser.ParseExpr(expression)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", expression, err)
	}
	var uses []Use
	parser.Inspect(parsed, func(node parser.Node, path []parser.Node) error {
		selector, is := node.(*parser.VectorSelector)
		if !is {
			return nil
		}
		use := Use{Metric: selector.Name, Labels: map[string]string{}}
		for _, above := range path {
			if aggregate, is := above.(*parser.AggregateExpr); is {
				for _, label := range aggregate.Grouping {
					use.Labels[label] = ""
				}
			}
		}
		for _, matcher := range selector.LabelMatchers {
			use.Labels[matcher.Name] = ""
			if matcher.Type == labels.MatchEqual {
				use.Labels[matcher.Name] = matcher.Value
			}
		}
		for label := range use.Labels {
			if added[label] {
				delete(use.Labels, label)
			}
		}
		uses = append(uses, use)
		return nil
	})
	return uses, nil
}
