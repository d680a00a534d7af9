package deals

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

// The sweep's queries page by ID, so that a deal that cannot be changed now does not hold up the
// rest. They skip deals with a pending operation, which would fail.
const (
	sqlNotBusy = `
   and not exists (select 1 from operations o where o.subject = 'deal:' || deals.id and o.status = 'pending')`
	sqlBatch = sqlNotBusy + `
   and id > @after
 order by id limit @limit`
)

const sqlNewlyLate = `
select id from deals where status = 'Active' and due_at < @now` + sqlBatch

func listNewlyLate(ctx context.Context, q postgres.Querier, now time.Time, after uuid.UUID) ([]uuid.UUID, error) {
	return listIDs(ctx, q, "deals.list_turning_late", sqlNewlyLate, postgres.Args{"now": now, "after": after})
}

// Actions that move money are warned of even after their time: they wait for a day after the
// warning.
const sqlToWarn = `
select id from deals
 where next_action is not null and frozen_at is null and removed_at is null and next_action_at <= @soon
   and (warned_at is null and next_action_at > @now
     or next_action = any (@money) and (warned_at is null or next_action_at < warned_at + @notice::interval))` + sqlBatch

func listToWarn(ctx context.Context, q postgres.Querier, now time.Time, after uuid.UUID) ([]uuid.UUID, error) {
	return listIDs(ctx, q, "deals.list_to_warn", sqlToWarn, postgres.Args{
		"now": now, "soon": now.Add(warnBefore), "money": moneyActions, "notice": warnBefore, "after": after,
	})
}

// A reminder belongs to the warning before it: a change of the plan, which clears the warning,
// brings both again.
const sqlReminded = ` and warned_at is not null and (reminded_at is null or reminded_at < warned_at)`

const sqlToRemind = `
select id from deals
 where next_action is not null and frozen_at is null and removed_at is null and next_action_at > @now and next_action_at <= @soon
   and warned_at <= @warned` + sqlReminded + sqlBatch

func listToRemind(ctx context.Context, q postgres.Querier, now time.Time, after uuid.UUID) ([]uuid.UUID, error) {
	return listIDs(ctx, q, "deals.list_to_remind", sqlToRemind, postgres.Args{
		"now": now, "soon": now.Add(remindBefore), "warned": now.Add(-remindAfter), "after": after,
	})
}

// setReminded returns false if the parties have been reminded since the last warning, or not been
// warned.
var setReminded = postgres.Command("deals.set_reminded", `update deals set reminded_at = @now where id = @id`+sqlReminded)

const sqlDue = `
select id from deals
 where next_action is not null and frozen_at is null and removed_at is null and next_action_at <= @now` + sqlBatch

func listDue(ctx context.Context, q postgres.Querier, now time.Time, after uuid.UUID) ([]uuid.UUID, error) {
	return listIDs(ctx, q, "deals.list_due", sqlDue, postgres.Args{"now": now, "after": after})
}

func listIDs(ctx context.Context, q postgres.Querier, name, sql string, args postgres.Args) ([]uuid.UUID, error) {
	args["limit"] = clockBatch
	return postgres.Query[uuid.UUID](name, sql).Many(ctx, q, args)
}

// nextStop returns the next time at which an action, a warning or a reminder is due; nil for none.
var nextStop = postgres.Query[*time.Time]("deals.next_stop", `
select min(at) from (
  select due_at as at from deals where status = 'Active' and due_at > @now
  union all
  select next_action_at from deals
   where next_action is not null and frozen_at is null and removed_at is null and next_action_at > @now
  union all
  select next_action_at - @notice::interval from deals
   where next_action is not null and frozen_at is null and removed_at is null and warned_at is null
     and next_action_at - @notice::interval > @now
  union all
  select answer_due_at - @remind::interval from disputes
   where status = 'open' and answered_at is null and reminded_at is null and answer_due_at - @remind::interval > @now
  union all
  select carry_out_at from disputes where carry_out_at > @now
  union all
  select next_action_at - @last::interval from deals
   where next_action is not null and frozen_at is null and removed_at is null
     and next_action_at - @last::interval > @now`+sqlReminded+`) stops`)

// setLate returns false if the deal is no longer stored as Active.
var setLate = postgres.Command("deals.set_late", `update deals set status = 'Late' where id = @id and status = 'Active'`)

const sqlSetWarned = `update deals set warned_at = @warned, next_action_at = @at where id = @id`

func setWarned(ctx context.Context, tx *postgres.Tx, d Deal) error {
	return postgres.Command("deals.set_warned", sqlSetWarned).One(ctx, tx,
		postgres.Args{"id": d.ID, "warned": d.WarnedAt, "at": d.NextActionAt})
}

// Unpaid deals are locked too: their payments must see the user's row as this transaction leaves
// it.
const sqlLockOfUser = `
select id from deals
 where (buyer_id = @user or seller_id = @user) and removed_at is null and (status = 'Pending' or deal_is_open(status))
 order by id for update`

