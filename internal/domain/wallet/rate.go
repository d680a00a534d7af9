package wallet

import (
	"context"
	"time"

	"amanat/internal/app/actor"
	"amanat/internal/app/audit"
	"amanat/internal/app/user"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

// Bounds of a plausible rate, to catch typing errors.
const (
	minRate money.Rate = 1_00
	maxRate money.Rate = 100_000_00
)

// RateChange is an entry in the history of the exchange rate. By is nil if the operator set the
// rate on the command line.
type RateChange struct {
	Rate money.Rate
	At   time.Time
	By   *user.Ref
}

// Rates returns the history of the exchange rate to admins, newest first, and the number of
// entries.
func (s *Service) Rates(ctx context.Context, page postgres.Page) ([]RateChange, int, error) {
	return listRates(ctx, s.DB, page)
}

// Rate returns the current price of a dollar in taka. It is public. Code Unavailable if no rate has
// been set.
func (s *Service) Rate(ctx context.Context) (money.Rate, error) { return currentRate(ctx, s.DB) }

// rateSlack is how far from its request an operation may settle, or the clocks of two processes be
// apart, for the request to keep its rate.
const rateSlack = time.Hour

// checkRate checks the rate of a row or an operation that the api has written: in whole taka a
// dollar, rounded up for deposits. The worker believes only rates that were in force around the
// time. Code RateChanged.
func checkRate(ctx context.Context, tx *postgres.Tx, taka int64, up bool, at time.Time) error {
	ok, err := rateInForce(ctx, tx, taka, up, at.Add(-rateSlack), at.Add(rateSlack))
	if err == nil && !ok {
		err = errRateChanged()
	}
	return err
}

// maxUnconfirmed is by how many percent a new rate may differ from the current one without a
// confirmation.
const maxUnconfirmed = 10

// SetRate sets the price of a dollar and keeps the old one in the history. actor is an admin, or
// the operator on the command line. confirmed confirms a change of more than 10%. Earlier requests
// keep their rate. Code Invalid, on the field confirm if such a change is not confirmed.
func (s *Service) SetRate(ctx context.Context, actor actor.Actor, rate money.Rate, confirmed bool) error {
	if rate < minRate || rate > maxRate {
		return fault.Field("usdToBdt", "rate_invalid", "Enter a valid rate")
	}
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		if err := lockRate(ctx, tx); err != nil {
			return err
		}
		present, err := currentRate(ctx, tx)
		switch {
		case fault.CodeOf(err) == fault.Unavailable: // no rate yet
		case err != nil:
			return err
		case !confirmed && needsConfirmation(present, rate):
			return fault.Fieldf("confirm", "rate_jump", "This changes the rate from {from} to {to}, by more than 10%. Please confirm it.",
				fault.Params{"from": present, "to": rate})
		}
		now := s.Clock.Now()
		if err := insertRate(ctx, tx, actor, rate, now); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			At: now, Actor: actor, Action: "exchange_rate.set", Subject: "exchange_rate",
			Details: map[string]money.Rate{"usdToBdt": rate},
		})
	})
}

// needsConfirmation reports whether next differs from present by more than maxUnconfirmed percent.
func needsConfirmation(present, next money.Rate) bool {
	change := next - present
	return max(change, -change)*100 > present*maxUnconfirmed
}
