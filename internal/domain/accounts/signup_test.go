package accounts

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
)

func TestVerifyEmail(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	in := input("rahim")
	in.Language = "bn"
	opened, err := f.Signup(t.Context(), in, Client{})
	require.NoError(t, err)
	user := opened.User
	require.Equal(t, "bn", user.Language)
	require.Equal(t, []catalog.Kind{catalog.MailVerify}, f.queuedMails(t, user.ID))

	box := &outbox{}
	send := func() {
		require.NoError(t, f.worker(box).Send(t.Context(), user.ID, catalog.MailVerify, nil))
	}
	send()
	require.Equal(t, "আপনার ইমেইল যাচাই করুন।", box.sent[0].Subject)
	require.Contains(t, box.sent[0].HTML, "rahim")
	token := tokenIn(t, box.sent[0], "/verify-email")
	_, _, err = f.ResetPassword(t.Context(), ResetInput{Password: "another1", Token: token})
	requireFault(t, err, fault.Invalid, "Invalid or missing token")

	f.clock.Advance(24*time.Hour - time.Minute)
	verified, err := f.VerifyEmail(t.Context(), token)
	require.NoError(t, err)
	require.Equal(t, user.ID, verified)
	_, err = f.VerifyEmail(t.Context(), token)
	requireFault(t, err, fault.Invalid, "Invalid or missing token")
	signedIn, err := f.login(t, "rahim", "river-stone", "192.0.2.1", "")
	require.NoError(t, err)
	require.True(t, signedIn.User.IsVerified)
	requireFault(t, f.ResendVerification(t.Context(), signedIn.User), fault.Conflict, "Your email is already verified.")
	send()
	require.Len(t, box.sent, 1, "not sent once the address is verified")
}

func TestResendVerification(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user, _ := f.signup(t, "rahim")
	old := f.mailedToken(t, user.ID, forVerify)
	f.clock.Advance(24 * time.Hour)
	_, err := f.VerifyEmail(t.Context(), old)
	requireFault(t, err, fault.Invalid, "Invalid or missing token")
	require.NoError(t, f.ResendVerification(t.Context(), user))
	require.Len(t, f.queuedMails(t, user.ID), 2)
}

func TestSignup_refused_sends_no_mail(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.signup(t, "rahim")
	_, err := f.Signup(t.Context(), input("rahim"), Client{})
	requireFault(t, err, fault.Duplicate, "Username is already taken.")
	var queued int
	require.NoError(t, f.owner.QueryRow(t.Context(), "select count(*) from river.river_job where kind = 'mail'").Scan(&queued))
	require.Equal(t, 1, queued)
}

func TestSettings(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user, _ := f.signup(t, "rahim")
	require.True(t, user.MailNotices)
	changed, err := f.SetLanguage(t.Context(), user.ID, "bn")
	require.NoError(t, err)
	require.Equal(t, "bn", changed.Language)
	_, err = f.SetLanguage(t.Context(), user.ID, "fr")
	requireFault(t, err, fault.Invalid, "Language must be en or bn.")

	changed, err = f.SetMailNotices(t.Context(), user.ID, false)
	require.NoError(t, err)
	require.False(t, changed.MailNotices)
	changed, err = f.SetMailNotices(t.Context(), user.ID, true)
	require.NoError(t, err)
	require.True(t, changed.MailNotices)

	var token uuid.UUID
	require.NoError(t, f.owner.QueryRow(t.Context(), "select unsubscribe_token from users").Scan(&token))
	for range 2 {
		require.NoError(t, f.Unsubscribe(t.Context(), token.String()))
	}
	var wanted bool
	require.NoError(t, f.owner.QueryRow(t.Context(), "select mail_notices from users").Scan(&wanted))
	require.False(t, wanted)
	for _, wrong := range []string{"", "nonsense", uuid.NewString(), user.ID.String()} {
		requireFault(t, f.Unsubscribe(t.Context(), wrong), fault.Invalid, "Invalid or missing token")
	}
}

func TestSessions(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user, token := f.signup(t, "rahim")
	stranger, _ := f.signup(t, "karim")
	_, err := f.Login(t.Context(), LoginInput{Username: "rahim", Password: "river-stone"}, Client{UserAgent: "phone", Address: "192.0.2.7"})
	require.NoError(t, err)
	list, err := f.Sessions(t.Context(), user.ID)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, "phone", list[0].UserAgent)
	require.Equal(t, "192.0.2.7", list[0].Address)

	requireFault(t, f.EndSession(t.Context(), stranger.ID, list[1].ID), fault.NotFound, "Session not found.")
	require.NoError(t, f.EndSession(t.Context(), user.ID, list[1].ID))
	requireSignedOut(t, f, token)
	requireFault(t, f.EndSession(t.Context(), user.ID, list[1].ID), fault.NotFound, "Session not found.")

	f.clock.Advance(24 * time.Hour)
	list, err = f.Sessions(t.Context(), user.ID)
	require.NoError(t, err)
	require.Empty(t, list)
}
