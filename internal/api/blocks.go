package api

import (
	"context"
	"net/http"
	"time"

	"amanat/internal/app/user"
	"amanat/internal/domain/chat"
	"amanat/internal/lib/fault"
)

// userTag groups the calls about other users in the document.
const userTag = "Users"

func (s *Server) registerBlocks() {
	register(s, endpoint{
		id: "users-blocked", method: http.MethodGet, path: "/users/blocked", tag: userTag,
		summary: "Whom the user has blocked, newest first",
	}, s.usersBlocked)
	register(s, endpoint{
		id: "user-relation", method: http.MethodGet, path: "/users/{id}/relation", tag: userTag,
		summary: "Whether the user has blocked another, or is blocked by them",
	}, s.userRelation)
	register(s, endpoint{
		id: "user-block", method: http.MethodPost, path: "/users/{id}/block", tag: userTag,
		summary:    "Block a user: no messages, no new deals, and neither finds the other",
		rateLimits: []rateLimit{perUser("blocks", s.limits.BlockLimit)},
		codes:      []fault.Code{fault.Invalid},
	}, s.userBlock)
	register(s, endpoint{
		id: "user-unblock", method: http.MethodDelete, path: "/users/{id}/block", tag: userTag,
		summary:    "Unblock a user",
		rateLimits: []rateLimit{perUser("blocks", s.limits.BlockLimit)},
	}, s.userUnblock)
}

func (s *Server) userBlock(ctx context.Context, _ *IDPath) (*output[Message], error) {
	err := s.chat.Block(ctx, actor(ctx).ID, pathID(ctx))
	return respond(Message{chat.OutcomeBlocked}), err
}

func (s *Server) userUnblock(ctx context.Context, _ *IDPath) (*output[Message], error) {
	err := s.chat.Unblock(ctx, actor(ctx).ID, pathID(ctx))
	return respond(Message{chat.OutcomeUnblocked}), err
}

// Relation is what is between the user and another.
type Relation struct {
	Block string `json:"block" enum:"none,mine,theirs" doc:"Whether the user has blocked the other, or is blocked by them; mine if both."`
}

func (s *Server) userRelation(ctx context.Context, _ *IDPath) (*output[Relation], error) {
	block, err := s.chat.Relation(ctx, actor(ctx).ID, pathID(ctx))
	return respond(Relation{string(block)}), err
}

// BlockedUser is a user whom the reader has blocked.
type BlockedUser struct {
	User      user.Ref  `json:"user"`
	BlockedAt time.Time `json:"blockedAt"`
}

type blockedListOutput struct {
	Total
	Body []BlockedUser
}

func (s *Server) usersBlocked(ctx context.Context, in *Paged) (*blockedListOutput, error) {
	slice, err := in.sliceOrFirst()
	if err != nil {
		return nil, err
	}
	list, total, err := s.chat.ListBlocked(ctx, actor(ctx).ID, slice)
	return &blockedListOutput{Total: Total{total}, Body: mapped(list, func(b chat.Blocked) BlockedUser { return BlockedUser(b) })}, err
}
