package api_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/lib/ratelimit"
)

func TestTOTP(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	catcher := f.catchMail()
	rahim, elsewhere := f.member("rahim"), f.visitor()
	require.JSONEq(t, `{"totp": false, "passkeys": [], "backupCodesLeft": 0, "required": false}`,
		string(rahim.get("/auth/second-factor").want(200).body))
	elsewhere.post("/auth/login", fields{"username": "rahim", "password": password}).want(200)

	rahim.post("/auth/second-factor/totp", nil).refused(409, "conflict", "Please verify your email first.")
	rahim.provesOwnership()
	rahim.post("/auth/second-factor/totp/confirm", fields{"code": "123456"}).
		refused(409, "conflict", "Please start again: scan the picture with your app first.")
	rahim.startsApp()
	app := rahim.startsApp() // replaces the first
	rahim.post("/auth/second-factor/totp/confirm", fields{}).refused(400, "invalid", "Please enter the code.")
	failure := rahim.post("/auth/second-factor/totp/confirm", fields{"code": app.at(7)}).refused(400, "invalid", wrongCode)
	require.Equal(t, map[string]string{"code": wrongCode}, failure.Fields)
	elsewhere.get("/auth/check").want(200)
	first := app.next()
	codes := rahim.confirmsApp(first)
	require.Regexp(t, `^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$`, codes[0])
	elsewhere.get("/auth/check").want(401)
	rahim.post("/auth/second-factor/totp", nil).refused(409, "conflict", "An authenticator app is set up already. Remove it first.")
	f.mailed(catcher, "rahim@example.com", "Two-step login was turned on.")
	require.Equal(t, "Two-step login was turned on.", rahim.notifications("").Notifications[0].Message)
	var user api.User
	rahim.get("/auth/check").want(200).into(&user)
	require.True(t, user.SecondFactor)

	phone := f.entersPassword("rahim", "totp,backup")
	phone.get("/auth/check").want(401)
	phone.entersCode(first).refused(400, "invalid", usedCode)
	phone.entersCode(" ").refused(400, "invalid", "Please enter the code.")
	spaced := app.next()
	bangla := strings.NewReplacer("0", "০", "1", "১", "2", "২", "3", "৩", "4", "৪", "5", "৫", "6", "৬", "7", "৭", "8", "৮", "9", "৯")
	phone.entersCode(bangla.Replace(spaced[:3] + " " + spaced[3:])).want(200).into(&user)
	require.True(t, user.SecondFactor)
	phone.get("/auth/check").want(200)
	phone.entersCode(app.next()).refused(401, "login_expired", "Please log in again.")
	require.Contains(t, f.log.String(), `"event":"authenticator app added"`)
	require.Contains(t, f.log.String(), `"event":"second factor failed"`)

	rahim.post("/auth/second-factor/totp/remove", nil).want(200)
	phone.get("/auth/check").want(401)
	rahim.post("/auth/second-factor/totp/remove", nil).refused(409, "conflict", "No authenticator app is set up.")
	require.Zero(t, rahim.factor().BackupCodesLeft)
	f.mailed(catcher, "rahim@example.com", "Two-step login was turned off.")
	f.visitor().post("/auth/login", fields{"username": "rahim", "password": password}).want(200)
}

func TestLoginCode_drift(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	app := f.member("rahim").setsUpApp()
	for _, test := range []struct {
		steps  int64
		status int
	}{{-2, 400}, {2, 400}, {-1, 200}, {1, 200}, {0, 400} /* before the last one */} {
		if test.steps != 0 {
			f.clock.Advance(5 * time.Minute)
		}
		f.entersPassword("rahim", "totp,backup").entersCode(app.at(test.steps)).want(test.status)
	}
}

func TestLoginCode_five_wrong_codes_void_the_login(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	app := f.member("rahim").setsUpApp()
	phone := f.entersPassword("rahim", "totp,backup")
	phone.entersCode("").want(400) // nothing was compared
	for range 5 {
		phone.entersCode(app.at(9)).refused(400, "invalid", wrongCode)
	}
	phone.entersCode(app.next()).refused(401, "login_expired", "Please log in again.")
	f.visitor().entersCode(app.at(0)).refused(401, "login_expired", "Please log in again.")
	late := f.entersPassword("rahim", "totp,backup")
	f.clock.Advance(10 * time.Minute)
	late.entersCode(app.next()).refused(401, "login_expired", "Please log in again.")
	f.entersPassword("rahim", "totp,backup").entersCode(app.at(0)).want(200)
}

// Entering the password again, or a right code in between, does not allow more guesses.
func TestSecondFactor_limit_of_wrong_codes(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.SecondFactorLimit = ratelimit.Rate{Count: 5, Per: 15 * time.Minute} })
	const tooMany = "Too many attempts. Please try again later."
	rahim := f.member("rahim")
	app := rahim.setsUpApp()
	for range 4 {
		f.entersPassword("rahim", "totp,backup").entersCode(app.at(9)).want(400)
	}
	phone := f.entersPassword("rahim", "totp,backup")
	phone.entersCode(app.at(1)).want(200)
	f.entersPassword("rahim", "totp,backup").entersCode(app.at(9)).want(400)
	f.entersPassword("rahim", "totp,backup").entersCode(app.next()).refused(429, "rate_limited", tooMany)
	rahim.post("/auth/confirm-password", fields{"password": password, "code": app.next()}).refused(429, "rate_limited", tooMany)

	karim := f.member("karim")
	other := karim.startsApp()
	for range 5 {
		karim.post("/auth/second-factor/totp/confirm", fields{"code": other.at(9)}).want(400)
	}
	karim.post("/auth/second-factor/totp/confirm", fields{"code": other.next()}).refused(429, "rate_limited", tooMany)
}

