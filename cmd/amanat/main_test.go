package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/opsserver"
	"amanat/internal/domain/accounts"
	"amanat/internal/lib/clock"
	"amanat/internal/testing/dbtest"
)

type output struct{ stdout, stderr bytes.Buffer }

func amanat(t *testing.T, args ...string) (*output, error) {
	t.Helper()
	return amanatReading(t, "", args...)
}

// amanatReading runs a command with a standard input.
func amanatReading(t *testing.T, stdin string, args ...string) (*output, error) {
	t.Helper()
	out := &output{}
	err := run(t.Context(), append([]string{}, args...), strings.NewReader(stdin), &out.stdout, &out.stderr)
	return out, err
}

// document runs a command with --json, which must print one document and nothing else.
func document(t *testing.T, args ...string) (read any) {
	t.Helper()
	out, err := amanat(t, append(args, "--json")...)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(out.stdout.Bytes(), &read), out.stdout.String())
	return read
}

// requireFields requires that a document, or the first of a list, has these fields and no others.
func requireFields(t *testing.T, fields string, read any) {
	t.Helper()
	if list, isList := read.([]any); isList {
		require.NotEmpty(t, list, fields)
		read = list[0]
	}
	object, isObject := read.(map[string]any)
	require.True(t, isObject, fields)
	require.ElementsMatch(t, strings.Fields(fields), slices.Collect(maps.Keys(object)))
}

// leaves returns the commands that do something, by their names.
func leaves(cmd *cobra.Command, prefix string) map[string]*cobra.Command {
	found := map[string]*cobra.Command{}
	for _, c := range cmd.Commands() {
		if name := strings.TrimSpace(prefix + " " + c.Name()); c.HasSubCommands() {
			maps.Copy(found, leaves(c, name))
		} else {
			found[name] = c
		}
	}
	return found
}

func TestRun_help(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{}, {"help"}, {"-h"}} {
		out, err := amanat(t, args...)
		require.NoError(t, err)
		for _, told := range []string{"Database:", "Money:", "People:", "Jobs:", "reconcile", "operations", "trail", "completion"} {
			require.Contains(t, out.stdout.String(), told)
		}
		require.Less(t, strings.Count(out.stdout.String(), "\n"), 55)
	}
	for _, args := range [][]string{{"jobs"}, {"help", "jobs"}, {"jobs", "--help"}} {
		out, err := amanat(t, args...)
		require.NoError(t, err)
		for _, told := range []string{"list", "show", "retry", "cancel"} {
			require.Contains(t, out.stdout.String(), "\n  "+told+" ")
		}
		require.NotContains(t, out.stdout.String(), "reconcile")
	}
	for _, args := range [][]string{{"set-rate", "-h"}, {"help", "set-rate"}} {
		out, err := amanat(t, args...)
		require.NoError(t, err)
		require.Contains(t, out.stdout.String(), "amanat set-rate BDT [flags]")
		require.Contains(t, out.stdout.String(), "--confirm")
	}
	for _, args := range [][]string{{"version"}, {"--version"}} {
		out, err := amanat(t, args...)
		require.NoError(t, err)
		require.Equal(t, opsserver.Version()+"\n", out.stdout.String())
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		out, err := amanat(t, "completion", shell)
		require.NoError(t, err)
		require.Contains(t, out.stdout.String(), "amanat")
	}
	for want, args := range map[string][]string{
		"withdrawals": {"__complete", "pause", ""}, "retryable": {"__complete", "jobs", "list", "--state", ""},
		"retry": {"__complete", "help", "jobs", ""},
	} {
		out, err := amanat(t, args...)
		require.NoError(t, err)
		require.Contains(t, strings.Split(out.stdout.String(), "\n"), want)
	}
}

func TestRun_usage(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		`no command "migrat"; did you mean migrate?`: {"migrat"},
		`no command "jbos"; did you mean jobs?`:      {"jbos", "--limit", "5"},
		`no command "zzz"; see amanat --help`:        {"zzz"},
		`no command "lst"; did you mean list?`:       {"help", "jobs", "lst"},
		`no command "mend"; see amanat jobs --help`:  {"jobs", "mend"},
		"0 arguments expected, 1 given":              {"migrate", "now"},
		"1 arguments expected, 0 given":              {"grant-admin"},
		`no command "all"`:                           {"operations", "all", "please"},
		"is no operation's id":                       {"operations", "reject", "everything", "--reason", "x"},
		"--reason is required":                       {"operations", "reject", "01a2041c-0a4b-7a53-8c25-1f8d4cce3406"},
		"-force":                                     {"migrate", "--force"},
		"must be of money":                           {"jobs", "list", "--queue", "gold"},
		"must be of available":                       {"jobs", "list", "--state", "discarded,lost"},
		"must be of pending, done, rejected":         {"operations", "list", "--state", "lost"},
		"must be a duration such as 24h":             {"operations", "list", "--since", "yesterday"},
		`"x" is no deal's id`:                        {"operations", "list", "--deal", "x"},
		"must be 1 to 1000":                          {"jobs", "list", "--limit", "0"},
		`"gold" is none of money,`:                   {"pause", "gold", "--reason", "x"},
		`"seven" is no job's id`:                     {"jobs", "show", "seven"},
		`"-7" is no job's id`:                        {"jobs", "retry", "--", "-7"},
		`no session's id and not all`:                {"sessions", "end", "rahim", "every"},
		"2 arguments expected, 1 given":              {"export-user", "rahim"},
		"--since is for statements of":               {"statement", "01a2041c-0a4b-7a53-8c25-1f8d4cce3406", "--since", "7d"},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			out, err := amanat(t, args...)
			require.ErrorIs(t, err, errUsage)
			require.ErrorContains(t, err, want)
			require.Contains(t, out.stderr.String(), "Usage: amanat")
			require.LessOrEqual(t, strings.Count(out.stderr.String(), "\n"), 1)
			require.Empty(t, out.stdout.String())
		})
	}
}

