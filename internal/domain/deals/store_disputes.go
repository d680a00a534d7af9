package deals

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/user"
	"amanat/internal/app/worklist"
	"amanat/internal/lib/postgres"
)

// Disputes, their offers and their decisions change under the lock of the deal only.

type disputeRow struct {
	Dispute
	DealID uuid.UUID
}

// dispute returns the dispute, of whose deal it has only the ID.
func (r disputeRow) dispute() Dispute {
	r.Deal.ID = r.DealID
	return r.Dispute
}

// The last decision is the final one, if there is one.
var sqlSelectDispute = `
select x.id, x.deal_id, x.opened_by, x.reason, x.status, x.created_at, x.answer_due_at, x.answered_at,
       ` + worklist.Column("true") + `, x.appealed_by, x.appealed_at, x.carry_out_at, x.ended_at,
       case when c.id is not null then
         row(c.id, c.final, ` + user.SQLRef("u") + `, row(c.buyer_gets, c.seller_gets, c.fee), c.reason, c.decided_at, c.due_at,
             c.buyer_accepted_at, c.seller_accepted_at, c.carried_out_at) end as decision
  from disputes x` + worklist.Join + `
  left join dispute_decisions c on c.dispute_id = x.id
    and (c.final or not exists (select from dispute_decisions f where f.dispute_id = x.id and f.final))
  left join users u on u.id = c.decided_by`

func getDispute(ctx context.Context, q postgres.Querier, id uuid.UUID) (Dispute, error) {
	x, err := postgres.QueryAs("deals.get_dispute", sqlSelectDispute+` where x.id = @id`, disputeRow.dispute).One(ctx, q,
		postgres.Args{"id": id})
	return x, postgres.IfNoRows(err, errNoDispute())
}

const sqlFoundDispute = `
   and exists (select from deals d
                where d.id = x.deal_id
                  and (d.description ilike @words
                       or exists (select from users p where p.id in (d.buyer_id, d.seller_id) and lower(p.username) like @username)))`

func listDisputes(ctx context.Context, q postgres.Querier, query DisputeQuery, page postgres.Page) ([]Dispute, int, error) {
	where, order := ` where true`, ` order by x.created_at desc, x.id desc`
	if query.Status != "" {
		where += ` and x.status = @status`
	}
	if query.Status == DisputeOpen || query.Status == DisputeAppealed { // they wait for an admin
		order = ` order by x.created_at, x.id`
	}
	args := postgres.Args{"status": string(query.Status)}
	if text := strings.TrimSpace(query.Search); text != "" {
		where += sqlFoundDispute
		args["username"], args["words"] = postgres.LikePrefix(strings.ToLower(text)), "%"+postgres.LikePrefix(text)
	}
	total, err := postgres.Query[int]("deals.count_disputes", `select count(*) from disputes x`+where).One(ctx, q, args)
	if err != nil {
		return nil, 0, err
	}
	args["limit"], args["offset"] = page.Limit, page.Offset
	list, err := postgres.QueryAs("deals.list_disputes", sqlSelectDispute+where+order+sqlPage, disputeRow.dispute).Many(ctx, q, args)
	return list, total, err
}

// findDealOfDispute returns the deal of a dispute, which never changes. Code NotFound.
func findDealOfDispute(ctx context.Context, q postgres.Querier, id uuid.UUID) (uuid.UUID, error) {
	deal, err := postgres.Query[uuid.UUID]("deals.find_deal_of_dispute", `select deal_id from disputes where id = @id`).One(ctx, q,
		postgres.Args{"id": id})
	return deal, postgres.IfNoRows(err, errNoDispute())
}

const sqlFindDisputeOf = `
select x.id from disputes x
 where x.deal_id = @deal and (exists (select from dispute_offers o where o.dispute_id = x.id and o.id = @of)
                           or exists (select from dispute_decisions c where c.dispute_id = x.id and c.id = @of))`

// findDisputeOf returns the dispute of a deal that has an offer or a decision. Code NotFound.
func findDisputeOf(ctx context.Context, q postgres.Querier, deal, of uuid.UUID) (uuid.UUID, error) {
	id, err := postgres.Query[uuid.UUID]("deals.find_dispute_of", sqlFindDisputeOf).One(ctx, q, postgres.Args{"deal": deal, "of": of})
	return id, postgres.IfNoRows(err, errNoOffer())
}

// disputeOf reads a deal's latest dispute.
var disputeOf = postgres.Query[DisputeRef]("deals.dispute_of",
	`select id, status from disputes where deal_id = @deal order by created_at desc, id desc limit 1`)

