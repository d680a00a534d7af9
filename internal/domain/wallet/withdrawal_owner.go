package wallet

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/money/idempotency"
	"amanat/internal/money/ledger"
	"amanat/internal/money/operations"
	"amanat/internal/platform/actor"
	"amanat/internal/platform/catalog"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
	"amanat/internal/queue/jobs"
	"amanat/internal/realtime"
)

const balancePage = "/balance"

// RequestCancel asks to give the held amount back to the wallet of the owner, who does not want the withdrawal any more. Codes: NotFound for
// anybody but the owner, Conflict when an admin is working on it, when it is handled, and while another action on it is being processed.
// What the owner has cancelled is answered as it is.
func (s *Service) RequestCancel(ctx context.Context, owner, id uuid.UUID, key *idempotency.Key) (operations.Operation, error) {
	opID, err := uuid.NewV7()
	if err != nil {
		return operations.Operation{}, err
	}
	r := operations.Request{
		ID: opID, Kind: jobs.KindWithdrawalCancel, Subject: operations.Withdrawal(id), Actor: actor.User(owner), Key: key, Params: struct{}{},
	}
	return s.Operations.Request(ctx, r, func(ctx context.Context, tx *postgres.Tx) error {
		w, err := lockWithdrawal(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := w.requirePendingOf(owner); err != nil {
			return err
		}
		if w.Claim != nil && s.Clock.Now().Before(w.Claim.Until) { // the admin may be sending the money at this moment
			return fault.New(fault.Conflict, "An admin is working on this withdrawal. Please try again in a few minutes.")
		}
		return nil
	})
}

// requirePendingOf refuses anybody but the owner, and a withdrawal that is not pending. Settling checks no claim: none is given while an operation
// is pending.
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
	return fault.New(fault.Conflict, "This withdrawal has been handled already.")
}

// SettleCancel moves the hold back to the owner's wallet, or refuses with a *fault.Error and has changed nothing.
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
		Key:   ledger.WithdrawalSettle.Key(id), // shared with sending and rejecting: they exclude each other
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
	return operations.Result{Message: MessageWithdrawalCancelled}, s.tell(ctx, tx, w.Withdrawal, catalog.WithdrawalCancelled)
}

// Confirm ends the hold of a withdrawal whose owner has followed the mailed link, in the transaction that uses up the link. It may be called
// again. Codes: NotFound for anybody but the owner, Conflict when the withdrawal is not pending any more, or is disowned.
func (s *Service) Confirm(ctx context.Context, tx *postgres.Tx, owner, id uuid.UUID) error {
	w, err := lockWithdrawal(ctx, tx, id)
	if err != nil {
		return err
	}
	if err := w.requirePendingOf(owner); err != nil {
		return err
	}
	if w.DisownedAt != nil {
		return fault.New(fault.Conflict, "You said that this withdrawal was not yours, so it is never sent. Please cancel it and ask for another.")
	}
	if w.ConfirmedAt != nil {
		return nil
	}
	if err := setWithdrawalConfirmed(ctx, tx, id, s.Clock.Now()); err != nil {
		return err
	}
	return s.tell(ctx, tx, w.Withdrawal, catalog.WithdrawalConfirmed)
}

// Disown marks all pending withdrawals of an owner who says that somebody else has got into the account, in the transaction that stops
// whoever it was. They are never sent: admins reject them, or the owner cancels them. It may be called again.
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

// tell tells the owner of a change of a withdrawal, and every open screen that shows it.
func (s *Service) tell(ctx context.Context, tx *postgres.Tx, w Withdrawal, kind catalog.Kind) error {
	s.Events.WalletUpdated(tx, w.User.ID)
	s.Events.QueueChanged(tx, realtime.QueueWithdrawals, w.ID)
	return s.Notices.Notify(ctx, tx, w.User.ID, kind, w.params(), balancePage)
}

// tellOwner tells the owner of a withdrawal that was just made, by mail too: whoever else has got into the account is found out.
func (s *Service) tellOwner(ctx context.Context, tx *postgres.Tx, w QueuedWithdrawal) error {
	kind, letters := catalog.WithdrawalRequested, []string{jobs.LetterWithdrawalRequested}
	if w.HeldUntil != nil {
		kind, letters = catalog.WithdrawalHeld, append(letters, jobs.LetterWithdrawalConfirm)
		if !w.Facts.Verified { // to whom nothing is mailed
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

// MailConfirmations has the links mailed that end the holds of a user's withdrawals. It is for who has just verified the address: before,
// none was sent.
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

// Letter is what a mail about a withdrawal says of it.
type Letter struct {
	Owner   uuid.UUID
	Params  catalog.Params
	Reasons []catalog.Kind // why it is held
}

// LetterOf returns what a letter says, and whether there is still a reason to send it. It is for workers. Code NotFound.
func (s *Settler) LetterOf(ctx context.Context, id uuid.UUID, letter string) (Letter, bool, error) {
	w, err := getWithdrawal(ctx, s.DB, id)
	if err != nil {
		return Letter{}, false, err
	}
	l := Letter{Owner: w.User.ID, Params: w.params()}
	kinds := map[HoldReason]catalog.Kind{
		NewNumber: catalog.HeldNewNumber, PasswordReset: catalog.HeldPasswordReset, NewBrowser: catalog.HeldNewBrowser,
	}
	for _, reason := range w.HeldReasons {
		l.Reasons = append(l.Reasons, kinds[reason])
	}
	return l, letter == jobs.LetterWithdrawalRequested || w.waits(s.Clock.Now()), nil
}

// params are what notices and letters say of a withdrawal.
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
