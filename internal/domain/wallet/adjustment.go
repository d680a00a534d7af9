package wallet

import (
	"context"
	"errors"
	"strings"
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

// AdjustmentStatus is the state of a correction of a wallet (docs/rules.md#adjustments).
type AdjustmentStatus string

// Statuses of corrections. An open one waits for another admin than the one who proposed it.
const (
	AdjustmentOpen      AdjustmentStatus = "open"
	AdjustmentConfirmed AdjustmentStatus = "confirmed"
	AdjustmentRejected  AdjustmentStatus = "rejected"
	AdjustmentWithdrawn AdjustmentStatus = "withdrawn"
	AdjustmentExpired   AdjustmentStatus = "expired"
)

// AdjustmentStatuses returns the statuses of corrections.
func AdjustmentStatuses() []AdjustmentStatus {
	return []AdjustmentStatus{AdjustmentOpen, AdjustmentConfirmed, AdjustmentRejected, AdjustmentWithdrawn, AdjustmentExpired}
}

const (
	// MaxAdjustment is the largest correction.
	MaxAdjustment money.Cents = 1_000_000_000_000

	// AdjustmentTTL is how long a proposed correction waits for another admin.
	AdjustmentTTL = 72 * time.Hour

	maxOpenAdjustments  = 3 // of one user
	maxAdjustmentReason = 200
)

// Adjustment is a correction of the balance of a user's wallet.
type Adjustment struct {
	ID         uuid.UUID
	User       user.Ref
	Amount     money.Cents // below zero: a debit
	Balance    money.Cents // of the wallet when the correction was read
	Reason     string      // the user reads it
	Note       string      // for admins; may be empty
	Status     AdjustmentStatus
	ProposedBy *user.Ref // nil: an operator
	ProposedAt time.Time
	ExpiresAt  time.Time
	DecidedBy  *user.Ref // nil while it is open, and if it expired
	DecidedAt  *time.Time
	Decision   *string // why it was rejected

	Operation *operations.Operation `db:"-"` // the pending confirmation, if any
}

func errNoAdjustment() *fault.Error {
	return fault.New(fault.NotFound, "adjustment_not_found", "Correction not found.")
}

// adjustments is the worklist of corrections. They are not claimed.
var adjustments = requests[Adjustment]{
	list: realtime.WorklistAdjustments, subject: operations.Adjustment, get: getAdjustment, lock: lockAdjustment,
	request: (*Adjustment).request,
}

func (a *Adjustment) request() request {
	row := worklist.Row{Waits: a.Status == AdjustmentOpen, HandledBy: a.DecidedBy, HandledAt: a.DecidedAt, Claim: nil}
	return request{row, a.ID, a.User.ID, &a.Operation}
}

// proposedBy reports whether the admin proposed the correction.
func (a *Adjustment) proposedBy(admin uuid.UUID) bool {
	return a.ProposedBy != nil && a.ProposedBy.ID == admin
}

// AdjustmentProposal is a correction that is being proposed.
type AdjustmentProposal struct {
	UserID uuid.UUID
	Amount money.Cents // below zero: a debit
	Reason string
	Note   string // may be empty
}

// magnitude returns the amount without its sign.
func (p AdjustmentProposal) magnitude() money.Cents { return max(p.Amount, -p.Amount) }

func (p AdjustmentProposal) validate() error {
	switch {
	case p.Amount == 0:
		return fault.Field("amount", "amount_invalid", textEnterValid)
	case p.magnitude() > MaxAdjustment:
		return fault.Field("amount", "adjustment_too_large", "The amount must be at most $10,000,000,000.00.")
	case p.Reason == "":
		return fault.Field("reason", "adjustment_reason_missing", "Write a reason. The user will read it.")
	case len([]rune(p.Reason)) > maxAdjustmentReason:
		return fault.Field("reason", "adjustment_reason_too_long", "The reason must be at most 200 characters.")
	case len([]rune(p.Note)) > maxReason:
		return fault.Field("note", "adjustment_note_too_long", "The note must be at most 500 characters.")
	}
	return nil
}

// ProposeAdjustment proposes a correction, which another admin has to confirm within AdjustmentTTL,
// and notifies the other admins. by is an admin or the operator; the caller has checked that. No
// money moves. Codes: Forbidden for the admin's own wallet, Invalid, also if there is no open
// account with the ID, InsufficientBalance if a debit exceeds the balance, Conflict if too many
// corrections of the user are open.
func (s *Service) ProposeAdjustment(
	ctx context.Context, by actor.Actor, p AdjustmentProposal, key *idempotency.Key,
) (Adjustment, error) {
	p.Reason, p.Note = singleLine(trimReason(p.Reason)), trimReason(p.Note)
	id, err := uuid.NewV7()
	if err != nil {
		return Adjustment{}, err
	}
	made, err := idempotency.Create(ctx, s.DB, key, id, s.Clock.Now(), func(tx *postgres.Tx) error {
		return s.proposeAdjustment(ctx, tx, id, by, p)
	})
	if err != nil {
		return Adjustment{}, err
	}
	return s.GetAdjustment(ctx, made)
}

// AccountNamed returns the ID of an open account by its username, also of a disabled one. It is for
// the operator's command line only. Code NotFound.
func (s *Service) AccountNamed(ctx context.Context, username string) (uuid.UUID, error) {
	return findAccount(ctx, s.DB, username)
}

// singleLine joins the lines of a text, which is shown where there is room for one.
func singleLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func (s *Service) proposeAdjustment(ctx context.Context, tx *postgres.Tx, id uuid.UUID, by actor.Actor, p AdjustmentProposal) error {
	if by.Is(p.UserID) {
		return fault.New(fault.Forbidden, "adjustment_of_own_wallet", "You cannot propose a correction of your own balance.")
	}
	if err := p.validate(); err != nil {
		return err
	}
	// The lock makes concurrent proposals count each other, and waits for a transaction that closes
	// the account.
	open, found, err := lockOpenAdjustments(ctx, tx, p.UserID)
	switch {
	case err != nil:
		return err
	case !found:
		return fault.Field("userId", "adjustment_user_unknown", "There is no open account with this ID.")
	case open >= maxOpenAdjustments:
		return fault.New(fault.Conflict, "adjustments_open", "Three corrections of this balance wait for an admin. Decide those first.")
	}
	if err := checkCoversDebit(ctx, tx, p.UserID, p.Amount); err != nil {
		return err
	}
	now := s.Clock.Now()
	if err := insertAdjustment(ctx, tx, id, by, p, now); err != nil {
		return err
	}
	a, err := getAdjustment(ctx, tx, id)
	if err != nil {
		return err
	}
	if err := s.recordAdjustment(ctx, tx, by, "adjustment.propose", a); err != nil {
		return err
	}
	return s.notifyProposed(ctx, tx, a)
}

// checkCoversDebit fails with InsufficientBalance if a correction would leave the wallet below zero
// now. The posting decides.
func checkCoversDebit(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, amount money.Cents) error {
	if amount >= 0 {
		return nil
	}
	balance, err := ledger.WalletBalance(ctx, tx, userID)
	if err == nil && balance+amount < 0 {
		err = errDebitTooLarge(-(balance + amount))
	}
	return err
}

func errDebitTooLarge(shortfall money.Cents) *fault.Error {
	refusal := fault.New(fault.InsufficientBalance, "adjustment_exceeds_balance", "The balance is less than the debit.")
	refusal.Shortfall = int64(shortfall)
	return refusal
}

// notifyProposed notifies every admin except the proposer.
func (s *Service) notifyProposed(ctx context.Context, tx *postgres.Tx, a Adjustment) error {
	s.Events.WorklistChanged(tx, realtime.WorklistAdjustments, a.ID)
	notice := jobs.AdminNotice{
		NoticeKind: string(catalog.AdminAdjustmentOperator),
		Params:     catalog.Params{"username": a.User.Username, "amount": max(a.Amount, -a.Amount).String()},
		SubjectID:  a.ID,
		Link:       "/admin/adjustments?review=" + a.ID.String(),
	}
	if a.ProposedBy != nil {
		notice.NoticeKind, notice.ExceptID = string(catalog.AdminAdjustment), &a.ProposedBy.ID
		notice.Params["admin"] = a.ProposedBy.Username
	}
	return s.notifyAdmins(ctx, tx, a.User, notice)
}

// recordAdjustment writes the audit log.
func (s *Service) recordAdjustment(ctx context.Context, tx *postgres.Tx, by actor.Actor, action string, a Adjustment) error {
	var proposer *uuid.UUID
	if a.ProposedBy != nil {
		proposer = &a.ProposedBy.ID
	}
	return audit.Record(ctx, tx, audit.Entry{
		At: s.Clock.Now(), Actor: by, Action: action, Subject: operations.Adjustment(a.ID),
		Details: struct {
			User       uuid.UUID   `json:"user"`
			Amount     money.Cents `json:"amount"`
			Reason     string      `json:"reason"`
			ProposedBy *uuid.UUID  `json:"proposedBy,omitempty"`
			Decision   string      `json:"decision,omitempty"`
		}{a.User.ID, a.Amount, a.Reason, proposer, deref(a.Decision)},
	})
}

// AdjustmentQuery is what an admin looks for among the corrections. Empty fields select all.
type AdjustmentQuery struct {
	Status AdjustmentStatus
	Search string // the beginning of a username
}

// AdjustmentWorklist returns corrections and the total number: open ones oldest first, others
// newest first. The caller has checked that the reader is an admin or the operator.
func (s *Service) AdjustmentWorklist(ctx context.Context, query AdjustmentQuery, page postgres.Page) ([]Adjustment, int, error) {
	query.Search = strings.ToLower(strings.TrimSpace(query.Search))
	if query.Search != "" && !usernameBeginning.MatchString(query.Search) {
		return nil, 0, nil
	}
	list, total, err := listAdjustments(ctx, s.DB, query, page)
	if err != nil {
		return nil, 0, err
	}
	return list, total, adjustments.attachPending(ctx, s.DB, list)
}

// GetAdjustment returns one correction to an admin, which the caller has checked. Code NotFound.
func (s *Service) GetAdjustment(ctx context.Context, id uuid.UUID) (Adjustment, error) {
	return adjustments.find(ctx, s.DB, id)
}

// ConfirmAdjustment requests the posting of a correction that somebody else has proposed. Codes:
// NotFound, Forbidden for the admin's own wallet or proposal, AlreadyHandled, InsufficientBalance
// if a debit exceeds the balance, Conflict if the correction has expired, its proposer is no admin
// any more, the account is closed, or it is being confirmed.
func (s *Service) ConfirmAdjustment(ctx context.Context, admin, id uuid.UUID, key *idempotency.Key) (operations.Operation, error) {
	request := operations.Request{
		Kind: jobs.KindBalanceAdjust, Subject: operations.Adjustment(id), Actor: actor.User(admin), Params: struct{}{}, Key: key,
	}
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		s.Operations.Begin(ctx, tx, &request)
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
		if err := checkCoversDebit(ctx, tx, a.User.ID, a.Amount); err != nil {
			return err
		}
		s.Events.WorklistChanged(tx, realtime.WorklistAdjustments, id)
		return s.Operations.Enqueue(ctx, tx, &request)
	})
	return s.Operations.Answer(ctx, &request, err)
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
	is, err := isAdmin.One(ctx, tx, postgres.Args{"user": a.ProposedBy.ID})
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
	return a.request().checkSettle(admin)
}

// checkOther fails if the admin is the user or the proposer (Forbidden).
func (a *Adjustment) checkOther(admin uuid.UUID) error {
	switch {
	case a.User.ID == admin:
		return a.request().checkSettle(admin)
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
		err := a.request().checkSettle(admin)
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
		err := a.request().checkSettle(admin)
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
		s.Events.WorklistChanged(tx, realtime.WorklistAdjustments, id)
		return s.recordAdjustment(ctx, tx, actor.User(admin), action, a)
	})
	if err != nil {
		return Adjustment{}, err
	}
	return s.GetAdjustment(ctx, id)
}

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
	if a.User.Closed, err = lockAccount.One(ctx, tx, postgres.Args{"user": a.User.ID}); err != nil {
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
	s.Events.WorklistChanged(tx, realtime.WorklistAdjustments, a.ID)
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
		ids, err := lockDueAdjustments.Many(ctx, tx, postgres.Args{"now": now, "limit": expireBatch})
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
	s.Events.WorklistChanged(tx, realtime.WorklistAdjustments, id)
	return setAdjustmentDecided(ctx, tx, Adjustment{ID: id, Status: AdjustmentExpired}, actor.System(), now)
}
