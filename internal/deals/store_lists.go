package deals

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/money"
	"amanat/internal/postgres"
)

const (
	sqlNewestFirst = ` order by d.created_at desc, d.id desc`
	sqlQueued      = ` order by d.escalated_at, d.id`
	sqlPage        = ` limit @limit offset @offset`
)

const sqlOfUser = `
   and d.id in (
     select id from deals where buyer_id = @user and removed_at is null
     union all
     select id from deals where seller_id = @user and removed_at is null)`

func listDeals(ctx context.Context, q postgres.Querier, userID uuid.UUID, page Page, now time.Time) ([]Deal, int, error) {
	return listWhere(ctx, q, sqlOfUser, sqlNewestFirst, pgx.NamedArgs{"user": userID}, page, now)
}

const sqlBetween = `
   and ((d.buyer_id = @one and d.seller_id = @other) or (d.buyer_id = @other and d.seller_id = @one))`

func listBetween(ctx context.Context, q postgres.Querier, one, other uuid.UUID, page Page, now time.Time) ([]Deal, int, error) {
	return listWhere(ctx, q, sqlBetween, sqlNewestFirst, pgx.NamedArgs{"one": one, "other": other}, page, now)
}

func listAll(ctx context.Context, q postgres.Querier, f Filter, page Page, now time.Time) ([]Deal, int, error) {
	where, order := "", sqlNewestFirst
	switch f.Status {
	case "":
	case Active: // late as soon as it is, whether or not the clock has written it down
		where += ` and d.status = 'Active' and d.due_at >= @now`
	case Late:
		where += ` and (d.status = 'Late' or d.status = 'Active' and d.due_at < @now)`
	case Pending, Delivered, Completed, Cancelled, CancelledByBuyer, CancelledBySeller:
		where += ` and d.status = @status`
	}
	if f.DealID != uuid.Nil {
		where += ` and d.id = @deal`
	}
	if f.Escalated {
		where, order = where+` and d.escalated_at is not null`, sqlQueued
	}
	return listWhere(ctx, q, where, order, pgx.NamedArgs{"status": string(f.Status), "deal": f.DealID, "now": now}, page, now)
}

// listWhere reads a page of the deals that a condition on d chooses, and counts them all.
func listWhere(
	ctx context.Context, q postgres.Querier, where, order string, args pgx.NamedArgs, page Page, now time.Time,
) ([]Deal, int, error) {
	var total int
	if err := q.QueryRow(ctx, `select count(*) from deals d where d.removed_at is null`+where, args).Scan(&total); err != nil {
		return nil, 0, err
	}
	args["limit"], args["offset"] = page.Limit, page.Offset
	rows, err := q.Query(ctx, sqlSelect+where+order+sqlPage, args)
	if err != nil {
		return nil, 0, err
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[row])
	if err != nil {
		return nil, 0, err
	}
	list := make([]Deal, len(found))
	for i, r := range found {
		list[i] = r.deal(now)
	}
	return list, total, nil
}

// An open deal is never removed; to say so is to find a user's deals by their indexes, which have no removed ones.
const sqlOpenTotals = `
select count(*), coalesce(sum(price), 0)::bigint from deals
 where (buyer_id = @user or seller_id = @user) and removed_at is null and status in ('Active', 'Late', 'Delivered')`

func openTotals(ctx context.Context, q postgres.Querier, userID uuid.UUID) (count int, total money.Cents, err error) {
	err = q.QueryRow(ctx, sqlOpenTotals, pgx.NamedArgs{"user": userID}).Scan(&count, &total)
	return count, total, err
}
