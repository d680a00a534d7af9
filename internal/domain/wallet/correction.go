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

// CorrectionStatus is the state of a correction of a wallet (docs/rules.md#corrections).
type CorrectionStatus string

// Statuses of corrections. An open one waits for another admin than the one who proposed it.
const (
	CorrectionOpen      CorrectionStatus = "open"
	CorrectionConfirmed CorrectionStatus = "confirmed"
	CorrectionRejected  CorrectionStatus = "rejected"
	CorrectionWithdrawn CorrectionStatus = "withdrawn"
	CorrectionExpired   CorrectionStatus = "expired"
)

// CorrectionStatuses returns the statuses of corrections.
func CorrectionStatuses() []CorrectionStatus {
	return []CorrectionStatus{CorrectionOpen, CorrectionConfirmed, CorrectionRejected, CorrectionWithdrawn, CorrectionExpired}
}

const (
	// MaxCorrection is the largest correction.
	MaxCorrection money.Cents = 1_000_000_000_000

	// CorrectionTTL is how long a proposed correction waits for another admin.
	CorrectionTTL = 72 * time.Hour

	maxOpenCorrections  = 3 // of one user
	maxCorrectionReason = 200
)

// Correction is a correction of the balance of a user's wallet.
type Correction struct {
	ID         uuid.UUID
	User       user.Ref
	Amount     money.Cents // below zero: a debit
	Balance    money.Cents // of the wallet when the correction was read
	Reason     string      // the user reads it
	Note       string      // for admins; may be empty
	Status     CorrectionStatus
	ProposedBy *user.Ref // nil: an operator
	ProposedAt time.Time
	ExpiresAt  time.Time
	DecidedBy  *user.Ref // nil while it is open, and if it expired
	DecidedAt  *time.Time
	Decision   *string // why it was rejected

	Operation *operations.Operation `db:"-"` // the pending confirmation, if any
}

func errNoCorrection() *fault.Error {
	return fault.New(fault.NotFound, "correction_not_found", "Correction not found.")
}

// corrections is the worklist of corrections. They are not claimed.
var corrections = requests[Correction]{
	list: realtime.WorklistCorrections, subject: operations.Correction, get: getCorrection, lock: lockCorrection,
	request: (*Correction).request,
}

func (a *Correction) request() request {
	row := worklist.Row{Waits: a.Status == CorrectionOpen, HandledBy: a.DecidedBy, HandledAt: a.DecidedAt, Claim: nil}
	return request{row, a.ID, a.User.ID, &a.Operation}
}

// proposedBy reports whether the admin proposed the correction.
func (a *Correction) proposedBy(admin uuid.UUID) bool {
	return a.ProposedBy != nil && a.ProposedBy.ID == admin
}

// CorrectionProposal is a correction that is being proposed.
type CorrectionProposal struct {
	UserID uuid.UUID
	Amount money.Cents // below zero: a debit
	Reason string
	Note   string // may be empty
}

// magnitude returns the amount without its sign.
func (p CorrectionProposal) magnitude() money.Cents { return max(p.Amount, -p.Amount) }

func (p CorrectionProposal) validate() error {
	switch {
	case p.Amount == 0:
		return fault.Field("amount", "amount_invalid", textEnterValid)
	case p.magnitude() > MaxCorrection:
		return fault.Field("amount", "correction_too_large", "The amount must be at most $10,000,000,000.00.")
	case p.Reason == "":
		return fault.Field("reason", "correction_reason_missing", "Write a reason. The user will read it.")
	case len([]rune(p.Reason)) > maxCorrectionReason:
		return fault.Field("reason", "correction_reason_too_long", "The reason must be at most 200 characters.")
	case len([]rune(p.Note)) > maxReason:
		return fault.Field("note", "correction_note_too_long", "The note must be at most 500 characters.")
	}
	return nil
}

// ProposeCorrection proposes a correction, which another admin has to confirm within CorrectionTTL,
// and notifies the other admins. by is an admin or the operator; the caller has checked that. No
// money moves. Codes: Forbidden for the admin's own wallet, Invalid, also if there is no open
// account with the ID, InsufficientBalance if a debit exceeds the balance, Conflict if too many
// corrections of the user are open.
func (s *Service) ProposeCorrection(
	ctx context.Context, by actor.Actor, p CorrectionProposal, key *idempotency.Key,
) (Correction, error) {
	p.Reason, p.Note = singleLine(trimReason(p.Reason)), trimReason(p.Note)
	id, err := uuid.NewV7()
	if err != nil {
		return Correction{}, err
	}
	made, err := idempotency.Create(ctx, s.DB, key, id, s.Clock.Now(), func(tx *postgres.Tx) error {
		return s.proposeCorrection(ctx, tx, id, by, p)
	})
	if err != nil {
		return Correction{}, err
	}
	return s.GetCorrection(ctx, made)
}

