package api_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/domain/accounts"
	"amanat/internal/lib/ratelimit"
)

func (b *browser) activity() (kinds []string, list []api.Activity) {
	b.t.Helper()
	b.get("/auth/activity").want(200).into(&list)
	for _, e := range list {
		kinds = append(kinds, e.Kind)
	}
	return kinds, list
}

func TestActivity(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim, karim := f.member("rahim"), f.member("karim")
	f.clock.Advance(time.Minute)
	f.visitor().post("/auth/login", fields{"username": "rahim", "password": "wrong-stone"}).want(401)
	f.visitor().post("/auth/login", fields{"username": "nobody", "password": "wrong-stone"}).want(401)
	f.visitor().do("POST", "/auth/login", fields{"username": "rahim", "password": password}, "User-Agent", "Firefox/140").want(200)
	rahim.do("DELETE", "/auth/sessions", nil).want(200)
	rahim.setsUpApp()
	rahim.post("/auth/change-password", fields{"currentPassword": password, "newPassword": "another-stone"}).want(200)

	kinds, list := rahim.activity()
	require.Equal(t, []string{"password_changed", "app_added", "others_ended", "login", "login_failed", "account_opened"}, kinds)
	require.Equal(t, "Firefox/140", list[3].UserAgent)
	require.Equal(t, "127.0.0.1", list[3].Address)
	kinds, _ = karim.activity()
	require.Equal(t, []string{"account_opened"}, kinds)

	f.clock.Advance(90*24*time.Hour - time.Minute)
	cleaner := accounts.Cleaner{DB: f.workerDB, Clock: f.clock, SessionClock: f.clock}
	removed, err := cleaner.RemoveOldEvents(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, removed, "the two accounts opened 90 days ago")
}

// Of codes, only those that were compared are recorded.
func TestActivity_codes(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.SecondFactorLimit = ratelimit.Rate{Count: 2, Per: time.Hour} })
	rahim := f.member("rahim")
	app := rahim.setsUpApp()
	for range 4 {
		f.entersPassword("rahim", "totp,backup").entersCode(app.at(9))
	}
	kinds, _ := rahim.activity()
	require.Equal(t, []string{"factor_failed", "factor_failed", "app_added", "account_opened"}, kinds)
}

// Attempts that the limits refuse are not recorded: strangers cannot bury the owner's own events.
func TestActivity_is_not_flooded(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.LoginAccountLimit = ratelimit.Rate{Count: 3, Per: time.Hour} })
	rahim := f.member("rahim")
	for range 9 {
		f.visitor().post("/auth/login", fields{"username": "rahim", "password": "wrong-stone"})
	}
	kinds, _ := rahim.activity()
	require.Len(t, slices.DeleteFunc(kinds, func(kind string) bool { return kind != "login_failed" }), 3)
}
