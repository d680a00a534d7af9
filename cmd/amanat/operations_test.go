package main

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/tracing"
	"amanat/internal/testing/dbtest"
)

// requireStuckOperationsCanBeEnded leaves an operation pending, as a bug would, and rejects it.
func requireStuckOperationsCanBeEnded(t *testing.T, db *dbtest.DB) {
	t.Helper()
	t.Setenv("DATABASE_URL", db.APIURL)
	out, err := amanat(t, "operations")
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
	out, err = amanat(t, "operations")
	require.NoError(t, err)
	for _, told := range []string{id.String(), "deal_pay", "deal:" + id.String(), "rahim", "1h0m", "retryable", " 7 ", "a bug of ours"} {
		require.Contains(t, out.stdout.String(), told)
	}

	out, err = amanat(t, "operations", "show", id.String())
	require.NoError(t, err)
	for _, told := range []string{id.String(), "deal_pay", "pending", "{}"} {
		require.Contains(t, out.stdout.String(), told)
	}
	_, err = amanat(t, "operations", "show", uuid.NewString())
	require.ErrorContains(t, err, "not found")

	requireFoundByReference(t, db, id)

	_, err = amanat(t, "reject-operation", id.String(), "--reason", "a bug")
	require.ErrorContains(t, err, "use that of the database's owner", "not with the api's login")
	t.Setenv("DATABASE_URL", db.WorkerURL)
	out, err = amanat(t, "reject-operation", id.String(), "--reason", "a bug")
	require.NoError(t, err)
	require.Contains(t, out.stdout.String(), "is rejected; nothing has moved.")
	out, err = amanat(t, "operations", "show", id.String())
	require.NoError(t, err)
	require.Regexp(t, "Refusal: +conflict: This was stopped by our team", out.stdout.String())
	_, err = amanat(t, "reject-operation", "--reason", "again", id.String())
	require.ErrorContains(t, err, "The operation is rejected already.")
	var state, reason string
	require.NoError(t, db.Owner().QueryRow(t.Context(), `
		select state::text, (select details ->> 'reason' from audit_log where action = 'operation.reject') from river.river_job
		 where args @> jsonb_build_object('operation_id', $1::uuid)`, id).Scan(&state, &reason))
	require.Equal(t, "cancelled", state)
	require.Equal(t, "a bug", reason)
	out, err = amanat(t, "operations")
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
		require.Contains(t, out.stdout.String(), requestID+" ("+reference+")")
	}
	out, err := amanat(t, "operations", "show", "0000-0000")
	require.NoError(t, err)
	require.Contains(t, out.stdout.String(), "No operation was requested by a call")
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
	out, err := amanat(t, "statement", "Rahim", "--days", "7")
	require.NoError(t, err)
	require.Regexp(t, `opening +0\.00 *\n`, out.stdout.String())
	require.Regexp(t, ` 40\.00 +40\.00 +-\n`, out.stdout.String())
	require.Regexp(t, `closing +40\.00 *\n$`, out.stdout.String())
	_, err = amanat(t, "statement", "nobody")
	require.ErrorContains(t, err, "User not found")
	_, err = amanat(t, "statement", "rahim", "--days", "-1")
	require.ErrorIs(t, err, errUsage)
	var looks int
	require.NoError(t, db.Owner().QueryRow(t.Context(),
		"select count(*) from audit_log where action = 'user.statement' and subject = 'user:' || $1::uuid", rahim).Scan(&looks))
	require.Equal(t, 1, looks)
}
