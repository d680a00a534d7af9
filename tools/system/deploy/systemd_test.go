package deploy

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/app/config"
	"amanat/internal/testing/program"
	"amanat/queue/jobs"
)

// unit is a unit file: the values of each key, in their order.
type unit map[string][]string

func readUnit(t *testing.T, name string) unit {
	t.Helper()
	u := unit{}
	for line := range strings.Lines(read(t, filepath.Join("deploy", "systemd", name))) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "[") {
			continue
		}
		key, value, found := strings.Cut(line, "=")
		require.True(t, found, line)
		u[key] = append(u[key], value)
	}
	return u
}

// environment returns the variables that the unit itself sets, for the instance name.
func (u unit) environment(t *testing.T, instance string) map[string]string {
	t.Helper()
	values := map[string]string{}
	for _, line := range u["Environment"] {
		for _, pair := range strings.Fields(line) {
			name, value, found := strings.Cut(strings.ReplaceAll(pair, "%i", instance), "=")
			require.True(t, found, line)
			values[name] = value
		}
	}
	return values
}

// environmentFiles returns the files of /etc/amanat in docs/deployment.md, as variables.
func environmentFiles(t *testing.T) map[string]map[string]string {
	t.Helper()
	_, after, found := strings.Cut(read(t, "docs/deployment.md"), "<!-- environment files -->\n")
	require.True(t, found)
	_, after, _ = strings.Cut(after, "```sh\n")
	block, _, found := strings.Cut(after, "```")
	require.True(t, found)
	files := map[string]map[string]string{}
	var current map[string]string
	for line := range strings.Lines(block) {
		line = strings.TrimSpace(line)
		if name, is := strings.CutPrefix(line, "# /etc/amanat/"); is {
			current = map[string]string{}
			files["/etc/amanat/"+name] = current
		} else if line != "" {
			name, value, found := strings.Cut(line, "=")
			require.True(t, found, line)
			current[name] = strings.Trim(value, `"`)
		}
	}
	return files
}

// whole returns the environment of the process with the files of docs/deployment.md, without the
// variables of the Go runtime and of libpq.
func (u unit) whole(t *testing.T, instance string) map[string]string {
	t.Helper()
	values := u.environment(t, instance)
	files := environmentFiles(t)
	for _, name := range u["EnvironmentFile"] {
		name = strings.ReplaceAll(name, "%i", instance)
		require.Contains(t, files, name, "docs/deployment.md has an example")
		for variable, value := range files[name] {
			values[variable] = value
		}
	}
	require.Equal(t, "%d/pgpass", values["PGPASSFILE"])
	for _, name := range []string{"PGPASSFILE", "GOMEMLIMIT"} {
		delete(values, name)
	}
	return values
}

func (u unit) duration(t *testing.T, key string) time.Duration {
	t.Helper()
	require.Len(t, u[key], 1, key)
	d, err := time.ParseDuration(u[key][0])
	require.NoError(t, err)
	return d
}

func TestSystemd_environment(t *testing.T) {
	t.Parallel()
	api := parse[config.API](t, readUnit(t, "amanat-api@.service").whole(t, "8080"))
	require.Equal(t, "127.0.0.1:8080", api.Addr)
	require.Equal(t, "127.0.0.1:18080", api.OpsAddr)
	require.True(t, api.Secure())
	addresses := map[string]bool{}
	var served []string
	for _, instance := range []string{"money", "rest"} {
		u := readUnit(t, "amanat-worker@.service")
		worker := parse[config.Worker](t, u.whole(t, instance))
		require.False(t, addresses[worker.OpsAddr], "two workers of one machine have one port")
		addresses[worker.OpsAddr] = true
		served = slices.AppendSeq(served, maps.Keys(worker.Queues))
		require.Greater(t, u.duration(t, "TimeoutStopSec"), worker.SoftStop+5*time.Second)
	}
	require.ElementsMatch(t, jobs.Queues(), served, "each queue is served by one group")
	parse[config.Migrate](t, readUnit(t, "amanat-migrate.service").whole(t, ""))
	parse[config.Migrate](t, readUnit(t, "amanat-backup.service").whole(t, ""))
}

