package wallet

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/config"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

// Bounds limits withdrawals. The zero value sets no limit.
type Bounds struct {
	Hold       time.Duration // of a withdrawal with a HoldReason, unless the owner confirms it
	Minimum    money.Cents   // amount of one withdrawal
	MaxPending int           // pending withdrawals of one user
}

// BoundsOf returns the bounds set in the configuration.
func BoundsOf(c config.Withdrawals) Bounds {
	return Bounds{Hold: c.WithdrawalHold, Minimum: money.Cents(c.MinWithdrawal), MaxPending: c.MaxPendingWithdrawals}
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
	c, err := findCircumstances(ctx, tx, userID, p.PhoneNumber)
	if err != nil {
		return hold{}, err
	}
	h := hold{reasons: []HoldReason{}}
	for _, check := range []struct {
		reason  HoldReason
		applies bool
	}{
		{NewNumber, !c.known},
		{PasswordReset, isFresh(c.passwordResetAt, now)},
		{NewBrowser, p.NewBrowser},
		{FactorReset, isFresh(c.factorResetAt, now)},
		{EmailChanged, isFresh(c.emailChangedAt, now)},
		{FactorAdded, isFresh(c.factorAddedAt, now)},
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
	pending, err := countPending(ctx, tx, userID)
	if err == nil && pending >= b.MaxPending {
		err = fault.Newf(fault.Conflict, "too_many_withdrawals",
			"At most {count} withdrawals can wait at a time. Cancel one, or wait until one is sent.", fault.Params{"count": b.MaxPending})
	}
	return err
}
