package referrals

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/money"
	"amanat/internal/postgres"
)

const sqlStats = `
select (select count(*) from users where referred_by = @user),
       coalesce((select sum(amount) from referral_rewards where referrer_id = @user and credited_at is not null), 0)::bigint`

func stats(ctx context.Context, q postgres.Querier, userID uuid.UUID) (Stats, error) {
	var s Stats
	err := q.QueryRow(ctx, sqlStats, pgx.NamedArgs{"user": userID}).Scan(&s.Referred, &s.Earnings)
	return s, err
}

// broughtRow is a party of a deal and who brought him.
type broughtRow struct {
	ReferredID uuid.UUID
	ReferrerID uuid.UUID
}

const sqlReferrers = `
select distinct on (referred_by) id as referred_id, referred_by as referrer_id
  from users
 where id in (@buyer, @seller) and referred_by is not null and referred_by not in (@buyer, @seller)
 order by referred_by, id`

func referrersOf(ctx context.Context, tx *postgres.Tx, buyerID, sellerID uuid.UUID) ([]broughtRow, error) {
	rows, err := tx.Query(ctx, sqlReferrers, pgx.NamedArgs{"buyer": buyerID, "seller": sellerID})
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByName[broughtRow])
}

const sqlInsertReward = `
insert into referral_rewards (id, deal_id, referred_id, referrer_id, amount, created_at)
values (@id, @deal, @referred, @referrer, @amount, @now)`

func insertReward(ctx context.Context, tx *postgres.Tx, id, dealID uuid.UUID, b broughtRow, amount money.Cents, now time.Time) error {
	_, err := tx.Exec(ctx, sqlInsertReward, pgx.NamedArgs{
		"id": id, "deal": dealID, "referred": b.ReferredID, "referrer": b.ReferrerID, "amount": int64(amount), "now": now,
	})
	return err
}

type rewardRow struct {
	ReferrerID uuid.UUID
	Amount     int64
}

const sqlLockReward = `select referrer_id, amount from referral_rewards where id = @id for update`

func lockReward(ctx context.Context, tx *postgres.Tx, id uuid.UUID) (rewardRow, error) {
	rows, err := tx.Query(ctx, sqlLockReward, pgx.NamedArgs{"id": id})
	if err != nil {
		return rewardRow{}, err
	}
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[rewardRow])
}

const sqlSetCredited = `update referral_rewards set credited_at = @now where id = @id and credited_at is null`

func setCredited(ctx context.Context, tx *postgres.Tx, id uuid.UUID, now time.Time) error {
	tag, err := tx.Exec(ctx, sqlSetCredited, pgx.NamedArgs{"id": id, "now": now})
	if err == nil && tag.RowsAffected() != 1 {
		err = fmt.Errorf("referrals: reward %s is credited already", id)
	}
	return err
}
