package accounts

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/ratelimit"
)

func TestMailboxOf(t *testing.T) {
	t.Parallel()
	for email, want := range map[string][2]string{
		" Rahim@Example.COM ":          {"rahim@example.com", "example.com"},
		"rahim+1@example.com":          {"rahim@example.com", "example.com"},
		"rahim+1+2@example.com":        {"rahim@example.com", "example.com"},
		"ra.him@example.com":           {"ra.him@example.com", "example.com"},
		"R.a.him+shop@gmail.com":       {"rahim@gmail.com", "gmail.com"},
		"ra.him@googlemail.com":        {"rahim@gmail.com", "gmail.com"},
		"+rahim@example.com":           {"+rahim@example.com", "example.com"},
		"nusrat@উদাহরণ.বাংলা":          {"nusrat@xn--d5b6ci4b4b3a.xn--54b7fta0cc", "xn--d5b6ci4b4b3a.xn--54b7fta0cc"},
		"rahim+shop@mail.example.com.": {"rahim@mail.example.com.", "mail.example.com."},
		"nobody":                       {"nobody", ""},
	} {
		t.Run(email, func(t *testing.T) {
			t.Parallel()
			mailbox, domain := mailboxOf(email)
			require.Equal(t, want, [2]string{mailbox, domain})
		})
	}
}

func TestIsNew(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		age   time.Duration
		isNew bool
	}{
		"almost a day": {24*time.Hour - 1, true},
		"a day":        {24 * time.Hour, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.isNew, User{CreatedAt: now.Add(-test.age)}.IsNew(now))
		})
	}
}

// newLimitedFixture is newFixture with the given limits.
func newLimitedFixture(t *testing.T, limits Limits) fixture {
	t.Helper()
	f := newFixture(t)
	f.limits = limits
	return f
}

// verifications counts the queued verification emails.
func (f fixture) verifications(t *testing.T) (n int) {
	t.Helper()
	require.NoError(t, f.owner.QueryRow(t.Context(),
		`select count(*) from river.river_job where args->>'letter' = 'verify_email'`).Scan(&n))
	return n
}

// Accounts created for spellings of another user's address cannot flood the mailbox, nor keep the
// owner from creating an account.
func TestSignup_mailbox_limit(t *testing.T) {
	t.Parallel()
	f := newLimitedFixture(t, Limits{Mailbox: ratelimit.Rate{Count: 3, Per: 24 * time.Hour}})
	open := func(name, email string) (SignedIn, error) {
		return f.Signup(t.Context(), SignupInput{Username: name, Email: email, Password: "river-stone"}, Client{})
	}
	first, err := open("first", "victim@gmail.com")
	require.NoError(t, err)
	for range 10 { // taken: no email is sent, so nothing counts
		_, err = open("again", "VICTIM@gmail.com")
		require.Equal(t, fault.Duplicate, fault.CodeOf(err))
	}
	_, err = open("second", "vic.tim+2@googlemail.com")
	require.NoError(t, err)
	require.NoError(t, f.ResendVerification(t.Context(), first.User))
	require.Equal(t, 3, f.verifications(t))
	third, err := open("third", "victim+3@gmail.com")
	require.NoError(t, err)
	require.NotEmpty(t, third.Session)
	_, err = open("third", "victim+4@gmail.com")
	require.Equal(t, fault.Duplicate, fault.CodeOf(err))
	require.Equal(t, 3, f.verifications(t), "an account, but no email")
	err = f.ResendVerification(t.Context(), first.User)
	requireFault(t, err, fault.RateLimited, "Too many attempts. Please try again later.")
	require.Equal(t, 8*time.Hour, fault.As(err).RetryAfter.Round(time.Hour))
	_, err = open("other", "other@gmail.com")
	require.NoError(t, err)
	require.Equal(t, 4, f.verifications(t), "other mailboxes are not affected")
	f.clock.Advance(8 * time.Hour)
	require.NoError(t, f.ResendVerification(t.Context(), third.User))
	require.Equal(t, 5, f.verifications(t))
}

