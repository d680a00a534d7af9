package deals

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"amanat/internal/fault"
	"amanat/internal/ledger"
	"amanat/internal/operations"
	"amanat/internal/postgres"
	"amanat/internal/texts"
	"amanat/queue/jobs"
)

// completer is on whose word a deal is completed.
type completer string

const (
	byBuyer completer = "buyer"
	byAdmin completer = "admin"
	byClock completer = "clock"
)

type completeParams struct {
	By completer `json:"by"`
}

// RequestComplete asks to release the escrow: the price less the fee to the seller, the fee to the provider. Codes: NotFound, Forbidden
// for the seller, Conflict when the deal is not open or another operation is pending.
func (s *Service) RequestComplete(ctx context.Context, actor, id uuid.UUID, key *operations.Key) (operations.Operation, error) {
	return s.requestComplete(ctx, actor, id, byBuyer, key)
}

func (s *Service) requestComplete(
	ctx context.Context, actor, id uuid.UUID, by completer, key *operations.Key,
) (operations.Operation, error) {
	r := moneyRequest{kind: jobs.KindDealComplete, actor: actor, id: id, params: completeParams{by}, key: key, admin: by == byAdmin}
	return s.request(ctx, r, func(_ context.Context, _ *postgres.Tx, d Deal) error { return s.completable(d, actor, by) })
}

func (s *Service) completable(d Deal, actor uuid.UUID, by completer) error {
	switch {
	case by == byBuyer && actor != d.Buyer.ID:
		return errForbidden("buyer")
	case by == byAdmin && d.IsParty(actor):
		return errOwnDeal()
	case !d.Status.Open():
		return errState("completed", d)
	case by == byClock && !d.isDue(ActionComplete, s.Clock.Now()):
		return fault.New(fault.Conflict, "It is not yet time for this.")
	}
	return nil
}

// SettleComplete releases the escrow and closes the deal, or refuses with a *fault.Error and has changed nothing.
func (s *Service) SettleComplete(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
	var p completeParams
	if err := json.Unmarshal(op.Params, &p); err != nil {
		return nil, fmt.Errorf("params: %w", err)
	}
	d, err := s.lockForSettling(ctx, tx, op)
	if err != nil {
		return nil, err
	}
	if err := s.completable(d, op.ActorID, p.By); err != nil {
		return nil, err
	}
	rewards, err := s.Rewards.Owe(ctx, tx, d.ID, d.Buyer.ID, d.Seller.ID, d.Price)
	if err != nil {
		return nil, err
	}
	escrow := ledger.Escrow(d.ID)
	now := s.Clock.Now()
	err = ledger.Post(ctx, tx, ledger.Transfer{
		Key:  closeKey(d.ID),
		Kind: op.Kind,
		Legs: []ledger.Leg{
			ledger.Move(escrow, ledger.Wallet(d.Seller.ID), d.Payout()),
			ledger.Move(escrow, ledger.Fees(), d.Fee-rewards),
			ledger.Move(escrow, ledger.ReferralPayable(), rewards),
		},
		Actor: op.ActorID,
		At:    now,
	})
	if err != nil {
		return nil, err
	}
	if p.By == byAdmin {
		if err := s.audited(ctx, tx, op.ActorID, "deal.complete", d); err != nil {
			return nil, err
		}
	}
	d.Status, d.ClosedAt, d.CloseReason = Completed, &now, ReasonCompleted
	s.Events.WalletUpdated(tx, d.Seller.ID)
	return Result{MessageCompleted}, s.apply(ctx, tx, d, completedChange(d, op.ActorID, p.By))
}

func completedChange(d Deal, actor uuid.UUID, by completer) change {
	switch by {
	case byAdmin:
		return change{actor: actor, line: texts.LineAdminCompleted, notices: []notice{
			{d.Buyer.ID, texts.DealAdminCompleted}, {d.Seller.ID, texts.DealAdminCompleted},
		}}
	case byClock:
		return change{actor: actor, line: texts.LineClockCompleted, notices: []notice{
			{d.Buyer.ID, texts.DealClockCompleted}, {d.Seller.ID, texts.DealClockCompleted},
		}}
	case byBuyer:
	}
	return change{actor: actor, line: texts.LineCompleted, notices: []notice{{d.Seller.ID, texts.DealCompleted}}}
}

// closeKey is shared by everything that empties a deal's escrow, so that only one of them can ever happen.
func closeKey(id uuid.UUID) string { return "deal:" + id.String() + ":close" }
