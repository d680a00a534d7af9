package chat

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

type partnerRow struct {
	UserID    uuid.UUID
	PartnerID uuid.UUID
}

// sqlNotBlocked is the condition for conversations c of which neither member has blocked the other.
const sqlNotBlocked = `not exists (
         select from blocks
          where (blocker_id, blocked_id) in ((c.user_a, c.user_b), (c.user_b, c.user_a)))`

// Scans both indexes from the newest entry, no further than the limit reaches.
const sqlPartners = `
select u.user_id, p.partner_id
  from unnest(@users::uuid[]) as u (user_id)
 cross join lateral (
   select partner_id from (
     (select user_b as partner_id, updated_at from conversations c where user_a = u.user_id and answered and ` + sqlNotBlocked + `
       order by updated_at desc, id desc limit @limit)
     union all
     (select user_a, updated_at from conversations c where user_b = u.user_id and answered and ` + sqlNotBlocked + `
       order by updated_at desc, id desc limit @limit)
   ) both_sides
   order by updated_at desc
   limit @limit
 ) p`

// listPartners reads the partners of each user, up to the limit per user: those who have exchanged
// messages with the user in both directions.
func listPartners(ctx context.Context, q postgres.Querier, users []uuid.UUID, limit int) ([]partnerRow, error) {
	return postgres.Many[partnerRow](ctx, q, "chat.list_partners", sqlPartners, pgx.NamedArgs{"users": users, "limit": limit})
}

// partner is the other member of a conversation.
type partner struct {
	ID      uuid.UUID
	Blocked bool // one of the two has blocked the other
}

const sqlPartner = `
select case @user::uuid when c.user_a then c.user_b else c.user_a end as id, not (` + sqlNotBlocked + `) as blocked
  from conversations c where c.id = @id and @user in (c.user_a, c.user_b)`

// findPartner reads the other member of one of the user's conversations.
func findPartner(ctx context.Context, q postgres.Querier, id, userID uuid.UUID) (other partner, found bool, err error) {
	return postgres.Optional(postgres.One[partner](ctx, q, "chat.find_partner", sqlPartner, pgx.NamedArgs{"id": id, "user": userID}))
}
