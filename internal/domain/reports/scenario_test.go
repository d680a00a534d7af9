package reports_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/ledger"
	"amanat/internal/testing/dbtest"
)

// scenario is a small market with every kind of outcome and fixed IDs. overrides replaces the legs
// of chosen transfers: the ledger still balances, but the books are wrong.
type scenario struct {
	t         *testing.T
	db        *dbtest.DB
	at        time.Time
	overrides map[string][]ledger.Leg // by transfer key
}

func idOf(n byte) uuid.UUID { return uuid.UUID{0: 1, 6: 0x70, 8: 0x80, 15: n} }

var (
	buyer, seller, referrer, stranger = idOf(1), idOf(2), idOf(3), idOf(4)

	approved, reported = idOf(11), idOf(12) // deposits

	// Deals.
	completed, unanswered, silent = idOf(21), idOf(22), idOf(23)
	accepted, cancelled, open     = idOf(24), idOf(25), idOf(26)
	early                         = idOf(27)

	sent, rejected, withdrawn, waiting = idOf(31), idOf(32), idOf(33), idOf(34) // withdrawals

	reward = idOf(41)

	credited, debited, undecided = idOf(51), idOf(52), idOf(53) // corrections
)

func (s *scenario) exec(sql string, args ...any) {
	s.t.Helper()
	_, err := s.db.Owner().Exec(s.t.Context(), sql, args...)
	require.NoError(s.t, err)
}

// done inserts a settled operation and its posting.
func (s *scenario) done(kind, subject, step string, legs ...ledger.Leg) {
	s.t.Helper()
	s.doneAs("{}", kind, subject, step, legs...)
}

// doneAs is done with the params of the operation.
func (s *scenario) doneAs(params, kind, subject, step string, legs ...ledger.Leg) {
	s.t.Helper()
	s.exec(`insert into operations (id, kind, subject, params, status, created_at, finished_at) values ($1, $2, $3, $5, 'done', $4, $4)`,
		uuid.New(), kind, subject, s.at, params)
	s.post(kind, subject+":"+step, legs...)
}

func (s *scenario) post(kind, key string, legs ...ledger.Leg) {
	s.t.Helper()
	if override, ok := s.overrides[key]; ok {
		legs = override
	}
	require.NoError(s.t, postgres.WithTx(s.t.Context(), s.db.Worker(), func(tx *postgres.Tx) error {
		return ledger.Post(s.t.Context(), tx, ledger.Transfer{Key: key, Kind: kind, Legs: legs, At: s.at})
	}))
}

// deposit inserts a bKash deposit at 123 taka per dollar.
func (s *scenario) deposit(id uuid.UUID, status string, amount money.Cents) {
	s.t.Helper()
	var handled *time.Time
	if status != "pending" {
		handled = &s.at
	}
	s.exec(`insert into deposits (id, user_id, payment_method, transaction_id, claimed_amount, amount, rate, converted_amount,
		status, created_at, handled_at) values ($1, $2, 'Bkash', $3, $4::bigint, $4::bigint, 123, $4::bigint * 123, $5, $6, $7)`,
		id, buyer, strings.ToUpper(id.String()[24:]), int64(amount), status, s.at, handled)
	if status == "completed" {
		s.audit(nil, "deposit.approve", "deposit:"+id.String(), amount, strings.ToUpper(id.String()[24:]))
		s.doneAs(`{"amount": `+amount.String()+`}`, "deposit_approve", "deposit:"+id.String(), "approve", paidIn("Bkash", amount, 123)...)
	}
}

// audit inserts an entry of the audit log about money.
func (s *scenario) audit(by *uuid.UUID, action, subject string, amount money.Cents, transaction string) {
	s.t.Helper()
	s.exec(`insert into audit_log (at, actor_id, action, subject, details)
		values ($1, $2, $3, $4, jsonb_build_object('amount', $5::bigint / 100.0, 'transactionId', $6::text))`,
		s.at, by, action, subject, int64(amount), transaction)
}

func paidIn(method string, amount money.Cents, rate int64) []ledger.Leg {
	mobile, _ := ledger.Mobile(method)
	return []ledger.Leg{
		ledger.MoveBDT(mobile, ledger.ExchangeBDT(), money.Poisha(int64(amount)*rate)),
		ledger.Move(ledger.ExchangeUSD(), ledger.Wallet(buyer), amount),
	}
}

// deal inserts a paid deal of 100.00 with a fee of 2.00 that is due in a day; the buyer may leave a
// day after that.
func (s *scenario) deal(id uuid.UUID, status, reason string, closedAfter time.Duration, legs ...ledger.Leg) {
	s.t.Helper()
	var closed *time.Time
	next := new("refund")
	var why *string
	var back *int64
	if reason != "" {
		at := s.at.Add(closedAfter)
		closed, why, next = &at, &reason, nil
		if reason != "completed" {
			back = &legs[0].Amount
		}
	}
	s.exec(`insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, status, created_at, due_at,
		activated_at, closed_at, close_reason, refunded_amount, next_action, next_action_at)
		values ($1, $2, $3, $2, 10000, 200, 'A logo', 1, $4, $5::timestamptz, $5::timestamptz + interval '1 day', $5::timestamptz, $6, $7, $8,
		        $9::text, case when $9::text is not null then $5::timestamptz + interval '15 days' end)`,
		id, buyer, seller, status, s.at, closed, why, back, next)
	subject := "deal:" + id.String()
	s.done("deal_pay", subject, "pay", ledger.Move(ledger.Wallet(buyer), ledger.Escrow(id), 100_00))
	if len(legs) > 0 {
		kind := "deal_refund"
		if reason == "completed" {
			kind = "deal_complete"
		}
		s.doneAs(`{"reason": "`+reason+`"}`, kind, subject, "close", legs...)
	}
}

