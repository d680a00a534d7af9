package notifications

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/money"
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

const sqlMarkMailed = `update notifications set mailed_at = @now where id = @id`

func markMailed(ctx context.Context, q postgres.Querier, id uuid.UUID, now time.Time) error {
	_, err := q.Exec(ctx, sqlMarkMailed, pgx.NamedArgs{"id": id, "now": now})
	return err
}
