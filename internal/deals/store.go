package deals

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/money"
	"amanat/internal/party"
	"amanat/internal/postgres"
	"amanat/internal/texts"
)

type row struct {
	ID                    uuid.UUID
	BuyerID               uuid.UUID
	BuyerUsername         string
	BuyerProfilePic       string
	BuyerDisabled         bool
	SellerID              uuid.UUID
	SellerUsername        string
	SellerProfilePic      string
	CreatedBy             uuid.UUID
	Price                 int64
	Fee                   int64
	Description           string
	DeliveryDays          int
	Status                Status
	CreatedAt             time.Time
	DueAt                 time.Time
	ActivatedAt           *time.Time
	Delivered             bool
	DeliveredAt           *time.Time
	CancellationRequested bool
	CancellationDeclined  bool
	ClosedAt              *time.Time
}

func (r row) deal(now time.Time) Deal {
	d := Deal{
		ID:                    r.ID,
		Buyer:                 party.Party{ID: r.BuyerID, Username: r.BuyerUsername, ProfilePic: r.BuyerProfilePic},
		Seller:                party.Party{ID: r.SellerID, Username: r.SellerUsername, ProfilePic: r.SellerProfilePic},
		CreatedBy:             r.CreatedBy,
		Price:                 money.Cents(r.Price),
		Fee:                   money.Cents(r.Fee),
		Description:           r.Description,
		DeliveryDays:          r.DeliveryDays,
		Status:                r.Status,
		CreatedAt:             r.CreatedAt,
		DueAt:                 r.DueAt,
		ActivatedAt:           r.ActivatedAt,
		Delivered:             r.Delivered,
		DeliveredAt:           r.DeliveredAt,
		CancellationRequested: r.CancellationRequested,
		CancellationDeclined:  r.CancellationDeclined,
		ClosedAt:              r.ClosedAt,
	}
	if d.Status == Active && now.After(d.DueAt) {
		d.Status = Late
	}
	return d
}

const sqlSelect = `
select d.id, d.buyer_id, b.username as buyer_username, b.profile_pic as buyer_profile_pic, b.disabled_at is not null as buyer_disabled,
       d.seller_id, s.username as seller_username, s.profile_pic as seller_profile_pic,
       d.created_by, d.price, d.fee, d.description, d.delivery_days, d.status, d.created_at, d.due_at, d.activated_at,
       d.delivered, d.delivered_at, d.cancellation_requested, d.cancellation_declined, d.closed_at
  from deals d
  join users b on b.id = d.buyer_id
  join users s on s.id = d.seller_id
 where d.removed_at is null`

const sqlGet = sqlSelect + ` and d.id = @id`

func getDeal(ctx context.Context, q postgres.Querier, id uuid.UUID, now time.Time) (Deal, error) {
	r, err := oneDeal(ctx, q, sqlGet, id)
	return r.deal(now), err
}

// locked is a deal whose row nobody else can change before the transaction ends.
type locked struct {
	Deal
	BuyerDisabled bool
}

func lockDeal(ctx context.Context, tx *postgres.Tx, id uuid.UUID, now time.Time) (locked, error) {
	r, err := oneDeal(ctx, tx, sqlGet+` for update of d`, id)
	return locked{r.deal(now), r.BuyerDisabled}, err
}

func oneDeal(ctx context.Context, q postgres.Querier, sql string, id uuid.UUID) (row, error) {
	rows, err := q.Query(ctx, sql, pgx.NamedArgs{"id": id})
	if err != nil {
		return row{}, err
	}
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[row])
	if errors.Is(err, pgx.ErrNoRows) {
		return row{}, errNotFound()
	}
	return r, err
}

const sqlList = sqlSelect + `
   and d.id in (
     select id from deals where buyer_id = @user and removed_at is null
     union all
     select id from deals where seller_id = @user and removed_at is null)
 order by d.created_at desc, d.id desc
 limit @limit offset @offset`

const sqlCount = `
select (select count(*) from deals where buyer_id = @user and removed_at is null)
     + (select count(*) from deals where seller_id = @user and removed_at is null)`

func listDeals(ctx context.Context, q postgres.Querier, userID uuid.UUID, page Page, now time.Time) ([]Deal, int, error) {
	args := pgx.NamedArgs{"user": userID, "limit": page.Limit, "offset": page.Offset}
	rows, err := q.Query(ctx, sqlList, args)
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
	var total int
	err = q.QueryRow(ctx, sqlCount, args).Scan(&total)
	return list, total, err
}

