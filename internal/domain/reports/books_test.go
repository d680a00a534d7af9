package reports_test

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/reports"
	"amanat/internal/money/ledger"
	"amanat/internal/testing/dbtest"
)

func TestReconcile_clean_books(t *testing.T) {
	t.Parallel()
	s := &scenario{t: t, db: dbtest.New(t), at: time.Now().Truncate(time.Microsecond)}
	s.seed()
	findings, err := reports.Reconcile(t.Context(), s.db.Worker())
	require.NoError(t, err)
	require.Empty(t, findings)
}

// Reconcile finds money that was created or misdirected even if the ledger itself balances, as the
// login of the worker, or a bug in a settler, could leave it.
func TestReconcile_misdirected_money(t *testing.T) {
	t.Parallel()
	const (
		posting       = "every posting is that of one operation"
		ofDeals       = "a deal's money comes from"
		ofWithdrawals = "a withdrawal is held from"
		ofDeposits    = "a deposit is credited once"
		ofRewards     = "a reward goes to its referrer"
		ofCorrections = "a correction is posted once"
		booked        = "corrections booked"
	)
	dealClose := func(id uuid.UUID) string { return "deal:" + id.String() + ":close" }
	adjusted := func(id uuid.UUID) string { return "correction:" + id.String() + ":adjust" }
	settled := func(id uuid.UUID) string { return "withdrawal:" + id.String() + ":settle" }
	for name, c := range map[string]struct {
		overrides map[string][]ledger.Leg
		then      func(s *scenario)
		rules     []string
	}{
		"money from nothing": {
			then: func(s *scenario) {
				s.post("bonus", "bonus:1", ledger.Move(ledger.ExchangeUSD(), ledger.Wallet(stranger), 1_000_000_00))
			},
			rules: []string{posting, "what came in and went out"},
		},
		"money from nothing with an operation": {
			then: func(s *scenario) {
				s.done("deposit_approve", "deposit:"+uuid.NewString(), "approve", paidIn("Bkash", 5_00, 123)...)
			},
			rules: []string{ofDeposits, "what came in and went out"},
		},
		"money from a wallet to another": {
			then: func(s *scenario) {
				s.post("gift", "gift:1", ledger.Move(ledger.Wallet(buyer), ledger.Wallet(stranger), 5_00))
			},
			rules: []string{posting},
		},
		"a deposit credited twice": {
			then: func(s *scenario) {
				s.post("deposit_approve", "deposit:"+approved.String()+":approve2", paidIn("Bkash", 1000_00, 123)...)
			},
			rules: []string{ofDeposits, posting, "what came in and went out"},
		},
		"a deposit credited at another rate": {
			overrides: map[string][]ledger.Leg{"deposit:" + approved.String() + ":approve": paidIn("Bkash", 1000_00, 122)},
			rules:     []string{ofDeposits, "what came in and went out"},
		},
		"a deposit booked with the other method": {
			overrides: map[string][]ledger.Leg{"deposit:" + approved.String() + ":approve": paidIn("Nagad", 1000_00, 123)},
			rules:     []string{ofDeposits, "what came in and went out"},
		},
		"a payout in a stranger's wallet": {
			overrides: map[string][]ledger.Leg{dealClose(completed): payout(completed, stranger)}, rules: []string{ofDeals},
		},
		"the seller replaced later": {
			then:  func(s *scenario) { s.exec(`update deals set seller_id = $1 where id = $2`, stranger, completed) },
			rules: []string{ofDeals},
		},
		"a completed deal that was refunded": {
			overrides: map[string][]ledger.Leg{dealClose(completed): {
				ledger.Move(ledger.Escrow(completed), ledger.Wallet(buyer), 98_00), ledger.Move(ledger.Escrow(completed), ledger.Fees(), 1_00),
				ledger.Move(ledger.Escrow(completed), ledger.ReferralPayable(), 1_00),
			}},
			rules: []string{ofDeals},
		},
		"a refunded deal that was completed": {
			overrides: map[string][]ledger.Leg{dealClose(accepted): {
				ledger.Move(ledger.Escrow(accepted), ledger.Wallet(seller), 98_00), ledger.Move(ledger.Escrow(accepted), ledger.Fees(), 2_00),
			}},
			rules: []string{ofDeals},
		},
		"a fee taken when none was due": {
			overrides: map[string][]ledger.Leg{dealClose(silent): refund(silent, 98_00)}, rules: []string{ofDeals, "fees earned"},
		},
		"a fee not taken": {
			overrides: map[string][]ledger.Leg{dealClose(unanswered): refund(unanswered, 100_00)}, rules: []string{ofDeals, "fees earned"},
		},
		"a fee taken of what the seller cancelled": {
			overrides: map[string][]ledger.Leg{dealClose(cancelled): refund(cancelled, 98_00)},
			then:      func(s *scenario) { s.exec(`update deals set refunded_amount = 9800 where id = $1`, cancelled) },
			rules:     []string{"a refund is the price"},
		},
		"a part given back": {
			overrides: map[string][]ledger.Leg{dealClose(accepted): refund(accepted, 50_00)},
			then:      func(s *scenario) { s.exec(`update deals set refunded_amount = 5000 where id = $1`, accepted) },
			rules:     []string{"a refund is the price"},
		},
		"a refund not recorded": {
			then:  func(s *scenario) { s.exec(`update deals set refunded_amount = null where id = $1`, accepted) },
			rules: []string{"a refund is the price", ofDeals, "fees earned"},
		},
		"a refund recorded on a completed deal": {
			then:  func(s *scenario) { s.exec(`update deals set refunded_amount = price where id = $1`, completed) },
			rules: []string{"a refund is the price"},
		},
		"the price of a closed deal changed": {
			then:  func(s *scenario) { s.exec(`update deals set price = price + 1 where id = $1`, cancelled) },
			rules: []string{ofDeals},
		},
		"escrow and price raised together": {
			then: func(s *scenario) {
				s.exec(`update deals set price = price + 500, fee = fee + 10 where id = $1`, open)
				s.done("deal_refund", "deal:"+open.String(), "close", ledger.Move(ledger.ExchangeUSD(), ledger.Escrow(open), 5_00))
			},
			rules: []string{ofDeals, "what came in and went out"},
		},
		"a withdrawal completed and given back": {
			overrides: map[string][]ledger.Leg{settled(sent): {givenBack(sent)}}, rules: []string{ofWithdrawals, "what came in and went out"},
		},
		"a withdrawal failed and sent": {
			overrides: map[string][]ledger.Leg{settled(rejected): paidOut(rejected)}, rules: []string{ofWithdrawals, "what came in and went out"},
		},
		"a withdrawal held from another's wallet": {
			overrides: map[string][]ledger.Leg{
				"withdrawal:" + waiting.String() + ":hold": {ledger.Move(ledger.Wallet(seller), ledger.Hold(waiting), 10_00)},
			},
			rules: []string{ofWithdrawals},
		},
		"a reward in a stranger's wallet": {
			overrides: map[string][]ledger.Leg{
				"reward:" + reward.String() + ":credit": {ledger.Move(ledger.ReferralPayable(), ledger.Wallet(stranger), 1_00)},
			},
			rules: []string{ofRewards},
		},
		"a correction of another amount": {
			overrides: map[string][]ledger.Leg{adjusted(credited): {corrected(seller, 3_01)}}, rules: []string{ofCorrections, booked},
		},
		"a correction that went the other way": {
			overrides: map[string][]ledger.Leg{adjusted(debited): {corrected(buyer, 2_00)}}, rules: []string{ofCorrections, booked},
		},
		"a correction of another wallet": {
			overrides: map[string][]ledger.Leg{adjusted(credited): {corrected(stranger, 3_00)}}, rules: []string{ofCorrections},
		},
		"a correction out of another account": {
			overrides: map[string][]ledger.Leg{adjusted(credited): {ledger.Move(ledger.Fees(), ledger.Wallet(seller), 3_00)}},
			rules:     []string{ofCorrections, booked, "fees earned"},
		},
		"a correction posted without a confirmation": {
			then: func(s *scenario) {
				s.done("balance_adjust", "correction:"+undecided.String(), "adjust", corrected(buyer, 4_00))
			},
			rules: []string{ofCorrections, booked},
		},
		"a correction confirmed without a posting": {
			then: func(s *scenario) {
				s.exec(`update corrections set status = 'confirmed', decided_by = $2, decided_at = $3 where id = $1`, undecided, stranger, s.at)
			},
			rules: []string{ofCorrections, booked},
		},
		"a correction posted twice": {
			then:  func(s *scenario) { s.post("balance_adjust", adjusted(credited)+"2", corrected(seller, 3_00)) },
			rules: []string{ofCorrections, booked, posting},
		},
		"the amount of a correction changed later": {
			then:  func(s *scenario) { s.exec(`update corrections set amount = amount + 1 where id = $1`, credited) },
			rules: []string{ofCorrections, booked},
		},
		"the user of a correction changed later": {
			then:  func(s *scenario) { s.exec(`update corrections set user_id = $2 where id = $1`, credited, buyer) },
			rules: []string{ofCorrections},
		},
		"a posting without an operation": {
			then:  func(s *scenario) { s.exec(`delete from operations where subject = $1`, "withdrawal:"+waiting.String()) },
			rules: []string{posting},
		},
		"the posting of a rejected operation": {
			then: func(s *scenario) {
				s.exec(`update operations set status = 'rejected', error_code = 'conflict', error_reason = 'x', error_message = 'x' where subject = $1`,
					"deal:"+open.String())
			},
			rules: []string{posting},
		},
		"two operations of one posting": {
			then: func(s *scenario) {
				s.exec(`insert into operations (id, kind, subject, params, status, created_at, finished_at)
					select gen_random_uuid(), kind, subject, params, status, created_at, finished_at
					  from operations where subject = $1`, "deal:"+open.String())
			},
			rules: []string{posting},
		},
		"a rollup of an account without entries": {
			then: func(s *scenario) {
				s.exec(`with made as (insert into ledger.accounts (kind, currency) values ('nagad', 'USD') returning id)
					insert into ledger.rollups select id, '1', 5 from made`)
			},
			rules: []string{"rollup plus tail"},
		},
		// Those that docs/money.md#reconciliation lists are not found.
		"the seller of an open deal replaced": {
			then: func(s *scenario) { s.exec(`update deals set seller_id = $2 where id = $1`, open, stranger) },
		},
		"the acceptance of a deal removed": {
			then: func(s *scenario) { s.exec(`update deals set accepted_at = null where id = $1`, completed) },
		},
		"a user made an admin": {
			then: func(s *scenario) { s.exec(`update users set is_admin = true where id = $1`, stranger) },
		},
		"a transfer's time and reason changed": {
			then: func(s *scenario) {
				s.exec(`alter table ledger.transfers disable trigger all;
					update ledger.transfers set reason = 'x', recorded_at = recorded_at + interval '1 day', request_hash = ''`)
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &scenario{t: t, db: dbtest.New(t), at: time.Now().Truncate(time.Microsecond), overrides: c.overrides}
			checkpoint(t, s.db)
			s.seed()
			if c.then != nil {
				c.then(s)
			}
			requireFound(t, s.db, c.rules)
		})
	}
}

