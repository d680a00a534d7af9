package wallet

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/money"
	"amanat/internal/platform/clock"
	"amanat/internal/platform/config"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
)

// Bounds keep withdrawals from leaving too easily. The zero value bounds nothing.
type Bounds struct {
	Hold       time.Duration // how long a withdrawal in new circumstances waits unless its owner confirms it
	Minimum    money.Cents   // of one withdrawal
	MaxPending int           // withdrawals of one person that wait for an admin
}

// BoundsOf returns the bounds that a process is configured with.
func BoundsOf(c config.Withdrawals) Bounds {
	return Bounds{Hold: c.WithdrawalHold, Minimum: money.Cents(c.MinWithdrawal), MaxPending: c.MaxPendingWithdrawals}
}

// HoldReason is what was new about a withdrawal when it was asked for.
type HoldReason string

// Reasons for a hold.
const (
	NewNumber     HoldReason = "new_number"     // nothing was ever sent to it for this user
	PasswordReset HoldReason = "password_reset" // by a mailed link, within resetFresh
	NewBrowser    HoldReason = "new_browser"    // the user has signed in with it for less than a day
)

// resetFresh is how long a password that was reset by a mailed link makes withdrawals suspect.
const resetFresh = 24 * time.Hour

// Facts are what an admin should know of a withdrawal's owner and number before sending anything.
type Facts struct {
	Verified        bool // the owner reads the mail of the account's address
	UserSince       time.Time
	PasswordResetAt *time.Time // by a mailed link; nil: never
	SentToNumber    int        // payouts to this owner's same number before
}

// hold says until when a withdrawal waits, and what is new about it.
type hold struct {
	until   *time.Time // nil: it does not wait
	reasons []HoldReason
}

// hold looks at what is new about a withdrawal that is being made.
func (b Bounds) hold(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, p orderParams, now time.Time) (hold, error) {
	known, resetAt, err := circumstances(ctx, tx, userID, p.PhoneNumber)
	if err != nil {
		return hold{}, err
	}
	h := hold{reasons: []HoldReason{}}
	for _, about := range []struct {
		reason HoldReason
		is     bool
	}{
		{NewNumber, !known},
		{PasswordReset, resetAt != nil && now.Sub(*resetAt) < resetFresh},
		{NewBrowser, p.NewBrowser},
	} {
		if about.is {
			h.reasons = append(h.reasons, about.reason)
		}
	}
	if b.Hold > 0 && len(h.reasons) > 0 {
		until := now.Add(b.Hold)
		h.until = &until
	}
	return h, nil
}

// waits tells whether a pending withdrawal still waits for its time or for its owner's confirmation. What is disowned waits for neither.
func (w Withdrawal) waits(now time.Time) bool {
	return w.Status == WithdrawalPending && w.DisownedAt == nil && w.HeldUntil != nil && now.Before(*w.HeldUntil) && w.ConfirmedAt == nil
}

// errOnHold refuses to send a withdrawal that is held, and says until when and why.
func (w Withdrawal) errOnHold() error {
	words := map[HoldReason]string{
		NewNumber:     "the number is new",
		PasswordReset: "the password was reset",
		NewBrowser:    "the browser is new",
	}
	why := make([]string, len(w.HeldReasons))
	for i, reason := range w.HeldReasons {
		why[i] = words[reason]
	}
	return fault.Newf(fault.Conflict, "This withdrawal is held until %s unless its owner confirms it: %s.",
		w.HeldUntil.In(clock.Dhaka).Format("2 Jan 2006, 15:04"), strings.Join(why, ", "))
}

func (b Bounds) checkAmount(amount money.Cents) error {
	if amount < b.Minimum {
		return fault.Field("amount", "The least withdrawal is $"+b.Minimum.String()+".")
	}
	return nil
}

// checkPendingWithdrawals refuses one more withdrawal of somebody who has as many pending as may be.
func (b Bounds) checkPendingWithdrawals(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) error {
	if b.MaxPending == 0 {
		return nil
	}
	pending, err := countPending(ctx, tx, userID)
	if err == nil && pending >= b.MaxPending {
		err = fault.Newf(fault.Conflict, "At most %d withdrawals can wait at a time. Cancel one, or wait until one is sent.", b.MaxPending)
	}
	return err
}
