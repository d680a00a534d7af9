package workers

import (
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river/rivertest"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/accounts"
	"amanat/internal/domain/deals"
	"amanat/internal/money/operations"
	"amanat/internal/platform/catalog"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
)

// people are the accounts as the operator's command line has them, with the login of the owner.
func (b *bench) people() *accounts.Service {
	return accounts.New(accounts.Options{DB: b.db.Owner(), Clock: b.clock, Deals: b.deals})
}

func (b *clockBench) disable(user uuid.UUID) {
	b.t.Helper()
	require.NoError(b.t, b.people().DisableUser(b.t.Context(), b.admin, user, "fraud"))
}

func (b *clockBench) enable(user uuid.UUID) {
	b.t.Helper()
	require.NoError(b.t, b.people().EnableUser(b.t.Context(), b.admin, user))
}

func (b *clockBench) refused(code fault.Code, text string, err error) {
	b.t.Helper()
	require.Equal(b.t, code, fault.CodeOf(err))
	require.ErrorContains(b.t, err, text)
}

func TestNobodyPaysADealWithADisabledParty(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	d := b.deal(b.buyer, b.seller, price)
	b.disable(b.seller)
	_, err := b.deals.RequestPay(ctx, b.buyer, d.ID, nil)
	b.refused(fault.Conflict, "The account of tanvir is suspended, so this deal cannot be paid.", err)
	b.enable(b.seller)

	resume := b.pause()
	asked, err := b.deals.RequestPay(ctx, b.buyer, d.ID, nil)
	require.NoError(t, err)
	b.disable(b.seller)
	resume()
	asked, err = b.waiter.Wait(ctx, asked)
	require.NoError(t, err)
	b.refused(fault.Conflict, "The account of tanvir is suspended", asked.Err())
	require.EqualValues(t, 900_00, b.balance(b.buyer))
}

func TestDisablingSuspendsTheOpenDeals(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	unpaid := b.deal(b.buyer, b.seller, price)
	d := b.do(b.deals.Deliver(ctx, b.seller, b.id))
	due := *d.NextActionAt
	b.after(2*day + time.Hour)
	b.disable(b.seller)

	d = b.now()
	require.NotNil(t, d.SuspendedAt)
	require.True(t, d.Frozen())
	require.True(t, d.SellerDisabled)
	for _, party := range []uuid.UUID{b.buyer, b.seller} {
		text, link := b.told(party)
		require.Equal(t, "The account of tanvir is suspended. The deal of $100.00 is on hold, and Amanat will decide.", text)
		require.Equal(t, "/deal/"+b.id.String(), link)
	}
	require.Equal(t, 1, b.count(`select count(*) from deal_events where kind = $1`, catalog.LineSuspended))
	require.Equal(t, 1, b.count(`select count(*) from river.river_job where kind = 'admin_notice' and args->>'notice_kind' = 'admin_suspended'`))
	queue, total, err := b.deals.ListAll(ctx, deals.Filter{Escalated: true}, postgres.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, 1, total, "what is not paid needs no decision")
	require.Equal(t, b.id, queue[0].ID)

	b.after(10 * day)
	require.Equal(t, deals.Delivered, b.now().Status, "the clock pays nobody who is disabled")
	_, err = b.deals.Get(ctx, b.buyer, unpaid.ID)
	require.Equal(t, fault.NotFound, fault.CodeOf(err), "what nobody pays expires as ever")

	b.enable(b.seller)
	d = b.now()
	require.Nil(t, d.SuspendedAt)
	require.False(t, d.Frozen())
	require.WithinDuration(t, due.Add(10*day), *d.NextActionAt, 2*time.Hour, "later by the time it stood still, with a day left")
	require.False(t, d.NextActionAt.Before(b.clock.Now().Add(day-time.Minute)))
	text, _ := b.told(b.buyer)
	require.Equal(t, "The account of tanvir is open again, so the deal of $100.00 is no longer on hold because of it.", text)
	b.after(day + time.Minute)
	b.ends(deals.Completed, deals.ReasonCompleted, 900_00, 98_00)
}

func TestAdminsDecideSuspendedDeals(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	b.do(b.deals.Deliver(ctx, b.seller, b.id))
	b.disable(b.seller)
	b.settled(b.deals.RequestForceCancel(ctx, b.admin, b.id, nil))
	require.Nil(t, b.now().SuspendedAt)
	b.ends(deals.Cancelled, deals.ReasonAdmin, 1000_00, 0)
}

