// Package worklist has the rules of the lists that admins handle row by row: deposits, withdrawals,
// corrections, disputes, support requests and reports. A claim keeps other admins away from a
// row for five minutes; corrections and support requests are not claimed. Whoever comes late learns
// who has handled the row.
package worklist

import (
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/user"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
)

// ClaimFor is how long a claim keeps other admins away. Claiming again renews it.
const ClaimFor = 5 * time.Minute

// Claim says which admin is working on a row, and until when other admins are locked out.
type Claim struct {
	Admin user.Ref
	Until time.Time
}

// Row is what decides whether an admin may handle a row, besides whose it is.
type Row struct {
	Waits     bool       // for an admin
	HandledBy *user.Ref  // nil: nobody, or time itself
	HandledAt *time.Time // set with HandledBy
	Claim     *Claim     // nil: none
}

// CheckWaits returns AlreadyHandled, naming the admin, unless the row waits. Claims do not count:
// an operation was requested under one, which may have expired when it settles.
func (r Row) CheckWaits() error {
	switch {
	case r.Waits:
		return nil
	case r.HandledBy != nil:
		return ErrHandled(*r.HandledBy, *r.HandledAt)
	}
	return fault.New(fault.AlreadyHandled, "handled", "Already handled.")
}

// Check returns AlreadyHandled unless the row waits and no other admin's claim on it is valid.
func (r Row) Check(admin uuid.UUID, now time.Time) error {
	if err := r.CheckWaits(); err != nil {
		return err
	}
	if r.Claim != nil && r.Claim.Admin.ID != admin && now.Before(r.Claim.Until) {
		return fault.Newf(fault.AlreadyHandled, "claimed_by", "{name} is working on this request.", fault.Params{"name": r.Claim.Admin.Username})
	}
	return nil
}

// ErrHandled is the error for whoever comes after another admin.
func ErrHandled(by user.Ref, at time.Time) error {
	return fault.Newf(fault.AlreadyHandled, "handled_by", "Already handled by {name} at {time}.",
		fault.Params{"name": by.Username, "time": clock.Moment(at)})
}