// The documents name commands and flags that exist.
func TestDocs_commands(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	command := regexp.MustCompile("(?m)(?:`|^(?:.*[ |/])?)amanat ([a-z][^`#|\\n]*)(?:`|#|$)")
	found := 0
	for _, file := range append(files, "../../README.md", "../../ARCHITECTURE.md") {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, match := range command.FindAllStringSubmatch(string(text), -1) {
			fields := strings.Fields(match[1])
			known := func(word string) bool { return leaves(newRoot(), "")[word] != nil }
			if !strings.HasPrefix(match[0], "`") && !slices.ContainsFunc(fields, known) { // prose
				continue
			}
			found++
			root := newRoot()
			root.InitDefaultHelpCmd()
			root.InitDefaultCompletionCmd("completion")
			cmd, rest, err := root.Find(fields)
			require.NoError(t, err)
			require.False(t, cmd == root || cmd.HasSubCommands() && len(rest) > 0, "%s: amanat %s", file, match[1])
			require.NoError(t, cmd.ParseFlags(rest), "%s: amanat %s", file, match[1])
		}
	}
	require.Greater(t, found, 60)
}

// Sets up a database as an operator does: schema, users, rate, reconciliation.
func TestRun_setup(t *testing.T) {
	db := dbtest.Empty(t)
	t.Setenv("DATABASE_URL", db.OwnerURL)
	_, err := amanat(t, "set-rate", "122.40")
	require.ErrorContains(t, err, "amanat migrate")

	t.Setenv("API_DB_PASSWORD", dbtest.Roles().APIPassword)
	require.NoError(t, os.Unsetenv("WORKER_DB_PASSWORD"))
	_, err = amanat(t, "migrate")
	require.ErrorContains(t, err, "WORKER_DB_PASSWORD: is required")
	t.Setenv("WORKER_DB_PASSWORD", dbtest.Roles().WorkerPassword)
	for range 2 {
		_, err = amanat(t, "migrate")
		require.NoError(t, err)
	}

	t.Setenv("DATABASE_URL", db.APIURL)
	_, err = amanat(t, "set-rate", "much")
	require.ErrorIs(t, err, errUsage)
	_, err = amanat(t, "set-rate", "122.40")
	require.NoError(t, err)
	_, err = amanat(t, "set-rate", "12.24")
	require.ErrorContains(t, err, "from 122.40 to 12.24")
	require.ErrorContains(t, err, "--confirm")
	_, err = amanat(t, "set-rate", "12.24", "--confirm")
	require.NoError(t, err)

	requireCommandsForUsers(t, db)

	requireStuckOperationsCanBeEnded(t, db)

	requireJobsCanBeRepaired(t, db)

	requirePauses(t, db)

	requireStatement(t, db)

	requireDealStatements(t, db)

	requireCorrections(t, db)

	requireSessionsCanBeEnded(t, db)

	requireExport(t, db)

	requireBlobs(t, db)

	requireErasure(t, db)

	requireTrail(t, db)

	requireTrails(t, db)

	t.Setenv("DATABASE_URL", db.WorkerURL)
	out, err := amanat(t, "reconcile", "--since-checkpoint")
	require.NoError(t, err)
	require.Contains(t, out.stdout.String(), "there is no checkpoint")
	requireFields(t, "ok whole since rules", document(t, "reconcile"))

	requireChains(t, db)

	rows, err := db.Owner().Query(t.Context(), "select usd_to_bdt from exchange_rates")
	require.NoError(t, err)
	rates, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	require.NoError(t, err)
	require.Equal(t, []int64{122_40, 12_24}, rates)
}

