package api

import (
	"context"
	"net/http"
	"slices"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
	"amanat/internal/money/operations"
)

const disputeTag = "Disputes"

func (s *Server) registerDisputes() {
	registerIdempotent(s, endpoint{
		id: "dispute-open", method: http.MethodPost, path: "/deals/{id}/dispute", tag: disputeTag, status: http.StatusCreated,
		summary:    "Open a dispute about an open deal; a party's first one stops the deal's clock",
		rateLimits: []rateLimit{s.perPerson("support", s.limits.SupportLimit)},
		codes:      []fault.Code{fault.Conflict},
	}, false, s.disputeOpen)
	registerIdempotent(s, endpoint{
		id: "dispute-picture-add", method: http.MethodPost, path: "/deals/{id}/dispute/pictures", tag: disputeTag,
		status: http.StatusCreated, image: true, replayFirst: true,
		summary: "Add a picture to show in a dispute about an open deal: it waits for that for a day; for its parties and admins",
		codes:   []fault.Code{fault.Conflict},
	}, false, s.disputePictureAdd)
	register(s, endpoint{
		id: "dispute", method: http.MethodGet, path: "/disputes/{id}", tag: disputeTag,
		summary: "A dispute, to the parties of its deal and admins",
	}, s.dispute)
	registerIdempotent(s, endpoint{
		id: "dispute-answer", method: http.MethodPost, path: "/disputes/{id}/answer", tag: disputeTag,
		summary:    "Answer a dispute; for the party who did not open it",
		rateLimits: []rateLimit{s.perPerson("messages", s.limits.MessageLimit)},
		codes:      []fault.Code{fault.Conflict, fault.Duplicate},
	}, false, s.disputeAnswer)
	registerIdempotent(s, endpoint{
		id: "dispute-message", method: http.MethodPost, path: "/disputes/{id}/messages", tag: disputeTag,
		summary:    "Write into a dispute; for the parties of its deal and admins",
		rateLimits: []rateLimit{s.perPerson("messages", s.limits.MessageLimit)},
		codes:      []fault.Code{fault.Conflict},
	}, false, s.disputeMessage)
	register(s, endpoint{
		id: "dispute-close", method: http.MethodPost, path: "/disputes/{id}/close", tag: disputeTag,
		summary: "Close a dispute without moving money, so that the deal goes on; for the one who opened it",
		codes:   []fault.Code{fault.Conflict},
	}, s.disputeClose)
	s.registerDisputeOffers()
	s.registerDisputeDecisions()
}

func (s *Server) registerDisputeOffers() {
	registerIdempotent(s, endpoint{
		id: "dispute-offer", method: http.MethodPost, path: "/disputes/{id}/offers", tag: disputeTag,
		replayFirst: true,
		summary:     "Offer the other party to divide the price; replaces one's open offer",
		rateLimits:  s.proposalLimits(),
		codes:       releaseCodes,
	}, false, s.disputeOffer)
	register(s, endpoint{
		id: "dispute-offer-withdraw", method: http.MethodDelete, path: "/disputes/{id}/offers/{offerId}", tag: disputeTag,
		summary: "Withdraw one's open offer",
		codes:   []fault.Code{fault.Conflict},
	}, s.disputeOfferWithdraw)
	registerIdempotent(s, endpoint{
		id: "dispute-offer-accept", method: http.MethodPost, path: "/disputes/{id}/offers/{offerId}/accept", tag: disputeTag,
		replayFirst: true,
		summary:     "Divide the price as the other party has offered, which ends the deal",
		codes:       append([]fault.Code{fault.Forbidden}, releaseCodes...),
	}, true, s.disputeOfferAccept)
}

func (s *Server) registerDisputeDecisions() {
	registerIdempotent(s, endpoint{
		id: "dispute-accept", method: http.MethodPost, path: "/disputes/{id}/accept", tag: disputeTag,
		summary: "Accept the decision of a dispute; it is carried out once both parties have",
		codes:   []fault.Code{fault.Conflict},
	}, true, s.disputeAccept)
	registerIdempotent(s, endpoint{
		id: "dispute-appeal", method: http.MethodPost, path: "/disputes/{id}/appeal", tag: disputeTag,
		summary: "Appeal against the decision of a dispute, once and within 72 hours",
		codes:   []fault.Code{fault.Conflict},
	}, false, s.disputeAppeal)
}

// DisputeOpenBody is what a party complains about.
type DisputeOpenBody struct {
	Reason string `json:"reason" enum:"not_delivered,not_as_agreed,broken,access_taken,not_released,asks_more,abuse,other" doc:"The first four are those of a buyer, the next three those of a seller."`
	DisputeStatement
}

// DisputeStatement is what a party writes in a dispute.
type DisputeStatement struct {
	DisputeText
	Links []string `json:"links,omitempty" doc:"At most five, each beginning with https://." example:"https://example.com/channel"`
}

