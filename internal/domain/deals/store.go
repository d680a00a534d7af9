package deals

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

// The columns of terms in every table that has some, but the description, which lists shorten, and
// the arguments with their values.
const (
	sqlTerms    = `price, delivery_days, inspection_days`
	sqlTermArgs = `@price, @delivery_days, @inspection_days`
)

// with adds the values of the terms to the arguments of a statement.
func (t Terms) with(args postgres.Args) postgres.Args {
	maps.Copy(args, postgres.Args{
		"price": int64(t.Price), "description": t.Description, "delivery_days": t.DeliveryDays, "inspection_days": t.InspectionDays,
	})
	return args
}

// dealRow has the parties and turns in columns of their own: every payment reads deals, and records
// would take a tenth longer.
type dealRow struct {
	Deal
	BuyerID, SellerID                 uuid.UUID
	BuyerUsername, SellerUsername     string
	BuyerProfilePic, SellerProfilePic string
	BuyerIsStaff, SellerIsStaff       bool
	BuyerClosed, SellerClosed         bool
	BuyerTurn, SellerTurn             *DisputeTurn
}

func (r dealRow) deal() Deal {
	d := r.Deal
	d.Buyer = user.Ref{
		ID: r.BuyerID, Username: r.BuyerUsername, ProfilePic: r.BuyerProfilePic, IsStaff: r.BuyerIsStaff, Closed: r.BuyerClosed,
	}
	d.Seller = user.Ref{
		ID: r.SellerID, Username: r.SellerUsername, ProfilePic: r.SellerProfilePic, IsStaff: r.SellerIsStaff, Closed: r.SellerClosed,
	}
	d.DisputeTurns = Turns{Buyer: r.BuyerTurn, Seller: r.SellerTurn}
	return d
}

// at returns a deal as it was read, with the status that it has now and when it arrives.
func (d Deal) at(now time.Time) Deal {
	if d.Status == Active && now.After(d.DueAt) {
		d.Status, d.newlyLate = Late, true
	}
	d.ArrivesBy = d.arrivesBy(now)
	return d
}

const sqlColumns = `
select ` + sqlTerms + `, d.id, d.buyer_id, b.username as buyer_username, b.profile_pic as buyer_profile_pic,
       b.is_admin as buyer_is_staff, b.closed_at is not null as buyer_closed, b.language as buyer_language,
       d.seller_id, s.username as seller_username, s.profile_pic as seller_profile_pic, s.is_admin as seller_is_staff,
       s.closed_at is not null as seller_closed, s.language as seller_language,
       d.created_by, d.fee, d.description_erased, d.terms as terms_version, d.counteroffer_by,
       d.status, d.created_at, d.due_at,
       d.accepted_at, d.activated_at, d.delivered, d.delivered_at, d.first_delivered_at, d.courier, d.tracking_number, d.arrived_at,
       d.reset_at,
       d.cancellation_requested, d.cancellation_asked_at, d.cancellation_declined, d.requests, coalesce(d.next_action, '') as next_action,
       d.next_action_at, d.warned_at, d.frozen_at, d.frozen_for, d.escalated_at, d.closed_at, coalesce(d.close_reason, '') as close_reason,
       d.removed_at, d.refunded_amount as refunded, d.suspended_at,
       b.disabled_at is not null as buyer_disabled, s.disabled_at is not null as seller_disabled,
       b.withdrawals_held_at is not null as buyer_held, b.withdrawals_stopped_at is not null as buyer_stopped,
       exists (select 1 from reviews r where r.deal_id = d.id) as review_given, d.settled_fee, x.id as dispute_id,
       coalesce(x.status <> 'open', false) as ruled, ` + sqlBuyerTurn + ` as buyer_turn, ` + sqlSellerTurn + ` as seller_turn`

const sqlFrom = `
  from deals d
  join users b on b.id = d.buyer_id
  join users s on s.id = d.seller_id
  left join disputes x on x.deal_id = d.id and x.ended_at is null`

// Reads skip deals that were removed unpaid; only those named IncludingRemoved find them.
const (
	sqlSelect     = sqlColumns + `, d.description` + sqlFrom
	sqlNotRemoved = ` where d.removed_at is null`
	sqlListSelect = sqlColumns + `, left(d.description, @letters) as description` + sqlFrom + sqlNotRemoved
)

var readDeal = postgres.QueryAs("deals.get", sqlSelect+sqlNotRemoved+` and d.id = @id`, dealRow.deal)