// AccountNamed returns the ID of an open account by its username, also of a disabled one. It is for
// the operator's command line only. Code NotFound.
func (s *Service) AccountNamed(ctx context.Context, username string) (uuid.UUID, error) {
	return findAccount(ctx, s.DB, username)
}

// singleLine joins the lines of a text, which is shown where there is room for one.
func singleLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func (s *Service) proposeCorrection(ctx context.Context, tx *postgres.Tx, id uuid.UUID, by actor.Actor, p CorrectionProposal) error {
	if by.Is(p.UserID) {
		return fault.New(fault.Forbidden, "correction_of_own_wallet", "You cannot propose a correction of your own balance.")
	}
	if err := p.validate(); err != nil {
		return err
	}
	// The lock makes concurrent proposals count each other, and waits for a transaction that closes
	// the account.
	open, found, err := lockOpenCorrections(ctx, tx, p.UserID)
	switch {
	case err != nil:
		return err
	case !found:
		return fault.Field("userId", "correction_user_unknown", "There is no open account with this ID.")
	case open >= maxOpenCorrections:
		return fault.New(fault.Conflict, "corrections_open", "Three corrections of this balance wait for an admin. Decide those first.")
	}
	if err := checkCoversDebit(ctx, tx, p.UserID, p.Amount); err != nil {
		return err
	}
	now := s.Clock.Now()
	if err := insertCorrection(ctx, tx, id, by, p, now); err != nil {
		return err
	}
	a, err := getCorrection(ctx, tx, id)
	if err != nil {
		return err
	}
	if err := s.recordCorrection(ctx, tx, by, "correction.propose", a); err != nil {
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
	refusal := fault.New(fault.InsufficientBalance, "correction_exceeds_balance", "The balance is less than the debit.")
	refusal.Shortfall = int64(shortfall)
	return refusal
}

// notifyProposed notifies every admin except the proposer.
func (s *Service) notifyProposed(ctx context.Context, tx *postgres.Tx, c Correction) error {
	s.Events.WorklistChanged(tx, realtime.WorklistCorrections, c.ID)
	notice := jobs.AdminNotice{
		NoticeKind: string(catalog.AdminCorrectionOperator),
		Params:     catalog.Params{"username": c.User.Username, "amount": max(c.Amount, -c.Amount).String()},
		SubjectID:  c.ID,
		Link:       "/admin/corrections?review=" + c.ID.String(),
	}
	if c.ProposedBy != nil {
		notice.NoticeKind, notice.ExceptID = string(catalog.AdminCorrection), &c.ProposedBy.ID
		notice.Params["admin"] = c.ProposedBy.Username
	}
	return s.notifyAdmins(ctx, tx, c.User, notice)
}

// recordCorrection writes the audit log.
func (s *Service) recordCorrection(ctx context.Context, tx *postgres.Tx, by actor.Actor, action string, c Correction) error {
	var proposer *uuid.UUID
	if c.ProposedBy != nil {
		proposer = &c.ProposedBy.ID
	}
	return audit.Record(ctx, tx, audit.Entry{
		At: s.Clock.Now(), Actor: by, Action: action, Subject: operations.Correction(c.ID),
		Details: struct {
			User       uuid.UUID   `json:"user"`
			Amount     money.Cents `json:"amount"`
			Reason     string      `json:"reason"`
			ProposedBy *uuid.UUID  `json:"proposedBy,omitempty"`
			Decision   string      `json:"decision,omitempty"`
		}{c.User.ID, c.Amount, c.Reason, proposer, deref(c.Decision)},
	})
}

// CorrectionQuery is what an admin looks for among the corrections. Empty fields select all.
type CorrectionQuery struct {
	Status CorrectionStatus
	Search string // the beginning of a username
}

// CorrectionWorklist returns corrections and the total number: open ones oldest first, others
// newest first. The caller has checked that the reader is an admin or the operator.
func (s *Service) CorrectionWorklist(ctx context.Context, query CorrectionQuery, page postgres.Page) ([]Correction, int, error) {
	query.Search = strings.ToLower(strings.TrimSpace(query.Search))
	if query.Search != "" && !usernameBeginning.MatchString(query.Search) {
		return nil, 0, nil
	}
	list, total, err := listCorrections(ctx, s.DB, query, page)
	if err != nil {
		return nil, 0, err
	}
	return list, total, corrections.attachPending(ctx, s.DB, list)
}

// GetCorrection returns one correction to an admin, which the caller has checked. Code NotFound.
func (s *Service) GetCorrection(ctx context.Context, id uuid.UUID) (Correction, error) {
	return corrections.find(ctx, s.DB, id)
}

// ConfirmCorrection requests the posting of a correction that somebody else has proposed. Codes:
// NotFound, Forbidden for the admin's own wallet or proposal, AlreadyHandled, InsufficientBalance
// if a debit exceeds the balance, Conflict if the correction has expired, its proposer is no admin
// any more, the account is closed, or it is being confirmed.
func (s *Service) ConfirmCorrection(ctx context.Context, admin, id uuid.UUID, key *idempotency.Key) (operations.Operation, error) {
	request := operations.Request{
		Kind: jobs.KindBalanceAdjust, Subject: operations.Correction(id), Actor: actor.User(admin), Params: struct{}{}, Key: key,
	}
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		s.Operations.Begin(ctx, tx, &request)
		a, err := lockCorrection(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := a.checkConfirm(ctx, tx, admin); err != nil {
			return err
		}
		if !s.Clock.Now().Before(a.ExpiresAt) {
			return fault.New(fault.Conflict, "correction_expired", "This correction was not confirmed in time. Propose it again.")
		}
		if err := checkCoversDebit(ctx, tx, a.User.ID, a.Amount); err != nil {
			return err
		}
		s.Events.WorklistChanged(tx, realtime.WorklistCorrections, id)
		return s.Operations.Enqueue(ctx, tx, &request)
	})
	return s.Operations.Answer(ctx, &request, err)
}