// withdrawal inserts a withdrawal of 10.00 to Nagad at 122 taka per dollar.
func (s *scenario) withdrawal(id uuid.UUID, status, kind string, legs ...ledger.Leg) {
	s.t.Helper()
	var handled *time.Time
	if kind != "" {
		handled = &s.at
	}
	s.exec(`insert into withdrawals (id, user_id, payment_method, phone_number, amount, rate, converted_amount, status,
		requested_at, handled_at) values ($1, $2, 'Nagad', '01712345678', 1000, 122, 122000, $3, $4, $5)`, id, buyer, status, s.at, handled)
	subject := "withdrawal:" + id.String()
	s.doneAs(`{"amount": 10.00, "rate": 122, "method": "Nagad", "phoneNumber": "01712345678"}`, "withdrawal_hold", subject, "hold",
		ledger.Move(ledger.Wallet(buyer), ledger.Hold(id), 10_00))
	if kind != "" {
		s.done(kind, subject, "settle", legs...)
	}
	if status == "completed" {
		s.audit(nil, "withdrawal.send", subject, 10_00, "")
	}
}

// correction inserts a correction that an operator has proposed and the stranger decides.
func (s *scenario) correction(id, userID uuid.UUID, status string, amount money.Cents) {
	s.t.Helper()
	s.exec(`insert into corrections (id, user_id, amount, reason, proposed_at, expires_at) values ($1, $2, $3, 'A check', $4, $4)`,
		id, userID, int64(amount), s.at)
	if status == "confirmed" {
		s.exec(`update corrections set status = 'confirmed', decided_by = $2, decided_at = $3 where id = $1`, id, stranger, s.at)
		s.audit(&stranger, "correction.confirm", "correction:"+id.String(), amount, "")
		s.done("balance_adjust", "correction:"+id.String(), "adjust", corrected(userID, amount))
	}
}

func corrected(userID uuid.UUID, amount money.Cents) ledger.Leg {
	if amount < 0 {
		return ledger.Move(ledger.Wallet(userID), ledger.Corrections(), -amount)
	}
	return ledger.Move(ledger.Corrections(), ledger.Wallet(userID), amount)
}

func paidOut(id uuid.UUID) []ledger.Leg {
	mobile, _ := ledger.Mobile("Nagad")
	return []ledger.Leg{ledger.Move(ledger.Hold(id), ledger.ExchangeUSD(), 10_00), ledger.MoveBDT(ledger.ExchangeBDT(), mobile, 122000)}
}

func givenBack(id uuid.UUID) ledger.Leg {
	return ledger.Move(ledger.Hold(id), ledger.Wallet(buyer), 10_00)
}

func refund(id uuid.UUID, back money.Cents) []ledger.Leg {
	return []ledger.Leg{
		ledger.Move(ledger.Escrow(id), ledger.Wallet(buyer), back), ledger.Move(ledger.Escrow(id), ledger.Fees(), 100_00-back),
	}
}

func payout(id, to uuid.UUID) []ledger.Leg {
	return []ledger.Leg{
		ledger.Move(ledger.Escrow(id), ledger.Wallet(to), 98_00), ledger.Move(ledger.Escrow(id), ledger.Fees(), 1_00),
		ledger.Move(ledger.Escrow(id), ledger.ReferralPayable(), 1_00),
	}
}

func (s *scenario) seed() {
	s.t.Helper()
	for name, id := range map[string]uuid.UUID{"buyer": buyer, "seller": seller, "referrer": referrer, "stranger": stranger} {
		s.exec(`insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
			values ($1, $2, $2, '', $2, $3, $3)`, id, name, s.at)
	}
	s.exec(`update users set referred_by = $1 where id = $2`, referrer, seller)
	s.deposit(approved, "completed", 1000_00)
	s.deposit(reported, "pending", 50_00)
	s.deal(completed, "Completed", "completed", time.Hour, payout(completed, seller)...)
	s.deal(unanswered, "Cancelled", "unanswered", 48*time.Hour-time.Second, refund(unanswered, 98_00)...)
	s.deal(silent, "Cancelled", "unanswered", 48*time.Hour, refund(silent, 100_00)...)
	s.deal(accepted, "Cancelled", "accepted", time.Hour, refund(accepted, 98_00)...)
	// The fee of an accepted cancellation used to be taken at any time.
	s.deal(early, "Cancelled", "accepted", 100*time.Hour, refund(early, 98_00)...)
	s.deal(cancelled, "Cancelled by Seller", "seller", time.Hour, refund(cancelled, 100_00)...)
	s.deal(open, "Active", "", 0)
	s.exec(`insert into referral_rewards (id, deal_id, referred_id, referrer_id, amount, created_at, credited_at)
		values ($1, $2, $3, $4, 100, $5, $5)`,
		reward, completed, seller, referrer, s.at)
	s.done("referral_credit", "reward:"+reward.String(), "credit", ledger.Move(ledger.ReferralPayable(), ledger.Wallet(referrer), 1_00))
	s.withdrawal(sent, "completed", "withdrawal_send", paidOut(sent)...)
	s.withdrawal(rejected, "failed", "withdrawal_reject", givenBack(rejected))
	s.withdrawal(withdrawn, "failed", "withdrawal_cancel", givenBack(withdrawn))
	s.withdrawal(waiting, "pending", "")
	s.correction(credited, seller, "confirmed", 3_00)
	s.correction(debited, buyer, "confirmed", -2_00)
	s.correction(undecided, buyer, "open", 4_00)
}
