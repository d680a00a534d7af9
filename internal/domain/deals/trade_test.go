package deals_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/domain/accounts"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/referrals"
	"amanat/internal/domain/reports"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/ledger"
	"amanat/internal/money/operations"
	"amanat/internal/testing/dbtest"
	"amanat/internal/testing/settling"
	"amanat/queue/jobs"
)

const price = money.Cents(100_00)

// tradeFixture is a paid deal of 100 dollars, due in seven days, and a worker that settles what is
// requested. The buyer has 900 dollars left.
type tradeFixture struct {
	*deals.Service
	t       testing.TB
	db      *dbtest.DB
	clock   *clock.Offset
	base    fixture
	settler *deals.Settler
	worker  settling.Worker

	buyer, seller, admin uuid.UUID
	id                   uuid.UUID
}

func newTradeFixture(t *testing.T) *tradeFixture {
	t.Helper()
	base := newFixture(t)
	f := &tradeFixture{
		Service: base.Service, t: t, db: base.db, clock: base.clock, base: base, settler: base.settler(),
		buyer: base.buyer, seller: base.seller, admin: base.user(t, "boss"),
	}
	f.settler.Rewards = &referrals.Settler{
		DB: f.db.Worker(), Share: 100, Clock: f.clock, Operations: f.settler.Operations, Events: f.Events, Notices: f.Notices,
	}
	lock := f.settler.QueueLock
	f.worker = settling.Worker{DB: f.db.Worker(), Operations: f.settler.Operations, Kinds: map[string]settling.Kind{
		jobs.KindDealPay:      {Settle: f.settler.SettlePay, Rule: deals.PayRule(), Lock: lock},
		jobs.KindDealComplete: {Settle: f.settler.SettleComplete, Rule: deals.CompleteRule, Lock: lock},
		jobs.KindDealRefund:   {Settle: f.settler.SettleRefund, Rule: deals.RefundRule, Lock: lock},
		jobs.KindDealSettle:   {Settle: f.settler.SettleDispute, Rule: deals.SettleRule, Lock: lock},
	}}
	f.exec(`update users set is_admin = true where id = $1`, f.admin)
	f.db.Fund(f.buyer, 1000_00)
	f.id = f.paid()
	return f
}

// paid returns a deal that its seller has made and its buyer has paid.
func (f *tradeFixture) paid() uuid.UUID {
	f.t.Helper()
	d, err := f.Create(f.t.Context(), f.seller, f.base.draft(), nil)
	require.NoError(f.t, err)
	f.settled(f.RequestPay(f.t.Context(), f.buyer, d.ID, deals.AnyTerms, nil))
	return d.ID
}

// settled settles an operation, which must succeed.
func (f *tradeFixture) settled(op operations.Operation, err error) operations.Operation {
	f.t.Helper()
	require.NoError(f.t, err)
	if op.Status == operations.Pending {
		op = f.worker.Settle(f.t, op.ID)
	}
	require.NoError(f.t, op.Err())
	return op
}

// rejected enqueues an operation without the service that would refuse it. The worker must.
func (f *tradeFixture) rejected(request operations.Request) {
	f.t.Helper()
	err := postgres.WithTx(f.t.Context(), f.db.API(), func(tx *postgres.Tx) error {
		f.Operations.Begin(f.t.Context(), tx, &request)
		return f.Operations.Enqueue(f.t.Context(), tx, &request)
	})
	op, err := f.Operations.Answer(f.t.Context(), &request, err)
	require.NoError(f.t, err)
	require.Equal(f.t, operations.Rejected, f.worker.Settle(f.t, op.ID).Status, "%s %v", request.Kind, request.Params)
}

// sweep runs the deadline sweep and settles what it has requested.
func (f *tradeFixture) sweep() {
	f.t.Helper()
	_, err := f.settler.Sweep(f.t.Context())
	require.NoError(f.t, err)
	pending, err := postgres.Query[uuid.UUID]("test.pending",
		`select id from operations where status = 'pending' order by id`).Many(f.t.Context(), f.db.Worker(), nil)
	require.NoError(f.t, err)
	for _, id := range pending {
		f.worker.Settle(f.t, id)
	}
}

