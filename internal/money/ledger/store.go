package ledger

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/platform/postgres"
)

const sqlPost = `
select outcome, shortfall
  from ledger.post(@key, @kind, @at, @actor, @reason, @kinds, @owners, @currencies, @amounts)`

func post(ctx context.Context, tx *postgres.Tx, t Transfer, entries []entry) (outcome string, shortfall int64, err error) {
	kinds := make([]string, len(entries))
	owners := make([]uuid.NullUUID, len(entries))
	currencies := make([]string, len(entries))
	amounts := make([]int64, len(entries))
	for i, e := range entries {
		kinds[i] = string(e.account.kind)
		owners[i] = e.account.owner
		currencies[i] = string(e.account.currency)
		amounts[i] = e.amount
	}
	err = postgres.Scan(ctx, tx, "ledger.post", sqlPost, pgx.NamedArgs{
		"key": t.Key, "kind": t.Kind, "at": t.At, "actor": t.Actor, "reason": postgres.NullText(t.Reason),
		"kinds": kinds, "owners": owners, "currencies": currencies, "amounts": amounts,
	}, &outcome, &shortfall)
	return outcome, shortfall, err
}

const sqlBalance = `select ledger.balance(@kind, @owner, @currency)`

func balance(ctx context.Context, q postgres.Querier, a Account) (int64, error) {
	return postgres.Value[int64](ctx, q, "ledger.balance", sqlBalance, pgx.NamedArgs{
		"kind": string(a.kind), "owner": a.owner, "currency": string(a.currency),
	})
}

// Returns the same as ledger.balance in a fraction of the time; every payment runs it.
const sqlWalletBalance = `
select coalesce((select balance from ledger.accounts where kind = 'wallet' and owner_id = @owner and currency = 'USD'), 0)`

func walletBalance(ctx context.Context, q postgres.Querier, owner uuid.UUID) (int64, error) {
	return postgres.Value[int64](ctx, q, "ledger.wallet_balance", sqlWalletBalance, pgx.NamedArgs{"owner": owner})
}

const sqlFold = `select ledger.fold()`

func fold(ctx context.Context, q postgres.Querier) (int64, error) {
	return postgres.Value[int64](ctx, q, "ledger.fold", sqlFold, nil)
}
