package wallet

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/lib/postgres"
	"amanat/internal/realtime"
)

// expireBatch is how many deposits expire in one transaction.
const expireBatch = 100

// ExpireDeposits fails the pending deposits that no admin has touched for DepositClaimTTL, notifies
// their users, and returns how many. A claim counts until it expires; a proposed credit or a
// pending operation keeps a deposit from expiring. Any number of workers may run it concurrently.
func (s *Settler) ExpireDeposits(ctx context.Context) (int, error) {
	if s.DepositClaimTTL <= 0 {
		return 0, nil
	}
	total := 0
	for {
		n, err := s.expireBatch(ctx)
		total += n
		if err != nil || n < expireBatch {
			return total, err
		}
	}
}

func (s *Settler) expireBatch(ctx context.Context) (int, error) {
	var ids []uuid.UUID
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		now := s.Clock.Now()
		var err error
		ids, err = lockAbandoned(ctx, tx, now.Add(-s.DepositClaimTTL), expireBatch)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if err := s.expire(ctx, tx, id, now); err != nil {
				return err
			}
		}
		return nil
	})
	return len(ids), err
}

func (s *Settler) expire(ctx context.Context, tx *postgres.Tx, id uuid.UUID, now time.Time) error {
	d, err := getDeposit(ctx, tx, id)
	if err != nil {
		return err
	}
	d.Status, d.HandledAt, d.ReasonCode = DepositFailed, &now, Expired
	if err := setDepositFailed(ctx, tx, d.Deposit, actor.System()); err != nil {
		return err
	}
	s.Events.WalletUpdated(tx, d.User.ID)
	s.Events.QueueChanged(tx, realtime.QueueDeposits, id)
	return s.Notices.Notify(ctx, tx, d.User.ID, catalog.DepositExpired, catalog.Params{
		"amount": d.ClaimedAmount.String(), "transactionId": d.TransactionID,
	}, depositLink(d.ID))
}
