package main

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

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

	_, err = amanat(t, "reject-operation", id.String(), "--reason", "a bug")
	require.ErrorContains(t, err, "use that of the database's owner", "not with the api's login")
	t.Setenv("DATABASE_URL", db.WorkerURL)
	out, err = amanat(t, "reject-operation", id.String(), "--reason", "a bug")
	require.NoError(t, err)
	require.Contains(t, out.stdout.String(), "is rejected; nothing has moved.")
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
