package api

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/domain/accounts"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/reports"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/ratelimit"
	"amanat/internal/money"
)

func (s *Server) registerCounteroffers() {
	registerIdempotent(s, endpoint{
		id: "deal-counteroffer-make", method: http.MethodPost, path: "/deals/{id}/counteroffers", tag: dealTag, status: http.StatusCreated,
		summary:    "Propose other terms for a pending deal, which replaces the open counter-offer; the deal cannot be paid meanwhile",
		rateLimits: s.proposalLimits(), visible: allowed(s.deals.CheckParty),
		codes: []fault.Code{fault.Conflict},
	}, false, s.counterofferMake)
	register(s, endpoint{
		id: "deal-counteroffer-accept", method: http.MethodPost, path: "/deals/{id}/counteroffers/{counterofferId}/accept", tag: dealTag,
		summary: "Give the deal the proposed terms; for the party who did not propose them",
		codes:   []fault.Code{fault.Conflict},
	}, s.counterofferAccept)
	register(s, endpoint{
		id: "deal-counteroffer-decline", method: http.MethodPost, path: "/deals/{id}/counteroffers/{counterofferId}/decline", tag: dealTag,
		summary: "Decline the proposed terms: the deal keeps its own; for the party who did not propose them",
		codes:   []fault.Code{fault.Conflict},
	}, s.counterofferDecline)
	register(s, endpoint{
		id: "deal-counteroffer-withdraw", method: http.MethodDelete, path: "/deals/{id}/counteroffers/{counterofferId}", tag: dealTag,
		summary: "Withdraw the proposed terms: the deal keeps its own; for whoever proposed them",
		codes:   []fault.Code{fault.Conflict},
	}, s.counterofferWithdraw)
}

// Counteroffer is other terms that a party has proposed for a deal.
type Counteroffer struct {
	ID     uuid.UUID `json:"_id"`
	MadeBy uuid.UUID `json:"madeBy" doc:"The party who proposes them."`
	DealTerms
	Fee       money.Cents `json:"fee" example:"2"`
	Payout    money.Cents `json:"payout" doc:"What the seller would receive: price less fee." example:"98.01"`
	Text      string      `json:"text" doc:"What was written to the other party with it; may be empty." example:"I need two days more."`
	CreatedAt time.Time   `json:"createdAt"`
}

func counterofferOf(o *deals.Counteroffer) *Counteroffer {
	if o == nil {
		return nil
	}
	return &Counteroffer{
		ID: o.ID, MadeBy: o.MadeBy, DealTerms: termsOf(o.Terms), Fee: o.Fee, Payout: o.Payout(), Text: o.Text, CreatedAt: o.CreatedAt,
	}
}

// CounterofferBody is what a party proposes: all terms, also those that stay.
type CounterofferBody struct {
	DealTermsBody
	InspectionDays int    `json:"inspectionDays" doc:"Days the buyer may check what was delivered, 1 to 30." example:"3"`
	Text           string `json:"text,omitempty" doc:"At most 2,000 characters." example:"I need two days more."`
}

