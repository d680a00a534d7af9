package wallet

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/app/worklist"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/ledger"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

func errNoWithdrawal() *fault.Error {
	return fault.New(fault.NotFound, "withdrawal_not_found", "Withdrawal not found.")
}

// withdrawals is the worklist of withdrawals.
var withdrawals = requests[WorklistWithdrawal]{
	list: realtime.WorklistWithdrawals, subject: operations.Withdrawal,
	get: getWithdrawal, lock: lockWithdrawal, setClaim: setWithdrawalClaim, request: (*WorklistWithdrawal).request,
}

func (w *WorklistWithdrawal) request() request {
	row := worklist.Row{Waits: w.Status == WithdrawalPending, HandledBy: w.HandledBy, HandledAt: w.HandledAt, Claim: w.Claim}
	return request{row, w.ID, w.User.ID, &w.Operation}
}

// Hold selects withdrawals by whether they are on hold, so that nobody can send them yet.
type Hold string

// Whether a withdrawal is on hold.
const (
	OnHold    Hold = "on_hold"
	NotOnHold Hold = "not_on_hold"
)

// WithdrawalQuery is what an admin looks for among the withdrawals. Empty fields select all.
type WithdrawalQuery struct {
	Status WithdrawalStatus
	Hold   Hold
	Search string // the beginning of a phone number, transaction ID or username, or an amount
}

// WithdrawalWorklist returns withdrawals for admins and the total number, in the order of
// DepositWorklist. The caller has checked that the reader is an admin.
func (s *Service) WithdrawalWorklist(ctx context.Context, query WithdrawalQuery, page postgres.Page) ([]WorklistWithdrawal, int, error) {
	return s.withdrawalPage(ctx, withdrawalFilter{status: query.Status, hold: query.Hold, search: parseSearch(query.Search)}, page)
}

func (s *Service) withdrawalPage(ctx context.Context, filter withdrawalFilter, page postgres.Page) ([]WorklistWithdrawal, int, error) {
	now := s.Clock.Now()
	list, total, err := listWithdrawals(ctx, s.DB, filter, now, page)
	if err != nil {
		return nil, 0, err
	}
	for i, w := range list {
		list[i].OnHold = w.onHold(now)
	}
	return list, total, withdrawals.attachPending(ctx, s.DB, list)
}

// GetWithdrawal returns one withdrawal to its owner or an admin, which the caller has checked. Code
// NotFound, also while its hold has not settled.
func (s *Service) GetWithdrawal(ctx context.Context, id uuid.UUID) (WorklistWithdrawal, error) {
	w, err := withdrawals.find(ctx, s.DB, id)
	w.OnHold = err == nil && w.onHold(s.Clock.Now())
	return w, err
}

// ClaimWithdrawal locks other admins out of a pending withdrawal for five minutes. Claiming again
// renews the claim, and returns what an SMS has booked on the admin's behalf as it is. Codes:
// NotFound, Forbidden for the admin's own withdrawal, AlreadyHandled, Conflict while an operation
// on it is pending.
func (s *Service) ClaimWithdrawal(ctx context.Context, admin, id uuid.UUID) (WorklistWithdrawal, error) {
	claimErr := claimRow(ctx, s, withdrawals, admin, id)
	if claimErr != nil && fault.CodeOf(claimErr) != fault.AlreadyHandled {
		return WorklistWithdrawal{}, claimErr
	}
	w, err := s.GetWithdrawal(ctx, id)
	if err == nil && claimErr != nil && (w.PaymentID == nil || w.HandledBy == nil || w.HandledBy.ID != admin) {
		err = claimErr
	}
	return w, err
}

// Payout describes the money that an admin has sent.
type Payout struct {
	Amount        money.Cents // must equal the request
	TransactionID string      // of the payment method; optional
	Differs       bool        // the admin knows that the SMS with the ID states another payment
}

type payoutParams struct {
	TransactionID string     `json:"transactionId"`
	Reason        string     `json:"reason"`
	Differs       bool       `json:"differs,omitempty"` // from what its SMS states, as the admin knows
	PaymentID     *uuid.UUID `json:"payment,omitempty"` // that proves it; then no admin has asked to book it
}

