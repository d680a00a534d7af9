package api_test

import (
	"crypto/rand"
	"crypto/sha256"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
)

// withdrawalLink inserts a token as mailed to the owner of a withdrawal and returns it.
func (b *browser) withdrawalLink(id uuid.UUID, purpose string) string {
	b.t.Helper()
	token := rand.Text()
	hash := sha256.Sum256([]byte(token))
	now := b.fixture.clock.Now()
	_, err := b.fixture.owner.Exec(b.t.Context(), `
		insert into mailed_tokens (token_hash, user_id, withdrawal_id, purpose, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)`,
		hash[:], b.user.ID, id, purpose, now, now.Add(24*time.Hour))
	require.NoError(b.t, err)
	return token
}

// confirms ends the hold of a withdrawal with a mailed token.
func (b *browser) confirms(id uuid.UUID) {
	b.t.Helper()
	said := b.fixture.visitor().post("/auth/confirm-withdrawal", fields{"token": b.withdrawalLink(id, "confirm_withdrawal")}).want(200)
	require.JSONEq(b.t, `{"message": "Your withdrawal is confirmed.", "outcome": "withdrawal_confirmed"}`, string(said.body))
}

func (b *browser) withdraws(amount float64, number string) api.Withdrawal {
	b.t.Helper()
	var submitted api.WithdrawalSubmitted
	b.post("/withdraw", fields{"amount": amount, "phonenumber": number, "paymentMethod": "Bkash"}).want(201).into(&submitted)
	return submitted.Withdrawal
}

func TestWithdrawals_by_status(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	waits := buyer.withdraws(40, "01712345678")
	for range 2 {
		w := buyer.withdraws(10, "01712345678")
		buyer.post("/withdraw/"+w.ID.String()+"/cancel", nil).want(200)
	}
	var list api.WithdrawalHistory
	buyer.get("/withdraw/history?limit=2").want(200).into(&list)
	require.Equal(t, 3, list.Total)
	require.NotContains(t, []uuid.UUID{list.Withdrawals[0].ID, list.Withdrawals[1].ID}, waits.ID)

	buyer.get("/withdraw/history?status=pending&limit=2").want(200).into(&list)
	require.Equal(t, 1, list.Total)
	require.Equal(t, waits.ID, list.Withdrawals[0].ID)
	buyer.get("/withdraw/history?status=failed&limit=1&page=2").want(200).into(&list)
	require.Equal(t, 2, list.Total)
	require.Len(t, list.Withdrawals, 1)
	seller.get("/withdraw/history?status=pending").want(200).into(&list)
	require.Empty(t, list.Withdrawals)
	buyer.get("/withdraw/history?status=gone").refused(400, "invalid", "status must be one of pending, completed, failed.")
}

func TestCancelWithdrawal(t *testing.T) {
	t.Parallel()
	_, boss, buyer, seller := newFixtureWithUsers(t)
	w := buyer.withdraws(40, "01712345678")
	cancel := "/withdraw/" + w.ID.String() + "/cancel"
	seller.post(cancel, nil).refused(404, "not_found", "Withdrawal not found.")
	boss.post(cancel, nil).refused(404, "not_found", "Withdrawal not found.")

	var done api.WithdrawalChange
	first := buyer.post(cancel, nil, "Idempotency-Key", "c1").want(200)
	first.into(&done)
	require.Equal(t, "Your withdrawal has been cancelled.", done.Message)
	require.Equal(t, "failed", done.Withdrawal.Status)
	require.NotNil(t, done.Withdrawal.CancelledAt)
	require.Nil(t, done.Withdrawal.Reason)
	require.JSONEq(t, string(first.body), string(buyer.post(cancel, nil, "Idempotency-Key", "c1").want(200).body))
	buyer.post(cancel, nil).want(200)
	buyer.requireWallet("500.00", "0.00", "0.00")

	w = buyer.withdraws(40, "01712345678")
	boss.post("/admin/withdrawals/"+w.ID.String()+"/claim", nil).want(200)
	buyer.post("/withdraw/"+w.ID.String()+"/cancel", nil).
		refused(409, "conflict", "An admin may have sent this withdrawal. Please try again in a few minutes.")
}

