package ledger_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/actor"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/ledger"
	"amanat/internal/testing/dbtest"
)

var at = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func post(t *testing.T, db *pgxpool.Pool, transfer ledger.Transfer) error {
	t.Helper()
	return postgres.WithTx(t.Context(), db, func(tx *postgres.Tx) error { return ledger.Post(t.Context(), tx, transfer) })
}

// fund credits a wallet, as an approved deposit does.
func fund(t *testing.T, db *pgxpool.Pool, userID uuid.UUID, amount money.Cents) {
	t.Helper()
	require.NoError(t, post(t, db, ledger.Transfer{
		Key: "fund:" + uuid.NewString(), Kind: "deposit_approve", At: at,
		Legs: []ledger.Leg{ledger.Move(ledger.ExchangeUSD(), ledger.Wallet(userID), amount)},
	}))
}

func wallet(t *testing.T, db *pgxpool.Pool, userID uuid.UUID) money.Cents {
	t.Helper()
	balance, err := ledger.WalletBalance(t.Context(), db, userID)
	require.NoError(t, err)
	return balance
}

func balance(t *testing.T, db *pgxpool.Pool, account ledger.Account) int64 {
	t.Helper()
	units, err := ledger.Balance(t.Context(), db, account)
	require.NoError(t, err)
	return units
}

func TestPost_same_key_once(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t).Worker()
	buyer, deal := uuid.New(), uuid.New()
	fund(t, db, buyer, 500_00)

	pay := ledger.Transfer{
		Key: "deal:" + deal.String() + ":pay", Kind: "deal_pay", At: at, Actor: actor.User(buyer),
		Legs: []ledger.Leg{ledger.Move(ledger.Wallet(buyer), ledger.Escrow(deal), 480_00)},
	}
	require.NoError(t, post(t, db, pay))
	require.NoError(t, post(t, db, pay), "the same transfer again succeeds")
	require.Equal(t, money.Cents(20_00), wallet(t, db, buyer))
	require.EqualValues(t, 480_00, balance(t, db, ledger.Escrow(deal)))
	require.EqualValues(t, -500_00, balance(t, db, ledger.ExchangeUSD()))

	pay.Legs[0].Amount = 10_00
	require.ErrorIs(t, post(t, db, pay), ledger.ErrKeyTaken, "another transfer under the same key does not")
	require.Equal(t, money.Cents(20_00), wallet(t, db, buyer))
	requireAccountsOfEntries(t, db)
}

// requireAccountsOfEntries checks that every stored account has the balance and the version that
// its entries lead to.
func requireAccountsOfEntries(t *testing.T, db *pgxpool.Pool) {
	t.Helper()
	wrong, err := postgres.Values[int64](t.Context(), db, "test.wrong_accounts", `
		select a.id from ledger.accounts a
		  left join (select account_id, sum(amount) as balance, count(*) as version from ledger.entries group by account_id) e
		    on e.account_id = a.id
		 where a.stored and (a.balance <> coalesce(e.balance, 0) or a.version <> coalesce(e.version, 0))`, nil)
	require.NoError(t, err)
	require.Empty(t, wrong)
}

func TestPost_refuses_overdraft(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t).Worker()
	buyer, deal := uuid.New(), uuid.New()
	fund(t, db, buyer, 100_00)

	err := postgres.WithTx(t.Context(), db, func(tx *postgres.Tx) error {
		transfer := ledger.Transfer{
			Key: "k", Kind: "deal_pay", At: at,
			Legs: []ledger.Leg{ledger.Move(ledger.Wallet(buyer), ledger.Escrow(deal), 100_01)},
		}
		err := ledger.Post(t.Context(), tx, transfer)
		var insufficient *ledger.InsufficientError
		require.ErrorAs(t, err, &insufficient)
		require.Equal(t, money.Cents(1), insufficient.Shortfall)
		// The transaction stays usable, and the refused transfer has not taken the key.
		transfer.Legs[0].Amount = 100_00
		return ledger.Post(t.Context(), tx, transfer)
	})
	require.NoError(t, err)
	require.Zero(t, wallet(t, db, buyer))
	requireAccountsOfEntries(t, db)
}

