package accounts

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// EventKind is a kind of event that the owner of an account is shown.
type EventKind string

// Kinds of events. Failed logins are those with the wrong password: attempts that the limits refuse
// are not recorded, or strangers could fill the list.
const (
	EventOpened           EventKind = "account_opened"
	EventLogin            EventKind = "login"
	EventLoginFailed      EventKind = "login_failed"
	EventFactorFailed     EventKind = "factor_failed"
	EventPasskeyCopied    EventKind = "passkey_copied"
	EventPasswordChanged  EventKind = "password_changed"
	EventResetAsked       EventKind = "reset_asked"
	EventPasswordReset    EventKind = "password_reset"
	EventEmailVerified    EventKind = "email_verified"
	EventEmailAsked       EventKind = "email_asked"
	EventEmailChanged     EventKind = "email_changed"
	EventEmailUndone      EventKind = "email_undone"
	EventAppAdded         EventKind = "app_added"
	EventAppRemoved       EventKind = "app_removed"
	EventPasskeyAdded     EventKind = "passkey_added"
	EventPasskeyRemoved   EventKind = "passkey_removed"
	EventCodesMade        EventKind = "codes_made"
	EventOthersEnded      EventKind = "others_ended"
	EventWithdrawalsStop  EventKind = "withdrawals_stopped"
	EventWithdrawalAgreed EventKind = "withdrawal_confirmed"
)

const (
	maxEvents  = 50                  // of one account that are shown
	eventsKept = 90 * 24 * time.Hour // docs/rules.md#activity
)

// Event is something that happened to the security of an account.
type Event struct {
	ID        uuid.UUID
	Kind      EventKind
	At        time.Time
	Address   string // of the request
	UserAgent string
}

// RecordEvent records an event for the owner of the account. The api calls it after the event, so
// that a failure to record it does not undo it.
func (s *Service) RecordEvent(ctx context.Context, userID uuid.UUID, kind EventKind, client Client) error {
	e := Event{ID: uuid.Must(uuid.NewV7()), Kind: kind, At: s.clock.Now(), Address: clip(client.Address), UserAgent: clip(client.UserAgent)}
	return insertEvent(ctx, s.db, userID, e)
}

// Activity returns the latest events of the user's account, newest first, at most 50.
func (s *Service) Activity(ctx context.Context, userID uuid.UUID) ([]Event, error) {
	return listEvents(ctx, s.db, userID)
}

// RemoveOldEvents deletes the events of accounts that are no longer kept and returns how many.
func (c *Cleaner) RemoveOldEvents(ctx context.Context) (int64, error) {
	return deleteEvents(ctx, c.DB, c.Clock.Now().Add(-eventsKept))
}
