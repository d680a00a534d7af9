package chat

import (
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/images"
	"amanat/internal/app/user"
)

// member is one of the two members of a conversation.
type member struct {
	user.Ref
	Disabled bool
	ReadSeq  int64 // sequence number of the last message read by this member
	Blocks   bool  // this member has blocked the other
}

// thread is a stored conversation.
type thread struct {
	ID        uuid.UUID
	Members   [2]member // user_a, user_b
	UpdatedAt time.Time
	Last      message    // Seq is 0 while the conversation is empty
	Answered  bool       // both members have written
	Post      *AboutPost // what it is about, nil if that is nothing or not shown
}

// message is a stored message.
type message struct {
	ID        uuid.UUID
	Seq       int64
	SenderID  uuid.UUID
	Text      string
	ImageID   *uuid.UUID
	CreatedAt time.Time
	ClientKey *string // Idempotency-Key of the request that sent it
	Erased    bool    // after its sender closed the account
	// DealEventID is the event in the timeline of a deal that the message tells of.
	DealEventID *uuid.UUID
	Deal        *ActOnDeal `db:"-"` // of DealEventID; not read with the last message of a thread
}

// preview is what inbox and pop-up show for a message. Its text is a marker, in English, if one of
// the others is set.
type preview struct {
	text                string
	isImage, isDelivery bool
}

func (m message) preview() preview {
	switch letters := []rune(m.Text); {
	case m.Text == "" && m.ImageID != nil:
		return preview{text: imageMarker, isImage: true}
	case m.Text == "" && m.DealEventID != nil:
		return preview{text: deliveryMarker, isDelivery: true}
	case len(letters) > previewLength:
		return preview{text: string(letters[:previewLength-1]) + "…"}
	}
	return preview{text: m.Text}
}

// imageURL returns the URL of an image, "" if there is none.
func imageURL(id *uuid.UUID) string {
	if id == nil {
		return ""
	}
	return images.URL(*id)
}

func (t *thread) has(userID uuid.UUID) bool {
	return t.Members[0].ID == userID || t.Members[1].ID == userID
}

// self returns the user's membership; peer returns the other member's.
func (t *thread) self(userID uuid.UUID) *member {
	if t.Members[0].ID == userID {
		return &t.Members[0]
	}
	return &t.Members[1]
}

func (t *thread) peer(userID uuid.UUID) *member {
	if t.Members[0].ID == userID {
		return &t.Members[1]
	}
	return &t.Members[0]
}

// add makes m the last message. Sending a message marks it and all earlier ones as read by the
// sender.
func (t *thread) add(m message) {
	// Until the conversation is answered, all its messages have the same sender.
	t.Answered = t.Answered || (t.Last.Seq > 0 && t.Last.SenderID != m.SenderID)
	t.Last, t.UpdatedAt = m, m.CreatedAt
	t.self(m.SenderID).ReadSeq = m.Seq
}

func (t *thread) readBy(m message) []uuid.UUID {
	readers := []uuid.UUID{}
	if m.Seq == 0 {
		return readers
	}
	for _, person := range t.Members {
		if person.ReadSeq >= m.Seq {
			readers = append(readers, person.ID)
		}
	}
	return readers
}

// block returns the block between the members as one of them sees it.
func (t *thread) block(reader uuid.UUID) Block {
	return blockOf(t.self(reader).Blocks, t.peer(reader).Blocks)
}

// writable reports whether one of the members can write to the other.
func (t *thread) writable(sender uuid.UUID) bool {
	return !t.peer(sender).Disabled && t.block(sender) == NoBlock
}

// view returns the conversation as one of its members sees it.
func (t *thread) view(reader uuid.UUID) Conversation {
	c := Conversation{
		ID:                t.ID,
		Participants:      []user.Ref{t.Members[0].Ref, t.Members[1].Ref},
		LastMessageReadBy: t.readBy(t.Last),
		Unread:            t.self(reader).ReadSeq < t.Last.Seq,
		Writable:          t.writable(reader),
		Block:             t.block(reader),
		Answered:          t.Answered,
		UpdatedAt:         t.UpdatedAt,
	}
	if t.Post != nil && !t.self(t.Post.SellerID).Disabled { // their posts are not shown either
		c.Post = t.Post
	}
	last := t.Last.preview()
	c.LastMessage, c.LastMessageIsImage, c.LastMessageIsDelivery = last.text, last.isImage, last.isDelivery
	if t.Last.Seq > 0 {
		c.LastSenderID = &t.Last.SenderID
	}
	return c
}

// showTo returns a message as one of its readers sees it. Only its sender sees the key of the
// request that sent it.
func (t *thread) showTo(reader uuid.UUID, m message) DirectMessage {
	shown := t.show(m)
	if m.SenderID == reader && m.ClientKey != nil {
		shown.ClientKey = *m.ClientKey
	}
	return shown
}

// show returns a message without what only some readers see.
func (t *thread) show(m message) DirectMessage {
	receiver := t.peer(m.SenderID)
	return DirectMessage{
		ID:             m.ID,
		ConversationID: t.ID,
		SenderID:       m.SenderID,
		SenderName:     t.self(m.SenderID).Username,
		ReceiverID:     receiver.ID,
		Text:           m.Text,
		Image:          imageURL(m.ImageID),
		IsRead:         receiver.ReadSeq >= m.Seq,
		ReadBy:         t.readBy(m),
		CreatedAt:      m.CreatedAt,
		Erased:         m.Erased,
		Deal:           m.Deal,
	}
}
