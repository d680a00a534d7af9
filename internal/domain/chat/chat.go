// Package chat implements one-to-one conversations between users: one permanent conversation per
// pair, with numbered messages (docs/rules.md#chat). Blocks between users are made here, under the
// lock of the conversation that they close, so that none of its messages comes after the block
// (docs/rules.md#block); deals and the search for users only read them.
package chat

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/audit"
	"amanat/internal/app/images"
	"amanat/internal/app/user"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/realtime"
)

// Service implements the chat use cases. Each checks that the actor is a member of the
// conversation.
type Service struct {
	DB       postgres.DB
	Clock    clock.Clock
	Events   *realtime.Log
	Images   Images
	Presence Presence
	Pushes   Pushes
}

// Pushes shows messages to receivers who have no page open. *notifications.Service implements it.
type Pushes interface {
	PushMessage(tx *postgres.Tx, receiver, conversation, message uuid.UUID)
}

// Images decodes and stores images sent as data URLs. *images.Service implements it.
type Images interface {
	Read(ctx context.Context, owner uuid.UUID, dataURL string) (*images.Picture, error)
	Save(ctx context.Context, tx *postgres.Tx, p *images.Picture, owner uuid.UUID, conversation *uuid.UUID) (uuid.UUID, error)
}

// Conversation is a conversation as one of its members sees it, on the wire and in events.
type Conversation struct {
	ID                 uuid.UUID  `json:"_id"`
	Participants       []user.Ref `json:"participants"`
	LastMessage        string     `json:"lastMessage" doc:"The beginning of the last message, the word Image or a sentence when it has no text, empty when there is none." example:"Is it still for sale?"`
	LastMessageIsImage bool       `json:"lastMessageIsImage" doc:"The last message is an image without text: show lastMessage in the reader's language."`
	// LastMessageIsDelivery is the same of a delivery.
	LastMessageIsDelivery bool        `json:"lastMessageIsDelivery" doc:"The last message is a delivery with pictures and without text: the same."`
	LastSenderID          *uuid.UUID  `json:"lastSenderId" nullable:"true"`
	LastMessageReadBy     []uuid.UUID `json:"lastMessageReadBy" doc:"Who has read the last message, its sender among them."`
	Unread                bool        `json:"unread" doc:"There are messages that the reader has not read."`
	Writable              bool        `json:"writable" doc:"false: the other's account is disabled, or one of the two has blocked the other; the messages can still be read."`
	Block                 Block       `json:"block" enum:"none,mine,theirs" doc:"Whether the reader has blocked the other, or is blocked by them; mine if both."`
	Answered              bool        `json:"answered" doc:"Both have written."`
	Post                  *AboutPost  `json:"post,omitempty" doc:"The post that the conversation was last opened from; absent when there is none, or it is not shown any more."`
	UpdatedAt             time.Time   `json:"updatedAt" doc:"Time of the last message."`
}

// AboutPost is the post that a conversation is about, as far as it is shown over the messages.
type AboutPost struct {
	ID       uuid.UUID   `json:"_id"`
	Title    string      `json:"title" example:"Cooking channel"`
	Price    money.Cents `json:"price" example:"100.01"`
	Image    string      `json:"image" doc:"URL, empty when there is none." example:"/api/images/019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
	SellerID uuid.UUID   `json:"sellerId" doc:"Which of the two has published it."`
}

// DirectMessage is a message, on the wire and in events.
type DirectMessage struct {
	ID             uuid.UUID   `json:"_id"`
	ConversationID uuid.UUID   `json:"conversationId"`
	SenderID       uuid.UUID   `json:"senderId"`
	SenderName     string      `json:"senderName" example:"rahim"`
	ReceiverID     uuid.UUID   `json:"receiverId"`
	Text           string      `json:"text" example:"Is it still for sale?"`
	Image          string      `json:"image" doc:"URL, empty when there is none." example:"/api/images/019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
	IsRead         bool        `json:"isRead" doc:"By its receiver." example:"true"`
	ReadBy         []uuid.UUID `json:"readBy" doc:"Its sender, and its receiver once they have read it."`
	CreatedAt      time.Time   `json:"createdAt"`
	Erased         bool        `json:"erased,omitempty" doc:"Its sender has closed the account: text and image are gone."`
	Deal           *ActOnDeal  `json:"deal,omitempty" doc:"What its sender did on a deal and said with it; absent from other messages."`
	ClientKey      string      `json:"clientKey,omitempty" doc:"The Idempotency-Key that its sender sent it with; for its sender only." example:"4f1d3b8c2a6e4d0f9b7a5c3e1d2f4a6b"`
}

// Act is what a party has done on a deal.
type Act string

// Acts that are told in the conversation.
const (
	ActDelivered    Act = "delivered"
	ActChanges      Act = "changes"      // asked for
	ActCounteroffer Act = "counteroffer" // made
)

// ActOnDeal is what a message says of a deal. The message's text has the words.
type ActOnDeal struct {
	ID       uuid.UUID           `json:"_id"`
	Title    string              `json:"title" doc:"The beginning of its description; empty once that was erased." example:"A cooking channel with 12,000 subscribers."`
	Act      Act                 `json:"act" enum:"delivered,changes,counteroffer"`
	Pictures []images.Attachment `json:"pictures"`
}

