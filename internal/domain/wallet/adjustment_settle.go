package wallet

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/ledger"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
)

// SettleAdjust posts a confirmed correction. If it refuses, it returns a *fault.Error and changes
// nothing. It does not rely on the checks of the api.
func (s *Settler) SettleAdjust(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
	admin, err := op.UserID()
	if err != nil {
		return nil, err
	}
	id, err := op.SubjectID()
	if err != nil {
		return nil, err
	}
	a, err := lockAdjustment(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	if a.User.Closed, err = lockAccount(ctx, tx, a.User.ID); err != nil {
		return nil, err
	}
	if err := a.checkConfirm(ctx, tx, admin); err != nil {
		return nil, err
	}
	now := s.Clock.Now()
	if err := postAdjustment(ctx, tx, a, op, now); err != nil {
		return nil, err
	}
	a.Status = AdjustmentConfirmed
	if err := setAdjustmentDecided(ctx, tx, a, op.Actor, now); err != nil {
		return nil, err
	}
	if err := s.recordAdjustment(ctx, tx, op.Actor, "adjustment.confirm", a); err != nil {
		return nil, err
	}
	return operations.Result{Outcome: OutcomeAdjustmentConfirmed}, s.notifyCorrected(ctx, tx, a)
}

func postAdjustment(ctx context.Context, tx *postgres.Tx, a Adjustment, op operations.Operation, now time.Time) error {
	leg := ledger.Move(ledger.Corrections(), ledger.Wallet(a.User.ID), a.Amount)
	if a.Amount < 0 {
		leg = ledger.Move(ledger.Wallet(a.User.ID), ledger.Corrections(), -a.Amount)
	}
	err := ledger.Post(ctx, tx, ledger.Transfer{
		Key: ledger.BalanceAdjust.Key(a.ID), Kind: op.Kind, Legs: []ledger.Leg{leg}, Actor: op.Actor, Reason: a.Reason, At: now,
	})
	var insufficient *ledger.InsufficientError
	if errors.As(err, &insufficient) {
		return errDebitTooLarge(insufficient.Shortfall)
	}
	return err
}

func (s *Service) notifyCorrected(ctx context.Context, tx *postgres.Tx, a Adjustment) error {
	s.Events.WalletUpdated(tx, a.User.ID)
	s.Events.QueueChanged(tx, realtime.QueueAdjustments, a.ID)
	kind := catalog.BalanceCredited
	if a.Amount < 0 {
		kind = catalog.BalanceDebited
	}
	return s.Notices.Notify(ctx, tx, a.User.ID, kind, catalog.Params{
		"amount": max(a.Amount, -a.Amount).String(), "reason": a.Reason,
	}, balancePage)
}

// ExpireAdjustments expires the open corrections whose time is over and returns how many. One that
// is being confirmed is left alone. Any number of workers may run it concurrently.
func (s *Settler) ExpireAdjustments(ctx context.Context) (int, error) {
	total := 0
	for {
		due, expired, err := s.expireAdjustments(ctx)
		total += expired
		if err != nil || due < expireBatch || expired == 0 {
			return total, err
		}
	}
}

func (s *Settler) expireAdjustments(ctx context.Context) (due, expired int, err error) {
	err = postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		now := s.Clock.Now()
		ids, err := lockDueAdjustments(ctx, tx, now, expireBatch)
		if err != nil {
			return err
		}
		// In a later statement than the locks: a confirmation may have committed in between.
		subjects := make([]string, len(ids))
		for i, id := range ids {
			subjects[i] = operations.Adjustment(id)
		}
		busy, err := operations.PendingOnAll(ctx, tx, subjects)
		if err != nil {
			return err
		}
		due, expired = len(ids), 0
		for i, id := range ids {
			if _, confirming := busy[subjects[i]]; confirming {
				continue
			}
			if err := s.expireAdjustment(ctx, tx, id, now); err != nil {
				return err
			}
			expired++
		}
		return nil
	})
	return due, expired, err
}

func (s *Settler) expireAdjustment(ctx context.Context, tx *postgres.Tx, id uuid.UUID, now time.Time) error {
	s.Events.QueueChanged(tx, realtime.QueueAdjustments, id)
	return setAdjustmentDecided(ctx, tx, Adjustment{ID: id, Status: AdjustmentExpired}, actor.System(), now)
}
