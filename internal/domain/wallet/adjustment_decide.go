package wallet

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// ConfirmAdjustment requests the posting of a correction that somebody else has proposed. Codes:
// NotFound, Forbidden for the admin's own wallet or proposal, AlreadyHandled, InsufficientBalance
// if a debit exceeds the balance, Conflict if the correction has expired, its proposer is no admin
// any more, the account is closed, or it is being confirmed.
func (s *Service) ConfirmAdjustment(ctx context.Context, admin, id uuid.UUID, key *idempotency.Key) (operations.Operation, error) {
	opID, err := uuid.NewV7()
	if err != nil {
		return operations.Operation{}, err
	}
	r := operations.Request{
		ID: opID, Kind: jobs.KindBalanceAdjust, Subject: operations.Adjustment(id), Actor: actor.User(admin), Key: key,
		Params: struct{}{},
	}
	return s.Operations.Request(ctx, r, func(ctx context.Context, tx *postgres.Tx) error {
		a, err := lockAdjustment(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := a.checkConfirm(ctx, tx, admin); err != nil {
			return err
		}
		if !s.Clock.Now().Before(a.ExpiresAt) {
			return fault.New(fault.Conflict, "adjustment_expired", "This correction was not confirmed in time. Propose it again.")
		}
		s.Events.QueueChanged(tx, realtime.QueueAdjustments, id)
		return checkCoversDebit(ctx, tx, a.User.ID, a.Amount)
	})
}

// checkConfirm checks what must be true when a correction is confirmed, and when it settles. It
// leaves out the expiry: what was confirmed in time is carried out.
func (a *Adjustment) checkConfirm(ctx context.Context, tx *postgres.Tx, admin uuid.UUID) error {
	if err := a.checkDecide(admin); err != nil {
		return err
	}
	if a.User.Closed {
		return fault.New(fault.Conflict, "adjustment_account_closed", "The account has been closed.")
	}
	if a.ProposedBy == nil {
		return nil
	}
	is, err := isAdmin(ctx, tx, a.ProposedBy.ID)
	if err == nil && !is {
		err = fault.New(fault.Conflict, "adjustment_proposer_gone", "Whoever proposed this correction is no admin any more. Propose it again.")
	}
	return err
}

// checkDecide fails if the admin is the user or the proposer (Forbidden), or if the correction is
// not open any more (AlreadyHandled).
func (a *Adjustment) checkDecide(admin uuid.UUID) error {
	if err := a.checkOther(admin); err != nil {
		return err
	}
	return a.entry().checkSettle(admin)
}

// checkOther fails if the admin is the user or the proposer (Forbidden).
func (a *Adjustment) checkOther(admin uuid.UUID) error {
	switch {
	case a.User.ID == admin:
		return a.entry().checkSettle(admin)
	case a.proposedBy(admin):
		return fault.New(fault.Forbidden, "adjustment_own", "You proposed this correction. Another admin has to decide it.")
	}
	return nil
}

// RejectAdjustment rejects a correction that somebody else has proposed. Codes: NotFound, Forbidden
// for the admin's own wallet or proposal, Invalid without a reason, AlreadyHandled, Conflict while
// it is being confirmed.
func (s *Service) RejectAdjustment(ctx context.Context, admin, id uuid.UUID, reason string) (Adjustment, error) {
	reason = trimReason(reason)
	return s.endAdjustment(ctx, admin, id, "adjustment.reject", func(a *Adjustment) error {
		if err := a.checkOther(admin); err != nil {
			return err
		}
		if reason == "" {
			return fault.Field("reason", "rejection_reason_missing", "Write why you reject this correction.")
		}
		if err := checkReason(reason); err != nil {
			return err
		}
		err := a.entry().checkSettle(admin)
		a.Status, a.Decision = AdjustmentRejected, &reason
		return err
	})
}

// WithdrawAdjustment withdraws the admin's own proposal. Codes: NotFound, Forbidden for a proposal
// of somebody else, AlreadyHandled, Conflict while it is being confirmed.
func (s *Service) WithdrawAdjustment(ctx context.Context, admin, id uuid.UUID) (Adjustment, error) {
	return s.endAdjustment(ctx, admin, id, "adjustment.withdraw", func(a *Adjustment) error {
		if !a.proposedBy(admin) {
			return fault.New(fault.Forbidden, "adjustment_of_another", "Only the admin who proposed this correction can withdraw it.")
		}
		err := a.entry().checkSettle(admin)
		a.Status = AdjustmentWithdrawn
		return err
	})
}

// endAdjustment ends an open correction without a posting: end checks it and sets its outcome.
func (s *Service) endAdjustment(
	ctx context.Context, admin, id uuid.UUID, action string, end func(a *Adjustment) error,
) (Adjustment, error) {
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		a, err := lockAdjustment(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := end(&a); err != nil {
			return err
		}
		if err := checkNotBusy(ctx, tx, operations.Adjustment(id)); err != nil {
			return err
		}
		if err := setAdjustmentDecided(ctx, tx, a, actor.User(admin), s.Clock.Now()); err != nil {
			return err
		}
		s.Events.QueueChanged(tx, realtime.QueueAdjustments, id)
		return s.recordAdjustment(ctx, tx, actor.User(admin), action, a)
	})
	if err != nil {
		return Adjustment{}, err
	}
	return s.GetAdjustment(ctx, id)
}
