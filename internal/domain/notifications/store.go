package notifications

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

type row struct {
	ID          uuid.UUID
	UserID      uuid.UUID
	Audience    string
	Kind        catalog.Kind
	Params      catalog.Params
	AboutUserID *uuid.UUID
	Link        string
	IsRead      bool
	CreatedAt   time.Time
	Mailed      bool // its kind is emailed
}

// The statement writes each notification and, if it is emailed, its due email, and a due push for
// each of the reader's browsers, and returns the languages of the readers.
const sqlInsert = `
with notice as materialized (
  select n.id, n.user_id, n.audience, n.kind, n.params, n.about_id, n.link, n.created_at, n.mailed, n.topic, n.is_read
    from unnest(@ids::uuid[], @users::uuid[], @audiences::text[], @kinds::text[], @params::jsonb[], @abouts::uuid[], @links::text[],
                @times::timestamptz[], @mailed::boolean[], @topics::text[], @read::boolean[])
         as n (id, user_id, audience, kind, params, about_id, link, created_at, mailed, topic, is_read)
), written as (
  insert into notifications (id, user_id, audience, kind, params, about_user_id, link, created_at, is_read)
  select n.id, n.user_id, n.audience, n.kind, n.params, n.about_id, n.link, n.created_at, n.is_read
    from notice n
), due as (
  insert into due_mails (notification_id, due_at) select n.id, now() from notice n where n.mailed
), pushed as (
  insert into due_pushes (subscription_id, topic, notification_id, created_at, due_at)
  select s.id, n.topic, n.id, n.created_at, now() from notice n join push_subscriptions s on s.user_id = n.user_id where n.topic <> ''
)
select u.id, u.language from users u where u.id = any(@users)`

type languageRow struct {
	ID       uuid.UUID
	Language string
}

// insert writes the notifications, and the emails and pushes due for them, and returns the
// languages of their readers.
// queueInsert queues the insertion of notifications and of what is due for them, and adds the
// languages of the readers to languages.
func queueInsert(tx *postgres.Tx, rows []row, languages map[uuid.UUID]string) {
	n := len(rows)
	ids, users, abouts := make([]uuid.UUID, n), make([]uuid.UUID, n), make([]*uuid.UUID, n)
	audiences, kinds, links, topics := make([]string, n), make([]string, n), make([]string, n), make([]string, n)
	params, times, mailed, read := make([]catalog.Params, n), make([]time.Time, n), make([]bool, n), make([]bool, n)
	for i, r := range rows {
		ids[i], users[i], abouts[i] = r.ID, r.UserID, r.AboutUserID
		audiences[i], kinds[i], links[i] = r.Audience, string(r.Kind), r.Link
		params[i], times[i], mailed[i], topics[i], read[i] = r.Params, r.CreatedAt, r.Mailed, r.topic(), r.IsRead
	}
	postgres.Query[languageRow]("notifications.insert", sqlInsert).QueueLast(tx, postgres.Args{
		"ids": ids, "users": users, "audiences": audiences, "kinds": kinds, "params": params, "abouts": abouts, "links": links,
		"times": times, "mailed": mailed, "topics": topics, "read": read,
	}, func(reader languageRow) { languages[reader.ID] = reader.Language })
}

var adminIDs = postgres.Query[uuid.UUID]("notifications.admin_ids",
	`select id from users where is_admin and disabled_at is null order by id`)

// readRow is a notification with the columns needed to show it.
type readRow struct {
	ID        uuid.UUID
	Kind      catalog.Kind
	Params    catalog.Params
	Link      string
	IsRead    bool
	CreatedAt time.Time
	About     *user.Ref
	Language  string
}

func (r readRow) view() Notification {
	return view(row{ID: r.ID, Kind: r.Kind, Params: r.Params, Link: r.Link, IsRead: r.IsRead, CreatedAt: r.CreatedAt}, r.Language)
}

var sqlRead = `
select n.id, n.kind, n.params, n.link, n.is_read, n.created_at, ` + user.SQLRefOrNull("a") + ` as about, u.language
  from notifications n
  join users u on u.id = n.user_id
  left join users a on a.id = n.about_user_id
 where n.user_id = @user`

const (
	sqlAudience = ` and n.audience = @audience`
	sqlPage     = ` order by n.created_at desc, n.id desc limit @limit offset @offset`
)

