// Package jobs defines the arguments of every River job, with their kinds, queues and insert
// options. Arguments identify rows by ID; workers read the rows themselves. The package imports no
// other package of this module, so that packages that enqueue do not depend on the workers.
package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"
)

// Queues. Each worker process is configured with the queues it serves, so that they scale
// independently.
const (
	QueueMoney       = "money"
	QueueMail        = "mail"
	QueueNotify      = "notify"
	QueueMaintenance = "maintenance"
	QueueData        = "data"     // long jobs that read or change everything of one user
	QueueCheckout    = "checkout" // calls of payment providers, which may take half a minute
)

// Queues lists every queue.
func Queues() []string {
	return []string{QueueMoney, QueueMail, QueueNotify, QueueMaintenance, QueueData, QueueCheckout}
}

// Schema is the PostgreSQL schema of River's tables.
const Schema = "river"

// Enqueuer inserts jobs in the caller's transaction. *river.Client[pgx.Tx] implements it.
type Enqueuer interface {
	InsertTx(ctx context.Context, tx pgx.Tx, args river.JobArgs, opts *river.InsertOpts) (*rivertype.JobInsertResult, error)
}

// FastEnqueuer inserts jobs in the caller's transaction. It uses the results of its statements only
// for the count that it returns. *river.Client[pgx.Tx] implements it.
type FastEnqueuer interface {
	InsertManyFastTx(ctx context.Context, tx pgx.Tx, params []river.InsertManyParams) (int, error)
}

// Inserter inserts jobs in either way.
type Inserter interface {
	Enqueuer
	FastEnqueuer
}

// Kinds of money jobs. An operation has the kind of its job.
const (
	KindDealPay          = "deal_pay"
	KindDealComplete     = "deal_complete"
	KindDealRefund       = "deal_refund"
	KindDealSettle       = "deal_settle"
	KindReferralCredit   = "referral_credit"
	KindDepositApprove   = "deposit_approve"
	KindWithdrawalHold   = "withdrawal_hold"
	KindWithdrawalSend   = "withdrawal_send"
	KindWithdrawalReject = "withdrawal_reject"
	KindWithdrawalCancel = "withdrawal_cancel"
	KindBalanceAdjust    = "balance_adjust"
)

// MoneyKinds lists the kinds of money jobs.
func MoneyKinds() []string {
	return []string{
		KindDealPay, KindDealComplete, KindDealRefund, KindDealSettle, KindReferralCredit, KindDepositApprove,
		KindWithdrawalHold, KindWithdrawalSend, KindWithdrawalReject, KindWithdrawalCancel, KindBalanceAdjust,
	}
}

// MoneyTimeout limits one attempt of a money job.
const MoneyTimeout = 10 * time.Second

// moneyAttempts lets a money job retry for 24 hours, at most 30 s apart
// (docs/rules.md#money-calls).
const moneyAttempts = 2900

// Settle are the arguments of every money job: the operation to settle. The kind of the job is that
// of the operation, and is only known where the job is inserted; workers use that of the row.
type Settle struct {
	Operation   string    `json:"-"`
	OperationID uuid.UUID `json:"operation_id"`
}

// Kind implements river.JobArgs.
func (s Settle) Kind() string { return s.Operation }

// InsertOpts sends the job to the money queue.
func (Settle) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMoney, MaxAttempts: moneyAttempts}
}

// ForOperation returns the job that settles an operation of the given kind. It fails if there is no
// such job.
func ForOperation(kind string, id uuid.UUID) (river.JobArgs, error) {
	if !slices.Contains(MoneyKinds(), kind) {
		return nil, fmt.Errorf("jobs: no job settles operations of kind %q", kind)
	}
	return Settle{Operation: kind, OperationID: id}, nil
}

// Periodic is a kind of periodic jobs, and the only argument of each.
type Periodic string

// The kinds of periodic jobs. The next run of one makes up for a missed or failed one.
const (
	MailSweep        Periodic = "mail_sweep"        // sends the emails of notifications that are due
	PushSweep        Periodic = "push_sweep"        // sends the pushes that are due
	UnreadMails      Periodic = "unread_mails"      // emails offline users about unread messages
	DealClock        Periodic = "deal_clock"        // applies the deadlines of deals that are due
	DepositExpiry    Periodic = "deposit_expiry"    // expires deposits that no admin has handled in time
	CheckoutSweep    Periodic = "checkout_sweep"    // has unfinished checkouts looked at, and expires them
	CorrectionExpiry Periodic = "correction_expiry" // expires proposed corrections of wallets
	SearchAlerts     Periodic = "search_alerts"     // tells users of new posts that match their saved searches
	SuspensionsEnd   Periodic = "suspensions_end"   // enables accounts whose suspension has run out
	OperationsSweep  Periodic = "operations_sweep"  // enqueues new jobs for operations that have lost theirs
	LedgerFold       Periodic = "ledger_fold"       // folds new entries into the rollups of the provider's accounts
	SealChain        Periodic = "seal_chain"        // seals new rows of the ledger and of the audit log
	Reconcile        Periodic = "reconcile"         // checks the books and the chains once a night
	Cleanup          Periodic = "cleanup"           // deletes rows that are no longer needed
	PostWords        Periodic = "post_words"        // collects the words of posts for searches with a typo
	EventsPrune      Periodic = "events_prune"      // deletes old events, idempotency keys and notifications
)

