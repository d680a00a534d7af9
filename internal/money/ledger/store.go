package ledger

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/app/actor"
	"amanat/internal/lib/postgres"
)

const sqlPost = `
select outcome, shortfall
  from ledger.post(@key, @kind, @at, @actor, @reason, @kinds, @owners, @currencies, @amounts)`

// outcomeRow is the result of a posting.
type outcomeRow struct {
	Outcome   string
	Shortfall int64
}

func post(ctx context.Context, tx *postgres.Tx, t Transfer, entries []entry) (outcomeRow, error) {
	return postgres.One[outcomeRow](ctx, tx, "ledger.post", sqlPost, postArgs(t, entries))
}

func queuePost(tx *postgres.Tx, t Transfer, entries []entry, use func(outcomeRow) error) {
	postgres.QueueMany(tx, "ledger.post", sqlPost, postArgs(t, entries), func(rows []outcomeRow) error { return use(rows[0]) })
}

func postArgs(t Transfer, entries []entry) pgx.NamedArgs {
	columns := newColumns(len(entries))
	for _, e := range entries {
		columns.add(0, e)
	}
	return pgx.NamedArgs{
		"key": t.Key, "kind": t.Kind, "at": t.At, "actor": t.Actor, "reason": postgres.NullText(t.Reason),
		"kinds": columns.kinds, "owners": columns.owners, "currencies": columns.currencies, "amounts": columns.amounts,
	}
}

const sqlPostMany = `
select ledger.post_many(@keys, @transferKinds, @ats, @actors, @reasons, @transfers, @kinds, @owners, @currencies, @amounts)`

// queuePostMany queues the posting of several transfers, all or none.
func queuePostMany(tx *postgres.Tx, postings []posting) {
	n := len(postings)
	keys, kinds, ats := make([]string, n), make([]string, n), make([]time.Time, n)
	actors, reasons := make([]actor.Actor, n), make([]*string, n)
	columns := newColumns(3 * n)
	for i, p := range postings {
		t := p.transfer
		keys[i], kinds[i], ats[i], actors[i], reasons[i] = t.Key, t.Kind, t.At, t.Actor, postgres.NullText(t.Reason)
		for _, e := range p.entries {
			columns.add(i+1, e)
		}
	}
	postgres.QueueExec(tx, "ledger.post_many", sqlPostMany, pgx.NamedArgs{
		"keys": keys, "transferKinds": kinds, "ats": ats, "actors": actors, "reasons": reasons,
		"transfers": columns.transfers, "kinds": columns.kinds, "owners": columns.owners,
		"currencies": columns.currencies, "amounts": columns.amounts,
	})
}

// columns holds entries by column, as the ledger's functions expect them.
type columns struct {
	transfers  []int32
	kinds      []string
	owners     []uuid.NullUUID
	currencies []string
	amounts    []int64
}

func newColumns(n int) *columns {
	return &columns{
		make([]int32, 0, n), make([]string, 0, n), make([]uuid.NullUUID, 0, n), make([]string, 0, n), make([]int64, 0, n),
	}
}

// add adds an entry of a transfer, whose number counts from 1.
func (c *columns) add(transfer int, e entry) {
	c.transfers = append(c.transfers, int32(transfer))
	c.kinds = append(c.kinds, string(e.account.kind))
	c.owners = append(c.owners, e.account.owner)
	c.currencies = append(c.currencies, string(e.account.currency))
	c.amounts = append(c.amounts, e.amount)
}

const sqlBalance = `select ledger.balance(@kind, @owner, @currency)`

func balance(ctx context.Context, q postgres.Querier, a Account) (int64, error) {
	return postgres.Value[int64](ctx, q, "ledger.balance", sqlBalance, pgx.NamedArgs{
		"kind": string(a.kind), "owner": a.owner, "currency": string(a.currency),
	})
}

// Returns the same as ledger.balance in a fraction of the time; every payment runs it.
const sqlWalletBalance = `
select coalesce((select balance from ledger.accounts where kind = 'wallet' and owner_id = @owner and currency = 'USD'), 0) as balance`

func walletBalance(ctx context.Context, q postgres.Querier, owner uuid.UUID) (int64, error) {
	return postgres.Value[int64](ctx, q, "ledger.wallet_balance", sqlWalletBalance, pgx.NamedArgs{"owner": owner})
}

type balanceRow struct {
	Balance int64
}

func queueWalletBalance(q postgres.Queue, owner uuid.UUID, use func(units int64)) {
	postgres.QueueMany(q, "ledger.wallet_balance", sqlWalletBalance, pgx.NamedArgs{"owner": owner}, func(rows []balanceRow) error {
		use(rows[0].Balance)
		return nil
	})
}

// In the catalog of functions, whatever their arguments are.
const sqlMayPost = `
select coalesce(bool_or(has_function_privilege(p.oid, 'execute')), false)
  from pg_proc p
 where p.pronamespace = 'ledger'::regnamespace and p.proname in ('post', 'post_many')`

func mayPost(ctx context.Context, q postgres.Querier) (bool, error) {
	return postgres.Value[bool](ctx, q, "ledger.may_post", sqlMayPost, nil)
}

const sqlFold = `select ledger.fold()`

func fold(ctx context.Context, q postgres.Querier) (int64, error) {
	return postgres.Value[int64](ctx, q, "ledger.fold", sqlFold, nil)
}
