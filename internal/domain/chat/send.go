package chat

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/images"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/sanitize"
	"amanat/internal/money/idempotency"
	"amanat/internal/realtime"
)

const maxText = 4000

// Draft is a message to send.
type Draft struct {
	Text  string
	Image string // data URL
}

func (d Draft) empty() bool { return d.Text == "" && d.Image == "" }

// content is a validated draft. The zero value means nothing to send.
type content struct {
	text    string
	picture *images.Picture
	key     *string    // as message.ClientKey
	deal    *uuid.UUID // as message.DealEventID
}

func (c content) empty() bool { return c.text == "" && c.picture == nil }

func (d Draft) checkLength() error {
	if utf8.RuneCountInString(d.Text) > maxText {
		return fault.Field("text", "chat_message_too_long", "The message must be at most 4,000 characters.")
	}
	return nil
}

// read validates a trimmed draft and decodes its image, which is expensive: call it outside of
// transactions. Codes: Invalid; those of images.Service.Read.
func (s *Service) read(ctx context.Context, actor uuid.UUID, draft Draft) (content, error) {
	if err := draft.checkLength(); err != nil {
		return content{}, err
	}
	c := content{text: draft.Text}
	if draft.Image == "" {
		return c, nil
	}
	var err error
	c.picture, err = s.Images.Read(ctx, actor, draft.Image)
	return c, fault.In("image", err)
}

// Sent is a message and its conversation as the sender now sees it.
type Sent struct {
	Message      DirectMessage
	Conversation Conversation
}

// Send writes a message into one of the actor's conversations and notifies both members. Codes:
// NotFound if the actor is not a member, Invalid with the first rule that fails or if no
// conversation is given, those of images.Service.Read for the image, Conflict if the other member's
// account is disabled, Forbidden if one has blocked the other, IdempotencyMismatch. A replay
// returns the message created under the key.
func (s *Service) Send(ctx context.Context, actor uuid.UUID, conversation *uuid.UUID, draft Draft, key *idempotency.Key) (Sent, error) {
	draft.Text = sanitize.Text(draft.Text)
	refusal := checkSend(conversation, draft)
	if conversation != nil && (refusal != nil || draft.Image != "") {
		// Membership comes first: only a member's image is decoded.
		if _, err := s.open(ctx, s.DB, actor, *conversation); err != nil {
			return Sent{}, err
		}
	}
	if refusal != nil {
		return Sent{}, refusal
	}
	if draft.Image != "" {
		// The image of a repeated request is not decoded and counted again.
		if sent, replayed, err := s.replay(ctx, actor, *conversation, key); replayed || err != nil {
			return sent, err
		}
	}
	body, err := s.read(ctx, actor, draft)
	if err != nil {
		return Sent{}, err
	}
	body.key = clientKey(key)
	sent, err := s.send(ctx, actor, *conversation, body, key)
	if !errors.Is(err, errReplayed) {
		return sent, err
	}
	sent, found, err := s.replay(ctx, actor, *conversation, key)
	if err == nil && !found {
		err = fmt.Errorf("chat: the key of a message in %s was deleted", *conversation)
	}
	return sent, err
}

func checkSend(conversation *uuid.UUID, draft Draft) error {
	switch {
	case draft.empty():
		return fault.Field("text", "chat_message_empty", textEmpty)
	case conversation == nil:
		return fault.Field("conversationId", "receiver_invalid", textNoConversation)
	}
	return draft.checkLength()
}

// errReplayed rolls back a call whose key is already used.
var errReplayed = errors.New("chat: the key is used")

// send implements Send for a checked message. It fails with errReplayed if the key is used.
func (s *Service) send(ctx context.Context, actor, conversation uuid.UUID, body content, key *idempotency.Key) (sent Sent, err error) {
	id := uuid.Must(uuid.NewV7())
	err = postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		free := idempotency.QueueReserve(tx, key, id, s.Clock.Now())
		var t *thread
		queueLock(tx, conversation, actor, func(locked thread) { t = &locked })
		if err := tx.Flush(ctx); err != nil {
			return err
		}
		switch {
		case t == nil:
			return errNotFound()
		case !free():
			return errReplayed
		}
		sent.Message, err = s.write(ctx, tx, t, id, actor, body)
		sent.Conversation = t.view(actor)
		return err
	})
	return sent, err
}