// list reads a page of a user's notifications, of one audience unless it is "", and their total
// number.
func list(ctx context.Context, q postgres.Querier, userID uuid.UUID, audience string, page postgres.Page) ([]readRow, int, error) {
	where := ""
	if audience != "" {
		where = sqlAudience
	}
	args := postgres.Args{"user": userID, "audience": audience, "limit": page.Limit, "offset": page.Offset}
	total, err := postgres.Query[int]("notifications.count",
		`select count(*) from notifications n where n.user_id = @user`+where).One(ctx, q, args)
	if err != nil {
		return nil, 0, err
	}
	found, err := postgres.Query[readRow]("notifications.list", sqlRead+where+sqlPage).Many(ctx, q, args)
	return found, total, err
}

func get(ctx context.Context, q postgres.Querier, userID, id uuid.UUID) (readRow, error) {
	found, err := postgres.Query[readRow]("notifications.get", sqlRead+` and n.id = @id`).One(ctx, q, postgres.Args{"user": userID, "id": id})
	return found, postgres.IfNoRows(err, fault.New(fault.NotFound, "notification_not_found", "Notification not found."))
}

var hasUnread = postgres.Query[bool]("notifications.has_unread",
	`select exists (select from notifications where user_id = @user and not is_read)`)

var markRead = postgres.Command("notifications.mark_read",
	`update notifications set is_read = true where user_id = @user and id = @id and not is_read`)

// Locks the rows in the order of their ids, as the sweep of due emails does.
var markAllRead = postgres.Command("notifications.mark_all_read", `
with unread as (
  select id from notifications where user_id = @user and not is_read order by id for no key update
)
update notifications n set is_read = true from unread where n.id = unread.id`)

// The index is in the order of the times. Skips rows that their readers are marking as read; the
// next run deletes them.
var deleteOld = postgres.Command("notifications.delete_old", `
with old as materialized (
  select id, created_at from notifications
   where is_read = @read and created_at >= @from and created_at < @before
   order by created_at limit @limit for update skip locked
), gone as (delete from notifications n using old where n.id = old.id returning 1)
select (select count(*) from gone) as deleted, count(*) as found, max(created_at) as last from old`)

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

var getSettings = postgres.Query[settingsRow]("notifications.get_settings", `select `+settingsColumns+` from users u where u.id = @user`)

const sqlSetSettings = `
update users
   set mail_notices = @mail, mail_off = @mail_off, push_off = @push_off, push_details = @details, quiet_from = @from, quiet_to = @to
 where id = @user`

func setSettings(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, r settingsRow) error {
	return postgres.Command("notifications.set_settings", sqlSetSettings).One(ctx, tx, postgres.Args{
		"user": userID, "mail": r.MailNotices, "mail_off": r.MailOff, "push_off": r.PushOff, "details": r.PushDetails,
		"from": r.QuietFrom, "to": r.QuietTo,
	})
}

// wakePushes makes the pushes due that wait for the end of the user's quiet hours.
//
// Only those that were not tried wait for the end of quiet hours.
var wakePushes = postgres.Command("notifications.wake_pushes", `
update due_pushes d set due_at = now()
 where d.attempts = 0 and d.subscription_id in (select id from push_subscriptions where user_id = @user)`)

// mailRow is a notification with its reader and its deal, if any.
type mailRow struct {
	NotificationID   uuid.UUID
	Email            string
	Language         string
	Verified         bool
	MailNotices      bool
	MailOff          []string
	UnsubscribeToken uuid.UUID
	Kind             catalog.Kind
	Params           catalog.Params
	Link             string
	MailedAt         *time.Time
	DealStatus       string // "" if there is no deal
	DealOpen         bool   // money is in escrow
	InspectionDays   int
	ReleasesAlone    bool // if the buyer does nothing, the money goes to the seller
	Price            money.Cents
	Fee              money.Cents
	Buyer            string
	Seller           string
	Posts            []mailPost
	Muted            bool // only the panel shows it: strangers have caused enough, or it repeats the offer
}

// mailPost is a post that an email lists.
type mailPost struct {
	ID    uuid.UUID
	Title string
	Cents int64
}

// A notification refers to its deal only in the link, and to posts by their ids. Of those, the
// email lists the ones that are still shown.
const sqlMail = `
select n.id as notification_id, u.email, u.language, u.is_verified as verified, u.mail_notices, u.mail_off, u.unsubscribe_token,
       n.kind, n.params, n.link, n.mailed_at,
       coalesce(d.status, '') as deal_status, coalesce(deal_is_open(d.status), false) as deal_open,
       coalesce(d.inspection_days, 0) as inspection_days,
       coalesce(d.next_action = 'complete' and d.frozen_at is null, false) as releases_alone,
       coalesce(d.price, 0) as price, coalesce(d.fee, 0) as fee,
       coalesce(b.username, '') as buyer, coalesce(s.username, '') as seller,
       (select jsonb_agg(jsonb_build_object('id', p.id, 'title', p.title, 'cents', p.price) order by l.place)
          from unnest(string_to_array(n.params ->> 'posts', ',')) with ordinality as l (id, place)
          join posts p on p.id = l.id::uuid and p.hidden_by is null
          join users o on o.id = p.created_by and o.disabled_at is null) as posts,
       coalesce(n.kind = 'deal_expires_soon' and n.created_at < d.created_at + interval '1 hour'
                or from_stranger(n.link, n.user_id) and (` + sqlFromStrangers + `) >= 6, false) as muted`

