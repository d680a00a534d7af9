package accounts

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/platform/fault"
	"amanat/internal/platform/ratelimit"
)

func TestSpellingsOfOneMailbox(t *testing.T) {
	t.Parallel()
	for email, want := range map[string][2]string{
		" Rahim@Example.COM ":    {"rahim@example.com", "example.com"},
		"rahim+1@example.com":    {"rahim@example.com", "example.com"},
		"rahim+1+2@example.com":  {"rahim@example.com", "example.com"},
		"ra.him@example.com":     {"ra.him@example.com", "example.com"},
		"R.a.him+shop@gmail.com": {"rahim@gmail.com", "gmail.com"},
		"ra.him@googlemail.com":  {"rahim@gmail.com", "gmail.com"},
		"+rahim@example.com":     {"+rahim@example.com", "example.com"},
		"নুসরাত@উদাহরণ.বাংলা":          {"নুসরাত@উদাহরণ.বাংলা", "উদাহরণ.বাংলা"},
		"rahim+shop@mail.example.com.": {"rahim@mail.example.com.", "mail.example.com."},
		"nobody":                       {"nobody", ""},
	} {
		mailbox, domain := mailboxOf(email)
		require.Equal(t, want, [2]string{mailbox, domain}, email)
	}
}

func TestWhoIsNew(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		verified bool
		age      time.Duration
		isNew    bool
	}{{false, 48 * time.Hour, true}, {true, 23 * time.Hour, true}, {false, time.Hour, true}, {true, 24 * time.Hour, false}} {
		require.Equal(t, test.isNew, User{IsVerified: test.verified, CreatedAt: now.Add(-test.age)}.IsNew(now), "%+v", test)
	}
}

// limited is setup with limits of its own.
func limited(t *testing.T, limits Limits) fixture {
	t.Helper()
	f := newFixture(t)
	f.limits = limits
	return f
}

// verifications counts the letters with a link that verifies an address.
func (f fixture) verifications(t *testing.T) (n int) {
	t.Helper()
	require.NoError(t, f.owner.QueryRow(t.Context(),
		`select count(*) from river.river_job where args->>'letter' = 'verify_email'`).Scan(&n))
	return n
}

// Whoever opens accounts for spellings of somebody's address fills no mailbox, and keeps nobody from an account.
func TestOneMailboxGetsSoManyLetters(t *testing.T) {
	t.Parallel()
	f := limited(t, Limits{Mailbox: ratelimit.Rate{Count: 3, Per: 24 * time.Hour}})
	open := func(name, email string) (SignedIn, error) {
		return f.Signup(t.Context(), SignupInput{Username: name, Email: email, Password: "river-stone"}, Client{})
	}
	first, err := open("first", "victim@gmail.com")
	require.NoError(t, err)
	for range 10 { // taken: nobody is mailed, so nothing counts
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
	require.Equal(t, 3, f.verifications(t), "an account, and no letter")
	err = f.ResendVerification(t.Context(), first.User)
	requireFault(t, err, fault.RateLimited, "Too many attempts. Please try again later.")
	require.Equal(t, 8*time.Hour, fault.As(err).RetryAfter.Round(time.Hour))
	_, err = open("other", "other@gmail.com")
	require.NoError(t, err)
	require.Equal(t, 4, f.verifications(t), "other mailboxes are not concerned")
	f.clock.Advance(8 * time.Hour)
	require.NoError(t, f.ResendVerification(t.Context(), third.User))
	require.Equal(t, 5, f.verifications(t))
}

func TestOneDomainGetsSoManyLetters(t *testing.T) {
	t.Parallel()
	f := limited(t, Limits{MailDomain: ratelimit.Rate{Count: 4, Per: time.Hour}})
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
		require.NoError(t, err, "nobody is kept from an account by its domain")
	}
	elsewhere := input("elsewhere")
	elsewhere.Email = "elsewhere@example.org"
	_, err = f.Signup(t.Context(), elsewhere, Client{})
	require.NoError(t, err)
	require.Equal(t, 5, f.verifications(t))
}

func TestResetsCountByMailboxAndAddress(t *testing.T) {
	t.Parallel()
	f := limited(t, Limits{ResetMailbox: ratelimit.Rate{Count: 2, Per: time.Hour}, ResetAddress: ratelimit.Rate{Count: 3, Per: time.Hour}})
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
	for range 20 { // nobody is mailed
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

func TestResetsOfNobodyCountByAddress(t *testing.T) {
	t.Parallel()
	f := limited(t, Limits{ResetUnknown: ratelimit.Rate{Count: 3, Per: time.Hour}})
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
	require.Empty(t, ask("rahim@example.com", client), "who has an account is not concerned")
	require.Equal(t, fault.NotFound, ask("nobody@example.com", Client{Address: "198.51.100.2"}))
}

func TestSignupsCountByAddress(t *testing.T) {
	t.Parallel()
	f := limited(t, Limits{SignupAddress: ratelimit.Rate{Count: 2, Per: time.Hour}})
	client := Client{Address: "198.51.100.1"}
	open := func(in SignupInput, client Client) fault.Code {
		_, err := f.Signup(t.Context(), in, client)
		return fault.CodeOf(err)
	}
	for range 20 {
		require.Equal(t, fault.Invalid, open(SignupInput{}, client), "nobody is shut out by nonsense")
	}
	require.Empty(t, open(input("rahim"), client))
	require.Equal(t, fault.Duplicate, open(input("rahim"), client), "a password was hashed for it")
	require.Equal(t, fault.RateLimited, open(input("karim"), client))
	require.Empty(t, open(input("karim"), Client{Address: "198.51.100.2"}))
}
