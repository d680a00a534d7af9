package deals

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"amanat/internal/fault"
	"amanat/internal/ledger"
	"amanat/internal/operations"
	"amanat/internal/postgres"
	"amanat/internal/texts"
	"amanat/queue/jobs"
)

// RequestPay asks to move the price from the buyer's wallet into the deal's escrow. Codes: NotFound, Forbidden for the seller,
// InsufficientBalance with the shortfall, Conflict once it is paid by somebody else or while another operation is pending.
func (s *Service) RequestPay(ctx context.Context, actor, id uuid.UUID, key *operations.Key) (operations.Operation, error) {
	return s.request(ctx, jobs.KindDealPay, actor, id, key, func(ctx context.Context, tx *postgres.Tx, d Deal) error {
		if err := payable(d, actor); err != nil {
			return err
		}
		// A plain refusal spares the queue; the worker's answer is the one that counts.
		balance, err := ledger.WalletBalance(ctx, tx, actor)
		if err == nil && balance < d.Price {
			err = errInsufficient(int64(d.Price - balance))
		}
		return err
	})
}

func payable(d Deal, actor uuid.UUID) error {
	if actor != d.Buyer.ID {
		return errForbidden("buyer")
	}
	if d.Status != Pending {
		return errState("paid", d)
	}
	return nil
}

func errInsufficient(shortfall int64) *fault.Error {
	refusal := fault.New(fault.InsufficientBalance, "Insufficient balance")
	refusal.Shortfall = shortfall
	return refusal
}

// SettlePay moves the price into escrow and makes the deal Active, or refuses with a *fault.Error and has changed nothing.
func (s *Service) SettlePay(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
	d, err := s.lockForSettling(ctx, tx, op)
	if err != nil {
		return nil, err
	}
	if err := payable(d.Deal, op.ActorID); err != nil {
		return nil, err
	}
	if d.BuyerDisabled {
		return nil, fault.New(fault.Forbidden, "This account is disabled.")
	}
	err = ledger.Post(ctx, tx, ledger.Transfer{
		Key:   "deal:" + d.ID.String() + ":pay",
		Kind:  op.Kind,
		Legs:  []ledger.Leg{ledger.Move(ledger.Wallet(d.Buyer.ID), ledger.Escrow(d.ID), d.Price)},
		Actor: op.ActorID,
		At:    s.Clock.Now(),
	})
	var insufficient *ledger.InsufficientError
	if errors.As(err, &insufficient) {
		return nil, errInsufficient(int64(insufficient.Shortfall))
	}
	if err != nil {
		return nil, err
	}
	now := s.Clock.Now()
	if err := setActive(ctx, tx, d.ID, now); err != nil {
		return nil, err
	}
	d.Status, d.ActivatedAt = Active, &now
	s.walletChanged(tx, d.Buyer.ID)
	return Result{MessageActivated}, s.record(ctx, tx, d.Deal, change{
		actor: op.ActorID, line: texts.LinePaid,
		notice: texts.DealPaid, to: d.Seller.ID,
	})
}

// request asks for an operation on a deal; check sees the deal as it stands.
func (s *Service) request(
	ctx context.Context, kind string, actor, id uuid.UUID, key *operations.Key,
	check func(ctx context.Context, tx *postgres.Tx, d Deal) error,
) (operations.Operation, error) {
	opID, err := uuid.NewV7()
	if err != nil {
		return operations.Operation{}, err
	}
	r := operations.Request{
		ID: opID, Kind: kind, Subject: operations.Deal(id), ActorID: actor, Params: struct{}{}, Key: key,
	}
	return s.Operations.Request(ctx, r, func(ctx context.Context, tx *postgres.Tx) error {
		d, err := getDeal(ctx, tx, id, s.Clock.Now())
		if err != nil {
			return err
		}
		if !d.IsParty(actor) {
			return errNotFound()
		}
		return check(ctx, tx, d)
	})
}

func (s *Service) lockForSettling(ctx context.Context, tx *postgres.Tx, op operations.Operation) (locked, error) {
	id, err := op.SubjectID()
	if err != nil {
		return locked{}, err
	}
	return lockDeal(ctx, tx, id, s.Clock.Now())
}
