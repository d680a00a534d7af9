package workers

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/money"
	"amanat/internal/money/idempotency"
)

const (
	day   = 24 * time.Hour
	price = money.Cents(100_00)
)

// clockFixture has a paid deal between two users. Tests run the deadline sweep explicitly.
type clockFixture struct {
	*fixture
	sweeper       *deals.Settler // on the workers' role
	buyer, seller uuid.UUID
	admin         uuid.UUID
	id            uuid.UUID
}

func newClockFixture(t *testing.T) *clockFixture {
	t.Helper()
	f := &clockFixture{fixture: newFixture(t)}
	f.start()
	f.buyer, f.seller, f.admin = f.user("nusrat"), f.user("tanvir"), f.fixture.admin("admin")
	f.fund(f.buyer, f.admin, 1000_00)
	onWorker := *f.deals
	onWorker.DB = f.db.Worker()
	money := *f.ops
	money.DB = f.db.Worker()
	onWorker.Operations = &money
	f.sweeper = &deals.Settler{Service: &onWorker, Rewards: f.rewards}
	f.id = f.paid()
	return f
}

// paid returns a deal due in seven days.
func (f *clockFixture) paid() uuid.UUID {
	f.t.Helper()
	d := f.deal(f.buyer, f.seller, price)
	f.settled(f.deals.RequestPay(f.t.Context(), f.buyer, d.ID, deals.AnyTerms, nil))
	return d.ID
}

// sweep repeats the deadline sweep until nothing is due, also where the workers' own sweep holds
// the locks of deals that it skips, and waits until all operations are settled.
func (f *clockFixture) sweep() {
	f.t.Helper()
	require.Eventually(f.t, func() bool {
		now := f.clock.Now()
		if _, err := f.sweeper.Sweep(f.t.Context()); err != nil {
			f.t.Errorf("sweep: %v", err)
			return true
		}
		return f.count(`select count(*) from operations where status = 'pending'`) == 0 && f.count(`
			select count(*) from deals
			 where next_action_at <= $1 and frozen_at is null and removed_at is null or status = 'Active' and due_at < $1
			    or next_action_at <= $1 + interval '1 day' and frozen_at is null and removed_at is null and warned_at is null`, now) == 0
	}, 20*time.Second, 5*time.Millisecond)
}

// after lets time pass as it does while workers run: it sweeps at every deadline and warning.
func (f *clockFixture) after(step time.Duration) {
	f.t.Helper()
	f.sweep()
	for left := step; left > 0; {
		next, found, err := f.sweeper.NextStop(f.t.Context())
		require.NoError(f.t, err)
		part := left
		if found {
			part = min(left, max(0, next.Sub(f.clock.Now()))+time.Millisecond)
		}
		f.clock.Advance(part)
		f.sweep()
		left -= part
	}
}

// outage lets time pass without workers, then sweeps.
func (f *clockFixture) outage(step time.Duration) {
	f.t.Helper()
	f.clock.Advance(step)
	f.sweep()
}

func (f *clockFixture) now() deals.Deal {
	f.t.Helper()
	d, err := f.deals.GetAny(f.t.Context(), f.admin, f.id)
	require.NoError(f.t, err)
	return d.Deal
}

func (f *clockFixture) do(detail deals.Detail, err error) deals.Deal {
	f.t.Helper()
	require.NoError(f.t, err)
	return detail.Deal
}

func (f *clockFixture) ends(status deals.Status, reason deals.Reason, buyer, seller money.Cents) {
	f.t.Helper()
	d := f.now()
	require.Equal(f.t, status, d.Status)
	require.Equal(f.t, reason, d.CloseReason)
	require.Empty(f.t, d.NextAction)
	require.Equal(f.t, buyer, f.balance(f.buyer), "buyer's wallet")
	require.Equal(f.t, seller, f.balance(f.seller), "seller's wallet")
	f.reconciled()
}

func (f *clockFixture) cancel(actor uuid.UUID) deals.Cancellation {
	f.t.Helper()
	c, err := f.deals.Cancel(f.t.Context(), actor, f.id, nil)
	require.NoError(f.t, err)
	if c.Operation != nil {
		f.settled(*c.Operation, nil)
	}
	return c
}

