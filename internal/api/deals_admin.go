package api

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
)

func (s *Server) registerAdminDeals() {
	register(s, endpoint{
		id: "admin-deals", method: http.MethodGet, path: "/admin/deals", tag: adminTag, access: admin,
		summary: "Deals, newest first; those that wait for a decision, the longest wait first",
	}, s.adminDeals)
	registerIdempotent(s, endpoint{
		id: "admin-deal-complete", method: http.MethodPost, path: "/admin/deals/complete/{id}", tag: adminTag, access: reauthenticated,
		summary: "Release an open deal's escrow to its seller", visible: known(s.deals.Find),
		codes: []fault.Code{fault.Conflict},
	}, true, s.adminDealComplete)
	registerIdempotent(s, endpoint{
		id: "admin-deal-cancel", method: http.MethodPost, path: "/admin/deals/cancel/{id}", tag: adminTag, access: reauthenticated,
		summary: "Give an open deal's price back to its buyer, in full", visible: known(s.deals.Find),
		codes: []fault.Code{fault.Conflict},
	}, true, s.adminDealCancel)
}

// AdminDealsInput is the query of /admin/deals.
type AdminDealsInput struct {
	Paged
	Status    string    `query:"status" enum:"Pending,Active,Late,Delivered,Completed,Cancelled,Cancelled by Buyer,Cancelled by Seller"`
	DealID    string    `query:"dealId" example:"019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
	Escalated queryFlag `query:"escalated" doc:"true: only deals that wait for an admin's decision, because the clock or a suspended account has brought them there."`
}

func (s *Server) adminDeals(ctx context.Context, in *AdminDealsInput) (*dealListOutput, error) {
	status, err := oneOf("status", in.Status, deals.Statuses()...)
	if err != nil {
		return nil, err
	}
	escalated, err := oneOf("escalated", string(in.Escalated), "true", "false")
	if err != nil {
		return nil, err
	}
	slice, err := in.sliceOrFirst()
	if err != nil {
		return nil, err
	}
	filter := deals.Filter{Status: status, Escalated: escalated == "true"}
	if text := strings.TrimSpace(in.DealID); text != "" {
		id, err := parseID(text)
		if err != nil { // text that is not a whole id matches no deal
			return &dealListOutput{Body: []Deal{}}, nil //nolint:nilerr // the search has an answer
		}
		filter.DealID = &id
	}
	list, total, err := s.deals.ListAll(ctx, filter, slice)
	return &dealListOutput{Total: Total{total}, Body: mapped(list, dealOf)}, err
}

// DealDecided is the answer to an admin's decision on a deal.
type DealDecided struct {
	catalog.Outcome
	Deal DealDetail `json:"deal"`
}

func (s *Server) adminDealComplete(ctx context.Context, _ *IDPath) (*Settled[DealDecided], error) {
	return s.decideDeal(ctx, s.deals.RequestForceComplete)
}

func (s *Server) adminDealCancel(ctx context.Context, _ *IDPath) (*Settled[DealDecided], error) {
	return s.decideDeal(ctx, s.deals.RequestForceCancel)
}

func (s *Server) decideDeal(ctx context.Context, request dealOperation) (*Settled[DealDecided], error) {
	op, err := request(ctx, actor(ctx).ID, pathID(ctx), callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	return awaitOperation(ctx, s, op, func(done catalog.Outcome) (DealDecided, error) {
		found, err := s.deals.GetAny(ctx, actor(ctx).ID, pathID(ctx))
		if err != nil {
			return DealDecided{}, err
		}
		detail, err := dealDetailOf(found)
		return DealDecided{done, detail}, err
	})
}

func (s *Server) registerSupport() {
	registerIdempotent(s, endpoint{
		id: "deal-support", method: http.MethodPost, path: "/deals/support", tag: dealTag, status: http.StatusCreated,
		summary:    "Ask an admin for help with a deal; a party's first request stops the clock of an open deal",
		rateLimits: []rateLimit{s.perPerson("support", s.limits.SupportLimit)},
		codes:      []fault.Code{fault.NotFound, fault.Conflict},
	}, false, s.dealSupport)
	register(s, endpoint{
		id: "admin-support-requests", method: http.MethodGet, path: "/admin/support-request", tag: adminTag, access: admin,
		summary: "Support requests: open ones first, oldest first; then closed ones, newest first",
	}, s.adminSupportRequests)
	register(s, endpoint{
		id: "admin-support-close", method: http.MethodPost, path: "/admin/support-request/{id}/close", tag: adminTag, access: reauthenticated,
		summary: "Answer and close a support request; the deal's clock goes on after the last one", visible: known(s.deals.GetSupport),
		codes: []fault.Code{fault.AlreadyHandled},
	}, s.adminSupportClose)
}

// SupportBody is the body of a support request. The requester is the session's user; the client's
// fields about them are ignored.
type SupportBody struct {
	DealID           string `json:"dealId" format:"uuid"`
	IssueDescription string `json:"issueDescription" example:"The seller has not handed over the channel."`
}

func (s *Server) dealSupport(ctx context.Context, in *struct{ Payload Payload[SupportBody] }) (*Settled[Message], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	// A malformed id becomes the zero id, which no deal has, and is refused like an unknown one.
	dealID, _ := parseID(body.DealID)
	if err := s.deals.RequestSupport(ctx, actor(ctx).ID, dealID, body.IssueDescription, callOf(ctx).key); err != nil {
		return nil, err
	}
	return settledWith(Message{deals.OutcomeSupport}), nil
}

// SupportRequest is a party's request for an admin.
type SupportRequest struct {
	ID               uuid.UUID          `json:"_id"`
	UserID           uuid.UUID          `json:"userId"`
	Username         string             `json:"username" example:"rahim"`
	User             user.Ref           `json:"user"`
	DealID           uuid.UUID          `json:"dealId"`
	DealDescription  string             `json:"dealDescription" example:"A cooking channel with 12,000 subscribers."`
	IssueDescription string             `json:"issueDescription" example:"The seller has not handed over the channel."`
	CreatedAt        time.Time          `json:"createdAt"`
	ClosedAt         *time.Time         `json:"closedAt"`
	ClosedBy         Nullable[user.Ref] `json:"closedBy"`
	Answer           string             `json:"answer" doc:"Of the admin who closed it; both parties read it. Empty while it is open." example:"Please send the access again."`
}

func supportRequestOf(r deals.SupportRequest) SupportRequest {
	return SupportRequest{
		ID: r.ID, UserID: r.User.ID, Username: r.User.Username, User: r.User, DealID: r.DealID,
		DealDescription: r.DealDescription, IssueDescription: r.Issue,
		CreatedAt: r.CreatedAt, ClosedAt: r.ClosedAt, ClosedBy: orNull(r.ClosedBy), Answer: r.Answer,
	}
}

type supportListOutput struct {
	Total
	Body []SupportRequest
}

// SupportListInput is the query of /admin/support-request.
type SupportListInput struct {
	PagedLong
	Open   queryFlag `query:"open" doc:"true: only open ones."`
	Search string    `query:"search" doc:"The beginning of the requester's username, their email address, the id of the request or the deal, or words of the request." example:"karim"`
}

func (s *Server) adminSupportRequests(ctx context.Context, in *SupportListInput) (*supportListOutput, error) {
	slice, err := in.sliceOrFirst()
	if err != nil {
		return nil, err
	}
	open, err := oneOf("open", string(in.Open), "true", "false")
	if err != nil {
		return nil, err
	}
	list, total, err := s.deals.ListSupport(ctx, deals.SupportQuery{Open: open == "true", Search: in.Search}, slice)
	return &supportListOutput{Total: Total{total}, Body: mapped(list, supportRequestOf)}, err
}

// SupportAnswer is the body that closes a support request.
type SupportAnswer struct {
	Answer string `json:"answer" doc:"What both parties read, at most 2,000 characters." example:"Please send the access again."`
}

// SupportCloseInput is the path and body that close a support request.
type SupportCloseInput struct {
	IDPath
	Payload Payload[SupportAnswer]
}

func (s *Server) adminSupportClose(ctx context.Context, in *SupportCloseInput) (*output[Message], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	err = s.deals.CloseSupport(ctx, actor(ctx).ID, pathID(ctx), body.Answer)
	return respond(Message{catalog.Outcome{Code: "support_closed", Message: "Support request closed"}}), err
}