// A dump takes the place of the last one, in a folder of the unit's own, after it was verified. The
// timer is the one that is enabled.
func TestSystemd_backup(t *testing.T) {
	t.Parallel()
	u := readUnit(t, "amanat-backup.service")
	folder := "%S/" + u["StateDirectory"][0]
	require.Equal(t, []string{"0700"}, u["StateDirectoryMode"])
	require.Equal(t, []string{
		"/usr/bin/pg_dump --format=custom --file=" + folder + "/amanat.dump.new ${DATABASE_URL}",
		"/opt/amanat/bin/amanat verify-backup " + folder + "/amanat.dump.new",
		"/usr/bin/mv " + folder + "/amanat.dump.new " + folder + "/amanat.dump",
	}, u["ExecStart"])
	address := parsedURL(t, environmentFiles(t)["/etc/amanat/migrate.env"]["DATABASE_URL"])
	require.Equal(t, "system", address.Query().Get("sslrootcert"), "pg_dump trusts no authority by default")
	require.Contains(t, read(t, "docs/deployment.md"), " keeps the dump in `/var/lib/"+u["StateDirectory"][0]+"`:\n")
	text := example(t, "backup with systemd")
	require.Contains(t, text, "\nsystemctl enable --now amanat-backup.timer\n")
	require.Contains(t, text, "\nsystemctl start amanat-backup ")
	require.Contains(t, read(t, "docs/deployment.md"), " deploy/systemd/*.service deploy/systemd/*.timer\n")
}

func TestSystemd_stop_exceeds_drain(t *testing.T) {
	t.Parallel()
	require.Greater(t, readUnit(t, "amanat-api@.service").duration(t, "TimeoutStopSec"), apiDrain(t)+5*time.Second)
	require.Equal(t, []string{"infinity"}, readUnit(t, "amanat-migrate.service")["TimeoutStartSec"])
}

// systemd itself finds nothing wrong with the units, and little that they leave exposed.
func TestSystemd_verify(t *testing.T) {
	t.Parallel()
	analyze := program.Path(t, "systemd-analyze")
	dir := t.TempDir()
	units, err := filepath.Glob(filepath.Join(repositoryRoot, "deploy", "systemd", "*.*"))
	require.NoError(t, err)
	require.Len(t, units, 5)
	var files []string
	for _, path := range units {
		name := filepath.Base(path)
		u := readUnit(t, name)
		if strings.HasSuffix(name, ".timer") {
			files = append(files, path)
			continue
		}
		text := read(t, filepath.Join("deploy", "systemd", name))
		for _, line := range u["ExecStart"] { // of programs that this machine may lack
			binary := strings.Fields(line)[0]
			stub := filepath.Join(dir, filepath.Base(binary))
			require.NoError(t, os.WriteFile(stub, []byte("#!/bin/sh\n"), 0o700))
			text = strings.ReplaceAll(text, binary, stub)
		}
		files = append(files, filepath.Join(dir, strings.Replace(name, "@.", "@8080.", 1)))
		require.NoError(t, os.WriteFile(files[len(files)-1], []byte(text), 0o600))
	}
	for _, args := range [][]string{
		{"verify", "--man=no", "--recursive-errors=no"}, {"security", "--offline=true", "--no-pager", "--threshold=20"},
	} {
		if args[0] == "security" { // of services alone
			files = slices.DeleteFunc(files, func(name string) bool { return strings.HasSuffix(name, ".timer") })
		}
		out, err := exec.CommandContext(t.Context(), analyze, append(args, files...)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		if args[0] == "verify" {
			require.Empty(t, string(out))
		}
	}
}
