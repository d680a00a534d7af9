// Package deploy checks that compose.yaml, Dockerfile and Caddyfile match each other and the
// configuration that the code reads, and that alerts, dashboard and runbook match each other and
// the code. It has tests only.
package deploy

import (
	"fmt"
	"maps"
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
	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/config"
	"amanat/internal/lib/mailer"
	"amanat/internal/lib/postgres"
)

// compose returns the services of compose.yaml as Compose reads them in a folder with the files of
// an operator, by name: .env, settings/api.env. Those of profiles are included.
func compose(t *testing.T, files map[string]string) types.Services {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	for _, name := range []string{"compose.yaml", "compose.tls.yaml", "deploy/demo/api.env", "deploy/demo/worker.env"} {
		write(name, read(t, name))
	}
	for name, text := range files {
		write(name, text)
	}
	names := "compose.yaml" // or those of COMPOSE_FILE, which the library looks for in the present folder
	if _, after, found := strings.Cut(files[".env"], "COMPOSE_FILE="); found {
		names, _, _ = strings.Cut(after, "\n")
	}
	var paths []string
	for name := range strings.SplitSeq(names, ":") {
		paths = append(paths, filepath.Join(dir, name))
	}
	options, err := cli.NewProjectOptions(paths, cli.WithWorkingDirectory(dir), cli.WithEnvFiles(), cli.WithDotEnv,
		cli.WithProfiles([]string{"*"}))
	require.NoError(t, err)
	project, err := options.LoadProject(t.Context())
	require.NoError(t, err)
	return project.Services
}

// environment returns the environment of a process: the image's ENV, overridden by the service's
// environment.
func environment(t *testing.T, s types.ServiceConfig) map[string]string {
	t.Helper()
	all := imageEnv(t, s.Build.Target)
	maps.Copy(all, ownEnvironment(s))
	return all
}

// ownEnvironment returns what compose.yaml and its files set.
func ownEnvironment(s types.ServiceConfig) map[string]string {
	all := map[string]string{}
	for name, value := range s.Environment {
		if value != nil {
			all[name] = *value
		}
	}
	return all
}

func read(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(repositoryRoot, name))
	require.NoError(t, err)
	return string(content)
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
	known := []string{"GOMEMLIMIT", "SSL_CERT_FILE"} // of the Go runtime
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

func TestCompose_environment(t *testing.T) {
	t.Parallel()
	services := compose(t, nil)
	parse[config.API](t, environment(t, services["api"]))
	worker := parse[config.Worker](t, environment(t, services["worker"]))
	parse[config.Migrate](t, environment(t, services["migrate"]))

	_, err := mailer.NewSMTP(worker.SMTPURL, worker.MailFrom, 1)
	require.NoError(t, err)
}

// What an operator sets in settings/*.env takes effect, but for what compose.yaml itself decides:
// an address in it could not be reached.
func TestCompose_settings(t *testing.T) {
	t.Parallel()
	decided := map[string][]string{
		"api":    {"DATABASE_URL", "GOMEMLIMIT", "PUBLIC_URL", "REDIS_URL", "TRUSTED_PROXIES"},
		"worker": {"DATABASE_URL", "GOMEMLIMIT", "PUBLIC_URL", "REDIS_URL"},
	}
	processes := map[string]reflect.Type{"api": reflect.TypeFor[config.API](), "worker": reflect.TypeFor[config.Worker]()}
	for name, process := range processes {
		for _, file := range []string{"common", name} {
			var lines strings.Builder
			settings := map[string]string{}
			for _, field := range variables(process) {
				variable, _, _ := strings.Cut(field.Tag.Get("env"), ",")
				settings[variable] = file + " " + variable
				fmt.Fprintf(&lines, "%s=%q\n", variable, settings[variable])
			}
			set := ownEnvironment(compose(t, map[string]string{"settings/" + file + ".env": lines.String()})[name])
			for variable, value := range settings {
				if !slices.Contains(decided[name], variable) {
					require.Equal(t, value, set[variable], "%s of %s", variable, name)
				}
			}
		}
		require.Subset(t, slices.Collect(maps.Keys(ownEnvironment(compose(t, nil)[name]))), decided[name])
	}
}

