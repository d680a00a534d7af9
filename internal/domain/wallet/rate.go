package wallet

import (
	"context"
	"fmt"
	"time"

	"amanat/internal/money"
	"amanat/internal/platform/actor"
	"amanat/internal/platform/audit"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
	"amanat/internal/platform/user"
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
	By   *user.Ref
}

// Rates returns the prices of a dollar to admins, the present one first, and how many there were.
func (s *Service) Rates(ctx context.Context, page postgres.Page) ([]RateChange, int, error) {
	return listRates(ctx, s.DB, page)
}

// Rate returns the price of a dollar in taka as it was last set. Anybody may call it. Code Unavailable before the first.
func (s *Service) Rate(ctx context.Context) (money.Rate, error) { return currentRate(ctx, s.DB) }

// maxUnconfirmed is by how many percent a new rate may differ from the present one without a second word.
const maxUnconfirmed = 10

// SetRate sets the price of a dollar and keeps the old one in the history. actor is an admin or the operator on the command line. confirmed says that a change of more than 10% is meant. Requests made before keep their rate. Code Invalid, on the field confirm
// for such a change that is not confirmed.
func (s *Service) SetRate(ctx context.Context, actor actor.Actor, rate money.Rate, confirmed bool) error {
	if rate < minRate || rate > maxRate {
		return fault.Field("usdToBdt", "Enter a valid rate")
	}
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		if err := lockRate(ctx, tx); err != nil {
			return err
		}
		present, err := currentRate(ctx, tx)
		switch {
		case fault.CodeOf(err) == fault.Unavailable: // the first
		case err != nil:
			return err
		case !confirmed && far(present, rate):
			return fault.Field("confirm", fmt.Sprintf(
				"This changes the rate from %s to %s, by more than 10%%. Please confirm it.", present, rate))
		}
		now := s.Clock.Now()
		if err := insertRate(ctx, tx, actor, rate, now); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			At: now, Actor: actor, Action: "exchange_rate.set", Subject: "exchange_rate", Details: map[string]money.Rate{"usdToBdt": rate},
		})
	})
}

func far(present, next money.Rate) bool {
	change := next - present
	return max(change, -change)*100 > present*maxUnconfirmed
}