func getDeal(ctx context.Context, q postgres.Querier, id uuid.UUID, now time.Time) (Deal, error) {
	d, err := readDeal.One(ctx, q, postgres.Args{"id": id})
	return d.at(now), postgres.IfNoRows(err, errNotFound())
}

// queueDeal queues the reading of a deal and passes it to use, unless there is none.
func queueDeal(q postgres.Queue, id uuid.UUID, now time.Time, use func(d Deal)) {
	readDeal.Queue(q, postgres.Args{"id": id}, func(d Deal) { use(d.at(now)) })
}

// A deal is locked in one statement and read in the next: a single statement with joins would see
// the deal as of after the lock wait but the users as of before, and so miss that one was disabled
// meanwhile.
var takeLock = postgres.Command("deals.lock", sqlLock)

const sqlLock = `select id from deals where id = @id for update`

// lockDeal locks a deal until the transaction ends and returns it.
func lockDeal(ctx context.Context, tx *postgres.Tx, id uuid.UUID, now time.Time) (Deal, error) {
	if err := takeLock.Run(ctx, tx, postgres.Args{"id": id}); err != nil {
		return Deal{}, err
	}
	return getDeal(ctx, tx, id, now)
}

// sqlOfOperations are the IDs of the deals that operations are about.
const sqlOfOperations = `any (array(
  select substr(subject, 6)::uuid from operations
   where id = any (@operations) and subject like 'deal:%' and pg_input_is_valid(substr(subject, 6), 'uuid')))`

// The deals of operations are locked in ID order.
const sqlLockOfOperations = `select id from deals where id = ` + sqlOfOperations + ` order by id for update`

var (
	lockOfOperations = postgres.Query[uuid.UUID]("deals.lock_of_operations", sqlLockOfOperations)
	// lockFreeOfOperations leaves out those that another transaction has locked.
	lockFreeOfOperations = postgres.Query[uuid.UUID]("deals.lock_free_of_operations", sqlLockOfOperations+` skip locked`)
	dealsOfOperations    = postgres.QueryAs("deals.get_of_operations", sqlSelect+sqlNotRemoved+` and d.id = `+sqlOfOperations, dealRow.deal)
)

// dealsOf returns those of the deals that exist, in ID order.
func dealsOf(ctx context.Context, q postgres.Querier, ids []uuid.UUID, now time.Time) ([]Deal, error) {
	return postgres.QueryAs("deals.any_of", sqlSelect+sqlNotRemoved+` and d.id = any (@ids) order by d.id`, func(r dealRow) Deal {
		return r.deal().at(now)
	}).Many(ctx, q, postgres.Args{"ids": ids})
}

// lockIncludingRemoved is lockDeal that also finds removed deals.
func lockIncludingRemoved(ctx context.Context, tx *postgres.Tx, id uuid.UUID, now time.Time) (Deal, error) {
	if err := takeLock.Run(ctx, tx, postgres.Args{"id": id}); err != nil {
		return Deal{}, err
	}
	return getIncludingRemoved(ctx, tx, id, now)
}

// getIncludingRemoved is getDeal that also finds removed deals.
func getIncludingRemoved(ctx context.Context, q postgres.Querier, id uuid.UUID, now time.Time) (Deal, error) {
	d, err := postgres.QueryAs("deals.get_even_removed", sqlSelect+` where d.id = @id`, dealRow.deal).One(ctx, q, postgres.Args{"id": id})
	return d.at(now), postgres.IfNoRows(err, errNotFound())
}

// tryLockDeal is lockDeal with SKIP LOCKED; ok is false if the row is locked or gone.
func tryLockDeal(ctx context.Context, tx *postgres.Tx, id uuid.UUID, now time.Time) (d Deal, ok bool, err error) {
	free, err := postgres.Command("deals.try_lock", sqlLock+` skip locked`).Any(ctx, tx, postgres.Args{"id": id})
	if err != nil || !free {
		return Deal{}, false, err
	}
	d, err = getDeal(ctx, tx, id, now)
	if fault.CodeOf(err) == fault.NotFound {
		return Deal{}, false, nil
	}
	return d, err == nil, err
}

// Both users must exist and be enabled. FOR SHARE waits for a transaction that is disabling one of
// them, so that the deals it locks are all there are. They are locked by id, as where one blocks
// the other.
const sqlInsert = `
with parties as materialized (
  select id, disabled_at from users where id in (@buyer, @seller) order by id for share
)
insert into deals (id, buyer_id, seller_id, created_by, ` + sqlTerms + `, description, fee, created_at, due_at,
                   accepted_at, next_action, next_action_at)
select @id, b.id, s.id, @actor, ` + sqlTermArgs + `, @description, @fee, @now, @due,
       case when s.id = @actor then @now::timestamptz end, 'expire', @due
  from parties b, parties s
 where b.id = @buyer and b.disabled_at is null and s.id = @seller and s.disabled_at is null`

