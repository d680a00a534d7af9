package api

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/user"
	"amanat/internal/domain/chat"
	"amanat/internal/lib/fault"
)

func (s *Server) registerMessages() {
	const tag = "Messages"
	register(s, endpoint{
		id: "conversations", method: http.MethodGet, path: "/messages/conversations", tag: tag,
		summary: "The user's inbox, newest first",
	}, s.conversations)
	register(s, endpoint{
		id: "conversation", method: http.MethodGet, path: "/messages/conversations/{id}", tag: tag,
		summary: "One conversation, to its two people",
	}, s.conversation)
	register(s, endpoint{
		id: "messages", method: http.MethodGet, path: "/messages/{id}", tag: tag,
		summary: "Messages of a conversation: the newest page first, oldest first inside it",
	}, s.messages)
	registerIdempotent(s, endpoint{
		id: "message-send", method: http.MethodPost, path: "/messages", tag: tag, status: http.StatusCreated, image: true,
		summary: "Write into a conversation", rateLimits: []rateLimit{s.perPerson("messages", s.limits.MessageLimit)},
		codes: []fault.Code{fault.NotFound, fault.Conflict},
	}, false, s.messageSend)
	registerIdempotent(s, endpoint{
		id: "conversation-start", method: http.MethodPost, path: "/messages/send-or-start", tag: tag, status: http.StatusCreated,
		image:      true,
		summary:    "Find or make the conversation with somebody, and write into it if there is something to write",
		rateLimits: []rateLimit{s.perPerson("messages", s.limits.MessageLimit)},
		codes:      []fault.Code{fault.NotFound, fault.Conflict},
	}, false, s.conversationStart)
	register(s, endpoint{
		id: "messages-mark-read", method: http.MethodPost, path: "/messages/mark-as-read", tag: tag,
		summary: "Note that a conversation has been read to its end",
		codes:   []fault.Code{fault.NotFound},
	}, s.messagesMarkRead)
	register(s, endpoint{
		id: "messages-unread", method: http.MethodGet, path: "/messages/unread-dot", tag: tag,
		summary: "Whether any conversation has unread messages",
	}, s.messagesUnread)
}

type conversationListOutput struct {
	Total
	Body []chat.Conversation
}

func (s *Server) conversations(ctx context.Context, in *Paged) (*conversationListOutput, error) {
	slice, err := in.sliceOrFirst()
	if err != nil {
		return nil, err
	}
	list, total, err := s.chat.List(ctx, actor(ctx).ID, slice)
	return &conversationListOutput{Total: Total{total}, Body: list}, err
}

func (s *Server) conversation(ctx context.Context, _ *IDPath) (*output[chat.Conversation], error) {
	found, err := s.chat.Get(ctx, actor(ctx).ID, pathID(ctx))
	return respond(found), err
}

const defaultMessages = 30

