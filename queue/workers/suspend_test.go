package workers

import (
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river/rivertest"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/accounts"
	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/testing/soak"
)

// people returns the accounts service with the database role of the owner, as the operator's
// command line uses it.
func (f *fixture) people() *accounts.Service {
	return accounts.New(accounts.Options{DB: f.db.Owner(), Clock: f.clock, Deals: f.deals})
}

func (f *clockFixture) disable(user uuid.UUID) {
	f.t.Helper()
	require.NoError(f.t, f.people().DisableUser(f.t.Context(), f.admin, user, "fraud"))
}

func (f *clockFixture) enable(user uuid.UUID) {
	f.t.Helper()
	require.NoError(f.t, f.people().EnableUser(f.t.Context(), f.admin, user))
}

func (f *clockFixture) refused(code fault.Code, text string, err error) {
	f.t.Helper()
	require.Equal(f.t, code, fault.CodeOf(err))
	require.ErrorContains(f.t, err, text)
}

func TestRequestPay_disabled_party(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	ctx := t.Context()
	d := f.deal(f.buyer, f.seller, price)
	f.disable(f.seller)
	_, err := f.deals.RequestPay(ctx, f.buyer, d.ID, deals.AnyTerms, nil)
	f.refused(fault.Conflict, "The account of tanvir is suspended, so this deal cannot be paid.", err)
	f.enable(f.seller)

	resume := f.pause()
	asked, err := f.deals.RequestPay(ctx, f.buyer, d.ID, deals.AnyTerms, nil)
	require.NoError(t, err)
	f.disable(f.seller)
	resume()
	asked, err = f.waiter.Wait(ctx, asked)
	require.NoError(t, err)
	f.refused(fault.Conflict, "The account of tanvir is suspended", asked.Err())
	require.EqualValues(t, 900_00, f.balance(f.buyer))
}

func TestDisableUser_suspends_open_deals(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	ctx := t.Context()
	unpaid := f.deal(f.buyer, f.seller, price)
	d := f.do(f.deals.Deliver(ctx, f.seller, f.id, deals.Words{}))
	due := *d.NextActionAt
	f.after(2*day + time.Hour)
	f.disable(f.seller)

	d = f.now()
	require.NotNil(t, d.SuspendedAt)
	require.True(t, d.Frozen())
	require.True(t, d.SellerDisabled)
	for _, party := range []uuid.UUID{f.buyer, f.seller} {
		text, link := f.told(party)
		require.Equal(t, "The account of tanvir is suspended. The deal “A channel” of $100.00 is on hold, and Amanat will decide.", text)
		require.Equal(t, "/deal/"+f.id.String(), link)
	}
	require.Equal(t, 1, f.count(`select count(*) from deal_events where kind = $1`, catalog.LineSuspended))
	require.Equal(t, 1, f.count(`
		select count(*) from river.river_job where kind = 'admin_notice' and args->>'notice_kind' = 'admin_suspended'`))
	queue, total, err := f.deals.ListAll(ctx, deals.Filter{Escalated: true}, postgres.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, 1, total, "an unpaid deal needs no decision")
	require.Equal(t, f.id, queue[0].ID)

	f.after(10 * day)
	require.Equal(t, deals.Delivered, f.now().Status, "the sweep pays no disabled user")
	_, err = f.deals.Get(ctx, f.buyer, unpaid.ID)
	require.Equal(t, fault.NotFound, fault.CodeOf(err), "an unpaid deal expires as usual")

	f.enable(f.seller)
	d = f.now()
	require.Nil(t, d.SuspendedAt)
	require.False(t, d.Frozen())
	require.WithinDuration(t, due.Add(10*day), *d.NextActionAt, 2*time.Hour, "later by the suspended time, with at least a day left")
	require.False(t, d.NextActionAt.Before(f.clock.Now().Add(day-time.Minute)))
	text, _ := f.told(f.buyer)
	require.Equal(t, "The account of tanvir is active again, so the deal “A channel” of $100.00 is no longer on hold because of it.", text)
	f.after(day + time.Minute)
	f.ends(deals.Completed, deals.ReasonCompleted, 900_00, 98_00)
}

