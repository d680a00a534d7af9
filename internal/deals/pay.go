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
	r := moneyRequest{kind: jobs.KindDealPay, actor: actor, id: id, params: struct{}{}, key: key}
	return s.request(ctx, r, func(ctx context.Context, tx *postgres.Tx, d Deal) error {
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
	if err := payable(d, op.ActorID); err != nil {
		return nil, err
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
	d.Status, d.ActivatedAt = Active, &now
	// Help that was asked for before there was a clock stops it from the start.
	waits, err := anySupportOpen(ctx, tx, d.ID)
	if err != nil {
		return nil, err
	}
	if waits {
		d.FrozenAt = &now
	}
	s.Events.WalletUpdated(tx, d.Buyer.ID)
	return Result{MessageActivated}, s.apply(ctx, tx, d, change{
		actor: op.ActorID, line: texts.LinePaid, notices: []notice{{d.Seller.ID, texts.DealPaid}},
	})
}

// moneyRequest is what is asked for of a deal's money.
type moneyRequest struct {
	kind   string
	actor  uuid.UUID // uuid.Nil: the clock
	id     uuid.UUID // of the deal
	params any
	key    *operations.Key
	admin  bool // the caller has checked that the actor is an admin: he need not be a party
}

// request asks for an operation on a deal; check sees the deal as it stands.
func (s *Service) request(
	ctx context.Context, r moneyRequest, check func(ctx context.Context, tx *postgres.Tx, d Deal) error,
) (operations.Operation, error) {
	opID, err := uuid.NewV7()
	if err != nil {
		return operations.Operation{}, err
	}
	asked := operations.Request{
		ID: opID, Kind: r.kind, Subject: operations.Deal(r.id), ActorID: r.actor, Params: r.params, Key: r.key,
	}
	return s.Operations.Request(ctx, asked, func(ctx context.Context, tx *postgres.Tx) error {
		d, err := getDeal(ctx, tx, r.id, s.Clock.Now())
		if err != nil {
			return err
		}
		if !r.admin && r.actor != uuid.Nil && !d.IsParty(r.actor) {
			return errNotFound()
		}
		return check(ctx, tx, d)
	})
}

func (s *Service) lockForSettling(ctx context.Context, tx *postgres.Tx, op operations.Operation) (Deal, error) {
	id, err := op.SubjectID()
	if err != nil {
		return Deal{}, err
	}
	return lockDeal(ctx, tx, id, s.Clock.Now())
}
