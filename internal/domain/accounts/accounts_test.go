package accounts

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/ratelimit"
	"amanat/internal/testing/dbtest"
	"amanat/queue/jobs"
)

type fixture struct {
	*Service
	clock   *clock.Offset
	owner   *pgxpool.Pool // to inspect and change rows directly
	jobDB   *pgxpool.Pool // with the worker's privileges
	notices *recorder
}

// recorder records the notifications of each user.
type recorder struct {
	mu       sync.Mutex
	notified map[uuid.UUID][]catalog.Kind
}

func (r *recorder) Notify(_ context.Context, _ *postgres.Tx, userID uuid.UUID, kind catalog.Kind, _ catalog.Params, _ string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.notified[userID] = append(r.notified[userID], kind)
	return nil
}

func (r *recorder) of(userID uuid.UUID) []catalog.Kind {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.notified[userID]
}

// newFixture returns a service with the api's database privileges.
func newFixture(t *testing.T) fixture {
	t.Helper()
	db := dbtest.New(t)
	offset := clock.NewOffset(0)
	inserter, err := jobs.NewInserter(db.API(), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	notices := &recorder{notified: map[uuid.UUID][]catalog.Kind{}}
	service := New(Options{DB: db.API(), Clock: offset, Jobs: inserter, Limits: limits, Notices: notices})
	return fixture{service, offset, db.Owner(), db.Worker(), notices}
}

var limits = Limits{
	LoginAccount: ratelimit.Rate{Count: 5, Per: 15 * time.Minute},
	LoginBrowser: ratelimit.Rate{Count: 5, Per: 15 * time.Minute},
	LoginAddress: ratelimit.Rate{Count: 30, Per: 15 * time.Minute},
	Password:     ratelimit.Rate{Count: 5, Per: 15 * time.Minute},
	ResetMailbox: ratelimit.Rate{Count: 3, Per: time.Hour},
}

func (f fixture) signup(t *testing.T, username string) (User, Token) {
	t.Helper()
	opened, err := f.Signup(t.Context(), input(username), Client{})
	require.NoError(t, err)
	return opened.User, opened.Session
}

func input(username string) SignupInput {
	return SignupInput{Username: username, Email: username + "@example.com", Password: "river-stone"}
}

func requireFault(t *testing.T, err error, code fault.Code, message string) {
	t.Helper()
	f := fault.As(err)
	require.NotNil(t, f, "want a fault, got %v", err)
	require.Equal(t, code, f.Code)
	require.Equal(t, message, f.Message)
}

func TestSignup_invalid(t *testing.T) {
	t.Parallel()
	service := New(Options{Clock: clock.System{}}) // refused before anything is stored
	const long = "12345678901234567890123456789012345678901"
	for _, test := range []struct {
		name, field, message string
		in                   SignupInput
	}{
		{"nothing", "username", "Username is required.", SignupInput{}},
		{"only spaces and dots", "username", "Username is required.", SignupInput{Username: " . ..\t"}},
		{"no email", "email", "Email is required.", SignupInput{Username: "rahim"}},
		{"blank email", "email", "Email is required.", SignupInput{Username: "rahim", Email: "  ", Password: "x"}},
		{"no at sign", "email", "Invalid email", SignupInput{Username: "rahim", Email: "rahim.example.com"}},
		{"no dot", "email", "Invalid email", SignupInput{Username: "rahim", Email: "rahim@example"}},
		{"control character", "email", "Invalid email", SignupInput{Username: "rahim", Email: "ra\x00him@example.com"}},
		{"no password", "password", "Password is required.", SignupInput{Username: "rahim", Email: "r@e.com"}},
		{
			"short password", "password", "Password must be at least 6 characters",
			SignupInput{Username: "rahim", Email: "r@e.com", Password: "12345"},
		},
		{
			"short password counts characters, not bytes", "password", "Password must be at least 6 characters",
			SignupInput{Username: "rahim", Email: "r@e.com", Password: "আমানত"},
		},
		{
			"missing fields come before malformed ones", "email", "Email is required.",
			SignupInput{Username: "ra/him", Password: "river-stone"},
		},
		{
			"characters of a username", "username", "Username may have up to 40 letters, digits, hyphens and underscores.",
			SignupInput{Username: "ra/him", Email: "r@e.com", Password: "river-stone"},
		},
		{
			"length of a username", "username", "Username may have up to 40 letters, digits, hyphens and underscores.",
			SignupInput{Username: long, Email: "r@e.com", Password: "river-stone"},
		},
		{
			"long password", "password", "Password must be at most 200 characters",
			SignupInput{Username: "rahim", Email: "r@e.com", Password: strings.Repeat("x", 201)},
		},
		{
			"language", "language", "Language must be en or bn.",
			SignupInput{Username: "rahim", Email: "r@e.com", Password: "river-stone", Language: "fr"},
		},
		{
			"reserved", "username", "This username cannot be used. Please choose another.",
			SignupInput{Username: "Sup.port", Email: "r@e.com", Password: "river-stone"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := service.Signup(t.Context(), test.in, Client{})
			requireFault(t, err, fault.Invalid, test.message)
			require.Equal(t, map[string]string{test.field: test.message}, fault.As(err).Fields)
		})
	}
}

func TestSignup(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	in := SignupInput{Username: "Ra. him", Email: " Rahim@Example.com ", Password: "river-stone", ReferredBy: "UNKNOWN1"}
	opened, err := f.Signup(t.Context(), in, Client{UserAgent: "test", Address: "192.0.2.1"})
	require.NoError(t, err)
	user := opened.User
	require.Equal(t, "Rahim", user.Username)
	require.Equal(t, "Rahim@example.com", user.Email)
	require.Equal(t, "en", user.Language)
	require.False(t, user.IsAdmin)
	require.False(t, user.IsVerified)
	require.Regexp(t, `^[2-9A-HJ-NP-Z]{8}$`, user.ReferralCode)

	seen, _, err := f.Authenticate(t.Context(), opened.Session)
	require.NoError(t, err)
	require.Equal(t, user, seen)

	t.Run("taken regardless of case", func(t *testing.T) {
		t.Parallel()
		_, err := f.Signup(t.Context(), SignupInput{Username: "rAHIM", Email: "other@example.com", Password: "river-stone"}, Client{})
		requireFault(t, err, fault.Duplicate, "Username is already taken.")
		_, err = f.Signup(t.Context(), SignupInput{Username: "other", Email: "rahim@EXAMPLE.com", Password: "river-stone"}, Client{})
		requireFault(t, err, fault.Duplicate, "Email is already registered.")
	})
	t.Run("referred", func(t *testing.T) {
		t.Parallel()
		in := input("karim")
		in.ReferredBy = strings.ToLower(user.ReferralCode)
		karim, err := f.Signup(t.Context(), in, Client{})
		require.NoError(t, err)
		var referrer uuid.UUID
		require.NoError(t, f.owner.QueryRow(t.Context(), "select referred_by from users where id = $1", karim.User.ID).Scan(&referrer))
		require.Equal(t, []catalog.Kind{catalog.FriendJoined}, f.notices.of(user.ID))
		require.Equal(t, user.ID, referrer)
	})
}

func TestSignup_stores_hashes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user, token := f.signup(t, "rahim")
	var passwordHash string
	var tokenHash []byte
	require.NoError(t, f.owner.QueryRow(t.Context(),
		"select u.password_hash, s.token_hash from users u join sessions s on s.user_id = u.id where u.id = $1", user.ID,
	).Scan(&passwordHash, &tokenHash))
	require.Regexp(t, `^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$`, passwordHash)
	require.NotContains(t, string(tokenHash), string(token))
	require.Len(t, string(token), 43, "256 bits")
}

