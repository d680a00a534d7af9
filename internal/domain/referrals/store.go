package referrals

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

const sqlStats = `
select (select count(*) from users where referred_by = @user),
       coalesce((select sum(amount) from referral_rewards where referrer_id = @user and credited_at is not null), 0)::bigint`

func stats(ctx context.Context, q postgres.Querier, userID uuid.UUID) (Stats, error) {
	var s Stats
	err := postgres.Scan(ctx, q, "referrals.stats", sqlStats, pgx.NamedArgs{"user": userID}, &s.Referred, &s.Earnings)
	return s, err
}

// referralRow is a party of a deal and the user who referred them.
type referralRow struct {
	ReferredID uuid.UUID
	ReferrerID uuid.UUID
}

// Those who have closed their account earn nothing. The lock, which the new rows take anyway, waits
// for a transaction that is closing an account.
const sqlReferrers = `
select r.referred_id, r.referrer_id
  from (select distinct on (referred_by) id as referred_id, referred_by as referrer_id
          from users
         where id in (@buyer, @seller) and referred_by is not null and referred_by not in (@buyer, @seller)
         order by referred_by, id) r
  join users u on u.id = r.referrer_id
 where u.closed_at is null
 order by r.referrer_id
   for key share of u`

func referrersOf(ctx context.Context, tx *postgres.Tx, buyerID, sellerID uuid.UUID) ([]referralRow, error) {
	return postgres.Many[referralRow](ctx, tx, "referrals.referrers_of", sqlReferrers, pgx.NamedArgs{"buyer": buyerID, "seller": sellerID})
}

const sqlInsertReward = `
insert into referral_rewards (id, deal_id, referred_id, referrer_id, amount, created_at)
values (@id, @deal, @referred, @referrer, @amount, @now)`

func insertReward(ctx context.Context, tx *postgres.Tx, id, dealID uuid.UUID, b referralRow, amount money.Cents, now time.Time) error {
	return postgres.Exec(ctx, tx, "referrals.insert_reward", sqlInsertReward, pgx.NamedArgs{
		"id": id, "deal": dealID, "referred": b.ReferredID, "referrer": b.ReferrerID, "amount": int64(amount), "now": now,
	})
}

// A credit that was ended is requested again after a day.
const sqlOwed = `
select r.id from referral_rewards r
 where r.credited_at is null and r.created_at < @before
   and not exists (select from operations o where o.subject = 'reward:' || r.id and (o.status = 'pending' or o.created_at >= @before))
 order by r.created_at, r.id limit @limit`

func listOwed(ctx context.Context, q postgres.Querier, before time.Time, limit int) ([]uuid.UUID, error) {
	return postgres.Values[uuid.UUID](ctx, q, "referrals.list_owed", sqlOwed, pgx.NamedArgs{"before": before, "limit": limit})
}

type rewardRow struct {
	ReferrerID uuid.UUID
	Amount     int64
}

const sqlLockReward = `select referrer_id, amount from referral_rewards where id = @id for update`

func lockReward(ctx context.Context, tx *postgres.Tx, id uuid.UUID) (rewardRow, error) {
	return postgres.One[rewardRow](ctx, tx, "referrals.lock_reward", sqlLockReward, pgx.NamedArgs{"id": id})
}

const sqlSetCredited = `update referral_rewards set credited_at = @now where id = @id and credited_at is null`

func setCredited(ctx context.Context, tx *postgres.Tx, id uuid.UUID, now time.Time) error {
	n, err := postgres.ExecCount(ctx, tx, "referrals.set_credited", sqlSetCredited, pgx.NamedArgs{"id": id, "now": now})
	if err == nil && n != 1 {
		err = fmt.Errorf("referrals.set_credited: reward %s is credited already", id)
	}
	return err
}
