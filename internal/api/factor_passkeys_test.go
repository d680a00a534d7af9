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

const passkeyWrong = "This passkey did not work. Please try again."

func TestPasskeys(t *testing.T) {
	t.Parallel()
	f := newNamedFixture(t)
	catcher := f.catchMail()
	rahim := f.member("rahim")
	phone, laptop := f.device(), f.device()
	const path = "/auth/second-factor/passkeys"

	rahim.provesOwnership()
	answer := phone.made(rahim.post(path+"/options", nil))
	rahim.post(path, fields{"name": " \u200b", "credential": answer}).refused(400, "invalid", "Please name the passkey.")
	rahim.post(path, fields{"name": strings.Repeat("x", 51), "credential": answer}).
		refused(400, "invalid", "The name must be at most 50 characters.")
	rahim.post(path, fields{"name": "Phone"}).refused(400, "invalid", passkeyWrong)
	var added api.NewPasskey
	rahim.post(path, fields{"name": "My  phone", "credential": answer}).want(http.StatusCreated).into(&added)
	require.Equal(t, "My phone", added.Passkey.Name)
	require.Nil(t, added.Passkey.LastUsedAt)
	require.Len(t, added.Codes, 10, "the first factor")
	f.mailed(catcher, "rahim@example.com", "Two-step login was turned on.")
	rahim.post(path, fields{"name": "Again", "credential": answer}).refused(400, "invalid", "That took too long. Please try again.")

	options := rahim.post(path+"/options", nil)
	require.Contains(t, string(options.body), `"excludeCredentials":[{`)
	require.Contains(t, string(options.body), `"residentKey":"required"`)
	require.Contains(t, string(options.body), `"userVerification":"required"`)
	rahim.post(path, fields{"name": "Copy", "credential": phone.made(options)}).
		refused(409, "duplicate", "This passkey is registered already.")
	second := rahim.addsPasskey(laptop, "Laptop")
	require.Nil(t, second.Codes)
	f.mailed(catcher, "rahim@example.com", "A passkey was added to your account.")

	var renamed api.Passkey
	one := path + "/" + second.Passkey.ID.String()
	rahim.do(http.MethodPatch, one, fields{"name": "Work"}).want(200).into(&renamed)
	require.Equal(t, "Work", renamed.Name)
	rahim.do(http.MethodPatch, one, fields{}).refused(400, "invalid", "Please name the passkey.")
	f.member("karim").do(http.MethodDelete, one, nil).refused(404, "not_found", "Passkey not found.")
	rahim.do(http.MethodDelete, one, nil).want(200)
	rahim.do(http.MethodDelete, one, nil).refused(404, "not_found", "Passkey not found.")
	f.mailed(catcher, "rahim@example.com", "A passkey was removed from your account.")
	require.Len(t, rahim.factor().Passkeys, 1)
	require.Contains(t, f.log.String(), `"event":"passkey removed"`)

	for range 9 {
		rahim.addsPasskey(f.device(), "Another")
	}
	rahim.post(path+"/options", nil).refused(409, "conflict", "You can have at most 10 passkeys.")
}