// checkConfirm checks what must be true when a correction is confirmed, and when it settles. It
// leaves out the expiry: what was confirmed in time is carried out.
func (a *Correction) checkConfirm(ctx context.Context, tx *postgres.Tx, admin uuid.UUID) error {
	if err := a.checkDecide(admin); err != nil {
		return err
	}
	if a.User.Closed {
		return fault.New(fault.Conflict, "correction_account_closed", "The account has been closed.")
	}
	if a.ProposedBy == nil {
		return nil
	}
	is, err := isAdmin.One(ctx, tx, postgres.Args{"user": a.ProposedBy.ID})
	if err == nil && !is {
		err = fault.New(fault.Conflict, "correction_proposer_gone", "Whoever proposed this correction is no admin any more. Propose it again.")
	}
	return err
}

// checkDecide fails if the admin is the user or the proposer (Forbidden), or if the correction is
// not open any more (AlreadyHandled).
func (a *Correction) checkDecide(admin uuid.UUID) error {
	if err := a.checkOther(admin); err != nil {
		return err
	}
	return a.request().checkSettle(admin)
}

// checkOther fails if the admin is the user or the proposer (Forbidden).
func (a *Correction) checkOther(admin uuid.UUID) error {
	switch {
	case a.User.ID == admin:
		return a.request().checkSettle(admin)
	case a.proposedBy(admin):
		return fault.New(fault.Forbidden, "correction_own", "You proposed this correction. Another admin has to decide it.")
	}
	return nil
}

// RejectCorrection rejects a correction that somebody else has proposed. Codes: NotFound, Forbidden
// for the admin's own wallet or proposal, Invalid without a reason, AlreadyHandled, Conflict while
// it is being confirmed.
func (s *Service) RejectCorrection(ctx context.Context, admin, id uuid.UUID, reason string) (Correction, error) {
	reason = trimReason(reason)
	return s.endCorrection(ctx, admin, id, "correction.reject", func(a *Correction) error {
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
		a.Status, a.Decision = CorrectionRejected, &reason
		return err
	})
}

// WithdrawCorrection withdraws the admin's own proposal. Codes: NotFound, Forbidden for a proposal
// of somebody else, AlreadyHandled, Conflict while it is being confirmed.
func (s *Service) WithdrawCorrection(ctx context.Context, admin, id uuid.UUID) (Correction, error) {
	return s.endCorrection(ctx, admin, id, "correction.withdraw", func(a *Correction) error {
		if !a.proposedBy(admin) {
			return fault.New(fault.Forbidden, "correction_of_another", "Only the admin who proposed this correction can withdraw it.")
		}
		err := a.request().checkSettle(admin)
		a.Status = CorrectionWithdrawn
		return err
	})
}

