// Package jobs defines the arguments of every River job, with its kind, queue and insert options.
// Arguments identify rows by ID; workers read the rows themselves. The package imports no other
// package of this module, so that packages that enqueue do not depend on the workers.
package jobs

import (
	"context"
	"fmt"
	"log/slog"
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
	QueueData        = "data" // long jobs that read or change everything of one user
)

// Queues lists every queue.
func Queues() []string {
	return []string{QueueMoney, QueueMail, QueueNotify, QueueMaintenance, QueueData}
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

// MoneyTimeout limits one attempt of a money job.
const MoneyTimeout = 10 * time.Second

// moneyAttempts lets a money job retry for 24 hours, at most 30 s apart
// (docs/rules.md#money-calls).
const moneyAttempts = 2900

// Money holds the arguments of every money job: the operation to settle.
type Money struct {
	OperationID uuid.UUID `json:"operation_id"`
}

// Operation returns the ID of the operation to settle.
func (m Money) Operation() uuid.UUID { return m.OperationID }

// InsertOpts sends the job to the money queue.
func (Money) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMoney, MaxAttempts: moneyAttempts}
}

// DealPay moves the price from the buyer's wallet to the deal's escrow.
type DealPay struct{ Money }

// Kind returns deal_pay.
func (DealPay) Kind() string { return KindDealPay }

// DealComplete releases a deal's escrow to the seller and the fee to the provider.
type DealComplete struct{ Money }

// Kind returns deal_complete.
func (DealComplete) Kind() string { return KindDealComplete }

// DealRefund returns a deal's escrow to the buyer.
type DealRefund struct{ Money }

// Kind returns deal_refund.
func (DealRefund) Kind() string { return KindDealRefund }

// DealSettle divides a deal's escrow between buyer and seller.
type DealSettle struct{ Money }

// Kind returns deal_settle.
func (DealSettle) Kind() string { return KindDealSettle }

// ReferralCredit pays a referral reward.
type ReferralCredit struct{ Money }

// Kind returns referral_credit.
func (ReferralCredit) Kind() string { return KindReferralCredit }

// DepositApprove credits a deposit.
type DepositApprove struct{ Money }

// Kind returns deposit_approve.
func (DepositApprove) Kind() string { return KindDepositApprove }

// WithdrawalHold moves the amount of a withdrawal out of the wallet and makes the withdrawal
// visible.
type WithdrawalHold struct{ Money }

// Kind returns withdrawal_hold.
func (WithdrawalHold) Kind() string { return KindWithdrawalHold }

// WithdrawalSend books a withdrawal as paid out.
type WithdrawalSend struct{ Money }

// Kind returns withdrawal_send.
func (WithdrawalSend) Kind() string { return KindWithdrawalSend }

// WithdrawalReject returns a withdrawal's hold to the wallet.
type WithdrawalReject struct{ Money }

// Kind returns withdrawal_reject.
func (WithdrawalReject) Kind() string { return KindWithdrawalReject }

// WithdrawalCancel returns a withdrawal's hold to the wallet after its owner cancels it.
type WithdrawalCancel struct{ Money }

// Kind returns withdrawal_cancel.
func (WithdrawalCancel) Kind() string { return KindWithdrawalCancel }

// BalanceAdjust corrects the balance of a wallet.
type BalanceAdjust struct{ Money }

// Kind returns balance_adjust.
func (BalanceAdjust) Kind() string { return KindBalanceAdjust }

// ForOperation returns the job that settles an operation of the given kind. It fails if there is no
// such job.
func ForOperation(kind string, id uuid.UUID) (river.JobArgs, error) {
	m := Money{OperationID: id}
	switch kind {
	case KindDealPay:
		return DealPay{m}, nil
	case KindDealComplete:
		return DealComplete{m}, nil
	case KindDealRefund:
		return DealRefund{m}, nil
	case KindDealSettle:
		return DealSettle{m}, nil
	case KindReferralCredit:
		return ReferralCredit{m}, nil
	case KindDepositApprove:
		return DepositApprove{m}, nil
	case KindWithdrawalHold:
		return WithdrawalHold{m}, nil
	case KindWithdrawalSend:
		return WithdrawalSend{m}, nil
	case KindWithdrawalReject:
		return WithdrawalReject{m}, nil
	case KindWithdrawalCancel:
		return WithdrawalCancel{m}, nil
	case KindBalanceAdjust:
		return BalanceAdjust{m}, nil
	}
	return nil, fmt.Errorf("jobs: no job settles operations of kind %q", kind)
}

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

// InsertOpts sends the job to the notify queue.
func (AdminNotice) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueNotify} }

// OperationsSweep enqueues new jobs for operations that have lost theirs.
type OperationsSweep struct{}

// Kind returns operations_sweep.
func (OperationsSweep) Kind() string { return "operations_sweep" }

