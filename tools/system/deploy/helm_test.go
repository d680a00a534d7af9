package deploy

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/template"
	"time"

	"github.com/Masterminds/sprig/v3"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"amanat/internal/app/config"
	"amanat/internal/app/opsserver"
	"amanat/queue/jobs"
)

const chart = repositoryRoot + "/deploy/helm/amanat"

type container struct {
	Name    string
	Image   string
	Args    []string
	Command []string
	Mounts  []struct{ Name, MountPath string } `json:"volumeMounts"`
	Env     []struct {
		Name      string
		Value     string
		ValueFrom struct {
			SecretKeyRef struct{ Name, Key string } `json:"secretKeyRef"`
		} `json:"valueFrom"`
	}
	Ports []struct {
		Name          string
		ContainerPort int `json:"containerPort"`
	}
	StartupProbe    probe          `json:"startupProbe"`
	ReadinessProbe  probe          `json:"readinessProbe"`
	LivenessProbe   probe          `json:"livenessProbe"`
	SecurityContext map[string]any `json:"securityContext"`
	Resources       struct{ Limits, Requests map[string]string }
}

type probe struct {
	HTTPGet struct{ Path, Port string } `json:"httpGet"`
}

// object is what the tests read of an object of Kubernetes.
type object struct {
	Kind     string
	Metadata struct {
		Name        string
		Annotations map[string]string
	}
	Spec struct {
		Selector    any
		Replicas    *int
		Template    podTemplate
		JobTemplate struct {
			Spec struct{ Template podTemplate }
		} `json:"jobTemplate"`
		ScaleTargetRef struct{ Kind, Name string } `json:"scaleTargetRef"`
		Metrics        []struct {
			External struct {
				Metric struct {
					Name     string
					Selector struct {
						MatchLabels map[string]string `json:"matchLabels"`
					}
				}
			}
		}
		PolicyTypes    []string `json:"policyTypes"`
		Ingress        []map[string]any
		MaxUnavailable int `json:"maxUnavailable"`
	}
}

type podTemplate struct {
	Metadata struct{ Labels map[string]string }
	Spec     struct {
		Grace           int            `json:"terminationGracePeriodSeconds"`
		ServiceAccount  string         `json:"serviceAccountName"`
		Token           *bool          `json:"automountServiceAccountToken"`
		SecurityContext map[string]any `json:"securityContext"`
		Containers      []container
		Volumes         []struct {
			Name  string
			Claim struct{ ClaimName string } `json:"persistentVolumeClaim"`
		}
	}
}

func yamlFile(t *testing.T, path string) map[string]any {
	t.Helper()
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	values := map[string]any{}
	require.NoError(t, yaml.Unmarshal(content, &values))
	return values
}

// overlay returns the values with those of another file over them, as helm merges them.
func overlay(values, over map[string]any) map[string]any {
	merged := maps.Clone(values)
	for name, value := range over {
		above, isMap := value.(map[string]any)
		below, wasMap := merged[name].(map[string]any)
		if isMap && wasMap {
			value = overlay(below, above)
		}
		merged[name] = value
	}
	return merged
}

// chartValues returns the chart's values with those that every operator has to set.
func chartValues(t *testing.T) map[string]any {
	t.Helper()
	example := filepath.Join(repositoryRoot, "deploy", "testdata", "values.yaml")
	return overlay(yamlFile(t, filepath.Join(chart, "values.yaml")), yamlFile(t, example))
}

