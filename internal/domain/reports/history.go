package reports

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/ledger"
)

// Movement is money that came into a user's wallet or left it.
type Movement struct {
	Kind         string      // of the money operation, such as deal_pay
	Subject      string      // of the money operation, such as deal:{id}
	Amount       money.Cents // negative if it left
	BalanceAfter money.Cents
	At           time.Time
	Reason       *string // of a correction, as an admin wrote it; nil for other movements
}

// WalletHistory is the list of movements that led to a user's balance.
type WalletHistory struct {
	Opening   money.Cents // before the first movement
	Movements []Movement  // oldest first
	Complete  bool        // false: there were more; the oldest are left out
}

// maxMovements limits the size of a response, and of the chart drawn from it.
const maxMovements = 1_000

// A key begins with its subject: deal:{id}:close.
const sqlMovements = `
select t.kind, split_part(t.key, ':', 1) || ':' || split_part(t.key, ':', 2) as subject, e.amount, e.balance_after, e.at,
       c.reason
  from ledger.accounts a
  join ledger.entries e on e.account_id = a.id
  join ledger.transfers t on t.id = e.transfer_id
  left join adjustments c on t.kind = 'balance_adjust' and c.id = split_part(t.key, ':', 2)::uuid
 where a.kind = 'wallet' and a.owner_id = @user and a.currency = 'USD' and e.at >= @since
 order by e.version desc
 limit @limit`

// WalletHistory returns the movements of a user's wallet since a business time, at most the latest
// 1,000. The caller has checked that the reader is that user.
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
