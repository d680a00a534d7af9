package wallet

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/ledger"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

const balancePage = "/balance"

// RequestCancel requests to return the held amount to the wallet of the owner, who no longer wants
// the withdrawal. A withdrawal that the owner has already cancelled is returned as it is. Codes:
// NotFound for other users, Conflict until fifteen minutes after an admin has claimed the
// withdrawal, if it is handled, or while another operation on it is pending.
func (s *Service) RequestCancel(ctx context.Context, owner, id uuid.UUID, key *idempotency.Key) (operations.Operation, error) {
	opID, err := uuid.NewV7()
	if err != nil {
		return operations.Operation{}, err
	}
	r := operations.Request{
		ID: opID, Kind: jobs.KindWithdrawalCancel, Subject: operations.Withdrawal(id), Actor: actor.User(owner), Key: key,
		Params: struct{}{},
	}
	return s.Operations.Request(ctx, r, func(ctx context.Context, tx *postgres.Tx) error {
		w, err := lockWithdrawal(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := w.requirePendingOf(owner); err != nil {
			return err
		}
		if w.Claim != nil && s.Clock.Now().Before(w.Claim.Until.Add(sendingFor-claimFor)) {
			return fault.New(fault.Conflict, "withdrawal_claimed", "An admin may have sent this withdrawal. Please try again in a few minutes.")
		}
		return nil
	})
}

// requirePendingOf fails if the user is not the owner (NotFound) or the withdrawal is not pending
// (Conflict). It does not check claims: no row can be claimed while an operation on it is pending.
func (w QueuedWithdrawal) requirePendingOf(owner uuid.UUID) error {
	switch {
	case w.User.ID != owner:
		return errNoWithdrawal()
	case w.Status != WithdrawalPending:
		return errWithdrawalHandled()
	}
	return nil
}

func errWithdrawalHandled() error {
	return fault.New(fault.Conflict, "withdrawal_handled", "This withdrawal has been handled already.")
}

// SettleCancel moves the held amount back to the owner's wallet. If it refuses, it returns a
// *fault.Error and changes nothing.
func (s *Settler) SettleCancel(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
	owner, err := op.UserID()
	if err != nil {
		return nil, err
	}
	id, err := op.SubjectID()
	if err != nil {
		return nil, err
	}
	w, err := lockWithdrawal(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	if err := w.requirePendingOf(owner); err != nil {
		return nil, err
	}
	now := s.Clock.Now()
	err = ledger.Post(ctx, tx, ledger.Transfer{
		Key:   ledger.WithdrawalSettle.Key(id), // shared with the other ways to settle
		Kind:  op.Kind,
		Legs:  []ledger.Leg{ledger.Move(ledger.Hold(id), ledger.Wallet(w.User.ID), w.Amount)},
		Actor: op.Actor,
		At:    now,
	})
	if err != nil {
		return nil, err
	}
	if err := setWithdrawalCancelled(ctx, tx, id, now); err != nil {
		return nil, err
	}
	return operations.Result{Outcome: OutcomeWithdrawalCancelled}, s.notifyOwner(ctx, tx, w.Withdrawal, catalog.WithdrawalCancelled)
}

// RequireOwner fails with NotFound unless the withdrawal is the user's.
func (s *Service) RequireOwner(ctx context.Context, owner, id uuid.UUID) error {
	w, err := getWithdrawal(ctx, s.DB, id)
	if err == nil && w.User.ID != owner {
		return errNoWithdrawal()
	}
	return err
}

// Confirm ends the hold of a withdrawal after its owner has followed the emailed link or proved the
// second factor, in the transaction that uses up the link or the proof. It is idempotent. Codes:
// NotFound for other users, Conflict if the withdrawal is no longer pending, or is disowned.
func (s *Service) Confirm(ctx context.Context, tx *postgres.Tx, owner, id uuid.UUID) error {
	w, err := lockWithdrawal(ctx, tx, id)
	if err != nil {
		return err
	}
	if err := w.requirePendingOf(owner); err != nil {
		return err
	}
	if w.DisownedAt != nil {
		return fault.New(fault.Conflict, "withdrawal_disowned_by_you",
			"You said that this withdrawal was not yours, so it is never sent. Please cancel it and ask for another.")
	}
	if w.ConfirmedAt != nil {
		return nil
	}
	if err := setWithdrawalConfirmed(ctx, tx, id, s.Clock.Now()); err != nil {
		return err
	}
	return s.notifyOwner(ctx, tx, w.Withdrawal, catalog.WithdrawalConfirmed)
}

// Disown marks all pending withdrawals of an owner who reports that their account was taken over,
// in the transaction that locks out the intruder. Unless an admin has sent them by then, they are
// never sent: admins reject them, or the owner cancels them. It is idempotent.
func (s *Service) Disown(ctx context.Context, tx *postgres.Tx, owner uuid.UUID) error {
	if err := lockWithdrawalsOf(ctx, tx, owner); err != nil {
		return err
	}
	ids, err := setDisowned(ctx, tx, owner, s.Clock.Now())
	if err != nil {
		return err
	}
	for _, id := range ids {
		s.Events.QueueChanged(tx, realtime.QueueWithdrawals, id)
	}
	if len(ids) > 0 {
		s.Events.WalletUpdated(tx, owner)
	}
	return nil
}

// notifyOwner notifies the owner of a change of a withdrawal and publishes the change to every
// screen that shows it.
func (s *Service) notifyOwner(ctx context.Context, tx *postgres.Tx, w Withdrawal, kind catalog.Kind) error {
	s.Events.WalletUpdated(tx, w.User.ID)
	s.Events.QueueChanged(tx, realtime.QueueWithdrawals, w.ID)
	return s.Notices.Notify(ctx, tx, w.User.ID, kind, w.params(), balancePage)
}

// notifyCreated notifies the owner of a new withdrawal, also by email, so that the owner learns of
// one that an intruder has made.
func (s *Service) notifyCreated(ctx context.Context, tx *postgres.Tx, w QueuedWithdrawal) error {
	kind, letters := catalog.WithdrawalRequested, []string{jobs.LetterWithdrawalRequested}
	if w.HeldUntil != nil {
		kind, letters = catalog.WithdrawalHeld, append(letters, jobs.LetterWithdrawalConfirm)
		if !w.Facts.Verified { // no email is sent to an unverified address
			kind = catalog.WithdrawalVerify
		}
	}
	for _, letter := range letters {
		if _, err := s.Jobs.InsertTx(ctx, tx, jobs.WithdrawalMail{WithdrawalID: w.ID, Letter: letter}, nil); err != nil {
			return err
		}
	}
	return s.Notices.Notify(ctx, tx, w.User.ID, kind, w.params(), balancePage)
}

// MailConfirmations enqueues the emails with the links that end the holds of a user's withdrawals.
// It is called when the user has just verified the email address: no link was sent before.
func (s *Service) MailConfirmations(ctx context.Context, userID uuid.UUID) error {
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		ids, err := listOnHold(ctx, tx, userID, s.Clock.Now())
		if err != nil {
			return err
		}
		for _, id := range ids {
			job := jobs.WithdrawalMail{WithdrawalID: id, Letter: jobs.LetterWithdrawalConfirm}
			if _, err := s.Jobs.InsertTx(ctx, tx, job, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// Letter is the content of an email about a withdrawal.
type Letter struct {
	Owner   uuid.UUID
	Params  catalog.Params
	Reasons []catalog.Kind // why it is held
}

// LetterOf returns the content of an email about a withdrawal, and whether the email should still
// be sent. It is for workers. Code NotFound.
func (s *Settler) LetterOf(ctx context.Context, id uuid.UUID, letter string) (Letter, bool, error) {
	w, err := getWithdrawal(ctx, s.DB, id)
	if err != nil {
		return Letter{}, false, err
	}
	l := Letter{Owner: w.User.ID, Params: w.params()}
	kinds := map[HoldReason]catalog.Kind{
		NewNumber: catalog.HeldNewNumber, PasswordReset: catalog.HeldPasswordReset, NewBrowser: catalog.HeldNewBrowser,
		FactorReset: catalog.HeldFactorReset, EmailChanged: catalog.HeldEmailChanged, FactorAdded: catalog.HeldFactorAdded,
	}
	for _, reason := range w.HeldReasons {
		l.Reasons = append(l.Reasons, kinds[reason])
	}
	return l, letter == jobs.LetterWithdrawalRequested || w.onHold(s.Clock.Now()), nil
}

// params returns the params of notifications and emails about a withdrawal.
func (w Withdrawal) params() catalog.Params {
	p := catalog.Params{
		"amount": w.Amount.String(), "taka": w.ConvertedAmount.String(), "method": w.Method, "phone": w.PhoneNumber,
		"at": w.RequestedAt.Format(time.RFC3339),
	}
	if w.HeldUntil != nil {
		p["until"] = w.HeldUntil.Format(time.RFC3339)
	}
	return p
}
