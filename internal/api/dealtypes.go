package api

import (
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"amanat/internal/deals"
	"amanat/internal/money"
	"amanat/internal/operations"
	"amanat/internal/party"
)

// Deal is a deal as its parties and admins see it.
type Deal struct {
	ID                    uuid.UUID    `json:"_id"`
	Buyer                 party.Party  `json:"buyer"`
	Seller                party.Party  `json:"seller"`
	Price                 money.Cents  `json:"price"`
	Fee                   money.Cents  `json:"fee"`
	Payout                money.Cents  `json:"payout" doc:"What the seller receives: price less fee."`
	Refund                *money.Cents `json:"refund" nullable:"true" doc:"What the buyer got back: the price, or the payout when the fee was taken."`
	Description           string       `json:"description"`
	DeliveryDuration      int          `json:"deliveryDuration" doc:"Days."`
	InspectionDays        int          `json:"inspectionDays" doc:"Days the buyer may check what was delivered."`
	Status                string       `json:"status" enum:"Pending,Active,Late,Delivered,Completed,Cancelled,Cancelled by Buyer,Cancelled by Seller"`
	CreatedAt             time.Time    `json:"createdAt"`
	DueAt                 time.Time    `json:"dueAt"`
	ActivatedAt           *time.Time   `json:"activatedAt"`
	DeliveredAt           *time.Time   `json:"deliveredAt"`
	ClosedAt              *time.Time   `json:"closedAt"`
	CloseReason           *CloseReason `json:"closeReason"`
	Delivered             bool         `json:"delivered"`
	CancellationRequested bool         `json:"cancellationRequested"`
	CancellationDeclined  bool         `json:"cancellationDeclined"`
	RequestsLeft          int          `json:"requestsLeft" doc:"Cancellation requests and resets of a delivery that the buyer has left."`
	NextAction            *NextAction  `json:"nextAction" doc:"What time does with the deal when nobody else does anything."`
	NextActionAt          *time.Time   `json:"nextActionAt" doc:"Null while the deal's clock is frozen."`
	Frozen                bool         `json:"frozen" doc:"A support request holds the deal's clock."`
	Escalated             bool         `json:"escalated" doc:"An admin is going to decide."`
	EscalatedAt           *time.Time   `json:"escalatedAt" doc:"Since when the deal waits for that; null while it does not."`
	ExitAt                *time.Time   `json:"exitAt" doc:"When the buyer may leave with a full refund; null unless the deal is open and was never delivered."`
	ReviewGiven           bool         `json:"reviewGiven"`
}

// NextAction is what the clock does with a deal when nobody else does anything.
type NextAction string

// Schema documents NextAction, which may be null.
func (NextAction) Schema(huma.Registry) *huma.Schema {
	return enumOrNull(deals.ActionExpire, deals.ActionComplete, deals.ActionRefund, deals.ActionRefundUnanswered, deals.ActionEscalate)
}

// CloseReason is why a deal was closed.
type CloseReason string

// Schema documents CloseReason, which may be null.
func (CloseReason) Schema(huma.Registry) *huma.Schema {
	return enumOrNull(deals.ReasonCompleted, deals.ReasonAccepted, deals.ReasonUnanswered, deals.ReasonSeller, deals.ReasonExit,
		deals.ReasonOverdue, deals.ReasonAdmin)
}

func enumOrNull[T ~string](values ...T) *huma.Schema {
	schema := enumSchema(values...)
	schema.Nullable = true
	schema.Enum = append(schema.Enum, nil)
	return schema
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
	wire := Deal{
		ID: d.ID, Buyer: d.Buyer, Seller: d.Seller, Price: d.Price, Fee: d.Fee, Payout: d.Payout(),
		Description: d.Description, DeliveryDuration: d.DeliveryDays, InspectionDays: d.InspectionDays, Status: string(d.Status),
		CreatedAt: d.CreatedAt, DueAt: d.DueAt, ActivatedAt: d.ActivatedAt, DeliveredAt: d.DeliveredAt,
		ClosedAt: d.ClosedAt, CloseReason: wordOrNull[CloseReason](d.CloseReason),
		Delivered: d.Delivered, CancellationRequested: d.CancellationRequested, CancellationDeclined: d.CancellationDeclined,
		RequestsLeft: d.RequestsLeft(),
		NextAction:   wordOrNull[NextAction](d.NextAction), Frozen: d.Frozen(), Escalated: d.EscalatedAt != nil, EscalatedAt: d.EscalatedAt,
		ReviewGiven: d.ReviewGiven,
	}
	if back, refunded := d.Refund(); refunded {
		wire.Refund = &back
	}
	if !d.Frozen() {
		wire.NextActionAt = d.NextActionAt
	}
	if d.Status.Open() && d.FirstDeliveredAt == nil {
		exit := d.ExitAt()
		wire.ExitAt = &exit
	}
	return wire
}

// wordOrNull converts a word of the noun's, where "" is none.
func wordOrNull[B, A ~string](word A) *B {
	if word == "" {
		return nil
	}
	converted := B(word)
	return &converted
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
