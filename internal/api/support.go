package api

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"amanat/internal/deals"
	"amanat/internal/fault"
	"amanat/internal/party"
)

func (s *Server) registerSupport() {
	registerKeyed(s, endpoint{
		id: "deal-support", method: http.MethodPost, path: "/deals/support", tag: dealTag, status: http.StatusCreated,
		summary: "Ask an admin for help with a deal; while it is open that stops the deal's clock",
		bounds:  []bound{perUser("support", s.limits.SupportLimit)},
		codes:   []fault.Code{fault.NotFound, fault.Conflict},
	}, false, s.dealSupport)
	register(s, endpoint{
		id: "admin-support-requests", method: http.MethodGet, path: "/admin/support-request", tag: adminTag, access: admin,
		summary: "Support requests: open ones first, oldest first; then closed ones, newest first",
	}, s.adminSupportRequests)
	register(s, endpoint{
		id: "admin-support-close", method: http.MethodPost, path: "/admin/support-request/{id}/close", tag: adminTag, access: admin,
		summary: "Close a support request; the deal's clock goes on after the last one", exists: s.supportRequestExists,
		codes: []fault.Code{fault.AlreadyHandled},
	}, s.adminSupportClose)
}

// SupportBody is the body of a support request. Who asks, the server knows better than what SPEC sends along.
type SupportBody struct {
	DealID           string `json:"dealId" format:"uuid"`
	IssueDescription string `json:"issueDescription"`
}

func (s *Server) dealSupport(ctx context.Context, in *struct{ Payload Payload[SupportBody] }) (*Settled[Message], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	// A malformed id is that of no deal, which the noun refuses in its turn.
	dealID, _ := parseID(body.DealID)
	if err := s.deals.RequestSupport(ctx, actor(ctx).ID, dealID, body.IssueDescription, callOf(ctx).key); err != nil {
		return nil, err
	}
	return &Settled[Message]{Status: http.StatusCreated, Body: Message{deals.MessageSupport}}, nil
}

// SupportRequest is a party's call for an admin.
type SupportRequest struct {
	ID               uuid.UUID             `json:"_id"`
	UserID           uuid.UUID             `json:"userId"`
	Username         string                `json:"username"`
	User             party.Party           `json:"user"`
	DealID           uuid.UUID             `json:"dealId"`
	DealDescription  string                `json:"dealDescription"`
	IssueDescription string                `json:"issueDescription"`
	CreatedAt        time.Time             `json:"createdAt"`
	ClosedAt         *time.Time            `json:"closedAt"`
	ClosedBy         Nullable[party.Party] `json:"closedBy"`
}

func supportRequestOf(r deals.SupportRequest) SupportRequest {
	return SupportRequest{
		ID: r.ID, UserID: r.User.ID, Username: r.User.Username, User: r.User, DealID: r.DealID,
		DealDescription: r.DealDescription, IssueDescription: r.Issue,
		CreatedAt: r.CreatedAt, ClosedAt: r.ClosedAt, ClosedBy: orNull(r.ClosedBy),
	}
}

type supportListOutput struct {
	Total int `header:"X-Total-Count"`
	Body  []SupportRequest
}

func (s *Server) adminSupportRequests(ctx context.Context, in *Paged) (*supportListOutput, error) {
	slice, err := in.sliceOrAll()
	if err != nil {
		return nil, err
	}
	list, total, err := s.deals.ListSupport(ctx, deals.Page(slice))
	return &supportListOutput{Total: total, Body: mapped(list, supportRequestOf)}, err
}

func (s *Server) supportRequestExists(ctx context.Context, id uuid.UUID) error {
	_, err := s.deals.GetSupport(ctx, id)
	return err
}

const messageSupportClosed = "Support request closed"

func (s *Server) adminSupportClose(ctx context.Context, _ *IDPath) (*output[Message], error) {
	err := s.deals.CloseSupport(ctx, actor(ctx).ID, pathID(ctx))
	return respond(Message{messageSupportClosed}), err
}