func TestPost_invalid_legs(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t).Worker()
	user := uuid.New()
	for name, legs := range map[string][]ledger.Leg{
		"no legs":            nil,
		"only a leg of zero": {ledger.Move(ledger.ExchangeUSD(), ledger.Wallet(user), 0)},
		"there and back":     {ledger.Move(ledger.ExchangeUSD(), ledger.Fees(), 5), ledger.Move(ledger.Fees(), ledger.ExchangeUSD(), 5)},
		"negative":           {ledger.Move(ledger.Wallet(user), ledger.ExchangeUSD(), -1)},
		"between currencies": {ledger.Move(ledger.ExchangeBDT(), ledger.Wallet(user), 1)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Error(t, post(t, db, ledger.Transfer{Key: name, Kind: "test", At: at, Legs: legs}))
		})
	}
}

func TestPost_rolls_back_with_transaction(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t).Worker()
	user := uuid.New()
	rollback := errors.New("rolled back")
	err := postgres.WithTx(t.Context(), db, func(tx *postgres.Tx) error {
		transfer := ledger.Transfer{
			Key: "k", Kind: "test", At: at, Legs: []ledger.Leg{ledger.Move(ledger.ExchangeUSD(), ledger.Wallet(user), 5)},
		}
		require.NoError(t, ledger.Post(t.Context(), tx, transfer))
		return rollback
	})
	require.ErrorIs(t, err, rollback)
	require.Zero(t, wallet(t, db, user))
	require.Zero(t, balance(t, db, ledger.ExchangeUSD()))
}

// Forty transfers compete for money for eleven, and as many post the same key. In any
// order, exactly eleven succeed, and the key is posted once.
func TestPost_concurrent_overdraft(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t).Worker()
	user, sink := uuid.New(), uuid.New()
	fund(t, db, user, 11_00)

	const rounds = 40
	var mu sync.Mutex
	var posted, refused int
	var group sync.WaitGroup
	for range rounds {
		group.Go(func() {
			err := post(t, db, ledger.Transfer{
				Key: uuid.NewString(), Kind: "test", At: at,
				Legs: []ledger.Leg{ledger.Move(ledger.Wallet(user), ledger.Wallet(sink), 1_00)},
			})
			var insufficient *ledger.InsufficientError
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				posted++
			case errors.As(err, &insufficient):
				refused++
			}
		})
		group.Go(func() {
			err := post(t, db, ledger.Transfer{
				Key: "once", Kind: "test", At: at,
				Legs: []ledger.Leg{ledger.Move(ledger.ExchangeUSD(), ledger.Wallet(sink), 7)},
			})
			if err != nil {
				t.Errorf("same transfer again: %v", err)
			}
		})
	}
	group.Wait()
	require.Equal(t, 11, posted)
	require.Equal(t, rounds-11, refused)
	require.Zero(t, wallet(t, db, user))
	require.Equal(t, money.Cents(11_07), wallet(t, db, sink))
}

