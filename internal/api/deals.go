package api

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/images"
	"amanat/internal/app/user"
	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/mailer"
	"amanat/internal/money"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/operations"
)

const dealTag = "Deals"

func (s *Server) registerDeals() {
	registerIdempotent(s, endpoint{
		id: "deal-create", method: http.MethodPost, path: "/deals/create", tag: dealTag, status: http.StatusCreated,
		summary:    "Propose a deal as its buyer or its seller, to another user or by a link",
		rateLimits: s.proposalLimits(),
		codes:      []fault.Code{fault.NotFound, fault.Conflict},
	}, false, s.dealCreate)
	register(s, endpoint{
		id: "deal", method: http.MethodGet, path: "/deals/{id}", tag: dealTag, summary: "One deal, to its buyer, its seller and admins",
	}, s.deal)
	registerIdempotent(s, endpoint{
		id: "deal-pay", method: http.MethodPost, path: "/deals/pay/{id}", tag: dealTag,
		summary: "Pay the price into escrow; for the buyer",
		codes:   []fault.Code{fault.Conflict, fault.InsufficientBalance},
	}, true, s.dealPay)
	register(s, endpoint{
		id: "deal-deliver", method: http.MethodPost, path: "/deals/deliver/{id}", tag: dealTag,
		summary: "Mark delivered, with words and pictures for the buyer if there are any; for the seller",
		visible: allowed(s.deals.CheckSeller),
		codes:   []fault.Code{fault.Conflict},
	}, s.dealDeliver)
	register(s, endpoint{
		id: "deal-arrived", method: http.MethodPost, path: "/deals/{id}/arrived", tag: dealTag,
		summary: "Say that the shipment has arrived, with which the inspection begins; for the buyer",
		codes:   []fault.Code{fault.Conflict},
	}, s.dealArrived)
	registerIdempotent(s, endpoint{
		id: "deal-complete", method: http.MethodPost, path: "/deals/complete/{id}", tag: dealTag,
		summary: "Release the escrow to the seller; for the buyer",
		codes:   releaseCodes,
	}, true, s.dealComplete)
	s.registerDealPictures()
	s.registerCounteroffers()
}

// proposalLimits are the limits of calls that make a deal or mail a proposal about one: deals,
// counter-offers and offers to divide a price count together.
func (s *Server) proposalLimits() []rateLimit {
	return []rateLimit{s.perPerson("deals", s.limits.DealLimit), s.perPerson("deals-day", s.limits.DealDayLimit)}
}

// DealTermsBody are the terms that a party proposes, but the inspection period, which may be left
// out of a new deal.
type DealTermsBody struct {
	Price            Amount `json:"price" example:"100.01"`
	Description      string `json:"description" doc:"1 to 5,000 characters." example:"A cooking channel with 12,000 subscribers."`
	DeliveryDuration int    `json:"deliveryDuration" doc:"Days, 1 to 99." example:"7"`
}

func (b DealTermsBody) terms(inspectionDays int) (deals.Terms, error) {
	price, err := b.Price.read("price")
	return deals.Terms{
		Price: price, Description: b.Description, DeliveryDays: b.DeliveryDuration, InspectionDays: inspectionDays,
	}, err
}

// DealCreateBody is the body of a new deal. The caller is its buyer or its seller.
type DealCreateBody struct {
	DealTermsBody
	BuyerID        string `json:"buyerId,omitempty" format:"uuid" doc:"Left out where invite takes its place."`
	SellerID       string `json:"sellerId,omitempty" format:"uuid" doc:"Left out where invite takes its place."`
	InspectionDays *int   `json:"inspectionDays,omitempty" nullable:"true" doc:"Days the buyer may check what was delivered, 1 to 30; 3 when not given."`
	// Invite takes the place of the other user's id.
	Invite *DealGuest `json:"invite,omitempty" doc:"In place of the other user's id: answers with a link with which one person joins the deal."`
}

func (b DealCreateBody) draft() (deals.Draft, error) {
	var err error
	days := deals.DefaultInspectionDays
	if b.InspectionDays != nil {
		days = *b.InspectionDays
	}
	var draft deals.Draft
	if draft.Terms, err = b.terms(days); err != nil {
		return deals.Draft{}, err
	}
	if draft.BuyerID, err = userID("buyerId", b.BuyerID); err != nil {
		return deals.Draft{}, err
	}
	if b.Invite != nil {
		draft.Guest = &deals.Guest{Email: mailer.NormalAddress(b.Invite.Email), Phone: strings.TrimSpace(b.Invite.Phone)}
	}
	draft.SellerID, err = userID("sellerId", b.SellerID)
	return draft, err
}

