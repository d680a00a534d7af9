package reports_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/reports"
	"amanat/internal/testing/dbtest"
)

// Each case breaks the books as only the owner, or a bug in SQL, could. Reconcile must report the
// violated rule.
func TestReconcile_broken_invariants(t *testing.T) {
	t.Parallel()
	const (
		user       = "'00000000-0000-7000-8000-000000000001'"
		deal       = "'00000000-0000-7000-8000-000000000002'"
		deposit    = "'00000000-0000-7000-8000-000000000003'"
		withdrawal = "'00000000-0000-7000-8000-000000000004'"
	)
	const unguarded = `alter table ledger.entries disable trigger all; alter table ledger.transfers disable trigger all;
		alter table ledger.accounts disable trigger all;`
	breaks := map[string]struct{ sql, rule string }{
		"an entry changed":        {unguarded + `update ledger.entries set amount = amount + 1 where amount > 0`, "every transfer is whole"},
		"an entry gone":           {unguarded + `delete from ledger.entries where amount < 0`, "every transfer is whole"},
		"a transfer gone":         {unguarded + `delete from ledger.transfers`, "every entry belongs to a transfer"},
		"a balance changed":       {`update ledger.accounts set balance = balance + 1 where kind = 'wallet'`, "stored balance = sum of entries"},
		"a version skipped":       {`update ledger.accounts set version = version + 1 where kind = 'wallet'`, "stored balance = sum of entries"},
		"a running balance wrong": {unguarded + `update ledger.entries set balance_after = 7 where version = 1`, "balance after each entry"},
		"a wallet below zero": {`alter table ledger.accounts drop constraint accounts_floor;
			update ledger.accounts set balance = -1 where kind = 'wallet'`, "no wallet, escrow or hold is below zero"},
		"a rollup wrong": {`insert into ledger.rollups select id, '1', 5 from ledger.accounts where kind = 'exchange'`, "rollup plus tail"},
		"a deal open without money": {`insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, status,
			created_at, due_at, activated_at) select ` + deal + `, ` + user + `, id, id, 5, 0, 'x', 1, 'Active', now(), now(), now()
			from users where username = 'other'`, "an open deal's escrow holds its price"},
		"money in no deal's escrow": {`select ledger.post('k', 'test', now(), null, null, array['escrow', 'exchange'], array[` + deal +
			`, null]::uuid[], array['USD', 'USD'], array[5, -5]::bigint[])`, "every escrow is a deal's"},
		"a withdrawal without money": {`insert into withdrawals (id, user_id, payment_method, phone_number, amount, rate, converted_amount,
			requested_at) values (` + withdrawal + `, ` + user + `, 'Bkash', '01712345678', 5, 100, 500, now())`, "a pending withdrawal's hold"},
		"a deposit completed without money": {`insert into deposits (id, user_id, payment_method, transaction_id, claimed_amount, amount, rate,
			converted_amount, status, created_at, handled_at) values (` + deposit + `, ` + user +
			`, 'Bkash', 'ABCD1234', 5, 5, 100, 500, 'completed', now(), now())`, "a deposit is credited once"},
		"a correction confirmed without money": {
			`insert into adjustments (id, user_id, amount, reason, status, proposed_at, expires_at, decided_by,
			decided_at) select gen_random_uuid(), ` + user + `, 5, 'x', 'confirmed', now(), now(), id, now() from users where username = 'other'`,
			"a correction is posted once",
		},
		"money in the account of corrections": {`select ledger.post('k', 'test', now(), null, null, array['corrections', 'exchange'],
			array[null, null]::uuid[], array['USD', 'USD'], array[-5, 5]::bigint[])`, "corrections booked"},
		"a fee that no deal paid": {`select ledger.post('k', 'test', now(), null, null, array['exchange', 'fees'], array[null, null]::uuid[],
			array['USD', 'USD'], array[-5, 5]::bigint[])`, "fees earned"},
		"a reward that nothing is set aside for": {
			`insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days,
			created_at, due_at) select ` + deal + `, ` + user + `, id, id, 500, 10, 'x', 1, now(), now() from users where username = 'other';
			insert into referral_rewards select gen_random_uuid(), ` + deal + `, ` + user + `, id, 5, now() from users where username = 'other'`,
			"rewards owed",
		},
		"a reward said to be credited": {
			`insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days,
			created_at, due_at) select ` + deal + `, ` + user + `, id, id, 500, 10, 'x', 1, now(), now() from users where username = 'other';
			insert into referral_rewards select gen_random_uuid(), ` + deal + `, ` + user + `, id, 5, now(), now()
			from users where username = 'other'`,
			"a reward goes to its referrer",
		},
		"a refund of a deal that is not closed": {
			`insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days,
			created_at, due_at, refunded_amount) select ` + deal + `, ` + user + `, id, id, 500, 10, 'x', 1, now(), now(), 500
			from users where username = 'other'`,
			"a refund is the price",
		},
		"a settled deal without a dispute": {
			`insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days,
			created_at, due_at, settled_fee) select ` + deal + `, ` + user + `, id, id, 500, 10, 'x', 1, now(), now(), 5
			from users where username = 'other'`,
			"a deal is settled as its dispute says",
		},
		"a rate that nobody set":     {`insert into exchange_rates (usd_to_bdt, set_at) values (20000, now())`, "what admins did with money"},
		"what was asked for is gone": {`update operations set params = '{}'`, "a row is what its operation asked for"},
		"a rollup of nothing":        {`insert into ledger.rollups values (99, '1', 5)`, "rollup plus tail"},
		"an operation done without a posting": {`insert into operations (id, kind, subject, actor_id, params, status, created_at, finished_at)
			values (gen_random_uuid(), 'deal_pay', 'deal:x', ` + user + `, '{}', 'done', now(), now())`, "the posting of every operation"},
	}
	var mu sync.Mutex
	found := map[string]bool{}
	t.Cleanup(func() { // when all cases have run
		unbroken := slices.DeleteFunc(reports.Rules(), func(rule string) bool { return found[rule] })
		require.Empty(t, unbroken, "no case breaks these")
	})
	for name, b := range breaks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := dbtest.New(t)
			seedUsers(t, db, user)
			checkpoint(t, db)
			fund(db, user) // what is broken was posted since, too
			_, err := db.Owner().Exec(t.Context(), b.sql)
			require.NoError(t, err)
			broken := requireFound(t, db, []string{b.rule})
			mu.Lock()
			defer mu.Unlock()
			for _, rule := range broken {
				found[rule] = true
			}
		})
	}
}

// seedUsers inserts two users and funds the first.
func seedUsers(t *testing.T, db *dbtest.DB, user string) {
	t.Helper()
	_, err := db.Owner().Exec(t.Context(), `
		insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
		select id::uuid, name, name, '', name, now(), now()
		  from (values (`+user+`, 'one'), ($1, 'other')) as u (id, name)`, uuid.NewString())
	require.NoError(t, err)
	fund(db, user)
}

func fund(db *dbtest.DB, user string) { db.Fund(uuid.MustParse(strings.Trim(user, "'")), 100) }
