package api

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/domain/posts"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

const postTag = "Posts"

func (s *Server) registerPosts() {
	register(s, endpoint{
		id: "posts-public", method: http.MethodGet, path: "/posts/public", tag: postTag, access: anyone, shared: sharedContent,
		summary: "The public listing, in an order of the visitor's own",
	}, s.postsPublic)
	register(s, endpoint{
		id: "posts-mine", method: http.MethodGet, path: "/posts/my-posts", tag: postTag, summary: "Posts of the user, newest first",
	}, s.postsMine)
	register(s, endpoint{
		id: "posts-of-user", method: http.MethodGet, path: "/posts/user/{username}", tag: postTag, access: anyone, shared: sharedContent,
		summary: "Posts of a seller, newest first",
		codes:   []fault.Code{fault.NotFound},
	}, s.postsOfUser)
	register(s, endpoint{
		id: "post", method: http.MethodGet, path: "/posts/{id}", tag: postTag, access: visitor, shared: sharedContent,
		summary: "One post; a hidden one to its seller and admins",
	}, s.post)
	registerIdempotent(s, endpoint{
		id: "post-create", method: http.MethodPost, path: "/posts", tag: postTag, status: http.StatusCreated, image: true,
		summary:    "Publish a post",
		rateLimits: []rateLimit{s.perPerson("posts", s.limits.PostLimit), s.perPerson("posts-day", s.limits.PostDayLimit)},
		codes:      []fault.Code{fault.NotFound, fault.Conflict},
	}, false, s.postCreate)
	register(s, endpoint{
		id: "post-edit", method: http.MethodPut, path: "/posts/{id}", tag: postTag, image: true, summary: "Change a post; for its seller",
		visible: func(ctx context.Context, c *call) error {
			_, err := s.posts.Own(ctx, c.user.ID, c.id)
			return err
		},
		rateLimits: []rateLimit{s.perPerson("post-edits", s.limits.PostEditLimit)},
	}, s.postEdit)
	register(s, endpoint{
		id: "post-delete", method: http.MethodDelete, path: "/posts/{id}", tag: postTag, summary: "Delete a post; for its seller",
	}, s.postDelete)
}

