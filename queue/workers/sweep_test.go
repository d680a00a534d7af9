package workers

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertest"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/testing/soak"
	"amanat/queue/jobs"
)

// sweep looks for lost jobs once and returns how many it has replaced.
func (f *fixture) sweep() int {
	f.t.Helper()
	sweeper := *f.ops
	sweeper.DB = f.db.Worker()
	revived, err := sweeper.Sweep(f.t.Context())
	require.NoError(f.t, err)
	return revived
}

// jobsOf counts the jobs of an operation.
func (f *fixture) jobsOf(op uuid.UUID) int {
	f.t.Helper()
	return f.count(`select count(*) from river.river_job where args @> jsonb_build_object('operation_id', $1::uuid)`, op)
}

// A job that waits, runs or is to be tried again needs no other one.
func TestOperationsSweep_live_jobs(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	buyer, seller := f.withFunds("nusrat", 500_00), f.user("tanvir")
	for _, state := range []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStateRetryable, rivertype.JobStateRunning, rivertype.JobStateScheduled,
	} {
		_, job := f.enqueued(buyer, f.deal(buyer, seller, 1_00).ID)
		_, err := f.db.Owner().Exec(t.Context(), `update river.river_job set state = @state where id = @id`,
			pgx.NamedArgs{"state": state, "id": job.ID})
		require.NoError(t, err)
	}
	require.Zero(t, f.sweep())
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

// Two jobs of an operation settle it once, whichever comes first.
func TestOperationsSweep_second_job(t *testing.T) {
	t.Parallel()
	rounds := soak.Rounds(4, 200)
	f := newFixture(t)
	buyer, seller := f.withFunds("nusrat", money.Cents(rounds)*1_00), f.user("tanvir")
	ctx := rivertest.WorkContext(t.Context(), f.client)
	workers := []*settler[jobs.DealPay]{f.paySettler(), f.paySettler()}
	for range rounds {
		op, job := f.enqueued(buyer, f.deal(buyer, seller, 1_00).ID)
		_, err := f.client.Insert(ctx, job.Args, nil)
		require.NoError(t, err)
		both := []*river.Job[jobs.DealPay]{job, f.fetched(op)}
		var failures [2]error
		var group sync.WaitGroup
		for i, worker := range workers {
			group.Go(func() { failures[i] = worker.Work(ctx, both[i]) })
		}
		group.Wait()
		require.NoError(t, errors.Join(failures[:]...))
		after, err := f.ops.Get(t.Context(), f.db.API(), buyer, op.ID)
		require.NoError(t, err)
		require.Equal(t, operations.Done, after.Status)
	}
	require.Zero(t, f.balance(buyer))
	require.Equal(t, rounds, f.count(`select count(*) from ledger.transfers where kind = 'deal_pay'`))
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
	_, job := f.enqueued(buyer, f.deal(buyer, seller, 1_00).ID)
	_, err = f.db.Owner().Exec(t.Context(), `delete from river.river_job where id = $1`, job.ID)
	require.NoError(t, err)
	began := time.Now()
	require.Equal(t, 1, f.sweep())
	t.Logf("10,000 pending operations: %s", time.Since(began))
	require.Less(t, time.Since(began), jobTimeout/4)
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