// NewMessage is the event that all screens of both members receive for a message.
type NewMessage struct {
	Message      DirectMessage `json:"message"`
	Conversation Conversation  `json:"conversation"`
}

// ReceiveMessage is the frame that tells the receiver who has written, for a pop-up. It may be
// lost; NewMessage has all that it says.
type ReceiveMessage struct {
	SenderID       uuid.UUID `json:"senderId"`
	Sender         user.Ref  `json:"sender"`
	ConversationID uuid.UUID `json:"conversationId"`
	Text           string    `json:"text" example:"Is it still for sale?"` // as Conversation.LastMessage
	IsImage        bool      `json:"isImage"`
	IsDelivery     bool      `json:"isDelivery"`
}

// MessageRead is the event that both members receive when one of them has read all messages.
type MessageRead struct {
	ConversationID uuid.UUID `json:"conversationId"`
	ReaderID       uuid.UUID `json:"readerId"`
	UpTo           uuid.UUID `json:"upTo"` // the last message read
}

// Typing is the event that the other member's screens receive while the user is typing. It is not
// stored.
type Typing struct {
	ConversationID uuid.UUID `json:"conversationId"`
	UserID         uuid.UUID `json:"userId"` // the user typing
}

// Fixed texts (docs/rules.md#texts).
const (
	textEmpty          = "Text or Image is needed"
	textNoConversation = "No valid conversation or receiver."
	textSelf           = "You cannot message yourself."
	textDisabled       = "This account is disabled. You can read your messages but not send new ones."
)

func errNotFound() error {
	return fault.New(fault.NotFound, "conversation_not_found", "Conversation not found.")
}

func errUserNotFound() error { return fault.New(fault.NotFound, "user_not_found", "User not found") }

const (
	imageMarker    = "Image" // fixed text
	deliveryMarker = "Delivered the deal"
	previewLength  = 100 // of lastMessage; the UI truncates further
)

// maxPartners bounds the conversations considered, most recent first.
const maxPartners = 1000

// Partners returns the lookup of the users who may see whether a user is online: the other members
// of their latest 1,000 conversations in which both have written and neither has blocked the other.
// One message is not enough, so that nobody can find out in this way whether a stranger is online.
func Partners(db postgres.Querier) realtime.Partners {
	return func(ctx context.Context, users []uuid.UUID) (map[uuid.UUID][]uuid.UUID, error) {
		pairs, err := listPartners.Many(ctx, db, postgres.Args{"users": users, "limit": maxPartners})
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
	partner, found, err := findPartner.Find(ctx, s.DB, postgres.Args{"id": conversation, "user": actor})
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

// Inspect returns part of the conversation of two users to an admin, empty if they have none, and
// records the access in the audit log. The caller has checked that the actor is an admin. Codes:
// NotFound if one of the users is unknown, Invalid as for Messages.
func (s *Service) Inspect(ctx context.Context, admin, one, other uuid.UUID, before Before) (History, error) {
	var seen History
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		for _, id := range []uuid.UUID{one, other} {
			if _, err := getPerson(ctx, tx, id); err != nil {
				return err
			}
		}
		t, err := getPair(ctx, tx, one, other)
		switch {
		case fault.CodeOf(err) == fault.NotFound:
			seen = History{Messages: []DirectMessage{}}
		case err != nil:
			return err
		default:
			if seen, err = history(ctx, tx, &t, admin, before); err != nil {
				return err
			}
		}
		return audit.Record(ctx, tx, audit.Entry{
			At: s.Clock.Now(), Actor: actor.User(admin), Action: "chat.inspect", Subject: subject(one, other),
			Details: map[string]any{"users": []uuid.UUID{one, other}, "messages": len(seen.Messages), "before": before.MessageID},
		})
	})
	return seen, err
}

// around is how many messages before and after a reported one an admin sees.
const around = 10

// InspectAround returns a message with up to ten before and ten after it to an admin, oldest first,
// and records the access in the audit log. The caller has checked that the actor is an admin. Code
// NotFound.
func (s *Service) InspectAround(ctx context.Context, admin, messageID uuid.UUID) ([]DirectMessage, error) {
	var seen []DirectMessage
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		at, found, err := findPlace.Find(ctx, tx, postgres.Args{"id": messageID})
		if err != nil {
			return err
		}
		if !found {
			return errNotFound()
		}
		t, err := getThread(ctx, tx, at.ConversationID)
		if err != nil {
			return err
		}
		list, err := messagesBefore(ctx, tx, at.ConversationID, at.Seq+around+1, around+1+around)
		if err != nil {
			return err
		}
		seen = make([]DirectMessage, 0, len(list))
		for _, m := range slices.Backward(list) {
			if m.Seq >= at.Seq-around {
				seen = append(seen, t.showTo(admin, m))
			}
		}
		one, other := t.Members[0].ID, t.Members[1].ID
		return audit.Record(ctx, tx, audit.Entry{
			At: s.Clock.Now(), Actor: actor.User(admin), Action: "chat.inspect", Subject: subject(one, other),
			Details: map[string]any{"users": []uuid.UUID{one, other}, "messages": len(seen), "around": messageID},
		})
	})
	return seen, err
}

// subject names the conversation of two users in the audit log, independent of their order.
func subject(one, other uuid.UUID) string {
	if bytes.Compare(one[:], other[:]) > 0 {
		one, other = other, one
	}
	return "chat:" + one.String() + ":" + other.String()
}
