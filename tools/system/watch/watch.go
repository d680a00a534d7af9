// Package watch reads the alerts for Prometheus and the dashboard for Grafana in the folder deploy,
// so that tests can compare them with the runbook and with the metrics of real processes.
package watch

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

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
