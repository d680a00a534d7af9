package main

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/testing/dbtest"
)

func TestRun_reason(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"jobs", "cancel", "7"}, {"queues", "pause", "money", "--reason", " "}, {"pause", "money"}} {
		_, err := amanat(t, args...)
		require.ErrorIs(t, err, errUsage)
		require.ErrorContains(t, err, "--reason is required")
	}
}

// requireJobsCanBeRepaired finds a job that has failed, lets it run again, and cancels it.
func requireJobsCanBeRepaired(t *testing.T, db *dbtest.DB) {
	t.Helper()
	t.Setenv("DATABASE_URL", db.APIURL)
	report := uuid.NewString()
	var id string
	require.NoError(t, db.Owner().QueryRow(t.Context(), `
		insert into river.river_job (kind, args, queue, state, attempt, max_attempts, attempted_at, finalized_at, errors)
		values ('bug_report_mail', jsonb_build_object('report_id', $1::text), 'mail', 'discarded', 3, 3, now(), now(), array[
		  '{"attempt": 3, "at": "2026-03-01T12:00:00Z", "error": "550 no\nsuch mailbox", "trace": "worker.go:7"}'::jsonb])
		returning id::text`, report).Scan(&id))

	out, err := amanat(t, "jobs", "list", "--queue", "mail", "--state", "discarded")
	require.NoError(t, err)
	for _, told := range []string{id, "bug_report_mail", "3/3", report, "550 no such mailbox"} {
		require.Contains(t, out.stdout.String(), told)
	}
	out, err = amanat(t, "jobs", "list", "--kind", "deal_clock")
	require.NoError(t, err)
	require.Equal(t, "No job matches.\n", out.stdout.String())
	out, err = amanat(t, "jobs", "list", "--limit", "1")
	require.NoError(t, err)
	require.Contains(t, out.stdout.String(), "There may be more than these 1")
	out, err = amanat(t, "jobs", "show", id)
	require.NoError(t, err)
	require.Contains(t, out.stdout.String(), "Attempt 3 at 2026-03-01 12:00:00Z failed: 550 no\nsuch mailbox\nworker.go:7")
	_, err = amanat(t, "jobs", "show", "404404")
	require.ErrorContains(t, err, "there is no such job")

	_, err = amanat(t, "jobs", "retry", id)
	require.ErrorContains(t, err, "use that of the database's owner", "not with the api's login")
	t.Setenv("DATABASE_URL", db.WorkerURL)
	out, err = amanat(t, "jobs", "retry", id)
	require.NoError(t, err)
	require.Equal(t, "Job "+id+" (bug_report_mail) runs as soon as a worker of the queue mail is free.\n", out.stdout.String())
	out, err = amanat(t, "jobs", "cancel", id, "--reason", "sent by hand")
	require.NoError(t, err)
	require.Equal(t, "Job "+id+" (bug_report_mail) is cancelled.\n", out.stdout.String())

	out, err = amanat(t, "queues", "list")
	require.NoError(t, err)
	require.Equal(t, "No worker has run yet.\n", out.stdout.String())
	_, err = amanat(t, "queues", "pause", "money", "--reason", "a test")
	require.ErrorContains(t, err, "there is no such queue")
	_, err = db.Owner().Exec(t.Context(), "insert into river.river_queue (name, updated_at) values ('money', now())")
	require.NoError(t, err)
	_, err = amanat(t, "queues", "pause", "money", "--reason", "a test")
	require.NoError(t, err)
	out, err = amanat(t, "queues", "list")
	require.NoError(t, err)
	require.Regexp(t, `money +20\d\d-\d\d-\d\d`, out.stdout.String())
	_, err = amanat(t, "queues", "resume", "money")
	require.NoError(t, err)
	out, err = amanat(t, "queues", "list")
	require.NoError(t, err)
	require.Regexp(t, `money +-`, out.stdout.String())
}

// requirePauses pauses parts of the service and resumes them.
func requirePauses(t *testing.T, db *dbtest.DB) {
	t.Helper()
	t.Setenv("DATABASE_URL", db.WorkerURL)
	says := func(want string, args ...string) {
		t.Helper()
		out, err := amanat(t, args...)
		require.NoError(t, err)
		require.Contains(t, out.stdout.String(), want)
	}
	says("Nothing is paused.", "pauses")
	says("Paused: deposits.", "pause", "deposits", "--reason", "false receipts")
	says("false receipts", "pauses")
	says("Resumed: deposits.", "resume", "deposits")
	says("deposits was not paused.", "resume", "deposits")

	says("The queue money is paused, too", "pause", "all", "--reason", "a leak")
	for _, area := range []string{"money", "deposits", "withdrawals", "signups"} {
		says(area, "pauses")
	}
	out, err := amanat(t, "queues", "list")
	require.NoError(t, err)
	require.Regexp(t, `money +20\d\d-\d\d-\d\d`, out.stdout.String())
	says("Resumed: money.", "resume", "all")
	says("Nothing is paused.", "pauses")
	out, err = amanat(t, "queues", "list")
	require.NoError(t, err)
	require.Regexp(t, `money +-`, out.stdout.String())

	t.Setenv("DATABASE_URL", db.APIURL)
	says("Nothing is paused.", "pauses")
	_, err = amanat(t, "pause", "money", "--reason", "an intruder")
	require.ErrorContains(t, err, "use that of the database's owner")
}
