package accounts

import (
	"context"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/platform/actor"
	"amanat/internal/platform/audit"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
	"amanat/internal/platform/sanitize"
	"amanat/internal/realtime"
)

const maxReason = 500

// DisableUser locks a user out, ends the user's sessions and suspends their open deals; the user
// keeps their balance and data. It is idempotent. The caller has checked that the actor is an admin
// and that the user exists. Codes: Forbidden for the actor's own account, Invalid if the reason is
// too long.
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
			if changed, err = setDisabledAt(ctx, tx, id, &now); err != nil || !changed {
				return false, err
			}
			if err := s.endAll(ctx, tx, id, nil); err != nil {
				return false, err
			}
			return true, s.deals.SyncSuspensions(ctx, tx, id)
		})
}

// EnableUser lets a disabled user in again and resumes the deals that were suspended for no other
// reason. It is idempotent. The caller has checked that the actor is an admin and that the user
// exists. Code Conflict if the user has closed the account.
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
