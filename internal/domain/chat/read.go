package chat

import (
	"context"
	"math"
	"slices"

	"github.com/google/uuid"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

// History is part of a conversation, oldest first. NextBefore is the cursor for older messages, nil
// if there are none.
type History struct {
	Messages   []DirectMessage
	NextBefore *uuid.UUID
}

// Before selects the last Limit messages before a message, or the last Limit messages if MessageID
// is nil.
type Before struct {
	MessageID *uuid.UUID
	Limit     int
}

// List returns a user's inbox, newest first, and the total number of conversations in it. An empty
// conversation is only in its starter's inbox.
func (s *Service) List(ctx context.Context, reader uuid.UUID, page postgres.Page) ([]Conversation, int, error) {
	total, err := countInbox(ctx, s.DB, reader)
	if err != nil {
		return nil, 0, err
	}
	threads, err := listInbox(ctx, s.DB, reader, page)
	if err != nil {
		return nil, 0, err
	}
	list := make([]Conversation, len(threads))
	for i, t := range threads {
		list[i] = t.view(reader)
	}
	return list, total, nil
}

// Get returns a conversation to one of its members. Code NotFound for other users.
func (s *Service) Get(ctx context.Context, reader, id uuid.UUID) (Conversation, error) {
	t, err := s.open(ctx, s.DB, reader, id)
	if err != nil {
		return Conversation{}, err
	}
	return t.view(reader), nil
}

// IsMember reports whether a user is a member of a conversation and may therefore see its images.
func (s *Service) IsMember(ctx context.Context, conversation, userID uuid.UUID) (bool, error) {
	return isMember(ctx, s.DB, conversation, userID)
}

// HasUnread reports whether a user has unread messages.
func (s *Service) HasUnread(ctx context.Context, reader uuid.UUID) (bool, error) {
	return hasUnread(ctx, s.DB, reader)
}

// Messages returns part of a conversation to one of its members. Codes: NotFound for other users,
// Invalid if before.MessageID is not in this conversation.
func (s *Service) Messages(ctx context.Context, reader, id uuid.UUID, before Before) (History, error) {
	t, err := s.open(ctx, s.DB, reader, id)
	if err != nil {
		return History{}, err
	}
	return history(ctx, s.DB, &t, reader, before)
}

// history returns part of a conversation as the reader sees it, who need not be a member.
func history(ctx context.Context, q postgres.Querier, t *thread, reader uuid.UUID, before Before) (History, error) {
	below := int64(math.MaxInt64)
	if before.MessageID != nil {
		m, found, err := findMessage(ctx, q, t.ID, *before.MessageID)
		if err != nil {
			return History{}, err
		}
		if !found {
			return History{}, fault.Field("before", "before_unknown", "before must be the id of a message of this conversation.")
		}
		below = m.Seq
	}
	list, err := messagesBefore(ctx, q, t.ID, below, before.Limit)
	if err != nil {
		return History{}, err
	}
	slices.Reverse(list)
	h := History{Messages: make([]DirectMessage, len(list))}
	for i, m := range list {
		h.Messages[i] = t.showTo(reader, m)
	}
	if len(list) > 0 && list[0].Seq > 1 { // messages are numbered from 1 without gaps
		h.NextBefore = &list[0].ID
	}
	return h, nil
}
