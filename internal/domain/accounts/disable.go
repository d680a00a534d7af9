package accounts

import (
	"context"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/audit"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/sanitize"
	"amanat/internal/realtime"
)

const maxReason = 500

// DisableUser locks a user out, ends the user's sessions and suspends their open deals; the user
// keeps their balance and data. The account of a suspended user no longer comes back by itself. It
// is idempotent. The caller has checked that the actor is an admin and that the user exists. Codes:
// Forbidden for the actor's own account, Invalid if the reason is too long.
func (s *Service) DisableUser(ctx context.Context, admin, id uuid.UUID, reason string) error {
	reason = sanitize.Text(reason)
	if utf8.RuneCountInString(reason) > maxReason {
		return fault.Field("reason", "reason_too_long", "The reason must be at most 500 characters.")
	}
	if admin == id {
		return fault.New(fault.Forbidden, "own_account", "You cannot disable your own account.")
	}
	now := s.clock.Now()
	return s.decide(ctx, audit.Entry{Actor: actor.User(admin), Action: "user.disable", Details: map[string]string{"reason": reason}}, id,
		func(tx *postgres.Tx) (changed bool, err error) {
			if changed, err = endSuspension(ctx, tx, id); err != nil || changed {
				return changed, err
			}
			if changed, err = setDisabledAt(ctx, tx, id, &now); err != nil || !changed {
				return false, err
			}
			if err := s.endAll(ctx, tx, id, nil); err != nil {
				return false, err
			}
			return true, s.deals.SyncSuspensions(ctx, tx, id)
		})
}

// EnableUser lets a disabled user in again, also one whom a decision suspends, and resumes the
// deals that were suspended for no other reason. It is idempotent. The caller has checked that the
// actor is an admin and that the user exists. Code Conflict if the user has closed the account.
func (s *Service) EnableUser(ctx context.Context, admin, id uuid.UUID) error {
	return s.decide(ctx, audit.Entry{Actor: actor.User(admin), Action: "user.enable", Details: struct{}{}}, id,
		func(tx *postgres.Tx) (changed bool, err error) {
			closed, err := isClosed(ctx, tx, id)
			if err == nil && closed {
				err = fault.New(fault.Conflict, "account_closed", "This account is closed and cannot be enabled.")
			}
			if err != nil {
				return false, err
			}
			if changed, err = setDisabledAt(ctx, tx, id, nil); err != nil || !changed {
				return false, err
			}
			return true, s.deals.SyncSuspensions(ctx, tx, id)
		})
}

// Suspend disables a user for a decision of moderation, ends their sessions and suspends their open
// deals. If another decision has disabled the user, this one takes its place; if the user is
// disabled for another reason, nothing changes. The caller has locked the user's row and records
// the decision in the audit log.
func (s *Service) Suspend(ctx context.Context, tx *postgres.Tx, userID, decision uuid.UUID, at time.Time) error {
	newly, err := setSuspended(ctx, tx, userID, decision, at)
	if err != nil || !newly {
		return err
	}
	s.queues.QueueChanged(tx, realtime.QueueUsers, userID)
	if err := s.endAll(ctx, tx, userID, nil); err != nil {
		return err
	}
	return s.deals.SyncSuspensions(ctx, tx, userID)
}

// Resume enables a user whom a decision of moderation has disabled. See Resumer.
func (s *Service) Resume(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) error {
	return (&Resumer{Deals: s.deals, Queues: s.queues}).Resume(ctx, tx, userID)
}

// Resumer enables users whose suspension has ended. Workers have it, which may change nothing else
// of a user.
type Resumer struct {
	Deals  Deals
	Queues Queues
}

// Resume enables a user whom a decision of moderation has disabled, and resumes the deals that were
// suspended for no other reason. It does nothing if the user is disabled for another reason.
func (r *Resumer) Resume(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) error {
	resumed, err := setResumed(ctx, tx, userID)
	if err != nil || !resumed {
		return err
	}
	r.Queues.QueueChanged(tx, realtime.QueueUsers, userID)
	return r.Deals.SyncSuspensions(ctx, tx, userID)
}

// decide runs an admin's change of a user and records it in the audit log if it changed anything.
func (s *Service) decide(ctx context.Context, entry audit.Entry, id uuid.UUID, change func(tx *postgres.Tx) (bool, error)) error {
	return postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		changed, err := change(tx)
		if err != nil || !changed {
			return err
		}
		s.queues.QueueChanged(tx, realtime.QueueUsers, id)
		entry.At, entry.Subject = s.clock.Now(), "user:"+id.String()
		return audit.Record(ctx, tx, entry)
	})
}
