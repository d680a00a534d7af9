package api

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/mailer"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/operations"
)

const dealTag = "Deals"

func (s *Server) registerDeals() {
	registerIdempotent(s, endpoint{
		id: "deal-create", method: http.MethodPost, path: "/deals/create", tag: dealTag, status: http.StatusCreated,
		summary:    "Propose a deal as its buyer or its seller, to another user or by a link",
		rateLimits: s.proposalLimits(),
		codes:      []fault.Code{fault.Conflict},
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
		codes:   []fault.Code{fault.Conflict},
	}, s.dealDeliver)
	registerIdempotent(s, endpoint{
		id: "deal-complete", method: http.MethodPost, path: "/deals/complete/{id}", tag: dealTag,
		replayFirst: true,
		summary:     "Release the escrow to the seller; for the buyer",
		codes:       releaseCodes,
	}, true, s.dealComplete)
	s.registerDealPictures()
	s.registerCounteroffers()
}

// proposalLimits are the limits of calls that make a deal or mail a proposal about one: deals,
// counter-offers and offers to divide a price count together.
func (s *Server) proposalLimits() []rateLimit {
	return []rateLimit{s.perPerson("deals", s.limits.DealLimit), s.perPerson("deals-day", s.limits.DealDayLimit)}
}

// DealCreateBody is the body of a new deal. The caller is its buyer or its seller.
type DealCreateBody struct {
	BuyerID          string `json:"buyerId,omitempty" format:"uuid" doc:"Left out where invite takes its place."`
	SellerID         string `json:"sellerId,omitempty" format:"uuid" doc:"Left out where invite takes its place."`
	Price            Amount `json:"price" example:"100.01"`
	Description      string `json:"description" example:"A cooking channel with 12,000 subscribers."`
	DeliveryDuration int    `json:"deliveryDuration" doc:"Days, 1 to 99." example:"7"`
	InspectionDays   *int   `json:"inspectionDays,omitempty" nullable:"true" doc:"Days the buyer may check what was delivered, 1 to 30; 3 when not given."`
	// Invite takes the place of the other user's id.
	Invite *DealGuest `json:"invite,omitempty" doc:"In place of the other user's id: answers with a link with which one person joins the deal."`
}

func (b DealCreateBody) draft() (deals.Draft, error) {
	var err error
	draft := deals.Draft{Description: b.Description, DeliveryDays: b.DeliveryDuration, InspectionDays: b.InspectionDays}
	if draft.Price, err = b.Price.read("price"); err != nil {
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
	return s.accounts.CheckRelease(ctx, c.user, c.session, c.browser)
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
