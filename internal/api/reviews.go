package api

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/user"
	"amanat/internal/domain/reviews"
	"amanat/internal/lib/fault"
)

func (s *Server) registerReviews() {
	const tag = "Reviews"
	register(s, endpoint{
		id: "review-list", method: http.MethodGet, path: "/reviews", tag: tag, access: anyone, shared: sharedContent,
		summary: "Reviews that a user has received, newest first",
		codes:   []fault.Code{fault.NotFound},
	}, s.reviewList)
	registerIdempotent(s, endpoint{
		id: "review-create", method: http.MethodPost, path: "/reviews", tag: tag, status: http.StatusCreated,
		summary:    "Review the seller of a completed deal; for its buyer",
		rateLimits: []rateLimit{s.perPerson("reviews", s.limits.ReviewLimit)},
		codes:      []fault.Code{fault.NotFound, fault.Conflict, fault.Duplicate},
	}, false, s.reviewCreate)
}

// Review is a buyer's review of a seller.
type Review struct {
	ID        uuid.UUID `json:"_id"`
	Reviewer  user.Ref  `json:"reviewer"`
	Rating    int       `json:"rating" minimum:"1" maximum:"5" example:"5"`
	Comment   string    `json:"comment" example:"Everything as agreed, and fast."`
	CreatedAt time.Time `json:"createdAt"`
}

func reviewOf(r reviews.Review) Review {
	return Review{ID: r.ID, Reviewer: r.Reviewer, Rating: r.Rating, Comment: r.Comment, CreatedAt: r.CreatedAt}
}

// ReviewBody is the body of a new review.
type ReviewBody struct {
	DealID       string `json:"dealId" format:"uuid"`
	ReviewedUser string `json:"reviewedUser,omitempty" format:"uuid" doc:"The deal's seller."`
	Rating       int    `json:"rating" minimum:"1" maximum:"5" example:"5"`
	Comment      string `json:"comment" doc:"At most 2,000 characters." example:"Everything as agreed, and fast."`
}

func (s *Server) reviewCreate(ctx context.Context, in *struct{ Payload Payload[ReviewBody] }) (*Settled[Review], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	draft := reviews.Draft{Rating: body.Rating, Comment: body.Comment}
	// A malformed id becomes the zero id, which no deal has, and is refused like an unknown one.
	draft.DealID, _ = parseID(body.DealID)
	if body.ReviewedUser != "" {
		reviewed, err := parseID(body.ReviewedUser)
		if err != nil {
			return nil, err
		}
		draft.Reviewed = &reviewed
	}
	created, err := s.reviews.Create(ctx, actor(ctx).Ref(), draft, callOf(ctx).key)
	return settledWith(reviewOf(created)), err
}

// ReviewListInput is the query of /reviews.
type ReviewListInput struct {
	Paged
	Days
	User string `query:"user" required:"true" doc:"Id of who was reviewed." example:"019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
}

type reviewListOutput struct {
	Total
	Body []Review
}

func (s *Server) reviewList(ctx context.Context, in *ReviewListInput) (*reviewListOutput, error) {
	user, err := parseID(in.User)
	if err != nil {
		return nil, fault.New(fault.NotFound, "user_not_found", "User not found")
	}
	slice, err := in.sliceOrFirst()
	if err != nil {
		return nil, err
	}
	period, err := in.period()
	if err != nil {
		return nil, err
	}
	list, total, err := s.reviews.List(ctx, reviews.Query{Reviewed: user, From: period.From, To: period.To, Page: slice})
	return &reviewListOutput{Total: Total{total}, Body: mapped(list, reviewOf)}, err
}
