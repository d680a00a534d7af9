package api_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
)

const sentBefore = "This withdrawal was stopped after you opened it. If you had sent the money by then, enter the transaction ID; " +
	"otherwise reject it."

const disowned = "The owner says that somebody else asked for this withdrawal. It can only be rejected."

func (b *browser) handles(action string, id uuid.UUID, body any) reply {
	b.t.Helper()
	return b.post("/admin/withdrawals/"+id.String()+"/"+action, body)
}

func (b *browser) notMine(id uuid.UUID, headers ...string) (said api.WithdrawalNotMine) {
	b.t.Helper()
	b.post("/withdraw/"+id.String()+"/not-mine", nil, headers...).want(200).into(&said)
	return said
}

// Nobody begins to send a disowned withdrawal, even after the owner has reset the password, which
// ends the stop.
func TestStopWithdrawal_never_sent(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	catcher := f.catchMail()
	boss, buyer := f.admin("boss"), f.member("buyer")
	_, err := f.accounts.MarkVerified(t.Context(), "buyer")
	require.NoError(t, err)
	boss.setRate(120)
	buyer.fund(boss, 500)
	claimed, other := buyer.withdraws(40, "01712345678"), buyer.withdraws(30, "01712345678")
	boss.handles("claim", claimed.ID, nil).want(200)
	confirm := buyer.withdrawalLink(claimed.ID, "confirm_withdrawal")

	var stopped api.WithdrawalStopped
	f.visitor().post("/auth/stop-withdrawal", fields{"token": buyer.withdrawalLink(claimed.ID, "stop_withdrawal")}).want(200).into(&stopped)
	require.Equal(t, "held", stopped.Outcome)
	reset := f.linkToken(f.mailed(catcher, "buyer@example.com", "Choose a new password"), "/reset-password")
	f.visitor().post("/auth/reset-password", fields{"password": "another-river-7", "token": reset}).want(200)
	f.visitor().post("/auth/confirm-withdrawal", fields{"token": confirm}).
		refused(409, "conflict", "You said that this withdrawal was not yours, so it is never sent. Please cancel it and ask for another.")

	f.later(2*day, boss)
	var list api.AdminWithdrawals
	boss.get("/admin/withdrawals?status=pending").want(200).into(&list)
	require.Len(t, list.Withdrawals, 2)
	for _, w := range list.Withdrawals {
		require.False(t, w.Held || w.OnHold, "the stop and the hold are over")
		require.NotNil(t, w.DisownedAt)
	}
	boss.handles("send", claimed.ID, fields{"amount": 40}).refused(400, "invalid", sentBefore)
	boss.handles("send", other.ID, fields{"amount": 30, "transactionId": "8N7A6D5E4F"}).refused(409, "conflict", disowned)

	boss.handles("reject", claimed.ID, nil).want(200)
	buyer.post("/auth/login", fields{"username": "buyer", "password": "another-river-7"}).want(200)
	buyer.post("/withdraw/"+other.ID.String()+"/cancel", nil).want(200)
	buyer.requireWallet("500.00", "0.00", "0.00")

	f.later(day, boss)
	buyer.post("/auth/login", fields{"username": "buyer", "password": "another-river-7"}).want(200)
	mine := buyer.withdraws(20, "01712345678")
	require.Nil(t, mine.DisownedAt)
	buyer.confirms(mine.ID)
	boss.handles("send", mine.ID, fields{"amount": 20}).want(200)
}