func (s *Server) counterofferMake(
	ctx context.Context, in *struct {
		IDPath
		Payload Payload[CounterofferBody]
	},
) (*Settled[DealChange], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	terms, err := body.terms(body.InspectionDays)
	if err != nil {
		return nil, err
	}
	d, err := s.deals.MakeCounteroffer(ctx, actor(ctx).ID, pathID(ctx), terms, body.Text, callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	change, err := dealChangeOf(deals.OutcomeCountered, d)
	return settledWith(change), err
}

// CounterofferPath names a counter-offer of a deal.
type CounterofferPath struct {
	IDPath
	CounterofferID string `path:"counterofferId" format:"uuid"`
}

func (s *Server) counterofferAccept(ctx context.Context, in *CounterofferPath) (*output[DealChange], error) {
	return s.endCounteroffer(ctx, in, deals.OutcomeCounterofferAccepted, s.deals.AcceptCounteroffer)
}

func (s *Server) counterofferDecline(ctx context.Context, in *CounterofferPath) (*output[DealChange], error) {
	return s.endCounteroffer(ctx, in, deals.OutcomeCounterofferDeclined, s.deals.DeclineCounteroffer)
}

func (s *Server) counterofferWithdraw(ctx context.Context, in *CounterofferPath) (*output[DealChange], error) {
	return s.endCounteroffer(ctx, in, deals.OutcomeCounterofferWithdrawn, s.deals.WithdrawCounteroffer)
}

func (s *Server) endCounteroffer(
	ctx context.Context, in *CounterofferPath, done catalog.Outcome,
	end func(ctx context.Context, userID, id, offerID uuid.UUID) (deals.Detail, error),
) (*output[DealChange], error) {
	offerID, err := parseID(in.CounterofferID)
	if err != nil {
		return nil, err
	}
	return s.changeDeal(ctx, done, func(ctx context.Context, actor, id uuid.UUID) (deals.Detail, error) {
		return end(ctx, actor, id, offerID)
	})
}

func (s *Server) registerInvites() {
	register(s, endpoint{
		id: "invites", method: http.MethodGet, path: "/invites", tag: dealTag,
		summary: "The user's links that wait for somebody to join, at most twenty, newest first",
	}, s.invites)
	register(s, endpoint{
		id: "invite", method: http.MethodGet, path: "/invites/{code}", tag: dealTag, access: visitor,
		summary: "The deal that a link offers, to anybody; once somebody has joined, to the two parties",
		codes:   []fault.Code{fault.NotFound},
	}, s.inviteOffer)
	registerIdempotent(s, endpoint{
		id: "invite-join", method: http.MethodPost, path: "/invites/{code}/join", tag: dealTag, status: http.StatusCreated,
		summary:    "Join the deal of a link, which is agreeing to it; for anybody but its maker",
		rateLimits: s.proposalLimits(),
		codes:      []fault.Code{fault.NotFound, fault.Forbidden, fault.Conflict},
	}, false, s.inviteJoin)
	register(s, endpoint{
		id: "invite-revoke", method: http.MethodDelete, path: "/invites/{code}", tag: dealTag,
		summary: "Make a link useless; for its maker, while nobody has joined",
		codes:   []fault.Code{fault.NotFound},
	}, s.inviteRevoke)
}

// DealGuest is whom a link to a deal is for.
type DealGuest struct {
	Email string `json:"email,omitempty" doc:"Where the link is sent; nobody else sees it." example:"karim@example.com"`
	Phone string `json:"phone,omitempty" doc:"For the maker's own use; nobody else sees it." example:"01712345678"`
}

// CodePath is the code of a link.
type CodePath struct {
	Code string `path:"code" doc:"Ten letters and digits, in any letter case." example:"k7m2p9qa4x"`
}

// DealInvite is a link to a deal, as its maker sees it.
type DealInvite struct {
	ID   uuid.UUID `json:"_id"`
	Code string    `json:"code" doc:"The link is /d/{code}." example:"k7m2p9qa4x"`
	Role string    `json:"role" enum:"Buyer,Seller" doc:"The maker's."`
	DealTerms
	Email     string    `json:"email,omitempty" doc:"Where the link was sent." example:"karim@example.com"`
	Phone     string    `json:"phone,omitempty" example:"01712345678"`
	CreatedAt time.Time `json:"createdAt"`
	ExpiresAt time.Time `json:"expiresAt"`
}

func inviteOf(i deals.Invite) DealInvite {
	return DealInvite{
		ID: i.ID, Code: i.Code, Role: roleOf(i), DealTerms: termsOf(i.Terms),
		Email: i.Email, Phone: i.Phone, CreatedAt: i.CreatedAt, ExpiresAt: i.ExpiresAt,
	}
}

func roleOf(i deals.Invite) string {
	if i.MakerBuys {
		return "Buyer"
	}
	return "Seller"
}

// InviteOffer is the deal that a link offers.
type InviteOffer struct {
	Maker          user.Ref `json:"maker"`
	Role           string   `json:"role" enum:"Buyer,Seller" doc:"The maker's."`
	SuccessScore   *int     `json:"successScore" doc:"The maker's percent of completed over finished deals; null before the first." example:"96"`
	CompletedDeals int      `json:"completedDeals" doc:"The maker's." example:"24"`
	FinishedDeals  int      `json:"finishedDeals" doc:"The maker's: what successScore is a percentage of." example:"25"`
	AverageRating  *float64 `json:"averageRating" doc:"The maker's, 1 to 5, to one decimal; null without reviews." example:"4.8"`
	DealTerms
	Fee       money.Cents `json:"fee" doc:"Of the price, when the seller is paid." example:"2"`
	Payout    money.Cents `json:"payout" doc:"What the seller receives: price less fee." example:"98.01"`
	ExpiresAt time.Time   `json:"expiresAt"`
	IsOwn     bool        `json:"isOwn" doc:"The reader has made the link."`
	DealID    *uuid.UUID  `json:"dealId" format:"uuid" nullable:"true" doc:"The deal, to its parties, once somebody has joined."`
}

// DealCreated is a new deal, or the link with which somebody joins one. Exactly one is set.
type DealCreated struct {
	Deal   *DealDetail
	Invite *DealInvite
}

// MarshalJSON writes the deal or the link.
func (c DealCreated) MarshalJSON() ([]byte, error) {
	if c.Invite != nil {
		return json.Marshal(c.Invite)
	}
	return json.Marshal(c.Deal)
}

// Schema documents DealCreated.
func (DealCreated) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{
		r.Schema(reflect.TypeFor[DealDetail](), true, ""), r.Schema(reflect.TypeFor[DealInvite](), true, ""),
	}}
}

