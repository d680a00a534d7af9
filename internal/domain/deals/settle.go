package deals

import (
	"github.com/google/uuid"

	"amanat/internal/lib/postgres"
	"amanat/internal/money/operations"
)

// lockedDeals holds the deals that a transaction has locked to settle operations on them.
type lockedDeals map[uuid.UUID]lockedDeal

// lockedDeal is a deal under its lock.
type lockedDeal struct {
	Deal
	supportFreezing bool // a support request freezes the deal, provided that it is open
}

// QueueLock queues the locking of the deals of the operations, in ID order, and the reading of
// them, for the Settle calls that follow in the transaction. When that has run, the result has the
// IDs of the deals that are locked: unless wait is set, without those that another transaction has
// locked. The operations themselves must be locked before.
func (s *Settler) QueueLock(tx *postgres.Tx, ids []uuid.UUID, wait bool) map[uuid.UUID]bool {
	locked := make(map[uuid.UUID]bool, len(ids))
	deals := lockedIn(tx)
	queueLockOfOperations(tx, ids, wait, func(id uuid.UUID) { locked[id] = true })
	queueDealsOfOperations(tx, ids, s.Clock.Now(), func(d Deal) {
		if locked[d.ID] {
			deals[d.ID] = lockedDeal{Deal: d}
		}
	})
	queueSupportFreezing(tx, ids, func(id uuid.UUID) {
		if d, found := deals[id]; found {
			d.supportFreezing = true
			deals[id] = d
		}
	})
	return locked
}

func lockedIn(tx *postgres.Tx) lockedDeals {
	return *postgres.Local(tx, func() *lockedDeals { return &lockedDeals{} })
}

// lockedFor returns the deal of an operation as it is under the lock of QueueLock. Code NotFound.
func lockedFor(tx *postgres.Tx, op operations.Operation) (lockedDeal, error) {
	id, err := op.SubjectID()
	if err != nil {
		return lockedDeal{}, err
	}
	d, found := lockedIn(tx)[id]
	if !found {
		return lockedDeal{}, errNotFound()
	}
	return d, nil
}
