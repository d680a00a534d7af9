package workers

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertest"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/domain/reports"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/testing/soak"
	"amanat/queue/jobs"
)

// operator returns the service with the worker's database role, as the command line uses it.
func (f *fixture) operator() *operations.Service {
	ops := *f.ops
	ops.DB = f.db.Worker()
	return &ops
}

// poison adds a trigger to the table that fails every write of a row that meets the condition.
func (f *fixture) poison(table, condition string) {
	f.t.Helper()
	_, err := f.db.Owner().Exec(f.t.Context(), `
		create function public.poison() returns trigger language plpgsql as $$
		begin raise exception 'a bug of a settler'; end $$;
		create trigger poison before insert or update on `+table+` for each row
		when (`+condition+`) execute function public.poison()`)
	require.NoError(f.t, err)
}

// tried waits until an attempt of the operation's job has failed. River calls a job that is due
// again within seconds available, not retryable.
func (f *fixture) tried(op operations.Operation) {
	f.t.Helper()
	require.Eventually(f.t, func() bool {
		return f.count(`
			select count(*) from river.river_job
			 where args @> jsonb_build_object('operation_id', $1::uuid) and cardinality(errors) > 0 and state <> 'running'`,
			op.ID) == 1
	}, 10*time.Second, 10*time.Millisecond)
}

// An operation that always fails to settle blocks its subject, for admins too, until an operator
// ends it.
func TestEnd_stuck_operation(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	buyer, seller, admin := f.user("nusrat"), f.user("tanvir"), f.admin("admin")
	f.fund(buyer, admin, 100_00)
	d := f.deal(buyer, seller, 20_00)
	f.settled(f.deals.RequestPay(ctx, buyer, d.ID, deals.AnyTerms, nil))
	withdrawal := f.withdrawal(buyer, 10_00)
	f.poison("deals", "new.status = 'Completed'")
	op, err := f.deals.RequestComplete(ctx, buyer, d.ID, nil)
	require.NoError(t, err)
	f.tried(op)
	_, err = f.deals.RequestForceCancel(ctx, admin, d.ID, nil)
	require.Equal(t, fault.Conflict, fault.CodeOf(err), "it blocks an admin, too")

	stuck, err := (&reports.Service{DB: f.db.Worker(), Clock: f.clock}).Operations(ctx, reports.OperationFilter{Limit: 10})
	require.NoError(t, err)
	require.Empty(t, stuck, "too young")
	f.clock.Advance(time.Minute + time.Second)
	stuck, err = (&reports.Service{DB: f.db.API(), Clock: f.clock}).Operations(ctx, reports.OperationFilter{Limit: 10})
	require.NoError(t, err)
	require.Len(t, stuck, 1)
	require.Equal(t, op.ID, stuck[0].ID)
	require.Equal(t, "deal_complete", stuck[0].Kind)
	require.Equal(t, operations.Deal(d.ID), stuck[0].Subject)
	require.Equal(t, "nusrat", *stuck[0].Actor)
	require.NotEmpty(t, *stuck[0].JobState)
	require.Positive(t, *stuck[0].Attempts)
	require.Contains(t, *stuck[0].LastError, "a bug of a settler")

	_, err = f.ops.End(ctx, op.ID, "the API's role")
	require.True(t, postgres.Forbidden(err), "%v", err)
	_, err = f.operator().End(ctx, op.ID, "")
	require.Equal(t, fault.Invalid, fault.CodeOf(err))
	_, err = f.operator().End(ctx, uuid.New(), "no such operation")
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	_, err = f.operator().End(ctx, op.ID, "a bug of the completion")
	require.NoError(t, err)
	_, err = f.operator().End(ctx, op.ID, "twice")
	require.Equal(t, fault.Conflict, fault.CodeOf(err))

	f.refusedWith(op, fault.Conflict, "stopped by our team")
	require.Zero(t, f.count(`select count(*) from river.river_job where args @> jsonb_build_object('operation_id', $1::uuid)
		and finalized_at is null and state <> 'running'`, op.ID), "no job retries")
	require.Equal(t, 1, f.count(`select count(*) from user_events where user_id = $1 and type = 'operationSettled'
		and payload ->> '_id' = $2 and payload ->> 'status' = 'rejected'`, buyer, op.ID.String()), "the actor receives an event")
	require.Equal(t, 1, f.count(`select count(*) from audit_log where action = 'operation.reject' and actor_id is null and subject = $1
		and details ->> 'reason' = 'a bug of the completion' and details ->> 'operation' = $2`, operations.Deal(d.ID), op.ID.String()))

	f.settled(f.deals.RequestForceCancel(ctx, admin, d.ID, nil))
	f.settled(f.wallet.RequestReject(ctx, admin, withdrawal, "", nil))
	require.EqualValues(t, 100_00, f.balance(buyer))
	f.reconciled()
}

