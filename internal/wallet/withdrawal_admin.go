package wallet

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/fault"
	"amanat/internal/ledger"
	"amanat/internal/money"
	"amanat/internal/operations"
	"amanat/internal/postgres"
	"amanat/internal/realtime"
	"amanat/internal/texts"
	"amanat/queue/jobs"
)

func errNoWithdrawal() *fault.Error { return fault.New(fault.NotFound, "Withdrawal not found.") }

func (w QueuedWithdrawal) request() request {
	return request{w.User.ID, w.Status == WithdrawalPending, w.HandledBy, w.HandledAt, w.Claim}
}

// QueueWithdrawals returns withdrawals for admins and how many there are in all, in the order of QueueDeposits. The caller has checked
// that the reader is an admin.
func (s *Service) QueueWithdrawals(ctx context.Context, status WithdrawalStatus, page Page) ([]QueuedWithdrawal, int, error) {
	return s.withdrawalPage(ctx, withdrawalFilter{status: status}, page)
}

func (s *Service) withdrawalPage(ctx context.Context, filter withdrawalFilter, page Page) ([]QueuedWithdrawal, int, error) {
	list, total, err := listWithdrawals(ctx, s.DB, filter, page)
	if err != nil {
		return nil, 0, err
	}
	subjects := make([]string, len(list))
	for i, w := range list {
		subjects[i] = operations.Withdrawal(w.ID)
	}
	pending, err := operations.PendingOnAll(ctx, s.DB, subjects)
	if err != nil {
		return nil, 0, err
	}
	for i := range list {
		if op, ok := pending[subjects[i]]; ok {
			list[i].Operation = &op
		}
	}
	return list, total, nil
}

// GetWithdrawal returns one withdrawal to its owner or an admin, which the caller has checked. Code NotFound, also while its hold has
// not settled.
func (s *Service) GetWithdrawal(ctx context.Context, id uuid.UUID) (QueuedWithdrawal, error) {
	w, err := getWithdrawal(ctx, s.DB, id)
	if err != nil {
		return QueuedWithdrawal{}, err
	}
	op, pending, err := operations.PendingOn(ctx, s.DB, operations.Withdrawal(id))
	if pending {
		w.Operation = &op
	}
	return w, err
}

// ClaimWithdrawal keeps other admins away from a pending withdrawal for five minutes. Claiming again renews it. Codes: NotFound,
// Forbidden for the admin's own, AlreadyHandled.
func (s *Service) ClaimWithdrawal(ctx context.Context, admin, id uuid.UUID) (QueuedWithdrawal, error) {
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		w, err := lockWithdrawal(ctx, tx, id)
		if err != nil {
			return err
		}
		return s.claimWithdrawal(ctx, tx, admin, w)
	})
	if err != nil {
		return QueuedWithdrawal{}, err
	}
	return s.GetWithdrawal(ctx, id)
}

func (s *Service) claimWithdrawal(ctx context.Context, tx *postgres.Tx, admin uuid.UUID, w QueuedWithdrawal) error {
	now := s.Clock.Now()
	if err := w.request().mayHandle(admin, now); err != nil {
		return err
	}
	s.Events.Admins(tx, realtime.QueueWithdrawals, w.ID)
	return setWithdrawalClaim(ctx, tx, w.ID, admin, now.Add(claimFor))
}

// Payout is what an admin says of the money he has sent.
type Payout struct {
	Amount        money.Cents // must equal the request
	TransactionID string      // of the payment method; optional
}

type payoutParams struct {
	TransactionID string `json:"transactionId"`
	Reason        string `json:"reason"`
}

// RequestSend asks to book a withdrawal as paid out, claiming the row. Codes: NotFound, Forbidden for the admin's own, Invalid,
// Duplicate when the payout's transaction id is taken, AlreadyHandled, Conflict also while the user's withdrawals are on hold.
func (s *Service) RequestSend(ctx context.Context, admin, id uuid.UUID, payout Payout, key *operations.Key) (operations.Operation, error) {
	payout.TransactionID = strings.ToUpper(strings.TrimSpace(payout.TransactionID))
	params := payoutParams{TransactionID: payout.TransactionID}
	return s.requestHandling(ctx, jobs.KindWithdrawalSend, admin, id, params, key, payout.validate)
}

func (p Payout) validate(w QueuedWithdrawal) error {
	switch {
	case p.Amount <= 0:
		return fault.Field("amount", textEnterValid)
	case p.Amount != w.Amount:
		return fault.Field("amount", textAmountsDiffer)
	case p.TransactionID != "" && !transactionID.MatchString(p.TransactionID):
		return fault.Field("transactionId", "Invalid transaction ID format. It should be 8-12 alphanumeric characters.")
	}
	return nil
}

// RequestReject asks to give the held amount back to the wallet, claiming the row. Codes: NotFound, Forbidden for the admin's own,
// Invalid, AlreadyHandled, Conflict.
func (s *Service) RequestReject(ctx context.Context, admin, id uuid.UUID, reason string, key *operations.Key) (operations.Operation, error) {
	reason = trimReason(reason)
	return s.requestHandling(ctx, jobs.KindWithdrawalReject, admin, id, payoutParams{Reason: reason}, key,
		func(QueuedWithdrawal) error { return checkReason(reason) })
}

