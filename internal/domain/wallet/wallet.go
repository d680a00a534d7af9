// Package wallet handles deposits, which users report and admins approve, withdrawals, which users
// request and admins send, and the exchange rate between taka and dollars (docs/rules.md#money).
// The balance itself is an account of the ledger.
package wallet

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/audit"
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

// History counts the other requests of a user: those that admins decided before they decided this
// one, and those that wait.
type History struct {
	Approved, Refused, Waiting int
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
	Numbers          config.Receivers
}

// Settler settles deposits and withdrawals, and expires deposits. It is for workers.
type Settler struct {
	*Service
	// DepositClaimTTL is how long a reported deposit waits for an admin before it expires. Zero
	// means that deposits do not expire.
	DepositClaimTTL time.Duration
	// Phones are the keys of the phones that forward SMS, by name.
	Phones map[string]string
	// AutoCreditMax is how much is credited to a user in 24 hours without an admin.
	AutoCreditMax money.Cents
	Provider      Provider // of checkouts; nil: none
	PublicURL     string   // of the site
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
	OutcomeCorrectionProposed  = catalog.Outcome{Code: "correction_proposed", Message: "Another admin has to confirm this correction."}
	OutcomeCorrectionConfirmed = catalog.Outcome{Code: "correction_confirmed", Message: "The balance has been corrected."}
	OutcomeCorrectionRejected  = catalog.Outcome{Code: "correction_rejected", Message: "The correction has been rejected."}
	OutcomeCorrectionWithdrawn = catalog.Outcome{Code: "correction_withdrawn", Message: "The correction has been withdrawn."}
	OutcomeDelivered           = catalog.Outcome{Code: "delivered", Message: "Received."}
	OutcomeReceiverAnchored    = catalog.Outcome{Code: "receiver_anchored", Message: "The balance is set."}
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

// Bounds of a plausible rate, to catch typing errors.
const (
	minRate money.Rate = 1_00
	maxRate money.Rate = 100_000_00
)

// RateChange is an entry in the history of the exchange rate. By is nil if the operator set the
// rate on the command line.
type RateChange struct {
	Rate money.Rate
	At   time.Time
	By   *user.Ref
}

// Rates returns the history of the exchange rate to admins, newest first, and the number of
// entries.
func (s *Service) Rates(ctx context.Context, page postgres.Page) ([]RateChange, int, error) {
	return listRates(ctx, s.DB, page)
}

// Rate returns the current price of a dollar in taka. It is public. Code Unavailable if no rate has
// been set.
func (s *Service) Rate(ctx context.Context) (money.Rate, error) { return currentRate(ctx, s.DB) }

// rateSlack is how far from its request an operation may settle, or the clocks of two processes be
// apart, for the request to keep its rate.
const rateSlack = time.Hour

// checkRate checks the rate of a row or an operation that the api has written: in whole taka a
// dollar, rounded up for deposits. The worker believes only rates that were in force around the
// time. Code RateChanged.
func checkRate(ctx context.Context, tx *postgres.Tx, taka int64, up bool, at time.Time) error {
	ok, err := rateInForce.One(ctx, tx, postgres.Args{"taka": taka, "up": up, "from": at.Add(-rateSlack), "to": at.Add(rateSlack)})
	if err == nil && !ok {
		err = errRateChanged()
	}
	return err
}

// maxUnconfirmed is by how many percent a new rate may differ from the current one without a
// confirmation.
const maxUnconfirmed = 10

// SetRate sets the price of a dollar and keeps the old one in the history. actor is an admin, or
// the operator on the command line. confirmed confirms a change of more than 10%. Earlier requests
// keep their rate. Code Invalid, on the field confirm if such a change is not confirmed.
func (s *Service) SetRate(ctx context.Context, actor actor.Actor, rate money.Rate, confirmed bool) error {
	if rate < minRate || rate > maxRate {
		return fault.Field("usdToBdt", "rate_invalid", "Enter a valid rate")
	}
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		if err := lockRate.Run(ctx, tx, nil); err != nil {
			return err
		}
		present, err := currentRate(ctx, tx)
		switch {
		case fault.CodeOf(err) == fault.Unavailable: // no rate yet
		case err != nil:
			return err
		case !confirmed && needsConfirmation(present, rate):
			return fault.Fieldf("confirm", "rate_jump", "This changes the rate from {from} to {to}, by more than 10%. Please confirm it.",
				fault.Params{"from": present, "to": rate})
		}
		now := s.Clock.Now()
		if err := insertRate(ctx, tx, actor, rate, now); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			At: now, Actor: actor, Action: "exchange_rate.set", Subject: "exchange_rate",
			Details: map[string]money.Rate{"usdToBdt": rate},
		})
	})
}

