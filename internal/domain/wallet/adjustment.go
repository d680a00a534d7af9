package wallet

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/audit"
	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
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

	Operation *operations.Operation // the pending confirmation, if any
}

func errNoAdjustment() *fault.Error {
	return fault.New(fault.NotFound, "adjustment_not_found", "Correction not found.")
}

// adjustments is the worklist of corrections. They are not claimed.
var adjustments = worklist[Adjustment]{
	queue: realtime.QueueAdjustments, subject: operations.Adjustment, get: getAdjustment, lock: lockAdjustment,
	entry: (*Adjustment).entry,
}

func (a *Adjustment) entry() worklistEntry {
	return worklistEntry{
		id: a.ID, userID: a.User.ID, pending: a.Status == AdjustmentOpen, handledBy: a.DecidedBy, handledAt: a.DecidedAt,
		operation: &a.Operation,
	}
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
	s.Events.QueueChanged(tx, realtime.QueueAdjustments, a.ID)
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

// QueueAdjustments returns corrections and the total number: open ones oldest first, others newest
// first. The caller has checked that the reader is an admin or the operator.
func (s *Service) QueueAdjustments(ctx context.Context, query AdjustmentQuery, page postgres.Page) ([]Adjustment, int, error) {
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