// replay returns the message that an earlier call has sent with the key, if there is one.
func (s *Service) replay(
	ctx context.Context, actor, conversation uuid.UUID, key *idempotency.Key,
) (sent Sent, found bool, err error) {
	id, used, err := idempotency.Lookup(ctx, s.DB, key)
	if err != nil || !used {
		return Sent{}, false, err
	}
	sent, err = s.sent(ctx, actor, conversation, id)
	return sent, err == nil, err
}

// clientKey returns what a message stores of the key of its request.
func clientKey(key *idempotency.Key) *string {
	if key == nil {
		return nil
	}
	return &key.Value
}

// sent returns a message sent by an earlier call.
func (s *Service) sent(ctx context.Context, actor, conversation, id uuid.UUID) (Sent, error) {
	t, err := s.open(ctx, s.DB, actor, conversation)
	if err != nil {
		return Sent{}, err
	}
	m, found, err := findMessage(ctx, s.DB, conversation, id)
	if err == nil && !found {
		err = errNotFound()
	}
	return Sent{Message: t.showTo(actor, m), Conversation: t.view(actor)}, err
}

// open reads a conversation for one of its members. Code NotFound for other users.
func (s *Service) open(ctx context.Context, q postgres.Querier, actor, id uuid.UUID) (thread, error) {
	t, err := getThread(ctx, q, id)
	if err == nil && !t.has(actor) {
		return thread{}, errNotFound()
	}
	return t, err
}

// checkWritable fails if the sender cannot write into the conversation. Codes: Conflict if the
// other member's account is disabled, Forbidden if one has blocked the other.
func (t *thread) checkWritable(sender uuid.UUID) error {
	switch {
	case t.peer(sender).Disabled:
		return fault.New(fault.Conflict, "chat_partner_disabled", textDisabled)
	case t.block(sender) == BlockMine:
		return fault.New(fault.Forbidden, "blocked_by_you", "You blocked this user. Unblock them to send messages.")
	case t.block(sender) == BlockTheirs:
		return fault.New(fault.Forbidden, "blocked_by_them", "You cannot send messages to this user.")
	}
	return nil
}

// write adds a message to a locked conversation and notifies both members. The first answer makes
// them partners, who see whether the other is online.
//
// What the sender of a closed account has written is erased under the same lock. So a message that
// is being sent meanwhile is either erased, or refused here.
func (s *Service) write(ctx context.Context, tx *postgres.Tx, t *thread, id, sender uuid.UUID, body content) (DirectMessage, error) {
	receiver := t.peer(sender)
	if t.self(sender).Closed {
		return DirectMessage{}, fault.New(fault.Unauthenticated, "login_needed", "Please log in to continue.")
	}
	if err := t.checkWritable(sender); err != nil {
		return DirectMessage{}, err
	}
	m := message{
		ID: id, Seq: t.Last.Seq + 1, SenderID: sender, Text: body.text, CreatedAt: s.Clock.Now(), ClientKey: body.key, DealEventID: body.deal,
	}
	if body.deal != nil {
		acts, err := findActs(ctx, tx, []uuid.UUID{*body.deal})
		if err != nil {
			return DirectMessage{}, err
		}
		m.Deal = acts[*body.deal]
	}
	if body.picture != nil {
		imageID, err := s.Images.Save(ctx, tx, body.picture, sender, &t.ID)
		if err != nil {
			return DirectMessage{}, err
		}
		m.ImageID = &imageID
	}
	answered := t.Answered
	t.add(m)
	queueMessage(tx, t)
	s.Pushes.PushMessage(tx, receiver.ID, t.ID, m.ID)
	if t.Answered && !answered {
		tx.AfterCommit(func() { s.Presence.PartnersChanged(sender, receiver.ID) })
	}
	for _, person := range t.Members {
		s.Events.Append(tx, person.ID, realtime.TypeNewMessage, NewMessage{
			Message: t.showTo(person.ID, m), Conversation: t.view(person.ID),
		})
	}
	popup := ReceiveMessage{SenderID: sender, Sender: t.self(sender).Ref, ConversationID: t.ID}
	last := m.preview()
	popup.Text, popup.IsImage, popup.IsDelivery = last.text, last.isImage, last.isDelivery
	s.Events.PublishAtCommit(tx, receiver.ID, realtime.TypeReceiveMessage, popup)
	return t.showTo(sender, m), nil
}

