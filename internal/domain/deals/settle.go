package deals

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/money/operations"
	"amanat/internal/platform/postgres"
)

// lockedDeals holds the deals that a transaction has locked to settle operations on them.
type lockedDeals map[uuid.UUID]lockedDeal

// lockedDeal is a deal under its lock.
type lockedDeal struct {
	Deal
	supportFreezing bool // a support request freezes the deal, provided that it is open
}

// Lock locks the deals of the operations in ID order and queues the reading of them, for the Settle
// calls that follow in the transaction after its next statement. It returns the IDs of the
// operations whose deals it has locked: unless wait is set, it leaves out those that another
// transaction has locked.
func (s *Settler) Lock(ctx context.Context, tx *postgres.Tx, ops []operations.Operation, wait bool) (map[uuid.UUID]bool, error) {
	byDeal := make(map[uuid.UUID]uuid.UUID, len(ops))
	ids := make([]uuid.UUID, 0, len(ops))
	for _, op := range ops {
		if id, err := op.SubjectID(); err == nil {
			byDeal[id] = op.ID
			ids = append(ids, id)
		}
	}
	found, err := lockDeals(ctx, tx, ids, wait)
	if err != nil {
		return nil, err
	}
	s.queueReadLocked(tx, found)
	locked := make(map[uuid.UUID]bool, len(found))
	for _, id := range found {
		locked[byDeal[id]] = true
	}
	return locked, nil
}

// queueReadLocked queues the reading of deals that the transaction has locked.
func (s *Settler) queueReadLocked(tx *postgres.Tx, ids []uuid.UUID) {
	deals := lockedIn(tx)
	queueDealsOf(tx, ids, s.Clock.Now(), func(d Deal) { deals[d.ID] = lockedDeal{Deal: d} })
	queueSupportFreezing(tx, ids, func(id uuid.UUID) {
		if d, found := deals[id]; found {
			d.supportFreezing = true
			deals[id] = d
		}
	})
}

func lockedIn(tx *postgres.Tx) lockedDeals {
	return *postgres.Local(tx, func() *lockedDeals { return &lockedDeals{} })
}

// lockForSettling returns the deal of an operation, locked and as it is under the lock. Code
// NotFound.
func (s *Settler) lockForSettling(ctx context.Context, tx *postgres.Tx, op operations.Operation) (lockedDeal, error) {
	id, err := op.SubjectID()
	if err != nil {
		return lockedDeal{}, err
	}
	d, found := lockedIn(tx)[id]
	if !found {
		if _, err := s.Lock(ctx, tx, []operations.Operation{op}, true); err != nil {
			return lockedDeal{}, err
		}
		if err := tx.Flush(ctx); err != nil {
			return lockedDeal{}, err
		}
		d, found = lockedIn(tx)[id]
	}
	if !found {
		return lockedDeal{}, errNotFound()
	}
	return d, nil
}
