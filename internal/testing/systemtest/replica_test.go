package systemtest

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/testing/dbtest"
)

// A standby answers visitors, who may see the site as it was a moment ago. Users see what they have
// written, and nobody notices when the standby ends.
func TestReplica(t *testing.T) {
	t.Parallel()
	pair := dbtest.Replicated(t)
	s := newSystemOn(t, released, pair.DB)
	api := s.startAPI("DATABASE_READ_URL="+pair.Standby.APIURL, "DATABASE_READ_MAX_LAG=1m")
	s.serve(api)
	seller, visitor := s.member("tanvir"), s.visitor()
	out := func() float64 { return api.metrics()["amanat_replica_out"] }
	await(t, startWait, "the standby is asked", func() bool { return out() == 0 })
	posts := func(p *person) int {
		t.Helper()
		var list []json.RawMessage
		p.get("/posts/user/tanvir").want(http.StatusOK).into(&list)
		return len(list)
	}
	require.Zero(t, posts(visitor))
	pause := func(call string) {
		t.Helper()
		_, err := pair.Standby.Owner().Exec(t.Context(), `select pg_wal_replay_`+call+`()`)
		require.NoError(t, err)
	}
	pause("pause")
	seller.post("/posts", fields{
		"title": "A logo in two days", "description": "Three drafts and the files.", "price": 20,
		"category": "Freelance Service", "subcategory": "Logo Design",
	}).want(http.StatusCreated)
	require.Equal(t, 1, posts(seller), "users see what they have written")
	require.Zero(t, posts(visitor), "the standby has not got it yet")
	pause("resume")
	await(t, startWait, "visitors see the post", func() bool { return posts(visitor) == 1 })

	pair.StopStandby()
	require.Equal(t, 1, posts(visitor))
	visitor.get("/public/public-stats").want(http.StatusOK)
	await(t, startWait, "the standby is left out", func() bool { return out() == 1 })
	require.Contains(t, api.output(), "the standby is not asked")
	require.Positive(t, api.metrics()["amanat_replica_fallbacks_total"])
	api.stop(drainBound)
}