// A change does not bring forward what the parties were warned of, not even after an outage that
// has put it off.
func TestSweep_announced_time_holds(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	ctx := t.Context()
	d, err := f.deals.Create(ctx, f.buyer,
		deals.Draft{
			BuyerID: &f.buyer, SellerID: &f.seller,
			Terms: deals.Terms{Price: price, Description: "A channel", DeliveryDays: 7, InspectionDays: 3},
		}, nil)
	require.NoError(t, err)
	f.id = d.ID
	f.settled(f.deals.RequestPay(ctx, f.buyer, f.id, deals.AnyTerms, nil))
	f.outage(30 * day)
	announced := f.now().NextActionAt
	require.WithinDuration(t, f.clock.Now().Add(day), *announced, time.Minute)
	accepted := f.do(f.deals.Accept(ctx, f.seller, f.id))
	require.Equal(t, deals.ActionRefund, accepted.NextAction)
	require.Equal(t, announced, accepted.NextActionAt)
}

func TestSweep_completes_delivered_deal(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	d := f.do(f.deals.Deliver(t.Context(), f.seller, f.id, deals.Words{}))
	require.Equal(t, deals.ActionComplete, d.NextAction)
	require.Equal(t, d.DeliveredAt.Add(3*day), *d.NextActionAt)
	f.after(2*day + time.Minute)
	require.Equal(t, deals.Delivered, f.now().Status)
	require.Equal(t, 2, f.count(`select count(*) from notifications where kind = 'deal_completes_soon'`), "both are warned once")
	f.after(day)
	f.ends(deals.Completed, deals.ReasonCompleted, 900_00, 98_00)
	require.Equal(t, 1, f.count(`select count(*) from ledger.transfers where kind = 'deal_complete' and actor_id is null`))
}

func TestSweep_refunds_undelivered_deal(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	f.after(7*day + time.Minute)
	require.Equal(t, deals.Late, f.now().Status)
	require.Equal(t, 1, f.count(`select count(*) from deals where status = 'Late'`), "and it is written down")
	require.Equal(t, 2, f.count(`select count(*) from notifications where kind = 'deal_late'`))
	f.after(13 * day)
	require.Equal(t, deals.Late, f.now().Status)
	f.after(day)
	f.ends(deals.Cancelled, deals.ReasonOverdue, 1000_00, 0)
}

func TestSweep_unanswered_request(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	require.Nil(t, f.cancel(f.buyer).Operation)
	require.True(t, f.now().CancellationRequested)
	f.after(72*time.Hour - time.Minute)
	require.Equal(t, deals.Active, f.now().Status)
	f.after(time.Minute)
	f.ends(deals.Cancelled, deals.ReasonUnanswered, 998_00, 0)
}

func TestSweep_unanswered_request_after_exit(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	f.after(6 * day)
	f.cancel(f.buyer) // to be answered by day 9; the buyer may exit from day 8
	f.after(3 * day)
	f.ends(deals.Cancelled, deals.ReasonUnanswered, 1000_00, 0)
}

func TestSweep_escalates_once_delivered_deal(t *testing.T) {
	t.Parallel()
	for name, undo := range map[string]func(f *clockFixture) time.Duration{
		"request": func(f *clockFixture) time.Duration { f.cancel(f.buyer); return 72 * time.Hour },
		"reset": func(f *clockFixture) time.Duration {
			f.do(f.deals.ResetDelivery(f.t.Context(), f.buyer, f.id, "Please change the colours."))
			return 7 * day
		},
		"declined": func(f *clockFixture) time.Duration {
			f.cancel(f.buyer)
			f.do(f.deals.DeclineCancellation(f.t.Context(), f.seller, f.id))
			return 7 * day
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newClockFixture(t)
			f.do(f.deals.Deliver(t.Context(), f.seller, f.id, deals.Words{}))
			wait := undo(f)
			require.False(t, f.now().Delivered, "a delivery that was taken back stands no more")
			f.after(wait - time.Minute)
			require.Nil(t, f.now().EscalatedAt)
			f.after(time.Minute)
			require.NotNil(t, f.now().EscalatedAt)
			f.after(100 * day)
			require.True(t, f.now().Status.Open(), "an admin decides")
			require.Equal(t, 1, f.count(`
				select count(*) from river.river_job
				 where kind = 'admin_notice' and args->>'notice_kind' = 'admin_escalated' and args->>'link' = '/admin/deals?tab=decide'`))
			f.settled(f.deals.RequestForceCancel(t.Context(), f.admin, f.id, nil))
			f.ends(deals.Cancelled, deals.ReasonAdmin, 1000_00, 0)
			require.Equal(t, 1, f.count(`select count(*) from audit_log where action = 'deal.cancel'`))
		})
	}
}

