package deals

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/ledger"
	"amanat/internal/money/operations"
	"amanat/queue/jobs"
)

// completer says on whose authority a deal is completed.
type completer string

const (
	byBuyer completer = "buyer"
	byAdmin completer = "admin"
	byClock completer = "clock"
)

type completeParams struct {
	By completer `json:"by"`
}

// RequestComplete requests the release of the escrow: the price less the fee to the seller, the fee
// to the provider. Codes: NotFound, Forbidden for the seller and for a buyer whose money is on
// hold, Conflict if the deal is not open or another operation is pending.
func (s *Service) RequestComplete(ctx context.Context, userID, id uuid.UUID, key *idempotency.Key) (operations.Operation, error) {
	return s.requestComplete(ctx, actor.User(userID), id, byBuyer, key)
}

func (s *Service) requestComplete(
	ctx context.Context, actor actor.Actor, id uuid.UUID, by completer, key *idempotency.Key,
) (operations.Operation, error) {
	r := moneyRequest{kind: jobs.KindDealComplete, actor: actor, id: id, params: completeParams{by}, key: key, admin: by == byAdmin}
	return s.requestOnDeal(ctx, r, func(_ context.Context, d Deal) error { return s.completable(d, actor, by) })
}

// completable returns an error if the deal's state or the actor's role does not allow the
// completion. For byAdmin, the caller has checked that the actor is an admin.
func (s *Service) completable(d Deal, actor actor.Actor, by completer) error {
	switch by {
	case byBuyer:
		if !actor.Is(d.Buyer.ID) {
			return errBuyerOnly()
		}
	case byAdmin:
		if userID, isUser := actor.UserID(); !isUser || d.IsParty(userID) {
			return errOwnDeal()
		}
	case byClock:
		if _, isUser := actor.UserID(); isUser {
			return errUnknownRequest()
		}
	default:
		return errUnknownRequest()
	}
	switch {
	case !d.Status.Open():
		return errState("completed", d)
	case by == byAdmin && d.Ruled:
		return errRuled()
	case by == byBuyer && d.buyerLocked():
		return errLocked(d)
	case by == byClock && (d.buyerLocked() || !d.isDue(ActionComplete, s.Clock.Now())):
		return errNotYet()
	}
	return nil
}

// SettleComplete releases the escrow and closes the deal. If it fails with a *fault.Error, it has
// changed nothing.
func (s *Settler) SettleComplete(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
	var p completeParams
	if err := json.Unmarshal(op.Params, &p); err != nil {
		return nil, fmt.Errorf("params: %w", err)
	}
	locked, err := lockedFor(tx, op)
	if err != nil {
		return nil, err
	}
	d := locked.Deal
	if err := s.completable(d, op.Actor, p.By); err != nil {
		return nil, err
	}
	rewards, err := s.Rewards.Owe(ctx, tx, d.ID, d.Buyer.ID, d.Seller.ID, d.Price, d.Fee)
	if err != nil {
		return nil, err
	}
	escrow := ledger.Escrow(d.ID)
	now := s.Clock.Now()
	err = ledger.PostAtCommit(ctx, tx, ledger.Transfer{
		Key:  ledger.DealClose.Key(d.ID),
		Kind: op.Kind,
		Legs: []ledger.Leg{
			ledger.Move(escrow, ledger.Wallet(d.Seller.ID), d.Payout()),
			ledger.Move(escrow, ledger.Fees(), d.Fee-rewards),
			ledger.Move(escrow, ledger.ReferralPayable(), rewards),
		},
		Actor: op.Actor,
		At:    now,
	}, nil)
	if err != nil {
		return nil, err
	}
	if p.By == byAdmin {
		if err := s.audited(ctx, tx, op.Actor, "deal.complete", d); err != nil {
			return nil, err
		}
	}
	d.Status, d.ClosedAt, d.CloseReason = Completed, &now, ReasonCompleted
	s.Events.WalletUpdated(tx, d.Seller.ID)
	return operations.Result{Outcome: OutcomeCompleted}, s.apply(ctx, tx, d, completedChange(d, op.Actor, p.By))
}

func completedChange(d Deal, actor actor.Actor, by completer) change {
	switch by {
	case byAdmin:
		return change{actor: actor, line: catalog.LineAdminCompleted, notices: []notice{
			{d.Buyer.ID, catalog.DealAdminCompleted}, {d.Seller.ID, catalog.DealAdminCompleted},
		}}
	case byClock:
		return change{actor: actor, line: catalog.LineClockCompleted, notices: []notice{
			{d.Buyer.ID, catalog.DealClockCompleted}, {d.Seller.ID, catalog.DealClockCompleted},
		}}
	case byBuyer:
	}
	return change{actor: actor, line: catalog.LineCompleted, notices: []notice{
		{d.Seller.ID, catalog.DealCompleted}, {d.Buyer.ID, catalog.ReleaseMade},
	}}
}

func errNotYet() error { return fault.New(fault.Conflict, "too_early", "It is not yet time for this.") }

// errUnknownRequest rejects a completer or a reason that may not be requested.
func errUnknownRequest() error {
	return fault.New(fault.Forbidden, "request_unknown", "This cannot be asked for.")
}
