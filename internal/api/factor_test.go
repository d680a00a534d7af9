package api_test

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/descope/virtualwebauthn"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/lib/ratelimit"
	"amanat/internal/lib/totp"
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
	f := newFixture(t, func(c *config.API) { c.Limits.SecondFactorLimit = ratelimit.Rate{Count: 5, Per: 15 * time.Minute} })
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
	f := newNamedFixture(t, func(c *config.API) { c.Limits.SecondFactorLimit = ratelimit.Rate{Count: 2, Per: 15 * time.Minute} })
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

// newNamedFixture is newFixture at a site with a name, as passkeys need.
func newNamedFixture(tb testing.TB, configure ...func(*config.API)) *fixture {
	tb.Helper()
	return newFixture(tb, append([]func(*config.API){func(c *config.API) {
		c.PublicURL = strings.Replace(c.PublicURL, "127.0.0.1", "localhost", 1)
	}}, configure...)...)
}

// app is an authenticator app.
type app struct {
	f      *fixture
	secret totp.Secret
	codes  []string // the backup codes of its set-up
}

// mailedCode inserts a code as mailed to the user and returns it.
func (b *browser) mailedCode() string {
	b.t.Helper()
	const code = "48217730"
	hash := sha256.Sum256([]byte(b.user.ID.String() + code))
	now := b.fixture.clock.Now()
	_, err := b.fixture.owner.Exec(b.t.Context(), `
		insert into mailed_tokens (token_hash, user_id, purpose, created_at, expires_at) values ($1, $2, 'confirm_owner', $3, $4)
		on conflict (token_hash) do update set used_at = null, created_at = $3, expires_at = $4`,
		hash[:], b.user.ID, now, now.Add(15*time.Minute))
	require.NoError(b.t, err)
	return code
}

// provesOwnership verifies the user's address and enters a mailed code.
func (b *browser) provesOwnership() {
	b.t.Helper()
	_, err := b.fixture.accounts.MarkVerified(b.t.Context(), b.user.Username)
	require.NoError(b.t, err)
	b.post("/auth/confirm-mail-code", fields{"code": b.mailedCode()}).want(200)
}

// agesFactor makes the user's second factor a day old.
func (f *fixture) agesFactor(b *browser) {
	f.t.Helper()
	_, err := f.owner.Exec(f.t.Context(), "update users set factor_added_at = factor_added_at - interval '1 day' where id = $1", b.user.ID)
	require.NoError(f.t, err)
}

// setsUpApp sets up an authenticator app.
func (b *browser) setsUpApp() *app {
	b.t.Helper()
	a := b.startsApp()
	a.codes = b.confirmsApp(a.next())
	return a
}

// startsApp reads the secret into an authenticator app.
func (b *browser) startsApp() *app {
	b.t.Helper()
	b.provesOwnership()
	var fresh api.NewTOTP
	b.post("/auth/second-factor/totp", nil).want(200).into(&fresh)
	secret, err := base32.StdEncoding.DecodeString(fresh.Secret)
	require.NoError(b.t, err)
	require.Contains(b.t, fresh.URI, "secret="+fresh.Secret)
	return &app{f: b.fixture, secret: secret}
}

func (b *browser) confirmsApp(code string) []string {
	b.t.Helper()
	var made api.BackupCodes
	b.post("/auth/second-factor/totp/confirm", fields{"code": code}).want(200).into(&made)
	require.Len(b.t, made.Codes, 10)
	return made.Codes
}

// at returns the code of a number of steps from now.
func (a *app) at(steps int64) string { return a.secret.Code(totp.Step(a.f.clock.Now()) + steps) }

// next waits for the next code, which has not been used.
func (a *app) next() string {
	a.f.clock.Advance(totp.Period)
	return a.at(0)
}

// device is a phone that keeps one passkey.
type device struct {
	t          testing.TB
	site       virtualwebauthn.RelyingParty
	auth       virtualwebauthn.Authenticator
	credential virtualwebauthn.Credential
}

func (f *fixture) device() *device {
	return &device{
		t: f.t, site: virtualwebauthn.RelyingParty{Name: "Amanat", ID: "localhost", Origin: f.config.PublicURL},
		auth: virtualwebauthn.NewAuthenticator(), credential: newCredential(),
	}
}

// newCredential returns a new key. The library omits leading zeros of its coordinates, which COSE
// does not allow, so keys with such a coordinate are thrown away.
func newCredential() virtualwebauthn.Credential {
	const whole = 77 // bytes of an EC2 key with two coordinates of 32
	for {
		credential := virtualwebauthn.NewCredential(virtualwebauthn.KeyTypeEC2)
		if len(credential.Key.AttestationData()) == whole {
			return credential
		}
	}
}

// made returns the device's answer to the options of a new passkey.
func (d *device) made(options reply) map[string]any {
	d.t.Helper()
	parsed, err := virtualwebauthn.ParseAttestationOptions(string(options.want(200).body))
	require.NoError(d.t, err)
	d.auth.Options.UserHandle = []byte(parsed.UserID)
	return d.answer(virtualwebauthn.CreateAttestationResponse(d.site, d.auth, d.credential, *parsed))
}

// signed returns the device's answer to the options of a login or a confirmation.
func (d *device) signed(options reply) map[string]any {
	d.t.Helper()
	parsed, err := virtualwebauthn.ParseAssertionOptions(string(options.want(200).body))
	require.NoError(d.t, err)
	d.credential.Counter++
	return d.answer(virtualwebauthn.CreateAssertionResponse(d.site, d.auth, d.credential, *parsed))
}

func (d *device) answer(text string) (answer map[string]any) {
	d.t.Helper()
	require.NoError(d.t, json.Unmarshal([]byte(text), &answer))
	return answer
}

// addsPasskey registers the passkey of a device.
func (b *browser) addsPasskey(d *device, name string) (added api.NewPasskey) {
	b.t.Helper()
	b.provesOwnership()
	answer := d.made(b.post("/auth/second-factor/passkeys/options", nil))
	b.post("/auth/second-factor/passkeys", fields{"name": name, "credential": answer}).want(http.StatusCreated).into(&added)
	return added
}

func (b *browser) factor() (factor api.SecondFactor) {
	b.t.Helper()
	b.get("/auth/second-factor").want(200).into(&factor)
	return factor
}

// entersPassword makes the first step of a login and requires that it asks for the second.
func (f *fixture) entersPassword(username, methods string) *browser {
	f.t.Helper()
	b := f.visitor()
	asked := b.post("/auth/login", fields{"username": username, "password": password})
	b.asksForFactor(asked, methods)
	require.Len(f.t, asked.header.Values("Set-Cookie"), 1, "no session")
	require.Regexp(f.t, `^amanat-login=[\w-]{43}; Path=/; Max-Age=600; HttpOnly; SameSite=Lax$`, asked.header.Get("Set-Cookie"))
	return b
}

func (b *browser) asksForFactor(r reply, methods string) {
	b.t.Helper()
	r.refused(401, "second_factor_required", "Please confirm that it is you.")
	var said api.Error
	r.into(&said)
	require.Equal(b.t, map[string]any{"methods": methods}, map[string]any(said.Params))
}

func (b *browser) entersCode(code string) reply {
	b.t.Helper()
	return b.post("/auth/login/code", fields{"code": code})
}

const (
	wrongCode = "This code is not right."
	usedCode  = "This code has been used. Wait for the next one."
	again     = "Please enter your password again."
)
