package notifications

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
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
	postgres.QueueLast(tx, "notifications.insert", sqlInsert, pgx.NamedArgs{
		"ids": ids, "users": users, "audiences": audiences, "kinds": kinds, "params": params, "abouts": abouts, "links": links,
		"times": times, "mailed": mailed, "topics": topics, "read": read,
	}, func(readers []languageRow) {
		for _, reader := range readers {
			languages[reader.ID] = reader.Language
		}
	})
}

const sqlAdmins = `select id from users where is_admin and disabled_at is null order by id`

func adminIDs(ctx context.Context, q postgres.Querier) ([]uuid.UUID, error) {
	return postgres.Values[uuid.UUID](ctx, q, "notifications.admin_ids", sqlAdmins, nil)
}

// readRow is a notification with the columns needed to show it.
type readRow struct {
	ID              uuid.UUID
	Kind            catalog.Kind
	Params          catalog.Params
	Link            string
	IsRead          bool
	CreatedAt       time.Time
	AboutUserID     *uuid.UUID
	AboutUsername   *string
	AboutProfilePic *string
	AboutIsStaff    *bool
	AboutClosed     *bool
	Language        string
}

func (r readRow) view() Notification {
	return view(row{ID: r.ID, Kind: r.Kind, Params: r.Params, Link: r.Link, IsRead: r.IsRead, CreatedAt: r.CreatedAt}, r.Language)
}

func (r readRow) about() *user.Ref {
	if r.AboutUserID == nil {
		return nil
	}
	return &user.Ref{
		ID: *r.AboutUserID, Username: *r.AboutUsername, ProfilePic: *r.AboutProfilePic, IsStaff: *r.AboutIsStaff, Closed: *r.AboutClosed,
	}
}

const sqlRead = `
select n.id, n.kind, n.params, n.link, n.is_read, n.created_at, n.about_user_id, a.username as about_username,
       a.profile_pic as about_profile_pic, a.is_admin as about_is_staff, a.closed_at is not null as about_closed, u.language
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
	args := pgx.NamedArgs{"user": userID, "audience": audience, "limit": page.Limit, "offset": page.Offset}
	total, err := postgres.Value[int](ctx, q, "notifications.count",
		`select count(*) from notifications n where n.user_id = @user`+where, args)
	if err != nil {
		return nil, 0, err
	}
	found, err := postgres.Many[readRow](ctx, q, "notifications.list", sqlRead+where+sqlPage, args)
	return found, total, err
}

func get(ctx context.Context, q postgres.Querier, userID, id uuid.UUID) (readRow, error) {
	found, err := postgres.One[readRow](ctx, q, "notifications.get", sqlRead+` and n.id = @id`, pgx.NamedArgs{"user": userID, "id": id})
	return found, postgres.IfNoRows(err, fault.New(fault.NotFound, "notification_not_found", "Notification not found."))
}

const sqlHasUnread = `select exists (select from notifications where user_id = @user and not is_read)`

func hasUnread(ctx context.Context, q postgres.Querier, userID uuid.UUID) (bool, error) {
	return postgres.Value[bool](ctx, q, "notifications.has_unread", sqlHasUnread, pgx.NamedArgs{"user": userID})
}

const sqlMarkRead = `update notifications set is_read = true where user_id = @user and id = @id and not is_read`

func markRead(ctx context.Context, q postgres.Querier, userID, id uuid.UUID) error {
	return postgres.Exec(ctx, q, "notifications.mark_read", sqlMarkRead, pgx.NamedArgs{"user": userID, "id": id})
}

// Locks the rows in the order of their ids, as the sweep of due emails does.
const sqlMarkAllRead = `
with unread as (
  select id from notifications where user_id = @user and not is_read order by id for no key update
)
update notifications n set is_read = true from unread where n.id = unread.id`

func markAllRead(ctx context.Context, q postgres.Querier, userID uuid.UUID) error {
	return postgres.Exec(ctx, q, "notifications.mark_all_read", sqlMarkAllRead, pgx.NamedArgs{"user": userID})
}