func TestGrantAdmin(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, err := f.Create(t.Context(), input("admin"))
	require.NoError(t, err)
	_, err = f.GrantAdmin(t.Context(), "ADMIN", "")
	require.ErrorContains(t, err, "permission denied", "the api's login cannot grant the role")
	operator := New(Options{DB: f.owner, Clock: f.clock})
	user, err := operator.GrantAdmin(t.Context(), "ADMIN", "")
	require.NoError(t, err)
	require.True(t, user.IsAdmin)
	_, err = operator.GrantAdmin(t.Context(), "nobody", "")
	requireFault(t, err, fault.NotFound, "User not found")
	var subject string
	require.NoError(t, f.owner.QueryRow(t.Context(), "select subject from audit_log where action = 'user.grant_admin'").Scan(&subject))
	require.Equal(t, "user:"+user.ID.String(), subject)
}

func TestMarkVerified(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.signup(t, "rahim")
	user, err := f.MarkVerified(t.Context(), "RAHIM")
	require.NoError(t, err)
	require.True(t, user.IsVerified)
	_, err = f.MarkVerified(t.Context(), "nobody")
	requireFault(t, err, fault.NotFound, "User not found")
	var subject string
	require.NoError(t, f.owner.QueryRow(t.Context(), "select subject from audit_log where action = 'user.verify'").Scan(&subject))
	require.Equal(t, "user:"+user.ID.String(), subject)
}

