package wallet

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/audit"
	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
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

func errNoDeposit() *fault.Error {
	return fault.New(fault.NotFound, "deposit_not_found", "Deposit not found.")
}

// deposits is the worklist of deposits.
var deposits = requests[WorklistDeposit]{
	list: realtime.WorklistDeposits, subject: operations.Deposit,
	get: getDeposit, lock: lockDeposit, request: (*WorklistDeposit).request,
	setClaim: func(ctx context.Context, tx *postgres.Tx, id, admin uuid.UUID, now time.Time) error {
		return worklist.SetClaim(ctx, tx, "deposits", id, admin, now)
	},
}

func (d *WorklistDeposit) request() request {
	row := worklist.Row{Waits: d.Status == DepositPending, HandledBy: d.HandledBy, HandledAt: d.HandledAt, Claim: d.Claim}
	return request{row, d.ID, d.User.ID, &d.Operation}
}

// DepositWorklist returns the deposits that admins look for, and what all pages of them come to.
// The caller has checked that the reader is an admin.
func (s *Service) DepositWorklist(ctx context.Context, query DepositQuery, page postgres.Page) ([]WorklistDeposit, Totals, error) {
	list, totals, err := s.depositPage(ctx, query.filter(), page)
	if err != nil {
		return nil, Totals{}, err
	}
	return list, totals, s.addReview(ctx, list)
}

func (s *Service) depositPage(ctx context.Context, filter depositFilter, page postgres.Page) ([]WorklistDeposit, Totals, error) {
	list, totals, err := listDeposits(ctx, s.DB, filter, page)
	if err != nil {
		return nil, Totals{}, err
	}
	return list, totals, deposits.attachPending(ctx, s.DB, list)
}

// addReview adds what an admin needs to judge each deposit: other users' claims to the same
// payment, and what the deposit is worth now.
func (s *Service) addReview(ctx context.Context, list []WorklistDeposit) error {
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
func (s *Service) GetDeposit(ctx context.Context, id uuid.UUID) (WorklistDeposit, error) {
	d, err := deposits.find(ctx, s.DB, id)
	if err != nil {
		return WorklistDeposit{}, err
	}
	one := []WorklistDeposit{d}
	err = s.addReview(ctx, one)
	return one[0], err
}

// ClaimDeposit locks other admins out of a pending deposit for five minutes. Claiming again renews
// the claim. Codes: NotFound, Forbidden for the admin's own deposit, AlreadyHandled, Conflict while
// an operation on it is pending.
func (s *Service) ClaimDeposit(ctx context.Context, admin, id uuid.UUID) (WorklistDeposit, error) {
	if err := claimRow(ctx, s, deposits, admin, id); err != nil {
		return WorklistDeposit{}, err
	}
	return s.GetDeposit(ctx, id)
}

// RejectDeposit fails a pending deposit, including one that waits for a second admin; no money
// moves. Codes: NotFound, Forbidden for the admin's own deposit, Invalid, AlreadyHandled, Conflict
// while it is being approved.
func (s *Service) RejectDeposit(ctx context.Context, admin, id uuid.UUID, rejection Rejection) (WorklistDeposit, error) {
	rejection.Reason = trimReason(rejection.Reason)
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		d, err := lockDeposit(ctx, tx, id)
		if err != nil {
			return err
		}
		return s.rejectDeposit(ctx, tx, admin, d, rejection)
	})
	if err != nil {
		return WorklistDeposit{}, err
	}
	return s.GetDeposit(ctx, id)
}

