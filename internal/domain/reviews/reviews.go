// Package reviews implements the buyers' reviews of sellers after completed deals.
package reviews

import (
	"context"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/sanitize"
	"amanat/internal/money/idempotency"
)

// Bounds (docs/rules.md#reviews).
const (
	minRating  = 1
	maxRating  = 5
	maxComment = 2000

	// countsOncePer is the time in which one review of a buyer counts in the average of a seller.
	countsOncePer = 30 * 24 * time.Hour
)

// Review is a buyer's review of the seller of a deal.
type Review struct {
	ID        uuid.UUID
	DealID    uuid.UUID
	Reviewer  user.Ref
	Reviewed  uuid.UUID
	Rating    int
	Comment   string
	CreatedAt time.Time
}

// Draft is the input of Create. Zero values stand for omitted fields.
type Draft struct {
	DealID   uuid.UUID
	Reviewed *uuid.UUID // if given, it must be the deal's seller
	Rating   int
	Comment  string
}

// Query selects the reviews that a user has received.
type Query struct {
	postgres.Page
	Reviewed uuid.UUID
	From, To *time.Time // created from From until before To; nil for no bound
}

// Notifier notifies a user of a change, in the transaction that makes it.
type Notifier interface {
	Notify(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, kind catalog.Kind, params catalog.Params, link string) error
}

// Service implements the use cases of reviews. It is safe for concurrent use.
type Service struct {
	DB      postgres.DB
	Clock   clock.Clock
	Notices Notifier
}

// deal is the part of a deal that a review depends on.
type deal struct {
	BuyerID        uuid.UUID
	SellerID       uuid.UUID
	SellerUsername string
	Completed      bool
	MostlyRefunded bool
	Agreed         bool // by the seller, who accepted or delivered it
	Counts         bool // in the seller's record
}

// Create publishes the buyer's review of the seller of a completed deal and notifies the seller.
// Codes: NotFound if the actor is not a party of the deal; Forbidden for its seller; Invalid with
// the first rule that fails; Conflict if the deal is not completed, if most of its price went back,
// since such a deal costs hardly anything, or if its seller never agreed to it, since a buyer alone
// can create, pay and complete a deal with a seller who knows nothing of it; Duplicate if it was
// already reviewed; IdempotencyMismatch. A replay returns the review that the key created.
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
		if !about.Completed { // final once true
			return fault.New(fault.Conflict, "review_too_early", "You can review the seller once the deal is completed.")
		}
		if about.MostlyRefunded { // final too
			return fault.New(fault.Conflict, "review_mostly_refunded", "You got most of the money back, so you cannot review the seller.")
		}
		if !about.Agreed { // final too, as the deal is completed
			return fault.New(fault.Conflict, "review_never_agreed", "The seller never agreed to this deal, so you cannot review them for it.")
		}
		review := Review{
			ID: id, DealID: draft.DealID, Reviewer: actor, Reviewed: about.SellerID, Rating: draft.Rating, Comment: draft.Comment,
			CreatedAt: s.Clock.Now(),
		}
		if err := insertReview(ctx, tx, review, about.Counts); err != nil {
			return err
		}
		params := catalog.Params{"username": actor.Username, "rating": strconv.Itoa(draft.Rating)}
		return s.Notices.Notify(ctx, tx, about.SellerID, catalog.ReviewReceived, params, "/profile/"+about.SellerUsername)
	})
	if err != nil {
		return Review{}, err
	}
	return getReview.One(ctx, s.DB, postgres.Args{"id": made})
}

func (d Draft) validate(actor uuid.UUID, about deal) error {
	switch {
	case actor == about.SellerID:
		return fault.New(fault.Forbidden, "buyer_only", "Only the buyer can do this.")
	case actor != about.BuyerID:
		return errNoDeal()
	case d.Reviewed != nil && *d.Reviewed != about.SellerID:
		return fault.Field("reviewedUser", "review_seller_only", "Only the seller of the deal can be reviewed.")
	case d.Rating < minRating || d.Rating > maxRating:
		return fault.Field("rating", "rating_out_of_range", "The rating must be 1 to 5.")
	case d.Comment == "":
		return fault.Field("comment", "comment_missing", "Please write a comment.")
	case utf8.RuneCountInString(d.Comment) > maxComment:
		return fault.Field("comment", "comment_too_long", "The comment must be at most 2,000 characters.")
	}
	return nil
}

// List returns a page of the reviews that a user has received and that are not hidden, newest first
// and with shortened comments, and their total number. They are public.
func (s *Service) List(ctx context.Context, q Query) ([]Review, int, error) {
	return listReviews(ctx, s.DB, q)
}

// Hide hides a review for a decision, unless another decision hides it: it is not listed and does
// not count. It is called in the transaction of the decision.
func (s *Service) Hide(ctx context.Context, tx *postgres.Tx, id, decision uuid.UUID) error {
	return hideReview.Run(ctx, tx, postgres.Args{"id": id, "decision": decision})
}

// Unhide shows the review that a decision hides, if there is one. It is called in the transaction
// that overturns the decision.
func (s *Service) Unhide(ctx context.Context, tx *postgres.Tx, decision uuid.UUID) error {
	return unhideReview.Run(ctx, tx, postgres.Args{"decision": decision})
}

func errNoDeal() error { return fault.New(fault.NotFound, "deal_not_found", "Deal not found.") }
