package deals

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/app/images"
	"amanat/internal/app/user"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

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
	postgres.QueueExec(tx, "deals.insert_entry", sqlInsertEntry, pgx.NamedArgs{
		"id": id, "dispute": dispute, "author": e.author, "kind": string(e.kind), "text": e.said.Text, "links": links,
		"offer": e.offer, "decision": e.decision, "now": now,
	})
	return id, nil
}

type entryRow struct {
	ID               uuid.UUID
	At               time.Time
	AuthorID         *uuid.UUID
	AuthorUsername   *string
	AuthorProfilePic *string
	AuthorIsStaff    *bool
	AuthorClosed     *bool
	Kind             EntryKind
	Text             string
	Links            []string
	OfferID          *uuid.UUID
}

func (r entryRow) entry() DisputeEntry {
	e := DisputeEntry{ID: r.ID, At: r.At, Kind: r.Kind, Text: r.Text, Links: r.Links, OfferID: r.OfferID}
	if r.AuthorID != nil {
		e.Author = &user.Ref{
			ID: *r.AuthorID, Username: *r.AuthorUsername, ProfilePic: *r.AuthorProfilePic, IsStaff: *r.AuthorIsStaff, Closed: *r.AuthorClosed,
		}
	}
	return e
}

// Requests for support that were open when the dispute was opened come first, as messages.
const sqlEntries = `
select e.id, e.at, e.author_id, u.username as author_username, u.profile_pic as author_profile_pic, u.is_admin as author_is_staff,
       u.closed_at is not null as author_closed, e.kind, e.text, e.links, e.offer_id
  from (select t.id, t.at, t.author_id, t.kind, coalesce(c.reason, t.text) as text, t.links, t.offer_id
          from dispute_entries t left join dispute_decisions c on c.id = t.decision_id and t.kind = 'decision'
         where t.dispute_id = @dispute
        union all
        select id, created_at, user_id, 'message', issue_description, '{}', null
          from support_requests
         where deal_id = @deal and created_at <= @opened and (closed_at is null or closed_at > @opened)) e
  left join users u on u.id = e.author_id
 order by e.at, e.id`

func queueListEntries(q postgres.Queue, x Dispute, use func(entries []DisputeEntry)) {
	args := pgx.NamedArgs{"dispute": x.ID, "deal": x.Deal.ID, "opened": x.CreatedAt}
	postgres.QueueMany(q, "deals.list_entries", sqlEntries, args, func(rows []entryRow) error {
		entries := make([]DisputeEntry, len(rows))
		for i, r := range rows {
			entries[i] = r.entry()
		}
		use(entries)
		return nil
	})
}

const sqlEntryPictures = `
select p.entry_id as event_id, i.id, i.width, i.height
  from deal_pictures p join images i on i.id = p.image_id
 where p.deal_id = @deal and p.entry_id is not null and i.released_at is null
 order by p.entry_id, p.place`

// queueListEntryPictures queues the reading of the pictures in the disputes of a deal, in their
// order.
func queueListEntryPictures(q postgres.Queue, deal uuid.UUID, use func(entry uuid.UUID, picture images.Attachment)) {
	postgres.QueueMany(q, "deals.list_entry_pictures", sqlEntryPictures, pgx.NamedArgs{"deal": deal}, func(rows []pictureRow) error {
		for _, r := range rows {
			use(r.EventID, images.NewAttachment(r.ID, r.Width, r.Height))
		}
		return nil
	})
}

const (
	sqlReplaceOffer = `
update dispute_offers set status = 'replaced' where dispute_id = @dispute and made_by = @user and status = 'open'`
	sqlInsertOffer = `
insert into dispute_offers (id, dispute_id, made_by, buyer_gets, seller_gets, fee, created_at)
values (@id, @dispute, @user, @buyer, @seller, @fee, @now)`
)

// queueInsertOffer stores an offer, which replaces the open one of the same party.
func queueInsertOffer(tx *postgres.Tx, dispute uuid.UUID, o Offer) {
	postgres.QueueExec(tx, "deals.replace_offer", sqlReplaceOffer, pgx.NamedArgs{"dispute": dispute, "user": o.MadeBy})
	postgres.QueueOne(tx, "deals.insert_offer", sqlInsertOffer, pgx.NamedArgs{
		"id": o.ID, "dispute": dispute, "user": o.MadeBy, "buyer": int64(o.BuyerGets), "seller": int64(o.SellerGets), "fee": int64(o.Fee),
		"now": o.CreatedAt,
	})
}

func queueSetOffer(tx *postgres.Tx, id uuid.UUID, status OfferStatus) {
	postgres.QueueOne(tx, "deals.set_offer", `update dispute_offers set status = @status where id = @id and status = 'open'`,
		pgx.NamedArgs{"id": id, "status": string(status)})
}

type offerRow struct {
	ID         uuid.UUID
	MadeBy     uuid.UUID
	BuyerGets  money.Cents
	SellerGets money.Cents
	Fee        money.Cents
	Status     OfferStatus
	CreatedAt  time.Time
}

func (r offerRow) offer() Offer {
	return Offer{
		ID: r.ID, MadeBy: r.MadeBy, Split: Split{BuyerGets: r.BuyerGets, SellerGets: r.SellerGets, Fee: r.Fee}, Status: r.Status,
		CreatedAt: r.CreatedAt,
	}
}

const sqlOffers = `
select id, made_by, buyer_gets, seller_gets, fee, status, created_at from dispute_offers where dispute_id = @dispute`

// getOffer returns an offer of a dispute. Code NotFound.
func getOffer(ctx context.Context, q postgres.Querier, dispute, id uuid.UUID) (Offer, error) {
	o, err := postgres.OneAs(ctx, q, "deals.get_offer", sqlOffers+` and id = @id`, pgx.NamedArgs{"dispute": dispute, "id": id}, offerRow.offer)
	return o, postgres.IfNoRows(err, errNoOffer())
}

func queueListOffers(q postgres.Queue, dispute uuid.UUID, use func(offers []Offer)) {
	const sql = sqlOffers + ` order by created_at, id`
	postgres.QueueMany(q, "deals.list_offers", sql, pgx.NamedArgs{"dispute": dispute}, func(rows []offerRow) error {
		offers := make([]Offer, len(rows))
		for i, r := range rows {
			offers[i] = r.offer()
		}
		use(offers)
		return nil
	})
}
