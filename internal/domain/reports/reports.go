// Package reports reads across domain packages: totals, balances, the books. It changes nothing.
package reports

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

// Service runs reports. It is safe for concurrent use and must not be copied.
type Service struct {
	DB    postgres.DB
	Clock clock.Clock // for PublicStats, Pace and papers only

	public publicStats
}

// Wallet is a user's money on the platform.
type Wallet struct {
	Available         money.Cents // spendable
	InEscrow          money.Cents // price of the user's open deals as buyer
	InEscrowSales     money.Cents // price of the user's open deals as seller
	PendingWithdrawal money.Cents // held for pending withdrawals
}

// All in one statement, from one snapshot, so that money moving between them counts once.
// "removed_at is null" is always true of an open paid deal; it lets the planner use the indexes of
// buyers and sellers, which are partial on it.
const sqlWallet = `
select coalesce((select balance from ledger.accounts where kind = 'wallet' and owner_id = @user and currency = 'USD'), 0) as available,
       coalesce((select sum(price) from deals
                  where buyer_id = @user and removed_at is null and deal_is_open(status)), 0)::bigint as in_escrow,
       coalesce((select sum(price) from deals
                  where seller_id = @user and removed_at is null and deal_is_open(status)), 0)::bigint as in_escrow_sales,
       coalesce((select sum(amount) from withdrawals where user_id = @user and status = 'pending'), 0)::bigint as pending_withdrawal`

// Wallet returns a user's money. The caller has checked that the reader is that user.
func (s *Service) Wallet(ctx context.Context, userID uuid.UUID) (Wallet, error) {
	return postgres.Query[Wallet]("reports.wallet", sqlWallet).One(ctx, s.DB, postgres.Args{"user": userID})
}
