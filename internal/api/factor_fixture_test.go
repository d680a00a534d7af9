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
	"amanat/internal/lib/totp"
)

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