// If a deal changes between its due date and the next sweep, both parties are still notified that
// it is late.
func TestSweep_late_notice_after_cancel(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	f.clock.Advance(7*day + 30*time.Second)
	f.cancel(f.buyer)
	f.sweep()
	require.Equal(t, deals.Late, f.now().Status)
	require.Equal(t, 2, f.count(`select count(*) from notifications where kind = 'deal_late'`))
	require.Equal(t, 1, f.count(`select count(*) from deal_events where kind = 'line_late'`))
}

// The seller delivers before the buyer's exit settles. A repeat with the same key returns that
// refusal instead of a cancellation request.
func TestCancel_repeats_refused_exit(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	ctx := t.Context()
	f.clock.Advance(8*day + time.Hour)
	key := &idempotency.Key{UserID: &f.buyer, Value: "leave"}
	resume := f.pause()
	asked, err := f.deals.Cancel(ctx, f.buyer, f.id, key)
	require.NoError(t, err)
	_, err = f.db.Owner().Exec(ctx, `
		update deals set status = 'Delivered', delivered = true, delivered_at = $1, first_delivered_at = $1
		 where id = $2`, f.clock.Now(), f.id)
	require.NoError(t, err)
	resume()
	for range 2 {
		require.NotNil(t, asked.Operation)
		op, err := f.waiter.Wait(ctx, *asked.Operation)
		require.NoError(t, err)
		require.ErrorContains(t, op.Err(), "You cannot leave this deal yet.")
		asked, err = f.deals.Cancel(ctx, f.buyer, f.id, key)
		require.NoError(t, err)
	}
	require.False(t, f.now().CancellationRequested)
}

// No worker runs from the second day until after the deadline. The action then waits until a day
// after the warning.
func TestSweep_warns_after_outage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		begin   func(f *clockFixture)
		warning string
		status  deals.Status
		buyer   money.Cents
	}{
		"completion": {
			func(f *clockFixture) { f.do(f.deals.Deliver(f.t.Context(), f.seller, f.id, deals.Words{})) },
			"deal_completes_soon", deals.Completed, 900_00,
		},
		"refund": {
			func(f *clockFixture) { f.cancel(f.buyer) },
			"deal_unanswered_soon", deals.Cancelled, 998_00,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newClockFixture(t)
			c.begin(f)
			warnings := func() int { return f.count(`select count(*) from notifications where kind = $1`, c.warning) }
			f.after(2*day - time.Minute)
			require.Zero(t, warnings())
			f.outage(day + 2*time.Minute)
			require.True(t, f.now().Status.Open())
			require.Equal(t, 2, warnings())
			require.WithinDuration(t, f.clock.Now().Add(day), *f.now().NextActionAt, time.Minute, "the new deadline is shown")
			f.after(day - time.Minute)
			require.True(t, f.now().Status.Open())
			f.after(time.Minute)
			require.Equal(t, c.status, f.now().Status)
			require.Equal(t, c.buyer, f.balance(f.buyer))
			require.Equal(t, 2, warnings(), "once")
		})
	}
}

// Once the buyer may exit with a full refund, an accepted request costs no fee either, and neither
// does an unanswered one.
func TestRequestAcceptCancellation_after_exit(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	f.after(7*day + time.Hour)
	f.cancel(f.buyer)
	f.after(day)
	op := f.settled(f.deals.RequestAcceptCancellation(t.Context(), f.seller, f.id, nil))
	require.Contains(t, string(op.Result), `"`+deals.OutcomeRefunded.Code+`"`)
	f.ends(deals.Cancelled, deals.ReasonAccepted, 1000_00, 0)
	back, _ := f.now().Refund()
	require.Equal(t, price, back)
}

// A deal that was delivered once has no exit, so an accepted request always costs the fee.
func TestRequestAcceptCancellation_once_delivered(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	f.do(f.deals.Deliver(t.Context(), f.seller, f.id, deals.Words{}))
	f.do(f.deals.ResetDelivery(t.Context(), f.buyer, f.id, "Please change the colours."))
	f.clock.Advance(8*day + time.Hour)
	f.cancel(f.buyer)
	op := f.settled(f.deals.RequestAcceptCancellation(t.Context(), f.seller, f.id, nil))
	require.Contains(t, string(op.Result), `"`+deals.OutcomeAccepted.Code+`"`)
	f.ends(deals.Cancelled, deals.ReasonAccepted, 998_00, 0)
}