// Kind implements river.JobArgs.
func (p Periodic) Kind() string { return string(p) }

// InsertOpts sends the job to the maintenance queue with a single attempt, except sweeps of mail
// and pushes: a failed one is cancelled, too, but one whose worker died would end among the
// discarded jobs, which need an operator. Jobs that may take long are inserted only while no other
// one of their kind waits or runs.
func (p Periodic) InsertOpts() river.InsertOpts {
	opts := river.InsertOpts{Queue: QueueMaintenance, MaxAttempts: 1}
	switch p {
	case MailSweep:
		opts = river.InsertOpts{Queue: QueueMail}
	case PushSweep:
		opts = river.InsertOpts{Queue: QueueNotify}
	case SearchAlerts, SealChain, Reconcile, PostWords, EventsPrune:
		opts.UniqueOpts.ByState = unfinished
	default:
	}
	return opts
}

// unfinished are the states of jobs that wait or run.
var unfinished = []rivertype.JobState{
	rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning,
	rivertype.JobStateScheduled,
}

// mailAttempts lets an email that a user is waiting for retry for a day, at most 5 minutes apart.
// After that it is of no use.
const mailAttempts = 300

// Mail emails a user, even one with email notifications off. The worker reads the address and
// creates the token of a link: nothing secret is among the arguments.
type Mail struct {
	MailKind  string            `json:"mail_kind"`        // of the subject, in the catalog
	SubjectID uuid.UUID         `json:"subject_id"`       // what it is about: an account, a withdrawal, a decision …
	Params    map[string]string `json:"params,omitempty"` // of the text
}

// Kind returns mail.
func (Mail) Kind() string { return "mail" }

// InsertOpts sends the job to the mail queue.
func (Mail) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMail, MaxAttempts: mailAttempts}
}

// SupportMail forwards a bug report or a contact message to support, or emails the heads of the
// chains. It has River's usual number of attempts, which take three weeks: an operator may put
// support's address right.
type SupportMail struct {
	MailKind  string            `json:"mail_kind"`           // of the subject, in the catalog
	SubjectID uuid.UUID         `json:"subject_id,omitzero"` // the report or the message
	Heads     map[string]string `json:"heads,omitempty"`     // by chain
}

// Kind returns support_mail.
func (SupportMail) Kind() string { return "support_mail" }

// InsertOpts sends the job to the mail queue.
func (SupportMail) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueMail} }

// noticeOpts are the insert options of notices. The other jobs of the queue are steps of a payment
// that somebody waits for. They run first, since an overload can leave thousands of notices.
var noticeOpts = river.InsertOpts{Queue: QueueNotify, Priority: 2}

// AdminNotice notifies the admins of something that needs their attention.
type AdminNotice struct {
	NoticeKind string            `json:"notice_kind"`
	Params     map[string]string `json:"params"`
	AboutID    *uuid.UUID        `json:"about_id"` // the user it is about; nil: no known user
	SubjectID  uuid.UUID         `json:"subject_id"`
	Link       string            `json:"link"`
	ExceptID   *uuid.UUID        `json:"except_id"` // an admin not to notify; nil: notify all
}

// Kind returns admin_notice.
func (AdminNotice) Kind() string { return "admin_notice" }

// InsertOpts sends the job to the notify queue, behind the others there.
func (AdminNotice) InsertOpts() river.InsertOpts { return noticeOpts }

// SavedPost tells those who have saved a post that it has become cheaper or is gone.
type SavedPost struct {
	PostID uuid.UUID `json:"post_id"`
}

// Kind returns saved_post.
func (SavedPost) Kind() string { return "saved_post" }

// InsertOpts sends the job to the notify queue, behind the others there.
func (SavedPost) InsertOpts() river.InsertOpts { return noticeOpts }

// PhoneDelivery verifies and reads what a phone has forwarded.
type PhoneDelivery struct {
	DeliveryID uuid.UUID `json:"delivery_id"`
}

// Kind returns phone_delivery.
func (PhoneDelivery) Kind() string { return "phone_delivery" }

// InsertOpts sends the job to the notify queue.
func (PhoneDelivery) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueNotify} }