func insertDeal(ctx context.Context, tx *postgres.Tx, id, actor uuid.UUID, d Draft, now, due time.Time) (bool, error) {
	return postgres.Command("deals.insert", sqlInsert).Any(ctx, tx, d.with(postgres.Args{
		"id": id, "actor": actor, "buyer": d.BuyerID, "seller": d.SellerID, "fee": int64(money.Fee(d.Price)), "now": now, "due": due,
	}))
}

// blocking says whether one of two users has blocked the other, and the reverse.
type blocking struct{ Mine, Theirs bool }

var findBlocks = postgres.Query[blocking]("deals.find_blocks", `
select exists (select from blocks where blocker_id = @one and blocked_id = @other) as mine,
       exists (select from blocks where blocker_id = @other and blocked_id = @one) as theirs`)

// saveRefunded saves the amount paid back to the buyer, in the transaction of the posting. It is
// for workers: the API's database role lacks the privilege.
var saveRefunded = postgres.Command("deals.save_refunded", `update deals set refunded_amount = @back where id = @id`)

// saveSettled saves how the price was divided, as saveRefunded. @back is null if the buyer got
// nothing.
var saveSettled = postgres.Command("deals.save_settled", `update deals set refunded_amount = @back, settled_fee = @fee where id = @id`)

const sqlInsertEvent = `
insert into deal_events (id, deal_id, kind, actor_id, params, at) values (@id, @deal, @kind, @actor, @params, @now)`

func queueEvent(
	tx *postgres.Tx, dealID uuid.UUID, kind catalog.Kind, actor actor.Actor, params catalog.Params, now time.Time,
) (uuid.UUID, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return uuid.UUID{}, err
	}
	postgres.Command("deals.insert_event", sqlInsertEvent).Queue(tx, postgres.Args{
		"id": id, "deal": dealID, "kind": string(kind), "actor": actor, "params": params, "now": now,
	})
	return id, nil
}

// eventRow is an event of a timeline, for a reader.
type eventRow struct {
	ID       uuid.UUID
	Kind     catalog.Kind
	Params   catalog.Params
	At       time.Time
	Actor    *user.Ref
	Language string // the reader's
}

func (r eventRow) line() Line {
	return Line{
		ID: r.ID, Kind: r.Kind, At: r.At, Actor: r.Actor, Text: catalog.Render(r.Language, r.Kind, r.Params), Note: r.Params[noteParam],
	}
}

var listEvents = postgres.QueryAs("deals.list_events", `
select e.id, e.kind, e.params, e.at, `+user.SQLRefOrNull("u")+` as actor, (select language from users where id = @reader) as language
  from deal_events e left join users u on u.id = e.actor_id
 where e.deal_id = @deal
 order by e.at, e.id`, eventRow.line)

// savedColumn is a column of a deal that transitions change.
type savedColumn struct {
	name, sqlType string
	value         func(d Deal) any
}

// savedColumns are all mutable columns of a deal but its terms and how its price was divided.
var savedColumns = []savedColumn{
	{"status", "text", func(d Deal) any { return d.Status }},
	{"accepted_at", "timestamptz", func(d Deal) any { return d.AcceptedAt }},
	{"activated_at", "timestamptz", func(d Deal) any { return d.ActivatedAt }},
	{"delivered", "boolean", func(d Deal) any { return d.Delivered }},
	{"delivered_at", "timestamptz", func(d Deal) any { return d.DeliveredAt }},
	{"first_delivered_at", "timestamptz", func(d Deal) any { return d.FirstDeliveredAt }},
	{"courier", "text", func(d Deal) any { return d.Courier }},
	{"tracking_number", "text", func(d Deal) any { return d.TrackingNumber }},
	{"arrived_at", "timestamptz", func(d Deal) any { return d.ArrivedAt }},
	{"reset_at", "timestamptz", func(d Deal) any { return d.ResetAt }},
	{"cancellation_requested", "boolean", func(d Deal) any { return d.CancellationRequested }},
	{"cancellation_asked_at", "timestamptz", func(d Deal) any { return d.CancellationAskedAt }},
	{"cancellation_declined", "boolean", func(d Deal) any { return d.CancellationDeclined }},
	{"requests", "integer", func(d Deal) any { return d.Requests }},
	{"next_action", "text", func(d Deal) any { return postgres.NullText(d.NextAction) }},
	{"next_action_at", "timestamptz", func(d Deal) any { return d.NextActionAt }},
	{"warned_at", "timestamptz", func(d Deal) any { return d.WarnedAt }},
	{"frozen_at", "timestamptz", func(d Deal) any { return d.FrozenAt }},
	{"frozen_for", "interval", func(d Deal) any { return d.FrozenFor }},
	{"escalated_at", "timestamptz", func(d Deal) any { return d.EscalatedAt }},
	{"closed_at", "timestamptz", func(d Deal) any { return d.ClosedAt }},
	{"close_reason", "text", func(d Deal) any { return postgres.NullText(d.CloseReason) }},
	{"removed_at", "timestamptz", func(d Deal) any { return d.RemovedAt }},
	{"suspended_at", "timestamptz", func(d Deal) any { return d.SuspendedAt }},
	{"counteroffer_by", "uuid", func(d Deal) any { return d.CounterofferBy }},
}

