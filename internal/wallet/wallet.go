// Package wallet brings money in and out: deposits that users report and admins approve, withdrawals that users ask for and admins send,
// the exchange rate between them (DESIGN §3 "Money"). The balance itself is an account of the ledger.
package wallet

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/clock"
	"amanat/internal/fault"
	"amanat/internal/money"
	"amanat/internal/operations"
	"amanat/internal/party"
	"amanat/internal/postgres"
	"amanat/internal/realtime"
	"amanat/internal/texts"
)

// Payment methods (SPEC §9).
const (
	Bkash = "Bkash"
	Nagad = "Nagad"
)

// Methods returns the payment methods.
func Methods() []string { return []string{Bkash, Nagad} }

// maxAmount bounds one deposit or withdrawal, in line with the highest price.
const maxAmount = money.MaxPrice

// Claim says which admin works on a row, and until when nobody else may.
type Claim struct {
	Admin party.Party
	Until time.Time
}

// History counts a user's requests so far.
type History struct {
	Completed, Total int
}

// Page is a slice of a longer list.
type Page struct {
	Limit, Offset int
}

// Notifier tells one person of something, in the transaction that made it true.
type Notifier interface {
	Notify(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, kind texts.Kind, params texts.Params, link string) error
}

// Service holds the use cases of money in and out. The api calls all but Settle…, which workers call.
type Service struct {
	DB         postgres.DB
	Clock      clock.Clock
	Operations *operations.Service
	Events     *realtime.Log
	Notices    Notifier
	Jobs       operations.Enqueuer
}

// Messages of SPEC §8.
const (
	MessageDepositSubmitted    = "Deposit submitted successfully!"
	MessageDepositApproved     = "Balance updated successfully"
	MessageDepositRejected     = "Deposit rejected successfully"
	MessageWithdrawalSubmitted = "Withdrawal submitted successfully!"
	MessageWithdrawalSent      = "Withdrawal sent successfully. Balance updated."
	MessageWithdrawalRejected  = "Withdrawal has been rejected."
	MessageClaimed             = "You have five minutes for this request."
)

// Result is what a settled operation says to whoever asks.
type Result struct {
	Message string `json:"message"`
}

const (
	textAllFields     = "Please fill out all fields."
	textMethod        = "Choose Bkash or Nagad."
	textEnterValid    = "Enter a valid amount"
	textMaximum       = "The amount must be at most $1,000,000.00."
	textAmountsDiffer = "The amount must equal the request."
)

// claimFor is how long a claim keeps others away.
const claimFor = 5 * time.Minute

// maxReason bounds the reasons admins give.
const maxReason = 500

func checkReason(reason string) error {
	if len([]rune(reason)) > maxReason {
		return fault.Field("reason", "The reason must be at most 500 characters.")
	}
	return nil
}

func validMethod(method string) bool { return slices.Contains(Methods(), method) }

// request is what deposits and withdrawals have in common for the admins who handle them.
type request struct {
	userID    uuid.UUID
	pending   bool
	handledBy *party.Party
	handledAt *time.Time
	claim     *Claim
}

// mayHandle refuses an admin who may not act on the row: his own request (Forbidden), one that is handled, and one that another admin
// has claimed (AlreadyHandled, naming him).
func (r request) mayHandle(admin uuid.UUID, now time.Time) error {
	switch {
	case r.userID == admin:
		return fault.New(fault.Forbidden, "You cannot handle your own request.")
	case !r.pending && r.handledBy != nil:
		return fault.Newf(fault.AlreadyHandled, "Already handled by %s at %s.",
			r.handledBy.Username, r.handledAt.In(clock.Dhaka).Format("2 Jan 2006, 15:04"))
	case !r.pending:
		return fault.New(fault.AlreadyHandled, "Already handled.")
	case r.claim != nil && r.claim.Admin.ID != admin && now.Before(r.claim.Until):
		return fault.Newf(fault.AlreadyHandled, "%s is working on this request.", r.claim.Admin.Username)
	}
	return nil
}

func trimReason(reason string) string { return strings.TrimSpace(reason) }
