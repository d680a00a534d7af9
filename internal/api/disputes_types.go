package api

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/images"
	"amanat/internal/app/user"
	"amanat/internal/domain/deals"
	"amanat/internal/money"
	"amanat/internal/money/operations"
)

// DisputeSummary is a dispute as the admins' list shows it.
type DisputeSummary struct {
	ID           uuid.UUID                 `json:"_id"`
	Deal         DisputedDeal              `json:"deal"`
	Buyer        user.Ref                  `json:"buyer"`
	Seller       user.Ref                  `json:"seller"`
	OpenedBy     string                    `json:"openedBy" enum:"buyer,seller"`
	Reason       string                    `json:"reason" enum:"not_delivered,not_as_agreed,broken,access_taken,not_released,asks_more,abuse,other"`
	Status       string                    `json:"status" enum:"open,decided,appealed,settled,closed"`
	CreatedAt    time.Time                 `json:"createdAt"`
	AnswerDueAt  time.Time                 `json:"answerDueAt" doc:"By when the other party is asked to answer."`
	AnsweredAt   *time.Time                `json:"answeredAt"`
	ExpectedBy   *time.Time                `json:"expectedBy" doc:"When the next decision is expected, or the last one is carried out; null once the dispute has ended."`
	EndedAt      *time.Time                `json:"endedAt"`
	Decision     Nullable[DisputeDecision] `json:"decision" doc:"The last one; null while there is none."`
	ClaimedBy    Nullable[user.Ref]        `json:"claimedBy" doc:"The admin who works on it; null for the parties."`
	ClaimedUntil *time.Time                `json:"claimedUntil"`
}

// DealDispute is a dispute with all that its room shows.
type DealDispute struct {
	DisputeSummary
	Thread    []DisputeEntry          `json:"thread" doc:"Oldest first."`
	Offers    []DisputeOffer          `json:"offers" doc:"Oldest first."`
	Appeal    Nullable[DisputeAppeal] `json:"appeal"`
	CanAppeal bool                    `json:"canAppeal" doc:"Whether the caller may appeal against the decision now."`
	Operation *operations.View        `json:"operation,omitempty" doc:"Only while money is in flight."`
}

// DisputedDeal is the deal of a dispute.
type DisputedDeal struct {
	ID     uuid.UUID   `json:"_id"`
	Title  string      `json:"title" doc:"The first line of the description, shortened." example:"Cooking channel"`
	Price  money.Cents `json:"price" example:"100.01"`
	Status string      `json:"status" enum:"Active,Late,Delivered,Completed,Cancelled,Cancelled by Buyer,Cancelled by Seller"`
}

// DisputeEntry is a line of a dispute's thread.
type DisputeEntry struct {
	ID       uuid.UUID              `json:"_id"`
	At       time.Time              `json:"at"`
	Author   Nullable[user.Ref]     `json:"author" doc:"Null for Amanat itself."`
	Role     string                 `json:"role" enum:"buyer,seller,admin,system"`
	Kind     string                 `json:"kind" enum:"opened,answer,message,offer,offer_withdrawn,decision,accepted,appeal,settled,closed"`
	Text     string                 `json:"text" example:"The channel has another owner than agreed."`
	Links    []string               `json:"links" example:"https://example.com/channel"`
	Pictures []images.Attachment    `json:"pictures"`
	Offer    Nullable[DisputeOffer] `json:"offer" doc:"The offer that was made, withdrawn or accepted; otherwise null."`
}

// DisputeSplit is how the price is divided.
type DisputeSplit struct {
	BuyerGets  money.Cents `json:"buyerGets" example:"40"`
	SellerGets money.Cents `json:"sellerGets" doc:"Price less buyerGets and the fee." example:"58.81"`
	Fee        money.Cents `json:"fee" doc:"2% of what the buyer does not get back." example:"1.20"`
}

// DisputeOffer is a party's offer to divide the price.
type DisputeOffer struct {
	ID uuid.UUID `json:"_id"`
	By string    `json:"by" enum:"buyer,seller"`
	DisputeSplit
	Status    string    `json:"status" enum:"open,withdrawn,replaced,accepted"`
	CreatedAt time.Time `json:"createdAt"`
}

// DisputeDecision is an admin's decision of a dispute.
type DisputeDecision struct {
	ID uuid.UUID `json:"_id"`
	By user.Ref  `json:"by"`
	DisputeSplit
	Reason           string     `json:"reason" example:"The channel was never handed over."`
	DecidedAt        time.Time  `json:"decidedAt"`
	CarriedOutAt     *time.Time `json:"carriedOutAt"`
	DueAt            time.Time  `json:"dueAt" doc:"When it is carried out, unless both parties accept it before or one appeals."`
	AcceptedByBuyer  bool       `json:"acceptedByBuyer"`
	AcceptedBySeller bool       `json:"acceptedBySeller"`
	Final            bool       `json:"final" doc:"It is about an appeal, and there is no other one."`
}