// render renders the chart: the functions are those of helm that it uses, and sprig's.
func render(t *testing.T, values map[string]any) []object {
	t.Helper()
	templates := template.New("chart").Option("missingkey=error").Funcs(sprig.TxtFuncMap())
	templates.Funcs(template.FuncMap{
		"include": func(name string, data any) (string, error) {
			var out bytes.Buffer
			err := templates.ExecuteTemplate(&out, name, data)
			return out.String(), err
		},
		"toYaml": func(value any) (string, error) {
			out, err := yaml.Marshal(value)
			return strings.TrimSuffix(string(out), "\n"), err
		},
	})
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	require.NoError(t, err)
	_, err = templates.ParseFiles(files...)
	require.NoError(t, err)
	about := yamlFile(t, filepath.Join(chart, "Chart.yaml"))
	data := map[string]any{
		"Values":  values,
		"Release": map[string]any{"Name": "amanat", "Service": "Helm"},
		"Chart":   map[string]any{"Name": about["name"], "Version": about["version"]},
	}
	var objects []object
	for _, file := range files {
		var out bytes.Buffer
		require.NoError(t, templates.ExecuteTemplate(&out, filepath.Base(file), data))
		decoder := yaml.NewDecoder(&out)
		for {
			var decoded any
			err := decoder.Decode(&decoded)
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err, file)
			encoded, err := json.Marshal(decoded)
			require.NoError(t, err)
			var o object
			require.NoError(t, json.Unmarshal(encoded, &o), file)
			if o.Kind != "" {
				objects = append(objects, o)
			}
		}
	}
	return objects
}

// ofKind returns the objects of a kind by name.
func ofKind(objects []object, kind string) map[string]object {
	found := map[string]object{}
	for _, o := range objects {
		if o.Kind == kind {
			found[o.Metadata.Name] = o
		}
	}
	return found
}

// secretValues are examples of what the secrets of the chart hold.
func secretValues() map[string]map[string]string {
	return map[string]map[string]string{
		"amanat-api": {
			"DATABASE_URL": "postgres://amanat_api:own-1@db/amanat", "REDIS_URL": "redis://:own-2@redis:6379",
			"BLOBS_URL": "", "OTEL_EXPORTER_OTLP_HEADERS": "authorization=own-6",
		},
		"amanat-worker": {
			"DATABASE_URL": "postgres://amanat_worker:own-3@db/amanat", "REDIS_URL": "redis://:own-2@redis:6379",
			"SMTP_URL": "smtp://u:own-4@mail:587", "VAPID_PRIVATE_KEY": "", "RIVER_UI_TOKEN": "a-token-of-operators",
			"BKASH_CHECKOUT": "", "PHONE_KEYS": "",
			"BLOBS_URL": "", "OTEL_EXPORTER_OTLP_HEADERS": "authorization=own-6",
		},
		"amanat-migrate": {
			"DATABASE_URL": "postgres://owner:own-5@db/amanat", "API_DB_PASSWORD": "own-1", "WORKER_DB_PASSWORD": "own-3", "BLOBS_URL": "",
		},
	}
}

// environment returns the variables of the container, with example secrets.
func (c container) environment(t *testing.T) map[string]string {
	t.Helper()
	values := map[string]string{}
	for _, v := range c.Env {
		require.NotContains(t, values, v.Name, "stands twice")
		values[v.Name] = v.Value
		if ref := v.ValueFrom.SecretKeyRef; ref.Name != "" {
			require.Equal(t, v.Name, ref.Key)
			secret, known := secretValues()[ref.Name][ref.Key]
			require.True(t, known, "%s has no %s", ref.Name, ref.Key)
			values[v.Name] = secret
		}
	}
	return values
}

func checkSchema(t *testing.T, values map[string]any) error {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join(chart, "values.schema.json"))
	require.NoError(t, err)
	return schema.Validate(values)
}

