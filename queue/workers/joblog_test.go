package workers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"testing"

	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"amanat/queue/jobs"
)

// The log of a failed job identifies the job and the cause: the error of an SQL statement begins
// with the statement's name.
func TestHandleError(t *testing.T) {
	t.Parallel()
	cause := fmt.Errorf("deals.save: %w", errors.New("deadlock"))
	for _, c := range []struct {
		name           string
		job            rivertype.JobRow
		level, message string
	}{
		{
			"another attempt follows",
			rivertype.JobRow{Queue: jobs.QueueMoney, Attempt: 1, MaxAttempts: 2},
			"WARN",
			"job failed, will be tried again",
		},
		{
			"the last attempt",
			rivertype.JobRow{Queue: jobs.QueueMoney, Attempt: 2, MaxAttempts: 2},
			"ERROR",
			"job discarded",
		},
		{
			"a periodic job",
			rivertype.JobRow{Queue: jobs.QueueMaintenance, Attempt: 1, MaxAttempts: 1},
			"WARN",
			"periodic job failed, the next run makes up for it",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			h := &errorHandler{log: slog.New(slog.NewJSONHandler(&out, nil))}
			c.job.ID, c.job.Kind = 7, jobs.KindDealPay
			h.HandleError(t.Context(), &c.job, cause)
			require.Equal(t, map[string]any{
				"level": c.level, "msg": c.message, "kind": "deal_pay", "job": 7.0, "attempt": float64(c.job.Attempt),
				"error": "deals.save: deadlock",
			}, logged(t, &out))
		})
	}
}

func TestHandlePanic(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	h := &errorHandler{log: slog.New(slog.NewJSONHandler(&out, nil))}
	h.HandlePanic(t.Context(), &rivertype.JobRow{ID: 7, Kind: jobs.KindDealPay, Attempt: 1}, "oh", "at deals.go")
	require.Equal(t, map[string]any{
		"level": "ERROR", "msg": "job panicked", "kind": "deal_pay", "job": 7.0, "attempt": 1.0, "panic": "oh", "trace": "at deals.go",
	}, logged(t, &out))
}

func logged(t *testing.T, out *bytes.Buffer) map[string]any {
	t.Helper()
	var line map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &line))
	delete(line, "time")
	return line
}