// Post is a service post as shown to everyone.
type Post struct {
	ID          uuid.UUID   `json:"_id"`
	Title       string      `json:"title" example:"Cooking channel"`
	Description string      `json:"description" example:"A cooking channel with 12,000 subscribers."`
	Price       money.Cents `json:"price" example:"100.01"`
	Category    string      `json:"category" enum:"Freelance Service,Physical Product,Online Asset"`
	Subcategory string      `json:"subcategory" example:"YouTube Channel"`
	Image       string      `json:"image" doc:"URL, which takes ?w= for the width that is needed; \"\" when there is none." example:"/api/images/019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
	Tags        []string    `json:"tags" example:"cooking"`
	CreatedBy   user.Ref    `json:"createdBy"`
	CreatedAt   time.Time   `json:"createdAt"`
	UpdatedAt   time.Time   `json:"updatedAt"`
	Hidden      bool        `json:"hidden" doc:"By a decision of an admin: only its seller and admins see it."`
	DecisionID  *uuid.UUID  `json:"decisionId" nullable:"true" doc:"The decision that hides it."`
}

func postOf(p posts.Post) Post {
	return Post{
		ID: p.ID, Title: p.Title, Description: p.Description, Price: p.Price, Category: string(p.Category), Subcategory: p.Subcategory,
		Image: p.Image(), Tags: p.Tags, CreatedBy: p.CreatedBy, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
		Hidden: p.HiddenBy != nil, DecisionID: p.HiddenBy,
	}
}

// PostBody is the body of a new or changed post.
type PostBody struct {
	Title       string   `json:"title" doc:"At most 80 characters." example:"Cooking channel"`
	Description string   `json:"description" example:"A cooking channel with 12,000 subscribers."`
	Price       Amount   `json:"price" example:"100.01"`
	Category    string   `json:"category" enum:"Freelance Service,Physical Product,Online Asset"`
	Subcategory string   `json:"subcategory" doc:"One of the category's, or the seller's own where none fits." example:"YouTube Channel"`
	Image       *string  `json:"image,omitempty" doc:"A picture as a data URL, \"\" for none; when editing, the URL it has, or nothing, keeps it." example:"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="`
	Tags        []string `json:"tags,omitempty" doc:"At most ten, of at most 30 characters." example:"cooking"`
}

func (b PostBody) draft() posts.Draft {
	draft := posts.Draft{
		Title: b.Title, Description: b.Description, Category: posts.Category(b.Category), Subcategory: b.Subcategory,
		Tags: b.Tags, Image: b.Image,
	}
	draft.Price, draft.PriceFault = b.Price.read("price")
	return draft
}

func (s *Server) postCreate(ctx context.Context, in *struct{ Payload Payload[PostBody] }) (*Settled[Post], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	created, err := s.posts.Create(ctx, actor(ctx).Ref(), body.draft(),
		s.maxFor(ctx, s.limits.MaxPosts, s.limits.MaxPostsNew), callOf(ctx).key)
	return settledWith(postOf(created)), err
}

// PostEditInput names a post and its new content.
type PostEditInput struct {
	IDPath
	Payload Payload[PostBody]
}

func (s *Server) postEdit(ctx context.Context, in *PostEditInput) (*output[Post], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	changed, err := s.posts.Edit(ctx, actor(ctx).ID, pathID(ctx), body.draft())
	return respond(postOf(changed)), err
}

func (s *Server) postDelete(ctx context.Context, _ *IDPath) (*output[Message], error) {
	err := s.posts.Delete(ctx, actor(ctx).ID, pathID(ctx))
	return respond(Message{catalog.Outcome{Code: "post_deleted", Message: "Post deleted"}}), err
}

func (s *Server) post(ctx context.Context, _ *IDPath) (*output[Post], error) {
	c := callOf(ctx)
	reader := posts.Reader{UserID: c.userID(), Admin: c.known && s.accounts.ActsAsAdmin(c.user)}
	found, err := s.posts.Get(ctx, reader, pathID(ctx))
	return respond(postOf(found)), err
}

type postListOutput struct {
	Total
	Body []Post
}

func (s *Server) postsMine(ctx context.Context, in *Paged) (*postListOutput, error) {
	return s.postsBy(ctx, s.posts.ListOwn, actor(ctx).ID, *in)
}

// UsernamePath names a user, case-insensitively.
type UsernamePath struct {
	Username string `path:"username" example:"rahim"`
}

// PostsOfUserInput names a seller and a page of their posts.
type PostsOfUserInput struct {
	UsernamePath
	Paged
}

func (s *Server) postsOfUser(ctx context.Context, in *PostsOfUserInput) (*postListOutput, error) {
	seller, err := s.accounts.Find(ctx, in.Username)
	if err != nil {
		return nil, err
	}
	return s.postsBy(ctx, s.posts.ListByUser, seller.ID, in.Paged)
}

// postsBy answers with a page of a user's posts, as list reads them.
func (s *Server) postsBy(
	ctx context.Context, list func(context.Context, uuid.UUID, postgres.Page) ([]posts.Post, int, error), userID uuid.UUID, paged Paged,
) (*postListOutput, error) {
	slice, err := paged.sliceOrFirst()
	if err != nil {
		return nil, err
	}
	found, total, err := list(ctx, userID, slice)
	return &postListOutput{Total: Total{total}, Body: mapped(found, postOf)}, err
}

// PostsPublicInput is the query of the public listing.
type PostsPublicInput struct {
	Page     queryNumber `query:"page" doc:"From 1." example:"1"`
	Search   string      `query:"search" doc:"Words in title, tags, description, category, subcategory or the seller's name." example:"cooking"`
	Category string      `query:"category" enum:"Freelance Service,Physical Product,Online Asset"`
	Seed     string      `query:"seed" doc:"As the first page gave it: keeps the order through the pages." example:"7f3a91c2"`
}

// PostListing is a page of the public listing.
type PostListing struct {
	Posts       []Post `json:"posts"`
	TotalPages  int    `json:"totalPages" doc:"Exact up to 10,000 posts." example:"1"`
	CurrentPage int    `json:"currentPage" example:"1"`
	Seed        string `json:"seed" example:"7f3a91c2"`
}

func (s *Server) postsPublic(ctx context.Context, in *PostsPublicInput) (*output[PostListing], error) {
	number, err := wholeNumber("page", in.Page, 1, maxPage)
	if err != nil {
		return nil, err
	}
	category, err := oneOf("category", in.Category, posts.Categories()...)
	if err != nil {
		return nil, err
	}
	listing, err := s.posts.Explore(ctx, posts.Query{Search: in.Search, Category: category, Seed: in.Seed, Page: number})
	return respond(PostListing{
		Posts: mapped(listing.Posts, postOf), TotalPages: listing.TotalPages, CurrentPage: listing.Page, Seed: listing.Seed,
	}), err
}
