package notifications

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/money"
	"amanat/internal/platform/catalog"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
	"amanat/internal/platform/user"
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
}

// The subquery turns the ID of an unknown user into null: old jobs carry one for notifications that
// are about no user.
const sqlInsert = `
insert into notifications (id, user_id, audience, kind, params, about_user_id, link, created_at)
values (@id, @user, @audience, @kind, @params, (select id from users where id = @about), @link, @now)
returning (select language from users where id = @user)`

func insert(ctx context.Context, tx *postgres.Tx, r row) (language string, _ error) {
	params := r.Params
	if params == nil {
		params = catalog.Params{}
	}
	return postgres.Value[string](ctx, tx, "notifications.insert", sqlInsert, pgx.NamedArgs{
		"id": r.ID, "user": r.UserID, "audience": r.Audience, "kind": string(r.Kind), "params": params,
		"about": r.AboutUserID, "link": r.Link, "now": r.CreatedAt,
	})
}

const sqlAdmins = `select id from users where is_admin and disabled_at is null order by id`

func adminIDs(ctx context.Context, q postgres.Querier) ([]uuid.UUID, error) {
	return postgres.Values[uuid.UUID](ctx, q, "notifications.admin_ids", sqlAdmins, nil)
}

// mailRow is a notification with its reader and its deal, if any.
type mailRow struct {
	Email            string
	Language         string
	Wanted           bool
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
}

// A notification refers to its deal only in the link.
const sqlMail = `
select u.email, u.language, u.mail_notices and u.is_verified as wanted, u.unsubscribe_token,
       n.kind, n.params, n.link, n.mailed_at,
       coalesce(d.status, '') as deal_status, coalesce(deal_is_open(d.status), false) as deal_open,
       coalesce(d.inspection_days, 0) as inspection_days,
       coalesce(d.next_action = 'complete' and d.frozen_at is null, false) as releases_alone,
       coalesce(d.price, 0) as price, coalesce(d.fee, 0) as fee,
       coalesce(b.username, '') as buyer, coalesce(s.username, '') as seller
  from notifications n
  join users u on u.id = n.user_id
  left join deals d on d.id = case when n.link ~ '^/deal/[0-9a-f-]{36}$' then substr(n.link, 7)::uuid end
  left join users b on b.id = d.buyer_id
  left join users s on s.id = d.seller_id
 where n.id = @id`

func mailFor(ctx context.Context, q postgres.Querier, id uuid.UUID) (mailRow, error) {
	return postgres.One[mailRow](ctx, q, "notifications.letter_for", sqlMail, pgx.NamedArgs{"id": id})
}

// Commits without waiting for the disk: an email may be sent twice anyway, if its worker crashes
// between sending and recording it.
const sqlMarkMailed = `
with unhurried as (select set_config('synchronous_commit', 'off', true))
update notifications set mailed_at = @now from unhurried where id = @id`

func markMailed(ctx context.Context, q postgres.Querier, id uuid.UUID, now time.Time) error {
	return postgres.Exec(ctx, q, "notifications.mark_mailed", sqlMarkMailed, pgx.NamedArgs{"id": id, "now": now})
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
	Language        string
}

func (r readRow) view() Notification {
	return view(row{ID: r.ID, Kind: r.Kind, Params: r.Params, Link: r.Link, IsRead: r.IsRead, CreatedAt: r.CreatedAt}, r.Language)
}

func (r readRow) about() *user.Ref {
	if r.AboutUserID == nil {
		return nil
	}
	return &user.Ref{ID: *r.AboutUserID, Username: *r.AboutUsername, ProfilePic: *r.AboutProfilePic}
}

const sqlRead = `
select n.id, n.kind, n.params, n.link, n.is_read, n.created_at, n.about_user_id, a.username as about_username,
       a.profile_pic as about_profile_pic, u.language
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
	return found, postgres.IfNoRows(err, fault.New(fault.NotFound, "Notification not found."))
}

const sqlHasUnread = `select exists (select from notifications where user_id = @user and not is_read)`

func hasUnread(ctx context.Context, q postgres.Querier, userID uuid.UUID) (bool, error) {
	return postgres.Value[bool](ctx, q, "notifications.has_unread", sqlHasUnread, pgx.NamedArgs{"user": userID})
}

const sqlMarkRead = `update notifications set is_read = true where user_id = @user and id = @id and not is_read`

func markRead(ctx context.Context, q postgres.Querier, userID, id uuid.UUID) error {
	return postgres.Exec(ctx, q, "notifications.mark_read", sqlMarkRead, pgx.NamedArgs{"user": userID, "id": id})
}

const sqlMarkAllRead = `update notifications set is_read = true where user_id = @user and not is_read`

func markAllRead(ctx context.Context, q postgres.Querier, userID uuid.UUID) error {
	return postgres.Exec(ctx, q, "notifications.mark_all_read", sqlMarkAllRead, pgx.NamedArgs{"user": userID})
}
