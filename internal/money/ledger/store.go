package ledger

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

var post = postgres.Query[outcomeRow]("ledger.post", `
select outcome, shortfall
  from ledger.post(@key, @kind, @at, @actor, @reason, @kinds, @owners, @currencies, @amounts)`)

// outcomeRow is the result of a posting.
type outcomeRow struct {
	Outcome   string
	Shortfall int64
}

func postArgs(t Transfer, entries []entry) postgres.Args {
	columns := newColumns(len(entries))
	for _, e := range entries {
		columns.add(0, e)
	}
	return postgres.Args{
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
	postgres.Command("ledger.post_many", sqlPostMany).Queue(tx, postgres.Args{
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
	return postgres.Query[int64]("ledger.balance", sqlBalance).One(ctx, q, postgres.Args{
		"kind": string(a.kind), "owner": a.owner, "currency": string(a.currency),
	})
}

// Returns the same as ledger.balance in a fraction of the time; every payment runs it.
var walletBalance = postgres.Query[money.Cents]("ledger.wallet_balance", `
select coalesce((select balance from ledger.accounts where kind = 'wallet' and owner_id = @owner and currency = 'USD'), 0)`)

// In the catalog of functions, whatever their arguments are.
var mayPost = postgres.Query[bool]("ledger.may_post", `
select coalesce(bool_or(has_function_privilege(p.oid, 'execute')), false)
  from pg_proc p
 where p.pronamespace = 'ledger'::regnamespace and p.proname in ('post', 'post_many')`)

var fold = postgres.Query[int64]("ledger.fold", `select ledger.fold()`)