func TestAdminWithdrawals_held_reasons(t *testing.T) {
	t.Parallel()
	f, boss, buyer, _ := newFixtureWithUsers(t)
	_, err := f.accounts.MarkVerified(t.Context(), "buyer")
	require.NoError(t, err)
	w := buyer.withdraws(40, "01712345678")
	require.True(t, w.OnHold)
	require.Equal(t, []string{"new_number"}, w.HeldReasons)
	require.Equal(t, w.RequestedAt.Add(day), *w.HeldUntil)

	row := func() api.AdminWithdrawal {
		t.Helper()
		var list api.AdminWithdrawals
		boss.get("/admin/withdrawals").want(200).into(&list)
		return list.Withdrawals[0]
	}
	seen := row()
	require.True(t, seen.IsVerified)
	require.True(t, seen.OnHold)
	require.False(t, seen.Held)
	require.Nil(t, seen.PasswordResetAt)
	require.Zero(t, seen.SentToNumber)
	require.WithinDuration(t, f.clock.Now(), seen.UserSince, time.Minute)

	buyer.confirms(w.ID)
	boss.post("/admin/withdrawals/"+w.ID.String()+"/send", fields{"amount": 40}).want(200)
	f.later(day, boss, buyer)
	known := buyer.withdraws(40, "01712345678")
	require.False(t, known.OnHold)
	require.Empty(t, known.HeldReasons, "number and browser are known")
	require.Equal(t, 1, row().SentToNumber)

	var has api.WalletSummary
	buyer.get("/wallet").want(200).into(&has)
	require.Equal(t, "1.00", has.MinWithdrawal.String())
}

func TestConfirmWithdrawal_already_handled(t *testing.T) {
	t.Parallel()
	f, boss, buyer, _ := newFixtureWithUsers(t)
	w := buyer.withdraws(40, "01712345678")
	boss.post("/admin/withdrawals/"+w.ID.String()+"/reject", nil).want(200)
	v := f.visitor()
	v.post("/auth/confirm-withdrawal", nil).refused(400, "invalid", "Invalid or missing token")
	v.post("/auth/confirm-withdrawal", fields{"token": "x"}).refused(400, "invalid", "Invalid or missing token")
	v.post("/auth/confirm-withdrawal", fields{"token": buyer.withdrawalLink(w.ID, "confirm_withdrawal")}).
		refused(409, "conflict", "This withdrawal has been handled already.")
}

// The mailed link cancels pending withdrawals unless they are sent or claimed by an admin.
func TestStopWithdrawal(t *testing.T) {
	t.Parallel()
	f, boss, buyer, _ := newFixtureWithUsers(t)
	sent, claimed, waiting := buyer.withdraws(10, "01712345678"), buyer.withdraws(20, "01712345678"), buyer.withdraws(40, "01712345678")
	buyer.confirms(sent.ID)
	boss.post("/admin/withdrawals/"+sent.ID.String()+"/send", fields{"amount": 10}).want(200)
	boss.post("/admin/withdrawals/"+claimed.ID.String()+"/claim", nil).want(200)
	links := map[string]string{}
	for outcome, w := range map[string]api.Withdrawal{"sent": sent, "held": claimed, "cancelled": waiting} {
		links[outcome] = buyer.withdrawalLink(w.ID, "stop_withdrawal")
	}
	v := f.visitor()
	v.post("/auth/stop-withdrawal", nil).refused(400, "invalid", "Invalid or missing token")
	v.post("/auth/stop-withdrawal", fields{"token": buyer.withdrawalLink(sent.ID, "confirm_withdrawal")}).
		refused(400, "invalid", "Invalid or missing token")
	for outcome, token := range links {
		buyer.post("/auth/login", fields{"username": "buyer", "password": password}).want(200)
		var stopped api.WithdrawalStopped
		v.post("/auth/stop-withdrawal", fields{"token": token}).want(200).into(&stopped)
		require.Equal(t, outcome, stopped.Outcome)
		buyer.get("/auth/check").refused(401, "unauthenticated", "Please log in to continue.")
		v.post("/auth/stop-withdrawal", fields{"token": token}).refused(400, "invalid", "Invalid or missing token")
	}
	buyer.post("/auth/login", fields{"username": "buyer", "password": password}).want(200)
	buyer.requireWallet("470.00", "0.00", "20.00")
	buyer.post("/withdraw", fields{"amount": 10, "phonenumber": "01712345678", "paymentMethod": "Bkash"}).
		refused(403, "forbidden", "Withdrawals are stopped until you reset your password with a link that we mail you.")
	v.post("/auth/confirm-withdrawal", fields{"token": buyer.withdrawalLink(claimed.ID, "confirm_withdrawal")}).
		refused(409, "conflict", "You said that this withdrawal was not yours, so it is never sent. Please cancel it and ask for another.")
	boss.post("/admin/withdrawals/"+claimed.ID.String()+"/send", fields{"amount": 20}).refused(400, "invalid", sentBefore)
}

