package wallet

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/ledger"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
)

// SettleApprove credits the deposit. If it refuses, it returns a *fault.Error and changes nothing.
// It does not rely on the checks of the api.
func (s *Settler) SettleApprove(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
	var p approvalParams
	if err := op.Decode(&p); err != nil {
		return nil, err
	}
	admin, err := op.UserID()
	if err != nil {
		return nil, err
	}
	id, err := op.SubjectID()
	if err != nil {
		return nil, err
	}
	d, err := lockDeposit(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	if err := d.entry().checkSettle(admin); err != nil {
		return nil, err
	}
	w, err := s.checkCredit(ctx, tx, d.Deposit, Approval{Amount: p.Amount, UserID: d.User.ID, Reason: p.Reason})
	if err != nil {
		return nil, err
	}
	if err := checkRate(ctx, tx, d.Rate, true, d.CreatedAt); err != nil {
		return nil, err
	}
	if err := s.checkSecondAdmin(ctx, tx, admin, p); err != nil {
		return nil, err
	}
	if err := checkNotCredited(ctx, tx, d.Deposit); err != nil {
		return nil, err
	}
	return operations.Result{Outcome: OutcomeDepositApproved}, s.credit(ctx, tx, d, op, admin, p, w)
}

// credit books the deposit at the rate of w, and notifies the user.
func (s *Service) credit(
	ctx context.Context, tx *postgres.Tx, d QueuedDeposit, op operations.Operation, admin uuid.UUID, p approvalParams, w worth,
) error {
	now := s.Clock.Now()
	d.Amount, d.Rate, d.Status, d.HandledAt = p.Amount, w.rate, DepositCompleted, &now
	var err error
	if d.ConvertedAmount, err = money.Convert(d.Amount, d.Rate); err != nil {
		return err
	}
	if p.Reason != "" {
		d.Reason = &p.Reason
	}
	if err := postDeposit(ctx, tx, d, op); err != nil {
		return err
	}
	if err := setDepositCredited(ctx, tx, d.Deposit, admin); err != nil {
		return err
	}
	if err := s.record(ctx, tx, admin, "deposit.approve", operations.Deposit(d.ID), depositDetails(d, p.ProposedBy)); err != nil {
		return err
	}
	s.Events.WalletUpdated(tx, d.User.ID)
	s.Events.QueueChanged(tx, realtime.QueueDeposits, d.ID)
	return s.notifyCredited(ctx, tx, d, w)
}

func postDeposit(ctx context.Context, tx *postgres.Tx, d QueuedDeposit, op operations.Operation) error {
	mobile, err := ledger.Mobile(d.Method)
	if err != nil {
		return err
	}
	return ledger.Post(ctx, tx, ledger.Transfer{
		Key:  ledger.DepositApprove.Key(d.ID),
		Kind: op.Kind,
		Legs: []ledger.Leg{
			ledger.MoveBDT(mobile, ledger.ExchangeBDT(), d.ConvertedAmount),
			ledger.Move(ledger.ExchangeUSD(), ledger.Wallet(d.User.ID), d.Amount),
		},
		Actor: op.Actor,
		At:    *d.HandledAt,
	})
}

func (s *Service) notifyCredited(ctx context.Context, tx *postgres.Tx, d QueuedDeposit, w worth) error {
	kind, params, link := catalog.DepositApproved, catalog.Params{"amount": d.Amount.String()}, depositLink(d.ID)
	if d.DealID != nil {
		kind, link = catalog.DepositApprovedForDeal, "/deal/"+d.DealID.String()
	}
	switch {
	case d.Amount == d.ClaimedAmount:
	case d.Reason == nil && w.recounted:
		kind = catalog.DepositRecounted
		params["claimed"] = d.ClaimedAmount.String()
	default:
		kind = catalog.DepositChanged
		params["claimed"], params["reason"] = d.ClaimedAmount.String(), deref(d.Reason)
	}
	return s.Notices.Notify(ctx, tx, d.User.ID, kind, params, link)
}
