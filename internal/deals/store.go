package deals

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/fault"
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
	SellerID              uuid.UUID
	SellerUsername        string
	SellerProfilePic      string
	CreatedBy             uuid.UUID
	Price                 int64
	Fee                   int64
	Description           string
	DeliveryDays          int
	InspectionDays        int
	Status                Status
	CreatedAt             time.Time
	DueAt                 time.Time
	ActivatedAt           *time.Time
	Delivered             bool
	DeliveredAt           *time.Time
	FirstDeliveredAt      *time.Time
	ResetAt               *time.Time
	CancellationRequested bool
	CancellationAskedAt   *time.Time
	CancellationDeclined  bool
	Requests              int
	NextAction            *Action
	NextActionAt          *time.Time
	WarnedAt              *time.Time
	FrozenAt              *time.Time
	FrozenFor             time.Duration
	EscalatedAt           *time.Time
	ClosedAt              *time.Time
	CloseReason           *Reason
	RemovedAt             *time.Time
	ReviewGiven           bool
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
		InspectionDays:        r.InspectionDays,
		Status:                r.Status,
		CreatedAt:             r.CreatedAt,
		DueAt:                 r.DueAt,
		ActivatedAt:           r.ActivatedAt,
		Delivered:             r.Delivered,
		DeliveredAt:           r.DeliveredAt,
		FirstDeliveredAt:      r.FirstDeliveredAt,
		ResetAt:               r.ResetAt,
		CancellationRequested: r.CancellationRequested,
		CancellationAskedAt:   r.CancellationAskedAt,
		CancellationDeclined:  r.CancellationDeclined,
		Requests:              r.Requests,
		NextActionAt:          r.NextActionAt,
		WarnedAt:              r.WarnedAt,
		FrozenAt:              r.FrozenAt,
		FrozenFor:             r.FrozenFor,
		EscalatedAt:           r.EscalatedAt,
		ClosedAt:              r.ClosedAt,
		RemovedAt:             r.RemovedAt,
		ReviewGiven:           r.ReviewGiven,
	}
	if r.NextAction != nil {
		d.NextAction = *r.NextAction
	}
	if r.CloseReason != nil {
		d.CloseReason = *r.CloseReason
	}
	if d.Status == Active && now.After(d.DueAt) {
		d.Status, d.turnedLate = Late, true
	}
	return d
}

// A deal that was removed unpaid is in nobody's sight any more, see sqlSelect.
const sqlEvenRemoved = `
select d.id, d.buyer_id, b.username as buyer_username, b.profile_pic as buyer_profile_pic,
       d.seller_id, s.username as seller_username, s.profile_pic as seller_profile_pic,
       d.created_by, d.price, d.fee, d.description, d.delivery_days, d.inspection_days, d.status, d.created_at, d.due_at,
       d.activated_at, d.delivered, d.delivered_at, d.first_delivered_at, d.reset_at,
       d.cancellation_requested, d.cancellation_asked_at, d.cancellation_declined, d.requests,
       d.next_action, d.next_action_at, d.warned_at, d.frozen_at, d.frozen_for, d.escalated_at, d.closed_at, d.close_reason, d.removed_at,
       exists (select 1 from reviews r where r.deal_id = d.id) as review_given
  from deals d
  join users b on b.id = d.buyer_id
  join users s on s.id = d.seller_id`

const sqlSelect = sqlEvenRemoved + ` where d.removed_at is null`

const sqlGet = sqlSelect + ` and d.id = @id`

func getDeal(ctx context.Context, q postgres.Querier, id uuid.UUID, now time.Time) (Deal, error) {
	r, err := oneDeal(ctx, q, sqlGet, id)
	return r.deal(now), err
}

// lockDeal reads a deal that nobody else can change before the transaction ends.
func lockDeal(ctx context.Context, tx *postgres.Tx, id uuid.UUID, now time.Time) (Deal, error) {
	r, err := oneDeal(ctx, tx, sqlGet+` for update of d`, id)
	return r.deal(now), err
}

