package chat

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"amanat/internal/lib/postgres"
	"amanat/internal/realtime"
)

// maxPartners bounds the conversations considered, most recent first.
const maxPartners = 1000

// Partners returns the lookup of the users who may see whether a user is online: the other members
// of their latest 1,000 conversations in which both have written and neither has blocked the other.
// One message is not enough, so that nobody can find out in this way whether a stranger is online.
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

// Presence notifies two users who have become partners, or are none any more, whether the other is
// online.
// *realtime.Presence implements it. It must not block.
type Presence interface {
	PartnersChanged(users ...uuid.UUID)
}

// Type notifies the other member of a conversation, if online, that the actor is typing, unless one
// of the two has blocked the other. The event is not stored. Code NotFound if the actor is not a
// member.
func (s *Service) Type(ctx context.Context, actor, conversation uuid.UUID) error {
	partner, found, err := findPartner(ctx, s.DB, conversation, actor)
	switch {
	case err != nil:
		return err
	case !found:
		return errNotFound()
	case partner.Blocked:
		return nil
	}
	s.Events.PublishTransient(partner.ID, realtime.TypeTyping, Typing{ConversationID: conversation, UserID: actor})
	return nil
}