// Every variable is one that the program reads, with a value that it accepts.
func TestHelm_environment(t *testing.T) {
	t.Parallel()
	values := chartValues(t)
	require.NoError(t, checkSchema(t, values))
	objects := render(t, values)
	var served []string
	deployments := ofKind(objects, "Deployment")
	for name, d := range deployments {
		c := d.Spec.Template.Spec.Containers[0]
		ports := map[string]int{}
		for _, p := range c.Ports {
			ports[p.Name] = p.ContainerPort
		}
		require.Equal(t, "registry.example/amanat/amanat-"+c.Name+":v1.2.3", c.Image)
		drain := apiDrain(t)
		var opsAddr string
		if name == "amanat-api" {
			api := parse[config.API](t, c.environment(t))
			require.Equal(t, port(t, api.Addr), strconv.Itoa(ports["http"]))
			require.Len(t, api.TrustedProxies, 1)
			opsAddr = api.OpsAddr
		} else {
			worker := parse[config.Worker](t, c.environment(t))
			served = slices.AppendSeq(served, maps.Keys(worker.Queues))
			drain, opsAddr = worker.SoftStop, worker.OpsAddr
		}
		require.Equal(t, port(t, opsAddr), strconv.Itoa(ports["ops"]))
		require.Greater(t, time.Duration(d.Spec.Template.Spec.Grace)*time.Second, drain+5*time.Second, "%s needs its time to end", name)
		require.InDelta(t, 0.88, float64(bytesOf(t, c.environment(t)["GOMEMLIMIT"]))/float64(bytesOf(t, c.Resources.Limits["memory"])), 0.03)
		require.Nil(t, d.Spec.Replicas, "an upgrade must not undo the autoscaler")
	}
	require.ElementsMatch(t, jobs.Queues(), served, "each queue is served by one group")

	migrate := ofKind(objects, "Job")["amanat-migrate"]
	migrating(t, migrate.Spec.Template)
	require.Equal(t, []string{"migrate"}, migrate.Spec.Template.Spec.Containers[0].Args)
	require.Equal(t, "pre-install,pre-upgrade", migrate.Metadata.Annotations["helm.sh/hook"])
	require.Empty(t, migrate.Spec.Template.Spec.ServiceAccount, "it does not exist before the first installation")
}

// migrating checks the environment of a command of amanat. Only its commands on pictures read
// BLOBS_URL.
func migrating(t *testing.T, pod podTemplate) {
	t.Helper()
	environment := pod.Spec.Containers[0].environment(t)
	require.Contains(t, environment, "BLOBS_URL")
	delete(environment, "BLOBS_URL")
	parse[config.Migrate](t, environment)
}

// The documented command renders a Job with its arguments alone, and an installation has none.
func TestHelm_command(t *testing.T) {
	t.Parallel()
	text := example(t, "amanat with Kubernetes")
	require.Contains(t, text, "--show-only templates/command.yaml")
	_, after, found := strings.Cut(text, "--set-json 'command=")
	require.True(t, found)
	encoded, _, _ := strings.Cut(after, "'")
	var command []any
	require.NoError(t, json.Unmarshal([]byte(encoded), &command))
	require.Len(t, ofKind(render(t, chartValues(t)), "Job"), 1, "migrate alone")

	values := overlay(chartValues(t), map[string]any{"command": command})
	require.NoError(t, checkSchema(t, values))
	job := ofKind(render(t, values), "Job")[""] // its name is generated
	require.Equal(t, []string{"set-rate", "122.40"}, job.Spec.Template.Spec.Containers[0].Args)
	require.Empty(t, job.Metadata.Annotations, "it is no hook")
	migrating(t, job.Spec.Template)
}

// withBackup returns the values with what the documented command sets.
func withBackup(t *testing.T) map[string]any {
	t.Helper()
	_, claim, found := strings.Cut(example(t, "backup with Kubernetes"), " --set backup.claim=")
	require.True(t, found)
	claim, _, _ = strings.Cut(claim, "\n")
	values := overlay(chartValues(t), map[string]any{"backup": map[string]any{"claim": claim}})
	require.NoError(t, checkSchema(t, values))
	return values
}

