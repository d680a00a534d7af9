package notifications

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/fault"
	"amanat/internal/money"
	"amanat/internal/party"
	"amanat/internal/postgres"
	"amanat/internal/texts"
)

type row struct {
	ID          uuid.UUID
	UserID      uuid.UUID
	Audience    string
	Kind        texts.Kind
	Params      texts.Params
	AboutUserID *uuid.UUID
	Link        string
	IsRead      bool
	CreatedAt   time.Time
}

const sqlInsert = `
insert into notifications (id, user_id, audience, kind, params, about_user_id, link, created_at)
values (@id, @user, @audience, @kind, @params, @about, @link, @now)
returning (select language from users where id = @user)`

func insert(ctx context.Context, tx *postgres.Tx, r row) (language string, err error) {
	params := r.Params
	if params == nil {
		params = texts.Params{}
	}
	err = tx.QueryRow(ctx, sqlInsert, pgx.NamedArgs{
		"id": r.ID, "user": r.UserID, "audience": r.Audience, "kind": string(r.Kind), "params": params,
		"about": r.AboutUserID, "link": r.Link, "now": r.CreatedAt,
	}).Scan(&language)
	return language, err
}

const sqlAdmins = `select id from users where is_admin and disabled_at is null order by id`

func adminIDs(ctx context.Context, q postgres.Querier) ([]uuid.UUID, error) {
	rows, err := q.Query(ctx, sqlAdmins)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// letterRow is a notice with its reader, and with the deal that it is of, if any.
type letterRow struct {
	Email            string
	Language         string
	Wanted           bool
	UnsubscribeToken uuid.UUID
	Kind             texts.Kind
	Params           texts.Params
	Link             string
	MailedAt         *time.Time
	DealStatus       string // "": of no deal
	Price            money.Cents
	Fee              money.Cents
	Buyer            string
	Seller           string
}

// A notice names its deal in the link alone.
const sqlLetter = `
select u.email, u.language, u.mail_notices as wanted, u.unsubscribe_token,
       n.kind, n.params, n.link, n.mailed_at,
       coalesce(d.status, '') as deal_status, coalesce(d.price, 0) as price, coalesce(d.fee, 0) as fee,
       coalesce(b.username, '') as buyer, coalesce(s.username, '') as seller
  from notifications n
  join users u on u.id = n.user_id
  left join deals d on d.id = case when n.link ~ '^/deal/[0-9a-f-]{36}$' then substr(n.link, 7)::uuid end
  left join users b on b.id = d.buyer_id
  left join users s on s.id = d.seller_id
 where n.id = @id`

func letterFor(ctx context.Context, q postgres.Querier, id uuid.UUID) (letterRow, error) {
	rows, err := q.Query(ctx, sqlLetter, pgx.NamedArgs{"id": id})
	if err != nil {
		return letterRow{}, err
	}
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[letterRow])
}

// Nobody waits for the disk: a mail may go out twice anyway, when its worker ends between sending and this.
const sqlMarkMailed = `
with unhurried as (select set_config('synchronous_commit', 'off', true))
update notifications set mailed_at = @now from unhurried where id = @id`

func markMailed(ctx context.Context, q postgres.Querier, id uuid.UUID, now time.Time) error {
	_, err := q.Exec(ctx, sqlMarkMailed, pgx.NamedArgs{"id": id, "now": now})
	return err
}

// readRow is a notification with what showing it takes.
type readRow struct {
	ID              uuid.UUID
	Kind            texts.Kind
	Params          texts.Params
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

func (r readRow) about() *party.Party {
	if r.AboutUserID == nil {
		return nil
	}
	return &party.Party{ID: *r.AboutUserID, Username: *r.AboutUsername, ProfilePic: *r.AboutProfilePic}
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

// list reads a page of a user's notifications, of one audience unless it is "", and counts them all.
func list(ctx context.Context, q postgres.Querier, userID uuid.UUID, audience string, page Page) ([]readRow, int, error) {
	where := ""
	if audience != "" {
		where = sqlAudience
	}
	args := pgx.NamedArgs{"user": userID, "audience": audience, "limit": page.Limit, "offset": page.Offset}
	var total int
	err := q.QueryRow(ctx, `select count(*) from notifications n where n.user_id = @user`+where, args).Scan(&total)
	if err != nil {
		return nil, 0, err
	}
	rows, err := q.Query(ctx, sqlRead+where+sqlPage, args)
	if err != nil {
		return nil, 0, err
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[readRow])
	return found, total, err
}

func get(ctx context.Context, q postgres.Querier, userID, id uuid.UUID) (readRow, error) {
	rows, err := q.Query(ctx, sqlRead+` and n.id = @id`, pgx.NamedArgs{"user": userID, "id": id})
	if err != nil {
		return readRow{}, err
	}
	found, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[readRow])
	if errors.Is(err, pgx.ErrNoRows) {
		return readRow{}, fault.New(fault.NotFound, "Notification not found.")
	}
	return found, err
}

const sqlHasUnread = `select exists (select from notifications where user_id = @user and not is_read)`

func hasUnread(ctx context.Context, q postgres.Querier, userID uuid.UUID) (unread bool, err error) {
	err = q.QueryRow(ctx, sqlHasUnread, pgx.NamedArgs{"user": userID}).Scan(&unread)
	return unread, err
}

const sqlMarkRead = `update notifications set is_read = true where user_id = @user and id = @id and not is_read`

func markRead(ctx context.Context, q postgres.Querier, userID, id uuid.UUID) error {
	_, err := q.Exec(ctx, sqlMarkRead, pgx.NamedArgs{"user": userID, "id": id})
	return err
}

const sqlMarkAllRead = `update notifications set is_read = true where user_id = @user and not is_read`

func markAllRead(ctx context.Context, q postgres.Querier, userID uuid.UUID) error {
	_, err := q.Exec(ctx, sqlMarkAllRead, pgx.NamedArgs{"user": userID})
	return err
}