func TestTheBuyerLeavesADisabledSeller(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	b.cancel(b.buyer) // also with a request open
	b.disable(b.seller)
	require.NotNil(t, b.cancel(b.buyer).Operation)
	b.ends(deals.Cancelled, deals.ReasonSellerDisabled, 1000_00, 0)
	text, _ := b.told(b.seller)
	require.Equal(t, "nusrat cancelled the deal: the account of the seller is suspended. $100.00 went back to the buyer.", text)
	require.Equal(t, 1, b.count(`select count(*) from deal_events where kind = $1`, catalog.LineSellerDisabled))
	b.enable(b.seller)
	require.NotNil(t, b.cancel(b.buyer).Operation, "told again")

	b.id = b.paid()
	b.do(b.deals.Deliver(ctx, b.seller, b.id))
	b.disable(b.seller)
	require.Nil(t, b.cancel(b.buyer).Operation, "what was delivered once goes by the admins")
	require.NotNil(t, b.now().SuspendedAt)
}

// The seller is enabled between the asking and the settling: the buyer has to ask for the money now.
func TestALeavingIsCheckedWhenItSettles(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	b.disable(b.seller)
	resume := b.pause()
	c, err := b.deals.Cancel(ctx, b.buyer, b.id, nil)
	require.NoError(t, err)
	b.enable(b.seller)
	resume()
	op, err := b.waiter.Wait(ctx, *c.Operation)
	require.NoError(t, err)
	b.refused(fault.Conflict, "You cannot leave this deal yet.", op.Err())
	require.True(t, b.now().Status.Open())
}

func TestEnablingThawsOnlyWhatNothingElseKeepsFrozen(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	require.NoError(t, b.deals.RequestSupport(ctx, b.buyer, b.id, "Where is my seller?", nil))
	b.disable(b.seller)
	b.disable(b.buyer)
	b.closeSupport()
	require.True(t, b.now().Frozen(), "suspended still")
	b.enable(b.seller)
	require.NotNil(t, b.now().SuspendedAt, "the buyer is disabled still")
	b.enable(b.buyer)
	require.False(t, b.now().Frozen())

	require.NoError(t, b.deals.RequestSupport(ctx, b.seller, b.id, "Where is my buyer?", nil))
	b.disable(b.buyer)
	b.enable(b.buyer)
	require.Nil(t, b.now().SuspendedAt)
	require.True(t, b.now().Frozen(), "the support request is open still")
	b.closeSupport()
	require.False(t, b.now().Frozen())
}

// What the clock asked for just before is refused when it settles.
func TestTheClocksMoneyIsCheckedWhenItSettles(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"seller disabled": `update users set disabled_at = now() where id = (select seller_id from deals where id = $1)`,
		"buyer disabled":  `update users set disabled_at = now() where id = (select buyer_id from deals where id = $1)`,
		"buyer held":      `update users set withdrawals_held_at = now() where id = (select buyer_id from deals where id = $1)`,
		"frozen":          `update deals set frozen_at = now() where id = $1`,
		"not due":         `update deals set next_action_at = next_action_at + interval '1 hour' where id = $1`,
		"warned late":     `update deals set warned_at = warned_at + interval '1 hour' where id = $1`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newClockBench(t)
			ctx := t.Context()
			b.do(b.deals.Deliver(ctx, b.seller, b.id))
			b.after(3*day - time.Minute)
			resume := b.pause()
			b.clock.Advance(2 * time.Minute)
			require.Eventually(t, func() bool {
				_, err := b.sweeper.Sweep(ctx)
				return err == nil && b.count(`select count(*) from operations where status = 'pending'`) == 1
			}, 10*time.Second, 5*time.Millisecond)
			// As by hand: nothing but the settling itself is there to notice.
			_, err := b.db.Owner().Exec(ctx, change, b.id)
			require.NoError(t, err)
			resume()
			require.Eventually(t, func() bool {
				return b.count(`select count(*) from operations where status = 'rejected' and error_message = 'It is not yet time for this.'`) == 1
			}, 10*time.Second, 5*time.Millisecond)
			require.Equal(t, deals.Delivered, b.now().Status)
			require.EqualValues(t, 0, b.balance(b.seller))
		})
	}
}