func TestSignup_mail_domain_limit(t *testing.T) {
	t.Parallel()
	f := newLimitedFixture(t, Limits{MailDomain: ratelimit.Rate{Count: 4, Per: time.Hour}})
	first, _ := f.signup(t, "first")
	f.signup(t, "second")
	require.NoError(t, f.ResendVerification(t.Context(), first))
	require.NoError(t, f.ResendVerification(t.Context(), first))
	_, err := f.Signup(t.Context(), input("third"), Client{})
	require.NoError(t, err)
	require.Equal(t, 4, f.verifications(t))
	requireFault(t, f.ResendVerification(t.Context(), first), fault.RateLimited, "Too many attempts. Please try again later.")
	for range 10 {
		_, err = f.RequestReset(t.Context(), "first@example.com", Client{})
		require.NoError(t, err, "resets have no limit per domain")
	}
	elsewhere := input("elsewhere")
	elsewhere.Email = "elsewhere@example.org"
	_, err = f.Signup(t.Context(), elsewhere, Client{})
	require.NoError(t, err)
	require.Equal(t, 5, f.verifications(t))
}

func TestRequestReset_mailbox_and_address_limits(t *testing.T) {
	t.Parallel()
	f := newLimitedFixture(t, Limits{
		ResetMailbox: ratelimit.Rate{Count: 2, Per: time.Hour},
		ResetAddress: ratelimit.Rate{Count: 3, Per: time.Hour},
	})
	for i := range 4 {
		in := input(fmt.Sprintf("user%d", i))
		in.Email = fmt.Sprintf("user+%d@example.com", i)
		if i > 1 {
			in.Email = in.Username + "@example.com"
		}
		_, err := f.Signup(t.Context(), in, Client{})
		require.NoError(t, err)
	}
	client := Client{Address: "198.51.100.1"}
	ask := func(email string, client Client) fault.Code {
		_, err := f.RequestReset(t.Context(), email, client)
		return fault.CodeOf(err)
	}
	for range 20 { // no email is sent
		require.Equal(t, fault.Invalid, ask("", client))
		require.Equal(t, fault.NotFound, ask("nobody@example.com", client))
	}
	require.Empty(t, ask("user+0@example.com", client))
	require.Empty(t, ask("user+1@example.com", client))
	require.Equal(t, fault.RateLimited, ask("user+1@example.com", client), "the mailbox")
	require.Empty(t, ask("user2@example.com", client))
	require.Equal(t, fault.RateLimited, ask("user3@example.com", client), "the address")
	require.Empty(t, ask("user3@example.com", Client{Address: "198.51.100.2"}))
}

func TestRequestReset_unknown_address_limit(t *testing.T) {
	t.Parallel()
	f := newLimitedFixture(t, Limits{ResetUnknown: ratelimit.Rate{Count: 3, Per: time.Hour}})
	f.signup(t, "rahim")
	client := Client{Address: "198.51.100.1"}
	ask := func(email string, client Client) fault.Code {
		_, err := f.RequestReset(t.Context(), email, client)
		return fault.CodeOf(err)
	}
	for range 3 {
		require.Equal(t, fault.NotFound, ask("nobody@example.com", client))
	}
	require.Equal(t, fault.RateLimited, ask("nobody@example.com", client))
	require.Empty(t, ask("rahim@example.com", client), "known addresses are not affected")
	require.Equal(t, fault.NotFound, ask("nobody@example.com", Client{Address: "198.51.100.2"}))
}

func TestSignup_address_limit(t *testing.T) {
	t.Parallel()
	f := newLimitedFixture(t, Limits{SignupAddress: ratelimit.Rate{Count: 2, Per: time.Hour}})
	client := Client{Address: "198.51.100.1"}
	open := func(in SignupInput, client Client) fault.Code {
		_, err := f.Signup(t.Context(), in, client)
		return fault.CodeOf(err)
	}
	for range 20 {
		require.Equal(t, fault.Invalid, open(SignupInput{}, client), "invalid input does not count")
	}
	require.Empty(t, open(input("rahim"), client))
	require.Equal(t, fault.Duplicate, open(input("rahim"), client), "a password was hashed for it")
	require.Equal(t, fault.RateLimited, open(input("karim"), client))
	require.Empty(t, open(input("karim"), Client{Address: "198.51.100.2"}))
}