func TestHasher(t *testing.T) {
	t.Parallel()
	h := newHasher(defaultHashCost)
	hash, err := h.hash(t.Context(), "", "river-stone")
	require.NoError(t, err)
	for password, want := range map[string]bool{"river-stone": true, "secret2": false, "": false} {
		matches, err := h.matches(t.Context(), "", password, hash)
		require.NoError(t, err)
		require.Equal(t, want, matches)
	}
	matches, err := h.matches(t.Context(), "", "", h.dummy)
	require.NoError(t, err)
	require.False(t, matches)
	for _, broken := range []string{"", "river-stone", "$argon2id$v=19$m=19456,t=2,p=1$x", "$argon2id$v=18$m=19456,t=2,p=1$AAAA$AAAA"} {
		_, err := h.matches(t.Context(), "", "river-stone", broken)
		require.ErrorIs(t, err, errHashFormat, broken)
	}
}

// Keyboards write the same letter in different ways.
func TestHasher_unicode_forms(t *testing.T) {
	t.Parallel()
	h := newHasher(HashCost{MemoryKiB: 64, Time: 1})
	const entered, nfc, nfd = "\u09dc\u09df-caf\u00e9", "\u09a1\u09bc\u09af\u09bc-caf\u00e9", "\u09a1\u09bc\u09af\u09bc-cafe\u0301"
	matches := func(password, hash string) bool {
		found, err := h.matches(t.Context(), "", password, hash)
		require.NoError(t, err)
		return found
	}
	for _, chosen := range []string{entered, nfc, nfd} {
		hash, err := h.hash(t.Context(), "", chosen)
		require.NoError(t, err)
		for _, typed := range []string{entered, nfc, nfd} {
			require.True(t, matches(typed, hash), "%+q for %+q", typed, chosen)
		}
		require.False(t, matches(nfc+"x", hash))
	}
}

// Any input is either normalized to a name that is safe in URLs and emails, or refused with a
// message for the field.
func FuzzUsername(f *testing.F) {
	for _, seed := range []string{
		"", " . ", "rahim", "ra.h im", "রহিম", "a\x00b", "\xff", "ﬁ", "\u00a0x", "x\u200b", "../x", "%2e", strings.Repeat("x", 41),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name := normalUsername(text)
		require.Equal(t, name, normalUsername(name))
		err := SignupInput{Username: name, Email: "rahim@example.com", Password: "river-stone", Language: "en"}.validate()
		if err == nil {
			require.Regexp(t, `^[A-Za-z0-9_-]{1,40}$`, name)
			return
		}
		require.NotEmpty(t, fault.As(err).Fields["username"])
	})
}

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
		`select count(*) from river.river_job where args->>'mail_kind' = 'mail_verify'`).Scan(&n))
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