// What the dispute (x) of a deal (d) waits for from each party. Nothing can be done about the
// decision of an appeal. These are scalar subqueries, which are read by index for each deal: for an
// EXISTS, the planner may read and hash the whole table.
const (
	sqlBuyerTurn  = sqlTurnOf + `buyer_accepted_at` + sqlTurnOffer + `d.seller_id` + sqlTurnAnswer + `d.buyer_id` + sqlTurnEnd
	sqlSellerTurn = sqlTurnOf + `seller_accepted_at` + sqlTurnOffer + `d.buyer_id` + sqlTurnAnswer + `d.seller_id` + sqlTurnEnd

	sqlTurnOf = `
  case when x.id is null or x.status = 'decided' and x.appealed_at is not null then null
       when x.status = 'decided' and (select true from dispute_decisions c where c.dispute_id = x.id and not c.final and c.`
	sqlTurnOffer = ` is null) then 'decision'
       when (select true from dispute_offers o where o.dispute_id = x.id and o.status = 'open' and o.made_by = `
	sqlTurnAnswer = `) then 'offer'
       when x.status = 'open' and x.answered_at is null and x.opened_by <> `
	sqlTurnEnd = ` then 'answer' end`
)

const sqlInsertDispute = `
insert into disputes (id, deal_id, opened_by, reason, freezes, created_at, answer_due_at)
values (@id, @deal, @user, @reason, @freezes, @now, @due)`

func insertDispute(ctx context.Context, tx *postgres.Tx, x Dispute, freezes bool) error {
	return postgres.Command("deals.insert_dispute", sqlInsertDispute).Run(ctx, tx, postgres.Args{
		"id": x.ID, "deal": x.Deal.ID, "user": x.OpenedBy, "reason": x.Reason, "freezes": freezes, "now": x.CreatedAt,
		"due": x.AnswerDueAt,
	})
}

// countDisputes counts the disputes that the user has opened on the deal.
var countDisputes = postgres.Query[int]("deals.count_disputes_by",
	`select count(*) from disputes where deal_id = @deal and opened_by = @user`)

var setAnswered = postgres.Command("deals.set_answered", `update disputes set answered_at = @now where id = @id and answered_at is null`)

// setDisputeReminded returns false if the dispute needs no reminder any more.
var setDisputeReminded = postgres.Command("deals.set_dispute_reminded",
	`update disputes set reminded_at = @now where id = @id and status = 'open' and answered_at is null and reminded_at is null`)

const sqlInsertDecision = `
insert into dispute_decisions (id, dispute_id, final, decided_by, buyer_gets, seller_gets, fee, reason, decided_at, due_at)
values (@id, @dispute, @final, @admin, @buyer, @seller, @fee, @reason, @now, @due)`

func insertDecision(ctx context.Context, tx *postgres.Tx, dispute, admin uuid.UUID, d Decision) error {
	return postgres.Command("deals.insert_decision", sqlInsertDecision).Run(ctx, tx, postgres.Args{
		"id": d.ID, "dispute": dispute, "final": d.Final, "admin": admin, "buyer": int64(d.BuyerGets), "seller": int64(d.SellerGets),
		"fee": int64(d.Fee), "reason": d.Reason, "now": d.DecidedAt, "due": d.DueAt,
	})
}

// setDisputeDecided records that the last decision is to be carried out at due.
var setDisputeDecided = postgres.Command("deals.set_dispute_decided",
	`update disputes set status = 'decided', carry_out_at = @due, claimed_by = null, claimed_until = null where id = @id`)

// setPutOff puts off the last decision of a dispute.
func setPutOff(ctx context.Context, tx *postgres.Tx, x Dispute, until time.Time) error {
	args := postgres.Args{"id": x.ID, "decision": x.Decision.ID, "until": until}
	err := postgres.Command("deals.put_off_dispute", `update disputes set carry_out_at = @until where id = @id`).One(ctx, tx, args)
	if err != nil {
		return err
	}
	return postgres.Command("deals.put_off_decision", `update dispute_decisions set due_at = @until where id = @decision`).One(ctx, tx, args)
}

var setDisputeAppealed = postgres.Command("deals.set_dispute_appealed",
	`update disputes set status = 'appealed', appealed_by = @user, appealed_at = @now, carry_out_at = null where id = @id`)

// setDecisionAccepted records that the buyer, or otherwise the seller, has accepted a decision.
var setDecisionAccepted = postgres.Command("deals.set_decision_accepted", `
		update dispute_decisions
		   set buyer_accepted_at = case when @buyer then @now else buyer_accepted_at end,
		       seller_accepted_at = case when @buyer then seller_accepted_at else @now end
		 where id = @id`)

var setCarriedOut = postgres.Command("deals.set_carried_out", `update dispute_decisions set carried_out_at = @now where id = @id`)

const sqlWithdrawOffers = `update dispute_offers set status = 'withdrawn' where dispute_id = @id and status = 'open'`

// queueEndDispute ends a dispute that has not ended and withdraws its open offers.
func queueEndDispute(tx *postgres.Tx, id uuid.UUID, as DisputeStatus, now time.Time) {
	postgres.Command("deals.end_dispute",
		`update disputes set status = @status, ended_at = @now, carry_out_at = null where id = @id and ended_at is null`).QueueOne(tx,
		postgres.Args{"id": id, "status": string(as), "now": now})
	postgres.Command("deals.withdraw_offers", sqlWithdrawOffers).Queue(tx, postgres.Args{"id": id})
}

