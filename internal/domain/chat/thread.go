package chat

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/images"
	"amanat/internal/app/user"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
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
	Post      *AboutPost // that the thread is about; nil: none, or hidden
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

// preview is the text of a message in the inbox and in notifications. It is a marker, in English,
// if one of the others is set.
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
	total, err := countInbox.One(ctx, s.DB, postgres.Args{"user": reader})
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
	return isMember.One(ctx, s.DB, postgres.Args{"id": conversation, "user": userID})
}

// HasUnread reports whether a user has unread messages.
func (s *Service) HasUnread(ctx context.Context, reader uuid.UUID) (bool, error) {
	return hasUnread.One(ctx, s.DB, postgres.Args{"user": reader})
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

// PrepareAct takes the locks of WriteAct that come before that of a deal: if the two users have no
// conversation, one is about to be created, and a block is either seen by then or made afterwards.
func (s *Service) PrepareAct(ctx context.Context, tx *postgres.Tx, one, other uuid.UUID) error {
	exists, err := pairExists.One(ctx, tx, postgres.Args{"one": one, "other": other})
	if err != nil || exists {
		return err
	}
	return lockPeople(ctx, tx, forReading, one, other)
}

// WriteAct writes what a party of a deal says with an act into the conversation of the two, which
// it creates if there is none. It writes nothing if the two cannot write to each other. The caller
// has called PrepareAct, holds the lock of the deal, and has added the event to its timeline.
func (s *Service) WriteAct(ctx context.Context, tx *postgres.Tx, sender, receiver, event uuid.UUID, words string) error {
	t, err := s.pairForAct(ctx, tx, sender, receiver)
	if err != nil || t == nil {
		return err
	}
	_, err = s.write(ctx, tx, t, uuid.Must(uuid.NewV7()), sender, content{text: words, deal: &event})
	return err
}

// pairForAct finds or creates the conversation of two users and locks it. It returns nil if the
// sender cannot write there.
func (s *Service) pairForAct(ctx context.Context, tx *postgres.Tx, sender, receiver uuid.UUID) (*thread, error) {
	found, err := getPair(ctx, tx, sender, receiver)
	if fault.CodeOf(err) == fault.NotFound {
		var possible bool
		if possible, err = mayMeet.One(ctx, tx, postgres.Args{"one": sender, "other": receiver}); err != nil || !possible {
			return nil, err
		}
		if _, err = insertConversation.Any(ctx, tx,
			postgres.Args{"id": uuid.Must(uuid.NewV7()), "starter": sender, "other": receiver, "now": s.Clock.Now()}); err != nil {
			return nil, err
		}
		found, err = getPair(ctx, tx, sender, receiver)
	}
	if err != nil {
		return nil, err
	}
	t, err := lockThread(ctx, tx, found.ID, sender)
	if err != nil || t.self(sender).Disabled || !t.writable(sender) {
		return nil, err
	}
	return &t, nil
}

// Mailer emails offline users about unread messages. It is for workers.
type Mailer struct {
	DB      postgres.DB
	Clock   clock.Clock
	Notices Notices
	Online  Online
}

// Notices notifies a user. *notifications.Service implements it.
type Notices interface {
	Notify(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, kind catalog.Kind, params catalog.Params, link string) error
}

// Online tells which of the users have a page open. *realtime.Redis implements it.
type Online interface {
	Online(ctx context.Context, users []uuid.UUID) (map[uuid.UUID]struct{}, error)
}

// Rules of the emails about unread messages (docs/rules.md#unread-mails).
const (
	unreadFor = 10 * time.Minute
	// Older messages are left alone: workers may have been down, and users had no pages open.
	unreadUpTo  = 24 * time.Hour
	unreadBatch = 200
)

// unread is a member of a conversation with messages that they have not read.
type unread struct {
	ConversationID uuid.UUID
	UpdatedAt      time.Time
	ReaderID       uuid.UUID
	Sender         string
}

// TellUnread notifies and emails everybody who has not read a message for ten minutes, has no page
// open and gets emails about messages: once for each conversation, until they have read it. It
// returns how many it told. Any number of workers may run it concurrently.
func (m *Mailer) TellUnread(ctx context.Context) (int, error) {
	var told int
	var failures []error
	now := m.Clock.Now()
	after := unread{UpdatedAt: now.Add(-unreadUpTo)}
	for {
		found, err := listUnread(ctx, m.DB, after, now.Add(-unreadFor))
		if err != nil || len(found) == 0 {
			return told, errors.Join(append(failures, err)...)
		}
		after = found[len(found)-1]
		readers := make([]uuid.UUID, len(found))
		for i, u := range found {
			readers[i] = u.ReaderID
		}
		online, err := m.Online.Online(ctx, readers)
		if err != nil {
			return told, errors.Join(append(failures, err)...)
		}
		for _, u := range found {
			if _, is := online[u.ReaderID]; is {
				continue
			}
			// A failing conversation must not block the others.
			done, err := m.tell(ctx, u)
			if err != nil {
				failures = append(failures, err)
			}
			if done {
				told++
			}
		}
		if len(found) < unreadBatch || ctx.Err() != nil {
			return told, errors.Join(failures...)
		}
	}
}

// tell notifies one member, unless they have read the messages or have been told meanwhile.
func (m *Mailer) tell(ctx context.Context, u unread) (done bool, err error) {
	err = postgres.WithTx(ctx, m.DB, func(tx *postgres.Tx) error {
		done, err = setTold(ctx, tx, u)
		if err != nil || !done {
			return err
		}
		return m.Notices.Notify(ctx, tx, u.ReaderID, catalog.MessagesUnread, catalog.Params{"username": u.Sender},
			"/inbox/"+u.ConversationID.String())
	})
	return done && err == nil, err
}