// What strangers have caused in the 24 hours before a notification, whatever became of its emails.
const sqlFromStrangers = `
  select count(*)
    from (select from notifications e
           where e.user_id = n.user_id and e.created_at > n.created_at - interval '24 hours'
             and (e.created_at, e.id) < (n.created_at, n.id)
             and from_stranger(e.link, e.user_id)
           limit 6) earlier`

const sqlMailFrom = `
  join users u on u.id = n.user_id
  left join deals d on d.id = case when n.link ~ '^/deal/[0-9a-f-]{36}$' then substr(n.link, 7)::uuid end
  left join users b on b.id = d.buyer_id
  left join users s on s.id = d.seller_id`

// dueMail is an email that a sweep has claimed.
type dueMail struct {
	mailRow
	Attempts int // this one included
}

// sweepBatch is the limit of sqlClaimDue. It is no parameter, so that the planner knows it.
const sweepBatch = 100

// Takes the emails that have been due the longest and leases them: until the lease ends, no other
// sweep takes them, and if this one dies, they are due again. Several sweeps may run side by side.
//
// The due times are the database's, as those of River's jobs, because the business clock may be
// moved and the clocks of the workers may differ. Commits without waiting for the disk: if the
// server crashes, the emails are due again, and an email may be sent twice anyway.
var claimDue = postgres.Query[dueMail]("notifications.claim_due_mails", `
with async_commit as (
  select set_config('synchronous_commit', 'off', true)
), due as (
  select notification_id from due_mails where due_at <= now() order by due_at limit 100 for update skip locked
), claimed as (
  update due_mails m set due_at = now() + @lease::interval, attempts = m.attempts + 1
    from due, async_commit
   where m.notification_id = due.notification_id
  returning m.notification_id, m.attempts
)`+sqlMail+`, c.attempts
  from claimed c
  join notifications n on n.id = c.notification_id`+sqlMailFrom)

var hasDueMails = postgres.Query[bool]("notifications.has_due_mails", `select exists (select from due_mails where due_at <= now())`)

// removeDue removes the emails of done, and marks those of sent, which are among them, as mailed.
//
// Locks the notifications in the order of their ids, since their readers may be marking them as
// read. Commits without waiting for the disk.
var removeDue = postgres.Command("notifications.remove_due_mails", `
with async_commit as (
  select set_config('synchronous_commit', 'off', true)
), removed as (
  delete from due_mails where notification_id = any(@done)
), sent as (
  select id from notifications where id = any(@sent) order by id for no key update
)
update notifications n set mailed_at = @now from sent, async_commit where n.id = sent.id`)

// Leaves out an email whose lease has ended and which another sweep has claimed since.
var postponeMails = postgres.Command("notifications.postpone_mails", `
with async_commit as (
  select set_config('synchronous_commit', 'off', true)
)
update due_mails m set due_at = now() + p.pause, attempts = p.attempts, last_error = coalesce(p.error, m.last_error)
  from async_commit, unnest(@ids::uuid[], @claimed::integer[], @attempts::integer[], @pauses::interval[], @errors::text[])
                     as p (id, claimed, attempts, pause, error)
 where m.notification_id = p.id and m.attempts = p.claimed`)

// postponed is a claimed email or push that is due again after a pause.
type postponed[ID any] struct {
	id                ID
	claimed, attempts int
	pause             time.Duration
	err               error // nil: it was not tried
}

func postpone[ID any](ctx context.Context, q postgres.Querier, statement postgres.CommandStatement, list []postponed[ID]) error {
	n := len(list)
	if n == 0 {
		return nil
	}
	ids, claimed, attempts := make([]ID, n), make([]int, n), make([]int, n)
	pauses, errs := make([]time.Duration, n), make([]*string, n)
	for i, p := range list {
		ids[i], claimed[i], attempts[i], pauses[i] = p.id, p.claimed, p.attempts, p.pause
		if p.err != nil {
			errs[i] = new(p.err.Error())
		}
	}
	return statement.Run(ctx, q, postgres.Args{"ids": ids, "claimed": claimed, "attempts": attempts, "pauses": pauses, "errors": errs})
}
