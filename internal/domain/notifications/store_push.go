package notifications

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

// duePush is a push that a sweep has claimed, with its browser and reader.
type duePush struct {
	settingsRow
	ID             int64
	SubscriptionID uuid.UUID
	Topic          string
	NotificationID *uuid.UUID
	MessageID      *uuid.UUID
	CreatedAt      time.Time
	Attempts       int // this one included

	Open       bool // the subscription exists, and its user may log in
	Superseded bool // a newer push has its topic
	Seen       bool // what it tells of has been read, or is gone

	Endpoint string
	P256dh   []byte
	Auth     []byte
	Language string

	Kind   catalog.Kind // of a notification
	Params catalog.Params
	Link   string

	ConversationID *uuid.UUID // of a message
	Sender         string
	Text           string
	Picture        bool
}

// Takes the pushes that have been due the longest and leases them, as sqlClaimDue does with emails.
// What belongs to another user than the browser now does is not shown.
var claimPushes = postgres.Query[duePush]("notifications.claim_due_pushes", `
with async_commit as (
  select set_config('synchronous_commit', 'off', true)
), due as (
  select id from due_pushes where due_at <= now() order by due_at limit 100 for update skip locked
), claimed as (
  update due_pushes p set due_at = now() + @lease::interval, attempts = p.attempts + 1
    from due, async_commit
   where p.id = due.id
  returning p.id, p.subscription_id, p.topic, p.notification_id, p.message_id, p.created_at, p.attempts
)
select c.id, c.subscription_id, c.topic, c.notification_id, c.message_id, c.created_at, c.attempts,
       coalesce(u.disabled_at is null and s.id is not null, false) as open,
       exists (select from due_pushes newer
                where newer.subscription_id = c.subscription_id and newer.topic = c.topic and newer.id > c.id) as superseded,
       case when c.notification_id is not null then coalesce(n.is_read, true)
            when c.message_id is not null then
              coalesce(m.erased or exists (select from blocks b where b.blocker_id = s.user_id and b.blocked_id = m.sender_id)
                       or m.seq <= case when v.user_a = s.user_id then v.read_a else v.read_b end, true)
            else false end as seen,
       coalesce(s.endpoint, '') as endpoint, s.p256dh, s.auth, coalesce(u.language, 'en') as language,
       coalesce(u.mail_notices, false) as mail_notices, coalesce(u.mail_off, '{}') as mail_off,
       coalesce(u.push_off, '{}') as push_off, coalesce(u.push_details, false) as push_details, u.quiet_from, u.quiet_to,
       coalesce(n.kind, '') as kind, coalesce(n.params, '{}') as params, coalesce(n.link, '') as link,
       v.id as conversation_id, coalesce(w.username, '') as sender, coalesce(m.text, '') as text, m.image_id is not null as picture
  from claimed c
  left join push_subscriptions s on s.id = c.subscription_id
  left join users u on u.id = s.user_id
  left join notifications n on n.id = c.notification_id and n.user_id = s.user_id
  left join messages m on m.id = c.message_id
  left join conversations v on v.id = m.conversation_id and s.user_id in (v.user_a, v.user_b)
  left join users w on w.id = m.sender_id`)

const sqlRemovePushes = `
with async_commit as (
  select set_config('synchronous_commit', 'off', true)
)
delete from due_pushes p using async_commit where p.id = any(@done)`

func removePushes(ctx context.Context, q postgres.Querier, done []int64) error {
	if len(done) == 0 {
		return nil
	}
	return postgres.Command("notifications.remove_due_pushes", sqlRemovePushes).Run(ctx, q, postgres.Args{"done": done})
}

var removeAllDuePushes = postgres.Command("notifications.remove_all_due_pushes", `delete from due_pushes where due_at <= now()`)

var hasDuePushes = postgres.Query[bool]("notifications.has_due_pushes", `select exists (select from due_pushes where due_at <= now())`)

// Leaves out a push whose lease has ended and which another sweep has claimed since.
var postponePushes = postgres.Command("notifications.postpone_pushes", `
with async_commit as (
  select set_config('synchronous_commit', 'off', true)
)
update due_pushes d set due_at = now() + p.pause, attempts = p.attempts, last_error = coalesce(p.error, d.last_error)
  from async_commit, unnest(@ids::bigint[], @claimed::integer[], @attempts::integer[], @pauses::interval[], @errors::text[])
                     as p (id, claimed, attempts, pause, error)
 where d.id = p.id and d.attempts = p.claimed`)

