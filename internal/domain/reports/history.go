package reports

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/money"
	"amanat/internal/money/ledger"
	"amanat/internal/platform/postgres"
)

// Movement is money that came into a user's wallet or left it.
type Movement struct {
	Kind         string      // of the money operation, as in deal_pay
	Subject      string      // what it was about, as in deal:{id}
	Amount       money.Cents // below zero: it left
	BalanceAfter money.Cents
	At           time.Time
}

// WalletHistory is how a user's balance came about over a time.
type WalletHistory struct {
	Opening   money.Cents // before the first movement
	Movements []Movement  // oldest first
	Complete  bool        // false: there were more, and the oldest are left out
}

// maxMovements keeps an answer readable, and a chart of it quick to draw.
const maxMovements = 1_000

// A key begins with its subject: deal:{id}:close.
const sqlMovements = `
select t.kind, split_part(t.key, ':', 1) || ':' || split_part(t.key, ':', 2) as subject, e.amount, e.balance_after, e.at
  from ledger.accounts a
  join ledger.entries e on e.account_id = a.id
  join ledger.transfers t on t.id = e.transfer_id
 where a.kind = 'wallet' and a.owner_id = @user and a.currency = 'USD' and e.at >= @since
 order by e.version desc
 limit @limit`

// WalletHistory returns the movements of a user's wallet since a moment of business time, the latest 1,000 at most. The caller has
// checked that the reader is that user.
func (s *Service) WalletHistory(ctx context.Context, userID uuid.UUID, since time.Time) (WalletHistory, error) {
	found, err := postgres.Many[Movement](ctx, s.DB, "reports.wallet_movements", sqlMovements,
		pgx.NamedArgs{"user": userID, "since": since, "limit": maxMovements + 1})
	if err != nil {
		return WalletHistory{}, err
	}
	history := WalletHistory{Movements: found, Complete: len(found) <= maxMovements}
	if !history.Complete {
		history.Movements = found[:maxMovements]
	}
	slices.Reverse(history.Movements)
	if len(found) == 0 {
		history.Opening, err = ledger.WalletBalance(ctx, s.DB, userID)
		return history, err
	}
	first := history.Movements[0]
	history.Opening = first.BalanceAfter - first.Amount
	return history, nil
}