// A group of operations changes several deals. The checks and indexes of the table make one
// statement for all of them half as expensive as one for each.
var sqlSave, sqlSaveAll = func() (one, all string) {
	var names, parameters, assignments, arrays []string
	for _, c := range savedColumns {
		names = append(names, c.name)
		parameters = append(parameters, c.name+" = @"+c.name)
		assignments = append(assignments, c.name+" = n."+c.name)
		arrays = append(arrays, "@"+c.name+"::"+c.sqlType+"[]")
	}
	one = "update deals set " + strings.Join(parameters, ", ") + " where id = @id"
	all = "update deals d set " + strings.Join(assignments, ", ") +
		" from unnest(@id::uuid[], " + strings.Join(arrays, ", ") + ") as n (id, " + strings.Join(names, ", ") + ") where d.id = n.id"
	return one, all
}()

// unsaved collects the deals that a transaction has changed.
type unsaved struct{ deals []Deal }

// saveBeforeCommit saves the columns that transitions change, in one statement for all deals of the
// transaction. The caller holds the deal's lock. The rest of the transaction does not see the
// change.
func saveBeforeCommit(tx *postgres.Tx, d Deal) {
	u := postgres.Local(tx, func() *unsaved { return &unsaved{} })
	if len(u.deals) == 0 {
		tx.BeforeCommit(func(context.Context) error {
			queueSave(tx, u.deals)
			u.deals = nil
			return nil
		})
	}
	if i := slices.IndexFunc(u.deals, func(other Deal) bool { return other.ID == d.ID }); i >= 0 {
		u.deals[i] = d
		return
	}
	u.deals = append(u.deals, d)
}

func queueSave(tx *postgres.Tx, deals []Deal) {
	name, sql, args := "deals.save", sqlSave, postgres.Args{"id": deals[0].ID}
	for _, c := range savedColumns {
		args[c.name] = c.value(deals[0])
	}
	if len(deals) > 1 {
		name, sql = "deals.save_all", sqlSaveAll
		args["id"] = column(deals, func(d Deal) any { return d.ID })
		for _, c := range savedColumns {
			args[c.name] = column(deals, c.value)
		}
	}
	postgres.Command(name, sql).QueueCount(tx, args, func(n int64) error {
		if n != int64(len(deals)) {
			return fmt.Errorf("saved %d of %d deals", n, len(deals))
		}
		return nil
	})
}

func column(deals []Deal, value func(d Deal) any) []any {
	values := make([]any, len(deals))
	for i, d := range deals {
		values[i] = value(d)
	}
	return values
}

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
	args := postgres.Args{"user": userID}
	return listWhere(ctx, q, "deals.list_of_user", sqlOfUser+whereStatus(statuses, now, args), sqlNewestFirst, args, page, now)
}

// whereStatus returns a condition for deals that are in one of the statuses now, "" if there are
// none.
func whereStatus(statuses []Status, now time.Time, args postgres.Args) string {
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
	args := postgres.Args{"one": one, "other": other}
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
	args := postgres.Args{"status": string(f.Status), "deal": f.DealID, "now": now}
	return listWhere(ctx, q, "deals.list_all", where, order, args, page, now)
}