// endCorrection ends an open correction without a posting: end checks it and sets its outcome.
func (s *Service) endCorrection(
	ctx context.Context, admin, id uuid.UUID, action string, end func(a *Correction) error,
) (Correction, error) {
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		a, err := lockCorrection(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := end(&a); err != nil {
			return err
		}
		if err := checkNotBusy(ctx, tx, operations.Correction(id)); err != nil {
			return err
		}
		if err := setCorrectionDecided(ctx, tx, a, actor.User(admin), s.Clock.Now()); err != nil {
			return err
		}
		s.Events.WorklistChanged(tx, realtime.WorklistCorrections, id)
		return s.recordCorrection(ctx, tx, actor.User(admin), action, a)
	})
	if err != nil {
		return Correction{}, err
	}
	return s.GetCorrection(ctx, id)
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
	a, err := lockCorrection(ctx, tx, id)
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
	if err := postCorrection(ctx, tx, a, op, now); err != nil {
		return nil, err
	}
	a.Status = CorrectionConfirmed
	if err := setCorrectionDecided(ctx, tx, a, op.Actor, now); err != nil {
		return nil, err
	}
	if err := s.recordCorrection(ctx, tx, op.Actor, "correction.confirm", a); err != nil {
		return nil, err
	}
	return operations.Result{Outcome: OutcomeCorrectionConfirmed}, s.notifyCorrected(ctx, tx, a)
}

func postCorrection(ctx context.Context, tx *postgres.Tx, c Correction, op operations.Operation, now time.Time) error {
	leg := ledger.Move(ledger.Corrections(), ledger.Wallet(c.User.ID), c.Amount)
	if c.Amount < 0 {
		leg = ledger.Move(ledger.Wallet(c.User.ID), ledger.Corrections(), -c.Amount)
	}
	err := ledger.Post(ctx, tx, ledger.Transfer{
		Key: ledger.BalanceAdjust.Key(c.ID), Kind: op.Kind, Legs: []ledger.Leg{leg}, Actor: op.Actor, Reason: c.Reason, At: now,
	})
	var insufficient *ledger.InsufficientError
	if errors.As(err, &insufficient) {
		return errDebitTooLarge(insufficient.Shortfall)
	}
	return err
}

func (s *Service) notifyCorrected(ctx context.Context, tx *postgres.Tx, c Correction) error {
	s.Events.WalletUpdated(tx, c.User.ID)
	s.Events.WorklistChanged(tx, realtime.WorklistCorrections, c.ID)
	kind := catalog.BalanceCredited
	if c.Amount < 0 {
		kind = catalog.BalanceDebited
	}
	return s.Notices.Notify(ctx, tx, c.User.ID, kind, catalog.Params{
		"amount": max(c.Amount, -c.Amount).String(), "reason": c.Reason,
	}, balancePage)
}

// ExpireCorrections expires the open corrections whose time is over and returns how many. One that
// is being confirmed is left alone. Any number of workers may run it concurrently.
func (s *Settler) ExpireCorrections(ctx context.Context) (int, error) {
	total := 0
	for {
		due, expired, err := s.expireCorrections(ctx)
		total += expired
		if err != nil || due < expireBatch || expired == 0 {
			return total, err
		}
	}
}

func (s *Settler) expireCorrections(ctx context.Context) (due, expired int, err error) {
	err = postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		now := s.Clock.Now()
		ids, err := lockDueCorrections.Many(ctx, tx, postgres.Args{"now": now, "limit": expireBatch})
		if err != nil {
			return err
		}
		// In a later statement than the locks: a confirmation may have committed in between.
		subjects := make([]string, len(ids))
		for i, id := range ids {
			subjects[i] = operations.Correction(id)
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
			if err := s.expireCorrection(ctx, tx, id, now); err != nil {
				return err
			}
			expired++
		}
		return nil
	})
	return due, expired, err
}

func (s *Settler) expireCorrection(ctx context.Context, tx *postgres.Tx, id uuid.UUID, now time.Time) error {
	s.Events.WorklistChanged(tx, realtime.WorklistCorrections, id)
	return setCorrectionDecided(ctx, tx, Correction{ID: id, Status: CorrectionExpired}, actor.System(), now)
}