// Somebody is disabled by SQL, or a payment came in between: the clock's next sweep finds the deal, and finds out when it is over.
func TestTheClockFindsDisabledParties(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	_, err := b.db.Owner().Exec(ctx, `update users set disabled_at = now() where id = $1`, b.buyer)
	require.NoError(t, err)
	b.sweep()
	require.NotNil(t, b.now().SuspendedAt)
	b.sweep()
	require.Equal(t, 1, b.count(`select count(*) from deal_events where kind = $1`, catalog.LineSuspended), "once")
	_, err = b.db.Owner().Exec(ctx, `update users set disabled_at = null where id = $1`, b.buyer)
	require.NoError(t, err)
	b.sweep()
	require.Nil(t, b.now().SuspendedAt)
	require.False(t, b.now().Frozen())
}

// A payment settles while a party is being disabled, again and again: the deal is suspended, or was never paid.
func TestPayingAndDisablingAtOnce(t *testing.T) {
	t.Parallel()
	const rounds = 60
	b := &clockBench{bench: newBench(t)}
	ctx := t.Context()
	b.buyer, b.seller, b.admin = b.withFunds("nusrat", rounds*price), b.user("tanvir"), b.bench.admin("admin")
	worker, people := b.paySettler(), b.people()
	working := rivertest.WorkContext(ctx, b.client)
	for round := range rounds {
		d := b.deal(b.buyer, b.seller, price)
		op, job := b.enqueued(b.buyer, d.ID)
		party := []uuid.UUID{b.seller, b.buyer}[round%2]
		var group sync.WaitGroup
		for _, act := range []func() error{
			func() error { return worker.Work(working, job) },
			func() error { return people.DisableUser(ctx, b.admin, party, "fraud") },
		} {
			group.Go(func() {
				if err := act(); err != nil {
					t.Errorf("round %d: %v", round, err)
				}
			})
		}
		group.Wait()
		op, err := b.ops.Get(ctx, b.db.API(), b.buyer, op.ID)
		require.NoError(t, err)
		detail, err := b.deals.GetAny(ctx, b.admin, d.ID)
		require.NoError(t, err)
		require.Equal(t, op.Status == operations.Done, detail.Status.Open())
		require.Equal(t, detail.Status.Open(), detail.SuspendedAt != nil, "round %d: a %s deal", round, detail.Status)
		b.enable(party)
	}
	require.Positive(t, b.count(`select count(*) from operations where kind = 'deal_pay' and status = 'done'`))
	require.Positive(t, b.count(`select count(*) from operations where kind = 'deal_pay' and status = 'rejected'`))
}

func TestWhoIsHeldPaysNothingAndCompletesNothing(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	d := b.deal(b.buyer, b.seller, price)
	b.do(b.deals.Deliver(ctx, b.seller, b.id))
	_, err := b.people().HoldWithdrawals(ctx, "nusrat")
	require.NoError(t, err)
	_, err = b.deals.RequestPay(ctx, b.buyer, d.ID, nil)
	b.refused(fault.Forbidden, "Your account is on hold. Please contact our support.", err)
	_, err = b.deals.RequestComplete(ctx, b.buyer, b.id, nil)
	b.refused(fault.Forbidden, "Your account is on hold.", err)

	b.after(3*day + time.Minute)
	require.Equal(t, deals.Delivered, b.now().Status, "nor does the clock")
	require.NotNil(t, b.now().EscalatedAt)

	_, err = b.people().ReleaseWithdrawals(ctx, "nusrat")
	require.NoError(t, err)
	resume := b.pause()
	pay, err := b.deals.RequestPay(ctx, b.buyer, d.ID, nil)
	require.NoError(t, err)
	complete, err := b.deals.RequestComplete(ctx, b.buyer, b.id, nil)
	require.NoError(t, err)
	_, err = b.people().HoldWithdrawals(ctx, "nusrat")
	require.NoError(t, err)
	resume()
	for _, op := range []operations.Operation{pay, complete} {
		op, err := b.waiter.Wait(ctx, op)
		require.NoError(t, err)
		b.refused(fault.Forbidden, "Your account is on hold.", op.Err())
	}
	b.settled(b.deals.RequestForceComplete(ctx, b.admin, b.id, nil))
}
