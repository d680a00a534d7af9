package reports_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/reports"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/ledger"
	"amanat/internal/testing/dbtest"
)

// A history that is too long starts later, with the balance at that time.
func TestWalletHistory_drops_oldest(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	user, at := uuid.New(), time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	const most = 1_000
	post := func(from, to int) {
		require.NoError(t, postgres.WithTx(t.Context(), db.Worker(), func(tx *postgres.Tx) error {
			for i := from; i <= to; i++ {
				err := ledger.Post(t.Context(), tx, ledger.Transfer{
					Key: "reward:" + uuid.NewString() + ":credit", Kind: "referral_credit", At: at.Add(time.Duration(i) * time.Second),
					Legs: []ledger.Leg{ledger.Move(ledger.ReferralPayable(), ledger.Wallet(user), 1)},
				})
				if err != nil {
					return err
				}
			}
			return nil
		}))
	}
	read := func() reports.WalletHistory {
		history, err := (&reports.Service{DB: db.API()}).WalletHistory(t.Context(), user, at)
		require.NoError(t, err)
		require.Len(t, history.Movements, most)
		require.Equal(t, history.Opening+1, history.Movements[0].BalanceAfter)
		return history
	}
	post(1, most)
	history := read()
	require.True(t, history.Complete)
	require.EqualValues(t, 0, history.Opening)

	post(most+1, most+2)
	history = read()
	require.False(t, history.Complete)
	require.Equal(t, money.Cents(2), history.Opening)
	require.Equal(t, at.Add((most+2)*time.Second), history.Movements[most-1].At.UTC())
}
