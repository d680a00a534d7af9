package workers

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river/rivertest"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/operations"
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

// tried waits until an attempt of the operation's job has failed.
func (f *fixture) tried(op operations.Operation) {
	f.t.Helper()
	require.Eventually(f.t, func() bool {
		return f.count(`
			select count(*) from river.river_job
			 where args @> jsonb_build_object('operation_id', $1::uuid) and cardinality(errors) > 0 and state = 'retryable'`,
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

	stuck, err := f.operator().ListStuck(ctx, f.db.Worker())
	require.NoError(t, err)
	require.Empty(t, stuck, "too young")
	f.clock.Advance(time.Minute + time.Second)
	stuck, err = f.operator().ListStuck(ctx, f.db.API())
	require.NoError(t, err)
	require.Len(t, stuck, 1)
	require.Equal(t, op.ID, stuck[0].ID)
	require.Equal(t, "deal_complete", stuck[0].Kind)
	require.Equal(t, operations.Deal(d.ID), stuck[0].Subject)
	require.Equal(t, "nusrat", stuck[0].Actor)
	require.NotEmpty(t, stuck[0].JobState)
	require.Positive(t, stuck[0].Attempts)
	require.Contains(t, stuck[0].LastError, "a bug of a settler")

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

	f.work(jobs.Cleanup{})
	require.Equal(t, 1, f.count(`select count(*) from operations where kind = 'referral_credit'`), "not at once")
	f.clock.Advance(24*time.Hour + time.Second)
	f.work(jobs.Cleanup{})
	require.Eventually(t, func() bool { return f.balance(referrer) == 1_00 }, 10*time.Second, 10*time.Millisecond)
	f.clock.Advance(24*time.Hour + time.Second)
	f.work(jobs.Cleanup{})
	require.Equal(t, 2, f.count(`select count(*) from operations where kind = 'referral_credit'`))
	f.reconciled()
}
