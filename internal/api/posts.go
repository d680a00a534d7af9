package api

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
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
	register(s, endpoint{
		id: "post-seen", method: http.MethodPost, path: "/posts/{id}/seen", tag: postTag, access: visitor,
		summary:    "Count that the caller sees a post, once a day",
		rateLimits: []rateLimit{perAddress("post-views", s.limits.PostViewLimit)},
	}, s.postSeen)
	registerIdempotent(s, endpoint{
		id: "post-create", method: http.MethodPost, path: "/posts", tag: postTag, status: http.StatusCreated, image: true,
		summary:    "Publish a post",
		rateLimits: []rateLimit{s.perPerson("posts", s.limits.PostLimit), s.perPerson("posts-day", s.limits.PostDayLimit)},
		codes:      []fault.Code{fault.NotFound, fault.Conflict},
	}, false, s.postCreate)
	registerIdempotent(s, endpoint{
		id: "post-picture-add", method: http.MethodPost, path: "/posts/pictures", tag: postTag, status: http.StatusCreated, image: true,
		summary: "Add a picture to show in a post: it waits for that for a day",
	}, false, s.postPictureAdd)
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
	s.registerSavedPosts()
}

// Post is a service post as shown to everyone.
type Post struct {
	ID          uuid.UUID              `json:"_id"`
	Title       string                 `json:"title" example:"Cooking channel"`
	Description string                 `json:"description" example:"A cooking channel with 12,000 subscribers."`
	Price       money.Cents            `json:"price" example:"100.01"`
	Category    string                 `json:"category" enum:"Freelance Service,Physical Product,Online Asset"`
	Subcategory string                 `json:"subcategory" example:"YouTube Channel"`
	Image       string                 `json:"image" doc:"URL, which takes ?w= for the width that is needed; \"\" when there is none." example:"/api/images/019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
	Images      []string               `json:"images" doc:"URLs of up to eight pictures, of which the first is image; in lists only that." example:"/api/images/019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
	Tags        []string               `json:"tags" example:"cooking"`
	Facts       PostFacts              `json:"facts"`
	Headline    []string               `json:"headline" doc:"Names of the facts that lists show, the most telling first." example:"subscribers"`
	Seen        int                    `json:"seen" doc:"How often others have seen it, each once a day, for its seller; else 0." example:"40"`
	Saves       int                    `json:"saves" doc:"How many users have saved it, for its seller; else 0." example:"3"`
	Asked       int                    `json:"asked" doc:"With how many users its seller has a conversation about it, for the seller; else 0." example:"2"`
	CreatedBy   user.Ref               `json:"createdBy"`
	Seller      Nullable[SellerRecord] `json:"seller" doc:"In the public listing, else null."`
	CreatedAt   time.Time              `json:"createdAt"`
	UpdatedAt   time.Time              `json:"updatedAt"`
	Hidden      bool                   `json:"hidden" doc:"By a decision of an admin: only its seller and admins see it."`
	DecisionID  *uuid.UUID             `json:"decisionId" nullable:"true" doc:"The decision that hides it."`
}

// SellerRecord is what the public listing shows of a seller. It counts up to a thousand of each.
type SellerRecord struct {
	AverageRating  *float64 `json:"averageRating" doc:"Null without a review." example:"4.8"`
	RatingCount    int      `json:"ratingCount" example:"21"`
	CompletedDeals int      `json:"completedDeals" doc:"As buyer and seller." example:"24"`
}

func postOf(p posts.Post) Post {
	wire := Post{
		ID: p.ID, Title: p.Title, Description: p.Description, Price: p.Price, Category: string(p.Category), Subcategory: p.Subcategory,
		Image: p.Image(), Images: p.Images(), Tags: p.Tags, Facts: PostFacts(p.Facts), Headline: p.Facts.Headline(),
		Seen: p.Seen, Saves: p.Saves, Asked: p.Asked, CreatedBy: p.CreatedBy, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
		Hidden: p.HiddenBy != nil, DecisionID: p.HiddenBy,
	}
	if p.Record != nil {
		wire.Seller = orNull(&SellerRecord{
			AverageRating: p.Record.AverageRating, RatingCount: p.Record.Ratings, CompletedDeals: p.Record.Deals,
		})
	}
	return wire
}

// PostFacts are what a post states apart from its description.
type PostFacts posts.Facts

