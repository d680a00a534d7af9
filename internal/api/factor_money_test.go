package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/lib/ratelimit"
)

const setUpFirst = "Set up two-step login first."

// Without a second factor, an admin signs in like any other user and sees no more than one.
func TestAdminSecondFactor(t *testing.T) {
	t.Parallel()
	f := newNamedFixture(t, func(c *config.API) { c.AdminSecondFactor = true })
	f.work()
	boss, buyer, seller := f.admin("boss"), f.member("buyer"), f.member("seller")
	deal := buyer.propose(seller, 10)
	require.True(t, boss.factor().Required)
	require.False(t, buyer.factor().Required)
	boss.post("/auth/login", fields{"username": "boss", "password": password}).want(200)
	rate := func() reply { return boss.do(http.MethodPut, "/admin/exchange-rate", fields{"usdToBdt": 120}) }
	for _, e := range forAdmins {
		method, path, _ := strings.Cut(e.call, " ")
		if !strings.Contains(path, "{") {
			boss.do(method, path, nil).refused(403, "second_factor_missing", setUpFirst)
		}
	}
	boss.post("/admin/users/"+buyer.user.ID.String()+"/disable", nil).refused(403, "second_factor_missing", setUpFirst)
	boss.get("/deals/" + deal.ID.String()).want(404)
	boss.get("/deals/my-deals?userId=" + buyer.user.ID.String()).want(403)
	boss.get("/deals/between/" + buyer.user.ID.String() + "/" + seller.user.ID.String()).want(403)

	boss.setsUpApp()
	rate().want(200)
	boss.get("/deals/" + deal.ID.String()).want(200)
	boss.post("/auth/second-factor/totp/remove", nil).
		refused(409, "conflict", "An admin needs a second factor. Add another one first.")
	boss.get("/admin/users").want(200)
	added := boss.addsPasskey(f.device(), "Key")
	boss.post("/auth/second-factor/totp/remove", nil).want(200)
	boss.do(http.MethodDelete, "/auth/second-factor/passkeys/"+added.Passkey.ID.String(), nil).
		refused(409, "conflict", "An admin needs a second factor. Add another one first.")
}

// An admin with a second factor needs it where others need the password alone.
func TestAdminReauth_needs_second_factor(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss := f.admin("boss")
	app := boss.setsUpApp()
	rate := func() reply { return boss.do(http.MethodPut, "/admin/exchange-rate", fields{"usdToBdt": 120}) }
	rate().want(200)
	f.clock.Advance(15 * time.Minute)
	rate().refused(403, "password_required", again)
	boss.post("/auth/change-password", fields{"currentPassword": password, "newPassword": "another-stone"}).want(200)
	rate().refused(403, "password_required", again)
	boss.asksForFactor(boss.post("/auth/confirm-password", fields{"password": "another-stone"}), "totp,backup")
	rate().refused(403, "password_required", again)
	boss.post("/auth/confirm-password", fields{"password": "another-stone", "code": app.next()}).want(200)
	rate().want(200)
}

func TestWithdrawalConfirm_by_second_factor(t *testing.T) {
	t.Parallel()
	f := newNamedFixture(t, func(c *config.API) { c.SecondFactorLimit = ratelimit.Rate{Count: 2, Per: 15 * time.Minute} })
	f.work()
	boss, buyer, stranger := f.admin("boss"), f.member("buyer"), f.member("stranger")
	boss.setRate(120)
	buyer.fund(boss, 100)
	withdraws := func() api.Withdrawal {
		var submitted api.WithdrawalSubmitted
		buyer.post("/withdraw", fields{"amount": 5, "phonenumber": "01712345678", "paymentMethod": "Bkash"}).want(201).into(&submitted)
		require.True(t, submitted.Withdrawal.OnHold)
		return submitted.Withdrawal
	}
	path := "/withdraw/" + withdraws().ID.String() + "/confirm"
	buyer.post(path, fields{"code": "123456"}).refused(409, "conflict", "Two-step login is not turned on.")
	app, d := buyer.setsUpApp(), f.device()
	buyer.addsPasskey(d, "Phone")
	require.Equal(t, "factor_too_new", decodeFailure(t, buyer.post(path, fields{"code": app.next()}).want(409)).Reason)
	f.agesFactor(buyer)
	buyer.asksForFactor(buyer.post(path, fields{}), "totp,passkey,backup")
	buyer.post(path, fields{"code": app.at(9)}).refused(400, "invalid", wrongCode)
	stranger.post(path, fields{"code": app.next()}).want(404)
	code := app.next()
	var change api.WithdrawalChange
	buyer.post(path, fields{"code": code}).want(200).into(&change)
	require.Equal(t, "Your withdrawal is confirmed.", change.Message)
	require.False(t, change.Withdrawal.OnHold)
	require.NotNil(t, change.Withdrawal.ConfirmedAt)

	// A code for something that is refused is not used up.
	cancelled := withdraws()
	buyer.post("/withdraw/"+cancelled.ID.String()+"/cancel", nil).want(200)
	code = app.next()
	buyer.post("/withdraw/"+cancelled.ID.String()+"/confirm", fields{"code": code}).want(409)
	path = "/withdraw/" + withdraws().ID.String() + "/confirm"
	buyer.post(path, fields{"code": code}).want(200)
	path = "/withdraw/" + withdraws().ID.String() + "/confirm"
	buyer.post(path, fields{"credential": d.signed(buyer.post("/auth/confirm/options", nil))}).want(200)
	buyer.post(path, fields{"code": app.at(9)}).want(400)
	buyer.post(path, fields{"code": app.next()}).want(429)
}
