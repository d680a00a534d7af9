package accounts

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
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
