package api_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
)

func TestCommonPasswords_refused(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	const common = "This password is too common. Please choose another."
	signup := fields{"username": "rahim-7", "email": "rahim@example.com", "password": "Rahim-7"}
	failure := f.visitor().post("/auth/signup", signup).refused(400, "invalid", common)
	require.Equal(t, map[string]string{"password": common}, failure.Fields)
	b := f.member("rahim")
	failure = b.post("/auth/change-password", fields{"currentPassword": password, "newPassword": "password1"}).refused(400, "invalid", common)
	require.Equal(t, map[string]string{"newPassword": common}, failure.Fields)

	open := newFixture(t, func(c *config.API) { c.CommonPasswords = config.AllowCommonPasswords })
	signup["password"] = "password1"
	open.visitor().post("/auth/signup", signup).want(http.StatusCreated)
}

// An admin's password must be long if it has to be entered again before money moves.
func TestSetExchangeRate_weak_admin_password(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss := f.admin("boss")
	// The password was set before its strength was recorded.
	_, err := f.owner.Exec(t.Context(), "update users set password_strong = false")
	require.NoError(t, err)
	rate := func() reply { return boss.do(http.MethodPut, "/admin/exchange-rate", fields{"usdToBdt": 120}) }
	change := func(fresh string) reply {
		return boss.post("/auth/change-password", fields{"currentPassword": password, "newPassword": fresh})
	}
	rate().refused(403, "weak_password", "Set a password of at least 12 characters first.")
	boss.get("/admin/users").want(200)
	change("elevenchars").refused(400, "invalid", "The password of an admin must be at least 12 characters long.")
	change("twelve-chars").want(200)
	rate().want(200)

	relaxed := newFixture(t, func(c *config.API) { c.AdminReauth = 0 })
	boss = relaxed.admin("boss")
	change("elevenchars").want(200)
	boss.do(http.MethodPut, "/admin/exchange-rate", fields{"usdToBdt": 120}).want(200)
}

func TestConfirmPassword_rotates_session_token(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	b := f.member("rahim")
	stolen := f.visitor()
	for path, body := range map[string]fields{
		"/auth/confirm-password": {"password": password},
		"/auth/change-password":  {"currentPassword": password, "newPassword": "another1"},
	} {
		stolen.http.Jar.SetCookies(b.address(), b.http.Jar.Cookies(b.address()))
		stolen.get("/auth/check").want(200)
		b.post(path, body).want(200)
		b.get("/auth/check").want(200)
		stolen.get("/auth/check").refused(401, "unauthenticated", "Please log in to continue.")
		if path == "/auth/change-password" {
			b.post(path, fields{"currentPassword": "another1", "newPassword": password}).want(200)
		}
	}
}

func TestAdminMessages_and_support_need_fresh_password(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.work()
	boss, buyer, seller := f.admin("boss"), f.member("buyer"), f.member("seller")
	boss.setRate(120)
	buyer.fund(boss, 100)
	deal := buyer.active(seller, 10)
	buyer.post("/deals/support", fields{"dealId": deal.ID, "issueDescription": "Help"}).want(201)
	var requests []struct {
		ID string `json:"_id"`
	}
	boss.get("/admin/support-request").want(200).into(&requests)
	f.clock.Advance(15 * time.Minute)

	chat := "/admin/messages/by-users/" + buyer.user.ID.String() + "/" + seller.user.ID.String()
	closing := "/admin/support-request/" + requests[0].ID + "/close"
	boss.get(chat).refused(403, "password_required", "Please enter your password again.")
	boss.post(closing, nil).refused(403, "password_required", "Please enter your password again.")
	boss.post("/auth/confirm-password", fields{"password": password}).want(200)
	boss.get(chat).want(200)
	boss.post(closing, answered).want(200)
}

func TestEndOtherSessions(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	b, elsewhere := f.member("rahim"), f.visitor()
	elsewhere.post("/auth/login", fields{"username": "rahim", "password": password}).want(200)
	ended := b.do(http.MethodDelete, "/auth/sessions", nil).want(200)
	require.JSONEq(t, `{"message": "All other sessions have ended.", "outcome": "other_sessions_ended"}`, string(ended.body))
	elsewhere.get("/auth/check").want(401)
	var list []api.Session
	b.get("/auth/sessions").want(200).into(&list)
	require.Len(t, list, 1)
	require.True(t, list[0].Current)
}
