package deals_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/realtime"
)

func TestRequestSupport(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.paid(t, f.seller)
	admin := f.user(t, "boss")
	requireCode(t, fault.Invalid, f.RequestSupport(t.Context(), f.buyer, d.ID, " ", nil))
	requireCode(t, fault.Invalid, f.RequestSupport(t.Context(), f.buyer, d.ID, strings.Repeat("x", 5001), nil))
	require.NoError(t, f.RequestSupport(t.Context(), f.buyer, d.ID, strings.Repeat("x", 5000), nil))
	requireCode(t, fault.Conflict, f.RequestSupport(t.Context(), f.buyer, d.ID, "Nothing comes", nil))
	frozen, err := f.Get(t.Context(), f.buyer, d.ID)
	require.NoError(t, err)
	require.True(t, frozen.Frozen())

	f.clock.Advance(5 * time.Hour)
	open, total, err := f.ListSupport(t.Context(), deals.SupportQuery{Open: true}, postgres.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, 1, total)
	for _, party := range []uuid.UUID{f.buyer, f.seller} { // also as admins
		requireCode(t, fault.Forbidden, f.CloseSupport(t.Context(), party, open[0].ID, "Wait."))
	}
	require.NoError(t, f.CloseSupport(t.Context(), admin, open[0].ID, "Wait."))
	requireCode(t, fault.AlreadyHandled, f.CloseSupport(t.Context(), admin, open[0].ID, "Wait."))
	thawed, err := f.Get(t.Context(), f.buyer, d.ID)
	require.NoError(t, err)
	require.False(t, thawed.Frozen())
	require.WithinDuration(t, d.NextActionAt.Add(5*time.Hour), *thawed.NextActionAt, time.Minute, "put off by the time frozen")

	require.NoError(t, f.RequestSupport(t.Context(), f.buyer, d.ID, "Still nothing", nil))
	again, err := f.Get(t.Context(), f.buyer, d.ID)
	require.NoError(t, err)
	require.False(t, again.Frozen(), "a later request does not freeze")
}

func TestListSupport_search(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.paid(t, f.seller)
	require.NoError(t, f.RequestSupport(t.Context(), f.buyer, d.ID, "100% of nothing comes", nil))
	require.NoError(t, f.RequestSupport(t.Context(), f.seller, d.ID, "He does not answer", nil))
	all, _, err := f.ListSupport(t.Context(), deals.SupportQuery{}, postgres.Page{Limit: 10})
	require.NoError(t, err)
	buyer := all[0].User
	found := func(search string) int {
		list, total, err := f.ListSupport(t.Context(), deals.SupportQuery{Open: true, Search: search}, postgres.Page{Limit: 10})
		require.NoError(t, err)
		require.Len(t, list, total)
		return total
	}
	require.Equal(t, 1, found(strings.ToUpper(buyer.Username[:3])), "the beginning of the username")
	require.Zero(t, found(buyer.Username[1:]))
	require.Equal(t, 1, found(buyer.Username+"@example.com"))
	require.Zero(t, found(buyer.Username+"@example"))
	require.Equal(t, 2, found(d.ID.String()))
	require.Equal(t, 1, found(all[0].ID.String()))
	require.Equal(t, 1, found(" OF NOTHING "))
	require.Equal(t, 1, found("100%"))
	require.Zero(t, found("he%answer"), "no wildcards")
}

// When the last request is closed, at least a day is left.
func TestCloseSupport_leaves_a_day(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d, admin := f.delivered(t, f.seller), f.user(t, "boss")
	f.clock.Advance(3*day - time.Hour)
	for _, party := range []uuid.UUID{f.buyer, f.seller} {
		require.NoError(t, f.RequestSupport(t.Context(), party, d.ID, "Wait.", nil))
	}
	f.clock.Advance(2 * time.Hour)
	open, _, err := f.ListSupport(t.Context(), deals.SupportQuery{Open: true}, postgres.Page{Limit: 10})
	require.NoError(t, err)
	for _, request := range open {
		require.True(t, f.get(t, d.ID).Frozen(), "until the last one is closed")
		require.NoError(t, f.CloseSupport(t.Context(), admin, request.ID, "Go on."))
	}
	thawed := f.get(t, d.ID)
	require.False(t, thawed.Frozen())
	require.WithinDuration(t, f.clock.Now().Add(day), *thawed.NextActionAt, time.Minute)
}

