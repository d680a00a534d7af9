package repair_test

import (
	"log/slog"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
	"amanat/queue/jobs"
	"amanat/queue/repair"
)

type fixture struct {
	*repair.Service
	t  *testing.T
	db *dbtest.DB
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	db := dbtest.New(t)
	service, err := repair.New(db.Worker(), clock.System{})
	require.NoError(t, err)
	return &fixture{Service: service, t: t, db: db}
}

// insert adds a job in a state and returns its ID.
func (f *fixture) insert(args river.JobArgs, state rivertype.JobState) int64 {
	f.t.Helper()
	client, err := jobs.NewInserter(f.db.API(), slog.New(slog.DiscardHandler))
	require.NoError(f.t, err)
	var id int64
	require.NoError(f.t, postgres.WithTx(f.t.Context(), f.db.API(), func(tx *postgres.Tx) error {
		inserted, err := client.InsertTx(f.t.Context(), tx, args, nil)
		if err == nil {
			id = inserted.Job.ID
		}
		return err
	}))
	_, err = f.db.Owner().Exec(f.t.Context(), `
		update river.river_job
		   set state = $2::river.river_job_state, attempt = max_attempts, attempted_at = now(),
		       finalized_at = case when $2 in ('completed', 'cancelled', 'discarded') then now() end,
		       errors = array['{"attempt": 1, "error": "mail server away", "at": "2026-03-01T12:00:00Z", "trace": ""}'::jsonb]
		 where id = $1`, id, string(state))
	require.NoError(f.t, err)
	return id
}

func (f *fixture) state(id int64) rivertype.JobState {
	f.t.Helper()
	job, err := f.Show(f.t.Context(), id)
	require.NoError(f.t, err)
	return job.State
}

// audited returns the actions of the audit log with their subjects and reasons, oldest first.
func (f *fixture) audited() []string {
	f.t.Helper()
	rows, err := f.db.Owner().Query(f.t.Context(),
		`select concat_ws(' ', action, subject, details ->> 'kind', details ->> 'reason') from audit_log order by id`)
	require.NoError(f.t, err)
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(f.t, err)
	return found
}

func bugReport() river.JobArgs {
	return jobs.SupportMail{MailKind: string(catalog.MailBugReport), SubjectID: uuid.New()}
}

func payment() river.JobArgs {
	return jobs.Settle{Operation: jobs.KindDealPay, OperationID: uuid.New()}
}

func subject(id int64) string { return "job:" + strconv.FormatInt(id, 10) }

func TestList(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	done := f.insert(bugReport(), rivertype.JobStateCompleted)
	failed := f.insert(bugReport(), rivertype.JobStateDiscarded)
	money := f.insert(payment(), rivertype.JobStateRetryable)
	for name, tc := range map[string]struct {
		filter repair.Filter
		want   []int64
	}{
		"all but completed": {repair.Filter{Limit: 10}, []int64{money, failed}},
		"completed":         {repair.Filter{States: []string{"completed"}, Limit: 10}, []int64{done}},
		"states":            {repair.Filter{States: []string{"completed", "discarded"}, Limit: 10}, []int64{failed, done}},
		"queue":             {repair.Filter{Queues: []string{jobs.QueueMail}, Limit: 10}, []int64{failed}},
		"kind":              {repair.Filter{Kind: jobs.KindDealPay, Limit: 10}, []int64{money}},
		"limit":             {repair.Filter{Limit: 1}, []int64{money}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, err := f.List(t.Context(), tc.filter)
			require.NoError(t, err)
			ids := make([]int64, len(found))
			for i, job := range found {
				ids[i] = job.ID
			}
			require.Equal(t, tc.want, ids)
		})
	}
}

func TestRetry(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, state := range []rivertype.JobState{
		rivertype.JobStateDiscarded, rivertype.JobStateCancelled, rivertype.JobStateRetryable, rivertype.JobStateScheduled,
	} {
		id := f.insert(bugReport(), state)
		job, err := f.Retry(t.Context(), id)
		require.NoError(t, err, state)
		require.Equal(t, rivertype.JobStateAvailable, job.State)
		require.Less(t, job.Attempt, job.MaxAttempts, "it has an attempt left")
		require.Nil(t, job.FinalizedAt)
		require.WithinDuration(t, time.Now(), job.ScheduledAt, time.Minute)
		require.Contains(t, f.audited(), "job.retry "+subject(id)+" support_mail")
	}
	before := f.audited()
	for _, state := range []rivertype.JobState{rivertype.JobStateRunning, rivertype.JobStateCompleted} {
		id := f.insert(bugReport(), state)
		_, err := f.Retry(t.Context(), id)
		require.ErrorContains(t, err, "is "+string(state))
		require.Equal(t, state, f.state(id))
	}
	_, err := f.Retry(t.Context(), 404_404)
	require.ErrorIs(t, err, repair.ErrNoJob)
	require.Equal(t, before, f.audited())
}

func TestCancel(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.insert(bugReport(), rivertype.JobStateRetryable)
	job, err := f.Cancel(t.Context(), id, "sent by hand")
	require.NoError(t, err)
	require.Equal(t, rivertype.JobStateCancelled, job.State)
	require.Equal(t, []string{"job.cancel " + subject(id) + " support_mail sent by hand"}, f.audited())

	_, err = f.Cancel(t.Context(), id, "again")
	require.ErrorContains(t, err, "is cancelled already")
	money := f.insert(payment(), rivertype.JobStateRetryable)
	_, err = f.Cancel(t.Context(), money, "stuck")
	require.ErrorIs(t, err, repair.ErrMoney)
	require.Equal(t, rivertype.JobStateRetryable, f.state(money))
	_, err = f.Cancel(t.Context(), 404_404, "gone")
	require.ErrorIs(t, err, repair.ErrNoJob)
	require.Len(t, f.audited(), 1)
}

func TestShow_unknown(t *testing.T) {
	t.Parallel()
	_, err := newFixture(t).Show(t.Context(), 404_404)
	require.ErrorIs(t, err, repair.ErrNoJob)
}

func TestPause_unknown(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	require.ErrorIs(t, f.Pause(t.Context(), "gold", "a test"), repair.ErrNoQueue)
	require.ErrorIs(t, f.Resume(t.Context(), "gold"), repair.ErrNoQueue)
	require.Empty(t, f.audited())
}

// The login of the api may look but change nothing.
func TestService_login_of_the_api(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.insert(bugReport(), rivertype.JobStateDiscarded)
	api, err := repair.New(f.db.API(), clock.System{})
	require.NoError(t, err)
	_, err = api.Show(t.Context(), id)
	require.NoError(t, err)
	_, err = api.Retry(t.Context(), id)
	require.True(t, postgres.Forbidden(err), err)
	require.Equal(t, rivertype.JobStateDiscarded, f.state(id))
}
