package notifications

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

const deviceColumns = `s.id, s.session_id, s.user_agent, s.created_at, s.last_used_at`

func listDevices(ctx context.Context, q postgres.Querier, userID uuid.UUID) ([]Device, error) {
	return postgres.Many[Device](ctx, q, "notifications.list_devices",
		`select `+deviceColumns+` from push_subscriptions s where s.user_id = @user order by s.created_at desc, s.id desc`,
		pgx.NamedArgs{"user": userID})
}

func getDevice(ctx context.Context, q postgres.Querier, userID, id uuid.UUID) (Device, error) {
	found, err := postgres.One[Device](ctx, q, "notifications.get_device",
		`select `+deviceColumns+` from push_subscriptions s where s.user_id = @user and s.id = @id`,
		pgx.NamedArgs{"user": userID, "id": id})
	return found, postgres.IfNoRows(err, errNoDevice())
}

func errNoDevice() error {
	return fault.New(fault.NotFound, "push_device_not_found", "Browser not found.")
}

// An advisory lock, since a user without browsers has no rows to lock.
const sqlLockDevicesOf = `select pg_advisory_xact_lock(hashtextextended('notifications.devices:' || @user::uuid, 0))`

// lockDevicesOf lets no other transaction add browsers of the user until this one ends. Lock order:
// first.
func lockDevicesOf(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) error {
	return postgres.Exec(ctx, tx, "notifications.lock_devices_of", sqlLockDevicesOf, pgx.NamedArgs{"user": userID})
}

func countOtherDevices(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, endpoint string) (int, error) {
	return postgres.Value[int](ctx, tx, "notifications.count_other_devices",
		`select count(*) from push_subscriptions where user_id = @user and endpoint <> @endpoint`,
		pgx.NamedArgs{"user": userID, "endpoint": endpoint})
}

// deviceRow is a browser to save.
type deviceRow struct {
	ID        uuid.UUID
	UserID    uuid.UUID
	SessionID uuid.UUID
	Endpoint  string
	P256dh    []byte
	Auth      []byte
	UserAgent string
	Now       time.Time
}

// Saves nothing if the session has ended meanwhile: its browser must not get anything any more.
//
// A browser that changes hands gets a new id: what waits for its former user must not be sent to
// it.
const sqlSaveDevice = `
insert into push_subscriptions as s (id, user_id, session_id, endpoint, p256dh, auth, user_agent, created_at, renewed_at)
select @id, @user, open.id, @endpoint, @p256dh, @auth, @user_agent, @now, @now
  from (select id from sessions where id = @session and user_id = @user for share) as open
on conflict (endpoint) do update
   set id = case when s.user_id = excluded.user_id then s.id else excluded.id end,
       created_at = case when s.user_id = excluded.user_id then s.created_at else excluded.created_at end,
       last_used_at = case when s.user_id = excluded.user_id then s.last_used_at end,
       user_id = excluded.user_id, session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth,
       user_agent = excluded.user_agent, renewed_at = excluded.renewed_at
returning ` + deviceColumns

func saveDevice(ctx context.Context, tx *postgres.Tx, r deviceRow) (Device, error) {
	saved, err := postgres.One[Device](ctx, tx, "notifications.save_device", sqlSaveDevice, pgx.NamedArgs{
		"id": r.ID, "user": r.UserID, "session": r.SessionID, "endpoint": r.Endpoint, "p256dh": r.P256dh, "auth": r.Auth,
		"user_agent": r.UserAgent, "now": r.Now,
	})
	return saved, postgres.IfNoRows(err, fault.New(fault.Unauthenticated, "login_needed", "Please log in to continue."))
}

func deleteDevice(ctx context.Context, q postgres.Querier, userID, id uuid.UUID) error {
	n, err := postgres.ExecCount(ctx, q, "notifications.delete_device",
		`delete from push_subscriptions where user_id = @user and id = @id`, pgx.NamedArgs{"user": userID, "id": id})
	if err == nil && n == 0 {
		err = errNoDevice()
	}
	return err
}

const sqlInsertTestPushes = `
insert into due_pushes (subscription_id, topic, created_at, due_at)
select s.id, @topic, @now, now() from push_subscriptions s where s.user_id = @user`

func insertTestPushes(ctx context.Context, q postgres.Querier, userID uuid.UUID, now time.Time) (int64, error) {
	return postgres.ExecCount(ctx, q, "notifications.insert_test_pushes", sqlInsertTestPushes,
		pgx.NamedArgs{"user": userID, "topic": testTopic, "now": now})
}

// testTopic is that of tests.
const testTopic = "test"
