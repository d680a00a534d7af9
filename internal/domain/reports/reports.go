// Package reports reads across domain packages: totals, balances, the books. It changes nothing.
package reports

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/money"
	"amanat/internal/platform/clock"
	"amanat/internal/platform/postgres"
)

// Service answers reports. It is safe for concurrent use and must not be copied.
type Service struct {
	DB    postgres.Querier
	Clock clock.Clock // for PublicStats alone

	public publicStats
}

// Wallet is what a user has with us.
type Wallet struct {
	Available         money.Cents // can be spent
	InEscrow          money.Cents // paid into own deals that are open
	PendingWithdrawal money.Cents // held for withdrawals on their way
}

// One statement, so that all three are of one moment: money on its way between them counts once. That nothing paid is ever removed is said
// to find the buyer's deals by their index, which has no removed ones.
const sqlWallet = `
select coalesce((select balance from ledger.accounts where kind = 'wallet' and owner_id = @user and currency = 'USD'), 0),
       coalesce((select sum(price) from deals where buyer_id = @user and removed_at is null and deal_is_open(status)), 0)::bigint,
       coalesce((select sum(amount) from withdrawals where user_id = @user and status = 'pending'), 0)::bigint`

// Wallet returns what a user has. The caller has checked that the reader is that user.
func (s *Service) Wallet(ctx context.Context, userID uuid.UUID) (Wallet, error) {
	var w Wallet
	args := pgx.NamedArgs{"user": userID}
	err := postgres.Scan(ctx, s.DB, "reports.wallet", sqlWallet, args, &w.Available, &w.InEscrow, &w.PendingWithdrawal)
	return w, err
}
