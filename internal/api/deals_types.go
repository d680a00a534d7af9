package api

import (
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/images"
	"amanat/internal/app/user"
	"amanat/internal/domain/deals"
	"amanat/internal/money"
	"amanat/internal/money/operations"
)

// Deal is a deal as shown to its parties and admins.
type Deal struct {
	ID                    uuid.UUID    `json:"_id"`
	Buyer                 user.Ref     `json:"buyer"`
	Seller                user.Ref     `json:"seller"`
	Price                 money.Cents  `json:"price" example:"100.01"`
	Fee                   money.Cents  `json:"fee" example:"2"`
	Payout                money.Cents  `json:"payout" doc:"What the seller receives: price less fee, and less refund when a dispute was settled." example:"98.01"`
	Refund                *money.Cents `json:"refund" nullable:"true" doc:"What the buyer got back: the price, the payout when the fee was taken, or a part of the price when a dispute was settled."`
	Description           string       `json:"description" example:"A cooking channel with 12,000 subscribers."`
	DescriptionErased     bool         `json:"descriptionErased,omitempty" doc:"Whoever wrote it has closed the account."`
	DeliveryDuration      int          `json:"deliveryDuration" doc:"Days." example:"7"`
	Terms                 int          `json:"terms" doc:"The version of the terms: 1, and one more with every counter-offer that was accepted. Payments name it." example:"1"`
	CounterofferBy        *uuid.UUID   `json:"counterofferBy" format:"uuid" nullable:"true" doc:"Who made the open counter-offer, which the other party can accept; null if there is none."`
	InspectionDays        int          `json:"inspectionDays" doc:"Days the buyer may check what was delivered." example:"3"`
	Status                string       `json:"status" enum:"Pending,Active,Late,Delivered,Completed,Cancelled,Cancelled by Buyer,Cancelled by Seller"`
	CreatedAt             time.Time    `json:"createdAt"`
	DueAt                 time.Time    `json:"dueAt"`
	AcceptedAt            *time.Time   `json:"acceptedAt" doc:"When the seller agreed to the deal; null while one that the buyer made waits for that."`
	ActivatedAt           *time.Time   `json:"activatedAt"`
	DeliveredAt           *time.Time   `json:"deliveredAt"`
	ClosedAt              *time.Time   `json:"closedAt"`
	CloseReason           *CloseReason `json:"closeReason"`
	Delivered             bool         `json:"delivered"`
	CancellationRequested bool         `json:"cancellationRequested"`
	CancellationDeclined  bool         `json:"cancellationDeclined"`
	RequestsLeft          int          `json:"requestsLeft" doc:"Cancellation requests and resets of a delivery that the buyer has left." example:"3"`
	NextAction            *NextAction  `json:"nextAction" doc:"What time does with the deal when nobody else does anything."`
	NextActionAt          *time.Time   `json:"nextActionAt" doc:"Null while the deal's clock is frozen."`
	Frozen                bool         `json:"frozen" doc:"A support request, a dispute or a suspension holds the deal's clock."`
	Escalated             bool         `json:"escalated" doc:"An admin is going to decide."`
	EscalatedAt           *time.Time   `json:"escalatedAt" doc:"Since when the deal waits for that; null while it does not."`
	Suspended             bool         `json:"suspended" doc:"A party's account is suspended: the clock stands still and an admin is going to decide."`
	SuspendedAt           *time.Time   `json:"suspendedAt" doc:"Since when the deal waits for that; null while it does not."`
	BuyerSuspended        bool         `json:"buyerSuspended" doc:"The buyer's account is suspended."`
	SellerSuspended       bool         `json:"sellerSuspended" doc:"The seller's account is suspended: a deal that is not paid cannot be; the buyer of one that was never delivered may cancel and gets everything back."`
	ExitAt                *time.Time   `json:"exitAt" doc:"When the buyer may leave with a full refund; null unless the deal is open, was never delivered, and no dispute is decided."`
	ReviewGiven           bool         `json:"reviewGiven"`
	OpenDispute           *OpenDispute `json:"openDispute,omitempty" doc:"The dispute that has not ended; missing if there is none."`
}

// OpenDispute is a dispute that has not ended, with what it waits for from the parties.
type OpenDispute struct {
	ID         uuid.UUID    `json:"_id"`
	BuyerTurn  *DisputeTurn `json:"buyerTurn" doc:"What the buyer is asked for: to accept the decision or to appeal, to accept an offer, or to answer; null for nothing."`
	SellerTurn *DisputeTurn `json:"sellerTurn" doc:"The same of the seller."`
}

// DisputeTurn is what a dispute waits for from a party.
type DisputeTurn string

// Schema documents DisputeTurn, which may be null.
func (DisputeTurn) Schema(huma.Registry) *huma.Schema {
	return enumOrNull(deals.TurnDecision, deals.TurnOffer, deals.TurnAnswer)
}

// NextAction is what the system does with a deal if no party acts.
type NextAction string

// Schema documents NextAction, which may be null.
func (NextAction) Schema(huma.Registry) *huma.Schema {
	return enumOrNull(deals.ActionExpire, deals.ActionComplete, deals.ActionRefund, deals.ActionRefundUnanswered, deals.ActionEscalate)
}

// CloseReason is why a deal was closed.
type CloseReason string