// userID parses the id of a chosen user; nil if it is missing.
func userID(field, text string) (*uuid.UUID, error) {
	if text == "" {
		return nil, nil
	}
	id, err := uuid.Parse(text)
	if err != nil {
		return nil, fault.Field(field, "user_missing", "Select a user.")
	}
	return &id, nil
}

func (s *Server) dealCreate(ctx context.Context, in *struct{ Payload Payload[DealCreateBody] }) (*Settled[DealCreated], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	draft, err := body.draft()
	if err != nil {
		return nil, err
	}
	if draft.Guest != nil {
		return s.createInvite(ctx, draft)
	}
	created, err := s.deals.Create(ctx, actor(ctx).ID, draft, callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	detail, err := dealDetailOf(created)
	return settledWith(DealCreated{Deal: &detail}), err
}

func (s *Server) deal(ctx context.Context, _ *IDPath) (*output[DealDetail], error) {
	get := s.deals.Get
	if s.accounts.ActsAsAdmin(actor(ctx)) {
		get = s.deals.GetAny
	}
	found, err := get(ctx, actor(ctx).ID, pathID(ctx))
	if err != nil {
		return nil, err
	}
	detail, err := dealDetailOf(found)
	return respond(detail), err
}

// changeDeal changes a deal without moving money.
func (s *Server) changeDeal(
	ctx context.Context, done catalog.Outcome, step func(ctx context.Context, actor, id uuid.UUID) (deals.Detail, error),
) (*output[DealChange], error) {
	changed, err := step(ctx, actor(ctx).ID, pathID(ctx))
	if err != nil {
		return nil, err
	}
	change, err := dealChangeOf(done, changed)
	return respond(change), err
}

// DealPayBody says what a buyer pays for. All of it may be left out.
type DealPayBody struct {
	Terms int `json:"terms,omitempty" minimum:"0" doc:"The terms of the deal that the buyer has read: others are not paid. Left out: whatever they are." example:"1"`
}

func (s *Server) dealPay(
	ctx context.Context, in *struct {
		IDPath
		Payload Payload[DealPayBody]
	},
) (*Settled[DealChange], error) {
	return s.requestDealOperation(ctx, func(ctx context.Context, actor, id uuid.UUID, key *idempotency.Key) (operations.Operation, error) {
		body, err := in.Payload.decode()
		if err != nil {
			return operations.Operation{}, cmp.Or(s.deals.CheckBuyer(ctx, actor, id), err)
		}
		return s.deals.RequestPay(ctx, actor, id, body.Terms, key)
	})
}

// releaseCodes are those of calls that give the buyer's money to the seller.
var releaseCodes = []fault.Code{fault.Conflict, fault.PasswordRequired, fault.MailCodeRequired}

// checkRelease checks that the caller may give money in escrow to somebody else.
func (s *Server) checkRelease(ctx context.Context) error {
	c := callOf(ctx)
	return s.unlessRepeated(ctx, s.accounts.CheckRelease(ctx, c.user, c.session, c.browser))
}

func (s *Server) dealComplete(ctx context.Context, _ *IDPath) (*Settled[DealChange], error) {
	if err := s.checkRelease(ctx); err != nil {
		return nil, cmp.Or(s.deals.CheckBuyer(ctx, actor(ctx).ID, pathID(ctx)), err)
	}
	return s.requestDealOperation(ctx, s.deals.RequestComplete)
}

type dealOperation func(ctx context.Context, actor, id uuid.UUID, key *idempotency.Key) (operations.Operation, error)

// requestDealOperation requests a money operation on a deal and answers with its outcome.
func (s *Server) requestDealOperation(ctx context.Context, request dealOperation) (*Settled[DealChange], error) {
	op, err := request(ctx, actor(ctx).ID, pathID(ctx), callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	return s.settledDeal(ctx, op)
}

func (s *Server) settledDeal(ctx context.Context, op operations.Operation) (*Settled[DealChange], error) {
	reading := s.deals.Reading(actor(ctx).ID, pathID(ctx))
	return awaitAndRead(ctx, s, op, reading.Queue, func(done catalog.Outcome) (DealChange, error) {
		found, err := reading.Deal(ctx)
		if err != nil {
			return DealChange{}, err
		}
		return dealChangeOf(done, found)
	})
}

func (s *Server) registerAcceptance() {
	register(s, endpoint{
		id: "deal-accept", method: http.MethodPut, path: "/deals/accept/{id}", tag: dealTag,
		summary: "Agree to a deal that the buyer made; for the seller",
		codes:   []fault.Code{fault.Conflict},
	}, s.dealAccept)
	registerIdempotent(s, endpoint{
		id: "deal-remove", method: http.MethodDelete, path: "/deals/{id}", tag: dealTag,
		summary: "Decline a pending deal, or withdraw it; as the seller also decline a paid one that they have not accepted, with all money back",
		codes:   []fault.Code{fault.Conflict},
	}, true, s.dealRemove)
}

func (s *Server) dealAccept(ctx context.Context, _ *IDPath) (*output[DealChange], error) {
	return s.changeDeal(ctx, deals.OutcomeAgreed, s.deals.Accept)
}

func (s *Server) dealRemove(ctx context.Context, _ *IDPath) (*Settled[Message], error) {
	removed, err := s.deals.Remove(ctx, actor(ctx).ID, pathID(ctx), callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	if removed.Operation != nil {
		return awaitOperation(ctx, s, *removed.Operation, func(done catalog.Outcome) (Message, error) { return Message{done}, nil })
	}
	return settledWith(Message{deals.OutcomeRemoved}), nil
}

func (s *Server) registerCancellations() {
	registerIdempotent(s, endpoint{
		id: "deal-cancel", method: http.MethodPost, path: "/deals/cancel/{id}", tag: dealTag,
		summary: "Give the money back, as the seller, or as the buyer of a deal that is too late or whose seller is suspended; else ask for it",
		codes:   []fault.Code{fault.Conflict},
	}, true, s.dealCancel)
	register(s, endpoint{
		id: "deal-reset-delivery", method: http.MethodPost, path: "/deals/reset-delivery/{id}", tag: dealTag,
		summary: "Say that what was delivered is not what was agreed, and what should be changed; for the buyer",
		visible: allowed(s.deals.CheckBuyer),
		codes:   []fault.Code{fault.Conflict},
	}, s.dealResetDelivery)
	registerIdempotent(s, endpoint{
		id: "deal-accept-cancellation", method: http.MethodPost, path: "/deals/accept-cancellation/{id}", tag: dealTag,
		summary: "Give the buyer who asked for it the price, less the fee while the buyer could not leave anyway; for the seller",
		codes:   []fault.Code{fault.Conflict},
	}, true, s.dealAcceptCancellation)
	register(s, endpoint{
		id: "deal-decline-cancellation", method: http.MethodPost, path: "/deals/decline-cancellation/{id}", tag: dealTag,
		summary: "Refuse the buyer's request: the deal goes on; for the seller",
		codes:   []fault.Code{fault.Conflict},
	}, s.dealDeclineCancellation)
}

func (s *Server) dealCancel(ctx context.Context, _ *IDPath) (*Settled[DealChange], error) {
	cancelled, err := s.deals.Cancel(ctx, actor(ctx).ID, pathID(ctx), callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	if cancelled.Operation != nil {
		return s.settledDeal(ctx, *cancelled.Operation)
	}
	change, err := dealChangeOf(deals.OutcomeRequested, cancelled.Deal)
	return settledWith(change), err
}

func (s *Server) dealAcceptCancellation(ctx context.Context, _ *IDPath) (*Settled[DealChange], error) {
	return s.requestDealOperation(ctx, s.deals.RequestAcceptCancellation)
}

func (s *Server) dealDeclineCancellation(ctx context.Context, _ *IDPath) (*output[DealChange], error) {
	return s.changeDeal(ctx, deals.OutcomeDeclined, s.deals.DeclineCancellation)
}

// DealTerms are what a buyer and a seller agree on.
type DealTerms struct {
	Price            money.Cents `json:"price" example:"100.01"`
	Description      string      `json:"description" example:"A cooking channel with 12,000 subscribers."`
	DeliveryDuration int         `json:"deliveryDuration" doc:"Days, from when the two have agreed on the terms." example:"7"`
	InspectionDays   int         `json:"inspectionDays" doc:"Days the buyer may check what was delivered." example:"3"`
}

func termsOf(t deals.Terms) DealTerms {
	return DealTerms{Price: t.Price, Description: t.Description, DeliveryDuration: t.DeliveryDays, InspectionDays: t.InspectionDays}
}

// Deal is a deal as shown to its parties and admins.
type Deal struct {
	ID     uuid.UUID `json:"_id"`
	Buyer  user.Ref  `json:"buyer"`
	Seller user.Ref  `json:"seller"`
	DealTerms
	Fee                   money.Cents  `json:"fee" example:"2"`
	Payout                money.Cents  `json:"payout" doc:"What the seller receives: price less fee, and less refund when a dispute was settled." example:"98.01"`
	Refund                *money.Cents `json:"refund" nullable:"true" doc:"What the buyer got back: the price, the payout when the fee was taken, or a part of the price when a dispute was settled."`
	DescriptionErased     bool         `json:"descriptionErased,omitempty" doc:"Whoever wrote it has closed the account."`
	Terms                 int          `json:"terms" doc:"The version of the terms: 1, and one more with every counter-offer that was accepted. Payments name it." example:"1"`
	CounterofferBy        *uuid.UUID   `json:"counterofferBy" format:"uuid" nullable:"true" doc:"Who made the open counter-offer, which the other party can accept; null if there is none."`
	Status                string       `json:"status" enum:"Pending,Active,Late,Delivered,Completed,Cancelled,Cancelled by Buyer,Cancelled by Seller"`
	CreatedAt             time.Time    `json:"createdAt"`
	DueAt                 time.Time    `json:"dueAt"`
	AcceptedAt            *time.Time   `json:"acceptedAt" doc:"When the seller agreed to the deal; null while one that the buyer made waits for that."`
	ActivatedAt           *time.Time   `json:"activatedAt"`
	DeliveredAt           *time.Time   `json:"deliveredAt"`
	Shipment              *Shipment    `json:"shipment,omitempty" doc:"What was sent by courier with the delivery; missing if nothing was."`
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

// Shipment is what the seller has sent by courier.
type Shipment = deals.Shipment

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
		ID: d.ID, Buyer: d.Buyer, Seller: d.Seller, DealTerms: termsOf(d.Terms), Fee: d.FeeTaken(), Payout: d.Payout(),
		DescriptionErased: d.DescriptionErased, Terms: d.TermsVersion, CounterofferBy: d.CounterofferBy,
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
	if d.Courier != "" {
		wire.Shipment = &d.Shipment
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

func (s *Server) registerDealLists() {
	register(s, endpoint{
		id: "deal-list", method: http.MethodGet, path: "/deals/my-deals", tag: dealTag,
		summary: "Deals of the user, newest first; of another user for admins",
		codes:   []fault.Code{fault.NotFound, fault.Forbidden},
	}, s.dealList)
	register(s, endpoint{
		id: "deals-between", method: http.MethodGet, path: "/deals/between/{userId}/{otherUserId}", tag: dealTag,
		summary: "Deals of two users with each other, newest first; to either of them and to admins",
		codes:   []fault.Code{fault.NotFound, fault.Forbidden},
	}, s.dealsBetween)
	register(s, endpoint{
		id: "active-deals", method: http.MethodGet, path: "/deals/active-deals", tag: dealTag,
		summary: "How many deals of the user are open, and for how much",
	}, s.activeDeals)
	register(s, endpoint{
		id: "deal-totals", method: http.MethodGet, path: "/deals/totals", tag: dealTag,
		summary: "How many deals the user has in each status, and what those came to that were completed in the last six months",
	}, s.dealTotals)
}

const textOwnDealsOnly = "You may see your own deals only."

// DealListInput is the query of /deals/my-deals.
type DealListInput struct {
	Paged
	StatusQuery
	UserID string `query:"userId" doc:"Another user; for admins." example:"019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
}

// StatusQuery filters deals by status.
type StatusQuery struct {
	Status []string `query:"status,explode" doc:"Only deals in this status, or in one of several: the name may be repeated." example:"Pending"`
}

// read returns the statuses; none mean all. Code Invalid: an unknown one.
func (q StatusQuery) read() ([]deals.Status, error) {
	var wanted []deals.Status
	for _, text := range q.Status {
		status, err := oneOf("status", text, deals.Statuses()...)
		if err != nil {
			return nil, err
		}
		if status != "" {
			wanted = append(wanted, status)
		}
	}
	return wanted, nil
}

type dealListOutput struct {
	Total
	Body []Deal
}

func (s *Server) dealList(ctx context.Context, in *DealListInput) (*dealListOutput, error) {
	of := actor(ctx).ID
	if in.UserID != "" {
		asked, err := parseID(in.UserID)
		if err != nil {
			return nil, err
		}
		if asked != of && !s.accounts.ActsAsAdmin(actor(ctx)) {
			return nil, fault.New(fault.Forbidden, "own_deals_only", textOwnDealsOnly)
		}
		of = asked
	}
	slice, err := in.sliceOrFirst()
	if err != nil {
		return nil, err
	}
	statuses, err := in.read()
	if err != nil {
		return nil, err
	}
	list, total, err := s.deals.ListByUser(ctx, of, statuses, slice)
	return &dealListOutput{Total: Total{total}, Body: mapped(list, dealOf)}, err
}

// DealsBetweenInput names two users.
type DealsBetweenInput struct {
	Paged
	StatusQuery
	UserID      string `path:"userId" format:"uuid"`
	OtherUserID string `path:"otherUserId" format:"uuid"`
}

func (s *Server) dealsBetween(ctx context.Context, in *DealsBetweenInput) (*dealListOutput, error) {
	one, err := parseID(in.UserID)
	if err != nil {
		return nil, err
	}
	other, err := parseID(in.OtherUserID)
	if err != nil {
		return nil, err
	}
	if reader := actor(ctx); reader.ID != one && reader.ID != other && !s.accounts.ActsAsAdmin(reader) {
		return nil, fault.New(fault.Forbidden, "own_deals_only", textOwnDealsOnly)
	}
	slice, err := in.sliceOrFirst()
	if err != nil {
		return nil, err
	}
	statuses, err := in.read()
	if err != nil {
		return nil, err
	}
	list, total, err := s.deals.ListBetween(ctx, one, other, statuses, slice)
	return &dealListOutput{Total: Total{total}, Body: mapped(list, dealOf)}, err
}

// ActiveDeals summarises a user's open deals.
type ActiveDeals struct {
	ActiveDeals int         `json:"activeDeals" doc:"Deals that are Active, Late or Delivered." example:"1"`
	TotalPrice  money.Cents `json:"totalPrice" example:"100.01"`
}

func (s *Server) activeDeals(ctx context.Context, _ *struct{}) (*output[ActiveDeals], error) {
	count, total, err := s.deals.OpenTotals(ctx, actor(ctx).ID)
	return respond(ActiveDeals{count, total}), err
}

// DealTotals summarises all deals of a user.
type DealTotals struct {
	Statuses  []StatusTotal `json:"statuses" doc:"Every status, in the order of a deal's life."`
	Completed []MonthTotal  `json:"completed" doc:"The last six months in Asia/Dhaka, oldest first."`
}

// StatusTotal is the number of deals in a status.
type StatusTotal struct {
	Status string `json:"status" enum:"Pending,Active,Late,Delivered,Completed,Cancelled,Cancelled by Buyer,Cancelled by Seller"`
	Deals  int    `json:"deals" example:"1"`
}

// MonthTotal is the total of the deals completed in a month.
type MonthTotal struct {
	Month string      `json:"month" doc:"As in 2026-01." example:"2026-01"`
	Price money.Cents `json:"price" doc:"Of all of them, as buyer and seller." example:"100.01"`
}

func (s *Server) dealTotals(ctx context.Context, _ *struct{}) (*output[DealTotals], error) {
	totals, err := s.deals.Totals(ctx, actor(ctx).ID)
	return respond(DealTotals{
		Statuses: mapped(deals.Statuses(), func(status deals.Status) StatusTotal {
			return StatusTotal{Status: string(status), Deals: totals.Count[status]}
		}),
		Completed: mapped(totals.Completed, func(month deals.Month) MonthTotal {
			return MonthTotal{Month: month.Begins.Format("2006-01"), Price: month.Price}
		}),
	}), err
}
