package workers

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"amanat/internal/domain/deals"
	"amanat/internal/domain/trust"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
	"amanat/internal/money/operations"
)

// limitsFixture is a fixture whose users have the same limits, of however old an account.
type limitsFixture struct {
	*fixture
	seller uuid.UUID
	users  atomic.Int32
}

const (
	limitPaid      = 100_00
	limitWithdrawn = 50_00
)

func newLimitsFixture(t *testing.T) *limitsFixture {
	t.Helper()
	f := &limitsFixture{fixture: newFixture(t)}
	limit := trust.Limit{Deal: 60_00, Paid: limitPaid, Withdrawn: limitWithdrawn}
	limits := &trust.Service{DB: f.db.API(), Clock: f.clock, Limits: trust.Limits{trust.New: limit, trust.Basic: limit}}
	f.deals.Limits, f.wallet.Limits = limits, limits
	f.seller = f.user("seller")
	f.start()
	return f
}

// newcomer returns a user with money.
func (f *limitsFixture) newcomer() uuid.UUID {
	f.t.Helper()
	id := f.user(fmt.Sprint("newcomer", f.users.Add(1)))
	f.db.Fund(id, 1000_00)
	return id
}

func (f *limitsFixture) pays(buyer uuid.UUID, price money.Cents) error {
	op, err := f.deals.RequestPay(f.t.Context(), buyer, f.deal(buyer, f.seller, price).ID, deals.AnyTerms, nil)
	return f.outcome(op, err)
}

func (f *limitsFixture) withdraws(user uuid.UUID, amount money.Cents) error {
	op, err := f.wallet.RequestWithdraw(f.t.Context(), user,
		wallet.Order{Amount: amount, PhoneNumber: "01712345678", Method: wallet.Bkash}, nil)
	return f.outcome(op, err)
}

// outcome waits for a requested operation and returns why it was refused.
func (f *limitsFixture) outcome(op operations.Operation, err error) error {
	if err != nil {
		return err
	}
	op, err = f.waiter.Wait(f.t.Context(), op)
	if err != nil {
		return err
	}
	return op.Err()
}

// moved is a payment or withdrawal that has happened.
type moved struct {
	at     time.Time
	amount money.Cents
}

func (f *limitsFixture) paid(buyer uuid.UUID) []moved {
	return f.moved(`select activated_at, price from deals where buyer_id = $1 and activated_at is not null`, buyer)
}

func (f *limitsFixture) withdrawn(user uuid.UUID) []moved {
	return f.moved(`select requested_at, amount from withdrawals where user_id = $1`, user)
}

func (f *limitsFixture) moved(sql string, user uuid.UUID) []moved {
	f.t.Helper()
	rows, err := f.db.Owner().Query(f.t.Context(), sql, user)
	require.NoError(f.t, err)
	defer rows.Close()
	var all []moved
	for rows.Next() {
		var m moved
		require.NoError(f.t, rows.Scan(&m.at, &m.amount))
		all = append(all, m)
	}
	require.NoError(f.t, rows.Err())
	return all
}

// busiest returns the largest sum of any 24 hours. One of those begins with a payment.
func busiest(all []moved) (most money.Cents) {
	for _, first := range all {
		var sum money.Cents
		for _, m := range all {
			if since := m.at.Sub(first.at); since >= 0 && since < 24*time.Hour {
				sum += m.amount
			}
		}
		most = max(most, sum)
	}
	return most
}

// recent returns the sum of the last 24 hours.
func (f *limitsFixture) recent(all []moved) (sum money.Cents) {
	for _, m := range all {
		if f.clock.Now().Sub(m.at) < 24*time.Hour {
			sum += m.amount
		}
	}
	return sum
}

// Whatever a limited account does over days, no 24 hours exceed a limit, and nothing is refused
// that fits.
func TestLimits_of_any_window(t *testing.T) {
	t.Parallel()
	f := newLimitsFixture(t)
	rapid.Check(t, func(rt *rapid.T) {
		user := f.newcomer()
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			f.clock.Advance(time.Duration(rapid.IntRange(0, 16*60).Draw(rt, "minutes")) * time.Minute)
			amount := money.Cents(rapid.IntRange(1_00, 60_00).Draw(rt, "amount"))
			if rapid.Bool().Draw(rt, "pays") {
				fits := f.recent(f.paid(user))+amount <= limitPaid
				require.Equal(rt, fits, f.allowed(rt, f.pays(user, amount), "limit_paid"))
			} else {
				fits := f.recent(f.withdrawn(user))+amount <= limitWithdrawn
				require.Equal(rt, fits, f.allowed(rt, f.withdraws(user, amount), "limit_withdrawn"))
				f.send(user)
			}
		}
		require.LessOrEqual(rt, busiest(f.paid(user)), money.Cents(limitPaid))
		require.LessOrEqual(rt, busiest(f.withdrawn(user)), money.Cents(limitWithdrawn))
	})
}