// lockOfUser locks a user's unfinished deals in ID order and returns them as of then.
func lockOfUser(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, now time.Time) ([]Deal, error) {
	ids, err := postgres.Query[uuid.UUID]("deals.lock_of_user", sqlLockOfUser).Many(ctx, tx, postgres.Args{"user": userID})
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	return dealsOf(ctx, tx, ids, now)
}

var setSuspended = postgres.Command("deals.set_suspended",
	`update deals set suspended_at = @now, frozen_at = coalesce(frozen_at, @now) where id = @id`)

var setResumed = postgres.Command("deals.set_resumed", `update deals set suspended_at = null where id = @id`)

// Disabled users with an open deal that is not suspended, and the buyer of each suspended deal with
// neither party disabled.
const sqlSuspensionDrift = `
select u.id from users u
 where u.disabled_at is not null and u.erased_at is null and u.id > @after
   and (exists (select 1 from deals where buyer_id = u.id and removed_at is null and suspended_at is null
                                      and deal_is_open(status))
     or exists (select 1 from deals where seller_id = u.id and removed_at is null and suspended_at is null
                                      and deal_is_open(status)))
 union
select d.buyer_id from deals d
 where d.suspended_at is not null and d.buyer_id > @after
   and not exists (select 1 from users u where u.id in (d.buyer_id, d.seller_id) and u.disabled_at is not null)
 order by 1 limit @limit`

func listSuspensionDrift(ctx context.Context, q postgres.Querier, _ time.Time, after uuid.UUID) ([]uuid.UUID, error) {
	return listIDs(ctx, q, "deals.list_suspension_drift", sqlSuspensionDrift, postgres.Args{"after": after})
}

const sqlInsertSupport = `
insert into support_requests (id, deal_id, user_id, issue_description, freezes, created_at)
values (@id, @deal, @user, @issue, @freezes, @now)`

func insertSupport(
	ctx context.Context, tx *postgres.Tx, id, dealID, userID uuid.UUID, issue string, freezes bool, now time.Time,
) error {
	return postgres.Command("deals.insert_support", sqlInsertSupport).Run(ctx, tx,
		postgres.Args{"id": id, "deal": dealID, "user": userID, "issue": issue, "freezes": freezes, "now": now})
}

func (r SupportRequest) shortened() SupportRequest {
	r.DealDescription = catalog.Shorten(r.DealDescription, catalog.InList)
	return r
}

var sqlSelectSupport = `
select r.id, r.deal_id, left(d.description, @letters) as deal_description, ` + user.SQLRef("u") + ` as user, r.issue_description as issue,
       r.created_at, r.closed_at, ` + user.SQLRefOrNull("c") + ` as closed_by, r.answer
  from support_requests r join deals d on d.id = r.deal_id join users u on u.id = r.user_id left join users c on c.id = r.closed_by`

func getSupport(ctx context.Context, q postgres.Querier, id uuid.UUID) (SupportRequest, error) {
	r, err := postgres.QueryAs("deals.get_support", sqlSelectSupport+` where r.id = @id`, SupportRequest.shortened).One(ctx, q,
		postgres.Args{"id": id, "letters": catalog.InList + 1})
	return r, postgres.IfNoRows(err, fault.New(fault.NotFound, "support_not_found", "Support request not found."))
}

const sqlFoundSupport = `
   and (r.user_id in (select id from users where lower(username) like @username or lower(email) = @email)
        or @id in (r.id, r.deal_id) or r.issue_description ilike @words)`

const sqlSupportOrder = `
 order by r.closed_at is not null, case when r.closed_at is null then r.created_at end, r.created_at desc, r.id
 limit @limit offset @offset`

func listSupport(ctx context.Context, q postgres.Querier, query SupportQuery, page postgres.Page) ([]SupportRequest, int, error) {
	where := ` where true`
	args := postgres.Args{"limit": page.Limit, "offset": page.Offset, "letters": catalog.InList + 1}
	if query.Open {
		where += ` and r.closed_at is null`
	}
	if text := strings.TrimSpace(query.Search); text != "" {
		where += sqlFoundSupport
		lower := strings.ToLower(text)
		args["username"], args["email"], args["words"] = postgres.LikePrefix(lower), lower, "%"+postgres.LikePrefix(text)
		args["id"], _ = uuid.Parse(text) // no row has the zero id
	}
	list, err := postgres.QueryAs("deals.list_support", sqlSelectSupport+where+sqlSupportOrder, SupportRequest.shortened).Many(ctx, q, args)
	if err != nil {
		return nil, 0, err
	}
	total, err := postgres.Query[int]("deals.count_support", `select count(*) from support_requests r`+where).One(ctx, q, args)
	return list, total, err
}

// closeSupport returns false if the request was already closed.
var closeSupport = postgres.Command("deals.close_support", `
update support_requests set closed_at = @now, closed_by = @admin, answer = @answer
 where id = @id and closed_at is null`)

