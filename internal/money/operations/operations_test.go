package operations_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/actor"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/operations"
	"amanat/internal/testing/dbtest"
	"amanat/queue/jobs"
)

// fixture holds the service over a database with one user, and a queue that only counts.
type fixture struct {
	*operations.Service
	db    *dbtest.DB
	user  uuid.UUID
	queue *counter
}

type counter struct{ inserted int }

func (c *counter) InsertManyFastTx(_ context.Context, _ pgx.Tx, params []river.InsertManyParams) (int, error) {
	c.inserted += len(params)
	return len(params), nil
}

type silent struct{}

func (silent) Append(*postgres.Tx, uuid.UUID, string, any) {}
func (silent) OperationSettled(uuid.UUID)                  {}

func newFixture(t *testing.T) fixture {
	t.Helper()
	db := dbtest.New(t)
	f := fixture{db: db, user: uuid.New(), queue: &counter{}}
	f.Service = &operations.Service{
		DB: db.Worker(), Clock: clock.System{}, Enqueuer: f.queue, Events: silent{}, Announce: silent{},
	}
	_, err := db.Owner().Exec(t.Context(), `
		insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
		values ($1, 'nusrat', 'nusrat@example.com', '', 'nusrat', now(), now())`, f.user)
	require.NoError(t, err)
	return f
}

func (f fixture) request(t *testing.T, kind, subject string, key *idempotency.Key, check error) (operations.Operation, error) {
	t.Helper()
	r := operations.Request{Kind: kind, Subject: subject, Actor: actor.User(f.user), Params: struct{}{}, Key: key}
	err := postgres.WithTx(t.Context(), f.DB, func(tx *postgres.Tx) error {
		f.Begin(t.Context(), tx, &r)
		if check != nil {
			return check
		}
		return f.Enqueue(t.Context(), tx, &r)
	})
	return f.Answer(t.Context(), &r, err)
}

func (f fixture) finish(t *testing.T, op operations.Operation) {
	t.Helper()
	require.NoError(t, postgres.WithTx(t.Context(), f.db.Worker(), func(tx *postgres.Tx) error {
		locked := f.QueueLockAll(tx, []uuid.UUID{op.ID})
		require.NoError(t, tx.Flush(t.Context()))
		return f.Finish(tx, locked[op.ID], map[string]string{"message": "done"})
	}))
}

func TestRequest_one_pending_per_subject(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	subject := operations.Deal(uuid.New())
	first, err := f.request(t, jobs.KindDealPay, subject, nil, nil)
	require.NoError(t, err)
	again, err := f.request(t, jobs.KindDealPay, subject, nil, nil)
	require.NoError(t, err)
	require.Equal(t, first.ID, again.ID, "an equal request of the same user returns the pending operation")
	_, err = f.request(t, jobs.KindDealComplete, subject, nil, nil)
	require.Equal(t, fault.Conflict, fault.CodeOf(err), "another operation is pending")
	_, err = f.request(t, jobs.KindDealComplete, subject, nil, fault.New(fault.NotFound, "no", "no"))
	require.Equal(t, fault.NotFound, fault.CodeOf(err), "the check comes before the pending operation")
	require.Equal(t, 1, f.queue.inserted)

	f.finish(t, first)
	after, err := f.request(t, jobs.KindDealPay, subject, nil, fault.New(fault.Conflict, "already_paid", "already paid"))
	require.NoError(t, err)
	require.Equal(t, first.ID, after.ID, "an equal request returns the done operation")
	_, err = f.request(t, jobs.KindDealComplete, subject, nil, fault.New(fault.Conflict, "not_open", "not open"))
	require.Equal(t, fault.Conflict, fault.CodeOf(err))
}

func TestRequest_refused_writes_nothing(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	key := &idempotency.Key{UserID: &f.user, Value: "k", Hash: [32]byte{1}}
	_, err := f.request(t, jobs.KindDealPay, operations.Deal(uuid.New()), key, fault.New(fault.InsufficientBalance, "no", "no"))
	require.Equal(t, fault.InsufficientBalance, fault.CodeOf(err))
	var rows int
	require.NoError(t, f.db.Owner().QueryRow(t.Context(),
		`select (select count(*) from operations) + (select count(*) from idempotency_keys)`).Scan(&rows))
	require.Zero(t, rows)
}

