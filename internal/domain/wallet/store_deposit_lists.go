package wallet

import (
	"context"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

// depositFilter selects deposits. Zero fields select all.
type depositFilter struct {
	userID *uuid.UUID
	status DepositStatus
	method string
	payer  Payer
	search *depositSearch
	sort   DepositSort
}

const sqlNewestFirst = `created_at desc, id desc`

var sqlDepositOrders = map[DepositSort]string{
	OldestFirst: `created_at, id`, NewestFirst: sqlNewestFirst, LargestFirst: `amount desc, id desc`,
}

// One arm for each thing that a search may mean, each with an index of its own. The filters are
// repeated in each, since the arms are read whole.
const (
	sqlFoundColumns       = `select d.id, d.created_at, d.amount from deposits d`
	sqlFoundByTransaction = sqlFoundColumns + ` where d.transaction_id like @transaction`
	sqlFoundByUsername    = `select d.id, d.created_at, d.amount from users u join deposits d on d.user_id = u.id
 where lower(u.username) like @username`
	sqlFoundByDollars = sqlFoundColumns + ` where d.amount = @dollars`
	sqlFoundByTaka    = sqlFoundColumns + ` where d.converted_amount = @taka`
	sqlFoundNothing   = sqlFoundColumns + ` where false`
)

// from returns the deposits that the filter selects as a table d with id, created_at and amount.
func (f depositFilter) from() string {
	conditions := f.conditions()
	if f.search == nil {
		sql := sqlFoundColumns + ` where true` + conditions
		return `(` + sql + `) d`
	}
	arms := f.search.arms()
	for i := range arms {
		arms[i] += conditions
	}
	return `(` + strings.Join(arms, ` union `) + `) d`
}

const sqlCreditedBefore = `exists (select from deposits c where c.user_id = d.user_id and c.status = 'completed')`

var sqlPayers = map[Payer]string{
	Credited: ` and ` + sqlCreditedBefore, NeverCredited: ` and not ` + sqlCreditedBefore,
	Verified:   ` and exists (select from users p where p.id = d.user_id and p.is_verified)`,
	Unverified: ` and exists (select from users p where p.id = d.user_id and not p.is_verified)`,
}

func (f depositFilter) conditions() string {
	var sql string
	if f.userID != nil {
		sql += ` and d.user_id = @user`
	}
	switch f.status {
	case "":
	case DepositPending:
		sql += ` and d.status = 'pending'` // written out, for the indexes on pending deposits only
	default:
		sql += ` and d.status = @status`
	}
	if f.method != "" {
		sql += ` and d.payment_method = @method`
	}
	return sql + sqlPayers[f.payer]
}

func (s depositSearch) arms() []string {
	var arms []string
	if s.transaction != "" {
		arms = append(arms, sqlFoundByTransaction)
	}
	if s.username != "" {
		arms = append(arms, sqlFoundByUsername)
	}
	if s.dollars > 0 {
		arms = append(arms, sqlFoundByDollars)
	}
	if s.taka > 0 {
		arms = append(arms, sqlFoundByTaka)
	}
	if len(arms) == 0 {
		arms = append(arms, sqlFoundNothing)
	}
	return arms
}

func (f depositFilter) args(page postgres.Page) pgx.NamedArgs {
	args := pgx.NamedArgs{
		"user": f.userID, "status": string(f.status), "method": f.method, "limit": page.Limit, "offset": page.Offset,
	}
	if s := f.search; s != nil {
		args["transaction"], args["username"] = postgres.LikePrefix(s.transaction), postgres.LikePrefix(s.username)
		args["dollars"], args["taka"] = int64(s.dollars), int64(s.taka)
	}
	return args
}

// listDeposits returns a page of the deposits that the filter selects, and what all of them come
// to. The page's ids are selected first, so that nothing else is read of the rows before it.
func listDeposits(ctx context.Context, q postgres.Querier, f depositFilter, page postgres.Page) ([]QueuedDeposit, Totals, error) {
	order, args := sqlDepositOrders[f.sort], f.args(page)
	ids, err := postgres.Values[uuid.UUID](ctx, q, "wallet.find_deposits",
		`select d.id from `+f.from()+` order by `+order+` limit @limit offset @offset`, args)
	if err != nil {
		return nil, Totals{}, err
	}
	list, err := postgres.ManyAs(ctx, q, "wallet.list_deposits", sqlListDeposits, pgx.NamedArgs{"ids": ids}, depositRow.deposit)
	if err != nil {
		return nil, Totals{}, err
	}
	totals, err := postgres.One[Totals](ctx, q, "wallet.total_deposits",
		`select count(*) as count, coalesce(sum(d.amount), 0)::bigint as amount from `+f.from(), args)
	return list, totals, err
}

const sqlListDeposits = sqlSelectDeposit + `
  join unnest(@ids::uuid[]) with ordinality as listed (id, place) on listed.id = r.id
 order by listed.place`

// The index holds only credited deposits, with all that is read of them.
const sqlLastCredited = `select created_at, handled_at from deposits where status = 'completed' order by handled_at desc limit @limit`

// lastCredited returns the times of the deposits that were credited last.
func lastCredited(ctx context.Context, q postgres.Querier, limit int) ([]span, error) {
	return postgres.Many[span](ctx, q, "wallet.last_credited", sqlLastCredited, pgx.NamedArgs{"limit": limit})
}

const sqlFindReported = `
select id from deposits where user_id = @user and transaction_id = @transaction and status <> 'Failed'`

// findReported returns the user's own deposit with a transaction ID, unless it failed.
func findReported(ctx context.Context, q postgres.Querier, userID uuid.UUID, transaction string) (d Deposit, found bool, err error) {
	id, found, err := postgres.Optional(postgres.Value[uuid.UUID](ctx, q, "wallet.find_reported", sqlFindReported,
		pgx.NamedArgs{"user": userID, "transaction": transaction}))
	if err != nil || !found {
		return Deposit{}, false, err
	}
	reported, err := getDeposit(ctx, q, id)
	return reported.Deposit, err == nil, err
}