// Schema documents the facts of posts.AllFacts.
func (PostFacts) Schema(huma.Registry) *huma.Schema {
	schema := &huma.Schema{
		Type: huma.TypeObject, Properties: map[string]*huma.Schema{},
		Examples:    []any{map[string]any{"subscribers": 12_000, "monetised": true, "niche": "Cooking"}},
		Description: "What posts of the subcategory state, by name. When editing, without facts those of the post stay.",
	}
	for _, fact := range posts.AllFacts() {
		property := &huma.Schema{Description: "Of " + strings.Join(fact.Of, ", ") + "."}
		switch fact.Kind {
		case posts.Number:
			property.Type, property.Minimum, property.Maximum = huma.TypeInteger, new(0.0), new(float64(fact.Max))
		case posts.Flag:
			property.Type = huma.TypeBoolean
		case posts.Choice, posts.Words:
			property.Type = huma.TypeString
			for _, choice := range fact.Choices {
				property.Enum = append(property.Enum, choice)
			}
		}
		schema.Properties[fact.Key] = property
	}
	return schema
}

// PostBody is the body of a new or changed post.
type PostBody struct {
	Title       string    `json:"title" doc:"At most 80 characters." example:"Cooking channel"`
	Description string    `json:"description" example:"A cooking channel with 12,000 subscribers."`
	Price       Amount    `json:"price" example:"100.01"`
	Category    string    `json:"category" enum:"Freelance Service,Physical Product,Online Asset"`
	Subcategory string    `json:"subcategory" doc:"One of the category's, or the seller's own where none fits." example:"YouTube Channel"`
	Image       *string   `json:"image,omitempty" doc:"A picture as a data URL, \"\" for none; when editing, the URL it has, or nothing, keeps its pictures." example:"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="`
	Images      []string  `json:"images,omitempty" doc:"In place of image: the URLs of up to eight pictures in their order, added with POST /posts/pictures or of the post itself." example:"/api/images/019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
	Tags        []string  `json:"tags,omitempty" doc:"At most ten, of at most 30 characters." example:"cooking"`
	Facts       PostFacts `json:"facts,omitempty"`
}

func (b PostBody) draft() posts.Draft {
	draft := posts.Draft{
		Title: b.Title, Description: b.Description, Category: posts.Category(b.Category), Subcategory: b.Subcategory,
		Tags: b.Tags, Image: b.Image, Images: b.Images, Facts: posts.Facts(b.Facts),
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

// PostPictureBody is a picture to show in a post.
type PostPictureBody struct {
	Image string `json:"image" doc:"A data URL." example:"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="`
}

// PostPictureAdded is the answer to a picture that was added.
type PostPictureAdded struct {
	URL string `json:"url" example:"/api/images/019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
}

func (s *Server) postPictureAdd(ctx context.Context, in *struct{ Payload Payload[PostPictureBody] }) (*Settled[PostPictureAdded], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	url, err := s.posts.AddPicture(ctx, actor(ctx).ID, body.Image, callOf(ctx).key)
	return settledWith(PostPictureAdded{url}), err
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
	found, err := s.posts.Get(ctx, s.postReader(ctx), pathID(ctx))
	return respond(postOf(found)), err
}

func (s *Server) postReader(ctx context.Context) posts.Reader {
	c := callOf(ctx)
	return posts.Reader{UserID: c.userID(), Admin: c.known && s.accounts.ActsAsAdmin(c.user)}
}

// PostSeen tells whether a view was counted.
type PostSeen struct {
	Counted bool `json:"counted" doc:"False for the seller, for whoever was counted today, and for robots."`
}

// robots is what programs that read the web call themselves.
var robots = regexp.MustCompile(`(?i)bot\b|crawl|spider|lighthouse|facebookexternalhit|whatsapp/`)