func TestRequest_idempotency_key(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	subject := operations.Deal(uuid.New())
	first, err := f.request(t, jobs.KindDealPay, subject, nil, nil)
	require.NoError(t, err)
	key := &idempotency.Key{UserID: &f.user, Value: "k", Hash: [32]byte{1}}
	joined, err := f.request(t, jobs.KindDealPay, subject, key, nil)
	require.NoError(t, err)
	require.Equal(t, first.ID, joined.ID)
	f.finish(t, first)
	replayed, err := f.request(t, jobs.KindDealPay, subject, key, nil)
	require.NoError(t, err)
	require.Equal(t, first.ID, replayed.ID, "the subject is free again, but the key is used")
	require.Equal(t, operations.Done, replayed.Status)
	replayed, err = f.request(t, jobs.KindDealPay, subject, key, fault.New(fault.NotFound, "gone", "gone"))
	require.NoError(t, err)
	require.Equal(t, first.ID, replayed.ID, "whatever the checks say now")

	late := &idempotency.Key{UserID: &f.user, Value: "late", Hash: [32]byte{2}}
	done, err := f.request(t, jobs.KindDealPay, subject, late, fault.New(fault.Conflict, "already_paid", "already paid"))
	require.NoError(t, err)
	require.Equal(t, first.ID, done.ID)
	mismatched := &idempotency.Key{UserID: &f.user, Value: "late", Hash: [32]byte{3}}
	_, err = f.request(t, jobs.KindDealPay, operations.Deal(uuid.New()), mismatched, nil)
	require.Equal(t, fault.IdempotencyMismatch, fault.CodeOf(err))
}

func TestGetOwn(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	op, err := f.request(t, jobs.KindDealPay, operations.Deal(uuid.New()), nil, nil)
	require.NoError(t, err)
	_, err = operations.GetOwn(t.Context(), f.db.API(), uuid.New(), op.ID)
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	_, err = operations.GetOwn(t.Context(), f.db.API(), f.user, op.ID)
	require.NoError(t, err)
}

func TestWait_returns_when_settled(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, announced := range []bool{true, false} { // the announcement only saves time
		op, err := f.request(t, jobs.KindDealPay, operations.Deal(uuid.New()), nil, nil)
		require.NoError(t, err)
		waiter := operations.NewWaiter(f.db.API(), time.Minute)
		outcome := make(chan operations.Operation)
		go func() {
			settled, err := waiter.Wait(t.Context(), op)
			if err != nil {
				t.Errorf("wait: %v", err)
			}
			outcome <- settled
		}()
		f.finish(t, op)
		if announced {
			waiter.Settled(op.ID)
		}
		require.Equal(t, operations.Done, (<-outcome).Status)
	}
}

func TestWait_timeout(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	op, err := f.request(t, jobs.KindDealPay, operations.Deal(uuid.New()), nil, nil)
	require.NoError(t, err)
	pending, err := operations.NewWaiter(f.db.API(), 120*time.Millisecond).Wait(t.Context(), op)
	require.NoError(t, err)
	require.Equal(t, operations.Pending, pending.Status)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = operations.NewWaiter(f.db.API(), time.Minute).Wait(ctx, op)
	require.ErrorIs(t, err, context.Canceled)
}

// The refusal of a rejected operation is returned and shown as it was made.
func TestReject(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	op, err := f.request(t, jobs.KindDealPay, operations.Deal(uuid.New()), nil, nil)
	require.NoError(t, err)
	refusal := fault.Newf(fault.Conflict, "party_suspended", "{name} is suspended.", fault.Params{"name": "karim", "count": 2})
	require.NoError(t, postgres.WithTx(t.Context(), f.db.Worker(), func(tx *postgres.Tx) error {
		return f.Reject(tx, op, refusal)
	}))
	rejected, err := operations.GetOwn(t.Context(), f.db.Worker(), f.user, op.ID)
	require.NoError(t, err)
	refused := fault.As(rejected.Err())
	require.Equal(t, "party_suspended", refused.Reason)
	require.Equal(t, "karim is suspended.", refused.Message)
	require.Equal(t, fault.Params{"name": "karim", "count": 2.0}, refused.Params)
	view, err := rejected.View()
	require.NoError(t, err)
	require.Equal(t, refused.Reason, view.Error.Reason)
	require.Equal(t, refused.Params, view.Error.Params)
}