// createInvite makes a link. Its email counts against the maker's day and the guest's mailbox.
func (s *Server) createInvite(ctx context.Context, draft deals.Draft) (*Settled[DealCreated], error) {
	giveBack := func() {}
	if draft.Guest.Email != "" {
		var err error
		mailbox := ratelimit.Limit{Name: "invite-mailbox", Rate: s.limits.InviteMailboxLimit}
		giveBack, err = s.enforceRateLimits(ctx, s.perPerson("invite-mails", s.limits.InviteMailLimit),
			func(*call) ratelimit.Bucket { return mailbox.For(accounts.Mailbox(draft.Guest.Email)) })
		if err != nil {
			return nil, err
		}
	}
	key := callOf(ctx).key
	made, err := s.deals.Invite(ctx, actor(ctx).ID, draft, key)
	if err != nil || key != nil && key.Used() {
		giveBack()
	}
	if err != nil {
		return nil, err
	}
	invite := inviteOf(made)
	return settledWith(DealCreated{Invite: &invite}), nil
}

func (s *Server) invites(ctx context.Context, _ *struct{}) (*output[[]DealInvite], error) {
	list, err := s.deals.ListInvites(ctx, actor(ctx).ID)
	return respond(mapped(list, inviteOf)), err
}

func (s *Server) inviteOffer(ctx context.Context, in *CodePath) (*output[InviteOffer], error) {
	reader := callOf(ctx).userID()
	i, err := s.deals.FindInvite(ctx, reader, in.Code)
	if err != nil {
		return nil, err
	}
	standing, err := s.reports.Standing(ctx, i.Maker.ID, reports.Period{})
	return respond(InviteOffer{
		Maker: i.Maker, Role: roleOf(i), SuccessScore: standing.SuccessScore(), CompletedDeals: standing.Completed,
		FinishedDeals: standing.Finished, AverageRating: standing.AverageRating,
		DealTerms: termsOf(i.Terms), Fee: i.Fee, Payout: i.Payout(), ExpiresAt: i.ExpiresAt,
		IsOwn: reader != nil && *reader == i.Maker.ID, DealID: i.DealID,
	}), err
}

func (s *Server) inviteJoin(ctx context.Context, in *CodePath) (*Settled[DealDetail], error) {
	joined, err := s.deals.Join(ctx, actor(ctx).ID, in.Code, callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	detail, err := dealDetailOf(joined)
	return settledWith(detail), err
}

func (s *Server) inviteRevoke(ctx context.Context, in *CodePath) (*output[Message], error) {
	err := s.deals.RevokeInvite(ctx, actor(ctx).ID, in.Code)
	return respond(Message{deals.OutcomeRevoked}), err
}