// End waits for a running settlement, which takes effect. One that begins after End has no effect.
func TestEnd_waits_for_settlement(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	buyer, seller := f.withFunds("nusrat", 500_00), f.user("tanvir")
	op, job := f.enqueued(buyer, f.deal(buyer, seller, 10_00).ID)
	ctx := rivertest.WorkContext(t.Context(), f.client)
	worker := f.paySettler()
	settle := worker.kind.settle
	inside, goOn := make(chan struct{}), make(chan struct{})
	worker.kind.settle = func(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
		close(inside)
		<-goOn
		return settle(ctx, tx, op)
	}
	worked, ended := make(chan error, 1), make(chan error, 1)
	go func() { worked <- worker.Work(ctx, job) }()
	<-inside
	go func() {
		_, err := f.operator().End(t.Context(), op.ID, "impatience")
		ended <- err
	}()
	require.Eventually(t, func() bool {
		return f.count(`select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`) > 0
	}, 10*time.Second, 10*time.Millisecond, "it waits")
	close(goOn)
	require.NoError(t, <-worked)
	require.Equal(t, fault.Conflict, fault.CodeOf(<-ended))
	require.EqualValues(t, 490_00, f.balance(buyer))

	// The job is fetched, but its transaction has not begun.
	op, job = f.enqueued(buyer, f.deal(buyer, seller, 10_00).ID)
	_, err := f.operator().End(t.Context(), op.ID, "in time")
	require.NoError(t, err)
	worker.kind.settle = func(context.Context, *postgres.Tx, operations.Operation) (any, error) {
		return nil, errors.New("nothing is left to settle")
	}
	require.NoError(t, worker.Work(ctx, job))
	require.EqualValues(t, 490_00, f.balance(buyer))
	f.reconciled()
}

// A reward whose credit an operator has ended is credited a day later, so that its referrer can
// close the account.
func TestEnd_credit_requested_again(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	buyer, seller, referrer := f.withFunds("nusrat", 100_00), f.user("tanvir"), f.user("karim")
	_, err := f.db.Owner().Exec(ctx, `update users set referred_by = $1 where id = $2`, referrer, buyer)
	require.NoError(t, err)
	d := f.deal(buyer, seller, 100_00)
	f.settled(f.deals.RequestPay(ctx, buyer, d.ID, deals.AnyTerms, nil))
	f.poison("referral_rewards", "new.credited_at is not null")
	f.settled(f.deals.RequestComplete(ctx, buyer, d.ID, nil))
	var op operations.Operation
	require.NoError(t, f.db.Owner().QueryRow(ctx, `select id, kind from operations where kind = 'referral_credit'`).Scan(&op.ID, &op.Kind))
	f.tried(op)
	_, err = f.operator().End(ctx, op.ID, "a bug of the credit")
	require.NoError(t, err)
	_, err = f.db.Owner().Exec(ctx, `drop trigger poison on referral_rewards`)
	require.NoError(t, err)

	f.work(jobs.Cleanup)
	require.Equal(t, 1, f.count(`select count(*) from operations where kind = 'referral_credit'`), "not at once")
	f.clock.Advance(24*time.Hour + time.Second)
	f.work(jobs.Cleanup)
	require.Eventually(t, func() bool { return f.balance(referrer) == 1_00 }, 10*time.Second, 10*time.Millisecond)
	f.clock.Advance(24*time.Hour + time.Second)
	f.work(jobs.Cleanup)
	require.Equal(t, 2, f.count(`select count(*) from operations where kind = 'referral_credit'`))
	f.reconciled()
}

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
			postgres.Args{"state": state, "id": job.ID})
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
			postgres.Args{"state": state, "id": job.ID})
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
	workers := []*paySettler{f.paySettler(), f.paySettler()}
	for range rounds {
		op, job := f.enqueued(buyer, f.deal(buyer, seller, 1_00).ID)
		_, err := f.client.Insert(ctx, job.Args, nil)
		require.NoError(t, err)
		both := []*river.Job[jobs.Settle]{job, f.fetched(op)}
		var failures [2]error
		var group sync.WaitGroup
		for i, worker := range workers {
			group.Go(func() { failures[i] = worker.Work(ctx, both[i]) })
		}
		group.Wait()
		require.NoError(t, errors.Join(failures[:]...))
		after, err := operations.GetOwn(t.Context(), f.db.API(), buyer, op.ID)
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
	for _, kind := range jobs.MoneyKinds() {
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
