package reports

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

// Bounds of Pace (docs/rules.md#pace).
const (
	paceDeals         = 50
	paceConversations = 50
	paceAge           = 90 * 24 * time.Hour
	paceMin           = 3
)

// Pace is how fast a user typically delivers and answers. A figure is nil until there are three
// cases to compute it from, and otherwise at least 1.
type Pace struct {
	DeliveryHours *int // from the payment to the first delivery, as seller
	AnswerMinutes *int // from another's first message to the first reply
}

// Reads at most 50 deals and 50 conversations, each by an index. The messages before the first
// reply are found by the primary key of messages.
const sqlPace = `
select case when d.cases >= @min then greatest(ceil(d.seconds / 3600), 1)::int end as delivery_hours,
       case when a.cases >= @min then greatest(ceil(a.seconds / 60), 1)::int end as answer_minutes
  from (select count(*) as cases,
               percentile_cont(0.5) within group (order by extract(epoch from first_delivered_at - activated_at)) as seconds
          from (select activated_at, first_delivered_at from deals
                 where seller_id = @user and deal_counts(status, price, refunded_amount, accepted_at) and first_delivered_at is not null
                 order by closed_at desc limit @deals) latest) d,
       (select count(*) as cases,
               percentile_cont(0.5) within group (order by extract(epoch from reply.created_at - asked.created_at)) as seconds
          from (select id from (
                  (select id, updated_at from conversations
                    where user_a = @user and answered and updated_at >= @since and created_at >= @since
                    order by updated_at desc, id desc limit @conversations)
                  union all
                  (select id, updated_at from conversations
                    where user_b = @user and answered and updated_at >= @since and created_at >= @since
                    order by updated_at desc, id desc limit @conversations)) both_sides
                 order by updated_at desc, id desc limit @conversations) c
         cross join lateral (
           select seq, created_at from messages where conversation_id = c.id and sender_id <> @user order by seq limit 1) asked
         cross join lateral (
           select created_at from messages where conversation_id = c.id and sender_id = @user and seq > asked.seq
            order by seq limit 1) reply) a`

// Pace returns how fast a user typically delivers and answers. It is public.
func (s *Service) Pace(ctx context.Context, userID uuid.UUID) (Pace, error) {
	return postgres.One[Pace](ctx, s.DB, "reports.pace", sqlPace, pgx.NamedArgs{
		"user": userID, "since": s.Clock.Now().Add(-paceAge), "min": paceMin, "deals": paceDeals, "conversations": paceConversations,
	})
}
