package ledger_test

import (
	"context"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/postgres"
	"amanat/internal/money/ledger"
	"amanat/internal/testing/dbtest"
)

// transferOf inserts a transfer without entries, as the owner, and returns its ID.
func transferOf(t *testing.T, tx *postgres.Tx, key string, entries int) int64 {
	t.Helper()
	var id int64
	require.NoError(t, tx.QueryRow(t.Context(), `
		insert into ledger.transfers (key, kind, request_hash, entry_count, at) values ($1, 'test', '', $2, $3) returning id`,
		key, entries, at).Scan(&id))
	return id
}

const sqlEntries = `
insert into ledger.entries (transfer_id, account_id, currency, amount, at)
select $1::bigint, a.id, a.currency, u.amount, $4::timestamptz
  from unnest($2::text[], $3::bigint[]) as u (kind, amount)
  join ledger.accounts a on a.kind = split_part(u.kind, ' ', 1) and a.currency = split_part(u.kind, ' ', 2) and a.owner_id is null`

// The database rejects entries that do not sum to zero in every currency.
func TestEntries_balance_in_each_currency(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	fund(t, db.Worker(), uuid.New(), 1_00)
	require.NoError(t, post(t, db.Worker(), ledger.Transfer{Key: "taka", Kind: "test", At: at, Legs: []ledger.Leg{
		ledger.MoveBDT(mobile(t), ledger.ExchangeBDT(), 1_00),
	}}))
	require.NoError(t, post(t, db.Worker(), ledger.Transfer{Key: "fees", Kind: "test", At: at, Legs: []ledger.Leg{
		ledger.Move(ledger.ExchangeUSD(), ledger.Fees(), 1_00),
	}}))
	for name, amounts := range map[string][]int64{"USD": {5, -4, 7, -7}, "BDT": {5, -5, 7, -6}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := postgres.WithTx(t.Context(), db.Owner(), func(tx *postgres.Tx) error {
				id := transferOf(t, tx, name, len(amounts))
				accounts := []string{"fees USD", "exchange USD", "bkash BDT", "exchange BDT"}
				_, err := tx.Exec(t.Context(), sqlEntries, id, accounts, amounts, at)
				return err
			})
			require.ErrorContains(t, err, "does not balance")
		})
	}
}

// A posted transfer accepts no more entries, even if they sum to zero by themselves.
func TestEntries_posted_transfer_is_closed(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	user := uuid.New()
	fund(t, db.Worker(), user, 1_00)
	require.NoError(t, post(t, db.Worker(), ledger.Transfer{Key: "fee", Kind: "test", At: at, Legs: []ledger.Leg{
		ledger.Move(ledger.Wallet(user), ledger.Fees(), 1_00),
	}}))
	require.NoError(t, post(t, db.Worker(), ledger.Transfer{Key: "reward", Kind: "test", At: at, Legs: []ledger.Leg{
		ledger.Move(ledger.ExchangeUSD(), ledger.ReferralPayable(), 1_00),
	}}))
	_, err := db.Owner().Exec(t.Context(), `
		insert into ledger.entries (transfer_id, account_id, currency, amount, at)
		select t.id, a.id, 'USD', u.amount, t.at
		  from ledger.transfers t, unnest(array['exchange', 'referral_payable'], array[3, -3]::bigint[]) as u (kind, amount)
		  join ledger.accounts a on a.kind = u.kind and a.currency = 'USD'
		 where t.key = 'fee'`)
	require.ErrorContains(t, err, "does not balance")
}

func mobile(t *testing.T) ledger.Account {
	t.Helper()
	account, err := ledger.Mobile("Bkash")
	require.NoError(t, err)
	return account
}

// Concurrent folds count each entry once.
func TestFold_concurrent(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	const rounds, folds = 12, 4
	for round := range rounds {
		fund(t, db.Worker(), uuid.New(), 5_00)
		var group sync.WaitGroup
		for range folds {
			group.Go(func() {
				if _, err := ledger.Fold(context.WithoutCancel(t.Context()), db.Worker()); err != nil {
					t.Errorf("fold: %v", err)
				}
			})
		}
		group.Wait()
		require.EqualValues(t, -5_00*(round+1), balance(t, db.Worker(), ledger.ExchangeUSD()))
	}
}
