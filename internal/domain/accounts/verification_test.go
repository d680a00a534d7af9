package accounts

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/platform/fault"
	"amanat/internal/queue/jobs"
)

func TestSignupIsMailedALinkInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := input("rahim")
	in.Language = "bn"
	opened, err := b.Signup(t.Context(), in, Client{})
	require.NoError(t, err)
	user := opened.User
	require.Equal(t, "bn", user.Language)
	require.Equal(t, []string{jobs.LetterVerifyEmail}, b.letters(t, user.ID))

	box := &outbox{}
	send := func() {
		require.NoError(t, b.worker(box).SendLetter(t.Context(), jobs.AccountMail{UserID: user.ID, Letter: jobs.LetterVerifyEmail}))
	}
	send()
	require.Equal(t, "আপনার ইমেইল যাচাই করুন।", box.sent[0].Subject)
	require.Contains(t, box.sent[0].HTML, "rahim")
	token := tokenIn(t, box.sent[0], "/verify-email")
	_, _, err = b.ResetPassword(t.Context(), ResetInput{Password: "another1", Token: token})
	requireFault(t, err, fault.Invalid, "Invalid or missing token")

	b.clock.Advance(24*time.Hour - time.Minute)
	verified, err := b.VerifyEmail(t.Context(), token)
	require.NoError(t, err)
	require.Equal(t, user.ID, verified)
	_, err = b.VerifyEmail(t.Context(), token)
	requireFault(t, err, fault.Invalid, "Invalid or missing token")
	signedIn, err := b.login(t, "rahim", "river-stone", "192.0.2.1", "")
	require.NoError(t, err)
	require.True(t, signedIn.User.IsVerified)
	requireFault(t, b.ResendVerification(t.Context(), signedIn.User), fault.Conflict, "Your email is already verified.")
	send()
	require.Len(t, box.sent, 1, "a letter that has waited until it was of no use is not sent")
}

func TestALinkIsMailedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	user, _ := b.signup(t, "rahim")
	old := b.mailedToken(t, user.ID, forVerify)
	b.clock.Advance(24 * time.Hour)
	_, err := b.VerifyEmail(t.Context(), old)
	requireFault(t, err, fault.Invalid, "Invalid or missing token")
	require.NoError(t, b.ResendVerification(t.Context(), user))
	require.Len(t, b.letters(t, user.ID), 2)
}

func TestARefusedSignupMailsNobody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.signup(t, "rahim")
	_, err := b.Signup(t.Context(), input("rahim"), Client{})
	requireFault(t, err, fault.Duplicate, "Username is already taken.")
	var queued int
	require.NoError(t, b.owner.QueryRow(t.Context(), "select count(*) from river.river_job where kind = 'account_mail'").Scan(&queued))
	require.Equal(t, 1, queued)
}

func TestSettings(t *testing.T) {
	t.Parallel()
	b := setup(t)
	user, _ := b.signup(t, "rahim")
	require.True(t, user.MailNotices)
	changed, err := b.SetLanguage(t.Context(), user.ID, "bn")
	require.NoError(t, err)
	require.Equal(t, "bn", changed.Language)
	_, err = b.SetLanguage(t.Context(), user.ID, "fr")
	requireFault(t, err, fault.Invalid, "Language must be en or bn.")

	changed, err = b.SetMailNotices(t.Context(), user.ID, false)
	require.NoError(t, err)
	require.False(t, changed.MailNotices)
	changed, err = b.SetMailNotices(t.Context(), user.ID, true)
	require.NoError(t, err)
	require.True(t, changed.MailNotices)

	var token uuid.UUID
	require.NoError(t, b.owner.QueryRow(t.Context(), "select unsubscribe_token from users").Scan(&token))
	for range 2 {
		require.NoError(t, b.Unsubscribe(t.Context(), token.String()))
	}
	var wanted bool
	require.NoError(t, b.owner.QueryRow(t.Context(), "select mail_notices from users").Scan(&wanted))
	require.False(t, wanted)
	for _, wrong := range []string{"", "nonsense", uuid.NewString(), user.ID.String()} {
		requireFault(t, b.Unsubscribe(t.Context(), wrong), fault.Invalid, "Invalid or missing token")
	}
}

func TestSessionsAreOnesOwn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	user, token := b.signup(t, "rahim")
	stranger, _ := b.signup(t, "karim")
	_, err := b.Login(t.Context(), LoginInput{Username: "rahim", Password: "river-stone"}, Client{UserAgent: "phone", Address: "192.0.2.7"})
	require.NoError(t, err)
	list, err := b.Sessions(t.Context(), user.ID)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, "phone", list[0].UserAgent)
	require.Equal(t, "192.0.2.7", list[0].Address)

	requireFault(t, b.EndSession(t.Context(), stranger.ID, list[1].ID), fault.NotFound, "Session not found.")
	require.NoError(t, b.EndSession(t.Context(), user.ID, list[1].ID))
	requireSignedOut(t, b, token)
	requireFault(t, b.EndSession(t.Context(), user.ID, list[1].ID), fault.NotFound, "Session not found.")

	b.clock.Advance(24 * time.Hour)
	list, err = b.Sessions(t.Context(), user.ID)
	require.NoError(t, err)
	require.Empty(t, list)
}
