package reports

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

// Trade is how much a user has traded in completed deals, as buyer and seller.
type Trade struct {
	Partners int         // distinct users
	Volume   money.Cents // sum of prices, less what was refunded
}

// Each half has a covering index.
const sqlTrade = `
select count(distinct partner) as partners, coalesce(sum(paid), 0)::bigint as volume
  from (select seller_id as partner, price - coalesce(refunded_amount, 0) as paid from deals
         where buyer_id = @user and deal_counts(status, price, refunded_amount, accepted_at)
        union all
        select buyer_id, price - coalesce(refunded_amount, 0) from deals
         where seller_id = @user and deal_counts(status, price, refunded_amount, accepted_at)) completed`

// Trade returns how much a user has traded. The exact volume is private to the user; VolumeBand is
// public.
func (s *Service) Trade(ctx context.Context, userID uuid.UUID) (Trade, error) {
	return postgres.One[Trade](ctx, s.DB, "reports.trade", sqlTrade, pgx.NamedArgs{"user": userID})
}

// VolumeBand is the rough trade volume of a user.
type VolumeBand string

// Bands in dollars. Each includes its lower bound.
const (
	VolumeNone        VolumeBand = "none"
	VolumeUnder100    VolumeBand = "under_100"
	VolumeUnder1000   VolumeBand = "100_1000"
	VolumeUnder10000  VolumeBand = "1000_10000"
	VolumeBeyond10000 VolumeBand = "over_10000"
)

// VolumeBand returns the band of the volume.
func (t Trade) VolumeBand() VolumeBand {
	switch {
	case t.Volume == 0:
		return VolumeNone
	case t.Volume < 100_00:
		return VolumeUnder100
	case t.Volume < 1_000_00:
		return VolumeUnder1000
	case t.Volume < 10_000_00:
		return VolumeUnder10000
	}
	return VolumeBeyond10000
}