// listWhere returns a page of the deals that match a condition on d, with shortened descriptions,
// and their total number.
func listWhere(
	ctx context.Context, q postgres.Querier, name, where, order string, args postgres.Args, page postgres.Page, now time.Time,
) ([]Deal, int, error) {
	total, err := postgres.Query[int](name+"_count", `select count(*) from deals d`+sqlNotRemoved+where).One(ctx, q, args)
	if err != nil {
		return nil, 0, err
	}
	args["limit"], args["offset"], args["letters"] = page.Limit, page.Offset, catalog.InList+1
	list, err := postgres.QueryAs(name, sqlListSelect+where+order+sqlPage, func(r dealRow) Deal {
		r.Description = catalog.Shorten(r.Description, catalog.InList)
		return r.deal().at(now)
	}).Many(ctx, q, args)
	return list, total, err
}

// totals are the number of a user's open deals and the sum of their prices.
type totals struct {
	Count int
	Total money.Cents
}

// Open deals are never removed; the removed_at condition lets the planner use the partial indexes
// on buyer_id and seller_id.
var openTotals = postgres.Query[totals]("deals.open_totals", `
select count(*) as count, coalesce(sum(price), 0)::bigint as total from deals
 where (buyer_id = @user or seller_id = @user) and removed_at is null and deal_is_open(status)`)

const sqlLockOffers = `select pg_advisory_xact_lock(hashtextextended(@key, 0))`

// lockOffers serializes the creation of deals by a buyer and between two users. All transactions
// take the buyer's lock first.
func lockOffers(ctx context.Context, tx *postgres.Tx, buyer, seller uuid.UUID) error {
	low, high := buyer, seller
	if bytes.Compare(low[:], high[:]) > 0 {
		low, high = high, low
	}
	for _, key := range []string{"deals.offer:" + buyer.String(), "deals.pair:" + low.String() + ":" + high.String()} {
		if err := postgres.Command("deals.lock_offers", sqlLockOffers).Run(ctx, tx, postgres.Args{"key": key}); err != nil {
			return err
		}
	}
	return nil
}

// unaccepted is the number of open unaccepted deals between two users, in either role, and of all
// those with the buyer.
type unaccepted struct{ OfPair, OfBuyer int }

// A deal that the seller has not accepted was created by its buyer.
var countUnaccepted = postgres.Query[unaccepted]("deals.count_unaccepted", `
select (select count(*) from deals
         where (buyer_id = @buyer and seller_id = @seller or buyer_id = @seller and seller_id = @buyer)
           and accepted_at is null and removed_at is null and closed_at is null) as of_pair,
       (select count(*) from deals
         where buyer_id = @buyer and accepted_at is null and removed_at is null and closed_at is null) as of_buyer`)

// findPending returns the Pending deals of a user.
var findPending = postgres.Query[uuid.UUID]("deals.find_pending", `
select id from deals where (buyer_id = @user or seller_id = @user) and status = 'Pending' and removed_at is null order by id`)

// The status now: an Active deal is late from its due date on, even if not stored as Late yet.
const sqlStatusNow = `case when d.status = 'Active' and d.due_at < @now then 'Late' else d.status end`

const sqlCountByStatus = `
select ` + sqlStatusNow + ` as status, count(*) as deals
  from deals d
 where (d.buyer_id = @user or d.seller_id = @user) and d.removed_at is null
 group by 1`

func countByStatus(ctx context.Context, q postgres.Querier, userID uuid.UUID, now time.Time) (map[Status]int, error) {
	type line struct {
		Status Status
		Deals  int
	}
	lines, err := postgres.Query[line]("deals.count_by_status", sqlCountByStatus).Many(ctx, q, postgres.Args{"user": userID, "now": now})
	count := map[Status]int{}
	for _, l := range lines {
		count[l.Status] = l.Deals
	}
	return count, err
}

// monthLayout formats a month as to_char does in sqlCompletedByMonth.
const monthLayout = "2006-01"

const sqlCompletedByMonth = `
select to_char(d.closed_at at time zone interval '6 hours', 'YYYY-MM') as month,
       sum(d.price - coalesce(d.refunded_amount, 0))::bigint as price
  from deals d
 where (d.buyer_id = @user or d.seller_id = @user) and d.removed_at is null and d.status = 'Completed' and d.closed_at >= @from
 group by 1`

// completedByMonth returns what was paid in the deals completed since a time, keyed by month in
// Dhaka: their prices, less what disputes gave back.
func completedByMonth(ctx context.Context, q postgres.Querier, userID uuid.UUID, from time.Time) (map[string]money.Cents, error) {
	type line struct {
		Month string
		Price int64
	}
	lines, err := postgres.Query[line]("deals.completed_by_month", sqlCompletedByMonth).Many(ctx, q,
		postgres.Args{"user": userID, "from": from})
	sums := map[string]money.Cents{}
	for _, l := range lines {
		sums[l.Month] = money.Cents(l.Price)
	}
	return sums, err
}