func (s *Service) rejectDeposit(ctx context.Context, tx *postgres.Tx, admin uuid.UUID, d WorklistDeposit, r Rejection) error {
	if err := r.validate(); err != nil {
		return err
	}
	now := s.Clock.Now()
	if err := d.request().checkHandle(admin, now); err != nil {
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
	if err := s.record(ctx, tx, actor.User(admin), "deposit.reject", operations.Deposit(d.ID), depositDetails(d, nil)); err != nil {
		return err
	}
	s.Events.WalletUpdated(tx, d.User.ID)
	s.Events.WorklistChanged(tx, realtime.WorklistDeposits, d.ID)
	return s.Notices.Notify(ctx, tx, d.User.ID, rejectedKinds[d.ReasonCode], catalog.Params{
		"amount": d.ClaimedAmount.String(), "transactionId": d.TransactionID, "reason": r.Reason,
	}, depositLink(d.ID))
}

// depositDetails returns the audit log details of an action. proposedBy is the first of the two
// admins of a large credit.
func depositDetails(d WorklistDeposit, proposedBy *uuid.UUID) any {
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

func (s *Service) record(ctx context.Context, tx *postgres.Tx, by actor.Actor, action, subject string, details any) error {
	return audit.Record(ctx, tx, audit.Entry{
		At: s.Clock.Now(), Actor: by, Action: action, Subject: subject, Details: details,
	})
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// rateKeptFor is how long a deposit is credited at the rate of its report. A longer period would
// let users speculate on the rate for free.
const rateKeptFor = 24 * time.Hour

// maxUnexplained is by how many percent a credit may differ from the claimed amount without a
// reason.
const maxUnexplained = 10

// ReceivedTakaAbove is the largest credit that the UI asks for, and that a second admin confirms,
// without the taka received.
const ReceivedTakaAbove money.Cents = 500_00

// Approval is what an admin credits for a deposit.
type Approval struct {
	Amount   money.Cents  // 0: not given
	UserID   uuid.UUID    // must be the deposit's owner
	Reason   string       // why Amount differs from the reported one
	Received money.Poisha // as the admin reads it off the payment; 0: not given
}

// Proposal is a credit that one admin proposes and another has to confirm.
type Proposal struct {
	Amount money.Cents
	Reason string
	By     user.Ref
	At     time.Time
}

// Approved is the result of an approval: an operation, or a proposal on the deposit that waits for
// a second admin.
type Approved struct {
	Operation operations.Operation
	Proposed  bool
}

// approvalParams are the params of the operation. ProposedBy is the first of the two admins of a
// large credit; the second is the operation's actor.
type approvalParams struct {
	Amount     money.Cents `json:"amount"`
	Reason     string      `json:"reason"`
	ProposedBy *uuid.UUID  `json:"proposedBy,omitempty"`
	PaymentID  *uuid.UUID  `json:"payment,omitempty"` // that proves the deposit; then no admin credits it
}

// worth is the value in dollars of the taka that a user reports to have sent.
type worth struct {
	rate      int64 // whole taka a dollar
	amount    money.Cents
	recounted bool // at the current rate, not that of the report
}

// rateExpired reports whether the rate of the report no longer applies.
func (d Deposit) rateExpired(now time.Time) bool {
	return d.Status == DepositPending && now.Sub(d.CreatedAt) > rateKeptFor
}

// worth returns what the deposit is worth: at the rate of its report, or at the present rate once
// that one has expired.
func (d Deposit) worth(now time.Time, present money.Rate) (worth, error) {
	if !d.rateExpired(now) {
		return worth{d.Rate, d.ClaimedAmount, false}, nil
	}
	taka, err := money.Convert(d.ClaimedAmount, d.Rate)
	rate := present.CeilTaka()
	return worth{rate, money.Worth(taka, rate), true}, err
}

// needsReason reports whether the admin must give the user a reason for the amount.
func (a Approval) needsReason(d Deposit, w worth) bool {
	difference := a.Amount - d.ClaimedAmount
	far := max(difference, -difference)*100 > d.ClaimedAmount*maxUnexplained
	return far || w.recounted && a.Amount > w.amount
}

func (a Approval) validate(d Deposit, w worth) error {
	switch {
	case a.Amount <= 0:
		return fault.Field("amount", "amount_invalid", textEnterValid)
	case a.Amount > maxAmount:
		return fault.Field("amount", "amount_too_large", textMaximum)
	case a.UserID != d.User.ID:
		return fault.Field("userId", "deposit_of_another", "The deposit belongs to another user.")
	case a.Reason == "" && a.needsReason(d, w):
		return fault.Field("reason", "credit_reason_missing", "Write a reason: the amount is not what the payment is worth.")
	}
	return checkReason(a.Reason)
}

// checkReceived checks that the taka received, if they are given, are worth the amount. The
// specification's call has none.
func (a Approval) checkReceived(d Deposit, w worth) error {
	if a.Received == 0 {
		return nil
	}
	isWorth := func(rate int64) bool { return money.Worth(a.Received, rate) == a.Amount }
	if !isWorth(w.rate) && !isWorth(d.Rate) {
		return fault.Field("receivedTaka", "received_differs", "The taka that arrived are not worth the amount to credit.")
	}
	return nil
}

// checkCredit validates an approval (code Invalid) and returns what the deposit is worth.
func (s *Service) checkCredit(ctx context.Context, tx *postgres.Tx, d Deposit, a Approval) (worth, error) {
	w, err := s.worthNow(ctx, tx, d)
	if err != nil {
		return w, err
	}
	return w, a.validate(d, w)
}

// worthNow returns what the deposit is worth.
func (s *Service) worthNow(ctx context.Context, tx *postgres.Tx, d Deposit) (worth, error) {
	now := s.Clock.Now()
	var present money.Rate
	if d.rateExpired(now) {
		var err error
		if present, err = currentRate(ctx, tx); err != nil {
			return worth{}, err
		}
	}
	return d.worth(now, present)
}

// checkNotCredited returns a Conflict if the payment was credited to another user. It locks the
// transaction ID, so that no other deposit is credited with it before the transaction ends.
func checkNotCredited(ctx context.Context, tx *postgres.Tx, d Deposit) error {
	if err := lockTransaction.Run(ctx, tx, postgres.Args{"transaction": d.TransactionID}); err != nil {
		return err
	}
	name, err := creditedTo(ctx, tx, d)
	if err == nil && name != "" {
		err = fault.Newf(fault.Conflict, "payment_credited", "The payment with this transaction ID was credited to {name}.",
			fault.Params{"name": name})
	}
	return err
}

func (s *Service) needsSecondAdmin(amount money.Cents) bool {
	return s.SecondAdminAbove > 0 && amount > s.SecondAdminAbove
}

// Approve requests the credit of a deposit with the admin's amount and claims the row. A credit
// above SecondAdminAbove is not requested yet: it becomes a proposal on the row, replacing any
// earlier one, that another admin confirms. Codes: NotFound, Forbidden for the admin's own deposit,
// Invalid, AlreadyHandled, Conflict.
func (s *Service) Approve(ctx context.Context, admin, id uuid.UUID, approval Approval, key *idempotency.Key) (Approved, error) {
	approval.Reason = trimReason(approval.Reason)
	if s.needsSecondAdmin(approval.Amount) {
		return Approved{Proposed: true}, s.propose(ctx, admin, id, approval, key)
	}
	request := creditRequest(admin, id, approvalParams{Amount: approval.Amount, Reason: approval.Reason}, key)
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		s.Operations.Begin(ctx, tx, &request)
		d, err := lockDeposit(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := s.checkApproval(ctx, tx, admin, d, approval); err != nil {
			return err
		}
		if err := claim(ctx, tx, s, deposits, admin, id, s.Clock.Now()); err != nil {
			return err
		}
		return s.Operations.Enqueue(ctx, tx, &request)
	})
	op, err := s.Operations.Answer(ctx, &request, err)
	return Approved{Operation: op}, err
}

// checkApproval checks in the order of docs/rules.md#access: role, input, state.
func (s *Service) checkApproval(ctx context.Context, tx *postgres.Tx, admin uuid.UUID, d WorklistDeposit, a Approval) error {
	now := s.Clock.Now()
	if d.User.ID == admin {
		return d.request().checkHandle(admin, now)
	}
	w, err := s.checkCredit(ctx, tx, d.Deposit, a)
	if err == nil {
		err = a.checkReceived(d.Deposit, w)
	}
	if err != nil {
		return err
	}
	if err := d.request().checkHandle(admin, now); err != nil {
		return err
	}
	return checkNotCredited(ctx, tx, d.Deposit)
}

// creditRequest returns the request for a credit of a deposit.
func creditRequest(admin, id uuid.UUID, params approvalParams, key *idempotency.Key) operations.Request {
	return operations.Request{
		Kind: jobs.KindDepositApprove, Subject: operations.Deposit(id), Actor: actor.User(admin), Params: params, Key: key,
	}
}

// propose stores the proposed credit on the row and notifies the other admins.
func (s *Service) propose(ctx context.Context, admin, id uuid.UUID, approval Approval, key *idempotency.Key) error {
	_, err := idempotency.Create(ctx, s.DB, key, id, s.Clock.Now(), func(tx *postgres.Tx) error {
		d, err := lockDeposit(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := s.checkApproval(ctx, tx, admin, d, approval); err != nil {
			return err
		}
		if err := checkNotBusy(ctx, tx, operations.Deposit(id)); err != nil {
			return err
		}
		if err := setProposal(ctx, tx, id, admin, approval, s.Clock.Now()); err != nil {
			return err
		}
		d.Amount, d.Reason = approval.Amount, &approval.Reason
		if err := s.record(ctx, tx, actor.User(admin), "deposit.propose", operations.Deposit(id), depositDetails(d, nil)); err != nil {
			return err
		}
		return s.notifySecondAdmin(ctx, tx, id)
	})
	return err
}

// notifySecondAdmin notifies every admin except the proposer of a proposed credit.
func (s *Service) notifySecondAdmin(ctx context.Context, tx *postgres.Tx, id uuid.UUID) error {
	d, err := getDeposit(ctx, tx, id)
	if err != nil {
		return err
	}
	s.Events.WorklistChanged(tx, realtime.WorklistDeposits, id)
	return s.notifyAdmins(ctx, tx, d.User, jobs.AdminNotice{
		NoticeKind: string(catalog.AdminCredit),
		Params: catalog.Params{
			"admin": d.Proposal.By.Username, "username": d.User.Username, "amount": d.Proposal.Amount.String(),
		},
		SubjectID: id,
		Link:      "/admin/deposit?review=" + id.String(),
		ExceptID:  &d.Proposal.By.ID,
	})
}

// ConfirmCredit requests the credit that another admin has proposed. Codes: NotFound, Forbidden for
// the admin's own deposit or proposal, Invalid if the amount is not the proposed one or the taka
// received are not worth it, AlreadyHandled, Conflict if nothing is proposed or the deposit cannot
// be credited.
func (s *Service) ConfirmCredit(
	ctx context.Context, admin, id uuid.UUID, amount money.Cents, received money.Poisha, key *idempotency.Key,
) (operations.Operation, error) {
	// The params are read before the row is locked; the check makes sure that the row still has
	// them.
	seen, err := getDeposit(ctx, s.DB, id)
	if err != nil {
		return operations.Operation{}, err
	}
	params := approvalParams{Amount: amount}
	if p := seen.Proposal; p != nil {
		params.Reason, params.ProposedBy = p.Reason, &p.By.ID
	}
	request := creditRequest(admin, id, params, key)
	err = postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		s.Operations.Begin(ctx, tx, &request)
		d, err := lockDeposit(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := s.checkConfirmation(ctx, tx, admin, d, params, received); err != nil {
			return err
		}
		if err := claim(ctx, tx, s, deposits, admin, id, s.Clock.Now()); err != nil {
			return err
		}
		return s.Operations.Enqueue(ctx, tx, &request)
	})
	return s.Operations.Answer(ctx, &request, err)
}

func (s *Service) checkConfirmation(
	ctx context.Context, tx *postgres.Tx, admin uuid.UUID, d WorklistDeposit, params approvalParams, received money.Poisha,
) error {
	r := d.request()
	p := d.Proposal
	if p != nil && r.Claim != nil && r.Claim.Admin.ID == p.By.ID {
		r.Claim = nil // the proposer's own claim does not lock out the second admin
	}
	switch {
	case d.User.ID == admin, p == nil && d.Status != DepositPending:
		return r.checkHandle(admin, s.Clock.Now())
	case p != nil && p.By.ID == admin:
		return fault.New(fault.Forbidden, "credit_own", "You proposed this credit. Another admin has to confirm it.")
	case params.Amount <= 0:
		return fault.Field("amount", "amount_invalid", textEnterValid)
	case p == nil:
		return fault.New(fault.Conflict, "credit_not_proposed", "No credit of this deposit waits for a second admin.")
	case params.Amount != p.Amount, params.Reason != p.Reason, params.ProposedBy == nil || *params.ProposedBy != p.By.ID:
		return fault.Field("amount", "credit_changed", "Another credit is proposed now. Look at it again.")
	case received == 0 && p.Amount > ReceivedTakaAbove:
		return fault.Field("receivedTaka", "received_missing", "Enter the taka that arrived.")
	}
	approval := Approval{Amount: p.Amount, UserID: d.User.ID, Reason: p.Reason, Received: received}
	if err := s.checkApproval(ctx, tx, admin, WorklistDeposit{Deposit: d.Deposit, Claim: r.Claim}, approval); err != nil {
		return err
	}
	return s.checkSecondAdmin(ctx, tx, admin, params)
}

// checkSecondAdmin returns a Conflict if a credit needs two admins and does not have them.
func (s *Service) checkSecondAdmin(ctx context.Context, tx *postgres.Tx, actor uuid.UUID, p approvalParams) error {
	if p.ProposedBy == nil {
		if s.needsSecondAdmin(p.Amount) {
			return fault.New(fault.Conflict, "credit_unconfirmed", "A second admin has to confirm this credit.")
		}
		return nil
	}
	is, err := isAdmin.One(ctx, tx, postgres.Args{"user": *p.ProposedBy})
	if err == nil && (!is || *p.ProposedBy == actor) {
		err = fault.New(fault.Conflict, "credit_proposer_gone", "Whoever proposed this credit cannot do so any more. Approve it again.")
	}
	return err
}

// SettleApprove credits the deposit. If it refuses, it returns a *fault.Error and changes nothing.
// It does not rely on the checks of the api.
func (s *Settler) SettleApprove(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
	var p approvalParams
	if err := op.Decode(&p); err != nil {
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
	if p.PaymentID != nil {
		return s.settleAutomatic(ctx, tx, op, d, p)
	}
	admin, err := op.UserID()
	if err != nil {
		return nil, err
	}
	if err := d.request().checkSettle(admin); err != nil {
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
	return operations.Result{Outcome: OutcomeDepositApproved}, s.credit(ctx, tx, d, op, p, w)
}

// credit books the deposit at the rate of w, and notifies the user.
func (s *Service) credit(
	ctx context.Context, tx *postgres.Tx, d WorklistDeposit, op operations.Operation, p approvalParams, w worth,
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
	if err := setDepositCredited(ctx, tx, d.Deposit, op.Actor); err != nil {
		return err
	}
	if err := s.record(ctx, tx, op.Actor, "deposit.approve", operations.Deposit(d.ID), depositDetails(d, p.ProposedBy)); err != nil {
		return err
	}
	if d.DealTerms != nil {
		if _, err := s.Jobs.InsertTx(ctx, tx, jobs.DealPayment{DepositID: d.ID}, nil); err != nil {
			return err
		}
	}
	s.Events.WalletUpdated(tx, d.User.ID)
	s.Events.WorklistChanged(tx, realtime.WorklistDeposits, d.ID)
	return s.notifyCredited(ctx, tx, d, w)
}

func postDeposit(ctx context.Context, tx *postgres.Tx, d WorklistDeposit, op operations.Operation) error {
	mobile, err := ledger.Mobile(d.Method)
	if err != nil {
		return err
	}
	taka := d.ConvertedAmount
	if d.PaidAmount != nil {
		taka = *d.PaidAmount
	}
	return ledger.Post(ctx, tx, ledger.Transfer{
		Key:  ledger.DepositApprove.Key(d.ID),
		Kind: op.Kind,
		Legs: []ledger.Leg{
			ledger.MoveBDT(mobile, ledger.ExchangeBDT(), taka),
			ledger.Move(ledger.ExchangeUSD(), ledger.Wallet(d.User.ID), d.Amount),
		},
		Actor: op.Actor,
		At:    *d.HandledAt,
	})
}

func (s *Service) notifyCredited(ctx context.Context, tx *postgres.Tx, d WorklistDeposit, w worth) error {
	kind, params, link := catalog.DepositApproved, catalog.Params{"amount": d.Amount.String()}, depositLink(d.ID)
	if d.DealID != nil && d.DealTerms == nil {
		// The user named the deal, so its title is no stranger's text to them.
		kind, link = catalog.DepositApprovedForDeal, "/deal/"+d.DealID.String()
		params[catalog.TitleParam] = catalog.DealTitle(d.DealDescription)
	}
	switch {
	case d.Amount == d.ClaimedAmount:
	case d.PaidAmount != nil:
		kind = catalog.DepositPaidOther
		params["claimed"], params["taka"] = d.ClaimedAmount.String(), d.PaidAmount.String()
	case d.Reason == nil && w.recounted:
		kind = catalog.DepositRecounted
		params["claimed"] = d.ClaimedAmount.String()
	default:
		kind = catalog.DepositChanged
		params["claimed"], params["reason"] = d.ClaimedAmount.String(), deref(d.Reason)
	}
	return s.Notices.Notify(ctx, tx, d.User.ID, kind, params, link)
}

// expireBatch is how many deposits expire in one transaction.
const expireBatch = 100

// ExpireDeposits fails the pending deposits that no admin has touched for DepositClaimTTL, notifies
// their users, and returns how many. A claim counts until it expires; a proposed credit or a
// pending operation keeps a deposit from expiring. Any number of workers may run it concurrently.
func (s *Settler) ExpireDeposits(ctx context.Context) (int, error) {
	if s.DepositClaimTTL <= 0 {
		return 0, nil
	}
	total := 0
	for {
		n, err := s.expireBatch(ctx)
		total += n
		if err != nil || n < expireBatch {
			return total, err
		}
	}
}

func (s *Settler) expireBatch(ctx context.Context) (int, error) {
	var ids []uuid.UUID
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		now := s.Clock.Now()
		var err error
		ids, err = lockAbandoned.Many(ctx, tx, postgres.Args{"before": now.Add(-s.DepositClaimTTL), "limit": expireBatch})
		if err != nil {
			return err
		}
		for _, id := range ids {
			if err := s.expire(ctx, tx, id, now); err != nil {
				return err
			}
		}
		return nil
	})
	return len(ids), err
}

func (s *Settler) expire(ctx context.Context, tx *postgres.Tx, id uuid.UUID, now time.Time) error {
	d, err := getDeposit(ctx, tx, id)
	if err != nil {
		return err
	}
	d.Status, d.HandledAt, d.ReasonCode = DepositFailed, &now, Expired
	if err := setDepositFailed(ctx, tx, d.Deposit, actor.System()); err != nil {
		return err
	}
	s.Events.WalletUpdated(tx, d.User.ID)
	s.Events.WorklistChanged(tx, realtime.WorklistDeposits, id)
	return s.Notices.Notify(ctx, tx, d.User.ID, catalog.DepositExpired, catalog.Params{
		"amount": d.ClaimedAmount.String(), "transactionId": d.TransactionID,
	}, depositLink(d.ID))
}
