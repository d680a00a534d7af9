package api_test

import (
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"
	"sync"
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

// Nobody can send a held one, so it does not wait for an admin.
func TestAdminWithdrawals_held_and_search(t *testing.T) {
	t.Parallel()
	_, boss, buyer, seller := newFixtureWithUsers(t)
	boss.setRate(120)
	rejected, waits, held := buyer.withdraws(10, "01712345678"), buyer.withdraws(30, "01712345678"), buyer.withdraws(40, "01912345678")
	boss.post("/admin/withdrawals/"+rejected.ID.String()+"/reject", nil).want(200)
	buyer.confirms(waits.ID)
	mine := buyer.withdraws(20, "01812345678")
	buyer.post("/withdraw/"+mine.ID.String()+"/cancel", nil).want(200)
	var list api.AdminWithdrawals
	ids := func(query string) []uuid.UUID {
		boss.get("/admin/withdrawals?" + query).want(200).into(&list)
		found := []uuid.UUID{}
		for _, w := range list.Withdrawals {
			found = append(found, w.ID)
		}
		require.Equal(t, len(found), list.Total)
		return found
	}
	for query, want := range map[string][]uuid.UUID{
		"status=held":                                 {held.ID},
		"status=pending":                              {waits.ID},
		"status=failed&search=buy":                    {mine.ID, rejected.ID},
		"search=sell":                                 {},
		"status=pending&search=01712-345":             {waits.ID},
		"status=held&search=01712":                    {},
		"search=%E0%A7%A6%E0%A7%A7%E0%A7%AF%E0%A7%A7": {held.ID},
		"search=%2440":                                {held.ID},
		"search=%E0%A7%B31%2C200":                     {rejected.ID},
		"search=%00":                                  {},
	} {
		require.Equal(t, want, ids(query), query)
	}
	ids("status=held")
	require.Equal(t, api.History{Approved: 0, Refused: 1, Waiting: 1}, list.Withdrawals[0].History, "a cancelled one is not refused")
	boss.post("/admin/withdrawals/"+waits.ID.String()+"/send", fields{"amount": 30}).want(200)
	ids("status=failed&search=buy")
	require.Equal(t, api.History{Approved: 0, Refused: 0, Waiting: 1}, list.Withdrawals[1].History, "it was sent after this rejection")
	ids("status=held")
	require.Equal(t, api.History{Approved: 1, Refused: 1, Waiting: 0}, list.Withdrawals[0].History)
	seller.get("/admin/withdrawals?status=held").want(403)
	boss.get("/admin/withdrawals?status=gone").refused(400, "invalid", "status must be one of pending, held, completed, failed.")
}

func TestCancelWithdrawal(t *testing.T) {
	t.Parallel()
	_, boss, buyer, _ := newFixtureWithUsers(t)
	w := buyer.withdraws(40, "01712345678")
	cancel := "/withdraw/" + w.ID.String() + "/cancel"
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
	boss.handles("send", claimed.ID, fields{"amount": 20}).refused(400, "invalid", sentBefore)
	var list api.AdminWithdrawals
	boss.get("/admin/withdrawals?status=pending").want(200).into(&list)
	require.Len(t, list.Withdrawals, 1)
	require.NotNil(t, list.Withdrawals[0].DisownedAt)
	boss.handles("reject", claimed.ID, nil).want(200)
}

func TestWithdrawalLinks_held(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	catcher := f.catchMail()
	boss, buyer, _ := f.market()
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
	_, buyer, _ := f.market()
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

func TestNotMine(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	catcher := f.catchMail()
	boss, buyer, _ := f.market()
	buyer.verified()
	waiting, other := buyer.withdraws(40, "01712345678"), buyer.withdraws(30, "01712345678")
	boss.handles("claim", other.ID, nil).want(200)
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
	require.Equal(t, "cancelled", buyer.notMine(other.ID, "Idempotency-Key", "n2").Outcome, "it stops nothing again")
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
	var mails int
	require.NoError(t, f.owner.QueryRow(t.Context(),
		`select count(*) from river.river_job where args->>'mail_kind' = 'mail_reset'`).Scan(&mails))
	require.Zero(t, mails)
	next := buyer.withdraws(20, "01712345678")
	require.Nil(t, next.DisownedAt)
	f.later(day, boss)
	boss.handles("send", next.ID, fields{"amount": 20}).want(200)
}

// saves saves a number for withdrawals.
func (b *browser) saves(name, method, number string) api.PayoutNumber {
	b.t.Helper()
	var saved api.PayoutNumberChange
	b.post("/wallet/payout-numbers", fields{"name": name, "paymentMethod": method, "phoneNumber": number}).want(201).into(&saved)
	require.Equal(b.t, "payout_number_saved", saved.Code)
	return saved.Number
}

func (b *browser) payoutNumbers() []api.PayoutNumber {
	b.t.Helper()
	var list api.PayoutNumbers
	b.get("/wallet/payout-numbers").want(200).into(&list)
	return list.Numbers
}

func TestPayoutNumbers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	owner, other := f.member("owner"), f.member("other")
	require.Empty(t, owner.payoutNumbers())

	mine := owner.saves("  my \u202e bKash ", "Bkash", "01712345678")
	require.Equal(t, "my bKash", mine.Name)
	require.Nil(t, mine.LastSentAt)
	sister := owner.saves("Amina", "Nagad", "01712345678") // another wallet of the same number
	other.saves("my bKash", "Bkash", "01712345678")
	require.Equal(t, []api.PayoutNumber{sister, mine}, owner.payoutNumbers())

	path := "/wallet/payout-numbers/" + mine.ID.String()
	var renamed api.PayoutNumberChange
	owner.do("PATCH", path, fields{"name": "Shop"}).want(200).into(&renamed)
	require.Equal(t, "The name has been changed.", renamed.Message)
	require.Equal(t, "Shop", renamed.Number.Name)
	owner.do("PATCH", path, fields{"name": ""}).refused(400, "invalid", "Please name this number.")
	said := owner.do("DELETE", path, nil).want(200)
	require.JSONEq(t, `{"message": "The number has been removed.", "outcome": "payout_number_removed"}`, string(said.body))
	owner.do("DELETE", path, nil).refused(404, "not_found", "Number not found.")
	require.Equal(t, []api.PayoutNumber{sister}, owner.payoutNumbers())
}

func TestPayoutNumbers_refuses(t *testing.T) {
	t.Parallel()
	owner := newFixture(t).member("owner")
	for _, tc := range []struct {
		body    fields
		message string
	}{
		{fields{"paymentMethod": "Cash", "phoneNumber": "1"}, "Choose Bkash or Nagad."},
		{fields{"paymentMethod": "Nagad", "phoneNumber": "0181234567"}, "Phone number must start with '01' and be 11 digits."},
		{fields{"paymentMethod": "Nagad", "phoneNumber": "01812345678", "name": " \u2800 "}, "Please name this number."},
		{
			fields{"paymentMethod": "Nagad", "phoneNumber": "01812345678", "name": strings.Repeat("ন", 41)},
			"The name may have up to 40 characters.",
		},
	} {
		owner.post("/wallet/payout-numbers", tc.body).refused(400, "invalid", tc.message)
	}
	require.Empty(t, owner.payoutNumbers())

	owner.saves(strings.Repeat("ন", 40), "Nagad", "01812345678")
	again := owner.post("/wallet/payout-numbers", fields{"name": "Again", "paymentMethod": "Nagad", "phoneNumber": "01812345678"})
	require.Equal(t, "You already saved this number.", again.refused(409, "duplicate", "You already saved this number.").Fields["phoneNumber"])
}

// Saving the same request twice saves one number, and none once it is removed; of twelve requests
// at once ten do.
func TestPayoutNumbers_ten_at_most(t *testing.T) {
	t.Parallel()
	owner := newFixture(t).member("owner")
	body := func(i int) fields {
		return fields{"name": fmt.Sprint("Number ", i), "paymentMethod": "Bkash", "phoneNumber": fmt.Sprintf("017000000%02d", i)}
	}
	first := owner.post("/wallet/payout-numbers", body(0), "Idempotency-Key", "p1").want(201)
	require.JSONEq(t, string(first.body), string(owner.post("/wallet/payout-numbers", body(0), "Idempotency-Key", "p1").want(201).body))

	var wg sync.WaitGroup
	for i := range 11 {
		wg.Go(func() { owner.post("/wallet/payout-numbers", body(i+1)) })
	}
	wg.Wait()
	require.Len(t, owner.payoutNumbers(), 10)
	var saved api.PayoutNumberChange
	first.into(&saved)
	owner.do(http.MethodDelete, "/wallet/payout-numbers/"+saved.Number.ID.String(), nil).want(200)
	owner.post("/wallet/payout-numbers", body(0), "Idempotency-Key", "p1").refused(404, "not_found", "Number not found.")
	owner.post("/wallet/payout-numbers", body(0)).want(201)
	refused := owner.post("/wallet/payout-numbers", body(20))
	refused.refused(409, "conflict", "You can save up to 10 numbers.")
	require.Contains(t, string(refused.body), `"reason":"too_many_numbers"`)
}

// A saved number says when a withdrawal was last sent to it, and a withdrawal to it is held as one
// to any new number.
func TestPayoutNumbers_withdrawals(t *testing.T) {
	t.Parallel()
	f, boss, buyer, _ := newFixtureWithUsers(t)
	buyer.saves("Mine", "Bkash", "01712345678")
	buyer.saves("Mine, too", "Nagad", "01712345678")
	w := buyer.withdraws(40, "01712345678")
	require.Contains(t, w.HeldReasons, "new_number")
	require.True(t, w.OnHold)

	buyer.confirms(w.ID)
	sent := f.clock.Now().Truncate(time.Microsecond)
	boss.post("/admin/withdrawals/"+w.ID.String()+"/send", fields{"amount": 40, "userId": buyer.user.ID}).want(200)
	saved := buyer.payoutNumbers()
	require.WithinRange(t, *saved[0].LastSentAt, sent, f.clock.Now())
	require.Nil(t, saved[1].LastSentAt, "the other method's number")
}