func TestRequestSupport_notifications(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t)
	ctx := t.Context()
	bothTold := func(want, wantLink string) {
		t.Helper()
		for _, party := range []uuid.UUID{f.buyer, f.seller} {
			text, link := f.told(party)
			require.Equal(t, [2]string{want, wantLink}, [2]string{text, link})
		}
	}
	page := func() string { return "/deal/" + f.id.String() }
	require.NoError(t, f.RequestSupport(ctx, f.buyer, f.id, "He is silent.", nil))
	text, _ := f.told(f.seller)
	require.Equal(t, "rahim contacted support about the deal “A channel” of $100.00. Deadlines are paused.", text)
	f.closeSupport()
	bothTold("The support request is closed and the deal “A channel” of $100.00 goes on. "+answer, page())

	// A deal that was closed meanwhile does not resume, and a request does not freeze an unpaid
	// deal.
	require.NoError(t, f.RequestSupport(ctx, f.buyer, f.id, "He is silent.", nil))
	f.settled(f.RequestForceCancel(ctx, f.admin, f.id, nil))
	f.closeSupport()
	bothTold("The support request of rahim about the deal “A channel” of $100.00 is closed. "+answer, page())
	f.id = f.base.offer(t, f.seller).ID
	require.NoError(t, f.RequestSupport(ctx, f.seller, f.id, "He does not pay.", nil))
	text, _ = f.told(f.buyer)
	require.Equal(t, "karim contacted support about the deal of $100.00.", text)
	detail, err := f.Get(ctx, f.seller, f.id)
	require.NoError(t, err)
	require.False(t, detail.Frozen())
	require.Equal(t, catalog.LineSupportAsked, detail.Timeline[len(detail.Timeline)-1].Kind)

	_, err = f.Remove(ctx, f.seller, f.id, nil)
	require.NoError(t, err)
	_, link := f.told(f.buyer)
	require.Equal(t, "/deal", link, "there is no page of the deal any more")
	f.closeSupport()
	bothTold("The support request of karim about the deal of $100.00 is closed. "+answer, "/deal")
}

// An open request from before the payment freezes the deal when it is paid, since the same party
// could not freeze it later.
func TestRequestSupport_before_payment(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t)
	ctx := t.Context()
	f.id = f.base.offer(t, f.seller).ID
	require.NoError(t, f.RequestSupport(ctx, f.seller, f.id, "She does not pay.", nil))
	f.closeSupport()
	require.NoError(t, f.RequestSupport(ctx, f.buyer, f.id, "He wants another price.", nil))
	require.False(t, f.now().Frozen())
	f.settled(f.RequestPay(ctx, f.buyer, f.id, deals.AnyTerms, nil))
	require.True(t, f.now().Frozen())
	f.deliver()
	f.after(10 * day)
	require.Equal(t, deals.Delivered, f.now().Status)
	f.closeSupport()
	require.False(t, f.now().Frozen())
	require.NoError(t, f.RequestSupport(ctx, f.seller, f.id, "She does not release it.", nil))
	require.True(t, f.now().Frozen(), "a request that was closed before the payment has not frozen the deal")
	f.closeSupport()
	f.after(3*day + time.Minute)
	require.Equal(t, deals.Completed, f.now().Status)
}

// The seven days for delivering again are extended by the frozen time, whatever else happens to the
// deal.
func TestCloseSupport_extends_redelivery_deadline(t *testing.T) {
	t.Parallel()
	for name, during := range map[string]bool{"declined during the freeze": true, "declined after it": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newTradeFixture(t)
			ctx := t.Context()
			f.deliver()
			d := f.do(f.ResetDelivery(ctx, f.buyer, f.id, "Please change the colours."))
			escalates := *d.NextActionAt
			require.NoError(t, f.RequestSupport(ctx, f.buyer, f.id, "It is not what was agreed.", nil))
			f.clock.Advance(10 * day)
			decline := func() {
				f.cancel(f.buyer)
				f.do(f.DeclineCancellation(ctx, f.seller, f.id))
			}
			if during {
				decline()
			}
			f.closeSupport()
			if !during {
				decline()
			}
			f.sweep()
			d = f.now()
			require.Nil(t, d.EscalatedAt)
			require.WithinDuration(t, escalates.Add(10*day), *d.NextActionAt, time.Minute)
		})
	}
}

