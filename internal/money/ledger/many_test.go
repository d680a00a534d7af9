package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"amanat/internal/app/actor"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/ledger"
	"amanat/internal/testing/dbtest"
)

const raised = "P0001" // by raise exception without a code of its own

// postAll posts the transfers at the end of one transaction.
func postAll(t *testing.T, db *pgxpool.Pool, transfers ...ledger.Transfer) error {
	t.Helper()
	return postgres.WithTx(t.Context(), db, func(tx *postgres.Tx) error {
		for _, transfer := range transfers {
			if err := ledger.PostAtCommit(t.Context(), tx, transfer, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// books returns everything the ledger holds, without generated IDs.
func books(t *testing.T, db *pgxpool.Pool) []string {
	t.Helper()
	rows, err := db.Query(t.Context(), `
		select concat_ws(' ', 'account', kind, owner_id, currency, balance, version) from ledger.accounts
		union all
		select concat_ws(' ', 'transfer', key, kind, encode(request_hash, 'hex'), entry_count, actor_id, reason, at) from ledger.transfers
		union all
		select concat_ws(' ', 'entry', t.key, a.kind, a.owner_id, e.currency, e.amount, e.balance_after, e.version, e.at)
		  from ledger.entries e join ledger.transfers t on t.id = e.transfer_id join ledger.accounts a on a.id = e.account_id
		order by 1`)
	require.NoError(t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return lines
}

// Posting transfers together has the same result as posting one after the other.
func TestPostAtCommit_equals_single_postings(t *testing.T) {
	t.Parallel()
	together, single := dbtest.New(t).Worker(), dbtest.New(t).Worker()
	users := make([]uuid.UUID, 4)
	for i := range users {
		users[i] = uuid.New()
		amount := ledger.Transfer{
			Key: "fund:" + users[i].String(), Kind: "deposit_approve", At: at,
			Legs: []ledger.Leg{ledger.Move(ledger.ExchangeUSD(), ledger.Wallet(users[i]), 1_000_00)},
		}
		require.NoError(t, post(t, together, amount))
		require.NoError(t, post(t, single, amount))
	}
	accounts := func(deal uuid.UUID) []ledger.Account {
		list := []ledger.Account{ledger.ExchangeUSD(), ledger.Fees(), ledger.ReferralPayable(), ledger.Escrow(deal), ledger.Hold(deal)}
		for _, user := range users {
			list = append(list, ledger.Wallet(user))
		}
		return list
	}
	rapid.Check(t, func(rt *rapid.T) {
		transfers := make([]ledger.Transfer, rapid.IntRange(2, 12).Draw(rt, "transfers"))
		for i := range transfers {
			deal := uuid.New()
			legs := []ledger.Leg{ledger.Move(ledger.ExchangeUSD(), ledger.Escrow(deal), 10_00)}
			for range rapid.IntRange(0, 3).Draw(rt, "legs") {
				legs = append(legs, ledger.Move(
					rapid.SampledFrom(accounts(deal)).Draw(rt, "from"), rapid.SampledFrom(accounts(deal)).Draw(rt, "to"),
					money.Cents(rapid.Int64Range(0, 50_00).Draw(rt, "amount"))))
			}
			transfers[i] = ledger.Transfer{
				Key: "deal:" + deal.String() + ":pay", Kind: "deal_pay", At: at, Actor: actor.User(users[i%len(users)]), Legs: legs,
				Reason: rapid.SampledFrom([]string{"", "because"}).Draw(rt, "reason"),
			}
		}
		before := books(t, together)
		var refusal error
		for _, transfer := range transfers {
			refusal = errors.Join(refusal, post(t, single, transfer))
		}
		err := postAll(t, together, transfers...)
		if refusal == nil {
			require.NoError(rt, err)
			require.Equal(rt, books(t, single), books(t, together))
			return
		}
		require.Error(rt, err, "one of them is refused: %v", refusal)
		require.Equal(rt, before, books(t, together), "nothing is written")
		for _, transfer := range transfers { // those that are not refused, as the caller does
			_ = post(t, together, transfer)
		}
		require.Equal(rt, books(t, single), books(t, together))
	})
}

func TestPostAtCommit_refusals(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t).Worker()
	buyer := uuid.New()
	fund(t, db, buyer, 100_00)
	pay := func(amount money.Cents) ledger.Transfer {
		deal := uuid.New()
		return ledger.Transfer{
			Key: "deal:" + deal.String() + ":pay", Kind: "deal_pay", At: at,
			Legs: []ledger.Leg{ledger.Move(ledger.Wallet(buyer), ledger.Escrow(deal), amount)},
		}
	}
	posted := pay(1_00)
	require.NoError(t, postAll(t, db, posted))
	require.NoError(t, postAll(t, db, posted), "the same transfer again succeeds")
	before := books(t, db)

	var insufficient *ledger.InsufficientError
	require.ErrorAs(t, postAll(t, db, pay(100_00)), &insufficient)
	require.Equal(t, money.Cents(1_00), insufficient.Shortfall)
	changed := posted
	changed.Legs = []ledger.Leg{ledger.Move(ledger.Wallet(buyer), ledger.Fees(), 1_00)}
	require.ErrorIs(t, postAll(t, db, changed), ledger.ErrKeyTaken)

	require.Error(t, postAll(t, db, pay(50_00), pay(50_00)), "too much together")
	require.Error(t, postAll(t, db, pay(1_00), posted), "one is posted already")
	require.Error(t, postAll(t, db, pay(100_00), ledger.Transfer{
		Key: "late", Kind: "deposit_approve", At: at,
		Legs: []ledger.Leg{ledger.Move(ledger.ExchangeUSD(), ledger.Wallet(buyer), 50_00)},
	}), "too much before money comes in")
	twice := pay(1_00)
	require.Error(t, postAll(t, db, twice, twice), "a key is used twice")
	require.Error(t, postAll(t, db, pay(1_00), ledger.Transfer{Key: "empty", Kind: "test", At: at}), "no money moves")
	require.Equal(t, before, books(t, db), "none of these wrote anything")

	explained := errors.New("top up your wallet")
	err := postgres.WithTx(t.Context(), db, func(tx *postgres.Tx) error {
		return ledger.PostAtCommit(t.Context(), tx, pay(100_00), func(err error) error {
			require.ErrorAs(t, err, &insufficient)
			return explained
		})
	})
	require.ErrorIs(t, err, explained)
}

// A transfer that is added while the collected ones are being written is posted too.
func TestPostAtCommit_added_before_commit(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t).Worker()
	user := uuid.New()
	fund(t, db, user, 100_00)
	pay := func(key string) ledger.Transfer {
		return ledger.Transfer{
			Key: key, Kind: "test", At: at, Legs: []ledger.Leg{ledger.Move(ledger.Wallet(user), ledger.Escrow(uuid.New()), 1_00)},
		}
	}
	require.NoError(t, postgres.WithTx(t.Context(), db, func(tx *postgres.Tx) error {
		if err := ledger.PostAtCommit(t.Context(), tx, pay("first"), nil); err != nil {
			return err
		}
		tx.BeforeCommit(func(context.Context) error { return ledger.PostAtCommit(t.Context(), tx, pay("second"), nil) })
		return nil
	}))
	require.Equal(t, money.Cents(98_00), wallet(t, db, user))

	err := postgres.WithTx(t.Context(), db, func(tx *postgres.Tx) error {
		tx.LastBeforeCommit(func(context.Context) error { return ledger.PostAtCommit(t.Context(), tx, pay("third"), nil) })
		return nil
	})
	require.ErrorContains(t, err, "after its work had run", "too late to be posted")
	require.Equal(t, money.Cents(98_00), wallet(t, db, user))
}

// Groups that use the same accounts in opposite orders do not deadlock, also not when they create
// them.
func TestPostAtCommit_concurrent_groups(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	a, b := uuid.New(), uuid.New()
	const enough = 200_00 // for two workers, even if the other two have not begun
	fund(t, db.Worker(), a, enough)
	fund(t, db.Worker(), b, enough)
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			from, to := a, b
			if worker%2 == 1 {
				from, to = b, a
			}
			for round := range 20 {
				var transfers []ledger.Transfer
				for i := range 5 {
					deal := uuid.NewSHA1(uuid.NameSpaceOID, fmt.Append(nil, round, (i+worker)%5))
					transfers = append(transfers,
						ledger.Transfer{
							Key: fmt.Sprintf("there %d %d %d", worker, round, i), Kind: "test", At: at,
							Legs: []ledger.Leg{ledger.Move(ledger.Wallet(from), ledger.Escrow(deal), 1_00)},
						},
						ledger.Transfer{
							Key: fmt.Sprintf("on %d %d %d", worker, round, i), Kind: "test", At: at,
							Legs: []ledger.Leg{ledger.Move(ledger.Escrow(deal), ledger.Wallet(to), 1_00)},
						})
				}
				if err := postAll(t, db.Worker(), transfers...); err != nil {
					t.Errorf("worker %d: %v", worker, err)
				}
			}
		})
	}
	group.Wait()
	require.Equal(t, money.Cents(enough), wallet(t, db.Worker(), a))
	require.Equal(t, money.Cents(enough), wallet(t, db.Worker(), b))
	var deadlocks int
	require.NoError(t, db.Owner().QueryRow(t.Context(), `
		select deadlocks from pg_stat_database where datname = current_database()`).Scan(&deadlocks))
	require.Zero(t, deadlocks)
}

func TestPostMany_amount_bounds(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t).Worker()
	for _, amount := range []string{"1000000000000001", "9223372036854775807", "null::bigint"} {
		requireRefused(t, db, outOfRange, `select ledger.post_many(array['k'], array['test'], array['2026-11-20'::timestamptz],
			array[null]::uuid[], array[null]::text[], array[1, 1], array['exchange', 'fees'], array[null, null]::uuid[],
			array['USD', 'USD'], array[-(`+amount+`), `+amount+`]::bigint[])`)
	}
	requireRefused(t, db, raised, `select ledger.post_many(array['k', 'k'], array['test', 'test'],
		array['2026-11-20', '2026-11-20']::timestamptz[], array[null, null]::uuid[], array[null, null]::text[], array[1, 1, 2, 2],
		array['exchange', 'fees', 'exchange', 'referral_payable'], array[null, null, null, null]::uuid[],
		array['USD', 'USD', 'USD', 'USD'], array[-5, 5, -5, 5]::bigint[])`)
	requireRefused(t, db, checkViolation, `select ledger.post_many(array['k'], array['test'], array['2026-11-20'::timestamptz],
		array[null]::uuid[], array[null]::text[], array[1, 1], array['exchange', 'fees'], array[null, null]::uuid[],
		array['USD', 'USD'], array[-5, 6]::bigint[])`)
}
