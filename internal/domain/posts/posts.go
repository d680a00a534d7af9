// Package posts manages the posts of sellers, their public listing and its search.
package posts

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/money"
	"amanat/internal/platform/clock"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/images"
	"amanat/internal/platform/postgres"
	"amanat/internal/platform/user"
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

// Get returns a post. Any visitor may call it. Code NotFound, also while the seller is disabled.
func (s *Service) Get(ctx context.Context, id uuid.UUID) (Post, error) {
	return getPost(ctx, s.DB, id)
}

// ListByUser returns a page of a user's posts, newest first, with shortened descriptions, and their
// total number. Any visitor may call it.
func (s *Service) ListByUser(ctx context.Context, userID uuid.UUID, page postgres.Page) ([]Post, int, error) {
	return listByUser(ctx, s.DB, userID, page)
}

func errNotFound() error { return fault.New(fault.NotFound, "post_not_found", "Post not found") }

func errForbidden() error {
	return fault.New(fault.Forbidden, "own_posts_only", "You may change your own posts only.")
}
