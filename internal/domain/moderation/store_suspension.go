package moderation

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

// lockAccused locks a user until the transaction ends and reports whether they are an admin.
func lockAccused(ctx context.Context, tx *postgres.Tx, id uuid.UUID) (isAdmin bool, err error) {
	return postgres.Value[bool](ctx, tx, "moderation.lock_accused", `select is_admin from users where id = @id for no key update`,
		pgx.NamedArgs{"id": id})
}

const sqlFindSuspension = `
select c.id as decision, c.suspended_until as until
  from users u join moderation_cases c on c.id = u.suspended_by
 where u.id = @user and u.disabled_at is not null`

// findSuspension returns the decision for which a user is disabled; found is false if they are not
// disabled, or for another reason.
func findSuspension(ctx context.Context, q postgres.Querier, userID uuid.UUID) (s suspension, found bool, err error) {
	return postgres.Optional(postgres.One[suspension](ctx, q, "moderation.find_suspension", sqlFindSuspension, pgx.NamedArgs{"user": userID}))
}

// Decisions from before the account was last disabled have ended: an admin has enabled it since.
const sqlNextSuspension = `
select c.id
  from moderation_cases c join users u on u.id = c.accused_id
 where c.accused_id = @user and c.id <> @except and c.action in ('suspend', 'ban') and c.overturned is not true
   and (c.suspended_until is null or c.suspended_until > @now) and c.decided_at >= u.disabled_at
 order by c.suspended_until desc nulls first limit 1`

// nextSuspension returns the decision that disables a user the longest apart from one that does so
// no more.
func nextSuspension(
	ctx context.Context, q postgres.Querier, userID, except uuid.UUID, now time.Time,
) (decision uuid.UUID, found bool, err error) {
	return postgres.Optional(postgres.Value[uuid.UUID](ctx, q, "moderation.next_suspension", sqlNextSuspension,
		pgx.NamedArgs{"user": userID, "except": except, "now": now}))
}

const sqlOverdue = `
select u.id from users u join moderation_cases c on c.id = u.suspended_by
 where c.suspended_until <= @now and u.disabled_at is not null order by c.suspended_until, u.id limit @limit`

// listOverdue returns users whose suspension has run out.
func listOverdue(ctx context.Context, q postgres.Querier, now time.Time, limit int) ([]uuid.UUID, error) {
	return postgres.Values[uuid.UUID](ctx, q, "moderation.list_overdue", sqlOverdue, pgx.NamedArgs{"now": now, "limit": limit})
}
