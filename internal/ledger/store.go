package ledger

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/postgres"
)

const sqlPost = `
select outcome, shortfall
  from ledger.post(@key, @kind, @at, @actor, @reason, @kinds, @owners, @currencies, @amounts)`

func post(ctx context.Context, tx *postgres.Tx, t Transfer, entries []entry) (outcome string, shortfall int64, err error) {
	kinds := make([]string, len(entries))
	owners := make([]*uuid.UUID, len(entries))
	currencies := make([]string, len(entries))
	amounts := make([]int64, len(entries))
	for i, e := range entries {
		kinds[i] = string(e.account.kind)
		owners[i] = nullUUID(e.account.owner)
		currencies[i] = string(e.account.currency)
		amounts[i] = e.amount
	}
	var reason *string
	if t.Reason != "" {
		reason = &t.Reason
	}
	err = tx.QueryRow(ctx, sqlPost, pgx.NamedArgs{
		"key": t.Key, "kind": t.Kind, "at": t.At, "actor": nullUUID(t.Actor), "reason": reason,
		"kinds": kinds, "owners": owners, "currencies": currencies, "amounts": amounts,
	}).Scan(&outcome, &shortfall)
	return outcome, shortfall, err
}

const sqlBalance = `select ledger.balance(@kind, @owner, @currency)`

func balance(ctx context.Context, q postgres.Querier, a Account) (int64, error) {
	var units int64
	err := q.QueryRow(ctx, sqlBalance, pgx.NamedArgs{
		"kind": string(a.kind), "owner": nullUUID(a.owner), "currency": string(a.currency),
	}).Scan(&units)
	return units, err
}

// ledger.balance would say the same, in several times the time; each payment asks.
const sqlWalletBalance = `
select coalesce((select balance from ledger.accounts where kind = 'wallet' and owner_id = @owner and currency = 'USD'), 0)`

func walletBalance(ctx context.Context, q postgres.Querier, owner uuid.UUID) (int64, error) {
	var units int64
	err := q.QueryRow(ctx, sqlWalletBalance, pgx.NamedArgs{"owner": owner}).Scan(&units)
	return units, err
}

const sqlFold = `select ledger.fold()`

func fold(ctx context.Context, q postgres.Querier) (int64, error) {
	var accounts int64
	err := q.QueryRow(ctx, sqlFold).Scan(&accounts)
	return accounts, err
}

func nullUUID(id uuid.UUID) *uuid.UUID {
	if id == uuid.Nil {
		return nil
	}
	return &id
}
