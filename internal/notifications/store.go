package notifications

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

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

type letterRow struct {
	Email    string
	Language string
	Kind     texts.Kind
	Params   texts.Params
	Link     string
	MailedAt *time.Time
}

const sqlLetter = `
select u.email, u.language, n.kind, n.params, n.link, n.mailed_at
  from notifications n join users u on u.id = n.user_id
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
