package api

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/posts"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
)

func (s *Server) registerSavedPosts() {
	register(s, endpoint{
		id: "posts-saved", method: http.MethodGet, path: "/posts/saved", tag: postTag,
		summary: "Posts that the user has saved, the last saved first",
	}, s.postsSaved)
	register(s, endpoint{
		id: "posts-saved-ids", method: http.MethodGet, path: "/posts/saved/ids", tag: postTag,
		summary: "The ids of all posts that the user has saved",
	}, s.postsSavedIDs)
	register(s, endpoint{
		id: "post-save", method: http.MethodPut, path: "/posts/{id}/saved", tag: postTag,
		summary: "Save a post, to be told when it gets cheaper or is gone",
		codes:   []fault.Code{fault.Conflict},
	}, s.postSave)
	register(s, endpoint{
		id: "post-unsave", method: http.MethodDelete, path: "/posts/{id}/saved", tag: postTag, summary: "Remove a post from the saved ones",
	}, s.postUnsave)
	register(s, endpoint{
		id: "searches-saved", method: http.MethodGet, path: "/posts/saved/searches", tag: postTag,
		summary: "Searches that the user has saved, the last saved first",
	}, s.searchesSaved)
	register(s, endpoint{
		id: "search-save", method: http.MethodPut, path: "/posts/saved/searches", tag: postTag,
		summary: "Save a search, to be told of new posts; one that is saved already is returned",
		codes:   []fault.Code{fault.Conflict},
	}, s.searchSave)
	register(s, endpoint{
		id: "search-change", method: http.MethodPatch, path: "/posts/saved/searches/{id}", tag: postTag,
		summary: "Change how soon the user is told of new posts", visible: allowed(s.posts.CheckSearch),
	}, s.searchChange)
	register(s, endpoint{
		id: "search-unsave", method: http.MethodDelete, path: "/posts/saved/searches/{id}", tag: postTag, summary: "Remove a saved search",
	}, s.searchUnsave)
}

// SavedPost is a post that the user has saved.
type SavedPost struct {
	Post
	SavedPrice money.Cents `json:"savedPrice" doc:"Its price when it was saved." example:"120.00"`
	SavedAt    time.Time   `json:"savedAt"`
}

func savedPostOf(saved posts.Saved) SavedPost {
	return SavedPost{Post: postOf(saved.Post), SavedPrice: saved.Price, SavedAt: saved.At}
}

type savedPostsOutput struct {
	Total
	Body []SavedPost
}

func (s *Server) postsSaved(ctx context.Context, in *Paged) (*savedPostsOutput, error) {
	slice, err := in.sliceOrFirst()
	if err != nil {
		return nil, err
	}
	found, total, err := s.posts.ListSaved(ctx, actor(ctx).ID, slice)
	return &savedPostsOutput{Total: Total{total}, Body: mapped(found, savedPostOf)}, err
}

func (s *Server) postsSavedIDs(ctx context.Context, _ *struct{}) (*output[[]uuid.UUID], error) {
	ids, err := s.posts.SavedIDs(ctx, actor(ctx).ID)
	return respond(ids), err
}

func (s *Server) postSave(ctx context.Context, _ *IDPath) (*output[Message], error) {
	err := s.posts.Save(ctx, actor(ctx).ID, pathID(ctx))
	return respond(Message{catalog.Outcome{Code: "post_saved", Message: "Post saved"}}), err
}

func (s *Server) postUnsave(ctx context.Context, _ *IDPath) (*output[Message], error) {
	err := s.posts.Unsave(ctx, actor(ctx).ID, pathID(ctx))
	return respond(Message{catalog.Outcome{Code: "post_unsaved", Message: "Post removed from your saved posts"}}), err
}

// SavedSearch is a search that the user has saved, with the parameters of GET /posts/public.
type SavedSearch struct {
	ID          uuid.UUID    `json:"_id"`
	Search      string       `json:"search" doc:"\"\" for none, as in the next five." example:"cooking"`
	Category    string       `json:"category" example:"Online Asset"`
	Subcategory string       `json:"subcategory" example:"YouTube Channel"`
	Min         *money.Cents `json:"min" nullable:"true" example:"50.00"`
	Max         *money.Cents `json:"max" nullable:"true" example:"499.99"`
	Facts       string       `json:"facts" example:"subscribers:1000..50000,monetised:true"`
	Frequency   string       `json:"frequency" enum:"soon,daily,off" doc:"How soon the user is told of new posts: within 15 minutes, at 09:00 in Dhaka, or not at all."`
	CreatedAt   time.Time    `json:"createdAt"`
}

func savedSearchOf(s posts.SavedSearch) SavedSearch {
	wire := SavedSearch{
		ID: s.ID, Search: s.Search, Category: string(s.Category), Subcategory: s.Subcategory, Facts: s.Facts,
		Frequency: string(s.Frequency), CreatedAt: s.CreatedAt,
	}
	if s.Min > 0 {
		wire.Min = &s.Min
	}
	if s.Max > 0 {
		wire.Max = &s.Max
	}
	return wire
}

func (s *Server) searchesSaved(ctx context.Context, _ *struct{}) (*output[[]SavedSearch], error) {
	list, err := s.posts.Searches(ctx, actor(ctx).ID)
	return respond(mapped(list, savedSearchOf)), err
}

func (s *Server) searchSave(ctx context.Context, in *PostFilters) (*output[SavedSearch], error) {
	filter, err := in.filter()
	if err != nil {
		return nil, err
	}
	saved, err := s.posts.SaveSearch(ctx, actor(ctx).ID, filter)
	return respond(savedSearchOf(saved)), err
}

// SearchBody is the change of a saved search.
type SearchBody struct {
	Frequency string `json:"frequency" enum:"soon,daily,off"`
}

// SearchChangeInput names a saved search and its change.
type SearchChangeInput struct {
	IDPath
	Payload Payload[SearchBody]
}

func (s *Server) searchChange(ctx context.Context, in *SearchChangeInput) (*output[SavedSearch], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	changed, err := s.posts.SetFrequency(ctx, actor(ctx).ID, pathID(ctx), posts.Frequency(body.Frequency))
	return respond(savedSearchOf(changed)), err
}

func (s *Server) searchUnsave(ctx context.Context, _ *IDPath) (*output[Message], error) {
	err := s.posts.RemoveSearch(ctx, actor(ctx).ID, pathID(ctx))
	return respond(Message{catalog.Outcome{Code: "search_unsaved", Message: "Search removed"}}), err
}
