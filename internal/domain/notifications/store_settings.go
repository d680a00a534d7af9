package notifications

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

// settingsRow is what a user chose, as it is stored.
type settingsRow struct {
	MailNotices bool // any group that can be turned off is emailed
	MailOff     []string
	PushOff     []string
	PushDetails bool
	QuietFrom   *int // minutes since midnight in Dhaka
	QuietTo     *int
}

const settingsColumns = `u.mail_notices, u.mail_off, u.push_off, u.push_details, u.quiet_from, u.quiet_to`

func getSettings(ctx context.Context, q postgres.Querier, userID uuid.UUID) (settingsRow, error) {
	return postgres.One[settingsRow](ctx, q, "notifications.get_settings",
		`select `+settingsColumns+` from users u where u.id = @user`, pgx.NamedArgs{"user": userID})
}

const sqlSetSettings = `
update users
   set mail_notices = @mail, mail_off = @mail_off, push_off = @push_off, push_details = @details, quiet_from = @from, quiet_to = @to
 where id = @user`

func setSettings(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, r settingsRow) error {
	return postgres.ExecOne(ctx, tx, "notifications.set_settings", sqlSetSettings, pgx.NamedArgs{
		"user": userID, "mail": r.MailNotices, "mail_off": r.MailOff, "push_off": r.PushOff, "details": r.PushDetails,
		"from": r.QuietFrom, "to": r.QuietTo,
	})
}

// Only those that were not tried wait for the end of quiet hours.
const sqlWakePushes = `
update due_pushes d set due_at = now()
 where d.attempts = 0 and d.subscription_id in (select id from push_subscriptions where user_id = @user)`

// wakePushes makes the pushes due that wait for the end of the user's quiet hours.
func wakePushes(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) error {
	return postgres.Exec(ctx, tx, "notifications.wake_pushes", sqlWakePushes, pgx.NamedArgs{"user": userID})
}