func TestLoginPasskey(t *testing.T) {
	t.Parallel()
	f := newNamedFixture(t)
	rahim, karim := f.member("rahim"), f.member("karim")
	first, second, karims := f.device(), f.device(), f.device()
	rahim.addsPasskey(first, "Phone")
	rahim.addsPasskey(second, "Laptop")
	karim.addsPasskey(karims, "Phone")

	for _, d := range []*device{first, second} {
		b := f.entersPassword("rahim", "passkey,backup")
		b.post("/auth/login/passkey", fields{}).refused(400, "invalid", passkeyWrong)
		answer := d.signed(b.post("/auth/login/passkey/options", nil))
		var user api.User
		b.post("/auth/login/passkey", fields{"credential": answer}).want(200).into(&user)
		require.Equal(t, "rahim", user.Username)
		b.get("/auth/check").want(200)
		b.post("/auth/login/passkey", fields{"credential": answer}).refused(401, "login_expired", "Please log in again.")
	}
	require.NotNil(t, rahim.factor().Passkeys[1].LastUsedAt)

	b := f.entersPassword("rahim", "passkey,backup")
	stranger := karims.signed(b.post("/auth/login/passkey/options", nil))
	b.post("/auth/login/passkey", fields{"credential": stranger}).refused(400, "invalid", passkeyWrong)
	answer := first.signed(b.post("/auth/login/passkey/options", nil))
	response, _ := answer["response"].(map[string]any)
	response["signature"] = "AAAA"
	b.post("/auth/login/passkey", fields{"credential": answer}).refused(400, "invalid", passkeyWrong)
	answer = first.signed(b.post("/auth/login/passkey/options", nil))
	other := f.entersPassword("rahim", "passkey,backup")
	other.post("/auth/login/passkey/options", nil).want(200)
	other.post("/auth/login/passkey", fields{"credential": answer}).refused(400, "invalid", passkeyWrong) // of another ceremony
	b.post("/auth/login/passkey", fields{"credential": answer}).want(200)

	f.member("third").setsUpApp()
	f.entersPassword("third", "totp,backup").post("/auth/login/passkey/options", nil).refused(409, "conflict", "You have no passkey.")
	f.visitor().post("/auth/login/passkey/options", nil).refused(401, "login_expired", "Please log in again.")
}

// A device that does not verify its owner is no second factor.
func TestPasskey_unverified_owner(t *testing.T) {
	t.Parallel()
	f := newNamedFixture(t)
	rahim, careless := f.member("rahim"), f.device()
	careless.auth.Options.UserNotVerified = true
	rahim.provesOwnership()
	answer := careless.made(rahim.post("/auth/second-factor/passkeys/options", nil))
	rahim.post("/auth/second-factor/passkeys", fields{"name": "Key", "credential": answer}).refused(400, "invalid", passkeyWrong)

	d := f.device()
	rahim.addsPasskey(d, "Key")
	d.auth.Options.UserNotVerified = true
	v := f.visitor()
	v.post("/auth/passkey", fields{"credential": d.signed(v.post("/auth/passkey/options", nil))}).want(401)
}

func TestPasskeyLogin(t *testing.T) {
	t.Parallel()
	f := newNamedFixture(t, func(c *config.API) { c.PasskeyLoginLimit = ratelimit.Rate{Count: 9, Per: 15 * time.Minute} })
	rahim := f.member("rahim")
	known, unknown := f.device(), f.device()
	rahim.addsPasskey(known, "Phone")
	const unknownText = "This passkey is not known here."

	v := f.visitor()
	answer := known.signed(v.post("/auth/passkey/options", nil))
	var user api.User
	v.post("/auth/passkey", fields{"credential": answer}).want(200).into(&user)
	require.Equal(t, "rahim", user.Username)
	v.post("/auth/second-factor/backup-codes", nil).want(200) // confirmed by both factors
	v.post("/auth/passkey", fields{"credential": answer}).refused(401, "login_expired", "Please log in again.")

	v = f.visitor()
	unknown.auth.Options.UserHandle = known.auth.Options.UserHandle
	v.post("/auth/passkey", fields{"credential": unknown.signed(v.post("/auth/passkey/options", nil))}).
		refused(401, "invalid_credentials", unknownText)
	v.post("/auth/passkey/options", nil).want(200)
	v.post("/auth/passkey", fields{}).refused(401, "invalid_credentials", unknownText)
	late := known.signed(v.post("/auth/passkey/options", nil))
	f.clock.Advance(10 * time.Minute)
	v.post("/auth/passkey", fields{"credential": late}).refused(401, "login_expired", "Please log in again.")

	// The challenge of a login without a user is no second step.
	v.post("/auth/passkey/options", nil).want(200)
	v.entersCode("123456").refused(401, "login_expired", "Please log in again.")

	boss := f.admin("boss")
	karim := f.member("karim")
	boss.decidesAbout(karim, rahim, fields{"action": "ban", "reason": "A scam"})
	v.post("/auth/passkey", fields{"credential": known.signed(v.post("/auth/passkey/options", nil))}).
		refused(403, "forbidden", "Your account is suspended: A scam")
	boss.post("/admin/users/"+rahim.user.ID.String()+"/disable", nil).want(200)
	v.post("/auth/passkey", fields{"credential": known.signed(v.post("/auth/passkey/options", nil))}).
		refused(403, "forbidden", "This account has been disabled. Please contact support.")
	limited := 0
	for range 12 {
		if v.post("/auth/passkey/options", nil).status == http.StatusTooManyRequests {
			limited++
		}
	}
	require.Positive(t, limited)
}