// ReceiverAnchor sets the balance of an account that payments go to, as an admin sees it, unless an
// SMS has changed it meanwhile.
type ReceiverAnchor struct {
	ReceiverID uuid.UUID `json:"receiver_id"`
	Known      *int64    `json:"known"`   // poisha: the balance until then; nil: none
	Balance    int64     `json:"balance"` // poisha
	AdminID    uuid.UUID `json:"admin_id"`
}

// Kind returns receiver_anchor.
func (ReceiverAnchor) Kind() string { return "receiver_anchor" }

// InsertOpts sends the job to the notify queue.
func (ReceiverAnchor) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueNotify} }

// DepositMatch looks for the payment that a deposit reports, and has it credited if it is proven.
type DepositMatch struct {
	DepositID uuid.UUID `json:"deposit_id"`
}

// Kind returns deposit_match.
func (DepositMatch) Kind() string { return "deposit_match" }

// InsertOpts sends the job to the notify queue.
func (DepositMatch) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueNotify} }

// DepositNotice notifies the admins of a deposit, unless an SMS has credited it by then.
type DepositNotice struct {
	DepositID uuid.UUID `json:"deposit_id"`
}

// Kind returns deposit_notice.
func (DepositNotice) Kind() string { return "deposit_notice" }

// InsertOpts sends the job to the notify queue, behind the others there.
func (DepositNotice) InsertOpts() river.InsertOpts { return noticeOpts }

// PaymentMatch makes the deposit of a payment with a user's code, or looks for the withdrawal that
// a payment has paid out, and has it booked.
type PaymentMatch struct {
	PaymentID uuid.UUID `json:"payment_id"`
}

// Kind returns payment_match.
func (PaymentMatch) Kind() string { return "payment_match" }

// InsertOpts sends the job to the notify queue.
func (PaymentMatch) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueNotify} }

// ReceiverNotice notifies the admins that the SMS of an account do not add up, unless they do by
// then.
type ReceiverNotice struct {
	ReceiverID uuid.UUID `json:"receiver_id"`
	BrokenAt   time.Time `json:"broken_at"`
}

// Kind returns receiver_notice.
func (ReceiverNotice) Kind() string { return "receiver_notice" }

// InsertOpts sends the job to the notify queue, behind the others there.
func (ReceiverNotice) InsertOpts() river.InsertOpts { return noticeOpts }

// DealPayment pays the deal that a credited deposit was made for.
type DealPayment struct {
	DepositID uuid.UUID `json:"deposit_id"`
}

// Kind returns deal_payment.
func (DealPayment) Kind() string { return "deal_payment" }

// InsertOpts sends the job to the notify queue.
func (DealPayment) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueNotify} }

// Checkout asks the provider about a checkout, or for its page if it has none yet.
type Checkout struct {
	CheckoutID uuid.UUID `json:"checkout_id"`
	Returned   string    `json:"returned,omitempty"` // with what the payer has come back
}

// Kind returns checkout.
func (Checkout) Kind() string { return "checkout" }

// InsertOpts sends the job to the queue of checkouts, unless the same one waits or runs.
func (Checkout) InsertOpts() river.InsertOpts {
	opts := river.InsertOpts{Queue: QueueCheckout}
	opts.UniqueOpts.ByArgs, opts.UniqueOpts.ByState = true, unfinished
	return opts
}

// dataAttempts is how often an export is attempted before its user is told that it failed.
const dataAttempts = 4

// DataExport makes the archive of what a user has made.
type DataExport struct {
	ExportID uuid.UUID `json:"export_id"`
}

// Kind returns data_export.
func (DataExport) Kind() string { return "data_export" }

// InsertOpts sends the job to the queue of long jobs.
func (DataExport) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueData, MaxAttempts: dataAttempts}
}

// EraseAccount erases what the owner of a closed account has made.
type EraseAccount struct {
	UserID uuid.UUID `json:"user_id"`
}

// Kind returns erase_account.
func (EraseAccount) Kind() string { return "erase_account" }

// InsertOpts sends the job to the queue of long jobs. It has River's usual number of attempts,
// which take three weeks: an account that is not erased needs an operator.
func (EraseAccount) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueData} }

// NewInserter returns a River client that only inserts. Processes pass the middleware of package
// queue/trace.
func NewInserter(db *pgxpool.Pool, log *slog.Logger, middleware ...rivertype.Middleware) (*river.Client[pgx.Tx], error) {
	return river.NewClient(riverpgxv5.New(db), &river.Config{
		// Also the minimum time between two notifications of a queue. An omitted one delays a job
		// until the next poll.
		FetchCooldown: river.FetchCooldownMin,
		Logger:        log,
		Middleware:    middleware,
		Schema:        Schema,
	})
}