const sqlUnanswered = `
select id from disputes
 where status = 'open' and answered_at is null and reminded_at is null and answer_due_at <= @soon and id > @after
 order by id limit @limit`

func listUnanswered(ctx context.Context, q postgres.Querier, now time.Time, after uuid.UUID) ([]uuid.UUID, error) {
	return listIDs(ctx, q, "deals.list_unanswered", sqlUnanswered, postgres.Args{"soon": now.Add(disputeRemindBefore), "after": after})
}

const sqlDecisionsDue = `
select x.id from disputes x
 where x.carry_out_at <= @now and x.id > @after
   and not exists (select 1 from operations o where o.subject = 'deal:' || x.deal_id and o.status = 'pending')
 order by x.id limit @limit`

func listDecisionsDue(ctx context.Context, q postgres.Querier, now time.Time, after uuid.UUID) ([]uuid.UUID, error) {
	return listIDs(ctx, q, "deals.list_decisions_due", sqlDecisionsDue, postgres.Args{"now": now, "after": after})
}

const sqlInsertEntry = `
insert into dispute_entries (id, dispute_id, author_id, kind, text, links, offer_id, decision_id, at)
values (@id, @dispute, @author, @kind, @text, @links, @offer, @decision, @now)`

func queueEntry(tx *postgres.Tx, dispute uuid.UUID, e entry, now time.Time) (uuid.UUID, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return uuid.UUID{}, err
	}
	links := e.said.Links
	if links == nil {
		links = []string{}
	}
	postgres.Command("deals.insert_entry", sqlInsertEntry).Queue(tx, postgres.Args{
		"id": id, "dispute": dispute, "author": e.author, "kind": string(e.kind), "text": e.said.Text, "links": links,
		"offer": e.offer, "decision": e.decision, "now": now,
	})
	return id, nil
}

// Requests for support that were open when the dispute was opened come first, as messages.
var listEntries = postgres.Query[DisputeEntry]("deals.list_entries", `
select e.id, e.at, `+user.SQLRefOrNull("u")+` as author, e.kind, e.text, e.links, e.offer_id
  from (select t.id, t.at, t.author_id, t.kind, coalesce(c.reason, t.text) as text, t.links, t.offer_id
          from dispute_entries t left join dispute_decisions c on c.id = t.decision_id and t.kind = 'decision'
         where t.dispute_id = @dispute
        union all
        select id, created_at, user_id, 'message', issue_description, '{}', null
          from support_requests
         where deal_id = @deal and created_at <= @opened and (closed_at is null or closed_at > @opened)) e
  left join users u on u.id = e.author_id
 order by e.at, e.id`)

var listEntryPictures = postgres.Query[shownPicture]("deals.list_entry_pictures", `
select p.entry_id as shown_by, i.id, i.width, i.height
  from deal_pictures p join images i on i.id = p.image_id
 where p.deal_id = @deal and p.entry_id is not null and i.released_at is null
 order by p.entry_id, p.place`)

const (
	sqlReplaceOffer = `
update dispute_offers set status = 'replaced' where dispute_id = @dispute and made_by = @user and status = 'open'`
	sqlInsertOffer = `
insert into dispute_offers (id, dispute_id, made_by, buyer_gets, seller_gets, fee, created_at)
values (@id, @dispute, @user, @buyer, @seller, @fee, @now)`
)

// queueInsertOffer stores an offer, which replaces the open one of the same party.
func queueInsertOffer(tx *postgres.Tx, dispute uuid.UUID, o Offer) {
	postgres.Command("deals.replace_offer", sqlReplaceOffer).Queue(tx, postgres.Args{"dispute": dispute, "user": o.MadeBy})
	postgres.Command("deals.insert_offer", sqlInsertOffer).QueueOne(tx, postgres.Args{
		"id": o.ID, "dispute": dispute, "user": o.MadeBy, "buyer": int64(o.BuyerGets), "seller": int64(o.SellerGets), "fee": int64(o.Fee),
		"now": o.CreatedAt,
	})
}

var setOffer = postgres.Command("deals.set_offer", `update dispute_offers set status = @status where id = @id and status = 'open'`)

const sqlOffers = `
select id, made_by, buyer_gets, seller_gets, fee, status, created_at from dispute_offers where dispute_id = @dispute`

// getOffer returns an offer of a dispute. Code NotFound.
func getOffer(ctx context.Context, q postgres.Querier, dispute, id uuid.UUID) (Offer, error) {
	o, err := postgres.Query[Offer]("deals.get_offer", sqlOffers+` and id = @id`).One(ctx, q, postgres.Args{"dispute": dispute, "id": id})
	return o, postgres.IfNoRows(err, errNoOffer())
}

var listOffers = postgres.Query[Offer]("deals.list_offers", sqlOffers+` order by created_at, id`)
