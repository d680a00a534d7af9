package deals_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
)

func TestRequestSupport(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.paid(t, b.seller)
	admin := b.user(t, "boss")
	requireCode(t, fault.Invalid, b.RequestSupport(t.Context(), b.buyer, d.ID, " ", nil))
	require.NoError(t, b.RequestSupport(t.Context(), b.buyer, d.ID, "Nothing comes", nil))
	requireCode(t, fault.Conflict, b.RequestSupport(t.Context(), b.buyer, d.ID, "Nothing comes", nil))
	frozen, err := b.Get(t.Context(), b.buyer, d.ID)
	require.NoError(t, err)
	require.True(t, frozen.Frozen())

	b.clock.Advance(5 * time.Hour)
	open, total, err := b.ListOpenSupport(t.Context(), postgres.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, 1, total)
	requireCode(t, fault.Forbidden, b.CloseSupport(t.Context(), b.seller, open[0].ID, "Wait."))
	require.NoError(t, b.CloseSupport(t.Context(), admin, open[0].ID, "Wait."))
	requireCode(t, fault.AlreadyHandled, b.CloseSupport(t.Context(), admin, open[0].ID, "Wait."))
	thawed, err := b.Get(t.Context(), b.buyer, d.ID)
	require.NoError(t, err)
	require.False(t, thawed.Frozen())
	require.WithinDuration(t, d.NextActionAt.Add(5*time.Hour), *thawed.NextActionAt, time.Minute, "later by what it stood still")

	require.NoError(t, b.RequestSupport(t.Context(), b.buyer, d.ID, "Still nothing", nil))
	again, err := b.Get(t.Context(), b.buyer, d.ID)
	require.NoError(t, err)
	require.False(t, again.Frozen(), "nobody holds a deal up by asking again")
}