// The CronJob does on its volume what the unit of systemd does.
func TestHelm_backup(t *testing.T) {
	t.Parallel()
	require.Empty(t, ofKind(render(t, chartValues(t)), "CronJob"), "there is no volume")
	job, found := ofKind(render(t, withBackup(t)), "CronJob")["amanat-backup"]
	require.True(t, found)
	require.Contains(t, example(t, "backup with Kubernetes"), " --from cronjob/amanat-backup ")
	pod := job.Spec.JobTemplate.Spec.Template
	migrating(t, pod)
	c := pod.Spec.Containers[0]
	require.Equal(t, "registry.example/amanat/amanat-amanat:v1.2.3", c.Image)
	require.Empty(t, c.Args)
	require.Equal(t, "amanat-backup", pod.Spec.Volumes[0].Claim.ClaimName)
	require.Equal(t, pod.Spec.Volumes[0].Name, c.Mounts[0].Name)
	require.EqualValues(t, 65532, pod.Spec.SecurityContext["fsGroup"], "it may write to the volume")

	unit := strings.NewReplacer("/usr/bin/", "", "/opt/amanat/bin/", "", "%S/amanat-backup/", c.Mounts[0].MountPath+"/",
		"${DATABASE_URL}", `"$DATABASE_URL"`).Replace(strings.Join(readUnit(t, "amanat-backup.service")["ExecStart"], "\n"))
	require.Equal(t, []string{"sh", "-ec", unit}, c.Command)
}

func TestHelm_probes(t *testing.T) {
	t.Parallel()
	ops := opsserver.New(opsserver.Options{Registry: opsserver.NewRegistry()}).Handler()
	for name, d := range ofKind(render(t, chartValues(t)), "Deployment") {
		c := d.Spec.Template.Spec.Containers[0]
		for _, p := range []probe{c.StartupProbe, c.ReadinessProbe, c.LivenessProbe} {
			require.Equal(t, "ops", p.HTTPGet.Port)
			recorder := httptest.NewRecorder()
			ops.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodGet, p.HTTPGet.Path, http.NoBody))
			require.Equal(t, http.StatusOK, recorder.Code, "%s: the ops port answers %s", name, p.HTTPGet.Path)
		}
		require.Equal(t, "/readyz", c.ReadinessProbe.HTTPGet.Path)
		require.Equal(t, "/healthz", c.LivenessProbe.HTTPGet.Path, "a database that is away is no reason to restart")
	}
}

// Every pod runs without root, without a token of the cluster and on a file system that it cannot
// write.
func TestHelm_security(t *testing.T) {
	t.Parallel()
	pods := 0
	for _, o := range render(t, withBackup(t)) {
		spec := o.Spec.Template.Spec
		if o.Kind == "CronJob" {
			spec = o.Spec.JobTemplate.Spec.Template.Spec
		}
		if len(spec.Containers) == 0 {
			continue
		}
		pods++
		require.Equal(t, true, spec.SecurityContext["runAsNonRoot"], o.Metadata.Name)
		for _, image := range []string{"base", "amanat"} {
			require.Contains(t, stage(t, image), "USER 65532:65532")
		}
		require.EqualValues(t, 65532, spec.SecurityContext["runAsUser"])
		require.NotNil(t, spec.Token)
		require.False(t, *spec.Token)
		for _, c := range spec.Containers {
			require.Equal(t, map[string]any{
				"allowPrivilegeEscalation": false, "readOnlyRootFilesystem": true,
				"capabilities": map[string]any{"drop": []any{"ALL"}},
			}, c.SecurityContext, o.Metadata.Name)
		}
	}
	require.Equal(t, 6, pods)
}

// Each Deployment has an autoscaler and a disruption budget, the workers by the age of each of
// their queues.
func TestHelm_scaling(t *testing.T) {
	t.Parallel()
	objects := render(t, chartValues(t))
	scalers, budgets := ofKind(objects, "HorizontalPodAutoscaler"), ofKind(objects, "PodDisruptionBudget")
	for name, d := range ofKind(objects, "Deployment") {
		require.Equal(t, name, scalers[name].Spec.ScaleTargetRef.Name)
		require.Equal(t, 1, budgets[name].Spec.MaxUnavailable)
		selector := map[string]any{}
		for label, value := range d.Spec.Template.Metadata.Labels {
			selector[label] = value
		}
		require.Equal(t, map[string]any{"matchLabels": selector}, budgets[name].Spec.Selector)
		var queues []string
		for _, metric := range scalers[name].Spec.Metrics {
			if external := metric.External.Metric; external.Name != "" {
				require.Equal(t, "amanat_queue_oldest_job_age_seconds", external.Name)
				queues = append(queues, external.Selector.MatchLabels["queue"])
			}
		}
		require.Equal(t, strings.Join(queues, ","), d.Spec.Template.Spec.Containers[0].environment(t)["QUEUES"])
	}
	require.Len(t, scalers, 4)
	policy := ofKind(objects, "NetworkPolicy")["amanat"]
	require.Equal(t, []string{"Ingress", "Egress"}, policy.Spec.PolicyTypes)
	for _, rule := range policy.Spec.Ingress {
		require.NotEmpty(t, rule["from"], "an empty list lets everybody in")
	}
	require.Len(t, ofKind(objects, "ServiceAccount"), 1)
	require.Len(t, ofKind(objects, "Service"), 1)
}