// DisputeAppeal is the appeal against a decision.
type DisputeAppeal struct {
	By   string    `json:"by" enum:"buyer,seller"`
	Text string    `json:"text" example:"The buyer has logged in since."`
	At   time.Time `json:"at"`
}

// DisputeChange is the answer to an action on a dispute.
type DisputeChange struct {
	catalog.Outcome
	Dispute DealDispute `json:"dispute"`
}

// side returns the side of a party of a deal.
func side(d deals.Deal, userID uuid.UUID) string {
	if userID == d.Buyer.ID {
		return "buyer"
	}
	return "seller"
}

func disputeRole(d deals.Deal, author *user.Ref) string {
	switch {
	case author == nil:
		return "system"
	case d.IsParty(author.ID):
		return side(d, author.ID)
	}
	return "admin"
}

func disputeSplitOf(s deals.Split) DisputeSplit {
	return DisputeSplit{BuyerGets: s.BuyerGets, SellerGets: s.SellerGets, Fee: s.Fee}
}

func disputeOfferOf(d deals.Deal, o deals.Offer) DisputeOffer {
	return DisputeOffer{
		ID: o.ID, By: side(d, o.MadeBy), DisputeSplit: disputeSplitOf(o.Split), Status: string(o.Status), CreatedAt: o.CreatedAt,
	}
}

// disputeSummaryOf returns a dispute, with the admin who works on it for admins.
func disputeSummaryOf(x deals.Dispute, forAdmin bool) DisputeSummary {
	d := x.Deal
	wire := DisputeSummary{
		ID: x.ID, Buyer: d.Buyer, Seller: d.Seller, OpenedBy: side(d, x.OpenedBy), Reason: string(x.Reason), Status: string(x.Status),
		Deal:      DisputedDeal{ID: d.ID, Title: catalog.DealTitle(d.Description), Price: d.Price, Status: string(d.Status)},
		CreatedAt: x.CreatedAt, AnswerDueAt: x.AnswerDueAt, AnsweredAt: x.AnsweredAt, ExpectedBy: x.ExpectedBy(), EndedAt: x.EndedAt,
	}
	if forAdmin {
		wire.ClaimedBy, wire.ClaimedUntil = orNull(x.ClaimedBy), x.ClaimedUntil
	}
	if c := x.Decision; c != nil {
		wire.Decision = orNull(&DisputeDecision{
			ID: c.ID, By: c.By, DisputeSplit: disputeSplitOf(c.Split), Reason: c.Reason, DecidedAt: c.DecidedAt,
			CarriedOutAt: c.CarriedOutAt, DueAt: c.DueAt, AcceptedByBuyer: c.BuyerAcceptedAt != nil,
			AcceptedBySeller: c.SellerAcceptedAt != nil, Final: c.Final,
		})
	}
	return wire
}

// disputeOf returns a dispute as the caller sees it.
func (s *Server) disputeOf(ctx context.Context, x deals.DisputeDetail) (DealDispute, error) {
	operation, err := operationOrNil(x.Operation)
	reader := actor(ctx)
	wire := DealDispute{
		DisputeSummary: disputeSummaryOf(x.Dispute, s.accounts.ActsAsAdmin(reader)),
		Offers:         mapped(x.Offers, func(o deals.Offer) DisputeOffer { return disputeOfferOf(x.Deal, o) }),
		CanAppeal:      x.CanAppeal(reader.ID, s.clock.Now()), Operation: operation,
		Thread: mapped(x.Thread, func(e deals.DisputeEntry) DisputeEntry {
			line := DisputeEntry{
				ID: e.ID, At: e.At, Author: orNull(e.Author), Role: disputeRole(x.Deal, e.Author), Kind: string(e.Kind), Text: e.Text,
				Links: orEmpty(e.Links), Pictures: orEmpty(e.Pictures),
			}
			for _, o := range x.Offers {
				if e.OfferID != nil && o.ID == *e.OfferID {
					offer := disputeOfferOf(x.Deal, o)
					line.Offer = orNull(&offer)
				}
			}
			return line
		}),
	}
	if x.AppealedBy != nil {
		wire.Appeal = orNull(&DisputeAppeal{By: side(x.Deal, *x.AppealedBy), Text: x.Appeal, At: *x.AppealedAt})
	}
	return wire, err
}

func (s *Server) disputeChangeOf(ctx context.Context, done catalog.Outcome, x deals.DisputeDetail) (DisputeChange, error) {
	wire, err := s.disputeOf(ctx, x)
	return DisputeChange{done, wire}, err
}