func TestCancel_frozen_deal(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t)
	require.NoError(t, f.RequestSupport(t.Context(), f.seller, f.id, "He is silent.", nil))
	f.after(8*day + time.Minute)
	require.Equal(t, deals.Late, f.now().Status, "becoming late moves no money")
	require.NotNil(t, f.cancel(f.buyer).Operation)
	f.ends(deals.CancelledByBuyer, deals.ReasonExit, 1000_00, 0)
}

// Only a party's first request freezes the deal, so that repeated requests cannot delay it forever.
func TestRequestSupport_repeated(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t)
	ctx := t.Context()
	f.deliver()
	require.NoError(t, f.RequestSupport(ctx, f.buyer, f.id, "It does not open.", nil))
	f.closeSupport()
	due := *f.now().NextActionAt
	require.NoError(t, f.RequestSupport(ctx, f.buyer, f.id, "Still not.", nil))
	d := f.now()
	require.False(t, d.Frozen())
	require.Equal(t, due, *d.NextActionAt)
	text, _ := f.told(f.seller)
	require.Equal(t, "rahim contacted support again about the deal “A channel” of $100.00. Deadlines are not paused.", text)

	require.NoError(t, f.RequestSupport(ctx, f.seller, f.id, "Nobody tells me what is wrong.", nil))
	require.True(t, f.now().Frozen(), "the other's first one stops it")
	f.closeSupport() // the buyer's second
	require.True(t, f.now().Frozen())
	require.NoError(t, f.RequestSupport(ctx, f.buyer, f.id, "And now?", nil))
	f.closeSupport() // the seller's first
	require.False(t, f.now().Frozen(), "the buyer's third holds nothing")
	f.after(3*day + time.Minute)
	f.ends(deals.Completed, deals.ReasonCompleted, 900_00, 98_00)
}

// An admin who is a party of a deal is refused before anything is enqueued.
func TestRequestForce_own_deal(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.paid(t, f.seller)
	_, err := f.db.Owner().Exec(t.Context(), `update users set is_admin = true`)
	require.NoError(t, err)
	for _, party := range []uuid.UUID{f.buyer, f.seller} {
		_, err := f.RequestForceComplete(t.Context(), party, d.ID, nil)
		requireCode(t, fault.Forbidden, err)
		require.ErrorContains(t, err, "You cannot decide on your own deal.")
		_, err = f.RequestForceCancel(t.Context(), party, d.ID, nil)
		requireCode(t, fault.Forbidden, err)
		require.ErrorContains(t, err, "You cannot decide on your own deal.")
	}
	d, err = f.Get(t.Context(), f.buyer, d.ID)
	require.NoError(t, err)
	require.Nil(t, d.Operation)
}

// silent replaces Redis; the tests read the realtime log in the database.
type silent struct{}

func (silent) PublishFrame(uuid.UUID, realtime.Frame) {}
func (silent) PublishAdmins(realtime.Frame)           {}
func (silent) OperationSettled(uuid.UUID)             {}
func (silent) PartnersChanged(...uuid.UUID)           {}

// PushMessage does nothing: the tests have no browsers.
func (silent) PushMessage(*postgres.Tx, uuid.UUID, uuid.UUID, uuid.UUID) {}

