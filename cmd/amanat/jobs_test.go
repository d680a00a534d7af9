package main

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/tracing"
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
		values ('support_mail', jsonb_build_object('subject_id', $1::text), 'mail', 'discarded', 3, 3, now(), now(), array[
		  '{"attempt": 3, "at": "2026-03-01T12:00:00Z", "error": "550 no\nsuch mailbox", "trace": "worker.go:7"}'::jsonb])
		returning id::text`, report).Scan(&id))

	out, err := amanat(t, "jobs", "list", "--queue", "mail", "--state", "discarded")
	require.NoError(t, err)
	for _, told := range []string{id, "support_mail", " 3   ", report, "550 no such mailbox"} {
		require.Contains(t, out.stdout.String(), told)
	}
	out, err = amanat(t, "jobs", "list", "--kind", "deal_clock")
	require.NoError(t, err)
	require.Equal(t, "No job matches.\n", out.stdout.String())
	out, err = amanat(t, "jobs", "list", "--limit", "1")
	require.NoError(t, err)
	require.Contains(t, out.stdout.String(), "There may be more than these 1")
	requireFields(t, "id queue kind state attempt maxAttempts createdAt nextAt args lastError", document(t, "jobs", "list", "--limit", "1"))
	require.Equal(t, []any{}, document(t, "jobs", "list", "--kind", "deal_clock"), "no null")
	requireFields(t, "id queue kind state attempt maxAttempts createdAt nextAt args lastError attemptedAt finishedAt workers errors",
		document(t, "jobs", "show", id))
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
	require.Equal(t, "Job "+id+" (support_mail) runs as soon as a worker of the queue mail is free.\n", out.stdout.String())
	out, err = amanat(t, "jobs", "cancel", id, "--reason", "sent by hand")
	require.NoError(t, err)
	require.Equal(t, "Job "+id+" (support_mail) is cancelled.\n", out.stdout.String())

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
	requireFields(t, "queue pausedAt", document(t, "queues", "list"))
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
	requireFields(t, "area pausedAt reason", document(t, "pauses"))
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

// requireStuckOperationsCanBeEnded leaves an operation pending, as a bug would, and rejects it.
func requireStuckOperationsCanBeEnded(t *testing.T, db *dbtest.DB) {
	t.Helper()
	t.Setenv("DATABASE_URL", db.APIURL)
	out, err := amanat(t, "operations", "list")
	require.NoError(t, err)
	require.Contains(t, out.stdout.String(), "No operation has been pending")

	id := uuid.New()
	_, err = db.Owner().Exec(t.Context(), `
		insert into operations (id, kind, subject, actor_id, params, created_at)
		select $1::uuid, 'deal_pay', 'deal:' || $1::uuid, id, '{}', now() - interval '1 hour' from users where username = 'rahim'`, id)
	require.NoError(t, err)
	_, err = db.Owner().Exec(t.Context(), `
		insert into river.river_job (kind, args, queue, state, attempt, max_attempts, errors)
		values ('deal_pay', jsonb_build_object('operation_id', $1::uuid), 'money', 'retryable', 7, 2900,
		        array['{"error": "a bug\nof ours"}'::jsonb])`, id)
	require.NoError(t, err)
	out, err = amanat(t, "operations", "list")
	require.NoError(t, err)
	for _, told := range []string{id.String(), "deal_pay", "deal:" + id.String(), "rahim", "pending", "retryable", " 7 ", "a bug of ours"} {
		require.Contains(t, out.stdout.String(), told)
	}

	out, err = amanat(t, "operations", "show", id.String())
	require.NoError(t, err)
	for _, told := range []string{id.String(), "deal_pay", "pending", "{}"} {
		require.Contains(t, out.stdout.String(), told)
	}
	_, err = amanat(t, "operations", "show", uuid.NewString())
	require.ErrorContains(t, err, "not found")

	requireFields(t, "id createdAt kind subject amount actor status finishedAt reference refusal jobState attempts lastError",
		document(t, "operations", "list"))
	require.Empty(t, document(t, "operations", "list", "--user", "Rahim"), "it is not about a deal of theirs")
	requireFields(t, "id kind subject actor status params createdAt finishedAt requestId reference result refusal",
		document(t, "operations", "show", id.String()))
	for _, since := range []string{"30m", "2999-01-01"} {
		require.Empty(t, document(t, "operations", "list", "--since", since))
	}
	require.Len(t, document(t, "operations", "list", "--since", "1d"), 1)
	require.Empty(t, document(t, "operations", "list", "--state", "rejected"))
	_, err = amanat(t, "operations", "list", "--user", "nobody")
	require.ErrorContains(t, err, "User not found")
	_, err = amanat(t, "operations", "list", "--deal", uuid.NewString())
	require.ErrorContains(t, err, "Deal not found")

	requireFoundByReference(t, db, id)

	_, err = amanat(t, "operations", "reject", id.String(), "--reason", "a bug")
	require.ErrorContains(t, err, "use that of the database's owner", "not with the api's login")
	t.Setenv("DATABASE_URL", db.WorkerURL)
	out, err = amanat(t, "operations", "reject", id.String(), "--reason", "a bug")
	require.NoError(t, err)
	require.Contains(t, out.stdout.String(), "is rejected; nothing has moved.")
	out, err = amanat(t, "operations", "show", id.String())
	require.NoError(t, err)
	require.Regexp(t, "Refusal: +conflict: This was stopped by our team", out.stdout.String())
	_, err = amanat(t, "operations", "reject", "--reason", "again", id.String())
	require.ErrorContains(t, err, "The operation is rejected already.")
	var state, reason string
	require.NoError(t, db.Owner().QueryRow(t.Context(), `
		select state::text, (select details ->> 'reason' from audit_log where action = 'operation.reject') from river.river_job
		 where args @> jsonb_build_object('operation_id', $1::uuid)`, id).Scan(&state, &reason))
	require.Equal(t, "cancelled", state)
	require.Equal(t, "a bug", reason)
	out, err = amanat(t, "operations", "list")
	require.NoError(t, err)
	require.Contains(t, out.stdout.String(), "No operation has been pending")
}

// requireFoundByReference finds the operation by the reference that its user was shown.
func requireFoundByReference(t *testing.T, db *dbtest.DB, id uuid.UUID) {
	t.Helper()
	const requestID = "019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"
	_, err := db.Owner().Exec(t.Context(), `update operations set request_id = $2 where id = $1`, id, requestID)
	require.NoError(t, err)
	reference := tracing.Reference(requestID)
	for _, written := range []string{reference, strings.ToLower(strings.ReplaceAll(reference, "-", ""))} {
		out, err := amanat(t, "operations", "show", written)
		require.NoError(t, err)
		require.Contains(t, out.stdout.String(), id.String())
		require.Contains(t, out.stdout.String(), requestID)
		require.Contains(t, out.stdout.String(), reference)
	}
	_, err = amanat(t, "operations", "show", "0000-0000")
	require.ErrorContains(t, err, "no operation was requested by a call", "the exit code says that nothing was found")
	_, err = amanat(t, "operations", "show", "0000")
	require.ErrorIs(t, err, errUsage)
}

// requireStatement prints the statement of a user, and of none.
func requireStatement(t *testing.T, db *dbtest.DB) {
	t.Helper()
	t.Setenv("DATABASE_URL", db.APIURL)
	var rahim uuid.UUID
	require.NoError(t, db.Owner().QueryRow(t.Context(),
		"update users set disabled_at = now() where username = 'rahim' returning id").Scan(&rahim))
	db.Fund(rahim, 40_00)
	out, err := amanat(t, "statement", "Rahim", "--since", "7d")
	require.NoError(t, err)
	require.Regexp(t, `opening +- .* 0\.00 +-\n`, out.stdout.String())
	require.Regexp(t, ` 40\.00 +40\.00 +-\n`, out.stdout.String())
	require.Regexp(t, `closing +- .* 40\.00 +-\n$`, out.stdout.String())
	_, err = amanat(t, "statement", "nobody")
	require.ErrorContains(t, err, "User not found")
	var looks int
	require.NoError(t, db.Owner().QueryRow(t.Context(),
		"select count(*) from audit_log where action = 'user.statement' and subject = 'user:' || $1::uuid", rahim).Scan(&looks))
	require.Equal(t, 2, looks, "the list of operations and the statement")
}
