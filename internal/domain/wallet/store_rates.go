package wallet

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/app/actor"
	"amanat/internal/app/user"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

const sqlCurrentRate = `select usd_to_bdt from exchange_rates order by id desc limit 1`

func currentRate(ctx context.Context, q postgres.Querier) (money.Rate, error) {
	rate, err := postgres.Value[money.Rate](ctx, q, "wallet.current_rate", sqlCurrentRate, nil)
	return rate, postgres.IfNoRows(err, fault.New(fault.Unavailable, "rate_unset", "The exchange rate has not been set yet."))
}

// The price of a dollar is rounded up to whole taka for deposits, down for withdrawals.
const sqlRateInForce = `
select exists (
  select from exchange_rates r
   where (r.usd_to_bdt + case when @up then 99 else 0 end) / 100 = @taka and r.set_at <= @to
     and not exists (select from exchange_rates n where n.id > r.id and n.set_at <= @from))`

// rateInForce reports whether a dollar was worth so many whole taka at some time between from and
// to.
func rateInForce(ctx context.Context, q postgres.Querier, taka int64, up bool, from, to time.Time) (bool, error) {
	return postgres.Value[bool](ctx, q, "wallet.rate_in_force", sqlRateInForce,
		pgx.NamedArgs{"taka": taka, "up": up, "from": from, "to": to})
}

const sqlLockRate = `select pg_advisory_xact_lock(hashtextextended('wallet.rate', 0))`

// lockRate lets no other transaction set a rate until this one ends, so that each new rate is
// compared with the one before it.
func lockRate(ctx context.Context, tx *postgres.Tx) error {
	return postgres.Exec(ctx, tx, "wallet.lock_rate", sqlLockRate, nil)
}

const sqlInsertRate = `insert into exchange_rates (usd_to_bdt, set_by, set_at) values (@rate, @actor, @now)`

func insertRate(ctx context.Context, tx *postgres.Tx, actor actor.Actor, rate money.Rate, now time.Time) error {
	return postgres.Exec(ctx, tx, "wallet.insert_rate", sqlInsertRate,
		pgx.NamedArgs{"rate": int64(rate), "actor": actor, "now": now})
}

type rateRow struct {
	UsdToBdt        int64
	SetAt           time.Time
	SetBy           *uuid.UUID
	SetByUsername   *string
	SetByProfilePic *string
	SetByIsStaff    *bool
	SetByClosed     *bool
}

func (r rateRow) change() RateChange {
	c := RateChange{Rate: money.Rate(r.UsdToBdt), At: r.SetAt}
	if r.SetBy != nil {
		c.By = &user.Ref{
			ID: *r.SetBy, Username: *r.SetByUsername, ProfilePic: *r.SetByProfilePic, IsStaff: *r.SetByIsStaff, Closed: *r.SetByClosed,
		}
	}
	return c
}

const sqlRates = `
select r.usd_to_bdt, r.set_at, r.set_by, u.username as set_by_username, u.profile_pic as set_by_profile_pic, u.is_admin as set_by_is_staff,
       u.closed_at is not null as set_by_closed
  from exchange_rates r left join users u on u.id = r.set_by
 order by r.id desc limit @limit offset @offset`

func listRates(ctx context.Context, q postgres.Querier, page postgres.Page) ([]RateChange, int, error) {
	total, err := postgres.Value[int](ctx, q, "wallet.count_rates", `select count(*) from exchange_rates`, nil)
	if err != nil {
		return nil, 0, err
	}
	args := pgx.NamedArgs{"limit": page.Limit, "offset": page.Offset}
	list, err := postgres.ManyAs(ctx, q, "wallet.list_rates", sqlRates, args, rateRow.change)
	return list, total, err
}
