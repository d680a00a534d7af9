package workers

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/money/operations"
	"amanat/internal/platform/actor"
	"amanat/internal/platform/postgres"
	"amanat/internal/queue/jobs"
)

// An operation that no API call would create is refused when it settles.
func TestSettleDeal_refuses_invalid_actor_or_params(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	ctx := t.Context()
	f.do(f.deals.Deliver(ctx, f.seller, f.id, deals.Words{}))
	stranger := f.user("rakib")
	type word map[string]string
	before := f.count(`select count(*) from ledger.transfers`)
	for _, c := range []struct {
		kind   string
		params word
		actor  actor.Actor
	}{
		{jobs.KindDealComplete, word{}, actor.User(stranger)},
		{jobs.KindDealComplete, word{}, actor.User(f.buyer)},
		{jobs.KindDealComplete, word{"by": "seller"}, actor.User(f.seller)},
		{jobs.KindDealComplete, word{"by": "clock"}, actor.User(f.seller)},
		{jobs.KindDealComplete, word{"by": "clock"}, actor.System()}, // it is not due
		{jobs.KindDealComplete, word{"by": "admin"}, actor.User(f.seller)},
		{jobs.KindDealComplete, word{"by": "admin"}, actor.System()},
		{jobs.KindDealRefund, word{}, actor.User(f.buyer)},
		{jobs.KindDealRefund, word{"reason": "completed"}, actor.User(stranger)},
		{jobs.KindDealRefund, word{"reason": "because"}, actor.User(f.buyer)},
		{jobs.KindDealRefund, word{"reason": "overdue"}, actor.User(f.buyer)},
		{jobs.KindDealRefund, word{"reason": "unanswered"}, actor.User(f.seller)},
		{jobs.KindDealRefund, word{"reason": "admin"}, actor.User(f.buyer)},
		{jobs.KindDealRefund, word{"reason": "admin"}, actor.System()},
		{jobs.KindDealRefund, word{"reason": "seller_disabled"}, actor.User(f.seller)},
		// The seller is not disabled.
		{jobs.KindDealRefund, word{"reason": "seller_disabled"}, actor.User(f.buyer)},
	} {
		f.rejected(operations.Request{Kind: c.kind, Subject: operations.Deal(f.id), Actor: c.actor, Params: c.params})
	}
	require.Equal(t, before, f.count(`select count(*) from ledger.transfers`))
	require.Equal(t, deals.Delivered, f.now().Status)
}

// rejected enqueues an operation without the service that would refuse it, and waits until a worker
// rejects it.
func (f *fixture) rejected(request operations.Request) {
	f.t.Helper()
	request.ID = uuid.New()
	require.NoError(f.t, postgres.WithTx(f.t.Context(), f.db.API(), func(tx *postgres.Tx) error {
		return f.ops.EnqueueFollowUp(f.t.Context(), tx, request)
	}))
	require.Eventually(f.t, func() bool {
		return f.count(`select count(*) from operations where id = $1 and status <> 'pending'`, request.ID) == 1
	}, 10*time.Second, 5*time.Millisecond)
	require.Equal(f.t, 1, f.count(`select count(*) from operations where id = $1 and status = 'rejected'`, request.ID),
		"%s %v", request.Kind, request.Params)
}

// An operation of the system that is due settles only a day after the warning, even if it was
// enqueued without that check.
func TestSettleComplete_refuses_before_warning_day(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	completion := operations.Request{
		Kind: jobs.KindDealComplete, Subject: operations.Deal(f.id), Actor: actor.System(), Params: map[string]string{"by": "clock"},
	}
	f.do(f.deals.Deliver(t.Context(), f.seller, f.id, deals.Words{}))
	f.clock.Advance(4 * day)
	require.True(t, f.clock.Now().After(*f.now().NextActionAt))
	f.rejected(completion)
	_, err := f.sweeper.Sweep(t.Context()) // warns
	require.NoError(t, err)
	f.clock.Advance(day - time.Minute)
	f.rejected(completion)
	require.Equal(t, deals.Delivered, f.now().Status)
}