func (s *Server) postSeen(ctx context.Context, _ *IDPath) (*output[PostSeen], error) {
	client := callOf(ctx).client
	if robots.MatchString(client.UserAgent) {
		return respond(PostSeen{}), nil
	}
	counted, err := s.posts.CountView(ctx, s.postReader(ctx), client.Network(), pathID(ctx))
	return respond(PostSeen{Counted: counted}), err
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

// PostsPublicInput is the query of the public listing. With sort, min, max, subcategory, facts or
// cursor it is a filtered listing.
type PostsPublicInput struct {
	PostFilters
	Page   queryNumber `query:"page" doc:"From 1." example:"1"`
	Seed   string      `query:"seed" doc:"As the first page gave it: keeps the order through the pages." example:"7f3a91c2"`
	Sort   string      `query:"sort" enum:"random,newest,price,-price" doc:"By default random, in the order of the seed; newest with one of the filters below, which have no random order."`
	Cursor string      `query:"cursor" doc:"next of the page before, in place of page." example:"2s.019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
}

// PostFilters are the parameters that posts are searched and filtered by.
type PostFilters struct {
	Search      string `query:"search" doc:"Words in title, tags, description, category, subcategory or the seller's name." example:"cooking"`
	Category    string `query:"category" enum:"Freelance Service,Physical Product,Online Asset"`
	Min         string `query:"min" doc:"The lowest price in dollars." example:"50"`
	Max         string `query:"max" doc:"The highest price in dollars." example:"499.99"`
	Subcategory string `query:"subcategory" example:"YouTube Channel"`
	Facts       string `query:"facts" doc:"Facts that the posts state, separated by commas: a value, or a range of which either end may be missing." example:"monetised:true,subscribers:1000..50000"`
}

func (in PostFilters) filter() (posts.Filter, error) {
	filter := posts.Filter{Search: in.Search, Subcategory: in.Subcategory}
	var err error
	if filter.Category, err = oneOf("category", in.Category, posts.Categories()...); err != nil {
		return filter, err
	}
	if filter.Min, err = queryAmount("min", in.Min); err != nil {
		return filter, err
	}
	if filter.Max, err = queryAmount("max", in.Max); err != nil {
		return filter, err
	}
	filter.Facts, err = posts.ParseFactFilters(in.Facts)
	return filter, err
}

// filtered reports whether the listing is filtered or sorted.
func (in PostsPublicInput) filtered() bool {
	return in.Sort != "" && in.Sort != randomOrder || in.Min+in.Max+in.Subcategory+in.Facts+in.Cursor != ""
}

const randomOrder = "random"

// PostListing is a page of the public listing.
type PostListing struct {
	Posts       []Post  `json:"posts"`
	TotalPages  int     `json:"totalPages" doc:"Exact up to 10,000 posts. 1 in a filtered listing." example:"1"`
	CurrentPage int     `json:"currentPage" example:"1"`
	Seed        string  `json:"seed" doc:"\"\" in a filtered listing." example:"7f3a91c2"`
	Similar     bool    `json:"similar" doc:"Nothing matches the search; these posts have words that differ in one letter."`
	Total       *int    `json:"total" nullable:"true" doc:"The number of matches, with the first page of a filtered listing. Null when there are too many to count." example:"1"`
	Next        *string `json:"next" nullable:"true" doc:"The cursor of the next page of a filtered listing, null at its end. A page before it may have few posts or none." example:"2s.019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
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
	if in.filtered() {
		return s.postsFiltered(ctx, in)
	}
	listing, err := s.posts.Explore(ctx, posts.Query{Search: in.Search, Category: category, Seed: in.Seed, Page: number})
	return respond(PostListing{
		Posts: mapped(listing.Posts, postOf), TotalPages: listing.TotalPages, CurrentPage: listing.Page, Seed: listing.Seed,
		Similar: listing.Similar,
	}), err
}

func (s *Server) postsFiltered(ctx context.Context, in *PostsPublicInput) (*output[PostListing], error) {
	filter, err := in.filter()
	if err != nil {
		return nil, err
	}
	filter.Cursor = in.Cursor
	if filter.Order, err = oneOf("sort", in.Sort, posts.Orders()...); err != nil {
		return nil, err
	}
	found, err := s.posts.Browse(ctx, filter)
	page := PostListing{
		Posts: mapped(found.Posts, postOf), TotalPages: 1, CurrentPage: 1, Similar: found.Similar, Total: found.Total,
	}
	if found.Next != "" {
		page.Next = &found.Next
	}
	return respond(page), err
}

// queryAmount parses an amount in dollars of a query, 0 if it is missing. Code Invalid.
func queryAmount(field, text string) (money.Cents, error) {
	var amount Amount
	if text == "" {
		return 0, nil
	}
	if err := amount.UnmarshalJSON([]byte(text)); err != nil {
		return 0, err
	}
	cents, err := amount.read(field)
	if err == nil && cents < 0 {
		err = fault.Fieldf(field, "negative_amount", "{field} must not be negative.", fault.Params{"field": field})
	}
	return cents, err
}
