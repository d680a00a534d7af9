package deals

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

// Unpaid deals are locked too: their payments must see the user's row as this transaction leaves
// it.
const sqlLockOfUser = `
select id from deals
 where (buyer_id = @user or seller_id = @user) and removed_at is null and (status = 'Pending' or deal_is_open(status))
 order by id for update`

// lockOfUser locks a user's unfinished deals in ID order and returns them as of then.
func lockOfUser(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, now time.Time) ([]Deal, error) {
	ids, err := postgres.Values[uuid.UUID](ctx, tx, "deals.lock_of_user", sqlLockOfUser, pgx.NamedArgs{"user": userID})
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	return dealsOf(ctx, tx, ids, now)
}

const sqlSetSuspended = `update deals set suspended_at = @now, frozen_at = coalesce(frozen_at, @now) where id = @id`

func setSuspended(ctx context.Context, tx *postgres.Tx, id uuid.UUID, now time.Time) error {
	return postgres.ExecOne(ctx, tx, "deals.set_suspended", sqlSetSuspended, pgx.NamedArgs{"id": id, "now": now})
}

const sqlSetResumed = `update deals set suspended_at = null where id = @id`

func setResumed(ctx context.Context, tx *postgres.Tx, id uuid.UUID) error {
	return postgres.ExecOne(ctx, tx, "deals.set_resumed", sqlSetResumed, pgx.NamedArgs{"id": id})
}

// Disabled users with an open deal that is not suspended, and the buyer of each suspended deal with
// neither party disabled.
const sqlSuspensionDrift = `
select u.id from users u
 where u.disabled_at is not null and u.erased_at is null and u.id > @after
   and (exists (select 1 from deals where buyer_id = u.id and removed_at is null and suspended_at is null
                                      and deal_is_open(status))
     or exists (select 1 from deals where seller_id = u.id and removed_at is null and suspended_at is null
                                      and deal_is_open(status)))
 union
select d.buyer_id from deals d
 where d.suspended_at is not null and d.buyer_id > @after
   and not exists (select 1 from users u where u.id in (d.buyer_id, d.seller_id) and u.disabled_at is not null)
 order by 1 limit @limit`

func listSuspensionDrift(ctx context.Context, q postgres.Querier, _ time.Time, after uuid.UUID) ([]uuid.UUID, error) {
	return listIDs(ctx, q, "deals.list_suspension_drift", sqlSuspensionDrift, pgx.NamedArgs{"after": after})
}