// needsConfirmation reports whether next differs from present by more than maxUnconfirmed percent.
func needsConfirmation(present, next money.Rate) bool {
	change := next - present
	return max(change, -change)*100 > present*maxUnconfirmed
}

// ApproveRule requires an admin to credit a deposit, unless a payment proves it.
func ApproveRule(op operations.Operation) (operations.Authority, error) {
	var p approvalParams
	if err := op.Decode(&p); err != nil {
		return "", err
	}
	if p.PaymentID != nil {
		return operations.BySystem, nil
	}
	return operations.ByAdmin, nil
}

// HoldRule requires a user to request a withdrawal.
func HoldRule() operations.Rule { return operations.Always[orderParams](operations.ByUser) }

// HandlingRule requires an admin to send or reject a withdrawal.
func HandlingRule() operations.Rule { return operations.Always[payoutParams](operations.ByAdmin) }

// CancelRule requires a user to cancel a withdrawal.
func CancelRule() operations.Rule { return operations.Always[struct{}](operations.ByUser) }

// AdjustRule requires an admin to correct a wallet.
func AdjustRule() operations.Rule { return operations.Always[struct{}](operations.ByAdmin) }

// Bounds limits withdrawals. The zero value sets no limit.
type Bounds struct {
	Hold       time.Duration // of a withdrawal with a HoldReason, unless the owner confirms it
	Minimum    money.Cents   // amount of one withdrawal
	MaxPending int           // pending withdrawals of one user
}

// BoundsOf returns the bounds set in the configuration.
func BoundsOf(c config.Shared) Bounds {
	return Bounds{Hold: c.WithdrawalHold, Minimum: money.Cents(c.MinWithdrawal), MaxPending: c.Limits.MaxPendingWithdrawals}
}

// HoldReason is something new about a withdrawal, or the account, at the time of the request.
type HoldReason string

// Reasons for a hold.
const (
	NewNumber     HoldReason = "new_number"     // never paid out to for this user
	PasswordReset HoldReason = "password_reset" // by an emailed link, within resetFresh
	NewBrowser    HoldReason = "new_browser"    // first signed in less than a day ago, not that of the sign-up
	FactorReset   HoldReason = "factor_reset"   // the second factor, by the operator, within resetFresh
	EmailChanged  HoldReason = "email_changed"  // within resetFresh
	FactorAdded   HoldReason = "factor_added"   // to the second factor, or new backup codes, within resetFresh
)

// resetFresh is how long withdrawals are held after a password reset by an emailed link, a reset or
// an extension of the second factor, or a change of the address.
const resetFresh = 24 * time.Hour

// Facts are what an admin needs to know of a withdrawal's owner and number before sending money.
type Facts struct {
	Verified        bool // the owner's email address is verified
	UserSince       time.Time
	PasswordResetAt *time.Time // by an emailed link; nil: never
	SentToNumber    int        // earlier payouts to the same number for this owner
}

// hold says until when a withdrawal is held, and why.
type hold struct {
	until   *time.Time // nil: not held
	reasons []HoldReason
}

// hold determines whether a withdrawal that is being made is held, and why.
func (b Bounds) hold(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, p orderParams, now time.Time) (hold, error) {
	c, err := findCircumstances.One(ctx, tx, postgres.Args{"user": userID, "phone": p.PhoneNumber})
	if err != nil {
		return hold{}, err
	}
	h := hold{reasons: []HoldReason{}}
	for _, check := range []struct {
		reason  HoldReason
		applies bool
	}{
		{NewNumber, !c.Known},
		{PasswordReset, isFresh(c.PasswordResetAt, now)},
		{NewBrowser, p.NewBrowser},
		{FactorReset, isFresh(c.FactorResetAt, now)},
		{EmailChanged, isFresh(c.EmailChangedAt, now)},
		{FactorAdded, isFresh(c.FactorAddedAt, now)},
	} {
		if check.applies {
			h.reasons = append(h.reasons, check.reason)
		}
	}
	if b.Hold > 0 && len(h.reasons) > 0 {
		until := now.Add(b.Hold)
		h.until = &until
	}
	return h, nil
}

func isFresh(resetAt *time.Time, now time.Time) bool {
	return resetAt != nil && now.Sub(*resetAt) < resetFresh
}

// onHold reports whether a pending withdrawal still waits for its hold to end or for its owner to
// confirm it. A disowned withdrawal waits for neither.
func (w Withdrawal) onHold(now time.Time) bool {
	return w.Status == WithdrawalPending && w.DisownedAt == nil && w.ConfirmedAt == nil &&
		w.HeldUntil != nil && now.Before(*w.HeldUntil)
}

