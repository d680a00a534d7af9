// Package deploy checks that compose.yaml, Dockerfile and Caddyfile match each other and the
// configuration that the code reads, and that alerts, dashboard and runbook match each other and
// the code. It has tests only.
package deploy

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"amanat/internal/app/config"
	"amanat/internal/lib/mailer"
	"amanat/internal/lib/postgres"
)

type service struct {
	Image string `yaml:"image"`
	Build struct {
		Target string `yaml:"target"`
	} `yaml:"build"`
	Command     []string          `yaml:"command"`
	Environment map[string]string `yaml:"environment"`
	Ports       []string          `yaml:"ports"`
	Deploy      struct {
		Replicas int `yaml:"replicas"`
	} `yaml:"deploy"`
	Healthcheck struct {
		Test []string `yaml:"test"`
	} `yaml:"healthcheck"`
	StopGracePeriod time.Duration `yaml:"stop_grace_period"`
	ReadOnly        bool          `yaml:"read_only"`
	CapDrop         []string      `yaml:"cap_drop"`
	SecurityOpt     []string      `yaml:"security_opt"`
	MemLimit        string        `yaml:"mem_limit"`
	Logging         struct {
		Driver  string            `yaml:"driver"`
		Options map[string]string `yaml:"options"`
	} `yaml:"logging"`
	DependsOn map[string]struct {
		Condition string `yaml:"condition"`
	} `yaml:"depends_on"`
}

// environment returns the environment of the process: the image's ENV, overridden by the service's
// environment.
func (s service) environment(t *testing.T) map[string]string {
	t.Helper()
	all := imageEnv(t, s.Build.Target)
	for name, value := range s.Environment {
		all[name] = value
	}
	return all
}

func read(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(repositoryRoot, name))
	require.NoError(t, err)
	return string(content)
}

// variable matches a variable whose default contains no other variable.
var variable = regexp.MustCompile(`\$\{(\w+):-([^${}]*)\}`)

// compose parses compose.yaml as Compose does with an empty environment.
func compose(t *testing.T) map[string]service { t.Helper(); return composeWith(t, nil) }

func composeWith(t *testing.T, environment map[string]string) map[string]service {
	t.Helper()
	var file struct {
		Services map[string]service `yaml:"services"`
	}
	text := read(t, "compose.yaml")
	for variable.MatchString(text) { // from the inside out
		text = variable.ReplaceAllStringFunc(text, func(found string) string {
			parts := variable.FindStringSubmatch(found)
			return cmp.Or(environment[parts[1]], parts[2])
		})
	}
	require.NotContains(t, regexp.MustCompile(`(?m)#.*$`).ReplaceAllString(text, ""), "${", "every variable has a default")
	require.NoError(t, yaml.Unmarshal([]byte(text), &file))
	return file.Services
}

// stage returns the lines of a stage of the Dockerfile.
func stage(t *testing.T, name string) []string {
	t.Helper()
	_, after, found := strings.Cut(read(t, "Dockerfile"), " AS "+name+"\n")
	require.True(t, found, "Dockerfile has no stage %s", name)
	body, _, _ := strings.Cut(after, "\nFROM ")
	return strings.Split(body, "\n")
}

func imageEnv(t *testing.T, target string) map[string]string {
	t.Helper()
	values := map[string]string{}
	for _, line := range stage(t, target) {
		rest, found := strings.CutPrefix(line, "ENV ")
		if !found {
			continue
		}
		for _, pair := range strings.Fields(rest) {
			name, value, _ := strings.Cut(pair, "=")
			values[name] = value
		}
	}
	return values
}

type validator interface{ Validate() error }

// variables returns the fields that are read from the environment, including those of embedded
// structs.
func variables(process reflect.Type) []reflect.StructField {
	return slices.DeleteFunc(reflect.VisibleFields(process), func(field reflect.StructField) bool {
		return field.Tag.Get("env") == ""
	})
}

// parse parses an environment as the process does. It fails the test if a variable is unknown.
func parse[T validator](t *testing.T, values map[string]string) T {
	t.Helper()
	parsed, err := env.ParseAsWithOptions[T](env.Options{Environment: values})
	require.NoError(t, err)
	require.NoError(t, parsed.Validate())
	known := []string{"GOMEMLIMIT"} // of the Go runtime
	for _, field := range variables(reflect.TypeFor[T]()) {
		name, _, _ := strings.Cut(field.Tag.Get("env"), ",")
		known = append(known, name)
	}
	for name := range values {
		require.Contains(t, known, name, "the process does not read this variable")
	}
	return parsed
}

