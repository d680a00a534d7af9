// Package wallet handles deposits, which users report and admins approve, withdrawals, which users
// request and admins send, and the exchange rate between taka and dollars (docs/rules.md#money).
// The balance itself is an account of the ledger.
package wallet

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/config"
	"amanat/internal/app/user"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/sanitize"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// Payment methods (docs/rules.md#payment-methods).
const (
	Bkash = "Bkash"
	Nagad = "Nagad"
)

// Methods returns the payment methods.
func Methods() []string { return []string{Bkash, Nagad} }

// maxAmount bounds one deposit or withdrawal, in line with the highest price.
const maxAmount = money.MaxPrice

// Claim says which admin is working on a row, and until when other admins are locked out.
type Claim struct {
	Admin user.Ref
	Until time.Time
}

// History counts a user's requests so far.
type History struct {
	Completed, Total int
}

// Notifier creates a notification for a user, in the transaction that causes it.
type Notifier interface {
	Notify(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, kind catalog.Kind, params catalog.Params, link string) error
}

// Limits bounds withdrawals by the level of trust of an account. *trust.Service implements it.
type Limits interface {
	// CheckWithdrawal checks a withdrawal that is being requested. Code Conflict.
	CheckWithdrawal(ctx context.Context, tx *postgres.Tx, userID, withdrawal uuid.UUID, amount money.Cents) error
}

// Service holds the use cases that the api calls. It moves no money itself: its Request… methods
// enqueue operations that a worker settles.
type Service struct {
	DB         postgres.DB
	Clock      clock.Clock
	Operations *operations.Service
	Events     *realtime.Log
	Notices    Notifier
	Jobs       jobs.Enqueuer

	// SecondAdminAbove is the largest credit that one admin may give alone. Zero means no limit.
	SecondAdminAbove money.Cents
	Bounds           Bounds // of withdrawals
	Limits           Limits
	Hours            config.Hours // in which admins check deposits
}

// Settler settles deposits and withdrawals, and expires deposits. It is for workers.
type Settler struct {
	*Service
	// DepositClaimTTL is how long a reported deposit waits for an admin before it expires. Zero
	// means that deposits do not expire.
	DepositClaimTTL time.Duration
}

// Outcomes, with fixed texts (docs/rules.md#texts).
var (
	OutcomeDepositSubmitted = catalog.Outcome{Code: "deposit_submitted", Message: "Deposit submitted successfully!"}
	OutcomeDepositDisputed  = catalog.Outcome{
		Code:    "deposit_disputed",
		Message: "Deposit submitted. Somebody else has reported the same transaction ID, so an admin will check both.",
	}
	OutcomeDepositApproved     = catalog.Outcome{Code: "deposit_approved", Message: "Balance updated successfully"}
	OutcomeDepositProposed     = catalog.Outcome{Code: "credit_proposed", Message: "A second admin has to confirm this credit."}
	OutcomeDepositRejected     = catalog.Outcome{Code: "deposit_rejected", Message: "Deposit rejected successfully"}
	OutcomeDepositRetracted    = catalog.Outcome{Code: "deposit_retracted", Message: "You have withdrawn this report."}
	OutcomeWithdrawalSubmitted = catalog.Outcome{Code: "withdrawal_submitted", Message: "Withdrawal submitted successfully!"}
	OutcomeWithdrawalSent      = catalog.Outcome{Code: "withdrawal_sent", Message: "Withdrawal sent successfully. Balance updated."}
	OutcomeWithdrawalRejected  = catalog.Outcome{Code: "withdrawal_rejected", Message: "Withdrawal has been rejected."}
	OutcomeWithdrawalCancelled = catalog.Outcome{Code: "withdrawal_cancelled", Message: "Your withdrawal has been cancelled."}
	OutcomeAdjustmentProposed  = catalog.Outcome{Code: "adjustment_proposed", Message: "Another admin has to confirm this correction."}
	OutcomeAdjustmentConfirmed = catalog.Outcome{Code: "adjustment_confirmed", Message: "The balance has been corrected."}
	OutcomeAdjustmentRejected  = catalog.Outcome{Code: "adjustment_rejected", Message: "The correction has been rejected."}
	OutcomeAdjustmentWithdrawn = catalog.Outcome{Code: "adjustment_withdrawn", Message: "The correction has been withdrawn."}
	OutcomeClaimed             = catalog.Outcome{Code: "request_claimed", Message: "You have five minutes for this request."}
)

const (
	textAllFields     = "Please fill out all fields."
	textMethod        = "Choose Bkash or Nagad."
	textEnterValid    = "Enter a valid amount"
	textMaximum       = "The amount must be at most $1,000,000.00."
	textAmountsDiffer = "The amount must equal the request."
	textPhoneNumber   = "Phone number must start with '01' and be 11 digits."
)

// maxReason is the largest number of characters in a reason that an admin gives.
const maxReason = 500

func checkReason(reason string) error {
	if len([]rune(reason)) > maxReason {
		return fault.Field("reason", "reason_too_long", "The reason must be at most 500 characters.")
	}
	return nil
}

func validMethod(method string) bool { return slices.Contains(Methods(), method) }

// errRateChanged is returned if the amount in taka that the user was shown is not the server's.
func errRateChanged() error {
	return fault.New(fault.RateChanged, "rate_changed", "The exchange rate has changed. Please check the amount and try again.")
}

func trimReason(reason string) string { return sanitize.Text(reason) }