// Transfers that create the same account at the same time all count, once each. A refused one
// leaves it as it was.
func TestPost_new_account(t *testing.T) {
	t.Parallel()
	instance := dbtest.New(t)
	db := instance.Worker()
	poor, user := uuid.New(), uuid.New()
	const sqlVersions = `
		select coalesce(array_agg(e.version order by e.version), '{}') from ledger.entries e join ledger.accounts a on a.id = e.account_id
		 where a.kind = 'wallet' and a.owner_id = @owner`
	const transfers = 12
	var group sync.WaitGroup
	for range transfers {
		group.Go(func() {
			err := post(t, db, ledger.Transfer{
				Key: uuid.NewString(), Kind: "test", At: at,
				Legs: []ledger.Leg{ledger.Move(ledger.ExchangeUSD(), ledger.Wallet(user), 1_00)},
			})
			if err != nil {
				t.Error(err)
			}
		})
		group.Go(func() {
			err := post(t, db, ledger.Transfer{
				Key: uuid.NewString(), Kind: "test", At: at,
				Legs: []ledger.Leg{ledger.Move(ledger.Wallet(poor), ledger.Wallet(user), 7)},
			})
			var insufficient *ledger.InsufficientError
			if !errors.As(err, &insufficient) {
				t.Errorf("overdraft: %v", err)
			}
		})
	}
	group.Wait()
	require.Equal(t, money.Cents(transfers*1_00), wallet(t, db, user))
	versions, err := postgres.Value[[]int64](t.Context(), instance.Owner(), "test.versions", sqlVersions, pgx.NamedArgs{"owner": user})
	require.NoError(t, err)
	require.Len(t, versions, transfers)
	for i, version := range versions {
		require.EqualValues(t, i+1, version)
	}
}

// Opposite transfers between the same wallets lock them in the same order, so they do not deadlock.
func TestPost_no_deadlock(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t).Worker()
	users := []uuid.UUID{uuid.New(), uuid.New(), uuid.New()}
	for _, u := range users {
		fund(t, db, u, 1000_00)
	}
	var group sync.WaitGroup
	for i := range 60 {
		group.Go(func() {
			from, to := users[i%3], users[(i+1+i%2)%3]
			err := postgres.WithTx(t.Context(), db, func(tx *postgres.Tx) error {
				return ledger.Post(t.Context(), tx, ledger.Transfer{
					Key: uuid.NewString(), Kind: "test", At: at,
					Legs: []ledger.Leg{ledger.Move(ledger.Wallet(from), ledger.Wallet(to), money.Cents(i+1))},
				})
			})
			if err != nil {
				t.Errorf("transfer %d: %v", i, err)
			}
		})
	}
	group.Wait()
	require.Equal(t, money.Cents(3000_00), wallet(t, db, users[0])+wallet(t, db, users[1])+wallet(t, db, users[2]))
}

// An entry that commits after the fold, in a transaction begun before it, must not be skipped.
func TestFold_late_commit(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t).Worker()
	ctx := t.Context()
	user := uuid.New()
	fund(t, db, user, 5_00)

	late, err := db.Begin(ctx)
	require.NoError(t, err)
	defer func() { _ = late.Rollback(context.WithoutCancel(ctx)) }()
	require.NoError(t, ledger.Post(ctx, &postgres.Tx{Tx: late}, ledger.Transfer{
		Key: "late", Kind: "test", At: at, Legs: []ledger.Leg{ledger.Move(ledger.ExchangeUSD(), ledger.Wallet(uuid.New()), 3_00)},
	}))
	fund(t, db, user, 1_00)

	_, err = ledger.Fold(ctx, db)
	require.NoError(t, err)
	require.EqualValues(t, -6_00, balance(t, db, ledger.ExchangeUSD()))
	require.NoError(t, late.Commit(ctx))
	require.EqualValues(t, -9_00, balance(t, db, ledger.ExchangeUSD()))

	// Transactions of other databases on the server delay the fold too, so the test retries until
	// nothing is left to fold.
	require.Eventually(t, func() bool {
		_, err := ledger.Fold(ctx, db)
		require.NoError(t, err)
		require.EqualValues(t, -9_00, balance(t, db, ledger.ExchangeUSD()), "the fold changes no balance")
		var tail int
		require.NoError(t, db.QueryRow(ctx, `
			select count(*) from ledger.entries e join ledger.rollups r using (account_id) where e.xid >= r.upto_xid`).Scan(&tail))
		return tail == 0
	}, 30*time.Second, 10*time.Millisecond)
}
