// Package reviews holds what buyers say about sellers once a deal is completed.
package reviews

import (
	"context"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/money/idempotency"
	"amanat/internal/platform/catalog"
	"amanat/internal/platform/clock"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
	"amanat/internal/platform/sanitize"
	"amanat/internal/platform/user"
)

// Bounds (docs/rules.md#reviews).
const (
	minRating  = 1
	maxRating  = 5
	maxComment = 2000
)

// Review is what a buyer says about the seller of a deal.
type Review struct {
	ID        uuid.UUID
	DealID    uuid.UUID
	Reviewer  user.Ref
	Reviewed  uuid.UUID
	Rating    int
	Comment   string
	CreatedAt time.Time
}

// Draft is a review as its writer sends it. Zero values stand for what was not given.
type Draft struct {
	DealID   uuid.UUID
	Reviewed *uuid.UUID // the deal knows it better: given, it must be the seller
	Rating   int
	Comment  string
}

// Query asks for the reviews that a user has received.
type Query struct {
	postgres.Page
	Reviewed uuid.UUID
	From, To *time.Time // only those written from From until before To; nil is open
}

// Notifier tells one person of something, in the transaction that made it true.
type Notifier interface {
	Notify(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, kind catalog.Kind, params catalog.Params, link string) error
}

// Service holds the use cases. It is safe for concurrent use.
type Service struct {
	DB      postgres.DB
	Clock   clock.Clock
	Notices Notifier
}

// deal is what a review must know of the deal it is about.
type deal struct {
	BuyerID        uuid.UUID
	SellerID       uuid.UUID
	SellerUsername string
	Completed      bool
	Agreed         bool // by the seller, who accepted or delivered it
}

// Create publishes a review of the seller by the buyer of a completed deal, and tells the seller. Codes: NotFound to who is no party of the
// deal; Forbidden to its seller; Invalid with the first rule that fails; Conflict while the deal is not completed, and when its seller never
// agreed to it: anybody can make, pay and complete a deal with somebody who knows nothing of it; Duplicate when it was reviewed;
// IdempotencyMismatch. A replay returns the review that the key made.
func (s *Service) Create(ctx context.Context, actor user.Ref, draft Draft, key *idempotency.Key) (Review, error) {
	about, err := getDeal(ctx, s.DB, draft.DealID)
	if err != nil {
		return Review{}, err
	}
	draft.Comment = sanitize.Text(draft.Comment)
	if err := draft.validate(actor.ID, about); err != nil {
		return Review{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Review{}, err
	}
	made, err := idempotency.Create(ctx, s.DB, key, id, s.Clock.Now(), func(tx *postgres.Tx) error {
		if !about.Completed { // which lasts for ever once it is true
			return fault.New(fault.Conflict, "You can review the seller once the deal is completed.")
		}
		if !about.Agreed { // nor will they now
			return fault.New(fault.Conflict, "The seller never agreed to this deal, so you cannot review them for it.")
		}
		review := Review{
			ID: id, DealID: draft.DealID, Reviewer: actor, Reviewed: about.SellerID, Rating: draft.Rating, Comment: draft.Comment,
			CreatedAt: s.Clock.Now(),
		}
		if err := insertReview(ctx, tx, review); err != nil {
			return err
		}
		params := catalog.Params{"username": actor.Username, "rating": strconv.Itoa(draft.Rating)}
		return s.Notices.Notify(ctx, tx, about.SellerID, catalog.ReviewReceived, params, "/profile/"+about.SellerUsername)
	})
	if err != nil {
		return Review{}, err
	}
	return getReview(ctx, s.DB, made)
}

func (d Draft) validate(actor uuid.UUID, about deal) error {
	switch {
	case actor == about.SellerID:
		return fault.New(fault.Forbidden, "Only the buyer can do this.")
	case actor != about.BuyerID:
		return errNoDeal()
	case d.Reviewed != nil && *d.Reviewed != about.SellerID:
		return fault.Field("reviewedUser", "Only the seller of the deal can be reviewed.")
	case d.Rating < minRating || d.Rating > maxRating:
		return fault.Field("rating", "The rating must be 1 to 5.")
	case d.Comment == "":
		return fault.Field("comment", "Please write a comment.")
	case utf8.RuneCountInString(d.Comment) > maxComment:
		return fault.Field("comment", "The comment must be at most 2,000 characters.")
	}
	return nil
}

// List returns the reviews that a user has received, newest first and with the beginnings of their comments, and how many there are in all.
// Anybody may read them.
func (s *Service) List(ctx context.Context, q Query) ([]Review, int, error) {
	return listReviews(ctx, s.DB, q)
}

func errNoDeal() error { return fault.New(fault.NotFound, "Deal not found.") }
