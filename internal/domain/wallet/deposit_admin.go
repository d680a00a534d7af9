package wallet

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/audit"
	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
)

func errNoDeposit() *fault.Error {
	return fault.New(fault.NotFound, "deposit_not_found", "Deposit not found.")
}

// deposits is the worklist of deposits.
var deposits = worklist[QueuedDeposit]{
	queue: realtime.QueueDeposits, subject: operations.Deposit,
	get: getDeposit, lock: lockDeposit, setClaim: setDepositClaim, entry: (*QueuedDeposit).entry,
}

func (d *QueuedDeposit) entry() worklistEntry {
	return worklistEntry{
		id: d.ID, userID: d.User.ID, pending: d.Status == DepositPending, handledBy: d.HandledBy, handledAt: d.HandledAt,
		claim: d.Claim, operation: &d.Operation,
	}
}

// QueueDeposits returns the deposits that admins look for, and what all pages of them come to. The
// caller has checked that the reader is an admin.
func (s *Service) QueueDeposits(ctx context.Context, query DepositQuery, page postgres.Page) ([]QueuedDeposit, Totals, error) {
	list, totals, err := s.depositPage(ctx, query.filter(), page)
	if err != nil {
		return nil, Totals{}, err
	}
	return list, totals, s.addReview(ctx, list)
}

func (s *Service) depositPage(ctx context.Context, filter depositFilter, page postgres.Page) ([]QueuedDeposit, Totals, error) {
	list, totals, err := listDeposits(ctx, s.DB, filter, page)
	if err != nil {
		return nil, Totals{}, err
	}
	return list, totals, deposits.attachPending(ctx, s.DB, list)
}

// addReview adds what an admin needs to judge each deposit: other users' claims to the same
// payment, and what the deposit is worth now.
func (s *Service) addReview(ctx context.Context, list []QueuedDeposit) error {
	now := s.Clock.Now()
	var present money.Rate
	for i, d := range list {
		if present == 0 && d.rateExpired(now) {
			var err error
			if present, err = currentRate(ctx, s.DB); err != nil {
				return err
			}
		}
		worth, err := d.worth(now, present)
		if err != nil {
			return err
		}
		list[i].CreditRate, list[i].CreditAmount = worth.rate, worth.amount
	}
	return addRivals(ctx, s.DB, list)
}

// GetDeposit returns one deposit to an admin. Code NotFound.
func (s *Service) GetDeposit(ctx context.Context, id uuid.UUID) (QueuedDeposit, error) {
	d, err := deposits.find(ctx, s.DB, id)
	if err != nil {
		return QueuedDeposit{}, err
	}
	one := []QueuedDeposit{d}
	err = s.addReview(ctx, one)
	return one[0], err
}

// ClaimDeposit locks other admins out of a pending deposit for five minutes. Claiming again renews
// the claim. Codes: NotFound, Forbidden for the admin's own deposit, AlreadyHandled, Conflict while
// an operation on it is pending.
func (s *Service) ClaimDeposit(ctx context.Context, admin, id uuid.UUID) (QueuedDeposit, error) {
	if err := claimRow(ctx, s, deposits, admin, id); err != nil {
		return QueuedDeposit{}, err
	}
	return s.GetDeposit(ctx, id)
}

// RejectDeposit fails a pending deposit, including one that waits for a second admin; no money
// moves. Codes: NotFound, Forbidden for the admin's own deposit, Invalid, AlreadyHandled, Conflict
// while it is being approved.
func (s *Service) RejectDeposit(ctx context.Context, admin, id uuid.UUID, rejection Rejection) (QueuedDeposit, error) {
	rejection.Reason = trimReason(rejection.Reason)
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		d, err := lockDeposit(ctx, tx, id)
		if err != nil {
			return err
		}
		return s.rejectDeposit(ctx, tx, admin, d, rejection)
	})
	if err != nil {
		return QueuedDeposit{}, err
	}
	return s.GetDeposit(ctx, id)
}

func (s *Service) rejectDeposit(ctx context.Context, tx *postgres.Tx, admin uuid.UUID, d QueuedDeposit, r Rejection) error {
	if err := r.validate(); err != nil {
		return err
	}
	now := s.Clock.Now()
	if err := d.entry().checkHandle(admin, now); err != nil {
		return err
	}
	if err := checkNotBusy(ctx, tx, operations.Deposit(d.ID)); err != nil {
		return err
	}
	d.Status, d.HandledAt, d.ReasonCode = DepositFailed, &now, r.code()
	if r.Reason != "" {
		d.Reason = &r.Reason
	}
	if err := setDepositFailed(ctx, tx, d.Deposit, actor.User(admin)); err != nil {
		return err
	}
	if err := s.record(ctx, tx, admin, "deposit.reject", operations.Deposit(d.ID), depositDetails(d, nil)); err != nil {
		return err
	}
	s.Events.WalletUpdated(tx, d.User.ID)
	s.Events.QueueChanged(tx, realtime.QueueDeposits, d.ID)
	return s.Notices.Notify(ctx, tx, d.User.ID, rejectedKinds[d.ReasonCode], catalog.Params{
		"amount": d.ClaimedAmount.String(), "transactionId": d.TransactionID, "reason": r.Reason,
	}, depositLink(d.ID))
}

// depositDetails returns the audit log details of an action. proposedBy is the first of the two
// admins of a large credit.
func depositDetails(d QueuedDeposit, proposedBy *uuid.UUID) any {
	return struct {
		User          uuid.UUID   `json:"user"`
		Claimed       money.Cents `json:"claimed"`
		Amount        money.Cents `json:"amount"`
		TransactionID string      `json:"transactionId"`
		Reason        string      `json:"reason"`
		Code          ReasonCode  `json:"code,omitempty"`
		ProposedBy    *uuid.UUID  `json:"proposedBy,omitempty"`
	}{d.User.ID, d.ClaimedAmount, d.Amount, d.TransactionID, deref(d.Reason), d.ReasonCode, proposedBy}
}

func (s *Service) record(ctx context.Context, tx *postgres.Tx, admin uuid.UUID, action, subject string, details any) error {
	return audit.Record(ctx, tx, audit.Entry{
		At: s.Clock.Now(), Actor: actor.User(admin), Action: action, Subject: subject, Details: details,
	})
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