// lockEvenRemoved is lockDeal for what is still to be said of a deal that is gone.
func lockEvenRemoved(ctx context.Context, tx *postgres.Tx, id uuid.UUID, now time.Time) (Deal, error) {
	r, err := oneDeal(ctx, tx, sqlEvenRemoved+` where d.id = @id for update of d`, id)
	return r.deal(now), err
}

// tryLockDeal is lockDeal for who need not wait: free is false when somebody else has the deal, or it is gone.
func tryLockDeal(ctx context.Context, tx *postgres.Tx, id uuid.UUID, now time.Time) (d Deal, free bool, err error) {
	r, err := oneDeal(ctx, tx, sqlGet+` for update of d skip locked`, id)
	if fault.CodeOf(err) == fault.NotFound {
		return Deal{}, false, nil
	}
	return r.deal(now), err == nil, err
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

// The other party must be there and not disabled.
const sqlInsert = `
insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, inspection_days, created_at, due_at,
                   next_action, next_action_at)
select @id, b.id, s.id, @actor, @price, @fee, @description, @days, @inspection, @now, @due, 'expire', @due
  from users b, users s
 where b.id = @buyer and b.disabled_at is null and s.id = @seller and s.disabled_at is null`

func insertDeal(ctx context.Context, tx *postgres.Tx, id, actor uuid.UUID, d Draft, now, due time.Time) (bool, error) {
	tag, err := tx.Exec(ctx, sqlInsert, pgx.NamedArgs{
		"id": id, "actor": actor, "buyer": d.BuyerID, "seller": d.SellerID, "price": int64(d.Price), "fee": int64(money.Fee(d.Price)),
		"description": d.Description, "days": d.DeliveryDays, "inspection": d.InspectionDays, "now": now, "due": due,
	})
	return tag.RowsAffected() == 1, err
}

const sqlSave = `
update deals
   set status = @status, activated_at = @activated, delivered = @delivered, delivered_at = @deliveredAt,
       first_delivered_at = @firstDelivered, reset_at = @reset, cancellation_requested = @asked, cancellation_asked_at = @askedAt,
       cancellation_declined = @declined, requests = @requests, next_action = @action, next_action_at = @actionAt, warned_at = @warned,
       frozen_at = @frozen, frozen_for = @frozenFor, escalated_at = @escalated, closed_at = @closed, close_reason = @reason,
       removed_at = @removed
 where id = @id`

// saveDeal writes everything of a deal that can change. The caller holds its lock.
func saveDeal(ctx context.Context, tx *postgres.Tx, d Deal) error {
	return exactlyOne(ctx, tx, sqlSave, pgx.NamedArgs{
		"id": d.ID, "status": d.Status, "activated": d.ActivatedAt, "delivered": d.Delivered, "deliveredAt": d.DeliveredAt,
		"firstDelivered": d.FirstDeliveredAt, "reset": d.ResetAt, "asked": d.CancellationRequested, "askedAt": d.CancellationAskedAt,
		"declined": d.CancellationDeclined, "requests": d.Requests, "action": nullText(d.NextAction), "actionAt": d.NextActionAt,
		"warned": d.WarnedAt, "frozen": d.FrozenAt, "frozenFor": d.FrozenFor, "escalated": d.EscalatedAt, "closed": d.ClosedAt,
		"reason": nullText(d.CloseReason), "removed": d.RemovedAt,
	})
}

func nullText[T ~string](s T) *string {
	if s == "" {
		return nil
	}
	text := string(s)
	return &text
}

// exactlyOne runs a change of a deal whose lock the caller holds: not finding it is a bug.
func exactlyOne(ctx context.Context, tx *postgres.Tx, sql string, args pgx.NamedArgs) error {
	tag, err := tx.Exec(ctx, sql, args)
	if err != nil {
		return err
	}
	if tag.RowsAffected() != 1 {
		return fmt.Errorf("deals: changed %d deals, not one", tag.RowsAffected())
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
