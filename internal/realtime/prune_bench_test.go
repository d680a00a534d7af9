package realtime_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/clock"
	"amanat/internal/realtime"
	"amanat/internal/testing/dbtest"
)

// BenchmarkPrune measures events forgotten per second, while a snapshot such as that of a dump
// keeps the deleted rows from being cleaned up.
func BenchmarkPrune(b *testing.B) {
	const events = 200_000
	db := dbtest.New(b)
	owner, user := db.Owner(), uuid.New()
	_, err := owner.Exec(b.Context(), `
		insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
		values ($1, 'nusrat', 'nusrat', '', 'nusrat', now(), now())`, user)
	require.NoError(b, err)
	log := &realtime.Log{Clock: clock.System{}, Publish: &recorder{}}
	var spent time.Duration
	for b.Loop() {
		_, err := owner.Exec(b.Context(), `
			insert into user_events (id, user_id, seq, type, payload, at)
			select gen_random_uuid(), $1, n, 'walletUpdated', jsonb_build_object('text', repeat('x', 300)),
			       now() - interval '8 days' + n * interval '1 ms'
			  from generate_series(1, $2::int) n`, user, events)
		require.NoError(b, err)
		snapshot, err := owner.BeginTx(b.Context(), pgx.TxOptions{IsoLevel: pgx.RepeatableRead})
		require.NoError(b, err)
		_, err = snapshot.Exec(b.Context(), "select count(*) from users")
		require.NoError(b, err)
		began := time.Now()
		pruned, err := log.Prune(b.Context(), db.Worker())
		spent += time.Since(began)
		require.NoError(b, err)
		require.EqualValues(b, events, pruned)
		require.NoError(b, snapshot.Rollback(b.Context()))
	}
	b.ReportMetric(float64(b.N*events)/spent.Seconds(), "events/s")
}
