package deals_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

func TestRequestSupport(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.paid(t, f.seller)
	admin := f.user(t, "boss")
	requireCode(t, fault.Invalid, f.RequestSupport(t.Context(), f.buyer, d.ID, " ", nil))
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
