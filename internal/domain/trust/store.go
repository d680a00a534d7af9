package trust

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/postgres"
	"amanat/queue/jobs"
)

// The condition of the indexes of completed deals.
const sqlCounts = `deal_counts(status, price, refunded_amount, accepted_at)`

// Reads a bounded number of index entries, however many deals there are: it stops counting at what
// the highest level requires, and steps from one partner to the next.
var readRecord = postgres.Query[record]("trust.get_record", `
with recursive bought (partner, n) as (
  (select seller_id, 1 from deals where buyer_id = @user and `+sqlCounts+` order by seller_id limit 1)
  union all
  select (select seller_id from deals
           where buyer_id = @user and `+sqlCounts+` and seller_id > bought.partner order by seller_id limit 1), n + 1
    from bought where partner is not null and n < @partners
), sold (partner, n) as (
  (select buyer_id, 1 from deals where seller_id = @user and `+sqlCounts+` order by buyer_id limit 1)
  union all
  select (select buyer_id from deals
           where seller_id = @user and `+sqlCounts+` and buyer_id > sold.partner order by buyer_id limit 1), n + 1
    from sold where partner is not null and n < @partners
)
select u.created_at, u.second_factor_since is not null as second_factor,
       least(@deals, (select count(*) from (select from deals where buyer_id = @user and `+sqlCounts+` limit @deals) c)
         + (select count(*) from (select from deals where seller_id = @user and `+sqlCounts+` limit @deals) c))::int as completed,
       (select count(*) from (select partner from bought where partner is not null
                              union select partner from sold where partner is not null) p)::int as partners
  from users u where u.id = @user`)

func recordArgs(userID uuid.UUID) postgres.Args {
	return postgres.Args{"user": userID, "deals": maxCompleted, "partners": maxPartners}
}

// A deal is paid and a withdrawal made in the transaction that settles the operation, so each is
// counted once. Deals count also after a refund; withdrawals that were rejected or cancelled do not
// count, since nothing has left the account.
var readUse = postgres.Query[Use]("trust.get_use", `
select (coalesce((select sum(price) from deals where buyer_id = @user and activated_at > @since), 0)
        + coalesce((select sum(d.price) from operations o join deals d on d.id = split_part(o.subject, ':', 2)::uuid
                     where o.actor_id = @user and o.kind = @pay and o.status = 'pending' and o.subject <> @except), 0))::bigint as paid,
       (coalesce((select sum(amount) from withdrawals
                   where user_id = @user and requested_at > @since and status <> 'failed'), 0)
        + coalesce((select sum(round((o.params->>'amount')::numeric * 100)) from operations o
                     where o.actor_id = @user and o.kind = @withdraw and o.status = 'pending' and o.subject <> @except), 0))::bigint
         as withdrawn`)

func useArgs(userID uuid.UUID, except string, since time.Time) postgres.Args {
	return postgres.Args{
		"user": userID, "since": since, "except": except, "pay": jobs.KindDealPay, "withdraw": jobs.KindWithdrawalHold,
	}
}

// An advisory lock, since requests insert rows and lock none that exists.
const sqlLock = `select pg_advisory_xact_lock(hashtextextended('trust.limits:' || @user::uuid, 0))`

// lockAndRead lets no other transaction of the user check their limits until this one ends, and
// returns what the user has used without the operation on except. It reads in a statement of its
// own, which sees what the lock has waited for.
func lockAndRead(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, except string, since time.Time) (used Use, err error) {
	postgres.Command("trust.lock", sqlLock).Queue(tx, postgres.Args{"user": userID})
	readUse.Queue(tx, useArgs(userID, except, since), func(u Use) { used = u })
	err = tx.Flush(ctx)
	return used, err
}
