package chat

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/sanitize"
	"amanat/internal/money/idempotency"
)

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
	return pairExists(ctx, s.DB, one, other)
}

// greeting returns the first message of a conversation about a post or deal, "" if it is about
// neither.
func (s *Service) greeting(ctx context.Context, actor uuid.UUID, receiver person, in Opening) (string, error) {
	var kind catalog.Kind
	params := catalog.Params{"username": receiver.Username}
	switch {
	case in.PostID != nil:
		title, found, err := postTitle(ctx, s.DB, *in.PostID, receiver.ID)
		if err != nil {
			return "", err
		}
		if !found {
			return "", fault.New(fault.NotFound, "post_not_found", "Post not found")
		}
		kind, params["title"] = catalog.GreetingPost, title
	case in.DealID != nil:
		price, found, err := dealPrice(ctx, s.DB, *in.DealID, actor, receiver.ID)
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

// pair is who opens a conversation with whom, and about which post, or nil.
type pair struct {
	actor, receiver uuid.UUID
	post            *uuid.UUID
}

// find finds or creates the conversation of a pair.
func (s *Service) find(ctx context.Context, tx *postgres.Tx, p pair) (t thread, created bool, err error) {
	created, err = insertConversation(ctx, tx, uuid.Must(uuid.NewV7()), p.actor, p.receiver, s.Clock.Now())
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
	if err := setPost(ctx, tx, t.ID, *p.post); err != nil {
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
