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