// Amounts that fit are not enough: who decided, what was asked for and whether money can still get
// out is checked, too.
func TestReconcile_wrong_facts(t *testing.T) {
	t.Parallel()
	const states, params = "a deal's money can get out", "a row is what its operation asked for"
	const audited, rewarded = "what admins did with money", "a reward is for a referral"
	update := func(sql string, args ...any) func(s *scenario) {
		return func(s *scenario) { s.exec(sql, args...) }
	}
	for name, c := range map[string]struct {
		then func(s *scenario)
		rule string
	}{
		"a deposit from nothing": {func(s *scenario) {
			s.deposit(idOf(13), "completed", 7_00)
			s.exec(`alter table audit_log disable trigger all; delete from audit_log where subject like '%d'`)
		}, audited},
		"a fee taken away": {func(s *scenario) {
			s.exec(`alter table deals drop constraint deals_fee_of_price; update deals set fee = 0 where status = 'Active'`)
		}, states},
		"a paid deal removed": {func(s *scenario) {
			s.exec(`alter table deals drop constraint deals_paid_stays; update deals set removed_at = due_at where status = 'Active'`)
		}, states},
		"a deal without a next action": {update(`update deals set next_action = null, next_action_at = null where id = $1`, open), states},
		"a deal frozen for no reason":  {update(`update deals set frozen_at = due_at where id = $1`, open), states},
		"a seller's cancellation as the buyer's": {
			update(`update deals set status = 'Cancelled by Buyer' where id = $1`, cancelled), states,
		},
		"a reason that does not fit":   {update(`update deals set close_reason = null where id = $1`, completed), states},
		"a reason changed":             {update(`update deals set close_reason = 'accepted' where id = $1`, silent), params},
		"the number of a payout":       {update(`update withdrawals set phone_number = '01812345678' where id = $1`, sent), params},
		"the rate of a withdrawal":     {update(`update withdrawals set rate = 1, converted_amount = 1000 where id = $1`, waiting), params},
		"the amount that was approved": {update(`update operations set params = '{"amount": 1.00}' where kind = 'deposit_approve'`), params},
		"params gone":                  {update(`update operations set params = '{}' where kind = 'deposit_approve'`), params},
		"a credit that nothing proves": {func(s *scenario) {
			s.exec(`update deposits set handled_by = null where id = $1`, approved)
			s.exec(`update operations set actor_id = null, params = params || jsonb_build_object('payment', gen_random_uuid())
			         where subject = 'deposit:' || $1::uuid`, approved)
		}, params},
		"a paid checkout without its deposit": {update(`
			insert into checkouts (id, user_id, payment_method, amount, rate, converted_amount, created_at, state, url, ref, transaction_id,
			                       paid_amount, payer, paid_at)
			values (gen_random_uuid(), $1, 'Bkash', 100, 123, 12300, now(), 'paid', '', 'TR1', 'CHECKOUT01', 12300, '', now())`, buyer), params},
		"who approved a deposit":          {update(`update deposits set handled_by = $2 where id = $1`, approved, stranger), audited},
		"the transaction ID of a deposit": {update(`update deposits set transaction_id = 'OTHER12345' where id = $1`, approved), audited},
		"the transaction ID of a payout":  {update(`update withdrawals set transaction_id = 'OTHER12345' where id = $1`, sent), audited},
		"who proposed a correction":       {update(`update corrections set proposed_by = $2 where id = $1`, credited, buyer), audited},
		"a rate that nobody set":          {update(`insert into exchange_rates (usd_to_bdt, set_at) values (20000, now())`), audited},
		"a rate taken back": {func(s *scenario) {
			s.exec(`insert into audit_log (at, action, subject, details)
				values (now(), 'exchange_rate.set', 'exchange_rate', '{"usdToBdt": 122.4}')`)
		}, audited},
		"the audit log gone": {func(s *scenario) {
			s.exec(`alter table audit_log disable trigger all; delete from audit_log`)
		}, audited},
		"a reward for no referral": {update(`update users set referred_by = null`), rewarded},
		"a reward for a stranger":  {update(`update referral_rewards set referred_id = $1`, stranger), rewarded},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &scenario{t: t, db: dbtest.New(t), at: time.Now().Truncate(time.Microsecond)}
			s.seed()
			checkpoint(t, s.db)
			c.then(s)
			requireFound(t, s.db, []string{c.rule})
		})
	}
}