// A counter that goes backwards shows that the key exists twice.
// Whether a passkey can be backed up changes on real devices.
func TestPasskey_backup_flag(t *testing.T) {
	t.Parallel()
	f := newNamedFixture(t)
	rahim, d := f.member("rahim"), f.device()
	rahim.addsPasskey(d, "Phone")
	for _, eligible := range []bool{true, false} {
		d.auth.Options.BackupEligible, d.auth.Options.BackupState = eligible, eligible
		v := f.visitor()
		v.post("/auth/passkey", fields{"credential": d.signed(v.post("/auth/passkey/options", nil))}).want(200)
		b := f.entersPassword("rahim", "passkey,backup")
		b.post("/auth/login/passkey", fields{"credential": d.signed(b.post("/auth/login/passkey/options", nil))}).want(200)
	}
}

func TestPasskey_copied(t *testing.T) {
	t.Parallel()
	f := newNamedFixture(t)
	rahim, d := f.member("rahim"), f.device()
	rahim.addsPasskey(d, "Phone")
	d.credential.Counter = 7
	const copied = "There seems to be a copy of this passkey. Use another way, and remove it."
	v := f.visitor()
	v.post("/auth/passkey", fields{"credential": d.signed(v.post("/auth/passkey/options", nil))}).want(200)

	d.credential.Counter = 3
	v = f.visitor()
	v.post("/auth/passkey", fields{"credential": d.signed(v.post("/auth/passkey/options", nil))}).refused(403, "forbidden", copied)
	b := f.entersPassword("rahim", "passkey,backup")
	b.post("/auth/login/passkey", fields{"credential": d.signed(b.post("/auth/login/passkey/options", nil))}).
		refused(403, "forbidden", copied)
	rahim.post("/auth/confirm-password", fields{"password": password, "credential": d.signed(rahim.post("/auth/confirm/options", nil))}).
		refused(403, "forbidden", copied)
	require.Equal(t, 3, strings.Count(f.log.String(), `"event":"passkey copied"`))
}

func TestConfirmPassword_with_passkey(t *testing.T) {
	t.Parallel()
	f := newNamedFixture(t)
	rahim, d := f.member("rahim"), f.device()
	rahim.post("/auth/confirm/options", nil).refused(409, "conflict", "You have no passkey.")
	rahim.addsPasskey(d, "Phone")
	f.clock.Advance(10 * time.Minute)
	rahim.post("/auth/second-factor/backup-codes", nil).refused(403, "password_required", again)
	confirm := func(answer map[string]any) reply {
		return rahim.post("/auth/confirm-password", fields{"password": password, "credential": answer})
	}
	answer := d.signed(rahim.post("/auth/confirm/options", nil))
	f.clock.Advance(5 * time.Minute)
	confirm(answer).refused(400, "invalid", "That took too long. Please try again.")
	answer = d.signed(rahim.post("/auth/confirm/options", nil))
	confirm(answer).want(200)
	confirm(answer).refused(400, "invalid", "That took too long. Please try again.")
	rahim.post("/auth/second-factor/backup-codes", nil).want(200)
}

// At a site without a name there are codes only.
func TestPasskeys_unavailable(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim := f.member("rahim")
	rahim.provesOwnership()
	const unavailable = "Passkeys do not work at this address of the site."
	for _, path := range []string{"/auth/passkey/options", "/auth/second-factor/passkeys/options", "/auth/confirm/options"} {
		rahim.post(path, nil).refused(409, "conflict", unavailable)
	}
	rahim.post("/auth/second-factor/passkeys", fields{"name": "Phone", "credential": fields{"id": "x"}}).refused(409, "conflict", unavailable)
	rahim.post("/auth/passkey", fields{"credential": fields{"id": "x"}}).refused(401, "login_expired", "Please log in again.")
}