// requireNewAdminsFactor checks that an admin needs a second factor that is a day old, or a reason,
// which the audit log keeps.
func requireNewAdminsFactor(t *testing.T, db *dbtest.DB) {
	t.Helper()
	set := func(columns string) {
		t.Helper()
		_, err := db.Owner().Exec(t.Context(), "update users set "+columns+" where username = 'rahim'")
		require.NoError(t, err)
	}
	for _, factor := range []string{
		"second_factor_since = null", "second_factor_since = now(), factor_added_at = now() - interval '23 hours'",
	} {
		set(factor)
		_, err := amanat(t, "grant-admin", "rahim")
		require.ErrorContains(t, err, "rahim has to set up two-step login first, at least a day before.")
	}
	_, err := amanat(t, "grant-admin", "--now", "the first admin", "rahim")
	require.NoError(t, err)
	var reason string
	require.NoError(t, db.Owner().QueryRow(t.Context(),
		"select details ->> 'reason' from audit_log where action = 'user.grant_admin'").Scan(&reason))
	require.Equal(t, "the first admin", reason)
	set("is_admin = false, factor_added_at = now() - interval '25 hours'")
}

// requireCommandsForUsers runs each command on a user and checks the user and the audit log.
func requireCommandsForUsers(t *testing.T, db *dbtest.DB) {
	t.Helper()
	_, err := accounts.New(accounts.Options{DB: db.API(), Clock: clock.System{}}).Create(t.Context(),
		accounts.SignupInput{Username: "rahim", Email: "rahim@example.com", Password: "river-stone-42"})
	require.NoError(t, err)
	_, err = accounts.New(accounts.Options{DB: db.API(), Clock: clock.System{}}).Create(t.Context(),
		accounts.SignupInput{Username: "salma", Email: "salma@example.com", Password: "river-stone"})
	require.NoError(t, err)
	_, err = db.Owner().Exec(t.Context(), "update users set second_factor_since = now() where username = 'rahim'")
	require.NoError(t, err)
	for _, command := range []string{"grant-admin", "revoke-admin", "reset-second-factor", "hold-withdrawals", "release-withdrawals"} {
		_, err := amanat(t, command, "rahim")
		require.ErrorContains(t, err, "use that of the database's owner", command)
	}
	t.Setenv("DATABASE_URL", db.OwnerURL)
	_, err = amanat(t, "grant-admin", "salma")
	require.ErrorContains(t, err, "salma has to set a password of at least 12 characters first.")
	requireNewAdminsFactor(t, db)
	_, err = db.Owner().Exec(t.Context(), `
		with buyer as (
		  insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
		  values (gen_random_uuid(), 'karim', 'karim@example.com', '', 'karim', now(), now()) returning id)
		insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, status, created_at, due_at, activated_at,
		                   next_action, next_action_at)
		select gen_random_uuid(), buyer.id, u.id, u.id, 100, 2, 'A channel', 7, 'Active', now(), now() + interval '7 days', now(),
		       'refund', now() + interval '21 days'
		  from buyer, users u where u.username = 'rahim'`)
	require.NoError(t, err)
	for _, c := range []struct{ command, says, action, holds string }{
		{"grant-admin", "rahim is an admin now.", "user.grant_admin", "is_admin"},
		{"revoke-admin", "rahim is no longer an admin.", "user.revoke_admin", "not is_admin"},
		{"verify-user", "rahim has a verified address now.", "user.verify", "is_verified"},
		{
			"reset-second-factor",
			"rahim signs in with the password alone now; the sessions are ended, withdrawals are held for 24 hours.",
			"user.reset_second_factor", "second_factor_since is null and second_factor_reset_at is not null",
		},
		{"hold-withdrawals", "rahim cannot withdraw now.", "user.hold_withdrawals", "withdrawals_held_at is not null"},
		{"release-withdrawals", "rahim can withdraw again.", "user.release_withdrawals", "withdrawals_held_at is null"},
		{
			"disable-user", "rahim is locked out now; the sessions are ended, open deals wait for an admin.", "user.disable",
			"disabled_at is not null and (select suspended_at is not null and frozen_at is not null from deals)",
		},
		{
			"enable-user", "rahim can sign in again; deals that waited for this alone go on.", "user.enable",
			"disabled_at is null and (select suspended_at is null and frozen_at is null from deals)",
		},
	} {
		_, err := amanat(t, c.command, "nobody")
		require.ErrorContains(t, err, "User not found", c.command)
		out, err := amanat(t, c.command, "RAHIM")
		require.NoError(t, err, c.command)
		require.Equal(t, c.says+"\n", out.stdout.String())
		var done bool
		var action string
		require.NoError(t, db.Owner().QueryRow(t.Context(), `
			select `+c.holds+`, (select action from audit_log order by id desc limit 1) from users where username = 'rahim'`).Scan(&done, &action))
		require.True(t, done, c.command)
		require.Equal(t, c.action, action)
	}
	var notices []string
	require.NoError(t, db.Owner().QueryRow(t.Context(), `
		select array_agg(args ->> 'notice_kind' order by id) from river.river_job where kind = 'admin_notice'`).Scan(&notices))
	require.Equal(t, []string{"admin_granted", "admin_granted", "admin_revoked", "admin_suspended"}, notices, "the admins hear of it")
	// The deal has no transfers, so it would break the books.
	_, err = db.Owner().Exec(t.Context(), `with lines as (delete from deal_events) delete from deals`)
	require.NoError(t, err)
}
