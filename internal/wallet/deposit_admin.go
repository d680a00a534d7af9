package wallet

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"amanat/internal/audit"
	"amanat/internal/fault"
	"amanat/internal/ledger"
	"amanat/internal/money"
	"amanat/internal/operations"
	"amanat/internal/postgres"
	"amanat/internal/realtime"
	"amanat/internal/texts"
	"amanat/queue/jobs"
)

func errNoDeposit() *fault.Error { return fault.New(fault.NotFound, "Deposit not found.") }

func (d QueuedDeposit) request() request {
	return request{d.User.ID, d.Status == DepositPending, d.HandledBy, d.HandledAt, d.Claim}
}

// QueueDeposits returns deposits for admins and how many there are in all: of one status, or of every one when status is "". Pending
// ones come oldest first, as a queue is worked; others newest first. The caller has checked that the reader is an admin.
func (s *Service) QueueDeposits(ctx context.Context, status DepositStatus, page Page) ([]QueuedDeposit, int, error) {
	return s.depositPage(ctx, depositFilter{status: status}, page)
}

func (s *Service) depositPage(ctx context.Context, filter depositFilter, page Page) ([]QueuedDeposit, int, error) {
	list, total, err := listDeposits(ctx, s.DB, filter, page)
	if err != nil {
		return nil, 0, err
	}
	subjects := make([]string, len(list))
	for i, d := range list {
		subjects[i] = operations.Deposit(d.ID)
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

// GetDeposit returns one deposit to an admin. Code NotFound.
func (s *Service) GetDeposit(ctx context.Context, id uuid.UUID) (QueuedDeposit, error) {
	d, err := getDeposit(ctx, s.DB, id)
	if err != nil {
		return QueuedDeposit{}, err
	}
	op, pending, err := operations.PendingOn(ctx, s.DB, operations.Deposit(id))
	if pending {
		d.Operation = &op
	}
	return d, err
}

// ClaimDeposit keeps other admins away from a pending deposit for five minutes. Claiming again renews it. Codes: NotFound, Forbidden for
// the admin's own, AlreadyHandled.
func (s *Service) ClaimDeposit(ctx context.Context, admin, id uuid.UUID) (QueuedDeposit, error) {
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		d, err := lockDeposit(ctx, tx, id)
		if err != nil {
			return err
		}
		now := s.Clock.Now()
		if err := d.request().mayHandle(admin, now); err != nil {
			return err
		}
		return s.claimDeposit(ctx, tx, admin, id, now)
	})
	if err != nil {
		return QueuedDeposit{}, err
	}
	return s.GetDeposit(ctx, id)
}

func (s *Service) claimDeposit(ctx context.Context, tx *postgres.Tx, admin, id uuid.UUID, now time.Time) error {
	s.Events.Admins(tx, realtime.QueueDeposits, id)
	return setDepositClaim(ctx, tx, id, admin, now.Add(claimFor))
}

// Approval is what an admin credits for a deposit.
type Approval struct {
	Amount money.Cents // 0: not given
	UserID uuid.UUID   // must be the deposit's owner
	Reason string      // why the amount is not what the user reported
}

type approvalParams struct {
	Amount money.Cents `json:"amount"`
	Reason string      `json:"reason"`
}

// RequestApprove asks to credit a deposit with the admin's amount, claiming the row. Codes: NotFound, Forbidden for the admin's own,
// Invalid, AlreadyHandled, Conflict.
func (s *Service) RequestApprove(
	ctx context.Context, admin, id uuid.UUID, approval Approval, key *operations.Key,
) (operations.Operation, error) {
	opID, err := uuid.NewV7()
	if err != nil {
		return operations.Operation{}, err
	}
	approval.Reason = trimReason(approval.Reason)
	r := operations.Request{
		ID: opID, Kind: jobs.KindDepositApprove, Subject: operations.Deposit(id), ActorID: admin, Key: key,
		Params: approvalParams{approval.Amount, approval.Reason},
	}
	return s.Operations.Request(ctx, r, func(ctx context.Context, tx *postgres.Tx) error {
		d, err := lockDeposit(ctx, tx, id)
		if err != nil {
			return err
		}
		now := s.Clock.Now()
		if d.User.ID == admin {
			return d.request().mayHandle(admin, now)
		}
		if err := approval.validate(d); err != nil {
			return err
		}
		if err := d.request().mayHandle(admin, now); err != nil {
			return err
		}
		return s.claimDeposit(ctx, tx, admin, id, now)
	})
}

func (a Approval) validate(d QueuedDeposit) error {
	switch {
	case a.Amount <= 0:
		return fault.Field("amount", textEnterValid)
	case a.Amount > maxAmount:
		return fault.Field("amount", textMaximum)
	case a.UserID != d.User.ID:
		return fault.Field("userId", "The deposit belongs to another user.")
	}
	return checkReason(a.Reason)
}