// Schema documents CloseReason, which may be null.
func (CloseReason) Schema(huma.Registry) *huma.Schema {
	return enumOrNull(deals.ReasonCompleted, deals.ReasonAccepted, deals.ReasonUnanswered, deals.ReasonSeller, deals.ReasonDeclined,
		deals.ReasonExit, deals.ReasonOverdue, deals.ReasonAdmin, deals.ReasonSellerDisabled, deals.ReasonSettled)
}

func enumOrNull[T ~string](values ...T) *huma.Schema {
	schema := enumSchema(values...)
	schema.Nullable = true
	schema.Enum = append(schema.Enum, nil)
	return schema
}

// DealDetail is a deal with its timeline, oldest first, its open counter-offer, its latest dispute
// and the operation in flight on it.
type DealDetail struct {
	Deal
	Timeline     []TimelineEntry   `json:"timeline"`
	Counteroffer *Counteroffer     `json:"counteroffer,omitempty" doc:"Only while one is open."`
	Dispute      *deals.DisputeRef `json:"dispute,omitempty" doc:"The latest one; missing if there was none."`
	Operation    *operations.View  `json:"operation,omitempty" doc:"Only while money is in flight."`
}

// TimelineEntry is one event of a deal.
type TimelineEntry struct {
	ID      uuid.UUID `json:"_id"`
	Kind    string    `json:"kind" example:"deal_paid"`
	Message string    `json:"message" doc:"In the reader's language." example:"Done."`
	Note    string    `json:"note,omitempty" doc:"What was written to both parties with it." example:"Please send the access again."`
	// Pictures are those of a delivery.
	Pictures []images.Attachment `json:"pictures" doc:"What was delivered with it."`
	At       time.Time           `json:"at"`
	Actor    Nullable[user.Ref]  `json:"actor" doc:"Null when time itself did it."`
}

// DealChange is the answer to an action on a deal.
type DealChange struct {
	catalog.Outcome
	Deal                  DealDetail `json:"deal"`
	Status                string     `json:"status" example:"Pending"`
	CancellationRequested bool       `json:"cancellationRequested"`
	CancellationDeclined  bool       `json:"cancellationDeclined"`
}

func dealOf(d deals.Deal) Deal {
	wire := Deal{
		ID: d.ID, Buyer: d.Buyer, Seller: d.Seller, Price: d.Price, Fee: d.FeeTaken(), Payout: d.Payout(),
		Description: d.Description, DescriptionErased: d.DescriptionErased,
		DeliveryDuration: d.DeliveryDays, InspectionDays: d.InspectionDays, Terms: d.TermsVersion, CounterofferBy: d.CounterofferBy,
		Status:    string(d.Status),
		CreatedAt: d.CreatedAt, DueAt: d.DueAt, AcceptedAt: d.AcceptedAt, ActivatedAt: d.ActivatedAt, DeliveredAt: d.DeliveredAt,
		ClosedAt: d.ClosedAt, CloseReason: nullable[CloseReason](d.CloseReason),
		Delivered: d.Delivered, CancellationRequested: d.CancellationRequested, CancellationDeclined: d.CancellationDeclined,
		RequestsLeft: d.RequestsLeft(),
		NextAction:   nullable[NextAction](d.NextAction), Frozen: d.Frozen(), Escalated: d.EscalatedAt != nil, EscalatedAt: d.EscalatedAt,
		Suspended: d.SuspendedAt != nil, SuspendedAt: d.SuspendedAt,
		BuyerSuspended: d.BuyerDisabled && !d.Buyer.Closed, SellerSuspended: d.SellerDisabled && !d.Seller.Closed,
		ReviewGiven: d.ReviewGiven,
	}
	if back, refunded := d.Refund(); refunded {
		wire.Refund = &back
	}
	if d.DisputeID != nil {
		wire.OpenDispute = &OpenDispute{
			ID: *d.DisputeID, BuyerTurn: (*DisputeTurn)(d.DisputeTurns.Buyer), SellerTurn: (*DisputeTurn)(d.DisputeTurns.Seller),
		}
	}
	if !d.Frozen() {
		wire.NextActionAt = d.NextActionAt
	}
	if d.Status.Open() && d.FirstDeliveredAt == nil && !d.Ruled {
		exit := d.ExitAt()
		wire.ExitAt = &exit
	}
	return wire
}

// nullable maps an empty domain enum to JSON null.
func nullable[B, A ~string](word A) *B {
	if word == "" {
		return nil
	}
	converted := B(word)
	return &converted
}

func dealDetailOf(d deals.Detail) (DealDetail, error) {
	operation, err := operationOrNil(d.Operation)
	return DealDetail{
		Deal:         dealOf(d.Deal),
		Operation:    operation,
		Counteroffer: counterofferOf(d.Counteroffer),
		Dispute:      d.Dispute,
		Timeline: mapped(d.Timeline, func(line deals.Line) TimelineEntry {
			return TimelineEntry{
				ID: line.ID, Kind: string(line.Kind), Message: line.Text, Note: line.Note, Pictures: orEmpty(line.Pictures), At: line.At,
				Actor: orNull(line.Actor),
			}
		}),
	}, err
}

func dealChangeOf(done catalog.Outcome, d deals.Detail) (DealChange, error) {
	detail, err := dealDetailOf(d)
	return DealChange{
		Outcome: done, Deal: detail, Status: detail.Status,
		CancellationRequested: detail.CancellationRequested, CancellationDeclined: detail.CancellationDeclined,
	}, err
}

func operationOrNil(op *operations.Operation) (*operations.View, error) {
	if op == nil {
		return nil, nil
	}
	wire, err := op.View()
	return &wire, err
}
