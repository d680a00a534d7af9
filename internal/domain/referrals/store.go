package referrals

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

var readStats = postgres.Query[Stats]("referrals.stats", `
select (select count(*) from users where referred_by = @user) as referred,
       coalesce((select sum(amount) from referral_rewards where referrer_id = @user and credited_at is not null), 0)::bigint as earnings`)

// referralRow is a party of a deal and the user who referred them.
type referralRow struct {
	ReferredID uuid.UUID
	ReferrerID uuid.UUID
}

// Those who have closed their account earn nothing. The lock, which the new rows take anyway, waits
// for a transaction that is closing an account.
var referrersOf = postgres.Query[referralRow]("referrals.referrers_of", `
select r.referred_id, r.referrer_id
  from (select distinct on (referred_by) id as referred_id, referred_by as referrer_id
          from users
         where id in (@buyer, @seller) and referred_by is not null and referred_by not in (@buyer, @seller)
         order by referred_by, id) r
  join users u on u.id = r.referrer_id
 where u.closed_at is null
 order by r.referrer_id
   for key share of u`)

const sqlInsertReward = `
insert into referral_rewards (id, deal_id, referred_id, referrer_id, amount, created_at)
values (@id, @deal, @referred, @referrer, @amount, @now)`

func insertReward(ctx context.Context, tx *postgres.Tx, id, dealID uuid.UUID, b referralRow, amount money.Cents, now time.Time) error {
	return postgres.Command("referrals.insert_reward", sqlInsertReward).Run(ctx, tx, postgres.Args{
		"id": id, "deal": dealID, "referred": b.ReferredID, "referrer": b.ReferrerID, "amount": int64(amount), "now": now,
	})
}

// A credit that was ended is requested again after a day.
var listOwed = postgres.Query[uuid.UUID]("referrals.list_owed", `
select r.id from referral_rewards r
 where r.credited_at is null and r.created_at < @before
   and not exists (select from operations o where o.subject = 'reward:' || r.id and (o.status = 'pending' or o.created_at >= @before))
 order by r.created_at, r.id limit @limit`)

type rewardRow struct {
	ReferrerID uuid.UUID
	Amount     int64
}

var lockReward = postgres.Query[rewardRow]("referrals.lock_reward",
	`select referrer_id, amount from referral_rewards where id = @id for update`)

const sqlSetCredited = `update referral_rewards set credited_at = @now where id = @id and credited_at is null`

func setCredited(ctx context.Context, tx *postgres.Tx, id uuid.UUID, now time.Time) error {
	n, err := postgres.Command("referrals.set_credited", sqlSetCredited).Count(ctx, tx, postgres.Args{"id": id, "now": now})
	if err == nil && n != 1 {
		err = fmt.Errorf("referrals.set_credited: reward %s is credited already", id)
	}
	return err
}