func TestProof(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.paid(t, f.seller)
	off, err := f.GetProof(t.Context(), f.buyer, d.ID)
	require.NoError(t, err)
	require.Equal(t, deals.Proof{}, off)
	off, err = f.SetProof(t.Context(), f.buyer, d.ID, false)
	require.NoError(t, err)
	require.Nil(t, off.ChangedBy)

	on, err := f.SetProof(t.Context(), f.seller, d.ID, true)
	require.NoError(t, err)
	require.True(t, on.Shown)
	require.Equal(t, f.seller, on.ChangedBy.ID)
	same, err := f.SetProof(t.Context(), f.buyer, d.ID, true)
	require.NoError(t, err)
	require.Equal(t, on, same, "it is on already")
	held, err := f.FindHeld(t.Context(), on.Code)
	require.NoError(t, err)
	require.Equal(t, deals.Active, held.Status)
	require.EqualValues(t, 100_00, held.Amount)
	require.Nil(t, held.ClosedAt)
	f.clock.Advance(8 * 24 * time.Hour)
	held, err = f.FindHeld(t.Context(), on.Code)
	require.NoError(t, err)
	require.Equal(t, deals.Late, held.Status)

	off, err = f.SetProof(t.Context(), f.buyer, d.ID, false)
	require.NoError(t, err)
	require.Equal(t, f.buyer, off.ChangedBy.ID)
	require.Empty(t, off.Code)
	_, err = f.FindHeld(t.Context(), on.Code)
	requireReason(t, "proof_not_found", err)
	renewed, err := f.SetProof(t.Context(), f.buyer, d.ID, true)
	require.NoError(t, err)
	require.NotEqual(t, on.Code, renewed.Code, "old links stay useless")
	detail, err := f.Get(t.Context(), f.buyer, d.ID)
	require.NoError(t, err)
	require.Equal(t, []catalog.Kind{
		catalog.LineCreated, catalog.LineProofOn, catalog.LineProofOff, catalog.LineProofOn,
	}, lines(detail))
}

// The page stays for 30 days after the deal is closed.
func TestProof_closed(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.paid(t, f.seller)
	on, err := f.SetProof(t.Context(), f.seller, d.ID, true)
	require.NoError(t, err)
	f.exec(t, `update deals set status = 'Completed', closed_at = $1, close_reason = 'completed', next_action = null, next_action_at = null`,
		f.clock.Now())
	held, err := f.FindHeld(t.Context(), on.Code)
	require.NoError(t, err)
	require.Equal(t, deals.Completed, held.Status)
	require.NotNil(t, held.ClosedAt)
	f.clock.Advance(30*24*time.Hour - time.Minute)
	_, err = f.FindHeld(t.Context(), on.Code)
	require.NoError(t, err)
	f.clock.Advance(time.Minute)
	_, err = f.FindHeld(t.Context(), on.Code)
	requireReason(t, "proof_not_found", err)
	ended, err := f.GetProof(t.Context(), f.seller, d.ID)
	require.NoError(t, err)
	require.False(t, ended.Shown)
}

func TestProof_refused(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	pending := f.offer(t, f.seller)
	_, err := f.SetProof(t.Context(), f.seller, pending.ID, true)
	requireReason(t, "proof_nothing_held", err)
	stranger := f.user(t, "stranger")
	_, err = f.SetProof(t.Context(), stranger, pending.ID, true)
	requireCode(t, fault.NotFound, err)
	_, err = f.GetProof(t.Context(), stranger, pending.ID)
	requireCode(t, fault.NotFound, err)
}