// MarkRead marks all messages as read by the actor and notifies both members if any were unread.
// Codes: NotFound if the actor is not a member, Invalid if no conversation is given.
func (s *Service) MarkRead(ctx context.Context, actor uuid.UUID, conversation *uuid.UUID) (Conversation, error) {
	if conversation == nil {
		return Conversation{}, fault.Field("conversationId", "receiver_invalid", textNoConversation)
	}
	var seen Conversation
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		t, err := lockThread(ctx, tx, *conversation, actor)
		if err != nil {
			return err
		}
		reader := t.self(actor)
		news := reader.ReadSeq < t.Last.Seq
		reader.ReadSeq = t.Last.Seq
		seen = t.view(actor)
		if !news {
			return nil
		}
		for _, person := range t.Members {
			s.Events.Append(tx, person.ID, realtime.TypeMessageRead, MessageRead{
				ConversationID: t.ID, ReaderID: actor, UpTo: t.Last.ID,
			})
		}
		markRead.Queue(tx, postgres.Args{"id": *conversation, "reader": actor})
		return nil
	})
	return seen, err
}

// Opening is the first contact with another user. All fields but ReceiverID are optional.
type Opening struct {
	ReceiverID *uuid.UUID
	PostID     *uuid.UUID // the post it is about, or nil
	DealID     *uuid.UUID // the deal it is about, or nil; ignored if PostID is set
	Draft      Draft
}

// Started is a conversation as the starter now sees it. Message is the last message written by this
// call, nil if none was.
type Started struct {
	Conversation Conversation
	Message      *DirectMessage
	Created      bool
}

// Start finds or creates the conversation of the actor and another user and sends the draft, if
// there is one. A new conversation about a post of the receiver or a deal of both starts with a
// greeting in the starter's language, written in the transaction that creates it. A post becomes
// what the conversation is about, for both. Codes: Invalid with the first rule that fails, NotFound
// for an unknown receiver, a post that is not the receiver's or a deal that is not between the two,
// those of images.Service.Read for the image, Conflict if a conversation or message would be
// created with a disabled account, Forbidden if it would between two users of whom one has blocked
// the other, IdempotencyMismatch. A replay returns what was created under the key.
func (s *Service) Start(ctx context.Context, actor uuid.UUID, in Opening, key *idempotency.Key) (Started, error) {
	if in.ReceiverID == nil {
		return Started{}, fault.Field("receiverId", "receiver_invalid", textNoConversation)
	}
	// A repeated request is not checked, and its image is not decoded and counted again.
	if made, used, err := idempotency.Lookup(ctx, s.DB, key); err != nil || used {
		if err != nil {
			return Started{}, err
		}
		return s.started(ctx, actor, *in.ReceiverID, made)
	}
	receiver, err := getPerson(ctx, s.DB, *in.ReceiverID)
	if err != nil {
		return Started{}, err
	}
	if receiver.ID == actor {
		return Started{}, fault.Field("receiverId", "message_to_self", textSelf)
	}
	greeting, err := s.greeting(ctx, actor, receiver, in)
	if err != nil {
		return Started{}, err
	}
	in.Draft.Text = sanitize.Text(in.Draft.Text)
	body, err := s.read(ctx, actor, in.Draft)
	if err != nil {
		return Started{}, err
	}
	body.key = clientKey(key)
	id := uuid.Must(uuid.NewV7())
	var started Started
	made, err := idempotency.Create(ctx, s.DB, key, id, s.Clock.Now(), func(tx *postgres.Tx) error {
		var err error
		started, err = s.start(ctx, tx, id, pair{actor, receiver.ID, in.PostID}, content{text: greeting}, body)
		return err
	})
	if err != nil || made == id {
		return started, err
	}
	return s.started(ctx, actor, receiver.ID, made)
}

// Exists reports whether two users have a conversation, so that the api can recognize first
// contacts.
func (s *Service) Exists(ctx context.Context, one, other uuid.UUID) (bool, error) {
	return pairExists.One(ctx, s.DB, postgres.Args{"one": one, "other": other})
}

