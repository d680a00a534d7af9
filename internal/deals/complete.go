package deals

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/ledger"
	"amanat/internal/operations"
	"amanat/internal/postgres"
	"amanat/internal/texts"
	"amanat/queue/jobs"
)

// RequestComplete asks to release the escrow: the price less the fee to the seller, the fee to the provider. Codes: NotFound, Forbidden
// for the seller, Conflict when the deal is not open or another operation is pending.
func (s *Service) RequestComplete(ctx context.Context, actor, id uuid.UUID, key *operations.Key) (operations.Operation, error) {
	return s.request(ctx, jobs.KindDealComplete, actor, id, key, func(_ context.Context, _ *postgres.Tx, d Deal) error {
		return completable(d, actor)
	})
}

func completable(d Deal, actor uuid.UUID) error {
	if actor != d.Buyer.ID {
		return errForbidden("buyer")
	}
	if !d.Status.Open() {
		return errState("completed", d)
	}
	return nil
}

// SettleComplete releases the escrow and closes the deal, or refuses with a *fault.Error and has changed nothing.
func (s *Service) SettleComplete(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
	locked, err := s.lockForSettling(ctx, tx, op)
	if err != nil {
		return nil, err
	}
	d := locked.Deal
	if err := completable(d, op.ActorID); err != nil {
		return nil, err
	}
	escrow := ledger.Escrow(d.ID)
	err = ledger.Post(ctx, tx, ledger.Transfer{
		Key:  closeKey(d.ID),
		Kind: op.Kind,
		Legs: []ledger.Leg{
			ledger.Move(escrow, ledger.Wallet(d.Seller.ID), d.Payout()),
			ledger.Move(escrow, ledger.Fees(), d.Fee),
		},
		Actor: op.ActorID,
		At:    s.Clock.Now(),
	})
	if err != nil {
		return nil, err
	}
	now := s.Clock.Now()
	if err := setCompleted(ctx, tx, d.ID, now); err != nil {
		return nil, err
	}
	d.Status, d.ClosedAt, d.CancellationRequested = Completed, &now, false
	s.walletChanged(tx, d.Seller.ID)
	return Result{MessageCompleted}, s.record(ctx, tx, d, change{
		actor: op.ActorID, line: texts.LineCompleted,
		notice: texts.DealCompleted, to: d.Seller.ID,
	})
}

// closeKey is shared by everything that empties a deal's escrow, so that only one of them can ever happen.
func closeKey(id uuid.UUID) string { return "deal:" + id.String() + ":close" }
