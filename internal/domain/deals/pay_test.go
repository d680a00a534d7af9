package deals_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/operations"
	"amanat/internal/testing/dbtest"
)

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
