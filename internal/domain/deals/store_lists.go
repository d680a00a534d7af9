package deals

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

const (
	sqlNewestFirst = ` order by d.created_at desc, d.id desc`
	sqlQueued      = ` order by least(d.escalated_at, d.suspended_at), d.id`
	sqlPage        = ` limit @limit offset @offset`
)

const sqlOfUser = `
   and d.id in (
     select id from deals where buyer_id = @user and removed_at is null
     union all
     select id from deals where seller_id = @user and removed_at is null)`

func listDeals(
	ctx context.Context, q postgres.Querier, userID uuid.UUID, statuses []Status, page postgres.Page, now time.Time,
) ([]Deal, int, error) {
	args := pgx.NamedArgs{"user": userID}
	return listWhere(ctx, q, "deals.list_of_user", sqlOfUser+whereStatus(statuses, now, args), sqlNewestFirst, args, page, now)
}

// whereStatus returns a condition for deals that are in one of the statuses now, "" if there are
// none.
func whereStatus(statuses []Status, now time.Time, args pgx.NamedArgs) string {
	if len(statuses) == 0 {
		return ""
	}
	args["statuses"], args["now"] = statuses, now
	return ` and ` + sqlStatusNow + ` = any(@statuses::text[])`
}

const sqlBetween = `
   and ((d.buyer_id = @one and d.seller_id = @other) or (d.buyer_id = @other and d.seller_id = @one))`

func listBetween(
	ctx context.Context, q postgres.Querier, one, other uuid.UUID, statuses []Status, page postgres.Page, now time.Time,
) ([]Deal, int, error) {
	args := pgx.NamedArgs{"one": one, "other": other}
	return listWhere(ctx, q, "deals.list_between", sqlBetween+whereStatus(statuses, now, args), sqlNewestFirst, args, page, now)
}

func listAll(ctx context.Context, q postgres.Querier, f Filter, page postgres.Page, now time.Time) ([]Deal, int, error) {
	where, order := "", sqlNewestFirst
	switch f.Status {
	case "":
	case Active: // not past its due date, even if not stored as Late yet
		where += ` and d.status = 'Active' and d.due_at >= @now`
	case Late:
		where += ` and (d.status = 'Late' or d.status = 'Active' and d.due_at < @now)`
	case Pending, Delivered, Completed, Cancelled, CancelledByBuyer, CancelledBySeller:
		where += ` and d.status = @status`
	}
	if f.DealID != nil {
		where += ` and d.id = @deal`
	}
	if f.Escalated {
		where, order = where+` and (d.escalated_at is not null or d.suspended_at is not null)`, sqlQueued
	}
	args := pgx.NamedArgs{"status": string(f.Status), "deal": f.DealID, "now": now}
	return listWhere(ctx, q, "deals.list_all", where, order, args, page, now)
}

// listWhere returns a page of the deals that match a condition on d, with shortened descriptions,
// and their total number.
func listWhere(
	ctx context.Context, q postgres.Querier, name, where, order string, args pgx.NamedArgs, page postgres.Page, now time.Time,
) ([]Deal, int, error) {
	total, err := postgres.Value[int](ctx, q, name+"_count", `select count(*) from deals d`+sqlNotRemoved+where, args)
	if err != nil {
		return nil, 0, err
	}
	args["limit"], args["offset"], args["letters"] = page.Limit, page.Offset, catalog.InList+1
	list, err := postgres.ManyAs(ctx, q, name, sqlListSelect+where+order+sqlPage, args, func(r row) Deal {
		d := r.deal(now)
		d.Description = catalog.Shorten(r.Description, catalog.InList)
		return d
	})
	return list, total, err
}

// Open deals are never removed; the removed_at condition lets the planner use the partial indexes
// on buyer_id and seller_id.
const sqlOpenTotals = `
select count(*), coalesce(sum(price), 0)::bigint from deals
 where (buyer_id = @user or seller_id = @user) and removed_at is null and deal_is_open(status)`

func openTotals(ctx context.Context, q postgres.Querier, userID uuid.UUID) (count int, total money.Cents, err error) {
	err = postgres.Scan(ctx, q, "deals.open_totals", sqlOpenTotals, pgx.NamedArgs{"user": userID}, &count, &total)
	return count, total, err
}