// requireFound checks that rules with the given prefixes are violated, or that there are no
// findings if rules is empty, in both forms. It returns the rules that both forms find violated.
func requireFound(t *testing.T, db *dbtest.DB, rules []string) []string {
	t.Helper()
	forms := map[string]int{}
	for _, short := range []bool{false, true} {
		check, err := reports.CheckBooks(t.Context(), db.Worker(), reports.CheckOptions{Short: short})
		require.NoError(t, err)
		require.Equal(t, !short, check.Whole)
		if len(rules) == 0 {
			require.Empty(t, check.Findings)
		}
		broken := map[string]bool{}
		for _, f := range check.Findings {
			require.NotEmpty(t, f.Detail)
			broken[f.Rule] = true
		}
		for rule := range broken {
			forms[rule]++
		}
		for _, prefix := range rules {
			found := slices.ContainsFunc(slices.Collect(maps.Keys(broken)), func(rule string) bool { return strings.HasPrefix(rule, prefix) })
			require.True(t, found, "short %v: %v does not have %q", short, check.Findings, prefix)
		}
	}
	return slices.DeleteFunc(slices.Collect(maps.Keys(forms)), func(rule string) bool { return forms[rule] < 2 })
}

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
			`insert into corrections (id, user_id, amount, reason, status, proposed_at, expires_at, decided_by,
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