func TestNotMine(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	catcher := f.catchMail()
	boss, buyer, seller := f.admin("boss"), f.member("buyer"), f.member("seller")
	_, err := f.accounts.MarkVerified(t.Context(), "buyer")
	require.NoError(t, err)
	boss.setRate(120)
	buyer.fund(boss, 500)
	waiting, other := buyer.withdraws(40, "01712345678"), buyer.withdraws(30, "01712345678")
	boss.handles("claim", other.ID, nil).want(200)
	seller.post("/withdraw/"+waiting.ID.String()+"/not-mine", nil).refused(404, "not_found", "Withdrawal not found.")
	boss.post("/withdraw/"+waiting.ID.String()+"/not-mine", nil).refused(404, "not_found", "Withdrawal not found.")
	elsewhere := f.visitor()
	elsewhere.post("/auth/login", fields{"username": "buyer", "password": password}).want(200)

	said := buyer.notMine(waiting.ID, "Idempotency-Key", "n1")
	require.Equal(t, api.WithdrawalNotMine{
		WithdrawalStopped: api.WithdrawalStopped{Message: "The withdrawal is cancelled.", Outcome: "cancelled"}, Stopped: true,
	}, said)
	require.Equal(t, said, buyer.notMine(waiting.ID, "Idempotency-Key", "n1"))
	buyer.post("/withdraw/"+other.ID.String()+"/not-mine", nil, "Idempotency-Key", "n1").
		refused(409, "idempotency_mismatch", "This Idempotency-Key was used for another request.")
	elsewhere.get("/auth/check").refused(401, "unauthenticated", "Please log in to continue.")
	buyer.requireWallet("470.00", "0.00", "30.00")
	require.Equal(t, "held", buyer.notMine(other.ID, "Idempotency-Key", "n2").Outcome)
	require.Equal(t, "held", buyer.notMine(other.ID, "Idempotency-Key", "n2").Outcome)
	boss.handles("send", other.ID, fields{"amount": 30}).refused(400, "invalid", sentBefore)
	boss.handles("reject", other.ID, nil).want(200)
	buyer.post("/withdraw", fields{"amount": 10, "phonenumber": "01712345678", "paymentMethod": "Bkash"}).
		refused(403, "forbidden", "Withdrawals are stopped until you reset your password with a link that we mail you.")
	reset := f.linkToken(f.mailed(catcher, "buyer@example.com", "Choose a new password"), "/reset-password")
	f.visitor().post("/auth/reset-password", fields{"password": "another-river-7", "token": reset}).want(200)
	buyer.post("/auth/login", fields{"username": "buyer", "password": "another-river-7"}).want(200)
	buyer.withdraws(10, "01712345678")
}

// The admin who was sending the money when the owner disowned the withdrawal books it, and nobody
// else does.
func TestNotMine_sent_before(t *testing.T) {
	t.Parallel()
	f, boss, buyer, _ := newFixtureWithUsers(t)
	chief := f.admin("chief")
	w := buyer.withdraws(40, "01712345678")
	buyer.confirms(w.ID)
	boss.handles("claim", w.ID, nil).want(200)
	require.Equal(t, api.WithdrawalStopped{
		Message: "An admin may have sent the withdrawal already. If not, it is never sent.", Outcome: "held",
	}, buyer.notMine(w.ID).WithdrawalStopped)
	buyer.post("/withdraw/"+w.ID.String()+"/cancel", nil).
		refused(409, "conflict", "An admin may have sent this withdrawal. Please try again in a few minutes.")

	f.clock.Advance(4 * time.Minute)
	var claimed api.WithdrawalHandled
	boss.handles("claim", w.ID, nil).want(200).into(&claimed) // renewed while the review is open
	require.True(t, claimed.Withdrawal.ClaimedBeforeStop)
	f.clock.Advance(6 * time.Minute)
	payout := fields{"amount": 40, "transactionId": "8N7A6D5E4F"}
	chief.handles("send", w.ID, payout).refused(409, "conflict", disowned)
	boss.handles("send", w.ID, fields{"amount": 40}).refused(400, "invalid", sentBefore)
	boss.handles("send", w.ID, payout).want(200)
	buyer.requireWallet("460.00", "0.00", "0.00")
	require.Equal(t, "Your withdrawal of $40.00 had been sent to 01712345678 when you told us that it was not you: ৳4,800. "+
		"Please contact support.", buyer.notifications("").Notifications[0].Message)
	var audited bool
	require.NoError(t, f.owner.QueryRow(t.Context(),
		`select details ? 'disownedAt' from audit_log where action = 'withdrawal.send'`).Scan(&audited))
	require.True(t, audited)
}

// A user with an unverified address might never receive the mail that ends a stop, so only pending
// withdrawals are stopped, and other sessions end.
func TestNotMine_unverified_owner(t *testing.T) {
	t.Parallel()
	f, boss, buyer, _ := newFixtureWithUsers(t)
	sent, claimed := buyer.withdraws(10, "01712345678"), buyer.withdraws(40, "01712345678")
	buyer.confirms(sent.ID)
	boss.handles("send", sent.ID, fields{"amount": 10}).want(200)
	boss.handles("claim", claimed.ID, nil).want(200)
	elsewhere := f.visitor()
	elsewhere.post("/auth/login", fields{"username": "buyer", "password": password}).want(200)

	said := buyer.notMine(sent.ID)
	require.Equal(t, "sent", said.Outcome)
	require.False(t, said.Stopped)
	elsewhere.get("/auth/check").refused(401, "unauthenticated", "Please log in to continue.")
	boss.handles("send", claimed.ID, fields{"amount": 40}).refused(400, "invalid", sentBefore)
	var letters int
	require.NoError(t, f.owner.QueryRow(t.Context(),
		`select count(*) from river.river_job where args->>'letter' = 'reset_password'`).Scan(&letters))
	require.Zero(t, letters)
	next := buyer.withdraws(20, "01712345678")
	require.Nil(t, next.DisownedAt)
	f.later(day, boss)
	boss.handles("send", next.ID, fields{"amount": 20}).want(200)
}
