package workers

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
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

// answer is the admins' answer to support requests.
const answer = "We have talked to both of you."

// closeSupport closes the oldest open request.
func (f *clockFixture) closeSupport() {
	f.t.Helper()
	requests, _, err := f.deals.ListSupport(f.t.Context(), deals.SupportQuery{}, postgres.Page{Limit: 1})
	require.NoError(f.t, err)
	require.NoError(f.t, f.deals.CloseSupport(f.t.Context(), f.admin, requests[0].ID, answer))
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