// HistoryQuery selects a page of a conversation.
type HistoryQuery struct {
	Before string      `query:"before" doc:"Id of a message: only older ones." example:"019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
	Limit  queryNumber `query:"limit" doc:"30 by default, at most 100." example:"10"`
}

func (q HistoryQuery) read() (chat.Before, error) {
	limit, err := wholeNumber("limit", q.Limit, defaultMessages, 0)
	if err != nil {
		return chat.Before{}, err
	}
	before := chat.Before{Limit: min(limit, maxLimit)}
	if q.Before != "" {
		id, _ := parseID(q.Before) // a malformed id is not found
		before.MessageID = &id
	}
	return before, nil
}

// MessagesInput selects a conversation and a page of it.
type MessagesInput struct {
	IDPath
	HistoryQuery
}

// MessageHistory is a page of a conversation.
type MessageHistory struct {
	Messages   []chat.DirectMessage `json:"messages"`
	NextBefore *uuid.UUID           `json:"nextBefore" nullable:"true" doc:"The before of the next older page; null at the beginning."`
}

func (h MessageHistory) rowCount() int { return len(h.Messages) }

func (h MessageHistory) row(i int) any { return h.Messages[len(h.Messages)-1-i] }

// first keeps the newest messages; clients request older ones with NextBefore.
func (h MessageHistory) first(n int) any {
	h.Messages = h.Messages[len(h.Messages)-n:]
	if n > 0 {
		h.NextBefore = &h.Messages[0].ID
	}
	return h
}

func historyOf(h chat.History) MessageHistory { return MessageHistory(h) }

func (s *Server) messages(ctx context.Context, in *MessagesInput) (*output[MessageHistory], error) {
	before, err := in.read()
	if err != nil {
		// Existence is checked before the query.
		if _, hidden := s.chat.Get(ctx, actor(ctx).ID, pathID(ctx)); hidden != nil {
			return nil, hidden
		}
		return nil, err
	}
	found, err := s.chat.Messages(ctx, actor(ctx).ID, pathID(ctx), before)
	return respond(historyOf(found)), err
}

// MessageBody is the body of a message.
type MessageBody struct {
	ConversationID string `json:"conversationId" format:"uuid"`
	Text           string `json:"text,omitempty" doc:"At most 4,000 characters. Text or image is needed." example:"Is it still for sale?"`
	Image          string `json:"image,omitempty" doc:"A data URL." example:"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="`
}

// MessageSent is a message and its conversation.
type MessageSent struct {
	Message      chat.DirectMessage `json:"message"`
	Conversation chat.Conversation  `json:"conversation"`
}

func (s *Server) messageSend(ctx context.Context, in *struct{ Payload Payload[MessageBody] }) (*Settled[MessageSent], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	conversation, err := optionalID(body.ConversationID, errNoConversation())
	if err != nil {
		return nil, err
	}
	sent, err := s.chat.Send(ctx, actor(ctx).ID, conversation, chat.Draft{Text: body.Text, Image: body.Image}, callOf(ctx).key)
	return settledWith(MessageSent{sent.Message, sent.Conversation}), err
}

func errNoConversation() error {
	return fault.New(fault.NotFound, "conversation_not_found", "Conversation not found.")
}

// optionalID parses the id of a body; nil if it is missing. It returns unknown, the NotFound error
// for an id that does not exist, if it is malformed.
func optionalID(text string, unknown error) (*uuid.UUID, error) {
	if text == "" {
		return nil, nil
	}
	id, err := parseID(text)
	if err != nil {
		return nil, unknown
	}
	return &id, nil
}

// StartBody is the body of send-or-start.
type StartBody struct {
	ReceiverID string `json:"receiverId" format:"uuid"`
	Text       string `json:"text,omitempty" doc:"At most 4,000 characters." example:"Is it still for sale?"`
	Image      string `json:"image,omitempty" doc:"A data URL." example:"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="`
	PostID     string `json:"postId,omitempty" doc:"A post of the receiver: a new conversation begins with a greeting that names it, and an old one is about it from now on." example:"019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
	DealID     string `json:"dealId,omitempty" doc:"A deal of the two: the same." example:"019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
}

// ConversationStarted is the answer to send-or-start.
type ConversationStarted struct {
	Conversation chat.Conversation            `json:"conversation"`
	Message      Nullable[chat.DirectMessage] `json:"message" doc:"What was written, or the greeting; null when nothing was."`
	Created      bool                         `json:"created"`
}

func (s *Server) conversationStart(ctx context.Context, in *struct{ Payload Payload[StartBody] }) (*Settled[ConversationStarted], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	opening := chat.Opening{Draft: chat.Draft{Text: body.Text, Image: body.Image}}
	if opening.ReceiverID, err = optionalID(body.ReceiverID, fault.New(fault.NotFound, "user_not_found", "User not found")); err != nil {
		return nil, err
	}
	if opening.PostID, err = optionalID(body.PostID, fault.New(fault.NotFound, "post_not_found", "Post not found")); err != nil {
		return nil, err
	}
	if opening.DealID, err = optionalID(body.DealID, fault.New(fault.NotFound, "deal_not_found", "Deal not found.")); err != nil {
		return nil, err
	}
	started, err := s.openConversation(ctx, opening)
	return settledWith(ConversationStarted{started.Conversation, orNull(started.Message), started.Created}), err
}

// openConversation charges the rate limit for a new conversation only.
func (s *Server) openConversation(ctx context.Context, opening chat.Opening) (chat.Started, error) {
	exists := false
	if opening.ReceiverID != nil {
		var err error
		if exists, err = s.chat.Exists(ctx, actor(ctx).ID, *opening.ReceiverID); err != nil {
			return chat.Started{}, err
		}
	}
	giveBack := func() {}
	if !exists {
		var err error
		giveBack, err = s.enforceRateLimits(ctx,
			s.perPerson("conversations", s.limits.ConversationLimit), s.perPerson("conversations-day", s.limits.ConversationDayLimit))
		if err != nil {
			return chat.Started{}, err
		}
	}
	started, err := s.chat.Start(ctx, actor(ctx).ID, opening, callOf(ctx).key)
	if !started.Created {
		giveBack()
	}
	return started, err
}

// MarkReadBody is the body of mark-as-read.
type MarkReadBody struct {
	ConversationID string `json:"conversationId" format:"uuid"`
}

func (s *Server) messagesMarkRead(ctx context.Context, in *struct{ Payload Payload[MarkReadBody] }) (*output[chat.Conversation], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	conversation, err := optionalID(body.ConversationID, errNoConversation())
	if err != nil {
		return nil, err
	}
	read, err := s.chat.MarkRead(ctx, actor(ctx).ID, conversation)
	return respond(read), err
}

// UnreadDot tells whether there are unread messages.
type UnreadDot struct {
	HasUnread bool `json:"hasUnread" example:"true"`
}

func (s *Server) messagesUnread(ctx context.Context, _ *struct{}) (*output[UnreadDot], error) {
	unread, err := s.chat.HasUnread(ctx, actor(ctx).ID)
	return respond(UnreadDot{unread}), err
}

// userTag groups the calls about other users in the document.
const userTag = "Users"

func (s *Server) registerBlocks() {
	register(s, endpoint{
		id: "users-blocked", method: http.MethodGet, path: "/users/blocked", tag: userTag,
		summary: "Whom the user has blocked, newest first",
	}, s.usersBlocked)
	register(s, endpoint{
		id: "user-relation", method: http.MethodGet, path: "/users/{id}/relation", tag: userTag,
		summary: "Whether the user has blocked another, or is blocked by them",
	}, s.userRelation)
	register(s, endpoint{
		id: "user-block", method: http.MethodPost, path: "/users/{id}/block", tag: userTag,
		summary:    "Block a user: no messages, no new deals, and neither finds the other",
		rateLimits: []rateLimit{perUser("blocks", s.limits.BlockLimit)},
		codes:      []fault.Code{fault.Invalid},
	}, s.userBlock)
	register(s, endpoint{
		id: "user-unblock", method: http.MethodDelete, path: "/users/{id}/block", tag: userTag,
		summary:    "Unblock a user",
		rateLimits: []rateLimit{perUser("blocks", s.limits.BlockLimit)},
	}, s.userUnblock)
}

func (s *Server) userBlock(ctx context.Context, _ *IDPath) (*output[Message], error) {
	err := s.chat.Block(ctx, actor(ctx).ID, pathID(ctx))
	return respond(Message{chat.OutcomeBlocked}), err
}

func (s *Server) userUnblock(ctx context.Context, _ *IDPath) (*output[Message], error) {
	err := s.chat.Unblock(ctx, actor(ctx).ID, pathID(ctx))
	return respond(Message{chat.OutcomeUnblocked}), err
}

// Relation is what is between the user and another.
type Relation struct {
	Block string `json:"block" enum:"none,mine,theirs" doc:"Whether the user has blocked the other, or is blocked by them; mine if both."`
}

func (s *Server) userRelation(ctx context.Context, _ *IDPath) (*output[Relation], error) {
	block, err := s.chat.Relation(ctx, actor(ctx).ID, pathID(ctx))
	return respond(Relation{string(block)}), err
}

// BlockedUser is a user whom the reader has blocked.
type BlockedUser struct {
	User      user.Ref  `json:"user"`
	BlockedAt time.Time `json:"blockedAt"`
}

type blockedListOutput struct {
	Total
	Body []BlockedUser
}

func (s *Server) usersBlocked(ctx context.Context, in *Paged) (*blockedListOutput, error) {
	slice, err := in.sliceOrFirst()
	if err != nil {
		return nil, err
	}
	list, total, err := s.chat.ListBlocked(ctx, actor(ctx).ID, slice)
	return &blockedListOutput{Total: Total{total}, Body: mapped(list, func(b chat.Blocked) BlockedUser { return BlockedUser(b) })}, err
}
