package chat

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"amanat/internal/platform/postgres"
	"amanat/internal/realtime"
)

// maxPartners is how many conversations count, from the latest on.
const maxPartners = 1000

// Partners returns the rule of who may see whether a user is online: the users with whom they have talked, in the latest 1,000 conversations
// in which both have written. One message is not enough, so that nobody learns by it when a stranger is online.
func Partners(db postgres.Querier) realtime.Partners {
	return func(ctx context.Context, users []uuid.UUID) (map[uuid.UUID][]uuid.UUID, error) {
		pairs, err := listPartners(ctx, db, users, maxPartners)
		if err != nil {
			return nil, fmt.Errorf("list partners: %w", err)
		}
		partners := map[uuid.UUID][]uuid.UUID{}
		for _, pair := range pairs {
			partners[pair.UserID] = append(partners[pair.UserID], pair.PartnerID)
		}
		return partners, nil
	}
}

// Presence tells two people who have become partners whether the other is online; *realtime.Presence does. It must not block.
type Presence interface {
	PartnersAdded(users ...uuid.UUID)
}

// Type tells the other participant of a conversation, if online, that the actor is writing. No log keeps it. Code NotFound for a stranger.
func (s *Service) Type(ctx context.Context, actor, conversation uuid.UUID) error {
	partner, found, err := findPartner(ctx, s.DB, conversation, actor)
	if err != nil {
		return err
	}
	if !found {
		return errNotFound()
	}
	s.Events.PublishTransient(partner, realtime.TypeTyping, Typing{ConversationID: conversation, UserID: actor})
	return nil
}
