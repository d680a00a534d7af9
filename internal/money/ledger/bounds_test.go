package ledger_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/money/ledger"
	"amanat/internal/testing/dbtest"
)

const outOfRange = "22003"

// Amounts that are too large are refused: a sum of them would overflow a bigint, and the balances
// of the provider's insert-only accounts could not be read any more.
func TestPost_amount_bounds(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	worker := db.Worker()
	for _, amount := range []string{
		"4611686018427387904", "-4611686018427387904", "1000000000000001", "-1000000000000001", "9223372036854775807",
	} {
		requireRefused(t, worker, outOfRange, `select ledger.post('k', 'test', '2026-11-20', null, null, array['exchange', 'fees'],
			array[null, null]::uuid[], array['USD', 'USD'], array[-(`+amount+`), `+amount+`]::bigint[])`)
	}
	requireRefused(t, worker, outOfRange, `select ledger.post('k', 'test', '2026-11-20', null, null, array['exchange', 'fees'],
		array[null, null]::uuid[], array['USD', 'USD'], array[null, 5]::bigint[])`)

	// A stored account may not exceed the bound either.
	const most = 1_000_000_000_000_000
	user := uuid.New()
	fund(t, worker, user, most)
	requireRefused(t, worker, outOfRange, `select ledger.post('more', 'test', '2026-11-20', null, null, array['exchange', 'wallet'],
		array[null, '`+user.String()+`']::uuid[], array['USD', 'USD'], array[-1, 1]::bigint[])`)
	require.EqualValues(t, most, wallet(t, worker, user))
	require.EqualValues(t, -most, balance(t, worker, ledger.ExchangeUSD()))
	_, err := ledger.Fold(t.Context(), worker)
	require.NoError(t, err)
	require.EqualValues(t, -most, balance(t, worker, ledger.ExchangeUSD()))
}
