package workers

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river/rivertest"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/testing/soak"
	"amanat/queue/jobs"
)

// sweep looks for lost jobs once, as a worker process does, and returns how many it has replaced.
func (f *fixture) sweep() int {
	f.t.Helper()
	sweeper := *f.ops
	sweeper.DB = f.db.Worker()
	revived, err := sweeper.Sweep(f.t.Context())
	require.NoError(f.t, err)
	return revived
}

// seen records when a worker was seen last.
func (f *fixture) seen(worker string, ago time.Duration) {
	f.t.Helper()
	_, err := f.db.Owner().Exec(f.t.Context(), `insert into worker_heartbeats (id, seen_at) values (@id, now() - @ago::interval)`,
		pgx.NamedArgs{"id": worker, "ago": ago})
	require.NoError(f.t, err)
}

// attempted makes the job that of an attempt by the last of the workers that began some time ago.
func (f *fixture) attempted(job int64, state rivertype.JobState, ago time.Duration, workers ...string) {
	f.t.Helper()
	_, err := f.db.Owner().Exec(f.t.Context(), `
		update river.river_job set state = @state, attempted_at = now() - @ago::interval, attempted_by = @workers where id = @id`,
		pgx.NamedArgs{"id": job, "state": state, "ago": ago, "workers": workers})
	require.NoError(f.t, err)
}

// jobsOf counts the jobs of an operation.
func (f *fixture) jobsOf(op uuid.UUID) int {
	f.t.Helper()
	return f.count(`select count(*) from river.river_job where args @> jsonb_build_object('operation_id', $1::uuid)`, op)
}

func TestOperationsSweep_running_jobs(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	buyer, seller := f.withFunds("nusrat", 500_00), f.user("tanvir")
	const young, overdue = time.Second, 16 * time.Second
	cases := map[string]struct {
		state    rivertype.JobState
		ago      time.Duration
		workers  []string
		stranded bool
	}{
		"of a living worker":                         {rivertype.JobStateRunning, young, []string{"alive"}, false},
		"of a living worker, overdue":                {rivertype.JobStateRunning, overdue, []string{"alive"}, true},
		"of a dead worker":                           {rivertype.JobStateRunning, young, []string{"dead"}, true},
		"of a dead worker, overdue":                  {rivertype.JobStateRunning, overdue, []string{"dead"}, true},
		"of an unknown worker":                       {rivertype.JobStateRunning, young, []string{"unknown"}, false},
		"of an unknown worker, overdue":              {rivertype.JobStateRunning, overdue, []string{"unknown"}, true},
		"of a living worker, after a dead one":       {rivertype.JobStateRunning, young, []string{"dead", "alive"}, false},
		"of a dead worker, after a living one":       {rivertype.JobStateRunning, young, []string{"alive", "dead"}, true},
		"waiting, after an attempt of a dead worker": {rivertype.JobStateAvailable, overdue, []string{"dead"}, false},
		"retried, after an attempt of a dead worker": {rivertype.JobStateRetryable, overdue, []string{"dead"}, false},
		"of a dead worker, after two rescues":        {rivertype.JobStateRunning, young, []string{"alive", "alive", "dead"}, true},
	}
	want, got := map[string]bool{}, map[string]bool{}
	ops := map[string]uuid.UUID{}
	for name, tc := range cases {
		op, job := f.enqueued(buyer, f.deal(buyer, seller, 1_00).ID)
		f.attempted(job.ID, tc.state, tc.ago, tc.workers...)
		ops[name], want[name] = op.ID, tc.stranded
	}
	for name, in := range map[string]time.Duration{"to be retried": 30 * time.Second, "postponed by a wrong clock": 2 * time.Minute} {
		op, job := f.enqueued(buyer, f.deal(buyer, seller, 1_00).ID)
		f.attempted(job.ID, rivertype.JobStateRetryable, time.Second, "alive")
		_, err := f.db.Owner().Exec(t.Context(), `update river.river_job set scheduled_at = now() + @in::interval where id = @id`,
			pgx.NamedArgs{"in": in, "id": job.ID})
		require.NoError(t, err)
		ops[name], want[name] = op.ID, in > 30*time.Second
	}
	f.seen("alive", 5*time.Second)
	f.seen("dead", 9*time.Second)
	f.sweep()
	for name, op := range ops {
		got[name] = f.jobsOf(op) == 2
	}
	require.Equal(t, want, got)
	require.Zero(t, f.sweep(), "they have a job now")
}

// The sweep enqueues a new job for an operation whose job ended without settling it.
func TestOperationsSweep_ended_jobs(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	buyer, seller := f.withFunds("nusrat", 500_00), f.user("tanvir")
	states := []rivertype.JobState{rivertype.JobStateCancelled, rivertype.JobStateDiscarded, rivertype.JobStateCompleted}
	for _, state := range states {
		_, job := f.enqueued(buyer, f.deal(buyer, seller, 10_00).ID)
		_, err := f.db.Owner().Exec(t.Context(), `update river.river_job set state = @state, finalized_at = now() where id = @id`,
			pgx.NamedArgs{"state": state, "id": job.ID})
		require.NoError(t, err)
	}
	require.Equal(t, len(states), f.sweep())
	f.start()
	require.Eventually(t, func() bool { return f.balance(buyer) == 470_00 }, 10*time.Second, 10*time.Millisecond)
	f.reconciled()
}

