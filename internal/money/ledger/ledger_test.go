package ledger_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/actor"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/ledger"
	"amanat/internal/money/operations"
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
	wrong, err := postgres.Query[int64]("test.wrong_accounts", `
		select a.id from ledger.accounts a
		  left join (select account_id, sum(amount) as balance, count(*) as version from ledger.entries group by account_id) e
		    on e.account_id = a.id
		 where a.stored and (a.balance <> coalesce(e.balance, 0) or a.version <> coalesce(e.version, 0))`).Many(t.Context(), db, nil)
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
	versions, err := postgres.Query[[]int64]("test.versions", sqlVersions).One(t.Context(), instance.Owner(), postgres.Args{"owner": user})
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

// Keys are stored in the database, so their format must never change. They begin with the subject
// of the operation that posts under them.
func TestKeyKind(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t).Worker()
	id := uuid.MustParse("d5a1c9c4-30c3-4c0e-8a0c-6c1f3f1b2a10")
	for kind, want := range map[ledger.KeyKind]struct{ key, subject, subjectKind, step string }{
		ledger.DealPay:          {"deal:d5a1c9c4-30c3-4c0e-8a0c-6c1f3f1b2a10:pay", operations.Deal(id), "deal", "pay"},
		ledger.DealClose:        {"deal:d5a1c9c4-30c3-4c0e-8a0c-6c1f3f1b2a10:close", operations.Deal(id), "deal", "close"},
		ledger.DepositApprove:   {"deposit:d5a1c9c4-30c3-4c0e-8a0c-6c1f3f1b2a10:approve", operations.Deposit(id), "deposit", "approve"},
		ledger.WithdrawalHold:   {"withdrawal:d5a1c9c4-30c3-4c0e-8a0c-6c1f3f1b2a10:hold", operations.Withdrawal(id), "withdrawal", "hold"},
		ledger.WithdrawalSettle: {"withdrawal:d5a1c9c4-30c3-4c0e-8a0c-6c1f3f1b2a10:settle", operations.Withdrawal(id), "withdrawal", "settle"},
		ledger.RewardCredit:     {"reward:d5a1c9c4-30c3-4c0e-8a0c-6c1f3f1b2a10:credit", operations.Reward(id), "reward", "credit"},
	} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			require.Equal(t, want.key, kind.Key(id))
			require.Equal(t, want.key, want.subject+":"+kind.Step())
			require.Equal(t, want.subjectKind, kind.SubjectKind())
			require.Equal(t, want.step, kind.Step())
			inSQL, err := postgres.Query[string]("test.key", `select `+kind.SQL(`'`+id.String()+`'::uuid`)).One(t.Context(), db, nil)
			require.NoError(t, err)
			require.Equal(t, want.key, inSQL)
		})
	}
}

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

// Simulates a dump from a cluster whose transaction counter was ahead of that of the cluster where
// it is restored.
const sqlMove = `
with rollups as (update ledger.rollups set upto_xid = (upto_xid::text::bigint + 1000000)::text::xid8)
update ledger.entries set xid = (xid::text::bigint + 1000000)::text::xid8`

func TestMigrate_restored_dump_keeps_balances(t *testing.T) {
	t.Parallel()
	databases := dbtest.New(t)
	db, user := databases.Worker(), uuid.New()
	migrate := func() {
		t.Helper()
		require.NoError(t, postgres.Migrate(t.Context(), databases.OwnerURL, dbtest.Roles()))
	}
	fund(t, db, user, 5_00)
	foldAll(t, db)
	fund(t, db, user, 3_00)
	migrate()
	require.Equal(t, 1, tail(t, db), "the database has not moved, so nothing is recounted")

	_, err := databases.Owner().Exec(t.Context(), sqlMove)
	require.NoError(t, err)
	for _, pool := range []*pgxpool.Pool{databases.API(), db} {
		require.ErrorContains(t, postgres.Validate(t.Context(), pool), "run `amanat migrate`", "no process may post before the migration")
	}
	migrate()
	require.NoError(t, postgres.Validate(t.Context(), db))
	require.EqualValues(t, -8_00, balance(t, db, ledger.ExchangeUSD()))
	fund(t, db, user, 2_00)
	require.EqualValues(t, -10_00, balance(t, db, ledger.ExchangeUSD()), "new entries count")
	foldAll(t, db) // restored entries too, or each balance would read them again
	require.EqualValues(t, -10_00, balance(t, db, ledger.ExchangeUSD()))
	fund(t, db, user, 1_00)
	require.EqualValues(t, -11_00, balance(t, db, ledger.ExchangeUSD()))
	migrate()
	require.Equal(t, 1, tail(t, db), "already migrated")
}

// foldAll folds until nothing is left to fold, which transactions of other databases on the server
// delay.
func foldAll(t *testing.T, db *pgxpool.Pool) {
	t.Helper()
	require.Eventually(t, func() bool {
		_, err := ledger.Fold(t.Context(), db)
		require.NoError(t, err)
		return tail(t, db) == 0
	}, 30*time.Second, 10*time.Millisecond)
}

// tail counts the entries that are in no rollup yet.
func tail(t *testing.T, db *pgxpool.Pool) (entries int) {
	t.Helper()
	require.NoError(t, db.QueryRow(t.Context(), `
		select count(*) from ledger.entries e left join ledger.rollups r using (account_id)
		 where e.balance_after is null and e.xid >= coalesce(r.upto_xid, '0')`).Scan(&entries))
	return entries
}
