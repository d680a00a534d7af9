package chat

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/postgres"
)

type partnerRow struct {
	UserID    uuid.UUID
	PartnerID uuid.UUID
}

// Both indexes are walked from the newest on, no further than the limit reaches.
const sqlPartners = `
select u.user_id, p.partner_id
  from unnest(@users::uuid[]) as u (user_id)
 cross join lateral (
   select partner_id from (
     (select user_b as partner_id, updated_at from conversations where user_a = u.user_id and last_seq > 0
       order by updated_at desc, id desc limit @limit)
     union all
     (select user_a, updated_at from conversations where user_b = u.user_id and last_seq > 0
       order by updated_at desc, id desc limit @limit)
   ) both_sides
   order by updated_at desc
   limit @limit
 ) p`

// listPartners reads with whom the users have talked, of each no more than the limit.
func listPartners(ctx context.Context, q postgres.Querier, users []uuid.UUID, limit int) ([]partnerRow, error) {
	rows, err := q.Query(ctx, sqlPartners, pgx.NamedArgs{"users": users, "limit": limit})
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByName[partnerRow])
}

const sqlPartner = `
select case @user::uuid when user_a then user_b else user_a end from conversations where id = @id and @user in (user_a, user_b)`

// findPartner reads the other person of a conversation of the user's.
func findPartner(ctx context.Context, q postgres.Querier, id, userID uuid.UUID) (partner uuid.UUID, found bool, err error) {
	err = q.QueryRow(ctx, sqlPartner, pgx.NamedArgs{"id": id, "user": userID}).Scan(&partner)
	if errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, false, nil
	}
	return partner, err == nil, err
}