// send makes the user's withdrawals sent, so that the next one is not one too many.
func (f *limitsFixture) send(user uuid.UUID) {
	f.t.Helper()
	_, err := f.db.Owner().Exec(f.t.Context(),
		`update withdrawals set status = 'completed', handled_at = requested_at where user_id = $1 and status = 'pending'`, user)
	require.NoError(f.t, err)
}

// allowed reports whether there is no error; the only one that may occur has the reason.
func (f *limitsFixture) allowed(rt *rapid.T, err error, reason string) bool {
	if err != nil {
		require.NotNil(rt, fault.As(err), "%v", err)
		require.Equal(rt, reason, fault.As(err).Reason)
	}
	return err == nil
}

// Of eight payments and eight withdrawals at once, only as many happen as fit, and no fewer.
func TestLimits_of_concurrent_calls(t *testing.T) {
	t.Parallel()
	f := newLimitsFixture(t)
	for range 5 {
		user := f.newcomer()
		var ids [8]uuid.UUID
		for i := range ids {
			ids[i] = f.deal(user, f.seller, 30_00).ID
		}
		var wg sync.WaitGroup
		var refused atomic.Int32
		report := func(err error) {
			if err != nil {
				refused.Add(1)
			}
		}
		for i := range ids {
			wg.Go(func() { report(f.outcome(f.deals.RequestPay(t.Context(), user, ids[i], deals.AnyTerms, nil))) })
			wg.Go(func() { report(f.withdraws(user, 20_00)) })
		}
		wg.Wait()
		require.Equal(t, money.Cents(90_00), busiest(f.paid(user)))
		require.Equal(t, money.Cents(40_00), busiest(f.withdrawn(user)))
		require.EqualValues(t, 16-3-2, refused.Load())
	}
	f.reconciled()
}

// While no worker runs, what is requested counts already; repeating a request that waits does not
// count it twice.
func TestLimits_count_pending_requests(t *testing.T) {
	t.Parallel()
	f := newLimitsFixture(t)
	user := f.newcomer()
	resume := f.pause()
	first, second, third := f.deal(user, f.seller, 60_00), f.deal(user, f.seller, 40_00), f.deal(user, f.seller, 1)
	one, err := f.deals.RequestPay(t.Context(), user, first.ID, deals.AnyTerms, nil)
	require.NoError(t, err)
	two, err := f.deals.RequestPay(t.Context(), user, second.ID, deals.AnyTerms, nil)
	require.NoError(t, err)
	again, err := f.deals.RequestPay(t.Context(), user, first.ID, deals.AnyTerms, nil)
	require.NoError(t, err)
	require.Equal(t, one.ID, again.ID)
	_, err = f.deals.RequestPay(t.Context(), user, third.ID, deals.AnyTerms, nil)
	require.EqualError(t, err, "conflict: You can pay up to $0.00 more today.")
	_, err = f.wallet.RequestWithdraw(t.Context(), user,
		wallet.Order{Amount: 49_99, PhoneNumber: "01712345678", Method: wallet.Bkash}, nil)
	require.NoError(t, err)
	_, err = f.wallet.RequestWithdraw(t.Context(), user,
		wallet.Order{Amount: 1_00, PhoneNumber: "01712345678", Method: wallet.Bkash}, nil)
	require.EqualError(t, err, "conflict: You can withdraw up to $0.01 more today.")
	resume()
	f.settled(one, nil)
	f.settled(two, nil)
	again, err = f.deals.RequestPay(t.Context(), user, first.ID, deals.AnyTerms, nil)
	require.NoError(t, err, "a repeated request finds that the deal is paid")
	require.Equal(t, one.ID, again.ID)
}