func parsedURL(t *testing.T, raw string) *url.URL {
	t.Helper()
	u, err := url.Parse(raw)
	require.NoError(t, err)
	return u
}

func port(t *testing.T, address string) string {
	t.Helper()
	host, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	require.Equal(t, "0.0.0.0", host, "another container must reach it")
	return port
}

// migrating returns the variables of the operator's tool that migrate reads. The other one is that
// of its commands on pictures.
func (s service) migrating(t *testing.T) map[string]string {
	t.Helper()
	all := s.environment(t)
	require.Contains(t, all, "BLOBS_URL")
	delete(all, "BLOBS_URL")
	return all
}

func TestCompose_environment(t *testing.T) {
	t.Parallel()
	services := compose(t)
	parse[config.API](t, services["api"].environment(t))
	worker := parse[config.Worker](t, services["worker"].environment(t))
	parse[config.Migrate](t, services["migrate"].migrating(t))

	_, err := mailer.NewSMTP(worker.SMTPURL, worker.MailFrom, 1)
	require.NoError(t, err)
}

func TestCompose_replicas(t *testing.T) {
	t.Parallel()
	services := compose(t)
	for _, name := range []string{"api", "worker"} {
		require.Equal(t, 2, services[name].Deploy.Replicas, name)
		require.Empty(t, services[name].Ports, "%s: two processes cannot have one port of the machine", name)
	}
}

func TestCompose_health_checks(t *testing.T) {
	t.Parallel()
	services := compose(t)
	for name, opsAddr := range map[string]string{
		"api":    parse[config.API](t, services["api"].environment(t)).OpsAddr,
		"worker": parse[config.Worker](t, services["worker"].environment(t)).OpsAddr,
	} {
		require.Equal(t, []string{"CMD", "/usr/local/bin/" + name, "-probe"}, services[name].Healthcheck.Test)
		require.NotEmpty(t, port(t, opsAddr))
		require.Contains(t, stage(t, name), "EXPOSE "+strings.Join(exposed(t, services[name].environment(t)), " "))
	}
}

// exposed returns the ports of a process, that of the site first.
func exposed(t *testing.T, environment map[string]string) (ports []string) {
	t.Helper()
	for _, name := range []string{"ADDR", "OPS_ADDR"} {
		if address := environment[name]; address != "" {
			ports = append(ports, port(t, address))
		}
	}
	return ports
}

// Logs are bounded, our processes may write no files and have no capabilities, and the garbage
// collector knows the limit of the memory.
func TestCompose_limits(t *testing.T) {
	t.Parallel()
	for name, service := range compose(t) {
		require.Equal(t, "json-file", service.Logging.Driver, name)
		require.NotEmpty(t, service.Logging.Options["max-size"], name)
		require.NotEmpty(t, service.Logging.Options["max-file"], name)
		require.Equal(t, []string{"no-new-privileges:true"}, service.SecurityOpt, name)
		limit := bytesOf(t, service.MemLimit)
		if service.Build.Target == "" {
			continue
		}
		require.True(t, service.ReadOnly, name)
		require.Equal(t, []string{"ALL"}, service.CapDrop, name)
		if soft := service.Environment["GOMEMLIMIT"]; name != "migrate" {
			require.InDelta(t, 0.88, float64(bytesOf(t, soft))/float64(limit), 0.03, name)
		}
	}
}

// bytesOf parses a size as Docker, systemd, Kubernetes and the Go runtime write it, all in powers
// of 1024.
func bytesOf(t *testing.T, size string) int64 {
	t.Helper()
	parts := regexp.MustCompile(`^(\d+)([kmgKMG])(i?B?)$`).FindStringSubmatch(size)
	require.NotNil(t, parts, "%q is no size", size)
	n, err := strconv.ParseInt(parts[1], 10, 64)
	require.NoError(t, err)
	return n << map[string]int{"k": 10, "m": 20, "g": 30}[strings.ToLower(parts[2])]
}

// apiDrain returns how long an api may take to stop.
func apiDrain(t *testing.T) (sum time.Duration) {
	t.Helper()
	source := read(t, filepath.Join("cmd", "api", "main.go"))
	for _, name := range []string{"drainPause", "drainTimeout"} {
		found := regexp.MustCompile(name + ` = (\d+) \* time\.Second`).FindStringSubmatch(source)
		require.NotNil(t, found, name)
		seconds, err := strconv.Atoi(found[1])
		require.NoError(t, err)
		sum += time.Duration(seconds) * time.Second
	}
	return sum
}

