package api

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/images"
	"amanat/internal/app/user"
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
		visible:    allowed(s.deals.CheckParty),
		codes:      []fault.Code{fault.Conflict},
	}, false, s.disputeOpen)
	registerIdempotent(s, endpoint{
		id: "dispute-picture-add", method: http.MethodPost, path: "/deals/{id}/dispute/pictures", tag: disputeTag,
		status: http.StatusCreated, image: true,
		summary: "Add a picture to show in a dispute about an open deal: it waits for that for a day; for its parties and admins",
		visible: s.orAdmin(allowed(s.deals.CheckParty), known(s.deals.Find)),
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
		visible:    allowed(s.deals.CheckDisputeParty),
		codes:      []fault.Code{fault.Conflict, fault.Duplicate},
	}, false, s.disputeAnswer)
	registerIdempotent(s, endpoint{
		id: "dispute-message", method: http.MethodPost, path: "/disputes/{id}/messages", tag: disputeTag,
		summary:    "Write into a dispute; for the parties of its deal and admins",
		rateLimits: []rateLimit{s.perPerson("messages", s.limits.MessageLimit)},
		visible:    s.orAdmin(allowed(s.deals.CheckDisputeParty), known(s.deals.FindDealOfDispute)),
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
		summary:    "Offer the other party to divide the price; replaces one's open offer",
		rateLimits: s.proposalLimits(),
		visible:    allowed(s.deals.CheckDisputeParty),
		codes:      releaseCodes,
	}, false, s.disputeOffer)
	register(s, endpoint{
		id: "dispute-offer-withdraw", method: http.MethodDelete, path: "/disputes/{id}/offers/{offerId}", tag: disputeTag,
		summary: "Withdraw one's open offer",
		codes:   []fault.Code{fault.Conflict},
	}, s.disputeOfferWithdraw)
	registerIdempotent(s, endpoint{
		id: "dispute-offer-accept", method: http.MethodPost, path: "/disputes/{id}/offers/{offerId}/accept", tag: disputeTag,
		summary: "Divide the price as the other party has offered, which ends the deal",
		codes:   append([]fault.Code{fault.Forbidden}, releaseCodes...),
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
		visible: allowed(s.deals.CheckDisputeParty),
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
	return deals.Statement{Words: DealDeliverBody{Text: t.Text, Pictures: t.Pictures}.words()}
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
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	added, err := s.deals.AddDisputePicture(ctx, actor(ctx).ID, pathID(ctx), s.accounts.ActsAsAdmin(actor(ctx)), body.Image, callOf(ctx).key)
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
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	x, err := s.deals.WriteInDispute(ctx, actor(ctx).ID, pathID(ctx), s.accounts.ActsAsAdmin(actor(ctx)), body.statement(), callOf(ctx).key)
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
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	x, err := s.deals.AppealDispute(ctx, actor(ctx).ID, pathID(ctx), body.Text, callOf(ctx).key)
	return s.disputeChanged(ctx, deals.OutcomeAppealed, x, err)
}

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
		if x.Claim != nil {
			wire.ClaimedBy, wire.ClaimedUntil = orNull(&x.Claim.Admin), &x.Claim.Until
		}
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

func (s *Server) registerAdminDisputes() {
	register(s, endpoint{
		id: "admin-disputes", method: http.MethodGet, path: "/admin/disputes", tag: adminTag, access: admin,
		summary: "Disputes: of a status that waits for an admin the oldest first, otherwise the newest first",
	}, s.adminDisputes)
	register(s, endpoint{
		id: "admin-dispute-claim", method: http.MethodPost, path: "/admin/disputes/{id}/claim", tag: adminTag, access: admin,
		summary: "Keep other admins away from a dispute for five minutes", visible: known(s.deals.FindDealOfDispute),
		codes: []fault.Code{fault.AlreadyHandled},
	}, s.adminDisputeClaim)
	registerIdempotent(s, endpoint{
		id: "admin-dispute-decide", method: http.MethodPost, path: "/admin/disputes/{id}/decide", tag: adminTag, access: reauthenticated,
		summary: "Decide a dispute; carried out when both parties accept it, or after 72 hours without an appeal",
		visible: known(s.deals.FindDealOfDispute),
		codes:   []fault.Code{fault.AlreadyHandled, fault.Conflict},
	}, false, s.adminDisputeDecide)
	registerIdempotent(s, endpoint{
		id: "admin-dispute-appeal", method: http.MethodPost, path: "/admin/disputes/{id}/appeal/decide", tag: adminTag,
		access: reauthenticated, visible: known(s.deals.FindDealOfDispute),
		summary: "Decide an appeal, which is carried out at once; for another admin than the one who decided first",
		codes:   []fault.Code{fault.AlreadyHandled, fault.Conflict},
	}, true, s.adminDisputeAppeal)
}

// AdminDisputesInput is the query of the disputes' worklist.
type AdminDisputesInput struct {
	Paged
	Status string `query:"status" enum:"open,decided,appealed,settled,closed" doc:"All when not given."`
	Search string `query:"search" doc:"The beginning of the username of a party, or words of the deal's description." example:"karim"`
}

// AdminDisputes is a page of the disputes' worklist.
type AdminDisputes struct {
	Disputes []DisputeSummary `json:"disputes"`
	Pages
}

func (s *Server) adminDisputes(ctx context.Context, in *AdminDisputesInput) (*output[AdminDisputes], error) {
	status, err := oneOf("status", in.Status, deals.DisputeStatuses()...)
	if err != nil {
		return nil, err
	}
	slice, number, err := in.slice()
	if err != nil {
		return nil, err
	}
	list, total, err := s.deals.ListDisputes(ctx, deals.DisputeQuery{Status: status, Search: in.Search}, slice)
	return respond(AdminDisputes{
		mapped(list, func(x deals.Dispute) DisputeSummary { return disputeSummaryOf(x, true) }), pagesOf(number, slice.Limit, total),
	}), err
}

func (s *Server) adminDisputeClaim(ctx context.Context, _ *IDPath) (*output[DisputeChange], error) {
	x, err := s.deals.ClaimDispute(ctx, actor(ctx).ID, pathID(ctx))
	if err != nil {
		return nil, err
	}
	change, err := s.disputeChangeOf(ctx, deals.OutcomeDisputeClaimed, x)
	return respond(change), err
}

// DisputeRulingBody is the body of a decision.
type DisputeRulingBody struct {
	BuyerGets Amount `json:"buyerGets" doc:"What goes back to the buyer, from 0 to the price." example:"40"`
	Reason    string `json:"reason" doc:"Both parties read it; 10 to 2,000 characters." example:"The channel was never handed over."`
}

func (b DisputeRulingBody) ruling() (deals.Ruling, error) {
	buyerGets, err := readBuyerGets(b.BuyerGets)
	return deals.Ruling{BuyerGets: buyerGets, Reason: b.Reason}, err
}

// DisputeRulingInput decides a dispute or an appeal.
type DisputeRulingInput struct {
	IDPath
	Payload Payload[DisputeRulingBody]
}

func (s *Server) adminDisputeDecide(ctx context.Context, in *DisputeRulingInput) (*Settled[DisputeChange], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	ruling, err := body.ruling()
	if err != nil {
		return nil, err
	}
	x, err := s.deals.DecideDispute(ctx, actor(ctx).ID, pathID(ctx), ruling, callOf(ctx).key)
	return s.disputeChanged(ctx, deals.OutcomeDisputeDecided, x, err)
}

func (s *Server) adminDisputeAppeal(ctx context.Context, in *DisputeRulingInput) (*Settled[DisputeChange], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	ruling, err := body.ruling()
	if err != nil {
		return nil, err
	}
	op, err := s.deals.DecideDisputeAppeal(ctx, actor(ctx).ID, pathID(ctx), ruling, callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	return s.settledDispute(ctx, op)
}
