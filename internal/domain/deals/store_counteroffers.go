package deals

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

type counterofferRow struct {
	ID             uuid.UUID
	MadeBy         uuid.UUID
	Price          money.Cents
	Fee            money.Cents
	Description    string
	DeliveryDays   int
	InspectionDays int
	Status         CounterofferStatus
	CreatedAt      time.Time
}

func (r counterofferRow) counteroffer() Counteroffer {
	return Counteroffer{
		ID: r.ID, MadeBy: r.MadeBy, Fee: r.Fee, Status: r.Status, CreatedAt: r.CreatedAt,
		Terms: Terms{Price: r.Price, Description: r.Description, DeliveryDays: r.DeliveryDays, InspectionDays: r.InspectionDays},
	}
}

const (
	sqlCounteroffers = `
select id, made_by, price, fee, description, delivery_days, inspection_days, status, created_at
  from deal_counteroffers
 where deal_id = @deal`
	sqlOpenCounteroffer = sqlCounteroffers + ` and status = 'open'`
)

// getCounteroffer returns a counter-offer of a deal. Code NotFound.
func getCounteroffer(ctx context.Context, q postgres.Querier, deal, id uuid.UUID) (Counteroffer, error) {
	o, err := postgres.OneAs(ctx, q, "deals.get_counteroffer", sqlCounteroffers+` and id = @id`, pgx.NamedArgs{"deal": deal, "id": id},
		counterofferRow.counteroffer)
	return o, postgres.IfNoRows(err, fault.New(fault.NotFound, "counteroffer_not_found", "Counter-offer not found."))
}

// queueOpenCounteroffer queues the reading of a deal's open counter-offer and passes it to use,
// unless there is none.
func queueOpenCounteroffer(q postgres.Queue, deal uuid.UUID, use func(o Counteroffer)) {
	postgres.QueueMany(q, "deals.open_counteroffer", sqlOpenCounteroffer, pgx.NamedArgs{"deal": deal}, func(rows []counterofferRow) error {
		for _, r := range rows {
			use(r.counteroffer())
		}
		return nil
	})
}

// listCounteroffers returns how many counter-offers a deal has had, and the open one.
func listCounteroffers(ctx context.Context, q postgres.Querier, deal uuid.UUID) (made int, open *Counteroffer, err error) {
	list, err := postgres.ManyAs(ctx, q, "deals.list_counteroffers", sqlCounteroffers, pgx.NamedArgs{"deal": deal},
		counterofferRow.counteroffer)
	for i, o := range list {
		if o.Status == CounterofferOpen {
			open = &list[i]
		}
	}
	return len(list), open, err
}

const sqlInsertCounteroffer = `
insert into deal_counteroffers (id, deal_id, made_by, price, fee, description, delivery_days, inspection_days, created_at)
values (@id, @deal, @user, @price, @fee, @description, @days, @inspection, @now)`

// queueInsertCounteroffer stores a counter-offer, which replaces the open one of the deal.
func queueInsertCounteroffer(tx *postgres.Tx, deal uuid.UUID, o Counteroffer) {
	queueEndCounteroffer(tx, deal, CounterofferReplaced)
	postgres.QueueOne(tx, "deals.insert_counteroffer", sqlInsertCounteroffer, pgx.NamedArgs{
		"id": o.ID, "deal": deal, "user": o.MadeBy, "price": int64(o.Price), "fee": int64(o.Fee), "description": o.Description,
		"days": o.DeliveryDays, "inspection": o.InspectionDays, "now": o.CreatedAt,
	})
}

// queueEndCounteroffer ends the open counter-offer of a deal, if there is one.
func queueEndCounteroffer(tx *postgres.Tx, deal uuid.UUID, status CounterofferStatus) {
	const sql = `update deal_counteroffers set status = @status where deal_id = @deal and status = 'open'`
	postgres.QueueExec(tx, "deals.end_counteroffer", sql, pgx.NamedArgs{"deal": deal, "status": string(status)})
}

// applyCounteroffer gives a deal the terms of its open counter-offer. The caller holds the deal's
// lock and has checked that it is Pending.
func applyCounteroffer(ctx context.Context, tx *postgres.Tx, id uuid.UUID, due time.Time) error {
	const sql = `select deal_apply_counteroffer(@id, @due)`
	applied, err := postgres.Value[bool](ctx, tx, "deals.apply_counteroffer", sql, pgx.NamedArgs{"id": id, "due": due})
	if err == nil && !applied {
		err = fmt.Errorf("counter-offer %s is not open", id)
	}
	return err
}
