// Package jobs holds the arguments of every River job: its kind, its queue and how it is inserted. Arguments carry ids only; the row
// they name is the truth. It imports nothing of ours, so that who enqueues need not know who works.
package jobs

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// Queues. A worker process chooses which it serves, so that operators scale them apart.
const (
	QueueMoney       = "money"
	QueueMail        = "mail"
	QueueNotify      = "notify"
	QueueMaintenance = "maintenance"
)

// Queues lists every queue.
func Queues() []string { return []string{QueueMoney, QueueMail, QueueNotify, QueueMaintenance} }

// Schema is the PostgreSQL schema of River's tables.
const Schema = "river"

// Enqueuer inserts jobs in the transaction of what they follow from; *river.Client[pgx.Tx] does.
type Enqueuer interface {
	InsertTx(ctx context.Context, tx pgx.Tx, args river.JobArgs, opts *river.InsertOpts) (*rivertype.JobInsertResult, error)
}

// Kinds of the money jobs; an operation's kind is its job's.
const (
	KindDealPay          = "deal_pay"
	KindDealComplete     = "deal_complete"
	KindDealRefund       = "deal_refund"
	KindReferralCredit   = "referral_credit"
	KindDepositApprove   = "deposit_approve"
	KindWithdrawalHold   = "withdrawal_hold"
	KindWithdrawalSend   = "withdrawal_send"
	KindWithdrawalReject = "withdrawal_reject"
	KindWithdrawalCancel = "withdrawal_cancel"
)

// MoneyTimeout is how long a money job may run.
const MoneyTimeout = 10 * time.Second

// moneyAttempts lets a money job retry with at most 30 s between for 24 hours (docs/rules.md#money-calls).
const moneyAttempts = 2900

// Money is what every money job carries: the operation to settle.
type Money struct {
	OperationID uuid.UUID `json:"operation_id"`
}

// Operation returns the id of the operation to settle.
func (m Money) Operation() uuid.UUID { return m.OperationID }

// InsertOpts sends the job to the money queue.
func (Money) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMoney, MaxAttempts: moneyAttempts}
}

// DealPay moves a buyer's price into the deal's escrow.
type DealPay struct{ Money }

// Kind returns deal_pay.
func (DealPay) Kind() string { return KindDealPay }

// DealComplete releases a deal's escrow to the seller and the fee to the provider.
type DealComplete struct{ Money }

// Kind returns deal_complete.
func (DealComplete) Kind() string { return KindDealComplete }

// DealRefund gives a deal's escrow back to the buyer.
type DealRefund struct{ Money }

// Kind returns deal_refund.
func (DealRefund) Kind() string { return KindDealRefund }

// ReferralCredit pays a referral reward.
type ReferralCredit struct{ Money }

// Kind returns referral_credit.
func (ReferralCredit) Kind() string { return KindReferralCredit }

// DepositApprove credits a deposit.
type DepositApprove struct{ Money }

// Kind returns deposit_approve.
func (DepositApprove) Kind() string { return KindDepositApprove }

// WithdrawalHold funds a withdrawal from the wallet and makes it visible.
type WithdrawalHold struct{ Money }

// Kind returns withdrawal_hold.
func (WithdrawalHold) Kind() string { return KindWithdrawalHold }

// WithdrawalSend books a withdrawal as paid out.
type WithdrawalSend struct{ Money }

// Kind returns withdrawal_send.
func (WithdrawalSend) Kind() string { return KindWithdrawalSend }

// WithdrawalReject gives a withdrawal's hold back to the wallet.
type WithdrawalReject struct{ Money }

// Kind returns withdrawal_reject.
func (WithdrawalReject) Kind() string { return KindWithdrawalReject }

// WithdrawalCancel gives a withdrawal's hold back to the wallet of the owner who cancels it.
type WithdrawalCancel struct{ Money }

// Kind returns withdrawal_cancel.
func (WithdrawalCancel) Kind() string { return KindWithdrawalCancel }

// ForOperation returns the job that settles an operation of the given kind.
func ForOperation(kind string, id uuid.UUID) (river.JobArgs, error) {
	m := Money{OperationID: id}
	switch kind {
	case KindDealPay:
		return DealPay{m}, nil
	case KindDealComplete:
		return DealComplete{m}, nil
	case KindDealRefund:
		return DealRefund{m}, nil
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
	}
	return nil, fmt.Errorf("jobs: no job settles operations of kind %q", kind)
}

// AdminNotice tells the admins of something that waits for one of them.
type AdminNotice struct {
	NoticeKind string            `json:"notice_kind"`
	Params     map[string]string `json:"params"`
	AboutID    *uuid.UUID        `json:"about_id"` // the user it is about; nil: nobody who is known
	SubjectID  uuid.UUID         `json:"subject_id"`
	Link       string            `json:"link"`
	ExceptID   *uuid.UUID        `json:"except_id"` // an admin who knows; nil: everybody is told
}

// Kind returns admin_notice.
func (AdminNotice) Kind() string { return "admin_notice" }

// InsertOpts sends the job to the notify queue.
func (AdminNotice) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueNotify} }

// OperationsSweep gives pending operations without a live job a new one.
type OperationsSweep struct{}

// Kind returns operations_sweep.
func (OperationsSweep) Kind() string { return "operations_sweep" }

// InsertOpts sends the job to the maintenance queue. A missed run is made up by the next one.
func (OperationsSweep) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMaintenance, MaxAttempts: 1}
}

// DealClock moves deals whose time has come.
type DealClock struct{}

// Kind returns deal_clock.
func (DealClock) Kind() string { return "deal_clock" }

// InsertOpts sends the job to the maintenance queue. A missed run is made up by the next one.
func (DealClock) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMaintenance, MaxAttempts: 1}
}

// DepositExpiry fails reported deposits that no admin has looked at in time.
type DepositExpiry struct{}

// Kind returns deposit_expiry.
func (DepositExpiry) Kind() string { return "deposit_expiry" }

// InsertOpts sends the job to the maintenance queue. A missed run is made up by the next one.
func (DepositExpiry) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMaintenance, MaxAttempts: 1}
}

// LedgerFold keeps the balances of the provider's accounts cheap to read.
type LedgerFold struct{}

// Kind returns ledger_fold.
func (LedgerFold) Kind() string { return "ledger_fold" }

// InsertOpts sends the job to the maintenance queue. A missed run is made up by the next one.
func (LedgerFold) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMaintenance, MaxAttempts: 1}
}

// Reconcile checks the books, once a night.
type Reconcile struct{}

// Kind returns reconcile.
func (Reconcile) Kind() string { return "reconcile" }

// InsertOpts sends the job to the maintenance queue, one at a time. A missed run is made up by the next one.
func (Reconcile) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMaintenance, MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByState: []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning,
		rivertype.JobStateScheduled,
	}}}
}

// Cleanup removes what has outlived its use: idempotency keys, ended sessions, mailed links, browsers that nobody uses, pictures that
// nothing shows.
type Cleanup struct{}

// Kind returns cleanup.
func (Cleanup) Kind() string { return "cleanup" }

// InsertOpts sends the job to the maintenance queue. A missed run is made up by the next one.
func (Cleanup) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMaintenance, MaxAttempts: 1}
}

// EventsPrune forgets events of the log that nobody will ask for any more.
type EventsPrune struct{}

// Kind returns events_prune.
func (EventsPrune) Kind() string { return "events_prune" }

// InsertOpts sends the job to the maintenance queue. A missed run is made up by the next one.
func (EventsPrune) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMaintenance, MaxAttempts: 1}
}
