package accounts

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/platform/postgres"
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
	Kind      EventKind
	At        time.Time
	Address   string // of the request
	UserAgent string
}

// RecordEvent records an event for the owner of the account. The api calls it after the event, so
// that a failure to record it does not undo it.
func (s *Service) RecordEvent(ctx context.Context, userID uuid.UUID, kind EventKind, client Client) error {
	return postgres.Exec(ctx, s.db, "accounts.record_event", `
		insert into account_events (id, user_id, kind, at, address, user_agent) values (@id, @user, @kind, @now, @address, @agent)`,
		pgx.NamedArgs{
			"id": uuid.Must(uuid.NewV7()), "user": userID, "kind": string(kind), "now": s.clock.Now(),
			"address": clip(client.Address), "agent": clip(client.UserAgent),
		})
}

// Activity returns the latest events of the user's account, newest first, at most 50.
func (s *Service) Activity(ctx context.Context, userID uuid.UUID) ([]Event, error) {
	return postgres.Many[Event](ctx, s.db, "accounts.list_events", `
		select kind, at, address, user_agent from account_events where user_id = @user order by at desc, id desc limit @limit`,
		pgx.NamedArgs{"user": userID, "limit": maxEvents})
}

const sqlDeleteEvents = `
delete from account_events e
 using (select id from account_events where at < @before order by at limit @limit) old
 where e.id = old.id`

// RemoveOldEvents deletes the events of accounts that are no longer kept and returns how many.
func (c *Cleaner) RemoveOldEvents(ctx context.Context) (int64, error) {
	return postgres.InBatches(ctx, c.DB, "accounts.delete_events", sqlDeleteEvents,
		pgx.NamedArgs{"before": c.Clock.Now().Add(-eventsKept)}, deleteBatch)
}