// InsertOpts sends the job to the maintenance queue. The next run makes up for a missed one.
func (OperationsSweep) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMaintenance, MaxAttempts: 1}
}

// DealClock applies the deadlines of deals that are due.
type DealClock struct{}

// Kind returns deal_clock.
func (DealClock) Kind() string { return "deal_clock" }

// InsertOpts sends the job to the maintenance queue. The next run makes up for a missed one.
func (DealClock) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMaintenance, MaxAttempts: 1}
}

// DepositExpiry expires reported deposits that no admin has handled in time.
type DepositExpiry struct{}

// Kind returns deposit_expiry.
func (DepositExpiry) Kind() string { return "deposit_expiry" }

// InsertOpts sends the job to the maintenance queue. The next run makes up for a missed one.
func (DepositExpiry) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMaintenance, MaxAttempts: 1}
}

// AdjustmentExpiry expires proposed corrections of wallets that no admin has decided in time.
type AdjustmentExpiry struct{}

// Kind returns adjustment_expiry.
func (AdjustmentExpiry) Kind() string { return "adjustment_expiry" }

// InsertOpts sends the job to the maintenance queue. The next run makes up for a missed one.
func (AdjustmentExpiry) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMaintenance, MaxAttempts: 1}
}

// LedgerFold folds new ledger entries into the rollups of the provider's accounts.
type LedgerFold struct{}

// Kind returns ledger_fold.
func (LedgerFold) Kind() string { return "ledger_fold" }

// InsertOpts sends the job to the maintenance queue. The next run makes up for a missed one.
func (LedgerFold) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMaintenance, MaxAttempts: 1}
}

// Reconcile checks the books and the chains of the ledger and the audit log once a night.
type Reconcile struct{}

// Kind returns reconcile.
func (Reconcile) Kind() string { return "reconcile" }

// InsertOpts sends the job to the maintenance queue unless one is already waiting or running. The
// next run makes up for a missed one.
func (Reconcile) InsertOpts() river.InsertOpts { return oneAtATime() }

// SealChain seals the rows of the ledger and of the audit log that were committed since the last
// run.
type SealChain struct{}

// Kind returns seal_chain.
func (SealChain) Kind() string { return "seal_chain" }

// InsertOpts sends the job to the maintenance queue unless one is already waiting or running. The
// next run makes up for a missed one.
func (SealChain) InsertOpts() river.InsertOpts { return oneAtATime() }

// oneAtATime returns the options of a maintenance job that waits or runs at most once at a time.
func oneAtATime() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMaintenance, MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByState: []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning,
		rivertype.JobStateScheduled,
	}}}
}

// Cleanup deletes rows that are no longer needed: ended sessions, expired emailed links, unused
// browsers and unreferenced images.
type Cleanup struct{}

// Kind returns cleanup.
func (Cleanup) Kind() string { return "cleanup" }

// InsertOpts sends the job to the maintenance queue. The next run makes up for a missed one.
func (Cleanup) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMaintenance, MaxAttempts: 1}
}

// EventsPrune deletes events of the realtime log and idempotency keys that are past their
// retention.
type EventsPrune struct{}

// Kind returns events_prune.
func (EventsPrune) Kind() string { return "events_prune" }

// InsertOpts sends the job to the maintenance queue unless one is already waiting or running. The
// next run makes up for a missed one.
func (EventsPrune) InsertOpts() river.InsertOpts { return oneAtATime() }

// SuspensionsEnd enables accounts whose suspension has run out.
type SuspensionsEnd struct{}

// Kind returns suspensions_end.
func (SuspensionsEnd) Kind() string { return "suspensions_end" }

// InsertOpts sends the job to the maintenance queue. The next run makes up for a missed one.
func (SuspensionsEnd) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMaintenance, MaxAttempts: 1}
}

// FetchCooldown is the minimum time between two fetches of a worker, and between two notifications
// from one inserting process. River's default would delay payments.
const FetchCooldown = 3 * time.Millisecond

// NewInserter returns a River client that only inserts. Processes pass the middleware of package
// jobtrace.
func NewInserter(db *pgxpool.Pool, log *slog.Logger, middleware ...rivertype.Middleware) (*river.Client[pgx.Tx], error) {
	return river.NewClient(riverpgxv5.New(db), &river.Config{
		FetchCooldown: FetchCooldown, Logger: log, Middleware: middleware, Schema: Schema,
	})
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

// AccountClosedMail sends the last email to the owner of a closed account.
type AccountClosedMail struct {
	UserID uuid.UUID `json:"user_id"`
}

// Kind returns account_closed_mail.
func (AccountClosedMail) Kind() string { return "account_closed_mail" }

// InsertOpts sends the job to the mail queue.
func (AccountClosedMail) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMail, MaxAttempts: accountMailAttempts}
}
