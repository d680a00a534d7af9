package deploy

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/types"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"amanat/internal/app/config"
	"amanat/internal/testing/dbtest"
	"amanat/tools/system/watch"
)

const repositoryRoot = "../../.."

func rules(t *testing.T) []watch.Rule {
	t.Helper()
	rules, err := watch.Rules(repositoryRoot)
	require.NoError(t, err)
	require.NotEmpty(t, rules)
	return rules
}

// What their expressions read, and that real processes have it, is checked in tools/system.
func TestAlerts(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, rule := range rules(t) {
		t.Run(rule.Alert, func(t *testing.T) {
			t.Parallel()
			require.Regexp(t, `^Amanat([A-Z][a-z]+)+$`, rule.Alert)
			require.Contains(t, []string{"page", "ticket"}, rule.Labels["severity"])
			require.Len(t, rule.Labels, 1)
			require.NotEmpty(t, rule.Annotations["summary"])
			require.Regexp(t, `(?s)^.{20,}\.$`, rule.Annotations["description"], "a whole sentence says what it means")
			require.Equal(t, "docs/runbook.md#"+strings.ToLower(rule.Alert), rule.Annotations["runbook"])
			require.Len(t, rule.Annotations, 3)
		})
		require.False(t, seen[rule.Alert], "%s stands twice", rule.Alert)
		seen[rule.Alert] = true
	}
}

func TestDashboard(t *testing.T) {
	t.Parallel()
	dashboard, err := watch.ReadDashboard(repositoryRoot)
	require.NoError(t, err)
	require.Equal(t, "amanat", dashboard.UID, "links to it stay valid")
	require.Len(t, dashboard.Templating.List, 1)
	require.Equal(t, "datasource", dashboard.Templating.List[0].Name)
	require.Equal(t, "datasource", dashboard.Templating.List[0].Type)

	ids, cells := map[int]bool{}, map[[2]int]string{}
	var rows []string
	for _, panel := range dashboard.Panels {
		require.False(t, ids[panel.ID], "panel %q: its id is another's, too", panel.Title)
		ids[panel.ID] = true
		for x := panel.Place.X; x < panel.Place.X+panel.Place.W; x++ {
			require.Less(t, x, 24, "panel %q is wider than the grid", panel.Title)
			for y := panel.Place.Y; y < panel.Place.Y+panel.Place.H; y++ {
				require.Empty(t, cells[[2]int{x, y}], "panel %q lies over another", panel.Title)
				cells[[2]int{x, y}] = panel.Title
			}
		}
		if panel.Type == "row" {
			rows = append(rows, panel.Title)
			continue
		}
		require.Equal(t, map[string]string{"type": "prometheus", "uid": "${datasource}"}, panel.Datasource, panel.Title)
		require.NotEmpty(t, panel.Targets, panel.Title)
		for _, target := range panel.Targets {
			require.NotEmpty(t, target.Legend, "%s: a line without a name shows its expression", panel.Title)
		}
	}
	require.Equal(t, []string{"People", "Money", "Queue and email", "Realtime", "Database and storage", "Processes"}, rows)
}

// Each alert has a section, and each section below "Alerts" is that of an alert.
func TestRunbook_alerts(t *testing.T) {
	t.Parallel()
	_, after, found := strings.Cut(read(t, "docs/runbook.md"), "\n## Alerts\n")
	require.True(t, found)
	section, _, _ := strings.Cut(after, "\n## ")
	var sections, alerts []string
	for _, part := range strings.Split(section, "\n### ")[1:] {
		name, text, _ := strings.Cut(part, "\n")
		sections = append(sections, name)
		require.Contains(t, text, "**Confirm", name)
		require.Contains(t, text, "**Over:**", name)
	}
	for _, rule := range rules(t) {
		alerts = append(alerts, rule.Alert)
	}
	require.Equal(t, alerts, sections, "in the order of the file")
}

func TestRunbook_incidents(t *testing.T) {
	t.Parallel()
	_, after, found := strings.Cut(read(t, "docs/runbook.md"), "\n## Incidents\n")
	require.True(t, found)
	incidents := strings.Split(after, "\n### ")[1:]
	require.NotEmpty(t, incidents)
	for _, incident := range incidents {
		title, text, _ := strings.Cut(incident, "\n")
		for _, part := range []string{"**See:**", "**Confirm", "**Do", "**Over:**"} {
			require.Contains(t, text, part, title)
		}
	}
}

// blocks returns the contents of the runbook's fenced blocks in a language.
func blocks(t *testing.T, language string) []string {
	t.Helper()
	var found []string
	pattern := regexp.MustCompile("(?ms)^ *```" + language + "\n(.*?)^ *```$")
	for _, block := range pattern.FindAllStringSubmatch(read(t, "docs/runbook.md"), -1) {
		found = append(found, block[1])
	}
	require.NotEmpty(t, found)
	return found
}

// Every command of the runbook has a test: those of amanat in cmd/amanat.
func TestRunbook_commands(t *testing.T) {
	t.Parallel()
	for _, block := range blocks(t, "sh") {
		for line := range strings.Lines(block) {
			line = regexp.MustCompile(`^ *([A-Z_]+=\S+ )*`).ReplaceAllString(line, "")
			require.Regexp(t, `^(amanat|curl|docker compose logs|journalctl|kubectl logs|psql) `, line, "a command that a test knows")
		}
	}
}