// An operation whose job is gone gets another one, however young it is.
func TestOperationsSweep_lost_jobs(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	buyer, seller := f.withFunds("nusrat", 500_00), f.user("tanvir")
	_, job := f.enqueued(buyer, f.deal(buyer, seller, 1_00).ID)
	_, err := f.db.Owner().Exec(t.Context(), `delete from river.river_job where id = $1`, job.ID)
	require.NoError(t, err)
	waiting, err := f.deals.RequestPay(t.Context(), buyer, f.deal(buyer, seller, 2_00).ID, deals.AnyTerms, nil)
	require.NoError(t, err)
	require.Equal(t, 1, f.sweep())
	require.Equal(t, 1, f.jobsOf(waiting.ID), "its job waits")
	f.start()
	require.Eventually(t, func() bool { return f.balance(buyer) == 497_00 }, 10*time.Second, 10*time.Millisecond)
	f.reconciled()
}

// Any number of sweeps at once give an operation one job.
func TestOperationsSweep_concurrent(t *testing.T) {
	t.Parallel()
	const rounds, sweeps = 200, 3 // fewer rounds miss sweeps that overlap
	f := newFixture(t)
	buyer, seller := f.withFunds("nusrat", 500_00), f.user("tanvir")
	op, _ := f.enqueued(buyer, f.deal(buyer, seller, 1_00).ID)
	for range rounds {
		_, err := f.db.Owner().Exec(t.Context(), `delete from river.river_job`)
		require.NoError(t, err)
		var revived [sweeps]int
		var group sync.WaitGroup
		for i := range revived {
			group.Go(func() { revived[i] = f.sweep() })
		}
		group.Wait()
		require.Equal(t, 1, f.jobsOf(op.ID))
		require.Equal(t, 1, revived[0]+revived[1]+revived[2])
	}
}

// A worker is taken for dead while it settles an operation. Another one settles it, too, and the
// money moves once, whoever comes first.
func TestOperationsSweep_worker_alive_after_all(t *testing.T) {
	t.Parallel()
	rounds := soak.Rounds(4, 200)
	f := newFixture(t)
	buyer, seller := f.withFunds("nusrat", money.Cents(rounds)*1_00), f.user("tanvir")
	f.seen("frozen", time.Minute)
	ctx := rivertest.WorkContext(t.Context(), f.client)
	frozen, other := f.paySettler(), f.paySettler()
	for range rounds {
		op, job := f.enqueued(buyer, f.deal(buyer, seller, 1_00).ID)
		f.attempted(job.ID, rivertype.JobStateRunning, 0, "frozen")
		require.Equal(t, 1, f.sweep())
		again := f.fetched(op)
		var failures [2]error
		var group sync.WaitGroup
		group.Go(func() { failures[0] = frozen.Work(ctx, job) })
		group.Go(func() { failures[1] = other.Work(ctx, again) })
		group.Wait()
		require.NoError(t, errors.Join(failures[:]...))
		after, err := f.ops.Get(t.Context(), f.db.API(), buyer, op.ID)
		require.NoError(t, err)
		require.Equal(t, operations.Done, after.Status)
	}
	require.Zero(t, f.balance(buyer))
	require.Equal(t, rounds, f.count(`select count(*) from ledger.transfers where kind = 'deal_pay'`))
	require.Equal(t, 2*rounds, f.count(`select count(*) from river.river_job where state = 'completed'`))
	f.reconciled()
}

const sqlBacklog = `
with added as (
  insert into operations (id, kind, subject, params, created_at)
  select gen_random_uuid(), 'deal_pay', 'deal:' || gen_random_uuid(), '{}', now() from generate_series(1, 10000)
  returning id, kind)
insert into river.river_job (args, kind, queue, max_attempts)
select jsonb_build_object('operation_id', id), kind, 'money', 2900 from added`

// A backlog that the planner does not know of makes no sweep slow.
func TestOperationsSweep_backlog(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	buyer, seller := f.withFunds("nusrat", 500_00), f.user("tanvir")
	_, err := f.db.Owner().Exec(t.Context(), sqlBacklog)
	require.NoError(t, err)
	f.seen("dead", time.Minute)
	_, job := f.enqueued(buyer, f.deal(buyer, seller, 1_00).ID)
	f.attempted(job.ID, rivertype.JobStateRunning, 0, "dead")
	began := time.Now()
	require.Equal(t, 1, f.sweep())
	t.Logf("10,000 pending operations: %s", time.Since(began))
	require.Less(t, time.Since(began), sweepTimeout/2)
}

func TestForOperation_registered_workers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	for _, kind := range []string{
		jobs.KindDealPay, jobs.KindDealComplete, jobs.KindDepositApprove,
		jobs.KindWithdrawalHold, jobs.KindWithdrawalSend, jobs.KindWithdrawalReject, jobs.KindWithdrawalCancel,
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			args, err := jobs.ForOperation(kind, uuid.New())
			require.NoError(t, err)
			require.Equal(t, kind, args.Kind())
			// A client with workers refuses a kind without a registered worker.
			inserted, err := f.client.Insert(t.Context(), args, nil)
			require.NoError(t, err)
			require.Equal(t, jobs.QueueMoney, inserted.Job.Queue)
		})
	}
}
