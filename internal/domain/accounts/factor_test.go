package accounts

import (
	"encoding/base32"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/totp"
)

// withApp signs up a user and turns the second factor on.
func (f fixture) withApp(t *testing.T, username string) (User, totp.Secret, []string) {
	t.Helper()
	user, token := f.signup(t, username)
	fresh, err := f.BeginTOTP(t.Context(), user)
	require.NoError(t, err)
	secret, err := base32.StdEncoding.DecodeString(fresh.Secret)
	require.NoError(t, err)
	_, session, err := f.Authenticate(t.Context(), token)
	require.NoError(t, err)
	codes, err := f.ConfirmTOTP(t.Context(), user, session, totp.Secret(secret).Code(totp.Step(f.clock.Now())))
	require.NoError(t, err)
	user, _, err = f.Authenticate(t.Context(), token)
	require.NoError(t, err)
	require.True(t, user.SecondFactor)
	return user, secret, codes
}

// challenges enters the password and returns the token of the challenge.
func (f fixture) challenges(t *testing.T, username string) Token {
	t.Helper()
	waiting, err := f.Login(t.Context(), LoginInput{Username: username, Password: "river-stone"}, Client{})
	require.Equal(t, fault.SecondFactorRequired, fault.CodeOf(err))
	require.Empty(t, waiting.Session)
	return waiting.Challenge
}

// Of several logins with one code, one succeeds.
func TestLoginWithCode_concurrent_use_of_one_code(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, secret, codes := f.withApp(t, "rahim")
	f.clock.Advance(totp.Period)
	for _, test := range []struct{ name, code, reason string }{
		{"app", secret.Code(totp.Step(f.clock.Now())), reasonCodeUsed},
		{"backup code", codes[0], reasonBackupCodeUsed},
	} {
		const logins = 6
		errs := make([]error, logins)
		var wait sync.WaitGroup
		for i := range logins {
			step := SecondStep{Challenge: f.challenges(t, "rahim"), Proof: Proof{Code: test.code}}
			wait.Go(func() { _, errs[i] = f.LoginWithCode(t.Context(), step, Client{}) })
		}
		wait.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
				continue
			}
			require.Equal(t, test.reason, fault.As(err).Reason, test.name)
		}
		require.Equal(t, 1, won, test.name)
	}
}

// Of two right codes for one challenge, one opens a session.
func TestLoginWithCode_concurrent_use_of_one_challenge(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, _, codes := f.withApp(t, "rahim")
	challenge := f.challenges(t, "rahim")
	errs := make([]error, 3)
	var wait sync.WaitGroup
	for i := range errs {
		wait.Go(func() {
			_, errs[i] = f.LoginWithCode(t.Context(), SecondStep{Challenge: challenge, Proof: Proof{Code: codes[i]}}, Client{})
		})
	}
	wait.Wait()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
			continue
		}
		require.Equal(t, fault.LoginExpired, fault.CodeOf(err))
	}
	require.Equal(t, 1, won)
	var left int
	require.NoError(t, f.owner.QueryRow(t.Context(), "select count(*) from backup_codes where used_at is null").Scan(&left))
	require.Equal(t, 9, left, "codes of the others are not used up")
}

// Concurrent guesses at one challenge are five at most.
func TestLoginWithCode_concurrent_guesses(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, secret, _ := f.withApp(t, "rahim")
	challenge := f.challenges(t, "rahim")
	wrong := secret.Code(totp.Step(f.clock.Now()) + 9)
	errs := make([]error, 12)
	var wait sync.WaitGroup
	for i := range errs {
		wait.Go(func() {
			_, errs[i] = f.LoginWithCode(t.Context(), SecondStep{Challenge: challenge, Proof: Proof{Code: wrong}}, Client{})
		})
	}
	wait.Wait()
	compared := 0
	for _, err := range errs {
		if fault.CodeOf(err) == fault.Invalid {
			compared++
		}
	}
	require.Equal(t, maxAttempts, compared)
}

func TestNormalCode(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		" 123 456 ": "123456", "১২৩-৪৫৬": "123456", "abcde–fgh1k": "ABCDEFGH1K", "oil00-00000": "0110000000", "": "",
	} {
		require.Equal(t, want, normalCode(typed), typed)
	}
}