// after lets time pass as it does while workers run: it sweeps at every deadline and warning.
func (f *tradeFixture) after(step time.Duration) {
	f.t.Helper()
	f.sweep()
	for left := step; left > 0; {
		next, found, err := f.settler.NextStop(f.t.Context())
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
func (f *tradeFixture) outage(step time.Duration) {
	f.t.Helper()
	f.clock.Advance(step)
	f.sweep()
}

func (f *tradeFixture) now() deals.Deal {
	f.t.Helper()
	d, err := f.GetAny(f.t.Context(), f.admin, f.id)
	require.NoError(f.t, err)
	return d.Deal
}

func (f *tradeFixture) do(detail deals.Detail, err error) deals.Deal {
	f.t.Helper()
	require.NoError(f.t, err)
	return detail.Deal
}

func (f *tradeFixture) deliver() deals.Deal {
	f.t.Helper()
	return f.do(f.Deliver(f.t.Context(), f.seller, f.id, deals.Words{}))
}

// cancel lets a party leave the deal, or request its cancellation.
func (f *tradeFixture) cancel(party uuid.UUID) deals.Cancellation {
	f.t.Helper()
	c, err := f.Cancel(f.t.Context(), party, f.id, nil)
	require.NoError(f.t, err)
	if c.Operation != nil {
		f.settled(*c.Operation, nil)
	}
	return c
}

func (f *tradeFixture) ends(status deals.Status, reason deals.Reason, buyer, seller money.Cents) {
	f.t.Helper()
	d := f.now()
	require.Equal(f.t, status, d.Status)
	require.Equal(f.t, reason, d.CloseReason)
	require.Empty(f.t, d.NextAction)
	require.Equal(f.t, buyer, f.balance(f.buyer), "buyer's wallet")
	require.Equal(f.t, seller, f.balance(f.seller), "seller's wallet")
	f.reconciled()
}

func (f *tradeFixture) balance(userID uuid.UUID) money.Cents {
	f.t.Helper()
	cents, err := ledger.WalletBalance(f.t.Context(), f.db.API(), userID)
	require.NoError(f.t, err)
	return cents
}

func (f *tradeFixture) reconciled() {
	f.t.Helper()
	findings, err := reports.Reconcile(f.t.Context(), f.db.Worker())
	require.NoError(f.t, err)
	require.Empty(f.t, findings)
}

func (f *tradeFixture) refused(code fault.Code, text string, err error) {
	f.t.Helper()
	require.Equal(f.t, code, fault.CodeOf(err), "%v", err)
	require.ErrorContains(f.t, err, text)
}

func (f *tradeFixture) exec(sql string, args ...any) {
	f.t.Helper()
	_, err := f.db.Owner().Exec(f.t.Context(), sql, args...)
	require.NoError(f.t, err)
}

func (f *tradeFixture) count(sql string, args ...any) (n int) {
	f.t.Helper()
	require.NoError(f.t, f.db.Owner().QueryRow(f.t.Context(), sql, args...).Scan(&n))
	return n
}

// told returns the English text and the link of the user's latest notification.
func (f *tradeFixture) told(userID uuid.UUID) (text, link string) {
	f.t.Helper()
	var kind catalog.Kind
	var params catalog.Params
	require.NoError(f.t, f.db.Owner().QueryRow(f.t.Context(),
		`select kind, params, link from notifications where user_id = $1 order by id desc limit 1`, userID).Scan(&kind, &params, &link))
	return catalog.Render(catalog.English, kind, params), link
}

// closeSupport closes the oldest open request.
func (f *tradeFixture) closeSupport() {
	f.t.Helper()
	requests, _, err := f.ListSupport(f.t.Context(), deals.SupportQuery{}, postgres.Page{Limit: 1})
	require.NoError(f.t, err)
	require.NoError(f.t, f.CloseSupport(f.t.Context(), f.admin, requests[0].ID, answer))
}

// answer is the admins' answer to support requests.
const answer = "We have talked to both of you."

// people returns the accounts service with the database role of the owner, as the operator's
// command line uses it.
func (f *tradeFixture) people() *accounts.Service {
	return accounts.New(accounts.Options{DB: f.db.Owner(), Clock: f.clock, Deals: f.Service})
}

func (f *tradeFixture) disable(user uuid.UUID) {
	f.t.Helper()
	require.NoError(f.t, f.people().DisableUser(f.t.Context(), f.admin, user, "fraud"))
}

func (f *tradeFixture) enable(user uuid.UUID) {
	f.t.Helper()
	require.NoError(f.t, f.people().EnableUser(f.t.Context(), f.admin, user))
}

// What is true of a request may have changed when it settles. It is then refused, and nothing has
// moved.
func TestSettle_changed_meanwhile(t *testing.T) {
	t.Parallel()
	const held = `update users set withdrawals_held_at = now() where id = (select buyer_id from deals where id = $1)`
	pay := func(ctx context.Context, f *tradeFixture) (operations.Operation, error) {
		f.id = f.base.offer(t, f.seller).ID
		return f.RequestPay(ctx, f.buyer, f.id, deals.AnyTerms, nil)
	}
	clocks := func(prepare func(f *tradeFixture)) func(ctx context.Context, f *tradeFixture) (operations.Operation, error) {
		return func(ctx context.Context, f *tradeFixture) (operations.Operation, error) {
			prepare(f)
			f.after(f.now().NextActionAt.Sub(f.clock.Now()) - time.Minute)
			f.clock.Advance(2 * time.Minute)
			_, err := f.settler.Sweep(ctx)
			require.NoError(t, err)
			d, err := f.GetAny(ctx, f.admin, f.id)
			require.NoError(t, err)
			require.NotNil(t, d.Operation)
			return operations.Get(ctx, f.db.Worker(), d.Operation.ID)
		}
	}
	for name, tc := range map[string]struct {
		request func(ctx context.Context, f *tradeFixture) (operations.Operation, error)
		change  string // by SQL: only the settlement can notice it
		text    string
	}{
		"payment, seller disabled": {
			pay, `update users set disabled_at = now() where id = (select seller_id from deals where id = $1)`, "The account of karim is suspended",
		},
		"payment, buyer's money held": {pay, held, "Your account is on hold."},
		"completion, buyer's money held": {func(ctx context.Context, f *tradeFixture) (operations.Operation, error) {
			return f.RequestComplete(ctx, f.buyer, f.id, nil)
		}, held, "Your account is on hold."},
		"exit of a disabled seller's buyer, seller enabled": {func(ctx context.Context, f *tradeFixture) (operations.Operation, error) {
			f.disable(f.seller)
			c, err := f.Cancel(ctx, f.buyer, f.id, nil)
			return *c.Operation, err
		}, `update users set disabled_at = null where id = (select seller_id from deals where id = $1)`, "You cannot leave this deal yet."},
		"clock's completion, put off": {
			clocks(func(f *tradeFixture) { f.deliver() }),
			`update deals set next_action_at = next_action_at + interval '1 hour' where id = $1`, "It is not yet time for this.",
		},
		"clock's completion, buyer's money held": {clocks(func(f *tradeFixture) { f.deliver() }), held, "It is not yet time for this."},
		"clock's refund, frozen": {
			clocks(func(*tradeFixture) {}), `update deals set frozen_at = now(), suspended_at = now() where id = $1`, "It is not yet time for this.",
		},
		"clock's refund of the unanswered, put off": {
			clocks(func(f *tradeFixture) { f.cancel(f.buyer) }),
			`update deals set next_action_at = next_action_at + interval '10 days' where id = $1`, "It is not yet time for this.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newTradeFixture(t)
			op, err := tc.request(t.Context(), f)
			require.NoError(t, err)
			open := f.now().Status
			f.exec(tc.change, f.id)
			require.ErrorContains(t, f.worker.Settle(t, op.ID).Err(), tc.text)
			require.Equal(t, open, f.now().Status)
			require.EqualValues(t, 900_00, f.balance(f.buyer))
			require.Zero(t, f.balance(f.seller))
		})
	}
}

// An operation of the system that is due settles only a day after the warning, even if it was
// enqueued without that check.
func TestSettleComplete_before_warning_day(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t)
	completion := operations.Request{
		Kind: jobs.KindDealComplete, Subject: operations.Deal(f.id), Actor: actor.System(), Params: map[string]string{"by": "clock"},
	}
	f.deliver()
	f.clock.Advance(4 * day)
	f.rejected(completion)
	f.sweep() // warns
	f.clock.Advance(day - time.Minute)
	f.rejected(completion)
	require.Equal(t, deals.Delivered, f.now().Status)
}

