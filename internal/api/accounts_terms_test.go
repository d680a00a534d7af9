package api_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/domain/accounts"
)

type consent struct {
	Version, Address string
	AcceptedAt       time.Time
}

func (b *browser) consents() []consent {
	b.t.Helper()
	rows, err := b.fixture.owner.Query(b.t.Context(),
		`select version, address, accepted_at from consents where user_id = $1 order by version`, b.user.ID)
	require.NoError(b.t, err)
	defer rows.Close()
	var list []consent
	for rows.Next() {
		var c consent
		require.NoError(b.t, rows.Scan(&c.Version, &c.Address, &c.AcceptedAt))
		list = append(list, c)
	}
	require.NoError(b.t, rows.Err())
	return list
}

func TestSignup_accepts_terms(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	current := accounts.CurrentTerms()
	for name, version := range map[string]any{"known": current, "unknown": "1999-01-01", "none": nil} {
		b := f.visitor()
		b.post("/auth/signup", fields{
			"username": name, "email": name + "@example.com", "password": password, "termsVersion": version,
		}).want(http.StatusCreated).into(&b.user)
		require.Equal(t, current, b.user.Terms.AcceptedVersion, name)
		require.Equal(t, current, b.user.Terms.CurrentVersion, name)
		kept := b.consents()
		require.Len(t, kept, 1, name)
		require.Equal(t, current, kept[0].Version, name)
		require.Equal(t, "127.0.0.1", kept[0].Address, name)
		require.WithinDuration(t, b.user.CreatedAt, kept[0].AcceptedAt, time.Millisecond, name)
	}
}

// Each acceptance is kept with its time and address; accepting a version again changes nothing.
func TestAcceptTerms(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	member := f.member("member")
	_, err := f.owner.Exec(t.Context(), `update consents set version = '2020-01-01'`)
	require.NoError(t, err)
	var me api.Me
	member.get("/auth/me").want(200).into(&me)
	require.Equal(t, "2020-01-01", me.Terms.AcceptedVersion)
	require.Equal(t, accounts.CurrentTerms(), me.Terms.CurrentVersion)

	refused := member.post("/auth/terms", fields{"version": "2020-01-01"})
	refused.refused(409, "conflict", "The terms have changed. Please reload the page.")
	require.Contains(t, string(refused.body), `"reason":"terms_outdated"`)

	f.clock.Advance(time.Hour)
	var accepted api.TermsAccepted
	member.post("/auth/terms", fields{"version": accounts.CurrentTerms()}).want(200).into(&accepted)
	require.Equal(t, "terms_accepted", accepted.Code)
	require.Equal(t, accounts.CurrentTerms(), accepted.User.Terms.AcceptedVersion)
	f.clock.Advance(time.Hour)
	var again api.TermsAccepted
	member.post("/auth/terms", fields{"version": accounts.CurrentTerms()}).want(200).into(&again)
	require.Equal(t, accepted.User.Terms, again.User.Terms)
	require.Len(t, member.consents(), 2)
}

// Users from before consents were recorded accepted the first version when they signed up.
func TestTerms_accounts_of_before(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	member := f.member("member")
	_, err := f.owner.Exec(t.Context(), `delete from consents`)
	require.NoError(t, err)
	var user api.User
	member.get("/auth/check").want(200).into(&user)
	require.Equal(t, accounts.TermsVersions()[0], user.Terms.AcceptedVersion)
	require.WithinDuration(t, user.CreatedAt, user.Terms.AcceptedAt, time.Millisecond)
}
