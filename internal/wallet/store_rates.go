package wallet

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/fault"
	"amanat/internal/money"
	"amanat/internal/party"
	"amanat/internal/postgres"
)

const sqlCurrentRate = `select usd_to_bdt from exchange_rates order by id desc limit 1`

func currentRate(ctx context.Context, q postgres.Querier) (money.Rate, error) {
	var rate int64
	err := q.QueryRow(ctx, sqlCurrentRate).Scan(&rate)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, fault.New(fault.Unavailable, "The exchange rate has not been set yet.")
	}
	return money.Rate(rate), err
}

const sqlInsertRate = `insert into exchange_rates (usd_to_bdt, set_by, set_at) values (@rate, @actor, @now)`

func insertRate(ctx context.Context, tx *postgres.Tx, actor uuid.UUID, rate money.Rate, now time.Time) error {
	var by *uuid.UUID
	if actor != uuid.Nil {
		by = &actor
	}
	_, err := tx.Exec(ctx, sqlInsertRate, pgx.NamedArgs{"rate": int64(rate), "actor": by, "now": now})
	return err
}

type rateRow struct {
	UsdToBdt        int64
	SetAt           time.Time
	SetBy           *uuid.UUID
	SetByUsername   *string
	SetByProfilePic *string
}

func (r rateRow) change() RateChange {
	c := RateChange{Rate: money.Rate(r.UsdToBdt), At: r.SetAt}
	if r.SetBy != nil {
		c.By = &party.Party{ID: *r.SetBy, Username: *r.SetByUsername, ProfilePic: *r.SetByProfilePic}
	}
	return c
}

const sqlRates = `
select r.usd_to_bdt, r.set_at, r.set_by, u.username as set_by_username, u.profile_pic as set_by_profile_pic
  from exchange_rates r left join users u on u.id = r.set_by
 order by r.id desc limit @limit offset @offset`

func listRates(ctx context.Context, q postgres.Querier, page Page) ([]RateChange, int, error) {
	var total int
	if err := q.QueryRow(ctx, `select count(*) from exchange_rates`).Scan(&total); err != nil {
		return nil, 0, err
	}
	list, err := collect(ctx, q, sqlRates, pgx.NamedArgs{"limit": page.Limit, "offset": page.Offset}, rateRow.change)
	return list, total, err
}
