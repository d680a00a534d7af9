package chat

import (
	"time"

	"github.com/google/uuid"

	"amanat/internal/platform/images"
	"amanat/internal/platform/user"
)

// member is one of the two people of a conversation.
type member struct {
	user.Ref
	Disabled bool
	ReadSeq  int64 // the last message that this member has read
}

// thread is a conversation as it is stored.
type thread struct {
	ID        uuid.UUID
	Members   [2]member // user_a, user_b
	UpdatedAt time.Time
	Last      message // Seq is 0 while the conversation is empty
	Answered  bool    // both have written
}

// message is a message as it is stored.
type message struct {
	ID        uuid.UUID
	Seq       int64
	SenderID  uuid.UUID
	Text      string
	ImageID   *uuid.UUID
	CreatedAt time.Time
}

// preview is what an inbox and a pop-up show of the message, and whether that is the mark of an image.
func (m message) preview() (text string, isImage bool) {
	if m.Text == "" && m.ImageID != nil {
		return imageMarker, true
	}
	if letters := []rune(m.Text); len(letters) > previewLength {
		return string(letters[:previewLength-1]) + "…", false
	}
	return m.Text, false
}

func (m message) imageURL() string {
	if m.ImageID == nil {
		return ""
	}
	return images.URL(*m.ImageID)
}

func (t *thread) has(userID uuid.UUID) bool {
	return t.Members[0].ID == userID || t.Members[1].ID == userID
}

// self returns the user's own membership, and peer the other one's.
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

// add makes a message the last one. What one writes, one has read, and all before it.
func (t *thread) add(m message) {
	t.Answered = t.Answered || (t.Last.Seq > 0 && t.Last.SenderID != m.SenderID) // until then all messages are by one person
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

// view is the conversation as one of its people sees it.
func (t *thread) view(reader uuid.UUID) Conversation {
	c := Conversation{
		ID:                t.ID,
		Participants:      []user.Ref{t.Members[0].Ref, t.Members[1].Ref},
		LastMessageReadBy: t.readBy(t.Last),
		Unread:            t.self(reader).ReadSeq < t.Last.Seq,
		Writable:          !t.peer(reader).Disabled,
		UpdatedAt:         t.UpdatedAt,
	}
	c.LastMessage, c.LastMessageIsImage = t.Last.preview()
	if t.Last.Seq > 0 {
		c.LastSenderID = &t.Last.SenderID
	}
	return c
}

// show is a message of the conversation, the same for everybody who may see it.
func (t *thread) show(m message) DirectMessage {
	receiver := t.peer(m.SenderID)
	return DirectMessage{
		ID:             m.ID,
		ConversationID: t.ID,
		SenderID:       m.SenderID,
		SenderName:     t.self(m.SenderID).Username,
		ReceiverID:     receiver.ID,
		Text:           m.Text,
		Image:          m.imageURL(),
		IsRead:         receiver.ReadSeq >= m.Seq,
		ReadBy:         t.readBy(m),
		CreatedAt:      m.CreatedAt,
	}
}
