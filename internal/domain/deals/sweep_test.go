package deals_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/platform/catalog"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
)

const day = 24 * time.Hour

// sweep lets time pass and has the clock look at the deals on the workers' login. What moves money is asked for, and nobody settles it.
func (b bench) sweep(t *testing.T, after time.Duration) {
	t.Helper()
	b.clock.Advance(after)
	service, operations := *b.Service, *b.Operations
	operations.DB = b.db.Worker()
	service.DB, service.Operations = b.db.Worker(), &operations
	_, err := (&deals.Settler{Service: &service}).Sweep(t.Context())
	require.NoError(t, err)
}

func (b bench) get(t *testing.T, id uuid.UUID) deals.Detail {
	t.Helper()
	d, err := b.Get(t.Context(), b.buyer, id)
	require.NoError(t, err)
	return d
}

func TestSweep_unpaid_expires(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.offer(t, b.seller)
	b.sweep(t, 6*day+time.Minute)
	require.Contains(t, b.told(t, b.buyer), catalog.DealExpiresSoon)
	b.get(t, d.ID)
	b.sweep(t, day)
	_, err := b.Get(t.Context(), b.buyer, d.ID)
	requireCode(t, fault.NotFound, err)
	for _, party := range []uuid.UUID{b.buyer, b.seller} {
		require.Contains(t, b.told(t, party), catalog.DealExpired)
	}
}

// A late deal is told of once.
func TestSweep_late(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.paid(t, b.seller)
	for _, after := range []time.Duration{7*day + time.Minute, 0} {
		b.sweep(t, after)
		require.Equal(t, []catalog.Kind{catalog.LineCreated, catalog.LineLate}, lines(b.get(t, d.ID)))
		require.Equal(t, []catalog.Kind{catalog.DealOffered, catalog.DealLate}, b.told(t, b.buyer))
	}
}

// After an outage of the workers nobody is surprised: what moves money waits for a day after its warning.
func TestSweep_warns_first(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.paid(t, b.seller)
	b.sweep(t, 30*day)
	warned := b.get(t, d.ID)
	require.Nil(t, warned.Operation)
	require.Equal(t, warned.WarnedAt.Add(day), *warned.NextActionAt)
	require.Contains(t, b.told(t, b.buyer), catalog.DealRefundsSoon)
	b.sweep(t, day-time.Minute)
	require.Nil(t, b.get(t, d.ID).Operation)
	b.sweep(t, 2*time.Minute)
	asked := b.get(t, d.ID)
	require.NotNil(t, asked.Operation)
	require.JSONEq(t, `{"reason":"overdue"}`, string(asked.Operation.Params))
}

// Something else to come is warned of anew.
func TestSweep_warns_of_what_has_changed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.paid(t, b.seller)
	b.sweep(t, 20*day+time.Hour)
	require.NotNil(t, b.get(t, d.ID).WarnedAt)
	d, err := b.Deliver(t.Context(), b.seller, d.ID)
	require.NoError(t, err)
	require.Equal(t, deals.ActionComplete, d.NextAction)
	require.Nil(t, d.WarnedAt)
	b.sweep(t, 2*day+time.Hour)
	require.NotNil(t, b.get(t, d.ID).WarnedAt)
	require.Contains(t, b.told(t, b.seller), catalog.DealCompletesSoon)
}

// What was once delivered is for the admins to decide.
func TestSweep_escalates(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d, err := b.ResetDelivery(t.Context(), b.buyer, b.delivered(t, b.seller).ID)
	require.NoError(t, err)
	b.sweep(t, 7*day+time.Hour)
	d = b.get(t, d.ID)
	require.NotNil(t, d.EscalatedAt)
	require.Empty(t, d.NextAction)
	waiting, _, err := b.ListAll(t.Context(), deals.Filter{Escalated: true}, postgres.Page{Limit: 10})
	require.NoError(t, err)
	require.Len(t, waiting, 1)
}

// The clock never acts on behalf of a buyer whose money is on hold: an admin does.
func TestSweep_escalates_for_a_locked_buyer(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.delivered(t, b.seller)
	_, err := b.db.Owner().Exec(t.Context(), `update users set withdrawals_held_at = now() where id = $1`, b.buyer)
	require.NoError(t, err)
	b.sweep(t, 2*day+time.Minute)
	require.Nil(t, b.get(t, d.ID).EscalatedAt)
	b.sweep(t, day+time.Minute)
	d = b.get(t, d.ID)
	require.NotNil(t, d.EscalatedAt)
	require.Nil(t, d.Operation)
}
