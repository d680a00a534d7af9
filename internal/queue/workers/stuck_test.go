package workers

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river/rivertest"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"amanat/internal/money/operations"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
)

// operator is what the command line works with: the worker's login.
func (b *bench) operator() *operations.Service {
	ops := *b.ops
	ops.DB = b.db.Worker()
	return &ops
}

// poison makes settling fail, again and again, where it writes the rows that the condition finds.
func (b *bench) poison(table, condition string) {
	b.t.Helper()
	_, err := b.db.Owner().Exec(b.t.Context(), `
		create function public.poison() returns trigger language plpgsql as $$ begin raise exception 'a bug of a settler'; end $$;
		create trigger poison before insert or update on `+table+` for each row when (`+condition+`) execute function public.poison()`)
	require.NoError(b.t, err)
}

// tried waits until the operation's job has failed.
func (b *bench) tried(op operations.Operation) {
	b.t.Helper()
	require.Eventually(b.t, func() bool {
		return b.count(`select count(*) from river.river_job where args @> jsonb_build_object('operation_id', $1::uuid) and cardinality(errors) > 0
			and state = 'retryable'`, op.ID) == 1
	}, 10*time.Second, 10*time.Millisecond)
}

// What can never settle blocks its subject for admins, too, until an operator ends it.
func TestAStuckOperationCanBeEnded(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	ctx := t.Context()
	buyer, seller, admin := b.user("nusrat"), b.user("tanvir"), b.admin("admin")
	b.fund(buyer, admin, 100_00)
	d := b.deal(buyer, seller, 20_00)
	b.settled(b.deals.RequestPay(ctx, buyer, d.ID, nil))
	withdrawal := b.withdrawal(buyer, 10_00)
	b.poison("deals", "new.status = 'Completed'")
	op, err := b.deals.RequestComplete(ctx, buyer, d.ID, nil)
	require.NoError(t, err)
	b.tried(op)
	_, err = b.deals.RequestForceCancel(ctx, admin, d.ID, nil)
	require.Equal(t, fault.Conflict, fault.CodeOf(err), "it blocks an admin, too")

	stuck, err := b.operator().ListStuck(ctx, b.db.Worker())
	require.NoError(t, err)
	require.Empty(t, stuck, "too young")
	b.clock.Advance(time.Minute + time.Second)
	stuck, err = b.operator().ListStuck(ctx, b.db.API())
	require.NoError(t, err)
	require.Len(t, stuck, 1)
	require.Equal(t, op.ID, stuck[0].ID)
	require.Equal(t, "deal_complete", stuck[0].Kind)
	require.Equal(t, operations.Deal(d.ID), stuck[0].Subject)
	require.Equal(t, "nusrat", stuck[0].Actor)
	require.NotEmpty(t, stuck[0].JobState)
	require.Positive(t, stuck[0].Attempts)
	require.Contains(t, stuck[0].LastError, "a bug of a settler")

	_, err = b.ops.End(ctx, op.ID, "the api's login")
	require.True(t, postgres.Forbidden(err), "%v", err)
	_, err = b.operator().End(ctx, op.ID, "")
	require.Equal(t, fault.Invalid, fault.CodeOf(err))
	_, err = b.operator().End(ctx, uuid.New(), "no such operation")
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	_, err = b.operator().End(ctx, op.ID, "a bug of the completion")
	require.NoError(t, err)
	_, err = b.operator().End(ctx, op.ID, "twice")
	require.Equal(t, fault.Conflict, fault.CodeOf(err))

	b.refusedWith(op, fault.Conflict, "stopped by our team")
	require.Zero(t, b.count(`select count(*) from river.river_job where args @> jsonb_build_object('operation_id', $1::uuid)
		and finalized_at is null and state <> 'running'`, op.ID), "no job tries again")
	require.Equal(t, 1, b.count(`select count(*) from user_events where user_id = $1 and type = 'operationSettled'
		and payload ->> '_id' = $2 and payload ->> 'status' = 'rejected'`, buyer, op.ID.String()), "the actor's screens hear of it")
	require.Equal(t, 1, b.count(`select count(*) from audit_log where action = 'operation.reject' and actor_id is null and subject = $1
		and details ->> 'reason' = 'a bug of the completion' and details ->> 'operation' = $2`, operations.Deal(d.ID), op.ID.String()))

	b.settled(b.deals.RequestForceCancel(ctx, admin, d.ID, nil))
	b.settled(b.wallet.RequestReject(ctx, admin, withdrawal, "", nil))
	require.EqualValues(t, 100_00, b.balance(buyer))
	b.reconciled()
}

// A settlement that is under way is waited for, and stands. One that begins after the end has no effect.
func TestEndingDoesNotOvertakeASettlement(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	buyer, seller := b.withFunds("nusrat", 500_00), b.user("tanvir")
	op, job := b.enqueued(buyer, b.deal(buyer, seller, 10_00).ID)
	ctx := rivertest.WorkContext(t.Context(), b.client)
	worker := b.paySettler()
	settle := worker.settle
	inside, goOn := make(chan struct{}), make(chan struct{})
	worker.settle = func(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
		close(inside)
		<-goOn
		return settle(ctx, tx, op)
	}
	worked, ended := make(chan error, 1), make(chan error, 1)
	go func() { worked <- worker.Work(ctx, job) }()
	<-inside
	go func() {
		_, err := b.operator().End(t.Context(), op.ID, "impatience")
		ended <- err
	}()
	require.Eventually(t, func() bool {
		return b.count(`select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`) > 0
	}, 10*time.Second, 10*time.Millisecond, "it waits")
	close(goOn)
	require.NoError(t, <-worked)
	require.Equal(t, fault.Conflict, fault.CodeOf(<-ended))
	require.EqualValues(t, 490_00, b.balance(buyer))

	op, job = b.enqueued(buyer, b.deal(buyer, seller, 10_00).ID) // fetched, and its transaction not yet begun
	_, err := b.operator().End(t.Context(), op.ID, "in time")
	require.NoError(t, err)
	worker.settle = func(context.Context, *postgres.Tx, operations.Operation) (any, error) {
		return nil, errors.New("nothing is left to settle")
	}
	require.NoError(t, worker.Work(ctx, job))
	row, err := b.client.JobGet(t.Context(), job.ID)
	require.NoError(t, err)
	require.Equal(t, rivertype.JobStateCompleted, row.State)
	require.EqualValues(t, 490_00, b.balance(buyer))
	b.reconciled()
}
