package reports_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/reports"
	"amanat/internal/money/ledger"
	"amanat/internal/testing/dbtest"
)

func TestTheBooksOfAMarketAreInOrder(t *testing.T) {
	t.Parallel()
	s := &story{t: t, db: dbtest.New(t), at: time.Now().Truncate(time.Microsecond)}
	s.tell()
	findings, err := reports.Reconcile(t.Context(), s.db.Worker())
	require.NoError(t, err)
	require.Empty(t, findings)
}

// Money that came from nothing or went astray is found also when the ledger is whole in itself: whoever has the worker's login, or a bug of
// a settler, leaves it so.
func TestReconcileFindsMoneyThatWentAstray(t *testing.T) {
	t.Parallel()
	const posting, ofDeals, ofWithdrawals, ofDeposits, ofRewards = "every posting is that of one operation", "a deal's money comes from",
		"a withdrawal is held from", "a deposit is credited once", "a reward goes to its referrer"
	dealClose := func(id uuid.UUID) string { return "deal:" + id.String() + ":close" }
	settled := func(id uuid.UUID) string { return "withdrawal:" + id.String() + ":settle" }
	for name, c := range map[string]struct {
		twist map[string][]ledger.Leg
		then  func(s *story)
		rules []string
	}{
		"money from nothing": {
			then: func(s *story) {
				s.post("bonus", "bonus:1", ledger.Move(ledger.ExchangeUSD(), ledger.Wallet(stranger), 1_000_000_00))
			},
			rules: []string{posting, "what came in and went out"},
		},
		"money from nothing with an operation": {
			then: func(s *story) {
				s.done("deposit_approve", "deposit:"+uuid.NewString(), "approve", paidIn("Bkash", 5_00, 123)...)
			},
			rules: []string{ofDeposits, "what came in and went out"},
		},
		"money from a wallet to another": {
			then: func(s *story) {
				s.post("gift", "gift:1", ledger.Move(ledger.Wallet(buyer), ledger.Wallet(stranger), 5_00))
			},
			rules: []string{posting},
		},
		"a deposit credited twice": {
			then: func(s *story) {
				s.post("deposit_approve", "deposit:"+approved.String()+":approve2", paidIn("Bkash", 1000_00, 123)...)
			},
			rules: []string{ofDeposits, posting, "what came in and went out"},
		},
		"a deposit credited at another rate": {
			twist: map[string][]ledger.Leg{"deposit:" + approved.String() + ":approve": paidIn("Bkash", 1000_00, 122)},
			rules: []string{ofDeposits, "what came in and went out"},
		},
		"a deposit booked with the other method": {
			twist: map[string][]ledger.Leg{"deposit:" + approved.String() + ":approve": paidIn("Nagad", 1000_00, 123)},
			rules: []string{ofDeposits, "what came in and went out"},
		},
		"a payout in a stranger's wallet": {
			twist: map[string][]ledger.Leg{dealClose(completed): payout(completed, stranger)}, rules: []string{ofDeals},
		},
		"another payee written down later": {
			then:  func(s *story) { s.exec(`update deals set seller_id = $1 where id = $2`, stranger, completed) },
			rules: []string{ofDeals},
		},
		"a completed deal that was refunded": {
			twist: map[string][]ledger.Leg{dealClose(completed): {
				ledger.Move(ledger.Escrow(completed), ledger.Wallet(buyer), 98_00), ledger.Move(ledger.Escrow(completed), ledger.Fees(), 1_00),
				ledger.Move(ledger.Escrow(completed), ledger.ReferralPayable(), 1_00),
			}},
			rules: []string{ofDeals},
		},
		"a refunded deal that was completed": {
			twist: map[string][]ledger.Leg{dealClose(accepted): {
				ledger.Move(ledger.Escrow(accepted), ledger.Wallet(seller), 98_00), ledger.Move(ledger.Escrow(accepted), ledger.Fees(), 2_00),
			}},
			rules: []string{ofDeals},
		},
		"a fee taken in vain": {
			twist: map[string][]ledger.Leg{dealClose(silent): refund(silent, 98_00)}, rules: []string{ofDeals, "fees earned"},
		},
		"a fee not taken": {
			twist: map[string][]ledger.Leg{dealClose(unanswered): refund(unanswered, 100_00)}, rules: []string{ofDeals, "fees earned"},
		},
		"a fee taken of what the seller cancelled": {
			twist: map[string][]ledger.Leg{dealClose(cancelled): refund(cancelled, 98_00)},
			then:  func(s *story) { s.exec(`update deals set refunded_amount = 9800 where id = $1`, cancelled) },
			rules: []string{"a refund is the price"},
		},
		"a part given back": {
			twist: map[string][]ledger.Leg{dealClose(accepted): refund(accepted, 50_00)},
			then:  func(s *story) { s.exec(`update deals set refunded_amount = 5000 where id = $1`, accepted) },
			rules: []string{"a refund is the price"},
		},
		"a refund that is not noted": {
			then:  func(s *story) { s.exec(`update deals set refunded_amount = null where id = $1`, accepted) },
			rules: []string{"a refund is the price", ofDeals, "fees earned"},
		},
		"a refund of a completed deal noted": {
			then:  func(s *story) { s.exec(`update deals set refunded_amount = price where id = $1`, completed) },
			rules: []string{"a refund is the price"},
		},
		"the price of a closed deal changed": {
			then:  func(s *story) { s.exec(`update deals set price = price + 1 where id = $1`, cancelled) },
			rules: []string{ofDeals},
		},
		"escrow and price raised together": {
			then: func(s *story) {
				s.exec(`update deals set price = price + 500 where id = $1`, open)
				s.done("deal_refund", "deal:"+open.String(), "close", ledger.Move(ledger.ExchangeUSD(), ledger.Escrow(open), 5_00))
			},
			rules: []string{ofDeals, "what came in and went out"},
		},
		"a withdrawal completed and given back": {
			twist: map[string][]ledger.Leg{settled(sent): {givenBack(sent)}}, rules: []string{ofWithdrawals, "what came in and went out"},
		},
		"a withdrawal failed and sent": {
			twist: map[string][]ledger.Leg{settled(rejected): paidOut(rejected)}, rules: []string{ofWithdrawals, "what came in and went out"},
		},
		"a withdrawal held from another's wallet": {
			twist: map[string][]ledger.Leg{
				"withdrawal:" + waiting.String() + ":hold": {ledger.Move(ledger.Wallet(seller), ledger.Hold(waiting), 10_00)},
			},
			rules: []string{ofWithdrawals},
		},
		"a reward in a stranger's wallet": {
			twist: map[string][]ledger.Leg{
				"reward:" + reward.String() + ":credit": {ledger.Move(ledger.ReferralPayable(), ledger.Wallet(stranger), 1_00)},
			},
			rules: []string{ofRewards},
		},
		"a posting without an operation": {
			then:  func(s *story) { s.exec(`delete from operations where subject = $1`, "withdrawal:"+waiting.String()) },
			rules: []string{posting},
		},
		"the posting of a rejected operation": {
			then: func(s *story) {
				s.exec(`update operations set status = 'rejected', error_code = 'conflict', error_message = 'x' where subject = $1`, "deal:"+open.String())
			},
			rules: []string{posting},
		},
		"two operations of one posting": {
			then: func(s *story) {
				s.exec(`insert into operations (id, kind, subject, params, status, created_at, finished_at)
					select gen_random_uuid(), kind, subject, params, status, created_at, finished_at from operations where subject = $1`, "deal:"+open.String())
			},
			rules: []string{posting},
		},
		"a rollup of an account without entries": {
			then: func(s *story) {
				s.exec(`with made as (insert into ledger.accounts (kind, currency) values ('nagad', 'USD') returning id)
					insert into ledger.rollups select id, '1', 5 from made`)
			},
			rules: []string{"rollup plus tail"},
		},
		// These two leave no trace in amounts, and stay unseen. Only the owner can, with triggers off.
		"a transfer's time and reason changed": {
			then: func(s *story) {
				s.exec(`alter table ledger.transfers disable trigger all;
					update ledger.transfers set reason = 'x', recorded_at = recorded_at + interval '1 day', request_hash = ''`)
			},
		},
		"the audit log gone": {
			then: func(s *story) { s.exec(`alter table audit_log disable trigger all; delete from audit_log`) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &story{t: t, db: dbtest.New(t), at: time.Now().Truncate(time.Microsecond), twist: c.twist}
			s.tell()
			if c.then != nil {
				c.then(s)
			}
			requireFound(t, s.db, c.rules)
		})
	}
}

// requireFound wants the rules that begin so to be broken; when there are none, all to hold.
func requireFound(t *testing.T, db *dbtest.DB, rules []string) {
	t.Helper()
	findings, err := reports.Reconcile(t.Context(), db.Worker())
	require.NoError(t, err)
	if len(rules) == 0 {
		require.Empty(t, findings)
	}
	for _, rule := range rules {
		require.Condition(t, func() bool {
			for _, f := range findings {
				if strings.HasPrefix(f.Rule, rule) && f.Detail != "" {
					return true
				}
			}
			return false
		}, "%v does not have %q", findings, rule)
	}
}
