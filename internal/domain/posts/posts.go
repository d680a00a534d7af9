// Package posts manages the posts of sellers, their public listing and its search.
package posts

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/images"
	"amanat/internal/app/user"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

// Category is the category of a post, one of Categories.
type Category string

// Categories (docs/rules.md#categories).
const (
	FreelanceService Category = "Freelance Service"
	PhysicalProduct  Category = "Physical Product"
	OnlineAsset      Category = "Online Asset"
)

// Categories returns all categories.
func Categories() []Category { return []Category{FreelanceService, PhysicalProduct, OnlineAsset} }

// Post is a service post.
type Post struct {
	ID          uuid.UUID
	CreatedBy   user.Ref
	Title       string
	Description string
	Price       money.Cents
	Category    Category
	Subcategory string
	ImageID     *uuid.UUID // nil if there is none
	Tags        []string
	CreatedAt   time.Time
	UpdatedAt   time.Time
	HiddenBy    *uuid.UUID // the decision that hides it from everyone but its seller and admins; nil if none does
}

// Image returns the URL of the post's image, "" if it has none.
func (p Post) Image() string {
	if p.ImageID == nil {
		return ""
	}
	return images.URL(*p.ImageID)
}

// Service implements the use cases of posts. It is safe for concurrent use.
type Service struct {
	DB     postgres.DB
	Clock  clock.Clock
	Images *images.Service
}

// Reader is who reads a post. The zero value is a visitor.
type Reader struct {
	UserID *uuid.UUID // nil: a visitor
	Admin  bool
}

// sees reports whether the reader may read the post.
func (r Reader) sees(p Post) bool {
	return p.HiddenBy == nil || r.Admin || r.UserID != nil && *r.UserID == p.CreatedBy.ID
}

// Get returns a post. Any visitor may call it. Code NotFound, also while the seller is disabled,
// and for a hidden post unless the reader is its seller or an admin.
func (s *Service) Get(ctx context.Context, reader Reader, id uuid.UUID) (Post, error) {
	post, err := getPost(ctx, s.DB, id)
	if err == nil && !reader.sees(post) {
		return Post{}, errNotFound()
	}
	return post, err
}

// ListByUser returns a page of a user's posts without the hidden ones, newest first, with shortened
// descriptions, and their total number. Any visitor may call it.
func (s *Service) ListByUser(ctx context.Context, userID uuid.UUID, page postgres.Page) ([]Post, int, error) {
	return listByUser(ctx, s.DB, userID, page, shownPosts)
}

// ListOwn is ListByUser for the user, with the hidden posts.
func (s *Service) ListOwn(ctx context.Context, userID uuid.UUID, page postgres.Page) ([]Post, int, error) {
	return listByUser(ctx, s.DB, userID, page, allPosts)
}

// Hide hides a post for a decision, unless it was deleted or another decision hides it. It is
// called in the transaction of the decision.
func (s *Service) Hide(ctx context.Context, tx *postgres.Tx, id, decision uuid.UUID) error {
	return hidePost(ctx, tx, id, decision)
}

// Unhide shows the post that a decision hides, if there is one. It is called in the transaction
// that overturns the decision.
func (s *Service) Unhide(ctx context.Context, tx *postgres.Tx, decision uuid.UUID) error {
	return unhidePost(ctx, tx, decision)
}

func errNotFound() error { return fault.New(fault.NotFound, "post_not_found", "Post not found") }

func errForbidden() error {
	return fault.New(fault.Forbidden, "own_posts_only", "You may change your own posts only.")
}