// A domain in .env, as docs/deployment.md has it, is served with a certificate that outlives the
// container, and is the address of the site for all processes.
func TestCompose_domain(t *testing.T) {
	t.Parallel()
	text := example(t, "with a domain")
	require.Contains(t, text, "\nSITE=amanat.example\n")
	files := map[string]string{".env": text}
	for _, part := range strings.Split(example(t, "settings of Compose"), "\n# settings/")[1:] {
		name, lines, _ := strings.Cut(part, "\n")
		name, _, _ = strings.Cut(name, ",")
		files["settings/"+name] = lines
	}
	services := compose(t, files)
	proxy := services["proxy"]
	var ports []string
	for _, p := range proxy.Ports {
		require.Empty(t, p.HostIP, "others can reach it")
		ports = append(ports, fmt.Sprintf("%s:%d/%s", p.Published, p.Target, p.Protocol))
	}
	require.ElementsMatch(t, []string{"80:80/tcp", "443:443/tcp", "443:443/udp"}, ports)
	require.Equal(t, "amanat.example", ownEnvironment(proxy)["SITE"])
	require.Contains(t, read(t, "deploy/Caddyfile"), "\n{$SITE::8080} {\n")
	require.True(t, slices.ContainsFunc(proxy.Volumes, func(v types.ServiceVolumeConfig) bool {
		return v.Target == "/data" && v.Type == types.VolumeTypeVolume && v.Source != ""
	}), "certificates are kept")
	api := parse[config.API](t, environment(t, services["api"]))
	require.Equal(t, "https://amanat.example", api.PublicURL)
	require.EqualValues(t, 500, api.CreditSecondAdmin, "as in common.env")
	for name, required := range map[string]string{"api": "RECEIVERS", "worker": "SMTP_URL"} {
		empty := maps.Clone(files)
		empty["settings/"+name+".env"] = ""
		require.NotContains(t, ownEnvironment(compose(t, empty)[name]), required, "no sample is used")
	}
	require.Equal(t, "https://amanat.example", parse[config.Worker](t, environment(t, services["worker"])).PublicURL)
	require.Equal(t, "https://amanat.example", ownEnvironment(services["migrate"])["PUBLIC_URL"])
}

func TestCompose_replicas(t *testing.T) {
	t.Parallel()
	services := compose(t, nil)
	for _, name := range []string{"api", "worker"} {
		require.Equal(t, 2, *services[name].Deploy.Replicas, name)
		require.Empty(t, services[name].Ports, "%s: two processes cannot have one port of the machine", name)
	}
}