// An accepted cancellation costs the fee, unless the buyer could leave with a full refund. Nobody
// could once the deal was delivered.
func TestRequestAcceptCancellation(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		delivered bool
		after     time.Duration
		outcome   catalog.Outcome
		buyer     money.Cents
	}{
		"in time":        {false, 2 * day, deals.OutcomeAccepted, 998_00},
		"after the exit": {false, 8*day + time.Hour, deals.OutcomeRefunded, 1000_00},
		"delivered once": {true, 8*day + time.Hour, deals.OutcomeAccepted, 998_00},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newTradeFixture(t)
			if tc.delivered {
				f.deliver()
				f.do(f.ResetDelivery(t.Context(), f.buyer, f.id, "Please change the colours."))
			}
			f.clock.Advance(tc.after - day)
			f.cancel(f.buyer)
			f.clock.Advance(day)
			op := f.settled(f.RequestAcceptCancellation(t.Context(), f.seller, f.id, nil))
			require.Contains(t, string(op.Result), `"`+tc.outcome.Code+`"`)
			f.ends(deals.Cancelled, deals.ReasonAccepted, tc.buyer, 0)
		})
	}
}

// The seller delivers before the buyer's exit settles. A repeat with the same key returns that
// refusal instead of a cancellation request.
func TestCancel_repeats_refused_exit(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t)
	f.clock.Advance(8*day + time.Hour)
	key := &idempotency.Key{UserID: &f.buyer, Value: "leave"}
	for range 2 {
		asked, err := f.Cancel(t.Context(), f.buyer, f.id, key)
		require.NoError(t, err)
		op := *asked.Operation
		if op.Status == operations.Pending {
			f.exec(`
				update deals set status = 'Delivered', delivered = true, delivered_at = $1, first_delivered_at = $1
				 where id = $2`, f.clock.Now(), f.id)
			op = f.worker.Settle(t, op.ID)
		}
		f.refused(fault.Conflict, "You cannot leave this deal yet.", op.Err())
	}
	require.False(t, f.now().CancellationRequested)
}