// SettleApprove credits the deposit, or refuses with a *fault.Error and has changed nothing.
func (s *Service) SettleApprove(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
	var p approvalParams
	if err := json.Unmarshal(op.Params, &p); err != nil {
		return nil, fmt.Errorf("params: %w", err)
	}
	id, err := op.SubjectID()
	if err != nil {
		return nil, err
	}
	d, err := lockDeposit(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	now := s.Clock.Now()
	if err := d.request().mayHandle(op.ActorID, now); err != nil {
		return nil, err
	}
	d.Amount, d.Status, d.HandledAt = p.Amount, DepositCompleted, &now
	if d.ConvertedAmount, err = money.Convert(p.Amount, d.Rate); err != nil {
		return nil, err
	}
	if p.Reason != "" {
		d.Reason = &p.Reason
	}
	if err := postDeposit(ctx, tx, d, op); err != nil {
		return nil, err
	}
	if err := setDepositHandled(ctx, tx, d.Deposit, op.ActorID); err != nil {
		return nil, err
	}
	return Result{MessageDepositApproved}, s.recordApproval(ctx, tx, d, op.ActorID)
}

func postDeposit(ctx context.Context, tx *postgres.Tx, d QueuedDeposit, op operations.Operation) error {
	mobile, err := ledger.Mobile(d.Method)
	if err != nil {
		return err
	}
	return ledger.Post(ctx, tx, ledger.Transfer{
		Key:  "deposit:" + d.ID.String() + ":approve",
		Kind: op.Kind,
		Legs: []ledger.Leg{
			ledger.MoveBDT(mobile, ledger.ExchangeBDT(), d.ConvertedAmount),
			ledger.Move(ledger.ExchangeUSD(), ledger.Wallet(d.User.ID), d.Amount),
		},
		Actor: op.ActorID,
		At:    *d.HandledAt,
	})
}

func (s *Service) recordApproval(ctx context.Context, tx *postgres.Tx, d QueuedDeposit, admin uuid.UUID) error {
	kind, params := texts.DepositApproved, texts.Params{"amount": d.Amount.String()}
	if d.Amount != d.ClaimedAmount {
		kind = texts.DepositChanged
		params["claimed"], params["reason"] = d.ClaimedAmount.String(), deref(d.Reason)
	}
	if err := s.record(ctx, tx, admin, "deposit.approve", operations.Deposit(d.ID), depositDetails(d)); err != nil {
		return err
	}
	s.Events.WalletUpdated(tx, d.User.ID)
	s.Events.Admins(tx, realtime.QueueDeposits, d.ID)
	return s.Notices.Notify(ctx, tx, d.User.ID, kind, params, "/balance")
}

// RejectDeposit fails a pending deposit; no money moves. Codes: NotFound, Forbidden for the admin's own, Invalid, AlreadyHandled,
// Conflict while it is being approved.
func (s *Service) RejectDeposit(ctx context.Context, admin, id uuid.UUID, reason string) (QueuedDeposit, error) {
	reason = trimReason(reason)
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		d, err := lockDeposit(ctx, tx, id)
		if err != nil {
			return err
		}
		return s.rejectDeposit(ctx, tx, admin, d, reason)
	})
	if err != nil {
		return QueuedDeposit{}, err
	}
	return s.GetDeposit(ctx, id)
}

func (s *Service) rejectDeposit(ctx context.Context, tx *postgres.Tx, admin uuid.UUID, d QueuedDeposit, reason string) error {
	if err := checkReason(reason); err != nil {
		return err
	}
	now := s.Clock.Now()
	if err := d.request().mayHandle(admin, now); err != nil {
		return err
	}
	if _, busy, err := operations.PendingOn(ctx, tx, operations.Deposit(d.ID)); err != nil || busy {
		if busy {
			err = operations.ErrBusy()
		}
		return err
	}
	d.Status, d.HandledAt = DepositFailed, &now
	if reason != "" {
		d.Reason = &reason
	}
	if err := setDepositHandled(ctx, tx, d.Deposit, admin); err != nil {
		return err
	}
	if err := s.record(ctx, tx, admin, "deposit.reject", operations.Deposit(d.ID), depositDetails(d)); err != nil {
		return err
	}
	s.Events.WalletUpdated(tx, d.User.ID)
	s.Events.Admins(tx, realtime.QueueDeposits, d.ID)
	return s.Notices.Notify(ctx, tx, d.User.ID, texts.DepositRejected, texts.Params{
		"amount": d.ClaimedAmount.String(), "transactionId": d.TransactionID, "reason": reason,
	}, "/balance")
}

func depositDetails(d QueuedDeposit) any {
	return struct {
		User    uuid.UUID   `json:"user"`
		Claimed money.Cents `json:"claimed"`
		Amount  money.Cents `json:"amount"`
		Reason  string      `json:"reason"`
	}{d.User.ID, d.ClaimedAmount, d.Amount, deref(d.Reason)}
}

func (s *Service) record(ctx context.Context, tx *postgres.Tx, admin uuid.UUID, action, subject string, details any) error {
	return audit.Record(ctx, tx, audit.Entry{At: s.Clock.Now(), ActorID: admin, Action: action, Subject: subject, Details: details})
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
