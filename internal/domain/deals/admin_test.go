package deals_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/fault"
)

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
