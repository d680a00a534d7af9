package api_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/devtools/localstack"
	"amanat/internal/lib/ratelimit"
	"amanat/queue/jobs"
)

// catchMail starts a mail server and workers that send through it.
func (f *fixture) catchMail() *localstack.MailCatcher {
	f.t.Helper()
	catcher, err := localstack.StartMail(context.WithoutCancel(f.t.Context()), f.clock.Now)
	require.NoError(f.t, err)
	f.t.Cleanup(func() { _ = catcher.Stop() })
	f.smtpURL = catcher.URL()
	f.work(jobs.QueueMail)
	return catcher
}

// mailed waits for the newest mail to an address with a subject.
func (f *fixture) mailed(catcher *localstack.MailCatcher, to, subject string) localstack.Mail {
	f.t.Helper()
	var found localstack.Mail
	require.Eventually(f.t, func() bool {
		for _, m := range catcher.Mails() {
			if m.To == to && m.Subject == subject {
				found = m
				return true
			}
		}
		return false
	}, 20*time.Second, 10*time.Millisecond, subject)
	return found
}

// linkToken returns the token of the link in a mail.
func (f *fixture) linkToken(m localstack.Mail, path string) string {
	f.t.Helper()
	_, rest, found := strings.Cut(m.Text, f.url+path+"#token=")
	require.True(f.t, found, m.Text)
	return strings.Fields(rest)[0]
}

// cookies returns the values of the browser's cookies.
func (b *browser) cookies() (values []string) {
	b.t.Helper()
	for _, cookie := range b.http.Jar.Cookies(b.address()) {
		values = append(values, cookie.Value)
	}
	return values
}

// cookie returns the value of the named cookie, or "" if there is none.
func (b *browser) cookie(name string) string {
	b.t.Helper()
	for _, cookie := range b.http.Jar.Cookies(b.address()) {
		if cookie.Name == name {
			return cookie.Value
		}
	}
	return ""
}

func (b *browser) address() *url.URL {
	b.t.Helper()
	address, err := url.Parse(b.fixture.url)
	require.NoError(b.t, err)
	return address
}

func TestResetPassword(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	catcher := f.catchMail()
	owner, elsewhere := f.member("rahim"), f.visitor()
	elsewhere.post("/auth/login", fields{"username": "rahim", "password": password}).want(200)

	b := f.visitor()
	b.post("/auth/forgot-password", nil).refused(400, "invalid", "Email is required.")
	b.post("/auth/forgot-password", fields{"email": "nobody@example.com"}).refused(404, "not_found", "No account has this email address.")
	asked := b.post("/auth/forgot-password", fields{"email": "RAHIM@example.com"}).want(200)
	require.JSONEq(t, `{"message": "Password reset link sent to your email.", "outcome": "reset_link_sent"}`, string(asked.body))
	token := f.linkToken(f.mailed(catcher, "rahim@example.com", "Choose a new password"), "/reset-password")

	b.post("/auth/reset-password", nil).refused(400, "invalid", "Password must be at least 6 characters long.")
	b.post("/auth/reset-password", fields{"password": "123456"}).refused(400, "invalid", "Invalid or missing token")
	b.post("/auth/reset-password", fields{"password": "12345", "token": token}).
		refused(400, "invalid", "Password must be at least 6 characters long.")
	done := b.post("/auth/reset-password", fields{"password": "another1", "token": token}).want(200)
	require.JSONEq(t, `{"message": "Password has been successfully reset.", "outcome": "password_reset"}`, string(done.body))
	b.post("/auth/reset-password", fields{"password": "another2", "token": token}).refused(400, "invalid", "Invalid or missing token")

	owner.get("/auth/check").refused(401, "unauthenticated", "Please log in to continue.")
	elsewhere.get("/auth/check").refused(401, "unauthenticated", "Please log in to continue.")
	b.get("/auth/check").refused(401, "unauthenticated", "Please log in to continue.")
	b.post("/auth/login", fields{"username": "rahim", "password": "another1"}).want(200)
	letter := f.mailed(catcher, "rahim@example.com", "Your password was changed")
	require.Contains(t, letter.Text, f.url+"/forgot-password")
}

func TestVerifyEmail(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) {
		c.VerificationLimit = ratelimit.Rate{Count: 1, Per: time.Minute}
		c.VerificationDayLimit = ratelimit.Rate{Count: 5, Per: 24 * time.Hour}
	})
	catcher := f.catchMail()
	b := f.member("rahim")
	first := f.linkToken(f.mailed(catcher, "rahim@example.com", "Please verify your email."), "/verify-email")
	again := b.post("/auth/resend-verification", nil).want(200)
	require.JSONEq(t, `{"message": "Verification link sent to your email.", "outcome": "verification_link_sent"}`, string(again.body))
	limited := b.post("/auth/resend-verification", nil)
	limited.refused(429, "rate_limited", "Too many attempts. Please try again later.")
	limited.retryAfter(time.Minute)
	sent := 1
	for range 10 {
		f.clock.Advance(time.Minute)
		if b.post("/auth/resend-verification", nil).status == 200 {
			sent++
		}
	}
	require.Equal(t, 5, sent)

	v := f.visitor()
	v.post("/auth/verify-email", nil).refused(400, "invalid", "Invalid or missing token")
	done := v.post("/auth/verify-email", fields{"token": first}).want(200)
	require.JSONEq(t, `{"message": "Your email is verified.", "outcome": "email_verified"}`, string(done.body))
	v.post("/auth/verify-email", fields{"token": first}).refused(400, "invalid", "Invalid or missing token")
	var user api.User
	b.get("/auth/check").want(200).into(&user)
	require.True(t, user.IsVerified)
	f.clock.Advance(24 * time.Hour)
	b.post("/auth/login", fields{"username": "rahim", "password": password}).want(200)
	b.post("/auth/resend-verification", nil).refused(409, "conflict", "Your email is already verified.")
}