// RequestSend requests to book a withdrawal as paid out and claims the row. Codes: NotFound,
// Forbidden for the admin's own withdrawal, Invalid, Duplicate if the payout's transaction ID is
// taken, AlreadyHandled, Conflict if the withdrawal is disowned, or while it or all of the user's
// are on hold. An admin who claimed it before may have sent the money, and may book it with its
// transaction ID.
func (s *Service) RequestSend(ctx context.Context, admin, id uuid.UUID, payout Payout, key *idempotency.Key) (operations.Operation, error) {
	payout.TransactionID = strings.ToUpper(strings.TrimSpace(payout.TransactionID))
	request := operations.Request{
		Kind: jobs.KindWithdrawalSend, Subject: operations.Withdrawal(id), Actor: actor.User(admin), Key: key,
		Params: payoutParams{TransactionID: payout.TransactionID, Differs: payout.Differs},
	}
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		s.Operations.Begin(ctx, tx, &request)
		w, err := lockWithdrawal(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := s.claimWithdrawal(ctx, tx, admin, w, payout.validate(w)); err != nil {
			return err
		}
		if err := w.checkSendable(admin, payout.TransactionID, s.Clock.Now()); err != nil {
			return err
		}
		if err := checkTransactionUnused(ctx, tx, payout.TransactionID); err != nil {
			return err
		}
		return s.Operations.Enqueue(ctx, tx, &request)
	})
	return s.Operations.Answer(ctx, &request, err)
}

func (p Payout) validate(w WorklistWithdrawal) error {
	switch {
	case p.Amount <= 0:
		return fault.Field("amount", "amount_invalid", textEnterValid)
	case p.Amount != w.Amount:
		return fault.Field("amount", "amounts_differ", textAmountsDiffer)
	case p.TransactionID != "" && !transactionID.MatchString(p.TransactionID):
		return fault.Field("transactionId", "transaction_malformed", "Invalid transaction ID format. It should be 8-12 alphanumeric characters.")
	}
	return nil
}

// RequestReject requests to return the held amount to the wallet and claims the row. Codes:
// NotFound, Forbidden for the admin's own withdrawal, Invalid, AlreadyHandled, Conflict.
func (s *Service) RequestReject(
	ctx context.Context, admin, id uuid.UUID, reason string, key *idempotency.Key,
) (operations.Operation, error) {
	reason = trimReason(reason)
	request := operations.Request{
		Kind: jobs.KindWithdrawalReject, Subject: operations.Withdrawal(id), Actor: actor.User(admin), Key: key,
		Params: payoutParams{Reason: reason},
	}
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		s.Operations.Begin(ctx, tx, &request)
		w, err := lockWithdrawal(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := s.claimWithdrawal(ctx, tx, admin, w, checkReason(reason)); err != nil {
			return err
		}
		return s.Operations.Enqueue(ctx, tx, &request)
	})
	return s.Operations.Answer(ctx, &request, err)
}

// claimWithdrawal checks that an admin may handle a withdrawal, and claims it: in the order of
// docs/rules.md#access, role, input, state. invalid is what is wrong with the input.
func (s *Service) claimWithdrawal(ctx context.Context, tx *postgres.Tx, admin uuid.UUID, w WorklistWithdrawal, invalid error) error {
	if w.User.ID != admin && invalid != nil {
		return invalid
	}
	now := s.Clock.Now()
	if err := w.request().checkHandle(admin, now); err != nil {
		return err
	}
	return claim(ctx, tx, s, withdrawals, admin, w.ID, now)
}

// checkSendable fails if the withdrawal is disowned or on hold, or if the user may not withdraw. An
// admin who has worked on it since before then may have sent the money: the transaction ID proves
// that.
func (w WorklistWithdrawal) checkSendable(admin uuid.UUID, transaction string, now time.Time) error {
	switch {
	case w.ClaimedBeforeStop() && w.Claim.Admin.ID == admin:
		if transaction == "" {
			return fault.Field("transactionId", "payout_id_missing",
				"This withdrawal was stopped after you opened it. If you had sent the money by then, enter the transaction ID; otherwise reject it.")
		}
	case w.DisownedAt != nil:
		return fault.New(fault.Conflict, "withdrawal_disowned",
			"The owner says that somebody else asked for this withdrawal. It can only be rejected.")
	case w.Held():
		return fault.New(fault.Conflict, "user_withdrawals_on_hold", "Withdrawals of this user are on hold.")
	}
	if w.onHold(now) {
		return w.errOnHold()
	}
	return nil
}