func TestCancel_disabled_seller(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	ctx := t.Context()
	f.cancel(f.buyer) // leaving also works with an open cancellation request
	f.disable(f.seller)
	require.NotNil(t, f.cancel(f.buyer).Operation)
	f.ends(deals.Cancelled, deals.ReasonSellerDisabled, 1000_00, 0)
	text, _ := f.told(f.seller)
	require.Equal(t, "nusrat cancelled the deal “A channel”: the account of the seller is suspended. $100.00 was refunded to the buyer.", text)
	require.Equal(t, 1, f.count(`select count(*) from deal_events where kind = $1`, catalog.LineSellerDisabled))
	f.enable(f.seller)
	require.NotNil(t, f.cancel(f.buyer).Operation, "repeated")

	f.id = f.paid()
	f.do(f.deals.Deliver(ctx, f.seller, f.id, deals.Words{}))
	f.disable(f.seller)
	require.Nil(t, f.cancel(f.buyer).Operation, "admins decide about a deal that was once delivered")
	require.NotNil(t, f.now().SuspendedAt)
}

// The seller is enabled between the request and its settlement, so the buyer can no longer exit
// because of it.
func TestSettleRefund_seller_enabled_meanwhile(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	ctx := t.Context()
	f.disable(f.seller)
	resume := f.pause()
	c, err := f.deals.Cancel(ctx, f.buyer, f.id, nil)
	require.NoError(t, err)
	f.enable(f.seller)
	resume()
	op, err := f.waiter.Wait(ctx, *c.Operation)
	require.NoError(t, err)
	f.refused(fault.Conflict, "You cannot leave this deal yet.", op.Err())
	require.True(t, f.now().Status.Open())
}

func TestEnableUser_deal_still_frozen(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	ctx := t.Context()
	require.NoError(t, f.deals.RequestSupport(ctx, f.buyer, f.id, "Where is my seller?", nil))
	f.disable(f.seller)
	f.disable(f.buyer)
	f.closeSupport()
	require.True(t, f.now().Frozen(), "suspended still")
	f.enable(f.seller)
	require.NotNil(t, f.now().SuspendedAt, "the buyer is disabled still")
	f.enable(f.buyer)
	require.False(t, f.now().Frozen())

	require.NoError(t, f.deals.RequestSupport(ctx, f.seller, f.id, "Where is my buyer?", nil))
	f.disable(f.buyer)
	f.enable(f.buyer)
	require.Nil(t, f.now().SuspendedAt)
	require.True(t, f.now().Frozen(), "the support request is open still")
	f.closeSupport()
	require.False(t, f.now().Frozen())
}

// An operation of the sweep is refused if its conditions no longer hold when it settles.
func TestSettleComplete_refuses_outdated_sweep(t *testing.T) {
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
			f := newClockFixture(t)
			ctx := t.Context()
			f.do(f.deals.Deliver(ctx, f.seller, f.id, deals.Words{}))
			f.after(3*day - time.Minute)
			resume := f.pause()
			f.clock.Advance(2 * time.Minute)
			require.Eventually(t, func() bool {
				_, err := f.sweeper.Sweep(ctx)
				return err == nil && f.count(`select count(*) from operations where status = 'pending'`) == 1
			}, 10*time.Second, 5*time.Millisecond)
			// A change by SQL: only the settlement can notice it.
			_, err := f.db.Owner().Exec(ctx, change, f.id)
			require.NoError(t, err)
			resume()
			require.Eventually(t, func() bool {
				return f.count(`select count(*) from operations where status = 'rejected' and error_message = 'It is not yet time for this.'`) == 1
			}, 10*time.Second, 5*time.Millisecond)
			require.Equal(t, deals.Delivered, f.now().Status)
			require.EqualValues(t, 0, f.balance(f.seller))
		})
	}
}

// If a user is disabled or enabled without their deals, by SQL or because a payment came in
// between, the next sweep suspends or resumes the deals.
func TestSweep_disabled_party(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	ctx := t.Context()
	_, err := f.db.Owner().Exec(ctx, `update users set disabled_at = now() where id = $1`, f.buyer)
	require.NoError(t, err)
	f.sweep()
	require.NotNil(t, f.now().SuspendedAt)
	f.sweep()
	require.Equal(t, 1, f.count(`select count(*) from deal_events where kind = $1`, catalog.LineSuspended), "once")
	_, err = f.db.Owner().Exec(ctx, `update users set disabled_at = null where id = $1`, f.buyer)
	require.NoError(t, err)
	f.sweep()
	require.Nil(t, f.now().SuspendedAt)
	require.False(t, f.now().Frozen())
}