// greeting returns the first message of a conversation about a post or deal, "" if it is about
// neither.
func (s *Service) greeting(ctx context.Context, actor uuid.UUID, receiver person, in Opening) (string, error) {
	var kind catalog.Kind
	params := catalog.Params{"username": receiver.Username}
	switch {
	case in.PostID != nil:
		title, found, err := postTitle.Find(ctx, s.DB, postgres.Args{"post": *in.PostID, "author": receiver.ID})
		if err != nil {
			return "", err
		}
		if !found {
			return "", fault.New(fault.NotFound, "post_not_found", "Post not found")
		}
		kind, params["title"] = catalog.GreetingPost, title
	case in.DealID != nil:
		price, found, err := dealPrice.Find(ctx, s.DB, postgres.Args{"deal": *in.DealID, "one": actor, "other": receiver.ID})
		if err != nil {
			return "", err
		}
		if !found {
			return "", fault.New(fault.NotFound, "deal_not_found", "Deal not found.")
		}
		kind, params["amount"] = catalog.GreetingDeal, price.String()
	default:
		return "", nil
	}
	starter, err := getPerson(ctx, s.DB, actor)
	return catalog.Render(starter.Language, kind, params), err
}

// pair identifies a conversation by the user who opens it, the other one and the post (nil: none).
type pair struct {
	actor, receiver uuid.UUID
	post            *uuid.UUID
}

// find finds or creates the conversation of a pair.
func (s *Service) find(ctx context.Context, tx *postgres.Tx, p pair) (t thread, created bool, err error) {
	created, err = insertConversation.Any(ctx, tx,
		postgres.Args{"id": uuid.Must(uuid.NewV7()), "starter": p.actor, "other": p.receiver, "now": s.Clock.Now()})
	if err != nil {
		return t, false, err
	}
	if created { // a block locks the users, so it is either seen here or made afterwards
		if err := lockPeople(ctx, tx, forReading, p.actor, p.receiver); err != nil {
			return t, false, err
		}
	}
	if t, err = getPair(ctx, tx, p.actor, p.receiver); err != nil {
		return t, false, err
	}
	if created {
		if err := t.checkWritable(p.actor); err != nil {
			return t, false, err
		}
	}
	// Nobody changes what a closed conversation is about.
	known := t.Post != nil && p.post != nil && t.Post.ID == *p.post
	if p.post == nil || known || !t.writable(p.actor) {
		return t, created, nil
	}
	if err := setPost.Run(ctx, tx, postgres.Args{"id": t.ID, "post": *p.post}); err != nil {
		return t, false, err
	}
	t, err = getPair(ctx, tx, p.actor, p.receiver)
	return t, created, err
}

// start implements Start in a transaction. The last message written gets the given ID.
func (s *Service) start(ctx context.Context, tx *postgres.Tx, id uuid.UUID, p pair, greeting, body content) (Started, error) {
	t, created, err := s.find(ctx, tx, p)
	if err != nil {
		return Started{}, err
	}
	actor := p.actor
	var contents []content
	if created && !greeting.empty() {
		contents = append(contents, greeting)
	}
	if !body.empty() {
		contents = append(contents, body)
	}
	started := Started{Created: created}
	if len(contents) > 0 {
		if t, err = lockThread(ctx, tx, t.ID, actor); err != nil {
			return Started{}, err
		}
	}
	for i, c := range contents {
		messageID := id
		if i < len(contents)-1 {
			messageID = uuid.Must(uuid.NewV7())
		}
		sent, err := s.write(ctx, tx, &t, messageID, actor, c)
		if err != nil {
			return Started{}, err
		}
		started.Message = &sent
	}
	started.Conversation = t.view(actor)
	return started, nil
}

// started returns the result of an earlier request.
func (s *Service) started(ctx context.Context, actor, receiver, messageID uuid.UUID) (Started, error) {
	t, err := getPair(ctx, s.DB, actor, receiver)
	if err != nil {
		return Started{}, err
	}
	m, found, err := findMessage(ctx, s.DB, t.ID, messageID)
	if err != nil {
		return Started{}, err
	}
	started := Started{Conversation: t.view(actor)}
	if found {
		shown := t.showTo(actor, m)
		started.Message = &shown
	}
	return started, nil
}