func checkTransactionUnused(ctx context.Context, tx *postgres.Tx, transaction string) error {
	if transaction == "" {
		return nil
	}
	if err := lockTransaction.Run(ctx, tx, postgres.Args{"transaction": transaction}); err != nil {
		return err
	}
	taken, err := transactionTaken.One(ctx, tx, postgres.Args{"transaction": transaction})
	if err == nil && taken {
		err = errTransactionUsed()
	}
	return err
}

// SettleSend moves the held amount out of the books. It does not check whether the withdrawal was
// disowned or stopped after the request of an admin: the money has been sent. If it refuses, it
// returns a *fault.Error and changes nothing.
func (s *Settler) SettleSend(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
	w, p, err := s.lockForHandling(ctx, tx, op)
	if err != nil {
		return nil, err
	}
	if err := checkTransactionUnused(ctx, tx, p.TransactionID); err != nil {
		return nil, err
	}
	if w.PaymentID, err = s.payoutOf(ctx, tx, op, w, p); err != nil {
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
	notice := catalog.WithdrawalSent
	if w.DisownedAt != nil {
		notice = catalog.WithdrawalSentBefore
	}
	return s.settleHandling(ctx, tx, op, w, legs, handling{outcome: OutcomeWithdrawalSent, action: "withdrawal.send", notice: notice})
}

// SettleReject moves the held amount back to the wallet. If it refuses, it returns a *fault.Error
// and changes nothing.
func (s *Settler) SettleReject(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
	w, p, err := s.lockForHandling(ctx, tx, op)
	if err != nil {
		return nil, err
	}
	legs := []ledger.Leg{ledger.Move(ledger.Hold(w.ID), ledger.Wallet(w.User.ID), w.Amount)}
	w.Status = WithdrawalFailed
	if p.Reason != "" {
		w.Reason = &p.Reason
	}
	return s.settleHandling(ctx, tx, op, w, legs, handling{
		outcome: OutcomeWithdrawalRejected, action: "withdrawal.reject", notice: catalog.WithdrawalRejected,
	})
}

func (s *Settler) lockForHandling(
	ctx context.Context, tx *postgres.Tx, op operations.Operation,
) (w WorklistWithdrawal, p payoutParams, err error) {
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
	admin, err := op.UserID()
	if err != nil {
		return w, p, err
	}
	return w, p, w.request().checkSettle(admin)
}

// handling is how the outcome of a withdrawal is reported: to the admin, in the audit log and to
// the owner.
type handling struct {
	outcome catalog.Outcome
	action  string
	notice  catalog.Kind
}

func (s *Settler) settleHandling(
	ctx context.Context, tx *postgres.Tx, op operations.Operation, w WorklistWithdrawal, legs []ledger.Leg, o handling,
) (any, error) {
	admin, err := op.UserID()
	if err != nil {
		return nil, err
	}
	now := s.Clock.Now()
	w.HandledAt = &now
	err = ledger.Post(ctx, tx, ledger.Transfer{
		Key:  ledger.WithdrawalSettle.Key(w.ID), // shared with the other ways to settle
		Kind: op.Kind, Legs: legs, Actor: op.Actor, Reason: deref(w.Reason), At: now,
	})
	if err != nil {
		return nil, err
	}
	if err := setWithdrawalHandled(ctx, tx, w.Withdrawal, admin); err != nil {
		return nil, err
	}
	if err := s.record(ctx, tx, op.Actor, o.action, operations.Withdrawal(w.ID), withdrawalDetails(w, now)); err != nil {
		return nil, err
	}
	s.Events.WalletUpdated(tx, w.User.ID)
	s.Events.WorklistChanged(tx, realtime.WorklistWithdrawals, w.ID)
	return operations.Result{Outcome: o.outcome}, s.Notices.Notify(ctx, tx, w.User.ID, o.notice, catalog.Params{
		"amount": w.Amount.String(), "taka": w.ConvertedAmount.String(), "phone": w.PhoneNumber, "reason": deref(w.Reason),
	}, "/balance")
}

func withdrawalDetails(w WorklistWithdrawal, at time.Time) any {
	return struct {
		User          uuid.UUID   `json:"user"`
		Amount        money.Cents `json:"amount"`
		TransactionID string      `json:"transactionId"`
		PaymentID     *uuid.UUID  `json:"payment,omitempty"`
		Reason        string      `json:"reason"`
		DisownedAt    *time.Time  `json:"disownedAt,omitempty"`
		StoppedAt     *time.Time  `json:"stoppedAt,omitempty"`
		At            time.Time   `json:"at"`
	}{w.User.ID, w.Amount, deref(w.TransactionID), w.PaymentID, deref(w.Reason), w.DisownedAt, w.StoppedAt, at}
}

// sendingFor is how long after a claim its admin may be sending the money, so that the owner cannot
// cancel.
const sendingFor = 15 * time.Minute

// request holds what handling a row needs of a deposit, a withdrawal or a correction alike.
type request struct {
	worklist.Row
	id        uuid.UUID
	userID    uuid.UUID
	operation **operations.Operation // the row's field for the pending operation
}

// checkSettle fails if the request is the admin's own (Forbidden) or already handled
// (AlreadyHandled). It does not check claims: the claim was checked when the operation was
// requested, and may have expired since.
func (r request) checkSettle(admin uuid.UUID) error {
	if r.userID == admin {
		return fault.New(fault.Forbidden, "own_request", "You cannot handle your own request.")
	}
	return r.CheckWaits()
}

// checkHandle fails as checkSettle does, and while another admin's claim is valid (AlreadyHandled,
// naming that admin).
func (r request) checkHandle(admin uuid.UUID, now time.Time) error {
	if err := r.checkSettle(admin); err != nil {
		return err
	}
	return r.Check(admin, now)
}

// requests is a worklist of deposits, withdrawals or corrections. T is the row.
type requests[T any] struct {
	list     realtime.Worklist
	subject  func(id uuid.UUID) string // of a row's operations
	get      func(ctx context.Context, q postgres.Querier, id uuid.UUID) (T, error)
	lock     func(ctx context.Context, tx *postgres.Tx, id uuid.UUID) (T, error)
	setClaim func(ctx context.Context, tx *postgres.Tx, id, admin uuid.UUID, now time.Time) error
	request  func(row *T) request
}

// find returns a row with its pending operation, if any. Code NotFound.
func (l requests[T]) find(ctx context.Context, q postgres.Querier, id uuid.UUID) (T, error) {
	row, err := l.get(ctx, q, id)
	if err != nil {
		return row, err
	}
	one := []T{row}
	err = l.attachPending(ctx, q, one)
	return one[0], err
}

// attachPending sets the pending operation of each row that has one.
func (l requests[T]) attachPending(ctx context.Context, q postgres.Querier, list []T) error {
	subjects := make([]string, len(list))
	for i := range list {
		subjects[i] = l.subject(l.request(&list[i]).id)
	}
	pending, err := operations.PendingOnAll(ctx, q, subjects)
	if err != nil {
		return err
	}
	for i := range list {
		if op, ok := pending[subjects[i]]; ok {
			*l.request(&list[i]).operation = &op
		}
	}
	return nil
}

// claimRow claims a row for an admin in a transaction of its own. Claiming again renews the claim.
// Codes: NotFound, Forbidden for the admin's own request, AlreadyHandled, Conflict while an
// operation on the row is pending.
func claimRow[T any](ctx context.Context, s *Service, l requests[T], admin, id uuid.UUID) error {
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		row, err := l.lock(ctx, tx, id)
		if err != nil {
			return err
		}
		now := s.Clock.Now()
		if err := l.request(&row).checkHandle(admin, now); err != nil {
			return err
		}
		if err := checkNotBusy(ctx, tx, l.subject(id)); err != nil {
			return err
		}
		return claim(ctx, tx, s, l, admin, id, now)
	})
}

// claim claims a row that the caller has locked and that the admin may handle.
func claim[T any](ctx context.Context, tx *postgres.Tx, s *Service, l requests[T], admin, id uuid.UUID, now time.Time) error {
	s.Events.WorklistChanged(tx, l.list, id)
	return l.setClaim(ctx, tx, id, admin, now)
}

// checkNotBusy returns a Conflict if an operation is pending on the subject. The caller holds the
// row's lock.
func checkNotBusy(ctx context.Context, tx *postgres.Tx, subject string) error {
	_, busy, err := operations.PendingOn(ctx, tx, subject)
	if err == nil && busy {
		err = operations.ErrBusy()
	}
	return err
}
