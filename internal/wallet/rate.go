package wallet

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/audit"
	"amanat/internal/fault"
	"amanat/internal/money"
	"amanat/internal/party"
	"amanat/internal/postgres"
)

// Bounds of a rate that is no slip of the finger.
const (
	minRate money.Rate = 1_00
	maxRate money.Rate = 100_000_00
)

// RateChange is a price of a dollar that was set. By is nil for the operator's command line.
type RateChange struct {
	Rate money.Rate
	At   time.Time
	By   *party.Party
}

// Rates returns the prices of a dollar to admins, the present one first, and how many there were.
func (s *Service) Rates(ctx context.Context, page Page) ([]RateChange, int, error) {
	return listRates(ctx, s.DB, page)
}

// Rate returns the price of a dollar in taka as it was last set. Anybody may call it. Code Unavailable before the first.
func (s *Service) Rate(ctx context.Context) (money.Rate, error) { return currentRate(ctx, s.DB) }

// SetRate sets the price of a dollar and keeps the old one in the history. actor is an admin, or uuid.Nil for the operator's command
// line. Requests made before keep their rate. Code Invalid.
func (s *Service) SetRate(ctx context.Context, actor uuid.UUID, rate money.Rate) error {
	if rate < minRate || rate > maxRate {
		return fault.Field("usdToBdt", "Enter a valid rate")
	}
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		now := s.Clock.Now()
		if err := insertRate(ctx, tx, actor, rate, now); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			At: now, ActorID: actor, Action: "exchange_rate.set", Subject: "exchange_rate", Details: map[string]money.Rate{"usdToBdt": rate},
		})
	})
}
