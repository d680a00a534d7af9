package chat

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/money/idempotency"
	"amanat/internal/platform/catalog"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
	"amanat/internal/platform/sanitize"
)

// Opening is how somebody turns to another person. All but the receiver is optional.
type Opening struct {
	ReceiverID *uuid.UUID
	PostID     *uuid.UUID // nil: about none
	DealID     *uuid.UUID // the same; a post goes before a deal
	Draft      Draft
}

// Started is a conversation as the starter now sees it. Message is what was written into it last by this call, nil when nothing was.
type Started struct {
	Conversation Conversation
	Message      *DirectMessage
	Created      bool
}

// Start finds or makes the conversation of the actor and another person, and sends the draft, if there is one. Whoever makes it from
// a post of the other or from a deal of both greets the other user, once: the greeting is written in the transaction that makes the
// conversation, in the starter's language. Codes: Invalid with the first rule that fails, NotFound for an unknown receiver, another's post or a deal
// that is not one of the two, those of images.Service.Read for the image, Conflict when there is something to write to a disabled account, IdempotencyMismatch. A replay returns what the key made.
func (s *Service) Start(ctx context.Context, actor uuid.UUID, in Opening, key *idempotency.Key) (Started, error) {
	if in.ReceiverID == nil {
		return Started{}, fault.Field("receiverId", textNowhere)
	}
	receiver, err := getPerson(ctx, s.DB, *in.ReceiverID)
	if err != nil {
		return Started{}, err
	}
	if receiver.ID == actor {
		return Started{}, fault.Field("receiverId", textOneself)
	}
	greeting, err := s.greeting(ctx, actor, receiver, in)
	if err != nil {
		return Started{}, err
	}
	in.Draft.Text = sanitize.Text(in.Draft.Text)
	what, err := s.read(ctx, actor, in.Draft)
	if err != nil {
		return Started{}, err
	}
	id := uuid.Must(uuid.NewV7())
	var started Started
	made, err := idempotency.Create(ctx, s.DB, key, id, s.Clock.Now(), func(tx *postgres.Tx) error {
		var err error
		started, err = s.start(ctx, tx, id, actor, receiver.ID, content{text: greeting}, what)
		return err
	})
	if err != nil || made == id {
		return started, err
	}
	return s.started(ctx, actor, receiver.ID, made)
}

// Exists tells whether two people have a conversation, so that the api knows who is about to turn to a stranger.
func (s *Service) Exists(ctx context.Context, one, other uuid.UUID) (bool, error) {
	return pairExists(ctx, s.DB, one, other)
}

// greeting returns the words that open a conversation about something, "" when it is about nothing.
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
			return "", fault.New(fault.NotFound, "Post not found")
		}
		kind, params["title"] = catalog.GreetingPost, title
	case in.DealID != nil:
		price, found, err := dealPrice(ctx, s.DB, *in.DealID, actor, receiver.ID)
		if err != nil {
			return "", err
		}
		if !found {
			return "", fault.New(fault.NotFound, "Deal not found.")
		}
		kind, params["amount"] = catalog.GreetingDeal, price.String()
	default:
		return "", nil
	}
	starter, err := getPerson(ctx, s.DB, actor)
	return catalog.Render(starter.Language, kind, params), err
}

// start does it in a transaction. The last message it writes gets the given id.
func (s *Service) start(ctx context.Context, tx *postgres.Tx, id, actor, receiver uuid.UUID, greeting, what content) (Started, error) {
	created, err := insertConversation(ctx, tx, uuid.Must(uuid.NewV7()), actor, receiver, s.Clock.Now())
	if err != nil {
		return Started{}, err
	}
	t, err := getPair(ctx, tx, actor, receiver)
	if err != nil {
		return Started{}, err
	}
	if created && t.peer(actor).Disabled {
		return Started{}, fault.New(fault.Conflict, textDisabled)
	}
	var words []content
	if created && !greeting.empty() {
		words = append(words, greeting)
	}
	if !what.empty() {
		words = append(words, what)
	}
	started := Started{Created: created}
	if len(words) > 0 {
		if t, err = lockThread(ctx, tx, t.ID); err != nil {
			return Started{}, err
		}
	}
	for i, c := range words {
		messageID := id
		if i < len(words)-1 {
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

// started reads what an earlier request has made.
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
		shown := t.show(m)
		started.Message = &shown
	}
	return started, nil
}