// anyFreezing reports whether a support request or a dispute freezes the deal, provided that it is
// open.
//
// A dispute freezes the deal also once it is decided.
var anyFreezing = postgres.Query[bool]("deals.any_freezing", `
select exists (select from support_requests where deal_id = @deal and closed_at is null and freezes)
       or exists (select from disputes where deal_id = @deal and ended_at is null and (freezes or status <> 'open'))`)

// supportFreezing is anyFreezing for the deals of operations, by support requests alone.
var supportFreezing = postgres.Query[uuid.UUID]("deals.list_support_freezing", `
select distinct r.deal_id from support_requests r
 where r.deal_id = `+sqlOfOperations+` and r.closed_at is null and r.freezes`)

// hasFrozen reports whether a support request or a dispute of the user has frozen the deal before.
var hasFrozen = postgres.Query[bool]("deals.has_frozen", `
select exists (select from support_requests r join deals d on d.id = r.deal_id
                where r.deal_id = @deal and r.user_id = @user and r.freezes and r.closed_at >= d.activated_at)
       or exists (select from disputes where deal_id = @deal and opened_by = @user and freezes and ended_at is not null)`)

var setFrozen = postgres.Command("deals.set_frozen", `update deals set frozen_at = @now where id = @id and frozen_at is null`)

const sqlSetThawed = `
update deals set frozen_at = null, frozen_for = @frozenFor, reset_at = @reset, next_action_at = @at, warned_at = null
 where id = @id`

func setThawed(ctx context.Context, tx *postgres.Tx, d Deal) error {
	return postgres.Command("deals.set_thawed", sqlSetThawed).One(ctx, tx,
		postgres.Args{"id": d.ID, "frozenFor": d.FrozenFor, "reset": d.ResetAt, "at": d.NextActionAt})
}

const sqlCounteroffers = `
select id, made_by, ` + sqlTerms + `, description, fee, status, created_at
  from deal_counteroffers
 where deal_id = @deal`

// openCounteroffer reads a deal's open counter-offer.
var openCounteroffer = postgres.Query[Counteroffer]("deals.open_counteroffer", sqlCounteroffers+` and status = 'open'`)

// getCounteroffer returns a counter-offer of a deal. Code NotFound.
func getCounteroffer(ctx context.Context, q postgres.Querier, deal, id uuid.UUID) (Counteroffer, error) {
	o, err := postgres.Query[Counteroffer]("deals.get_counteroffer", sqlCounteroffers+` and id = @id`).One(ctx, q,
		postgres.Args{"deal": deal, "id": id})
	return o, postgres.IfNoRows(err, fault.New(fault.NotFound, "counteroffer_not_found", "Counter-offer not found."))
}

// listCounteroffers returns how many counter-offers a deal has had, and the open one.
func listCounteroffers(ctx context.Context, q postgres.Querier, deal uuid.UUID) (made int, open *Counteroffer, err error) {
	list, err := postgres.Query[Counteroffer]("deals.list_counteroffers", sqlCounteroffers).Many(ctx, q,
		postgres.Args{"deal": deal})
	for i, o := range list {
		if o.Status == CounterofferOpen {
			open = &list[i]
		}
	}
	return len(list), open, err
}

const sqlInsertCounteroffer = `
insert into deal_counteroffers (id, deal_id, made_by, ` + sqlTerms + `, description, fee, created_at)
values (@id, @deal, @user, ` + sqlTermArgs + `, @description, @fee, @now)`

// queueInsertCounteroffer stores a counter-offer, which replaces the open one of the deal.
func queueInsertCounteroffer(tx *postgres.Tx, deal uuid.UUID, o Counteroffer) {
	queueEndCounteroffer(tx, deal, CounterofferReplaced)
	postgres.Command("deals.insert_counteroffer", sqlInsertCounteroffer).QueueOne(tx, o.with(postgres.Args{
		"id": o.ID, "deal": deal, "user": o.MadeBy, "fee": int64(o.Fee), "now": o.CreatedAt,
	}))
}

// queueEndCounteroffer ends the open counter-offer of a deal, if there is one.
func queueEndCounteroffer(tx *postgres.Tx, deal uuid.UUID, status CounterofferStatus) {
	const sql = `update deal_counteroffers set status = @status where deal_id = @deal and status = 'open'`
	postgres.Command("deals.end_counteroffer", sql).Queue(tx, postgres.Args{"deal": deal, "status": string(status)})
}

// applyCounteroffer gives a deal the terms of its open counter-offer. The caller holds the deal's
// lock and has checked that it is Pending.
func applyCounteroffer(ctx context.Context, tx *postgres.Tx, id uuid.UUID, due time.Time) error {
	const sql = `select deal_apply_counteroffer(@id, @due)`
	applied, err := postgres.Query[bool]("deals.apply_counteroffer", sql).One(ctx, tx, postgres.Args{"id": id, "due": due})
	if err == nil && !applied {
		err = fmt.Errorf("counter-offer %s is not open", id)
	}
	return err
}