func TestIsReserved(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"admin", "Adm1n", "aDMlN", "admin_", "_admin", "a-d-m-i-n", "superadmin", "Admin2026", "ad_min_karim",
		"Amanat-Support", "amanat_official", "AmanatEscrow", "support-team", "refund-desk", "bkash", "Bkash_Agent", "Nagad", "n4gad-nagad",
		"moderator", "0fficial", "OFFlClAL", "customer-care", "help_desk", "he1pline", "webmaster",
		"amanat", "Amanat_", "amanat-1", "AMANAT2026", "amanat10", "AmanatTeam", "amanat-pay", "amanat_help_desk", "amanat-customer-care",
		"TeamAmanat", "the_amanat", "real-amanat-bd", "amanatpayments",
		"AmanatAmanat", "Amanat-Manager", "Amanat-CEO", "Amanat-Agents", "AmanatPayout", "AmanatDispute", "AmanatTrust", "AmanatCom",
		"Amanat-Customers", "AmanatVerification", "Amanat-Bot", "pay-amanat-amanat-24",
		"help", "help24", "rahim_help", "Staff", "amanat-staff", "my_wallet", "billing-1", "contact", "system", "security-team", "0perator",
		"5upport", "4dmin", "bKa5h", "8kash", "moder4tor", "rnoderator", "Arnanat", "4rn4n4t-t3am", "CustomerService", "dispute-team",
		"trust_safety", "trust-and-safety", "kyc-desk", "noreply", "no-reply", "nogod", "Rocket-pay", "5taff",
		"me", "api", "info", "Inf0", "null", "root", "r00t", "undefined", "anonymous",
	} {
		require.True(t, isReserved(name), name)
	}
	for _, name := range []string{
		"rahim", "amanatullah", "Amanatullah_Khan", "amanat_khan", "amanat-ali", "karim_amanat", "amanat-amanatullah", "amanatbotany",
		"Amanot", "aman", "Nargis",
		"badminton", "badminton_bd", "stafford", "helper_rahim", "Shelpi", "mei", "melody", "mehedi", "api_akter", "info_tech", "rootful",
		"modasser", "modhu", "mahmud", "Nagib", "bikash", "prakash", "akash", "operators", "contactless", "systematic", "walleto",
		"amirul", "admiral", "Abdul-Karim", "rahim-7", "007", "team", "service_bd", "arnab", "rahim_5", "Nusrat34", "Barnali", "rocket",
	} {
		require.False(t, isReserved(name), name)
	}
}

func TestSignup_lookalike_username(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.signup(t, "seller")
	f.signup(t, "Karim_10")
	const lookalike = "This username looks like one that is taken. Please choose another."
	for _, name := range []string{"seIler", "se11er", "SELIER", "s-e-l-l-e-r", "_seller", "karim10", "karimlo", "KarIm-1O"} {
		_, err := f.Signup(t.Context(), input(name), Client{})
		requireFault(t, err, fault.Duplicate, lookalike)
		require.Contains(t, fault.As(err).Fields, "username")
		_, err = f.Create(t.Context(), input(name))
		requireFault(t, err, fault.Duplicate, lookalike)
	}
	_, err := f.Signup(t.Context(), input("SELLER"), Client{})
	requireFault(t, err, fault.Duplicate, "Username is already taken.")
	f.signup(t, "sellers")
	f.signup(t, "karim")
}

func TestCreate_concurrent_lookalikes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	names := []string{"rahil", "rahi1", "rahll", "ra-hil"}
	errs := make([]error, len(names))
	var group sync.WaitGroup
	for i, name := range names {
		group.Go(func() { _, errs[i] = f.Create(t.Context(), input(name)) })
	}
	group.Wait()
	refused := 0
	for _, err := range errs {
		if err != nil {
			require.Equal(t, fault.Duplicate, fault.CodeOf(err))
			refused++
		}
	}
	require.Equal(t, len(names)-1, refused)
}

// Names from before the rule stay, and the database computes the same skeletons as skeleton.
func TestSkeleton_matches_database(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for i, name := range []string{"Ill-1_0O", "il_l1oo", "seIler", "seller", "__--", "Z9"} {
		_, err := f.owner.Exec(t.Context(), `
			insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
			values ($1, $2, $2 || '@example.com', '', $3, $4, $4)`, uuid.New(), name, string(rune('A'+i)), f.clock.Now())
		require.NoError(t, err)
	}
	rows, err := f.owner.Query(t.Context(), "select username, username_skeleton from users")
	require.NoError(t, err)
	type row struct{ Username, UsernameSkeleton string }
	all, err := pgx.CollectRows(rows, pgx.RowToStructByName[row])
	require.NoError(t, err)
	require.Len(t, all, 6)
	for _, r := range all {
		require.Equal(t, skeleton(r.Username), r.UsernameSkeleton)
	}
}

// The version that people accept is the one that the page shows.
func TestTermsVersions(t *testing.T) {
	t.Parallel()
	require.True(t, slices.IsSorted(TermsVersions()))
	page, err := os.ReadFile("../../../ui/src/i18n/en/pages/terms.ts")
	require.NoError(t, err)
	require.Contains(t, string(page), "changed: '"+CurrentTerms()+"'")
}