// The limits are checked with the terms that are paid, also if these change while the request
// waits for another one of the user.
func TestLimits_terms_change_meanwhile(t *testing.T) {
	t.Parallel()
	f := newLimitsFixture(t)
	ctx := t.Context()
	user := f.newcomer()
	require.NoError(t, f.pays(user, 60_00))
	d := f.deal(user, f.seller, 1_00)
	offer, err := f.deals.MakeCounteroffer(ctx, f.seller, d.ID,
		deals.Terms{Price: 60_00, Description: "A channel", DeliveryDays: 7, InspectionDays: 3}, "", nil)
	require.NoError(t, err)
	_, err = f.deals.RequestPay(ctx, user, d.ID, deals.AnyTerms, nil)
	require.ErrorContains(t, err, "A counter-offer waits for an answer.")
	// The request has read the deal, whose counter-offer is not there yet, and waits.
	_, err = f.db.Owner().Exec(ctx, `update deals set counteroffer_by = null where id = $1`, d.ID)
	require.NoError(t, err)
	var op operations.Operation
	var group sync.WaitGroup
	f.holding(`select pg_advisory_xact_lock(hashtextextended('trust.limits:' || $1::uuid, 0))`, []any{user}, func() {
		group.Go(func() { op, err = f.deals.RequestPay(ctx, user, d.ID, deals.AnyTerms, nil) })
		f.locksHeld()
		_, err := f.deals.AcceptCounteroffer(ctx, user, d.ID, offer.Counteroffer.ID)
		require.NoError(t, err)
	})
	group.Wait()
	require.ErrorContains(t, f.outcome(op, err), "The terms of this deal have changed.")
	require.EqualValues(t, 60_00, busiest(f.paid(user)))
}

// A buyer agrees to no price that they may not pay: not with other terms, nor by a link of anybody.
func TestLimits_price_of_terms(t *testing.T) {
	t.Parallel()
	f := newLimitsFixture(t)
	ctx := t.Context()
	user := f.newcomer()
	terms := func(price money.Cents) deals.Terms {
		return deals.Terms{Price: price, Description: "A channel", DeliveryDays: 7, InspectionDays: 3}
	}
	link := func(price money.Cents) string {
		i, err := f.deals.Invite(ctx, f.seller, deals.Draft{SellerID: &f.seller, Guest: &deals.Guest{}, Terms: terms(price)}, nil)
		require.NoError(t, err)
		return i.Code
	}
	for _, price := range []money.Cents{60_01, 60_00} {
		d := f.deal(user, f.seller, 1_00)
		_, made := f.deals.MakeCounteroffer(ctx, user, d.ID, terms(price), "", nil)
		offer, err := f.deals.MakeCounteroffer(ctx, f.seller, d.ID, terms(price+1), "", nil)
		require.NoError(t, err)
		if price == 60_00 {
			offer, err = f.deals.MakeCounteroffer(ctx, f.seller, d.ID, terms(price), "", nil)
			require.NoError(t, err)
		}
		_, taken := f.deals.AcceptCounteroffer(ctx, user, d.ID, offer.Counteroffer.ID)
		_, joined := f.deals.Join(ctx, user, link(price), nil)
		_, invited := f.deals.Invite(ctx, user, deals.Draft{BuyerID: &user, Guest: &deals.Guest{}, Terms: terms(price)}, nil)
		for what, err := range map[string]error{"made": made, "taken": taken, "joined": joined, "invited": invited} {
			if price == 60_00 {
				require.NoError(t, err, what)
			} else {
				require.ErrorContains(t, err, "Deals up to $60.00 are possible with your account now.", what)
			}
		}
	}
}

// A refund does not free what the payment used, or one sum of money could be moved through any
// number of deals in a day. A withdrawal that is cancelled does.
func TestLimits_after_refunds_and_cancellations(t *testing.T) {
	t.Parallel()
	f := newLimitsFixture(t)
	user := f.newcomer()
	deal := f.deal(user, f.seller, 60_00)
	f.settled(f.deals.RequestPay(t.Context(), user, deal.ID, deals.AnyTerms, nil))
	cancelled, err := f.deals.Cancel(t.Context(), f.seller, deal.ID, nil)
	require.NoError(t, err)
	f.settled(*cancelled.Operation, nil)
	require.EqualError(t, f.pays(user, 40_01), "conflict: You can pay up to $40.00 more today.")
	require.NoError(t, f.pays(user, 40_00))

	id := f.withdrawal(user, 50_00)
	require.EqualError(t, f.withdraws(user, 1_00), "conflict: You can withdraw up to $0.00 more today.")
	f.settled(f.wallet.RequestCancel(t.Context(), user, id, nil))
	require.NoError(t, f.withdraws(user, 50_00))
}