// The other party must be there and not disabled.
const sqlInsert = `
insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, created_at, due_at)
select @id, b.id, s.id, @actor, @price, @fee, @description, @days, @now, @due
  from users b, users s
 where b.id = @buyer and b.disabled_at is null and s.id = @seller and s.disabled_at is null`

func insertDeal(ctx context.Context, tx *postgres.Tx, id, actor uuid.UUID, d Draft, now, due time.Time) (bool, error) {
	tag, err := tx.Exec(ctx, sqlInsert, pgx.NamedArgs{
		"id": id, "actor": actor, "buyer": d.BuyerID, "seller": d.SellerID, "price": int64(d.Price), "fee": int64(money.Fee(d.Price)),
		"description": d.Description, "days": d.DeliveryDays, "now": now, "due": due,
	})
	return tag.RowsAffected() == 1, err
}

const sqlSetActive = `
update deals set status = 'Active', activated_at = @now where id = @id and status = 'Pending' and removed_at is null`

func setActive(ctx context.Context, tx *postgres.Tx, id uuid.UUID, now time.Time) error {
	return exactlyOne(ctx, tx, sqlSetActive, id, now)
}

const sqlSetDelivered = `
update deals set status = 'Delivered', delivered = true, delivered_at = @now, first_delivered_at = coalesce(first_delivered_at, @now)
 where id = @id and status in ('Active', 'Late')`

func setDelivered(ctx context.Context, tx *postgres.Tx, id uuid.UUID, now time.Time) error {
	return exactlyOne(ctx, tx, sqlSetDelivered, id, now)
}

const sqlSetRemoved = `update deals set removed_at = @now where id = @id and status = 'Pending' and removed_at is null`

func setRemoved(ctx context.Context, tx *postgres.Tx, id uuid.UUID, now time.Time) error {
	return exactlyOne(ctx, tx, sqlSetRemoved, id, now)
}

const sqlSetCompleted = `
update deals set status = 'Completed', closed_at = @now, cancellation_requested = false
 where id = @id and status in ('Active', 'Late', 'Delivered')`

func setCompleted(ctx context.Context, tx *postgres.Tx, id uuid.UUID, now time.Time) error {
	return exactlyOne(ctx, tx, sqlSetCompleted, id, now)
}

// exactlyOne runs a transition that the caller has checked under the deal's lock: not finding the state it expects is a bug.
func exactlyOne(ctx context.Context, tx *postgres.Tx, sql string, id uuid.UUID, now time.Time) error {
	tag, err := tx.Exec(ctx, sql, pgx.NamedArgs{"id": id, "now": now})
	if err != nil {
		return err
	}
	if tag.RowsAffected() != 1 {
		return fmt.Errorf("deals: %s is not in the state its transition expects", id)
	}
	return nil
}

const sqlInsertEvent = `
insert into deal_events (id, deal_id, kind, actor_id, params, at) values (@id, @deal, @kind, @actor, @params, @now)`

func insertEvent(
	ctx context.Context, tx *postgres.Tx, dealID uuid.UUID, kind texts.Kind, actor uuid.UUID, params texts.Params, now time.Time,
) error {
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	var by *uuid.UUID
	if actor != uuid.Nil {
		by = &actor
	}
	_, err = tx.Exec(ctx, sqlInsertEvent, pgx.NamedArgs{
		"id": id, "deal": dealID, "kind": string(kind), "actor": by, "params": params, "now": now,
	})
	return err
}

type eventRow struct {
	ID              uuid.UUID
	Kind            texts.Kind
	Params          texts.Params
	At              time.Time
	ActorID         *uuid.UUID
	ActorUsername   *string
	ActorProfilePic *string
	Language        string // the reader's
}

func (r eventRow) actor() *party.Party {
	if r.ActorID == nil {
		return nil
	}
	return &party.Party{ID: *r.ActorID, Username: *r.ActorUsername, ProfilePic: *r.ActorProfilePic}
}

const sqlEvents = `
select e.id, e.kind, e.params, e.at, e.actor_id, u.username as actor_username, u.profile_pic as actor_profile_pic,
       (select language from users where id = @reader) as language
  from deal_events e left join users u on u.id = e.actor_id
 where e.deal_id = @deal
 order by e.at, e.id`

func listEvents(ctx context.Context, q postgres.Querier, dealID, reader uuid.UUID) ([]eventRow, error) {
	rows, err := q.Query(ctx, sqlEvents, pgx.NamedArgs{"deal": dealID, "reader": reader})
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByName[eventRow])
}