// Locks the rows in the order of their ids, as the end of all sessions of a user does.
const sqlEndSubscriptions = `
with ended as (
  select id from push_subscriptions where id = any(@gone) order by id for update
)
delete from push_subscriptions s using ended where s.id = ended.id`

func endSubscriptions(ctx context.Context, q postgres.Querier, gone []uuid.UUID) error {
	if len(gone) == 0 {
		return nil
	}
	return postgres.Command("notifications.end_subscriptions", sqlEndSubscriptions).Run(ctx, q, postgres.Args{"gone": gone})
}

// isOpen reports whether a browser may still be sent pushes.
var isOpen = postgres.Query[bool]("notifications.is_open", `
select exists (select from push_subscriptions s join users u on u.id = s.user_id where s.id = @id and u.disabled_at is null)`)

const sqlMarkUsed = `
with used as (
  select id from push_subscriptions where id = any(@used) order by id for no key update
)
update push_subscriptions s set last_used_at = @now from used where s.id = used.id`

func markUsed(ctx context.Context, q postgres.Querier, used []uuid.UUID, now time.Time) error {
	if len(used) == 0 {
		return nil
	}
	return postgres.Command("notifications.mark_used", sqlMarkUsed).Run(ctx, q, postgres.Args{"used": used, "now": now})
}

// A message waits a moment: whoever has the page open reads it there. It waits no longer than those
// before it, so that a talkative sender does not put off the push.
var insertMessagePush = postgres.Command("notifications.insert_message_push", `
insert into due_pushes (subscription_id, topic, message_id, created_at, due_at)
select s.id, @topic, @message, @now,
       coalesce((select min(w.due_at) from due_pushes w where w.subscription_id = s.id and w.topic = @topic and w.attempts = 0),
                now() + @pause::interval)
  from push_subscriptions s where s.user_id = @user`)

var deleteOldSubscriptions = postgres.Command("notifications.delete_old_subscriptions", `
delete from push_subscriptions
 where id in (select id from push_subscriptions where renewed_at <= @before limit @limit for update skip locked)`)

const deleteBatch = 1_000

const deviceColumns = `s.id, s.session_id, s.user_agent, s.created_at, s.last_used_at`

var listDevices = postgres.Query[Device]("notifications.list_devices",
	`select `+deviceColumns+` from push_subscriptions s where s.user_id = @user order by s.created_at desc, s.id desc`)

func errNoDevice() error {
	return fault.New(fault.NotFound, "push_device_not_found", "Browser not found.")
}

// lockDevicesOf lets no other transaction add browsers of the user until this one ends. Lock order:
// first.
//
// An advisory lock, since a user without browsers has no rows to lock.
var lockDevicesOf = postgres.Command("notifications.lock_devices_of",
	`select pg_advisory_xact_lock(hashtextextended('notifications.devices:' || @user::uuid, 0))`)

var countOtherDevices = postgres.Query[int]("notifications.count_other_devices",
	`select count(*) from push_subscriptions where user_id = @user and endpoint <> @endpoint`)

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
	saved, err := postgres.Query[Device]("notifications.save_device", sqlSaveDevice).One(ctx, tx, postgres.Args{
		"id": r.ID, "user": r.UserID, "session": r.SessionID, "endpoint": r.Endpoint, "p256dh": r.P256dh, "auth": r.Auth,
		"user_agent": r.UserAgent, "now": r.Now,
	})
	return saved, postgres.IfNoRows(err, fault.New(fault.Unauthenticated, "login_needed", "Please log in to continue."))
}

func deleteDevice(ctx context.Context, q postgres.Querier, userID, id uuid.UUID) error {
	n, err := postgres.Command("notifications.delete_device",
		`delete from push_subscriptions where user_id = @user and id = @id`).Count(ctx, q, postgres.Args{"user": userID, "id": id})
	if err == nil && n == 0 {
		err = errNoDevice()
	}
	return err
}

var insertTestPushes = postgres.Command("notifications.insert_test_pushes", `
insert into due_pushes (subscription_id, topic, created_at, due_at)
select s.id, @topic, @now, now() from push_subscriptions s where s.user_id = @user`)

// testTopic is that of tests.
const testTopic = "test"
