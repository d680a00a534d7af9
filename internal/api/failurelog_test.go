package api_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/lib/tracing"
)

// failures returns the "request failed" lines of the log.
func failures(t *testing.T, log string) []map[string]string {
	t.Helper()
	var found []map[string]string
	for line := range strings.Lines(log) {
		if !strings.Contains(line, `"msg":"request failed"`) {
			continue
		}
		var attributes map[string]string
		require.NoError(t, json.Unmarshal([]byte(line), &attributes), line)
		delete(attributes, "time")
		found = append(found, attributes)
	}
	return found
}

// The log line of a failed request names the route, the user and the SQL statement that failed.
func TestFailureLog_names_statement(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	b := f.member("rahim")
	_, err := f.owner.Exec(t.Context(), "alter table reviews rename to elsewhere")
	require.NoError(t, err)
	id := uuid.NewString()
	reply := b.get("/deals/" + id)
	reply.refused(500, "internal", "Something went wrong")
	var body api.Error
	reply.into(&body)
	require.Equal(t, tracing.Reference(reply.header.Get("X-Request-Id")), body.Reference)

	lines := failures(t, f.log.String())
	require.Len(t, lines, 1)
	require.Contains(t, lines[0]["error"], "42P01")
	statements := "deals.get, deals.list_events, deals.list_pictures, deals.open_counteroffer, deals.dispute_of, operations.pending_on: "
	require.True(t, strings.HasPrefix(lines[0]["error"], statements), lines[0]["error"])
	delete(lines[0], "error")
	require.Equal(t, map[string]string{
		"level": "ERROR", "msg": "request failed", "code": "internal", "method": "GET", "route": "/api/deals/{id}",
		"request_id": reply.header.Get("X-Request-Id"), "user_id": b.user.ID.String(),
		"ref": tracing.Reference(reply.header.Get("X-Request-Id")),
	}, lines[0])
	require.NotContains(t, f.log.String(), id)
}

// The log line of a visitor's failed request has no user_id.
func TestFailureLog_visitor(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, err := f.owner.Exec(t.Context(), "alter table deposits rename to elsewhere")
	require.NoError(t, err)
	f.visitor().get("/public/public-stats").refused(500, "internal", "Something went wrong")
	lines := failures(t, f.log.String())
	require.Len(t, lines, 1)
	require.Equal(t, "/api/public/public-stats", lines[0]["route"])
	require.Contains(t, lines[0]["error"], "reports.public_stats: ")
	require.NotContains(t, lines[0], "user_id")
}
