package main

import (
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/testing/dbtest"
)

// trails are the commands with the actions that each records in the audit log; "" if it changes
// nothing. A new command needs an entry here and a call in TestRun_setup.
func trails() map[string]string {
	return map[string]string{
		"migrate": "database.migrate", "reconcile": "", "verify-chain": "", "set-rate": "exchange_rate.set",
		"operations show": "", "operations": "", "reject-operation": "operation.reject",
		"jobs list": "", "jobs show": "", "jobs retry": "job.retry", "jobs cancel": "job.cancel",
		"queues list": "", "queues pause": "queue.pause", "queues resume": "queue.resume",
		"pauses": "", "pause": "pause.begin", "resume": "pause.end",
		"move-blobs":  "blobs.move",
		"grant-admin": "user.grant_admin", "revoke-admin": "user.revoke_admin",
		"verify-user": "user.verify", "disable-user": "user.disable", "enable-user": "user.enable",
		"reset-second-factor": "user.reset_second_factor", "statement": "user.statement deal.statement",
		"export-user": "user.export", "erase-user": "user.erase", "sessions list": "", "sessions end": "user.end_sessions",
		"adjust": "adjustment.propose", "adjustments": "",
		"hold-withdrawals": "user.hold_withdrawals", "release-withdrawals": "user.release_withdrawals",
		"vapid-keys": "", "openapi": "",
	}
}

// requireTrails requires that every command that changes something has left an entry that says who
// ran it.
func requireTrails(t *testing.T, db *dbtest.DB) {
	t.Helper()
	rows, err := db.Owner().Query(t.Context(), `
		select action, bool_and(coalesce(details ->> 'ranBy' = $1, false)) from audit_log where actor_id is null group by action`, operator())
	require.NoError(t, err)
	signed := map[string]bool{}
	var action string
	var all bool
	_, err = pgx.ForEachRow(rows, []any{&action, &all}, func() error { signed[action] = all; return nil })
	require.NoError(t, err)
	require.NoError(t, rows.Err())
	for _, c := range commands() {
		actions, known := trails()[c.name]
		require.True(t, known, "%s: does it change anything?", c.name)
		for action := range strings.FieldsSeq(actions) {
			require.True(t, signed[action], "%s leaves no %s, or one without who ran it", c.name, action)
		}
	}
}

func TestOperator(t *testing.T) {
	host, err := os.Hostname()
	require.NoError(t, err)
	t.Setenv("SUDO_USER", "")
	require.Regexp(t, `^[\w ]+@`+host+`$`, operator())
	t.Setenv("SUDO_USER", "karim")
	require.Regexp(t, `^[\w ]+@`+host+` \(karim\)$`, operator())
}