func TestDisableUser_suspends_open_deals(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t)
	ctx := t.Context()
	unpaid := f.base.offer(t, f.seller)
	d := f.deliver()
	due := *d.NextActionAt
	f.after(2*day + time.Hour)
	f.disable(f.seller)

	d = f.now()
	require.NotNil(t, d.SuspendedAt)
	require.True(t, d.Frozen())
	require.True(t, d.SellerDisabled)
	for _, party := range []uuid.UUID{f.buyer, f.seller} {
		text, link := f.told(party)
		require.Equal(t, "The account of karim is suspended. The deal “A channel” of $100.00 is on hold, and Amanat will decide.", text)
		require.Equal(t, "/deal/"+f.id.String(), link)
	}
	require.Equal(t, 1, f.count(`select count(*) from deal_events where kind = $1`, catalog.LineSuspended))
	require.Equal(t, 1, f.count(`
		select count(*) from river.river_job where kind = 'admin_notice' and args->>'notice_kind' = 'admin_suspended'`))
	queue, total, err := f.ListAll(ctx, deals.Filter{Escalated: true}, postgres.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, 1, total, "an unpaid deal needs no decision")
	require.Equal(t, f.id, queue[0].ID)

	f.after(10 * day)
	require.Equal(t, deals.Delivered, f.now().Status, "the sweep pays no disabled user")
	_, err = f.Get(ctx, f.buyer, unpaid.ID)
	require.Equal(t, fault.NotFound, fault.CodeOf(err), "an unpaid deal expires as usual")

	f.enable(f.seller)
	d = f.now()
	require.Nil(t, d.SuspendedAt)
	require.False(t, d.Frozen())
	require.WithinDuration(t, due.Add(10*day), *d.NextActionAt, 2*time.Hour, "later by the suspended time, with at least a day left")
	require.False(t, d.NextActionAt.Before(f.clock.Now().Add(day-time.Minute)))
	text, _ := f.told(f.buyer)
	require.Equal(t, "The account of karim is active again, so the deal “A channel” of $100.00 is no longer on hold because of it.", text)
	f.after(day + time.Minute)
	f.ends(deals.Completed, deals.ReasonCompleted, 900_00, 98_00)
}

func TestCancel_disabled_seller(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t)
	f.cancel(f.buyer) // leaving also works with an open cancellation request
	f.disable(f.seller)
	require.NotNil(t, f.cancel(f.buyer).Operation)
	f.ends(deals.Cancelled, deals.ReasonSellerDisabled, 1000_00, 0)
	text, _ := f.told(f.seller)
	require.Equal(t, "rahim cancelled the deal “A channel”: the account of the seller is suspended. $100.00 was refunded to the buyer.", text)
	require.Equal(t, 1, f.count(`select count(*) from deal_events where kind = $1`, catalog.LineSellerDisabled))
	f.enable(f.seller)
	require.NotNil(t, f.cancel(f.buyer).Operation, "repeated")

	f.id = f.paid()
	f.deliver()
	f.disable(f.seller)
	require.Nil(t, f.cancel(f.buyer).Operation, "admins decide about a deal that was once delivered")
	require.NotNil(t, f.now().SuspendedAt)
}

func TestEnableUser_deal_still_frozen(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t)
	ctx := t.Context()
	due := *f.now().NextActionAt
	require.NoError(t, f.RequestSupport(ctx, f.buyer, f.id, "Where is my seller?", nil))
	f.clock.Advance(2 * day)
	f.disable(f.seller)
	f.disable(f.buyer)
	f.closeSupport()
	require.True(t, f.now().Frozen(), "suspended still")
	f.enable(f.seller)
	require.NotNil(t, f.now().SuspendedAt, "the buyer is disabled still")
	f.enable(f.buyer)
	require.False(t, f.now().Frozen())
	require.WithinDuration(t, due.Add(2*day), *f.now().NextActionAt, time.Minute, "frozen since the request")

	require.NoError(t, f.RequestSupport(ctx, f.seller, f.id, "Where is my buyer?", nil))
	f.disable(f.buyer)
	f.enable(f.buyer)
	require.Nil(t, f.now().SuspendedAt)
	require.True(t, f.now().Frozen(), "the support request is open still")
	f.closeSupport()
	require.False(t, f.now().Frozen())
}

// If a user is disabled or enabled without their deals, by SQL or because a payment came in
// between, the next sweep suspends or resumes the deals.
func TestSweep_disabled_party(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t)
	f.exec(`update users set disabled_at = now() where id = $1`, f.buyer)
	f.sweep()
	require.NotNil(t, f.now().SuspendedAt)
	f.sweep()
	require.Equal(t, 1, f.count(`select count(*) from deal_events where kind = $1`, catalog.LineSuspended), "once")
	f.exec(`update users set disabled_at = null where id = $1`, f.buyer)
	f.sweep()
	require.Nil(t, f.now().SuspendedAt)
	require.False(t, f.now().Frozen())
}