func TestCaddyfile(t *testing.T) {
	t.Parallel()
	services := compose(t)
	api := parse[config.API](t, services["api"].environment(t))
	caddyfile := read(t, filepath.Join("deploy", "Caddyfile"))

	require.Regexp(t, `dynamic a \{\s+name api\s+port `+port(t, api.Addr)+`\s`, caddyfile)
	require.Len(t, services["proxy"].Ports, 1)
	listen := services["proxy"].Ports[0][strings.LastIndex(services["proxy"].Ports[0], ":"):]
	require.Contains(t, caddyfile, "\n"+listen+" {")
	// PORT also changes the address of the site.
	for _, environment := range []map[string]string{nil, {"PORT": "9000"}} {
		services := composeWith(t, environment)
		address := services["api"].Environment["PUBLIC_URL"]
		require.Equal(t, "127.0.0.1:"+parsedURL(t, address).Port()+listen, services["proxy"].Ports[0])
		require.Equal(t, address, services["worker"].Environment["PUBLIC_URL"])
	}
	require.Contains(t, read(t, "compose.yaml"), "ipv4_address: "+api.TrustedProxies[0].Addr().String()+" ")
	require.Regexp(t, `\sheader_up X-Request-Id \{http\.request\.uuid\}\s`, caddyfile, "the api believes the proxy's")
	require.NotContains(t, caddyfile, "trusted_proxies", "clients say nothing of their address")
}

func TestCompose_database_logins(t *testing.T) {
	t.Parallel()
	services := compose(t)
	migrate := parse[config.Migrate](t, services["migrate"].migrating(t))
	server := services["postgres"].Environment

	for _, login := range []struct{ name, url, user, password string }{
		{"migrate", migrate.DatabaseURL, server["POSTGRES_USER"], server["POSTGRES_PASSWORD"]},
		{"api", services["api"].Environment["DATABASE_URL"], postgres.APIRole, migrate.APIDBPassword},
		{"worker", services["worker"].Environment["DATABASE_URL"], postgres.WorkerRole, migrate.WorkerDBPassword},
	} {
		t.Run(login.name, func(t *testing.T) {
			t.Parallel()
			u := parsedURL(t, login.url)
			password, _ := u.User.Password()
			require.Equal(t, "postgres:5432/"+server["POSTGRES_DB"], u.Host+u.Path)
			require.Equal(t, login.user, u.User.Username())
			require.Equal(t, login.password, password)
		})
	}
}

func TestCompose_server_names(t *testing.T) {
	t.Parallel()
	services := compose(t)
	ports := map[string]string{"mail": "1025", "postgres": "5432", "redis": "6379"}
	for _, name := range []string{"api", "worker", "migrate"} {
		for variable, value := range services[name].Environment {
			u, err := url.Parse(value)
			if err != nil || u.Host == "" || variable == "PUBLIC_URL" {
				continue
			}
			require.Contains(t, services, u.Hostname(), "%s of %s", variable, name)
			require.Equal(t, ports[u.Hostname()], u.Port(), "%s of %s", variable, name)
		}
	}
}

func TestCompose_start_and_stop_order(t *testing.T) {
	t.Parallel()
	services := compose(t)
	require.Equal(t, []string{"migrate"}, services["migrate"].Command)
	require.Equal(t, "service_healthy", services["migrate"].DependsOn["postgres"].Condition)
	for _, name := range []string{"api", "worker"} {
		require.Equal(t, "service_completed_successfully", services[name].DependsOn["migrate"].Condition, name)
	}
	worker := parse[config.Worker](t, services["worker"].environment(t))
	require.Greater(t, services["worker"].StopGracePeriod, worker.SoftStop+5*time.Second, "jobs need their time to end")
	require.Greater(t, services["api"].StopGracePeriod, apiDrain(t)+5*time.Second, "requests and sockets need theirs")
}

func TestDockerfile_images(t *testing.T) {
	t.Parallel()
	for name, service := range compose(t) {
		if service.Build.Target == "" {
			require.Regexp(t, `:v?\d`, service.Image, "%s: an image without a version changes by itself", name)
			continue
		}
		lines := stage(t, service.Build.Target)
		binary := "/usr/local/bin/" + service.Build.Target
		require.Contains(t, lines, fmt.Sprintf("COPY --from=build /out/%s %s", service.Build.Target, binary))
		require.Contains(t, lines, fmt.Sprintf("ENTRYPOINT [%q]", binary))
		require.DirExists(t, filepath.Join(repositoryRoot, "cmd", service.Build.Target))
		require.True(t, slices.ContainsFunc(stage(t, "build"), func(line string) bool {
			return strings.Contains(line, "./cmd/"+service.Build.Target)
		}), "the build stage builds %s", service.Build.Target)
	}
}
