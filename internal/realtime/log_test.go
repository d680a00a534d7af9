package realtime_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/internal/realtime"
	"amanat/internal/testing/dbtest"
)

// recorder is a Publisher that records frames.
type recorder struct {
	mu     sync.Mutex
	frames map[uuid.UUID][]realtime.Frame
	admins []realtime.Frame
}

func (r *recorder) PublishFrame(userID uuid.UUID, frame realtime.Frame) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.frames == nil {
		r.frames = map[uuid.UUID][]realtime.Frame{}
	}
	r.frames[userID] = append(r.frames[userID], frame)
}

func (r *recorder) PublishAdmins(frame realtime.Frame) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.admins = append(r.admins, frame)
}

func newUsers(t *testing.T, db *dbtest.DB, n int) []uuid.UUID {
	t.Helper()
	ids := make([]uuid.UUID, n)
	for i := range ids {
		ids[i] = uuid.New()
		name := fmt.Sprintf("user%d", i)
		_, err := db.Owner().Exec(t.Context(), `
			insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
			values ($1, $2, $2, '', $2, now(), now())`, ids[i], name)
		require.NoError(t, err)
	}
	return ids
}

func TestAppend(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	users := newUsers(t, db, 3)
	published := &recorder{}
	log := &realtime.Log{Clock: clock.System{}, Publish: published}
	const rounds = 42 // divisible by the number of users
	var group sync.WaitGroup
	for i := range rounds {
		group.Go(func() {
			err := postgres.WithTx(t.Context(), db.Worker(), func(tx *postgres.Tx) error {
				// This order would deadlock if each event took its lock when appended.
				log.Append(tx, users[i%3], realtime.TypeDealUpdated, i)
				log.Append(tx, users[(i+1)%3], realtime.TypeDealUpdated, i)
				log.Append(tx, users[i%3], realtime.TypeWalletUpdated, i)
				return nil
			})
			if err != nil {
				t.Errorf("round %d: %v", i, err)
			}
		})
	}
	group.Wait()
	for _, u := range users {
		frames := published.frames[u]
		require.Len(t, frames, rounds)
		seen := map[int64]bool{}
		for _, f := range frames {
			require.False(t, seen[f.Seq])
			seen[f.Seq] = true
		}
		for seq := int64(1); seq <= rounds; seq++ {
			require.True(t, seen[seq], "seq %d", seq)
		}
	}
	var stored int
	require.NoError(t, db.Owner().QueryRow(t.Context(), `
		select count(*) from user_events e join user_seq s using (user_id) where e.seq <= s.seq`).Scan(&stored))
	require.Equal(t, 3*rounds, stored)
}

func TestAppend_rolled_back(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	user := newUsers(t, db, 1)[0]
	published := &recorder{}
	log := &realtime.Log{Clock: clock.System{}, Publish: published}
	stop := errors.New("no")
	err := postgres.WithTx(t.Context(), db.Worker(), func(tx *postgres.Tx) error {
		log.Append(tx, user, realtime.TypeDealUpdated, nil)
		return stop
	})
	require.ErrorIs(t, err, stop)
	require.Empty(t, published.frames)
	require.NoError(t, postgres.WithTx(t.Context(), db.Worker(), func(tx *postgres.Tx) error {
		log.Append(tx, user, realtime.TypeDealUpdated, nil)
		return nil
	}))
	require.EqualValues(t, 1, published.frames[user][0].Seq, "a rollback leaves no gap")
}

func TestAppend_unencodable_payload(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	user := newUsers(t, db, 1)[0]
	log := &realtime.Log{Clock: clock.System{}, Publish: &recorder{}}
	err := postgres.WithTx(t.Context(), db.Worker(), func(tx *postgres.Tx) error {
		log.Append(tx, user, realtime.TypeDealUpdated, make(chan int))
		return nil
	})
	require.ErrorContains(t, err, "payload of dealUpdated")
}

func TestQueueChanged(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	published := &recorder{}
	log := &realtime.Log{Clock: clock.System{}, Publish: published}
	first, second := uuid.New(), uuid.New()
	stop := errors.New("no")
	for _, outcome := range []error{stop, nil} {
		err := postgres.WithTx(t.Context(), db.Worker(), func(tx *postgres.Tx) error {
			log.WorklistChanged(tx, realtime.WorklistDeposits, first)
			log.WorklistChanged(tx, realtime.WorklistDeposits, second)
			log.WorklistChanged(tx, realtime.WorklistDeposits, first)
			require.Empty(t, published.admins)
			return outcome
		})
		require.ErrorIs(t, err, outcome)
	}
	require.Len(t, published.admins, 2)
	for i, id := range []uuid.UUID{first, second} {
		require.Equal(t, "queueChanged", published.admins[i].Type)
		require.Zero(t, published.admins[i].Seq)
		require.JSONEq(t, `{"queue": "deposits", "id": "`+id.String()+`"}`, string(published.admins[i].Data))
	}
}

func TestPrune(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	user := newUsers(t, db, 1)[0]
	now := clock.NewOffset(0)
	log := &realtime.Log{Clock: now, Publish: &recorder{}}
	add := func(n int) {
		require.NoError(t, postgres.WithTx(t.Context(), db.Worker(), func(tx *postgres.Tx) error {
			for range n {
				log.Append(tx, user, realtime.TypeWalletUpdated, nil)
			}
			return nil
		}))
	}
	const old = 5_001 // more than one batch
	add(old)
	now.Advance(realtime.Retention - time.Minute)
	add(2)
	pruned, err := log.Prune(t.Context(), db.Worker())
	require.NoError(t, err)
	require.Zero(t, pruned)
	now.Advance(2 * time.Minute)
	pruned, err = log.Prune(t.Context(), db.Worker())
	require.NoError(t, err)
	require.EqualValues(t, old, pruned)
	var first, last, head int64
	require.NoError(t, db.Owner().QueryRow(t.Context(), `
		select min(e.seq), max(e.seq), max(s.seq) from user_events e join user_seq s using (user_id)`).Scan(&first, &last, &head))
	require.Equal(t, []int64{old + 1, old + 2, old + 2}, []int64{first, last, head}, "numbering continues")
}

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
