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

// What no call asks for is refused when it settles, however it came to be asked for.
func TestWordsThatNobodyMayUseAreRefused(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	b.do(b.deals.Deliver(ctx, b.seller, b.id))
	stranger := b.user("rakib")
	type word map[string]string
	before := b.count(`select count(*) from ledger.transfers`)
	for _, c := range []struct {
		kind   string
		params word
		actor  actor.Actor
	}{
		{jobs.KindDealComplete, word{}, actor.User(stranger)},
		{jobs.KindDealComplete, word{}, actor.User(b.buyer)},
		{jobs.KindDealComplete, word{"by": "seller"}, actor.User(b.seller)},
		{jobs.KindDealComplete, word{"by": "clock"}, actor.User(b.seller)},
		{jobs.KindDealComplete, word{"by": "clock"}, actor.System()}, // it is not time
		{jobs.KindDealComplete, word{"by": "admin"}, actor.User(b.seller)},
		{jobs.KindDealComplete, word{"by": "admin"}, actor.System()},
		{jobs.KindDealRefund, word{}, actor.User(b.buyer)},
		{jobs.KindDealRefund, word{"reason": "completed"}, actor.User(stranger)},
		{jobs.KindDealRefund, word{"reason": "because"}, actor.User(b.buyer)},
		{jobs.KindDealRefund, word{"reason": "overdue"}, actor.User(b.buyer)},
		{jobs.KindDealRefund, word{"reason": "unanswered"}, actor.User(b.seller)},
		{jobs.KindDealRefund, word{"reason": "admin"}, actor.User(b.buyer)},
		{jobs.KindDealRefund, word{"reason": "admin"}, actor.System()},
		{jobs.KindDealRefund, word{"reason": "seller_disabled"}, actor.User(b.seller)},
		{jobs.KindDealRefund, word{"reason": "seller_disabled"}, actor.User(b.buyer)}, // the seller is not
	} {
		b.rejected(operations.Request{Kind: c.kind, Subject: operations.Deal(b.id), Actor: c.actor, Params: c.params})
	}
	require.Equal(t, before, b.count(`select count(*) from ledger.transfers`))
	require.Equal(t, deals.Delivered, b.now().Status)
}

// rejected writes an operation past the use case that would have refused it, and waits until a worker rejects it.
func (b *bench) rejected(request operations.Request) {
	b.t.Helper()
	request.ID = uuid.New()
	require.NoError(b.t, postgres.WithTx(b.t.Context(), b.db.API(), func(tx *postgres.Tx) error {
		return b.ops.EnqueueFollowUp(b.t.Context(), tx, request)
	}))
	require.Eventually(b.t, func() bool {
		return b.count(`select count(*) from operations where id = $1 and status <> 'pending'`, request.ID) == 1
	}, 10*time.Second, 5*time.Millisecond)
	require.Equal(b.t, 1, b.count(`select count(*) from operations where id = $1 and status = 'rejected'`, request.ID),
		"%s %v", request.Kind, request.Params)
}

// What is due is settled for the clock only a day after the warning, also when an operation was made without looking at that.
func TestTheClockSettlesNothingUnwarned(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	completion := operations.Request{
		Kind: jobs.KindDealComplete, Subject: operations.Deal(b.id), Actor: actor.System(), Params: map[string]string{"by": "clock"},
	}
	b.do(b.deals.Deliver(t.Context(), b.seller, b.id))
	b.clock.Advance(4 * day)
	require.True(t, b.clock.Now().After(*b.now().NextActionAt))
	b.rejected(completion)
	_, err := b.sweeper.Sweep(t.Context()) // warns
	require.NoError(t, err)
	b.clock.Advance(day - time.Minute)
	b.rejected(completion)
	require.Equal(t, deals.Delivered, b.now().Status)
}
