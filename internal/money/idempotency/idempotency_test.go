package idempotency_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/idempotency"
	"amanat/internal/testing/dbtest"
)

// addUser inserts a user for keys to refer to.
func addUser(t *testing.T, db *dbtest.DB) uuid.UUID {
	t.Helper()
	id := uuid.New()
	_, err := db.Owner().Exec(t.Context(), `
		insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
		values ($1, 'nusrat', 'nusrat@example.com', '', 'nusrat', now(), now())`, id)
	require.NoError(t, err)
	return id
}

// create runs Create and reports whether it called create.
func create(ctx context.Context, t *testing.T, db postgres.Beginner, key *idempotency.Key, id uuid.UUID, now time.Time) (uuid.UUID, bool) {
	t.Helper()
	made := false
	first, err := idempotency.Create(ctx, db, key, id, now, func(*postgres.Tx) error {
		made = true
		return nil
	})
	require.NoError(t, err)
	return first, made
}

func TestForget(t *testing.T) {
	t.Parallel()
	db, business := dbtest.New(t), clock.NewOffset(0)
	user := addUser(t, db)
	old := &idempotency.Key{UserID: &user, Value: "old"}
	_, made := create(t.Context(), t, db.Worker(), old, uuid.New(), business.Now())
	require.True(t, made)
	_, err := db.Owner().Exec(t.Context(), `
		insert into idempotency_keys (user_id, key, request_hash, resource_id, created_at)
		select user_id, 'more ' || n, request_hash, resource_id, created_at from idempotency_keys, generate_series(1, 5_001) n`)
	require.NoError(t, err, "more than one batch")
	visitor := &idempotency.Key{Value: "old"}
	// Only the api handles requests of visitors, so this uses its login.
	once := func() bool {
		_, made := create(t.Context(), t, db.API(), visitor, uuid.New(), business.Now())
		return made
	}
	require.True(t, once())
	require.False(t, once())
	business.Advance(7*24*time.Hour + time.Second)
	_, made = create(t.Context(), t, db.Worker(), &idempotency.Key{UserID: &user, Value: "new"}, uuid.New(), business.Now())
	require.True(t, made)
	forgotten, err := idempotency.Forget(t.Context(), db.Worker(), business.Now())
	require.NoError(t, err)
	require.EqualValues(t, 5_003, forgotten)
	forgotten, err = idempotency.Forget(t.Context(), db.Worker(), business.Now())
	require.NoError(t, err)
	require.Zero(t, forgotten, "the new one stays")
	require.True(t, once())
}

func TestCreate_failure_releases_the_key(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	user := addUser(t, db)
	key := &idempotency.Key{UserID: &user, Value: "k"}
	_, err := idempotency.Create(t.Context(), db.API(), key, uuid.New(), time.Now(), func(*postgres.Tx) error {
		return fault.New(fault.Conflict, "no", "no")
	})
	require.Equal(t, fault.Conflict, fault.CodeOf(err))
	id := uuid.New()
	first, made := create(t.Context(), t, db.API(), key, id, time.Now())
	require.True(t, made)
	require.Equal(t, id, first)
}