func TestChangePassword(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	catcher := f.catchMail()
	b, elsewhere := f.member("rahim"), f.visitor()
	elsewhere.post("/auth/login", fields{"username": "rahim", "password": password}).want(200)
	change := func(current, fresh string) reply {
		return b.post("/auth/change-password", fields{"currentPassword": current, "newPassword": fresh})
	}
	failure := change("wrong!", "another1").refused(400, "invalid", "Incorrect password.")
	require.Contains(t, failure.Fields, "currentPassword")
	change(password, "12345").refused(400, "invalid", "Password must be at least 6 characters long.")
	require.JSONEq(t, `{"message": "Your password has been changed.", "outcome": "password_changed"}`,
		string(change(password, "another1").want(200).body))
	b.get("/auth/check").want(200)
	elsewhere.get("/auth/check").refused(401, "unauthenticated", "Please log in to continue.")
	f.mailed(catcher, "rahim@example.com", "Your password was changed")
}

// While the mail server is down no mail is lost: the link that arrives later works.
func TestForgotPassword_mail_server_down(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	catcher, err := localstack.StartMail(context.WithoutCancel(t.Context()), f.clock.Now)
	require.NoError(t, err)
	f.smtpURL = catcher.URL()
	require.NoError(t, catcher.Stop())
	f.work(jobs.QueueMail)
	b := f.member("rahim")
	b.post("/auth/forgot-password", fields{"email": "rahim@example.com"}).want(200)
	require.Eventually(t, func() bool {
		var retried int
		require.NoError(t, f.owner.QueryRow(t.Context(), `
			select count(*) from river.river_job where kind = 'account_mail' and cardinality(errors) > 0`).Scan(&retried))
		return retried == 2
	}, 20*time.Second, 20*time.Millisecond)

	catcher, err = localstack.StartMailAt(context.WithoutCancel(t.Context()), strings.TrimPrefix(f.smtpURL, "smtp://"), f.clock.Now)
	require.NoError(t, err)
	t.Cleanup(func() { _ = catcher.Stop() })
	token := f.linkToken(f.mailed(catcher, "rahim@example.com", "Choose a new password"), "/reset-password")
	b.post("/auth/reset-password", fields{"password": "another1", "token": token}).want(200)
	f.mailed(catcher, "rahim@example.com", "Please verify your email.")
}

func TestSecurityLog_events_without_secrets(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	catcher := f.catchMail()
	b := f.member("rahim")
	signedUp := b.cookies()
	b.post("/auth/login", fields{"username": "rahim", "password": "wrong-secret"}).want(401)
	b.post("/auth/login", fields{"username": "my-password-by-mistake", "password": "wrong-secret"}).want(401)
	b.post("/auth/forgot-password", fields{"email": "rahim@example.com"}).want(200)
	token := f.linkToken(f.mailed(catcher, "rahim@example.com", "Choose a new password"), "/reset-password")
	b.post("/auth/reset-password", fields{"password": "another-secret", "token": token}).want(200)
	b.post("/auth/login", fields{"username": "rahim", "password": "another-secret"}).want(200)
	b.get("/admin/bug-reports").want(403)
	b.post("/auth/change-password", fields{"currentPassword": "another-secret", "newPassword": "third-secret"}).want(200)
	b.post("/mail/unsubscribe?token=unsubscribe-secret", nil).want(400)
	b.do(http.MethodGet, "/mail/unsubscribe?token=unsubscribe-secret", nil)
	inUse := b.cookies()
	b.post("/auth/logout", nil).want(200)

	log := f.log.String()
	for _, event := range []string{
		"account opened", "login failed", "password reset asked for", "password reset", "login succeeded", "admin denied", "password changed",
		"session ended",
	} {
		require.Regexp(t, `"msg":"security"[^\n]*"event":"`+event+`","request_id":"[^"]+","address":"127.0.0.1"`, log)
	}
	require.Regexp(t, `"event":"login failed"[^\n]*"user_id":"`+b.user.ID.String(), log)
	secrets := []string{
		password, "wrong-secret", "another-secret", "third-secret", "unsubscribe-secret", "my-password-by-mistake", token, "rahim@example.com",
	}
	for _, secret := range append(secrets, append(signedUp, inUse...)...) {
		require.NotEmpty(t, secret)
		require.NotContains(t, log, secret)
	}
}