func TestWithdrawalLinks_held(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	catcher := f.catchMail()
	boss, buyer := f.admin("boss"), f.member("buyer")
	boss.setRate(120)
	buyer.fund(boss, 500)
	w := buyer.withdraws(40, "01712345678")

	// The link is mailed only once the address is verified.
	verify := f.linkToken(f.mailed(catcher, "buyer@example.com", "Please verify your email."), "/verify-email")
	f.visitor().post("/auth/verify-email", fields{"token": verify}).want(200)
	confirm := f.linkToken(f.mailed(catcher, "buyer@example.com", "Please confirm your withdrawal of $40.00"), "/confirm-withdrawal")
	f.visitor().post("/auth/confirm-withdrawal", fields{"token": confirm}).want(200)
	var list api.WithdrawalHistory
	buyer.get("/withdraw/history").want(200).into(&list)
	require.False(t, list.Withdrawals[0].OnHold)
	require.NotNil(t, list.Withdrawals[0].ConfirmedAt)
	boss.post("/admin/withdrawals/"+w.ID.String()+"/send", fields{"amount": 40}).want(200)

	second := buyer.withdraws(30, "01712345678")
	stop := f.linkToken(f.mailed(catcher, "buyer@example.com", "A withdrawal of $30.00 from your account"), "/not-me")
	f.visitor().post("/auth/stop-withdrawal", fields{"token": stop}).want(200)
	reset := f.linkToken(f.mailed(catcher, "buyer@example.com", "Choose a new password"), "/reset-password")
	f.visitor().post("/auth/reset-password", fields{"password": "another-river-7", "token": reset}).want(200)
	buyer.post("/auth/login", fields{"username": "buyer", "password": "another-river-7"}).want(200)
	third := buyer.withdraws(30, "01712345678")
	require.NotEqual(t, second.ID, third.ID)
	require.Contains(t, third.HeldReasons, "password_reset")
	require.True(t, third.OnHold)
}

// Without workers the outcome is "cancelling" until the money is returned.
func TestStopWithdrawal_without_workers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	stop := f.work()
	boss, buyer := f.admin("boss"), f.member("buyer")
	boss.setRate(120)
	buyer.fund(boss, 500)
	w := buyer.withdraws(40, "01712345678")
	stop()
	var stopped api.WithdrawalStopped
	f.visitor().post("/auth/stop-withdrawal", fields{"token": buyer.withdrawalLink(w.ID, "stop_withdrawal")}).want(200).into(&stopped)
	require.Equal(t, "cancelling", stopped.Outcome)
	require.Equal(t, "It cannot be sent; the money comes back in a moment.", stopped.Message)
	f.work()
	buyer.post("/auth/login", fields{"username": "buyer", "password": password}).want(200)
	require.Eventually(t, func() bool {
		has, _, _ := buyer.wallet()
		return has == "500.00"
	}, 10*time.Second, 10*time.Millisecond)
}

// Cents below the minimum can be withdrawn all at once, so that they keep no account open.
func TestWithdraw_whole_balance(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.work()
	boss, owner := f.admin("boss"), f.member("owner")
	boss.setRate(120)
	owner.fund(boss, 0.40)
	owner.post("/withdraw", fields{"amount": 0.39, "phonenumber": "01712345678", "paymentMethod": "Bkash"}).
		refused(400, "invalid", "The minimum withdrawal is $1.00.")
	owner.withdraws(0.40, "01712345678")
}
