package api

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"amanat/internal/fault"
	"amanat/internal/party"
	"amanat/internal/reviews"
)

func (s *Server) registerReviews() {
	const tag = "Reviews"
	register(s, endpoint{
		id: "review-list", method: http.MethodGet, path: "/reviews", tag: tag, access: anyone,
		summary: "Reviews that a user has received, newest first",
		codes:   []fault.Code{fault.NotFound},
	}, s.reviewList)
	registerKeyed(s, endpoint{
		id: "review-create", method: http.MethodPost, path: "/reviews", tag: tag, status: http.StatusCreated,
		summary: "Review the seller of a completed deal; for its buyer",
		codes:   []fault.Code{fault.NotFound, fault.Conflict, fault.Duplicate},
	}, false, s.reviewCreate)
}

// Review is what a buyer says about a seller.
type Review struct {
	ID        uuid.UUID   `json:"_id"`
	Reviewer  party.Party `json:"reviewer"`
	Rating    int         `json:"rating" minimum:"1" maximum:"5"`
	Comment   string      `json:"comment"`
	CreatedAt time.Time   `json:"createdAt"`
}

func reviewOf(r reviews.Review) Review {
	return Review{ID: r.ID, Reviewer: r.Reviewer, Rating: r.Rating, Comment: r.Comment, CreatedAt: r.CreatedAt}
}

// ReviewBody is the body of a new review.
type ReviewBody struct {
	DealID       string `json:"dealId" format:"uuid"`
	ReviewedUser string `json:"reviewedUser,omitempty" format:"uuid" doc:"The deal's seller."`
	Rating       int    `json:"rating" minimum:"1" maximum:"5"`
	Comment      string `json:"comment" doc:"At most 2,000 characters."`
}

func (s *Server) reviewCreate(ctx context.Context, in *struct{ Payload Payload[ReviewBody] }) (*Settled[Review], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	draft := reviews.Draft{Rating: body.Rating, Comment: body.Comment}
	// A malformed id is that of no deal, which the noun refuses in its turn.
	draft.DealID, _ = parseID(body.DealID)
	if body.ReviewedUser != "" {
		if draft.Reviewed, err = parseID(body.ReviewedUser); err != nil {
			return nil, err
		}
	}
	created, err := s.reviews.Create(ctx, actor(ctx).Party(), draft, callOf(ctx).key)
	return &Settled[Review]{Status: http.StatusCreated, Body: reviewOf(created)}, err
}

// ReviewListInput is the query of /reviews.
type ReviewListInput struct {
	Paged
	User string `query:"user" required:"true" doc:"Id of who was reviewed."`
}

type reviewListOutput struct {
	Total int `header:"X-Total-Count"`
	Body  []Review
}

func (s *Server) reviewList(ctx context.Context, in *ReviewListInput) (*reviewListOutput, error) {
	user, err := parseID(in.User)
	if err != nil {
		return nil, fault.New(fault.NotFound, "User not found")
	}
	slice, err := in.sliceOrAll()
	if err != nil {
		return nil, err
	}
	list, total, err := s.reviews.List(ctx, reviews.Query{Reviewed: user, Page: reviews.Page(slice)})
	return &reviewListOutput{Total: total, Body: mapped(list, reviewOf)}, err
}