func TestCompose_health_checks(t *testing.T) {
	t.Parallel()
	services := compose(t, nil)
	for name, opsAddr := range map[string]string{
		"api":    parse[config.API](t, environment(t, services["api"])).OpsAddr,
		"worker": parse[config.Worker](t, environment(t, services["worker"])).OpsAddr,
	} {
		require.Equal(t, types.HealthCheckTest{"CMD", "/usr/local/bin/" + name, "-probe"}, services[name].HealthCheck.Test)
		require.NotEmpty(t, port(t, opsAddr))
		require.Contains(t, stage(t, name), "EXPOSE "+strings.Join(exposed(t, environment(t, services[name])), " "))
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
	for name, service := range compose(t, nil) {
		require.Equal(t, "json-file", service.Logging.Driver, name)
		require.NotEmpty(t, service.Logging.Options["max-size"], name)
		require.NotEmpty(t, service.Logging.Options["max-file"], name)
		require.Equal(t, []string{"no-new-privileges:true"}, service.SecurityOpt, name)
		require.Positive(t, service.MemLimit, name)
		if service.Build == nil {
			continue
		}
		require.True(t, service.ReadOnly, name)
		require.Equal(t, []string{"ALL"}, service.CapDrop, name)
		if soft := ownEnvironment(service)["GOMEMLIMIT"]; name != "migrate" {
			require.InDelta(t, 0.88, float64(bytesOf(t, soft))/float64(service.MemLimit), 0.03, name)
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
	services := compose(t, nil)
	api := parse[config.API](t, environment(t, services["api"]))
	caddyfile := read(t, filepath.Join("deploy", "Caddyfile"))

	require.Regexp(t, `dynamic a \{\s+name api\s+port `+port(t, api.Addr)+`\s`, caddyfile)
	// PORT also changes the address of the site.
	for env, port := range map[string]string{"": "8080", "PORT=9000": "9000"} {
		services := compose(t, map[string]string{".env": env})
		require.Len(t, services["proxy"].Ports, 1)
		published := services["proxy"].Ports[0]
		require.Equal(t, "127.0.0.1:"+port, net.JoinHostPort(published.HostIP, published.Published))
		require.Contains(t, caddyfile, fmt.Sprintf("\n{$SITE::%d} {", published.Target))
		for _, name := range []string{"api", "worker", "migrate"} {
			require.Equal(t, "http://localhost:"+port, ownEnvironment(services[name])["PUBLIC_URL"])
		}
	}
	require.Contains(t, read(t, "compose.yaml"), "ipv4_address: "+api.TrustedProxies[0].Addr().String()+" ")
	require.Regexp(t, `\sheader_up X-Request-Id \{http\.request\.uuid\}\s`, caddyfile, "the api believes the proxy's")
	require.NotContains(t, caddyfile, "trusted_proxies", "clients say nothing of their address")
}

// The database has the locale of docs/deployment.md, whatever the image's C library sorts like.
func TestCompose_locale(t *testing.T) {
	t.Parallel()
	require.Contains(t, example(t, "owner"), " encoding 'UTF8' locale_provider builtin locale 'C.UTF-8';")
	require.Equal(t, "--encoding=UTF8 --locale-provider=builtin --locale=C.UTF-8",
		ownEnvironment(compose(t, nil)["postgres"])["POSTGRES_INITDB_ARGS"])
}

func TestCompose_database_logins(t *testing.T) {
	t.Parallel()
	services := compose(t, nil)
	migrate := parse[config.Migrate](t, environment(t, services["migrate"]))
	server := ownEnvironment(services["postgres"])

	for _, login := range []struct{ name, url, user, password string }{
		{"migrate", migrate.DatabaseURL, server["POSTGRES_USER"], server["POSTGRES_PASSWORD"]},
		{"api", ownEnvironment(services["api"])["DATABASE_URL"], postgres.APIRole, migrate.APIDBPassword},
		{"worker", ownEnvironment(services["worker"])["DATABASE_URL"], postgres.WorkerRole, migrate.WorkerDBPassword},
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
	services := compose(t, nil)
	ports := map[string]string{"mail": "1025", "postgres": "5432", "redis": "6379"}
	for _, name := range []string{"api", "worker", "migrate"} {
		for variable, value := range ownEnvironment(services[name]) {
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
	services := compose(t, nil)
	require.Equal(t, types.ShellCommand{"migrate"}, services["migrate"].Command)
	require.Equal(t, "service_healthy", services["migrate"].DependsOn["postgres"].Condition)
	for _, name := range []string{"api", "worker"} {
		require.Equal(t, "service_completed_successfully", services[name].DependsOn["migrate"].Condition, name)
	}
	worker := parse[config.Worker](t, environment(t, services["worker"]))
	require.Greater(t, time.Duration(*services["worker"].StopGracePeriod), worker.SoftStop+5*time.Second, "jobs need their time to end")
	require.Greater(t, time.Duration(*services["api"].StopGracePeriod), apiDrain(t)+5*time.Second, "requests and sockets need theirs")
}

func TestDockerfile_images(t *testing.T) {
	t.Parallel()
	for name, service := range compose(t, nil) {
		if service.Build == nil {
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
		for _, name := range []string{"base", service.Build.Target} {
			require.NotRegexp(t, `(?m)^RUN `, strings.Join(stage(t, name), "\n"), "another platform's programs need an emulator")
		}
	}
}

// The image of amanat dumps and restores databases of the server, as the documented lines do.
func TestCompose_backup(t *testing.T) {
	t.Parallel()
	services := compose(t, nil)
	server := services["postgres"]
	require.Contains(t, read(t, "Dockerfile"), "\nFROM "+server.Image+" AS amanat\n")
	require.True(t, strings.HasSuffix(server.Image, fmt.Sprintf(":%d", postgres.MinServer)))
	set := ownEnvironment(server)
	text := example(t, "backup with Compose")
	require.Contains(t, text, "\ndocker compose exec -T postgres pg_dump --username "+set["POSTGRES_USER"]+
		" --format custom "+set["POSTGRES_DB"]+" > amanat.dump.new\n")
	require.Contains(t, text, "\ndocker compose run --rm -T migrate verify-backup - < amanat.dump.new && mv amanat.dump.new amanat.dump\n")
}

// The passwords in compose.yaml are public, so no process starts with them if the site uses https.
func TestCompose_example_passwords_with_https(t *testing.T) {
	t.Parallel()
	passwords := []string{"API_DB_PASSWORD", "WORKER_DB_PASSWORD", "POSTGRES_PASSWORD", "REDIS_PASSWORD"}
	own := map[string]string{"PUBLIC_URL": "https://amanat.example"}
	for _, name := range passwords {
		own[name] = "own" + strings.ToLower(strings.ReplaceAll(name, "_", ""))
	}
	with := func(variables map[string]string) types.Services {
		var lines strings.Builder
		for name, value := range variables {
			fmt.Fprintf(&lines, "%s=%s\n", name, value)
		}
		return compose(t, map[string]string{".env": lines.String()})
	}
	refused := func(variables map[string]string) bool {
		services := with(variables)
		return !errorless[config.API](t, services["api"]) || !errorless[config.Worker](t, services["worker"]) ||
			!errorless[config.Migrate](t, services["migrate"])
	}
	require.False(t, refused(own))
	require.Equal(t, own["REDIS_PASSWORD"], ownEnvironment(with(own)["redis"])["REDISCLI_AUTH"])
	require.Contains(t, with(own)["redis"].Command, own["REDIS_PASSWORD"])
	for _, name := range passwords {
		without := maps.Clone(own)
		delete(without, name)
		require.True(t, refused(without), name)
	}
}

func errorless[T validator](t *testing.T, s types.ServiceConfig) bool {
	t.Helper()
	parsed, err := env.ParseAsWithOptions[T](env.Options{Environment: environment(t, s)})
	require.NoError(t, err)
	return parsed.Validate() == nil
}
