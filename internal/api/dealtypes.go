package api

import (
	"time"

	"github.com/google/uuid"

	"amanat/internal/deals"
	"amanat/internal/money"
	"amanat/internal/operations"
	"amanat/internal/party"
)

// Deal is a deal as its parties see it.
type Deal struct {
	ID                    uuid.UUID   `json:"_id"`
	Buyer                 party.Party `json:"buyer"`
	Seller                party.Party `json:"seller"`
	Price                 money.Cents `json:"price"`
	Fee                   money.Cents `json:"fee"`
	Payout                money.Cents `json:"payout" doc:"What the seller receives: price less fee."`
	Description           string      `json:"description"`
	DeliveryDuration      int         `json:"deliveryDuration" doc:"Days."`
	Status                string      `json:"status" enum:"Pending,Active,Late,Delivered,Completed,Cancelled,Cancelled by Buyer,Cancelled by Seller"`
	CreatedAt             time.Time   `json:"createdAt"`
	DueAt                 time.Time   `json:"dueAt"`
	ActivatedAt           *time.Time  `json:"activatedAt"`
	DeliveredAt           *time.Time  `json:"deliveredAt"`
	ClosedAt              *time.Time  `json:"closedAt"`
	Delivered             bool        `json:"delivered"`
	CancellationRequested bool        `json:"cancellationRequested"`
	CancellationDeclined  bool        `json:"cancellationDeclined"`
	ReviewGiven           bool        `json:"reviewGiven"`
}

// DealDetail is a deal with its timeline, oldest first, and the operation in flight on it.
type DealDetail struct {
	Deal
	Timeline  []TimelineEntry `json:"timeline"`
	Operation *Operation      `json:"operation,omitempty" doc:"Only while money is in flight."`
}

// TimelineEntry is one event of a deal.
type TimelineEntry struct {
	ID      uuid.UUID             `json:"_id"`
	Kind    string                `json:"kind"`
	Message string                `json:"message" doc:"In the reader's language."`
	At      time.Time             `json:"at"`
	Actor   Nullable[party.Party] `json:"actor" doc:"Null when time itself did it."`
}

// DealChange is the answer to an action on a deal.
type DealChange struct {
	Message               string     `json:"message"`
	Deal                  DealDetail `json:"deal"`
	Status                string     `json:"status"`
	CancellationRequested bool       `json:"cancellationRequested"`
	CancellationDeclined  bool       `json:"cancellationDeclined"`
}

func dealOf(d deals.Deal) Deal {
	return Deal{
		ID: d.ID, Buyer: d.Buyer, Seller: d.Seller, Price: d.Price, Fee: d.Fee, Payout: d.Payout(),
		Description: d.Description, DeliveryDuration: d.DeliveryDays, Status: string(d.Status),
		CreatedAt: d.CreatedAt, DueAt: d.DueAt, ActivatedAt: d.ActivatedAt, DeliveredAt: d.DeliveredAt, ClosedAt: d.ClosedAt,
		Delivered: d.Delivered, CancellationRequested: d.CancellationRequested, CancellationDeclined: d.CancellationDeclined,
	}
}

func dealDetailOf(d deals.Detail) (DealDetail, error) {
	operation, err := operationOrNil(d.Operation)
	return DealDetail{
		Deal:      dealOf(d.Deal),
		Operation: operation,
		Timeline: mapped(d.Timeline, func(line deals.Line) TimelineEntry {
			return TimelineEntry{ID: line.ID, Kind: string(line.Kind), Message: line.Text, At: line.At, Actor: orNull(line.Actor)}
		}),
	}, err
}

func dealChangeOf(message string, d deals.Detail) (DealChange, error) {
	detail, err := dealDetailOf(d)
	return DealChange{
		Message: message, Deal: detail, Status: detail.Status,
		CancellationRequested: detail.CancellationRequested, CancellationDeclined: detail.CancellationDeclined,
	}, err
}

func operationOrNil(op *operations.Operation) (*Operation, error) {
	if op == nil {
		return nil, nil
	}
	wire, err := operationOf(*op)
	return &wire, err
}
