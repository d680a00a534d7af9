package accounts

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/user"
	"amanat/internal/lib/clock"
	"amanat/internal/testing/dbtest"
)

func TestSearch(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	me, _ := f.signup(t, "rahima")
	for _, username := range []string{"Rahim", "abdur_rahim", "karim", "gone-rahim", "percent"} {
		f.signup(t, username)
	}
	_, err := f.Disable(t.Context(), "gone-rahim")
	require.NoError(t, err)
	find := func(query string) []string {
		found, err := f.Search(t.Context(), me.ID, query)
		require.NoError(t, err)
		require.NotNil(t, found)
		return usernames(found)
	}
	require.Equal(t, []string{"Rahim", "abdur_rahim"}, find(" RAHIM"), "begins with it, then contains it")
	require.Equal(t, []string{"abdur_rahim"}, find("r_rah"), "no wildcards")
	require.Equal(t, []string{"Rahim"}, find("Ra"), "two characters find beginnings")
	require.Empty(t, find("r_r"), "and so do queries without three consecutive letters")
	for _, nothing := range []string{"im", "r_", "%%", "r", "nobody", "রহিম"} {
		require.Empty(t, find(nothing), nothing)
	}
	for _, username := range strings.Fields("ma1 ma2 ma3 ma4 ma5 ma6 ma7 ma8 ma9 ma10 ma11") {
		f.signup(t, username)
	}
	require.Equal(t, []string{"ma1", "ma10", "ma11", "ma2", "ma3", "ma4", "ma5", "ma6", "ma7", "ma8"}, find("ma"))
}

// No query scans the whole table.
func TestSearch_uses_index(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	_, err := db.Owner().Exec(t.Context(), `
		insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
		select gen_random_uuid(), left(md5(n::text), 12), n || '@example.com', 'x', 'code' || n, '2026-11-20Z', '2026-11-20Z'
		  from generate_series(1, 2000) n`)
	require.NoError(t, err)
	db.Grow(10, "users")
	for query, index := range map[string]string{
		"ab": "users_username_beginning", "a_b": "users_username_beginning", "abc": "users_username_trigrams",
	} {
		plans := dbtest.Explain(t, db, func(pool *pgxpool.Pool) {
			service := New(Options{DB: pool, Clock: clock.System{}})
			for range 10 { // after five executions PostgreSQL may choose a generic plan
				_, err := service.Search(t.Context(), uuid.New(), query)
				require.NoError(t, err)
			}
		})
		require.Equal(t, 10, strings.Count(plans, index), query)
		require.NotContains(t, plans, "Seq Scan", query)
	}
}

func usernames(parties []user.Ref) []string {
	names := make([]string, len(parties))
	for i, p := range parties {
		names[i] = p.Username
	}
	return names
}
