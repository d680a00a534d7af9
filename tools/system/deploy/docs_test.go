package deploy

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
)

// example returns the block of docs/deployment.md below the comment with this name.
func example(t *testing.T, name string) string {
	t.Helper()
	found := regexp.MustCompile("<!-- " + name + " -->\n```\\w+(\n[^`]*)```").FindStringSubmatch(read(t, "docs/deployment.md"))
	require.NotNil(t, found, "docs/deployment.md has an example %q", name)
	return found[1]
}

// The documented owner may migrate the documented database, also where somebody else created the
// logins. Without the right to change them, migrate says what is missing.
func TestDocs_owner(t *testing.T) {
	t.Parallel()
	admin := dbtest.New(t) // somebody else has created the logins
	name := "owner_" + filepath.Base(admin.OwnerURL)
	name, _, _ = strings.Cut(name, "?")
	sql := strings.NewReplacer("role owner", "role "+name, "owner owner", "owner "+name, "database amanat", "database "+name).
		Replace(example(t, "owner"))
	statements := strings.Split(strings.TrimSuffix(strings.TrimSpace(sql), ";"), ";\n")
	require.Len(t, statements, 2)
	for _, statement := range statements {
		_, err := admin.Owner().Exec(t.Context(), statement)
		require.NoError(t, err, statement)
	}
	t.Cleanup(func() {
		for _, statement := range []string{
			"drop database " + name + " with (force)", "revoke amanat_api, amanat_worker from " + name, "drop role " + name,
		} {
			_, err := admin.Owner().Exec(context.WithoutCancel(t.Context()), statement)
			require.NoError(t, err, statement)
		}
	})
	u, err := url.Parse(admin.OwnerURL)
	require.NoError(t, err)
	u.User, u.Path = url.UserPassword(name, "secret-of-the-owner"), "/"+name
	require.ErrorContains(t, postgres.Migrate(t.Context(), u.String(), dbtest.Roles()), "ADMIN OPTION on the role")

	require.Contains(t, read(t, "docs/deployment.md"), "the owner also needs them `with admin\noption`")
	_, err = admin.Owner().Exec(t.Context(), "grant amanat_api, amanat_worker to "+name+" with admin option")
	require.NoError(t, err)
	require.NoError(t, postgres.Migrate(t.Context(), u.String(), dbtest.Roles()))
}

// With systemd, amanat has the settings and the password of the documented files, whatever
// characters they contain.
func TestDocs_amanat_with_systemd(t *testing.T) {
	t.Parallel()
	require.Contains(t, read(t, "docs/deployment.md"), "\ninstall deploy/systemd/amanat /usr/local/bin/amanat\n")
	dir := t.TempDir()
	for name, values := range environmentFiles(t) {
		var lines strings.Builder
		for variable, value := range values {
			lines.WriteString(variable + "=\"" + value + "\"\n")
		}
		if filepath.Base(name) == "common.env" {
			lines.WriteString("# a comment\nBLOBS_URL=https://key:$(false)@s3.example.com/b/?region=x&read_only=true\n")
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.Base(name)), []byte(lines.String()), 0o600))
	}
	program := filepath.Join(dir, "amanat")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\necho \"$@\"; env\n"), 0o700))
	command := strings.Fields(example(t, "amanat with systemd"))
	require.Equal(t, []string{"sudo", "amanat"}, command[:2])
	cmd := exec.CommandContext(t.Context(), filepath.Join(repositoryRoot, "deploy", "systemd", "amanat"), command[2:]...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "AMANAT_ETC=" + dir, "AMANAT_PROGRAM=" + program, "SUDO_USER=rahim"}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	lines := strings.Split(string(out), "\n")
	require.Equal(t, strings.Join(command[2:], " "), lines[0])
	files := environmentFiles(t)
	require.Contains(t, lines, "DATABASE_URL="+files["/etc/amanat/migrate.env"]["DATABASE_URL"])
	require.Contains(t, lines, "PUBLIC_URL="+files["/etc/amanat/common.env"]["PUBLIC_URL"])
	require.Contains(t, lines, "BLOBS_URL=https://key:$(false)@s3.example.com/b/?region=x&read_only=true")
	require.Contains(t, lines, "PGPASSFILE="+filepath.Join(dir, "owner.pgpass"))
	require.Contains(t, lines, "SUDO_USER=rahim", "the audit log has who ran it")
}
