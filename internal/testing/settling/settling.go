// Package settling settles operations in the tests of domain packages as a worker does, but at once
// and without River: what queue/workers adds to it has tests there.
package settling

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/operations"
)

// Kind says how operations of one kind are settled.
type Kind struct {
	Settle func(ctx context.Context, tx *postgres.Tx, op operations.Operation) (result any, err error)
	Rule   operations.Rule
	Lock   func(tx *postgres.Tx, operations []uuid.UUID, wait bool) map[uuid.UUID]bool // nil: Settle locks
}

// Worker settles operations.
type Worker struct {
	DB         postgres.DB // with the login of the workers
	Operations *operations.Service
	Kinds      map[string]Kind
}

// Settle settles a pending operation, and returns it done or rejected.
func (w Worker) Settle(t testing.TB, id uuid.UUID) operations.Operation {
	t.Helper()
	err := w.inTx(t, id, func(tx *postgres.Tx, op operations.Operation, actors operations.Actors) error {
		kind := w.Kinds[op.Kind]
		if err := actors.Check(op, kind.Rule); err != nil {
			return err
		}
		result, err := kind.Settle(t.Context(), tx, op)
		if err != nil {
			return err
		}
		return w.Operations.Finish(tx, op, result)
	})
	if refusal := fault.As(err); refusal != nil {
		err = w.inTx(t, id, func(tx *postgres.Tx, op operations.Operation, _ operations.Actors) error {
			return w.Operations.Reject(tx, op, refusal)
		})
	}
	require.NoError(t, err)
	op, err := operations.Get(t.Context(), w.DB, id)
	require.NoError(t, err)
	return op
}

// inTx calls do with the operation, which is locked with its subject, and pending.
func (w Worker) inTx(t testing.TB, id uuid.UUID, do func(*postgres.Tx, operations.Operation, operations.Actors) error) error {
	t.Helper()
	kindOf, err := operations.Get(t.Context(), w.DB, id)
	require.NoError(t, err)
	require.Contains(t, w.Kinds, kindOf.Kind)
	return postgres.WithTx(t.Context(), w.DB, func(tx *postgres.Tx) error {
		ids := []uuid.UUID{id}
		locked := w.Operations.QueueLockAll(tx, ids)
		if lock := w.Kinds[kindOf.Kind].Lock; lock != nil {
			lock(tx, ids, true)
		}
		actors := operations.QueueActors(tx, ids)
		if err := tx.Flush(t.Context()); err != nil {
			return err
		}
		require.Equal(t, operations.Pending, locked[id].Status)
		return do(tx, locked[id], actors)
	})
}
