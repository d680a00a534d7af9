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
	require.NoError(t, f.RequestSupport(t.Context(), f.buyer, d.ID, "Nothing comes", nil))
	requireCode(t, fault.Conflict, f.RequestSupport(t.Context(), f.buyer, d.ID, "Nothing comes", nil))
	frozen, err := f.Get(t.Context(), f.buyer, d.ID)
	require.NoError(t, err)
	require.True(t, frozen.Frozen())

	f.clock.Advance(5 * time.Hour)
	open, total, err := f.ListOpenSupport(t.Context(), postgres.Page{Limit: 10})
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
	open, _, err := f.ListOpenSupport(t.Context(), postgres.Page{Limit: 10})
	require.NoError(t, err)
	for _, request := range open {
		require.True(t, f.get(t, d.ID).Frozen(), "until the last one is closed")
		require.NoError(t, f.CloseSupport(t.Context(), admin, request.ID, "Go on."))
	}
	thawed := f.get(t, d.ID)
	require.False(t, thawed.Frozen())
	require.WithinDuration(t, f.clock.Now().Add(day), *thawed.NextActionAt, time.Minute)
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