// Each statement of the runbook runs on a database of this version, as its owner.
func TestRunbook_sql(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t).Owner()
	for _, block := range blocks(t, "sql") {
		block = strings.NewReplacer(":'username'", "'rahim'", ":'job'", "'1'").Replace(block)
		tx, err := db.Begin(t.Context())
		require.NoError(t, err)
		_, err = tx.Exec(t.Context(), block)
		require.NoError(t, err, block)
		require.NoError(t, tx.Rollback(t.Context()))
	}
}

// The servers of the profile are reached from this machine only, and find the files of this folder.
func TestCompose_monitoring(t *testing.T) {
	t.Parallel()
	for name, service := range compose(t, nil) {
		monitors := slices.Contains([]string{"prometheus", "alertmanager", "grafana"}, name)
		require.Equal(t, monitors, len(service.Profiles) > 0, "%s: users of compose.yaml start it only on request", name)
		if !monitors {
			continue
		}
		require.Equal(t, []string{"monitoring"}, service.Profiles)
		require.Len(t, service.Ports, 1)
		require.Equal(t, "127.0.0.1", service.Ports[0].HostIP, name)
		for _, volume := range service.Volumes {
			_, source, found := strings.Cut(volume.Source, "/deploy/")
			if !found {
				require.Equal(t, types.VolumeTypeVolume, volume.Type)
				continue
			}
			_, err := os.Stat(filepath.Join(repositoryRoot, "deploy", source))
			require.NoError(t, err)
			if source == "prometheus" {
				require.Equal(t, "--config.file="+volume.Target+"/"+name+".yaml", service.Command[0])
			}
			if strings.HasSuffix(source, "/amanat.json") {
				require.Contains(t, read(t, "deploy/grafana/provisioning/dashboards/amanat.yaml"), "path: "+filepath.Dir(volume.Target)+"}")
			}
		}
	}
	require.Contains(t, read(t, "deploy/grafana/provisioning/datasources/prometheus.yaml"), `"http://prometheus:9090"`)
}

// The example scrapes the ops ports of compose.yaml under the names that alerts and dashboard use.
func TestPrometheus_configuration(t *testing.T) {
	t.Parallel()
	var file struct {
		RuleFiles []string `yaml:"rule_files"`
		Scrape    []struct {
			Job string `yaml:"job_name"`
			DNS []struct {
				Names []string `yaml:"names"`
				Port  int      `yaml:"port"`
			} `yaml:"dns_sd_configs"`
		} `yaml:"scrape_configs"`
	}
	require.NoError(t, yaml.Unmarshal([]byte(read(t, "deploy/prometheus/prometheus.yaml")), &file))
	require.Equal(t, []string{"alerts.yaml"}, file.RuleFiles)
	services := compose(t, nil)
	ports := map[string]string{
		"api":    port(t, parse[config.API](t, environment(t, services["api"])).OpsAddr),
		"worker": port(t, parse[config.Worker](t, environment(t, services["worker"])).OpsAddr),
	}
	require.Len(t, file.Scrape, len(ports))
	for _, scrape := range file.Scrape {
		service := strings.TrimPrefix(scrape.Job, "amanat-")
		require.Equal(t, []string{service}, scrape.DNS[0].Names)
		require.Equal(t, ports[service], strconv.Itoa(scrape.DNS[0].Port))
	}
}

// The example for systemd scrapes the processes of docs/deployment.md.
func TestPrometheus_systemd(t *testing.T) {
	t.Parallel()
	var file struct {
		RuleFiles []string `yaml:"rule_files"`
		Scrape    []struct {
			Job    string `yaml:"job_name"`
			Static []struct {
				Targets []string `yaml:"targets"`
			} `yaml:"static_configs"`
		} `yaml:"scrape_configs"`
	}
	require.NoError(t, yaml.Unmarshal([]byte(read(t, "deploy/prometheus/prometheus.systemd.yaml")), &file))
	require.Equal(t, []string{"alerts.yaml"}, file.RuleFiles)
	targets := map[string][]string{}
	for _, started := range regexp.MustCompile(`amanat-(api|worker)@(\w+)`).FindAllStringSubmatch(example(t, "start"), -1) {
		job, instance := "amanat-"+started[1], started[2]
		values := readUnit(t, job+"@.service").whole(t, instance)
		targets[job] = append(targets[job], values["OPS_ADDR"])
	}
	require.Len(t, file.Scrape, len(targets))
	for _, scrape := range file.Scrape {
		require.ElementsMatch(t, targets[scrape.Job], scrape.Static[0].Targets)
	}
}

// Every severity of an alert has a receiver.
func TestAlertmanager(t *testing.T) {
	t.Parallel()
	var file struct {
		Route struct {
			Receiver string
			Routes   []struct {
				Receiver string
				Matchers []string
			}
		}
		Receivers []struct{ Name string }
	}
	require.NoError(t, yaml.Unmarshal([]byte(read(t, "deploy/prometheus/alertmanager.yaml")), &file))
	var names []string
	for _, receiver := range file.Receivers {
		names = append(names, receiver.Name)
	}
	receivers := map[string]string{}
	for _, rule := range rules(t) {
		severity := rule.Labels["severity"]
		receivers[severity] = file.Route.Receiver
		for _, route := range file.Route.Routes {
			if slices.Contains(route.Matchers, fmt.Sprintf("severity=%q", severity)) {
				receivers[severity] = route.Receiver
			}
		}
	}
	require.Equal(t, map[string]string{"page": "page", "ticket": "ticket"}, receivers)
	require.Subset(t, names, slices.Collect(maps.Values(receivers)))
}