func TestBackupCodes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	catcher := f.catchMail()
	rahim := f.member("rahim")
	rahim.post("/auth/second-factor/backup-codes", nil).refused(409, "conflict", "Two-step login is not turned on.")
	app := rahim.setsUpApp()
	typed := strings.ToLower(strings.Replace(app.codes[0], "-", " ", 1))
	f.entersPassword("rahim", "totp,backup").entersCode(typed).want(200)
	f.entersPassword("rahim", "totp,backup").entersCode(typed).
		refused(400, "invalid", "This backup code has been used. Please take another one.")
	require.Equal(t, 9, rahim.factor().BackupCodesLeft)
	f.mailed(catcher, "rahim@example.com", "A backup code was used to log in or to confirm something. Codes left: 9.")

	var fresh api.BackupCodes
	rahim.post("/auth/second-factor/backup-codes", nil).want(200).into(&fresh)
	f.entersPassword("rahim", "totp,backup").entersCode(app.codes[1]).refused(400, "invalid", wrongCode)
	for i, code := range fresh.Codes {
		methods := "totp,backup"
		f.entersPassword("rahim", methods).entersCode(code).want(200)
		require.Equal(t, 9-i, rahim.factor().BackupCodesLeft)
	}
	f.entersPassword("rahim", "totp")
	var plain int
	require.NoError(t, f.owner.QueryRow(t.Context(),
		`select count(*) from backup_codes where encode(code_hash, 'escape') like '%' || $1 || '%'`, fresh.Codes[0]).Scan(&plain))
	require.Zero(t, plain)
}

// A reset of the password by mail leaves the second factor as it is, and voids logins that wait.
func TestResetPassword_keeps_second_factor(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	catcher := f.catchMail()
	app := f.member("rahim").setsUpApp()
	waiting := f.entersPassword("rahim", "totp,backup")
	v := f.visitor()
	v.post("/auth/forgot-password", fields{"email": "rahim@example.com"}).want(200)
	_, token, found := strings.Cut(f.mailed(catcher, "rahim@example.com", "Choose a new password").Text, "#token=")
	require.True(t, found)
	v.post("/auth/reset-password", fields{"password": "another-stone", "token": strings.Fields(token)[0]}).want(200)
	waiting.entersCode(app.next()).refused(401, "login_expired", "Please log in again.")
	v.asksForFactor(v.post("/auth/login", fields{"username": "rahim", "password": "another-stone"}), "totp,backup")
	v.entersCode(app.next()).want(200)
}

// A session that was confirmed more than ten minutes ago cannot change the second factor, and with
// one, its password alone does not confirm it.
func TestSecondFactor_changes_need_confirmation(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim := f.member("rahim")
	changes := []string{"/totp/remove", "/backup-codes"}
	additions := []string{"/totp", "/totp/confirm", "/passkeys/options", "/passkeys"}
	refused := func() {
		for _, change := range changes {
			rahim.post("/auth/second-factor"+change, fields{}).refused(403, "password_required", again)
		}
		passkey := "/auth/second-factor/passkeys/019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"
		rahim.do("DELETE", passkey, nil).refused(403, "password_required", again)
	}
	_, err := f.accounts.MarkVerified(t.Context(), "rahim")
	require.NoError(t, err)
	f.clock.Advance(10 * time.Minute)
	refused()
	rahim.post("/auth/confirm-password", fields{"password": password}).want(200)
	for _, addition := range additions {
		rahim.post("/auth/second-factor"+addition, fields{}).refused(403, "mail_code_required", "Please enter the code that we mail you.")
	}
	app := rahim.setsUpApp()
	f.clock.Advance(10 * time.Minute)
	changes = append(changes, additions...)
	refused()
	confirm := func(proof fields) reply {
		proof["password"] = password
		return rahim.post("/auth/confirm-password", proof)
	}
	rahim.asksForFactor(confirm(fields{}), "totp,backup")
	rahim.asksForFactor(confirm(fields{"credential": nil}), "totp,backup")
	rahim.get("/auth/check").want(200)
	confirm(fields{"code": app.at(9)}).refused(400, "invalid", wrongCode)
	rahim.post("/auth/confirm-password", fields{"password": "wrong", "code": app.next()}).refused(400, "invalid", "Incorrect password.")
	rahim.post("/auth/change-password", fields{"currentPassword": password, "newPassword": "another-stone"}).want(200)
	refused() // the password alone
	rahim.post("/auth/confirm-password", fields{"password": "another-stone", "code": app.next()}).want(200)
	rahim.post("/auth/second-factor/totp/remove", nil).want(200)
}