// The URL of an object storage has keys, so all processes read it from the secrets.
func TestHelm_object_storage(t *testing.T) {
	t.Parallel()
	for name, d := range ofKind(render(t, chartValues(t)), "Deployment") {
		environment := d.Spec.Template.Spec.Containers[0].environment(t)
		require.Contains(t, environment, "BLOBS_URL")
		environment["BLOBS_URL"] = "https://key:own-6@s3.example.com/amanat"
		if name == "amanat-api" {
			require.True(t, parse[config.API](t, environment).Bucket.Used())
		} else {
			require.True(t, parse[config.Worker](t, environment).Bucket.Used())
		}
	}
}

// Options that are off leave valid objects, and the api can keep its version for a while.
func TestHelm_options(t *testing.T) {
	t.Parallel()
	values := overlay(chartValues(t), map[string]any{
		"autoscaling":      map[string]any{"queueAge": false},
		"networkPolicy":    map[string]any{"enabled": false},
		"api":              map[string]any{"tag": "v1.1.0"},
		"imagePullSecrets": []any{map[string]any{"name": "pull"}},
		"podAnnotations":   map[string]any{"a": "b"},
		"nodeSelector":     map[string]any{"a": "b"},
		"tolerations":      []any{map[string]any{"key": "a"}},
	})
	require.NoError(t, checkSchema(t, values))
	objects := render(t, values)
	require.Empty(t, ofKind(objects, "NetworkPolicy"))
	require.Len(t, ofKind(objects, "HorizontalPodAutoscaler")["amanat-worker-mail"].Spec.Metrics, 1)
	require.Contains(t, ofKind(objects, "Deployment")["amanat-api"].Spec.Template.Spec.Containers[0].Image, ":v1.1.0")
	require.Contains(t, ofKind(objects, "Deployment")["amanat-worker-rest"].Spec.Template.Spec.Containers[0].Image, ":v1.2.3")
}

func TestHelm_schema(t *testing.T) {
	t.Parallel()
	for name, over := range map[string]map[string]any{
		"no https":           {"publicUrl": "http://amanat.example"},
		"a moving tag":       {"image": map[string]any{"tag": "latest"}},
		"a key in env":       {"env": map[string]any{"BLOBS_URL": "https://key:own-7@s3.example.com/amanat"}},
		"a secret in env":    {"api": map[string]any{"env": map[string]any{"DATABASE_URL": "postgres://"}}},
		"an unknown queue":   {"worker": map[string]any{"groups": map[string]any{"mail": map[string]any{"queues": []any{"gold"}}}}},
		"a short grace":      {"worker": map[string]any{"terminationGracePeriodSeconds": 30}},
		"a misspelt value":   {"publicURL": "https://amanat.example"},
		"everybody let in":   {"networkPolicy": map[string]any{"ingressFrom": []any{}}},
		"a proxy, no prefix": {"api": map[string]any{"trustedProxies": []any{"10.0.0.1"}}},
	} {
		require.Error(t, checkSchema(t, overlay(chartValues(t), over)), name)
	}
	require.Error(t, checkSchema(t, yamlFile(t, filepath.Join(chart, "values.yaml"))), "what only an operator knows is missing")
}
