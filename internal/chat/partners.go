package chat

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"amanat/internal/realtime"
)

// maxPartners is how many conversations count, from the latest on.
const maxPartners = 1000

// Partners returns whom each of the users has talked with: of the latest 1,000 conversations, those with a message. The api uses it to tell
// people who is online; it has no other caller.
func (s *Service) Partners(ctx context.Context, users []uuid.UUID) (map[uuid.UUID][]uuid.UUID, error) {
	pairs, err := listPartners(ctx, s.DB, users, maxPartners)
	if err != nil {
		return nil, fmt.Errorf("list partners: %w", err)
	}
	partners := map[uuid.UUID][]uuid.UUID{}
	for _, pair := range pairs {
		partners[pair.UserID] = append(partners[pair.UserID], pair.PartnerID)
	}
	return partners, nil
}

// Type tells the other person of a conversation, if he is there, that the actor is writing. No log keeps it. Code NotFound for a stranger.
func (s *Service) Type(ctx context.Context, actor, conversation uuid.UUID) error {
	partner, found, err := findPartner(ctx, s.DB, conversation, actor)
	if err != nil {
		return err
	}
	if !found {
		return errNotFound()
	}
	s.Events.Tell(partner, realtime.TypeTyping, Typing{ConversationID: conversation, UserID: actor})
	return nil
}