// A change does not bring forward what the parties were warned of, not even after an outage that
// has put it off.
func TestSweep_announced_time_holds(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t)
	f.id = f.base.offer(t, f.buyer).ID
	f.settled(f.RequestPay(t.Context(), f.buyer, f.id, deals.AnyTerms, nil))
	f.outage(30 * day)
	announced := f.now().NextActionAt
	require.WithinDuration(t, f.clock.Now().Add(day), *announced, time.Minute)
	accepted := f.do(f.Accept(t.Context(), f.seller, f.id))
	require.Equal(t, deals.ActionRefund, accepted.NextAction)
	require.Equal(t, announced, accepted.NextActionAt)
}

// If a deal changes between its due date and the next sweep, both parties are still notified that
// it is late.
func TestSweep_late_notice_after_cancel(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t)
	f.clock.Advance(7*day + 30*time.Second)
	f.cancel(f.buyer)
	f.sweep()
	require.Equal(t, deals.Late, f.now().Status)
	require.Equal(t, 2, f.count(`select count(*) from notifications where kind = 'deal_late'`))
	require.Equal(t, 1, f.count(`select count(*) from deal_events where kind = 'line_late'`))
}

// An unanswered request is not escalated to the admins while its deal is being closed.
func TestSweep_no_escalation_while_operation_pending(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t)
	f.deliver()
	f.cancel(f.buyer)
	f.clock.Advance(3*day + time.Minute)
	op, err := f.RequestForceCancel(t.Context(), f.admin, f.id, nil)
	require.NoError(t, err)
	_, err = f.settler.Sweep(t.Context())
	require.NoError(t, err)
	require.Nil(t, f.now().EscalatedAt)
	f.settled(op, nil)
}

// A request for a payment checks, and then enqueues the job with the COMMIT.
func TestRequestPay_round_trips(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	db, trips := dbtest.Counted(t, f.db.API())
	f.DB, f.Operations.DB = db, db
	f.db.Fund(f.buyer, 200_00)
	_, err := f.RequestPay(t.Context(), f.buyer, f.offer(t, f.seller).ID, deals.AnyTerms, nil)
	require.NoError(t, err)
	d := f.offer(t, f.seller)
	trips.Take() // River has asked once which version the server has
	op, err := f.RequestPay(t.Context(), f.buyer, d.ID, d.TermsVersion, nil)
	require.NoError(t, err)
	require.Equal(t, operations.Pending, op.Status)
	require.Equal(t, 2, trips.Take())
	job, err := postgres.Query[string]("test.job",
		`select state || ' ' || kind from river.river_job where args ->> 'operation_id' = @id`).One(t.Context(), f.db.Owner(),
		postgres.Args{"id": op.ID.String()})
	require.NoError(t, err)
	require.Equal(t, "available deal_pay", job)
}

func TestRequestPay(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.offer(t, f.seller)
	_, err := f.RequestPay(t.Context(), f.buyer, d.ID, deals.AnyTerms, nil)
	requireCode(t, fault.InsufficientBalance, err)
	require.EqualValues(t, 100_00, fault.As(err).Shortfall)
	f.db.Fund(f.buyer, 100_00)
	op, err := f.RequestPay(t.Context(), f.buyer, d.ID, deals.AnyTerms, nil)
	require.NoError(t, err)
	require.Equal(t, operations.Pending, op.Status, "settled only by a worker")
	again, err := f.RequestPay(t.Context(), f.buyer, d.ID, deals.AnyTerms, nil)
	require.NoError(t, err)
	require.Equal(t, op.ID, again.ID)
	for range 2 { // a key of a repeated request names the operation that waits
		again, err = f.RequestPay(t.Context(), f.buyer, d.ID, deals.AnyTerms, keyOf(f.buyer, "pay"))
		require.NoError(t, err)
		require.Equal(t, op.ID, again.ID)
	}
	_, err = f.Remove(t.Context(), f.seller, d.ID, nil)
	requireCode(t, fault.Conflict, err)
	_, err = f.RequestPay(t.Context(), f.seller, d.ID, deals.AnyTerms, nil)
	requireCode(t, fault.Forbidden, err)
}