func TestResetSecondFactor(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user, _, _ := f.withApp(t, "rahim")
	f.challenges(t, "rahim")
	_, err := f.ResetSecondFactor(t.Context(), "rahim")
	require.ErrorContains(t, err, "permission denied", "the api's login cannot reset it")
	operator := New(Options{DB: f.owner, Clock: f.clock, Jobs: f.jobs, Notices: f.notices})
	reset, err := operator.ResetSecondFactor(t.Context(), "RAHIM")
	require.NoError(t, err)
	require.False(t, reset.SecondFactor)

	var subject string
	require.NoError(t, f.owner.QueryRow(t.Context(), "select subject from audit_log where action = 'user.reset_second_factor'").Scan(&subject))
	require.Equal(t, "user:"+user.ID.String(), subject)
	var left, mails int
	require.NoError(t, f.owner.QueryRow(t.Context(), `
		select (select count(*) from totp_secrets) + (select count(*) from backup_codes) + (select count(*) from login_challenges)
		     + (select count(*) from sessions)`).Scan(&left))
	require.Zero(t, left)
	require.NoError(t, f.owner.QueryRow(t.Context(),
		`select count(*) from river.river_job where args->>'mail_kind' = 'factor_reset'`).Scan(&mails))
	require.Equal(t, 1, mails)
	require.Contains(t, f.notices.of(user.ID), catalog.FactorReset)
	var resetAt time.Time
	require.NoError(t, f.owner.QueryRow(t.Context(), "select second_factor_reset_at from users").Scan(&resetAt))
	require.WithinDuration(t, f.clock.Now(), resetAt, time.Second)

	opened, err := f.Login(t.Context(), LoginInput{Username: "rahim", Password: "river-stone"}, Client{})
	require.NoError(t, err)
	require.NotEmpty(t, opened.Session)
	_, err = operator.ResetSecondFactor(t.Context(), "rahim")
	requireFault(t, err, fault.Conflict, "Two-step login is not turned on.")
	_, err = operator.ResetSecondFactor(t.Context(), "nobody")
	requireFault(t, err, fault.NotFound, "User not found")
}

func TestRemoveExpiredChallenges(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.withApp(t, "rahim")
	f.challenges(t, "rahim")
	_, err := f.owner.Exec(t.Context(), `
		insert into passkey_ceremonies (session_id, purpose, ceremony, expires_at) select id, 'confirm', '{}', $1 from sessions`,
		f.clock.Now().Add(ceremonyLife))
	require.NoError(t, err)
	cleaner := &Cleaner{DB: f.jobDB, Clock: f.clock, SessionClock: f.clock}
	removed, err := cleaner.RemoveExpiredChallenges(t.Context())
	require.NoError(t, err)
	require.Zero(t, removed)
	f.clock.Advance(ChallengeLife)
	waiting := f.challenges(t, "rahim")
	removed, err = cleaner.RemoveExpiredChallenges(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, removed)
	_, err = f.challenged(t.Context(), waiting)
	require.NoError(t, err)
}

// The worker cannot read what a second factor is checked against.
func TestSecondFactor_hidden_from_worker(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, table := range []string{"totp_secrets", "backup_codes", "passkeys", "login_challenges", "passkey_ceremonies"} {
		_, err := f.jobDB.Exec(t.Context(), "select * from "+table)
		require.ErrorContains(t, err, "permission denied", table)
	}
}

// Sockets of admins who lack the second factor get no frames for admins.
func TestLivingSessions_admin_without_second_factor(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, token := f.signup(t, "boss")
	_, err := New(Options{DB: f.owner, Clock: f.clock}).GrantAdmin(t.Context(), "boss", "")
	require.NoError(t, err)
	user, session, err := f.Authenticate(t.Context(), token)
	require.NoError(t, err)
	for required, wanted := range map[bool]bool{false: true, true: false} {
		f.factorForAdmins = required
		living, err := f.LivingSessions(t.Context(), []uuid.UUID{session.ID})
		require.NoError(t, err)
		require.Equal(t, wanted, living[session.ID])
		require.Equal(t, wanted, f.ActsAsAdmin(user))
	}
}
