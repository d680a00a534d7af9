package workers

import (
	"log/slog"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// work inserts a job, waits until it is finalized and returns it.
func (f *fixture) work(args river.JobArgs) *rivertype.JobRow {
	f.t.Helper()
	inserted, err := f.client.Insert(f.t.Context(), args, nil)
	require.NoError(f.t, err)
	var job *rivertype.JobRow
	require.Eventually(f.t, func() bool {
		job, err = f.client.JobGet(f.t.Context(), inserted.Job.ID)
		return err == nil && job.FinalizedAt != nil
	}, 10*time.Second, 10*time.Millisecond)
	return job
}

func TestCleanup_failing_part(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user := f.user("nusrat")
	_, err := f.db.Owner().Exec(t.Context(), `
		with old as (select sha256('old') as hash, now() - interval '1 year' as at)
		, tokens as (
		  insert into mailed_tokens (token_hash, user_id, purpose, created_at, expires_at) select hash, $1, 'verify_email', at, at from old)
		, browsers as (
		  insert into known_browsers (token_hash, user_id, created_at, last_login_at) select hash, $1, at, at from old)
		insert into sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at, password_confirmed_at)
		select gen_random_uuid(), $1, hash, at, at, at, at from old`, user)
	require.NoError(t, err)
	_, err = f.db.Owner().Exec(t.Context(), `alter table login_challenges rename to elsewhere`)
	require.NoError(t, err)
	f.start()

	job := f.work(jobs.Cleanup{})
	require.Equal(t, rivertype.JobStateCancelled, job.State, "a failed run needs no person: there will be another")
	require.Contains(t, job.Errors[0].Error, "accounts.delete_expired_challenges: ", "the statement that failed")
	require.Contains(t, job.Errors[0].Error, "login_challenges")
	require.Zero(t, f.count(`
		select (select count(*) from mailed_tokens) + (select count(*) from known_browsers) + (select count(*) from sessions)`))
	require.Zero(t, f.count(`select count(*) from river.river_job where state = 'discarded'`))

	_, err = f.db.Owner().Exec(t.Context(), `alter table elsewhere rename to login_challenges`)
	require.NoError(t, err)
	require.Equal(t, rivertype.JobStateCompleted, f.work(jobs.Cleanup{}).State)
}

const sqlOldRows = `
with owner as (select id from users where username = 'nusrat')
, old as (select n, now() - interval '8 days' as at from generate_series(1, $1) n)
, events as (insert into user_events (id, user_id, seq, type, payload, at)
  select gen_random_uuid(), id, n, 'walletUpdated', '{}', at from owner, old)
insert into idempotency_keys (user_id, key, request_hash, resource_id, created_at)
select id, 'old ' || n, sha256('old'), gen_random_uuid(), at from owner, old`

func TestEventsPrune(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.user("nusrat")
	left := func() int {
		return f.count(`select (select count(*) from user_events) + (select count(*) from idempotency_keys)`)
	}
	_, err := f.db.Owner().Exec(t.Context(), sqlOldRows, 10)
	require.NoError(t, err)
	worker := &eventsPruneWorker{services: Services{
		DB: f.db.Worker(), Clock: f.clock, Log: slog.New(slog.DiscardHandler), Events: &realtime.Log{Clock: f.clock},
	}}
	require.NoError(t, worker.prune(t.Context(), 0), "a run whose time is used up has not failed")
	require.Equal(t, 20, left())

	f.start()
	require.Equal(t, rivertype.JobStateCompleted, f.work(jobs.EventsPrune{}).State)
	require.Zero(t, left())

	_, err = f.db.Owner().Exec(t.Context(), `alter table idempotency_keys rename to elsewhere`)
	require.NoError(t, err)
	require.Contains(t, f.work(jobs.EventsPrune{}).Errors[0].Error, "idempotency.forget_keys: ")
}

func TestHandlePanic_cancels_periodic_jobs(t *testing.T) {
	t.Parallel()
	h := &errorHandler{log: slog.New(slog.DiscardHandler)}
	for job, cancelled := range map[struct{ kind, queue string }]bool{
		{jobs.Cleanup{}.Kind(), jobs.QueueMaintenance}: true,
		{jobs.MailSweep{}.Kind(), jobs.QueueMail}:      true,
		{jobs.PushSweep{}.Kind(), jobs.QueueNotify}:    true,
		{jobs.KindDealPay, jobs.QueueMoney}:            false,
		{jobs.AccountMail{}.Kind(), jobs.QueueMail}:    false,
		{jobs.AdminNotice{}.Kind(), jobs.QueueNotify}:  false,
	} {
		t.Run(job.kind, func(t *testing.T) {
			t.Parallel()
			job := &rivertype.JobRow{Kind: job.kind, Queue: job.queue, Attempt: 1, MaxAttempts: 1}
			require.Equal(t, cancelled, h.HandlePanic(t.Context(), job, "oh", "").SetCancelled)
		})
	}
}

// In a rolling deployment, the new api inserts jobs of kinds that older workers do not know.
func TestAssemble_leaves_unknown_kinds(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, err := f.db.Owner().Exec(t.Context(), `
		insert into river.river_job (args, kind, queue, state, max_attempts, priority, scheduled_at)
		values ('{}', 'of_the_next_release', $1, 'available', 25, 1, now() - interval '1 hour')`, jobs.QueueMaintenance)
	require.NoError(t, err)
	f.start()
	f.work(jobs.Cleanup{}) // of the same queue, and due later
	require.Equal(t, 1, f.count(`
		select count(*) from river.river_job where kind = 'of_the_next_release' and state = 'available' and attempt = 0`))
}

// Jobs of every second are inserted only while something is due.
func TestPeriodic_idle(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	services := newServices(f.dependencies(), f.jobs, nil, nil)
	inserted := func() (kinds []string) {
		for _, insert := range []func() (river.JobArgs, *river.InsertOpts){
			whenDue(services.NotificationMail.Due, jobs.MailSweep{}), whenDue(services.Pushes.Due, jobs.PushSweep{}),
		} {
			if args, _ := insert(); args != nil {
				kinds = append(kinds, args.Kind())
			}
		}
		return kinds
	}
	require.Empty(t, inserted())
	f.deal(f.user("nusrat"), f.user("tanvir"), 1_00) // the buyer is mailed
	require.Equal(t, []string{jobs.MailSweep{}.Kind()}, inserted())
}