// errOnHold is the Conflict returned for a withdrawal that is on hold. It says until when and why.
func (w Withdrawal) errOnHold() error {
	words := map[HoldReason]string{
		NewNumber:     "the number is new",
		PasswordReset: "the password was reset",
		NewBrowser:    "the browser is new",
		FactorReset:   "the second factor was reset",
		EmailChanged:  "the email address was changed",
		FactorAdded:   "two-step login is new",
	}
	why := make([]string, len(w.HeldReasons))
	for i, reason := range w.HeldReasons {
		why[i] = words[reason]
	}
	return fault.Newf(fault.Conflict, "withdrawal_held", "This withdrawal is held until {time} unless its owner confirms it: {reasons}.",
		fault.Params{"time": clock.Moment(*w.HeldUntil), "reasons": strings.Join(why, ", ")})
}

// checkAmount refuses an amount below the minimum, unless it empties the wallet: cents that cannot
// be withdrawn would keep the account from being closed. left is what stays in the wallet.
func (b Bounds) checkAmount(amount, left money.Cents) error {
	if amount < b.Minimum && left > 0 {
		return fault.Fieldf("amount", "withdrawal_too_small", "The minimum withdrawal is ${amount}.", fault.Params{"amount": b.Minimum})
	}
	return nil
}

// checkPendingWithdrawals returns a Conflict if the user already has MaxPending pending
// withdrawals.
func (b Bounds) checkPendingWithdrawals(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) error {
	if b.MaxPending == 0 {
		return nil
	}
	pending, err := countPending.One(ctx, tx, postgres.Args{"user": userID})
	if err == nil && pending >= b.MaxPending {
		err = fault.Newf(fault.Conflict, "too_many_withdrawals",
			"At most {count} withdrawals can wait at a time. Cancel one, or wait until one is sent.", fault.Params{"count": b.MaxPending})
	}
	return err
}

const (
	usualOf    = 50 // the last credited deposits count for the usual time
	usualLeast = 5  // with fewer, there is no usual time
)

// Wait is how long admins usually take to credit a deposit, and when they do so.
type Wait struct {
	Usual      *time.Duration // within the hours; nil: too few deposits were credited
	Hours      config.Hours
	Open       bool
	NextOpenAt *time.Time // nil while open
}

// DepositWait returns how long a deposit that is reported now has to wait.
func (s *Service) DepositWait(ctx context.Context) (Wait, error) {
	now := s.Clock.Now()
	w := Wait{Hours: s.Hours, Open: isOpen(s.Hours, now)}
	if !w.Open {
		next := nextOpening(s.Hours, now)
		w.NextOpenAt = &next
	}
	credited, err := lastCredited.Many(ctx, s.DB, postgres.Args{"limit": usualOf})
	if err != nil {
		return Wait{}, err
	}
	w.Usual = usual(s.Hours, credited)
	return w, nil
}

// span is the time from the report of a deposit to its credit.
type span struct {
	CreatedAt, HandledAt time.Time
}

// usual returns the median of the spans, nil if there are too few.
func usual(hours config.Hours, spans []span) *time.Duration {
	if len(spans) < usualLeast {
		return nil
	}
	worked := make([]time.Duration, len(spans))
	for i, s := range spans {
		worked[i] = within(hours, s.CreatedAt, s.HandledAt)
	}
	slices.Sort(worked)
	middle := len(worked) / 2
	median := worked[middle]
	if len(worked)%2 == 0 {
		median = (worked[middle-1] + median) / 2
	}
	return &median
}

// midnight returns the beginning of the day in Dhaka.
func midnight(at time.Time) time.Time {
	year, month, day := at.In(clock.Dhaka).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, clock.Dhaka)
}

// isOpen reports whether the moment is within the hours.
func isOpen(hours config.Hours, now time.Time) bool {
	from, to := hours.Bounds()
	today := now.Sub(midnight(now))
	// The hours of the day before may go past midnight.
	return from <= today && today < to || today < to-24*time.Hour
}

// nextOpening returns the next beginning of the hours.
func nextOpening(hours config.Hours, now time.Time) time.Time {
	from, _ := hours.Bounds()
	opening := midnight(now).Add(from)
	if !opening.After(now) {
		opening = opening.AddDate(0, 0, 1)
	}
	return opening
}

// within returns how much of the time from start to end is within the hours.
func within(hours config.Hours, start, end time.Time) time.Duration {
	from, to := hours.Bounds()
	var sum time.Duration
	for day := midnight(start).AddDate(0, 0, -1); day.Before(end); day = day.AddDate(0, 0, 1) {
		begins, ends := day.Add(from), day.Add(to)
		if begins.Before(start) {
			begins = start
		}
		if ends.After(end) {
			ends = end
		}
		sum += max(0, ends.Sub(begins))
	}
	return sum
}
