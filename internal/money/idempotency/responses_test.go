package idempotency_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/idempotency"
	"amanat/internal/testing/dbtest"
)

func responsesOf(db postgres.Querier) *idempotency.Responses {
	return idempotency.NewResponses(db, slog.New(slog.DiscardHandler))
}

func answered(status int) idempotency.Response {
	return idempotency.Response{Status: status, Body: []byte(`{"a": 1}`)}
}

// The first response of a key is the one that counts, before it is written and afterwards, at the
// process that answered and at others.
func TestResponses(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), dbtest.New(t)
	user := addUser(t, db)
	key := &idempotency.Key{UserID: &user, Value: "k", Hash: [32]byte{1}}
	another := &idempotency.Key{UserID: &user, Value: "k", Hash: [32]byte{2}}
	here, there := responsesOf(db.API()), responsesOf(db.API())
	load := func(responses *idempotency.Responses, found bool) {
		t.Helper()
		stored, has, err := responses.Load(ctx, key)
		require.NoError(t, err)
		require.Equal(t, found, has)
		if found {
			require.Equal(t, 201, stored.Status)
			require.JSONEq(t, `{"a": 1}`, string(stored.Body))
			_, _, err = responses.Load(ctx, another)
			require.Equal(t, fault.IdempotencyMismatch, fault.CodeOf(err))
		}
	}
	load(here, false)
	_, made := create(ctx, t, db.API(), key, uuid.New(), time.Now())
	require.True(t, made)
	load(here, false)
	here.Save(key, answered(201))
	here.Save(key, answered(200))
	load(here, true)
	load(there, false)
	here.Flush(ctx)
	load(here, true)
	load(there, true)
	there.Save(key, answered(200))
	there.Flush(ctx)
	load(here, true)
	load(there, true)
}

func TestResponses_key_of_another_request(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), dbtest.New(t)
	user := addUser(t, db)
	key := &idempotency.Key{UserID: &user, Value: "k", Hash: [32]byte{1}}
	create(ctx, t, db.API(), key, uuid.New(), time.Now())
	another := &idempotency.Key{UserID: &user, Value: "k", Hash: [32]byte{2}}
	responses := responsesOf(db.API())
	_, found, err := responses.Load(ctx, another)
	require.Equal(t, fault.IdempotencyMismatch, fault.CodeOf(err), "before there is a response")
	require.False(t, found)
	responses.Save(another, answered(200))
	responses.Flush(ctx)
	_, found, err = responses.Load(ctx, key)
	require.NoError(t, err)
	require.False(t, found, "it is not stored under a key of another request")
}

func TestResponses_visitor(t *testing.T) {
	t.Parallel()
	responses := responsesOf(dbtest.New(t).API())
	visitor := &idempotency.Key{Value: "k"}
	responses.Save(visitor, answered(201))
	_, found, err := responses.Load(t.Context(), visitor)
	require.NoError(t, err)
	require.False(t, found)
}

// What is queued when the process stops is written, in as many statements as it needs.
func TestResponses_stop(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	user := addUser(t, db)
	responses := responsesOf(db.API())
	const count = 250
	for i := range count {
		key := &idempotency.Key{UserID: &user, Value: fmt.Sprint(i)}
		create(t.Context(), t, db.API(), key, uuid.New(), time.Now())
	}
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { responses.Run(ctx) })
	for i := range count {
		responses.Save(&idempotency.Key{UserID: &user, Value: fmt.Sprint(i)}, answered(200))
	}
	stop()
	running.Wait()
	stored, err := postgres.Value[int](t.Context(), db.Owner(), "test.count",
		`select count(*) from idempotency_keys where status = 200`, nil)
	require.NoError(t, err)
	require.Equal(t, count, stored)
}

// batchCounter counts batches and executes none.
type batchCounter struct {
	postgres.Querier
	count atomic.Int64
}

func (c *batchCounter) SendBatch(context.Context, *pgx.Batch) pgx.BatchResults {
	c.count.Add(1)
	return noResults{}
}

type noResults struct{ pgx.BatchResults }

func (noResults) Close() error { return nil }

// Responses of concurrent requests share a statement and its commit.
func TestResponses_statements(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var db batchCounter
		responses := responsesOf(&db)
		go responses.Run(t.Context())
		user := uuid.New()
		for i := range 10 {
			responses.Save(&idempotency.Key{UserID: &user, Value: fmt.Sprint(i)}, answered(200))
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Second)
		require.EqualValues(t, 1, db.count.Load())
		responses.Save(&idempotency.Key{UserID: &user, Value: "later"}, answered(200))
		time.Sleep(time.Second)
		require.EqualValues(t, 2, db.count.Load())
	})
}

// A failure is logged, and the next responses are written.
func TestResponses_failure(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), dbtest.New(t)
	user := addUser(t, db)
	key := &idempotency.Key{UserID: &user, Value: "k"}
	create(ctx, t, db.API(), key, uuid.New(), time.Now())
	var log bytes.Buffer
	responses := idempotency.NewResponses(db.API(), slog.New(slog.NewTextHandler(&log, nil)))
	responses.Save(key, idempotency.Response{Status: 200, Body: []byte("no JSON")})
	responses.Flush(ctx)
	require.Contains(t, log.String(), "responses not kept")
	require.Contains(t, log.String(), "idempotency.save_responses")
	responses.Save(key, answered(200))
	responses.Flush(ctx)
	stored, found, err := responsesOf(db.API()).Load(ctx, key)
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, 200, stored.Status)
}