// DisputeText is a message in a dispute.
type DisputeText struct {
	Text     string   `json:"text" doc:"1 to 2,000 characters." example:"The channel has another owner than agreed."`
	Pictures []string `json:"pictures,omitempty" doc:"Ids of at most eight pictures that were added for the dispute, in their order." example:"019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
}

func (t DisputeText) statement() deals.Statement {
	return deals.Statement{Words: DealDeliverBody(t).words()}
}

func (t DisputeStatement) statement() deals.Statement {
	said := t.DisputeText.statement()
	said.Links = t.Links
	return said
}

func (s *Server) disputeOpen(
	ctx context.Context, in *struct {
		IDPath
		Payload Payload[DisputeOpenBody]
	},
) (*Settled[DisputeChange], error) {
	if err := s.deals.CheckParty(ctx, actor(ctx).ID, pathID(ctx)); err != nil { // before the body is judged
		return nil, err
	}
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	x, err := s.deals.OpenDispute(
		ctx, actor(ctx).ID, pathID(ctx), deals.DisputeReason(body.Reason), body.statement(), callOf(ctx).key)
	return s.disputeChanged(ctx, deals.OutcomeDisputed, x, err)
}

func (s *Server) disputePictureAdd(
	ctx context.Context, in *struct {
		IDPath
		Payload Payload[DealPictureBody]
	},
) (*Settled[DealPictureAdded], error) {
	asAdmin, check := s.accounts.ActsAsAdmin(actor(ctx)), s.deals.CheckParty
	if asAdmin {
		check = func(ctx context.Context, _, id uuid.UUID) error { return s.dealExists(ctx, id) }
	}
	if err := check(ctx, actor(ctx).ID, pathID(ctx)); err != nil { // before the body is judged
		return nil, err
	}
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	added, err := s.deals.AddDisputePicture(ctx, actor(ctx).ID, pathID(ctx), asAdmin, body.Image, callOf(ctx).key)
	return settledWith(DealPictureAdded{added}), err
}

// DisputeFound is the answer to the question for a dispute.
type DisputeFound struct {
	Dispute DealDispute `json:"dispute"`
}

func (s *Server) dispute(ctx context.Context, _ *IDPath) (*output[DisputeFound], error) {
	found, err := s.findDispute(ctx, pathID(ctx))
	if err != nil {
		return nil, err
	}
	wire, err := s.disputeOf(ctx, found)
	return respond(DisputeFound{wire}), err
}

// findDispute returns a dispute to a party or an admin. Code NotFound for others.
func (s *Server) findDispute(ctx context.Context, id uuid.UUID) (deals.DisputeDetail, error) {
	if s.accounts.ActsAsAdmin(actor(ctx)) {
		return s.deals.GetAnyDispute(ctx, id)
	}
	return s.deals.GetDispute(ctx, actor(ctx).ID, id)
}

// disputeChanged is the answer to a change of a dispute.
func (s *Server) disputeChanged(
	ctx context.Context, done catalog.Outcome, x deals.DisputeDetail, err error,
) (*Settled[DisputeChange], error) {
	if err != nil {
		return nil, err
	}
	change, err := s.disputeChangeOf(ctx, done, x)
	return settledWith(change), err
}

// DisputeAnswerInput names a dispute and what is written in it.
type DisputeAnswerInput struct {
	IDPath
	Payload Payload[DisputeStatement]
}

func (s *Server) disputeAnswer(ctx context.Context, in *DisputeAnswerInput) (*Settled[DisputeChange], error) {
	if err := s.deals.CheckDisputeParty(ctx, actor(ctx).ID, pathID(ctx)); err != nil { // before the body is judged
		return nil, err
	}
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	x, err := s.deals.AnswerDispute(ctx, actor(ctx).ID, pathID(ctx), body.statement(), callOf(ctx).key)
	return s.disputeChanged(ctx, deals.OutcomeAnswered, x, err)
}

// DisputeMessageInput names a dispute and a message in it.
type DisputeMessageInput struct {
	IDPath
	Payload Payload[DisputeText]
}

func (s *Server) disputeMessage(ctx context.Context, in *DisputeMessageInput) (*Settled[DisputeChange], error) {
	asAdmin, check := s.accounts.ActsAsAdmin(actor(ctx)), s.deals.CheckDisputeParty
	if asAdmin {
		check = func(ctx context.Context, _, id uuid.UUID) error { return s.deals.DisputeExists(ctx, id) }
	}
	if err := check(ctx, actor(ctx).ID, pathID(ctx)); err != nil { // before the body is judged
		return nil, err
	}
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	x, err := s.deals.WriteInDispute(ctx, actor(ctx).ID, pathID(ctx), asAdmin, body.statement(), callOf(ctx).key)
	return s.disputeChanged(ctx, deals.OutcomeWritten, x, err)
}

func (s *Server) disputeClose(ctx context.Context, _ *IDPath) (*output[DisputeChange], error) {
	x, err := s.deals.CloseDispute(ctx, actor(ctx).ID, pathID(ctx))
	if err != nil {
		return nil, err
	}
	change, err := s.disputeChangeOf(ctx, deals.OutcomeDisputeClosed, x)
	return respond(change), err
}

// DisputeOfferBody is an offer to divide the price.
type DisputeOfferBody struct {
	BuyerGets Amount `json:"buyerGets" doc:"What goes back to the buyer, from 0 to the price." example:"40"`
}

// readBuyerGets parses what goes back to the buyer, which must not be missing: 0 means all for the
// seller.
func readBuyerGets(amount Amount) (money.Cents, error) {
	if !amount.given {
		return 0, fault.Field("buyerGets", "split_missing", "Enter what goes back to the buyer.")
	}
	return amount.read("buyerGets")
}

func (s *Server) disputeOffer(
	ctx context.Context, in *struct {
		IDPath
		Payload Payload[DisputeOfferBody]
	},
) (*Settled[DisputeChange], error) {
	if err := s.deals.CheckDisputeParty(ctx, actor(ctx).ID, pathID(ctx)); err != nil { // before the body is judged
		return nil, err
	}
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	buyerGets, err := readBuyerGets(body.BuyerGets)
	if err != nil {
		return nil, err
	}
	err = s.checkDivision(ctx, func(x deals.DisputeDetail) bool { return buyerGets < x.Deal.Price })
	if err != nil {
		return nil, err
	}
	x, err := s.deals.MakeOffer(ctx, actor(ctx).ID, pathID(ctx), buyerGets, callOf(ctx).key)
	return s.disputeChanged(ctx, deals.OutcomeOffered, x, err)
}

// checkDivision checks that the caller may divide the price of the deal in dispute: the buyer must
// be allowed to give money to the seller, if toSeller says that the seller gets some.
func (s *Server) checkDivision(ctx context.Context, toSeller func(deals.DisputeDetail) bool) error {
	unproved := s.checkRelease(ctx)
	if unproved == nil {
		return nil
	}
	x, err := s.deals.GetDispute(ctx, actor(ctx).ID, pathID(ctx))
	if err == nil && x.Deal.Buyer.ID == actor(ctx).ID && toSeller(x) {
		err = unproved
	}
	return err
}

// DisputeOfferPath names an offer of a dispute.
type DisputeOfferPath struct {
	IDPath
	OfferID string `path:"offerId" format:"uuid"`
}

func (s *Server) disputeOfferWithdraw(ctx context.Context, in *DisputeOfferPath) (*output[DisputeChange], error) {
	offerID, err := parseID(in.OfferID)
	if err != nil {
		return nil, err
	}
	x, err := s.deals.WithdrawOffer(ctx, actor(ctx).ID, pathID(ctx), offerID)
	if err != nil {
		return nil, err
	}
	change, err := s.disputeChangeOf(ctx, deals.OutcomeOfferWithdrawn, x)
	return respond(change), err
}

func (s *Server) disputeOfferAccept(ctx context.Context, in *DisputeOfferPath) (*Settled[DisputeChange], error) {
	offerID, err := parseID(in.OfferID)
	if err != nil {
		return nil, err
	}
	err = s.checkDivision(ctx, func(x deals.DisputeDetail) bool {
		return slices.ContainsFunc(x.Offers, func(o deals.Offer) bool { return o.ID == offerID && o.SellerGets > 0 })
	})
	if err != nil {
		return nil, err
	}
	op, err := s.deals.AcceptOffer(ctx, actor(ctx).ID, pathID(ctx), offerID, callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	return s.settledDispute(ctx, op)
}

// settledDispute waits for an operation on the deal of the dispute and answers with its outcome.
func (s *Server) settledDispute(ctx context.Context, op operations.Operation) (*Settled[DisputeChange], error) {
	return awaitOperation(ctx, s, op, func(done catalog.Outcome) (DisputeChange, error) {
		found, err := s.findDispute(ctx, pathID(ctx))
		if err != nil {
			return DisputeChange{}, err
		}
		return s.disputeChangeOf(ctx, done, found)
	})
}

func (s *Server) disputeAccept(ctx context.Context, _ *IDPath) (*Settled[DisputeChange], error) {
	accepted, err := s.deals.AcceptDecision(ctx, actor(ctx).ID, pathID(ctx), callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	if accepted.Operation != nil {
		return s.settledDispute(ctx, *accepted.Operation)
	}
	return s.disputeChanged(ctx, deals.OutcomeDecisionAccepted, accepted.Dispute, nil)
}

// DisputeAppealBody is why a decision is wrong.
type DisputeAppealBody struct {
	Text string `json:"text" doc:"1 to 2,000 characters." example:"The buyer has logged in since."`
}

func (s *Server) disputeAppeal(
	ctx context.Context, in *struct {
		IDPath
		Payload Payload[DisputeAppealBody]
	},
) (*Settled[DisputeChange], error) {
	if err := s.deals.CheckDisputeParty(ctx, actor(ctx).ID, pathID(ctx)); err != nil { // before the body is judged
		return nil, err
	}
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	x, err := s.deals.AppealDispute(ctx, actor(ctx).ID, pathID(ctx), body.Text, callOf(ctx).key)
	return s.disputeChanged(ctx, deals.OutcomeAppealed, x, err)
}