func (s *Service) requestHandling(
	ctx context.Context, kind string, admin, id uuid.UUID, params payoutParams, key *operations.Key, validate func(QueuedWithdrawal) error,
) (operations.Operation, error) {
	opID, err := uuid.NewV7()
	if err != nil {
		return operations.Operation{}, err
	}
	r := operations.Request{
		ID: opID, Kind: kind, Subject: operations.Withdrawal(id), ActorID: admin, Key: key, Params: params,
	}
	return s.Operations.Request(ctx, r, func(ctx context.Context, tx *postgres.Tx) error {
		w, err := lockWithdrawal(ctx, tx, id)
		if err != nil {
			return err
		}
		if w.User.ID == admin {
			return w.request().mayHandle(admin, s.Clock.Now())
		}
		if err := validate(w); err != nil {
			return err
		}
		if err := s.claimWithdrawal(ctx, tx, admin, w); err != nil {
			return err
		}
		if kind == jobs.KindWithdrawalSend {
			return mayLeave(ctx, tx, w, params.TransactionID)
		}
		return nil
	})
}

// mayLeave refuses the payout of who may not withdraw, and one whose transaction id is taken.
func mayLeave(ctx context.Context, tx *postgres.Tx, w QueuedWithdrawal, transaction string) error {
	if w.Held {
		return fault.New(fault.Conflict, "Withdrawals of this user are on hold.")
	}
	return checkPayout(ctx, tx, w, transaction)
}

func checkPayout(ctx context.Context, tx *postgres.Tx, w QueuedWithdrawal, transaction string) error {
	if transaction == "" {
		return nil
	}
	taken, err := payoutTaken(ctx, tx, w.Method, transaction)
	if err == nil && taken {
		duplicate := fault.New(fault.Duplicate, "This transaction ID has already been used.")
		duplicate.Fields = map[string]string{"transactionId": duplicate.Message}
		return duplicate
	}
	return err
}

// SettleSend moves the hold out of the books, or refuses with a *fault.Error and has changed nothing.
func (s *Service) SettleSend(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
	w, p, err := s.lockForHandling(ctx, tx, op)
	if err != nil {
		return nil, err
	}
	if err := mayLeave(ctx, tx, w, p.TransactionID); err != nil {
		return nil, err
	}
	mobile, err := ledger.Mobile(w.Method)
	if err != nil {
		return nil, err
	}
	legs := []ledger.Leg{
		ledger.Move(ledger.Hold(w.ID), ledger.ExchangeUSD(), w.Amount),
		ledger.MoveBDT(ledger.ExchangeBDT(), mobile, w.ConvertedAmount),
	}
	w.Status = WithdrawalCompleted
	if p.TransactionID != "" {
		w.TransactionID = &p.TransactionID
	}
	return s.settleHandling(ctx, tx, op, w, legs, outcome{
		message: MessageWithdrawalSent, action: "withdrawal.send", notice: texts.WithdrawalSent,
	})
}

// SettleReject moves the hold back to the wallet, or refuses with a *fault.Error and has changed nothing.
func (s *Service) SettleReject(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
	w, p, err := s.lockForHandling(ctx, tx, op)
	if err != nil {
		return nil, err
	}
	legs := []ledger.Leg{ledger.Move(ledger.Hold(w.ID), ledger.Wallet(w.User.ID), w.Amount)}
	w.Status = WithdrawalFailed
	if p.Reason != "" {
		w.Reason = &p.Reason
	}
	return s.settleHandling(ctx, tx, op, w, legs, outcome{
		message: MessageWithdrawalRejected, action: "withdrawal.reject", notice: texts.WithdrawalRejected,
	})
}

func (s *Service) lockForHandling(
	ctx context.Context, tx *postgres.Tx, op operations.Operation,
) (w QueuedWithdrawal, p payoutParams, err error) {
	if err := json.Unmarshal(op.Params, &p); err != nil {
		return w, p, fmt.Errorf("params: %w", err)
	}
	id, err := op.SubjectID()
	if err != nil {
		return w, p, err
	}
	if w, err = lockWithdrawal(ctx, tx, id); err != nil {
		return w, p, err
	}
	return w, p, w.request().mayHandle(op.ActorID, s.Clock.Now())
}

// outcome is how the end of a withdrawal is told.
type outcome struct {
	message string
	action  string
	notice  texts.Kind
}

func (s *Service) settleHandling(
	ctx context.Context, tx *postgres.Tx, op operations.Operation, w QueuedWithdrawal, legs []ledger.Leg, o outcome,
) (any, error) {
	now := s.Clock.Now()
	w.HandledAt = &now
	err := ledger.Post(ctx, tx, ledger.Transfer{
		Key:  "withdrawal:" + w.ID.String() + ":settle", // shared, so that sending and rejecting exclude each other
		Kind: op.Kind, Legs: legs, Actor: op.ActorID, Reason: deref(w.Reason), At: now,
	})
	if err != nil {
		return nil, err
	}
	if err := setWithdrawalHandled(ctx, tx, w.Withdrawal, op.ActorID); err != nil {
		return nil, err
	}
	if err := s.record(ctx, tx, op.ActorID, o.action, operations.Withdrawal(w.ID), withdrawalDetails(w, now)); err != nil {
		return nil, err
	}
	s.Events.WalletUpdated(tx, w.User.ID)
	s.Events.Admins(tx, realtime.QueueWithdrawals, w.ID)
	return Result{o.message}, s.Notices.Notify(ctx, tx, w.User.ID, o.notice, texts.Params{
		"amount": w.Amount.String(), "taka": w.ConvertedAmount.String(), "phone": w.PhoneNumber, "reason": deref(w.Reason),
	}, "/balance")
}

func withdrawalDetails(w QueuedWithdrawal, at time.Time) any {
	return struct {
		User          uuid.UUID   `json:"user"`
		Amount        money.Cents `json:"amount"`
		TransactionID string      `json:"transactionId"`
		Reason        string      `json:"reason"`
		At            time.Time   `json:"at"`
	}{w.User.ID, w.Amount, deref(w.TransactionID), deref(w.Reason), at}
}