// A payment settles while a party is being disabled. The deal is then either suspended or unpaid.
func TestSettlePay_DisableUser_concurrent(t *testing.T) {
	t.Parallel()
	rounds := soak.Rounds(4, 60)
	f := &clockFixture{fixture: newFixture(t)}
	ctx := t.Context()
	f.buyer, f.seller, f.admin = f.withFunds("nusrat", money.Cents(rounds)*price), f.user("tanvir"), f.fixture.admin("admin")
	worker, people := f.paySettler(), f.people()
	working := rivertest.WorkContext(ctx, f.client)
	for round := range rounds {
		d := f.deal(f.buyer, f.seller, price)
		op, job := f.enqueued(f.buyer, d.ID)
		party := []uuid.UUID{f.seller, f.buyer}[round%2]
		var group sync.WaitGroup
		for _, act := range []func() error{
			func() error { return worker.Work(working, job) },
			func() error { return people.DisableUser(ctx, f.admin, party, "fraud") },
		} {
			group.Go(func() {
				if err := act(); err != nil {
					t.Errorf("round %d: %v", round, err)
				}
			})
		}
		group.Wait()
		op, err := operations.GetOwn(ctx, f.db.API(), f.buyer, op.ID)
		require.NoError(t, err)
		detail, err := f.deals.GetAny(ctx, f.admin, d.ID)
		require.NoError(t, err)
		require.Equal(t, op.Status == operations.Done, detail.Status.Open())
		require.Equal(t, detail.Status.Open(), detail.SuspendedAt != nil, "round %d: a %s deal", round, detail.Status)
		f.enable(party)
	}
	won := soak.Rounds(0, 1) // by each of the two
	require.GreaterOrEqual(t, f.count(`select count(*) from operations where kind = 'deal_pay' and status = 'done'`), won)
	require.GreaterOrEqual(t, f.count(`select count(*) from operations where kind = 'deal_pay' and status = 'rejected'`), won)
}

// A buyer who is released just before the sweep has locked the deal is not handed to the admins.
func TestSweep_buyer_released_meanwhile(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	ctx := t.Context()
	f.do(f.deals.Deliver(ctx, f.seller, f.id, deals.Words{}))
	_, err := f.people().HoldWithdrawals(ctx, "nusrat")
	require.NoError(t, err)
	f.after(3*day - time.Minute)
	f.clock.Advance(2 * time.Minute)
	var group sync.WaitGroup
	// The deal can be read, not locked.
	f.holding(`lock table deals in exclusive mode; update users set withdrawals_held_at = null where username = 'nusrat'`, nil, func() {
		group.Go(func() {
			if _, err := f.sweeper.Sweep(ctx); err != nil {
				t.Error(err)
			}
		})
	})
	group.Wait()
	require.Nil(t, f.now().EscalatedAt)
	f.sweep()
	f.ends(deals.Completed, deals.ReasonCompleted, 900_00, 98_00)
}

func TestRequestPay_RequestComplete_buyer_on_hold(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	ctx := t.Context()
	d := f.deal(f.buyer, f.seller, price)
	f.do(f.deals.Deliver(ctx, f.seller, f.id, deals.Words{}))
	_, err := f.people().HoldWithdrawals(ctx, "nusrat")
	require.NoError(t, err)
	_, err = f.deals.RequestPay(ctx, f.buyer, d.ID, deals.AnyTerms, nil)
	f.refused(fault.Forbidden, "Your account is on hold. Please contact our support.", err)
	_, err = f.deals.RequestComplete(ctx, f.buyer, f.id, nil)
	f.refused(fault.Forbidden, "Your account is on hold.", err)

	f.after(3*day + time.Minute)
	require.Equal(t, deals.Delivered, f.now().Status, "nor does the sweep complete it")
	require.NotNil(t, f.now().EscalatedAt)

	_, err = f.people().ReleaseWithdrawals(ctx, "nusrat")
	require.NoError(t, err)
	resume := f.pause()
	pay, err := f.deals.RequestPay(ctx, f.buyer, d.ID, deals.AnyTerms, nil)
	require.NoError(t, err)
	complete, err := f.deals.RequestComplete(ctx, f.buyer, f.id, nil)
	require.NoError(t, err)
	_, err = f.people().HoldWithdrawals(ctx, "nusrat")
	require.NoError(t, err)
	resume()
	for _, op := range []operations.Operation{pay, complete} {
		op, err := f.waiter.Wait(ctx, op)
		require.NoError(t, err)
		f.refused(fault.Forbidden, "Your account is on hold.", op.Err())
	}
	f.settled(f.deals.RequestForceComplete(ctx, f.admin, f.id, nil))
}
