package dbtest

import (
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/postgres"
)

func TestMain(m *testing.M) { os.Exit(Main(m)) }

func TestNew(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"one", "two", "three"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := New(t)
			for role, pool := range map[string]*pgxpool.Pool{postgres.APIRole: db.API(), postgres.WorkerRole: db.Worker()} {
				var user, zone string
				require.NoError(t, pool.QueryRow(t.Context(), "select current_user, current_setting('timezone')").Scan(&user, &zone))
				require.Equal(t, role, user)
				require.Equal(t, databaseZone, zone)
				require.NoError(t, postgres.Validate(t.Context(), pool))
			}
			var users int
			require.NoError(t, db.API().QueryRow(t.Context(), "select count(*) from users").Scan(&users))
			require.Zero(t, users)
			// Every test has its own clone, so all can create the table.
			_, err := db.Owner().Exec(t.Context(), "create table mine (id int)")
			require.NoError(t, err)
			again := db.API()
			require.Same(t, db.API(), again)
		})
	}
}

func TestGrow(t *testing.T) {
	t.Parallel()
	db := New(t)
	_, err := db.Owner().Exec(t.Context(), "create table grown as select n from generate_series(1, 1000) n; create index grown_n on grown (n)")
	require.NoError(t, err)
	db.Grow(50, "grown")
	require.Contains(t, IndexPlan(t, db.Owner(), "select from grown where n > 0", nil), "rows=50000")
}

//nolint:paralleltest // looks at a database after the subtest that owned it
func TestNew_dropped(t *testing.T) {
	var url string
	t.Run("owner", func(t *testing.T) { //nolint:paralleltest // must end before the look
		db := New(t)
		url = db.OwnerURL
		require.NoError(t, db.Owner().Ping(t.Context()))
	})
	_, err := pgx.Connect(t.Context(), url)
	require.ErrorContains(t, err, "does not exist")
}

func TestRedis(t *testing.T) {
	t.Parallel()
	server, other := Redis(t), Redis(t)
	require.NotEqual(t, server.URL, other.URL)
	opts, err := redis.ParseURL(server.URL)
	require.NoError(t, err)
	opts.DialerRetries = 1
	client := redis.NewClient(opts)
	t.Cleanup(func() { _ = client.Close() })

	require.NoError(t, client.Set(t.Context(), "key", "1", 0).Err())
	server.Stop()
	require.Error(t, client.Ping(t.Context()).Err())
	server.Start()
	require.Eventually(t, func() bool { return client.Ping(t.Context()).Err() == nil }, 5*time.Second, 10*time.Millisecond)
	require.Zero(t, client.Exists(t.Context(), "key").Val(), "the data is gone")
}
