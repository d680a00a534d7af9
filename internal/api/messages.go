package api

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"amanat/internal/chat"
	"amanat/internal/fault"
	"amanat/internal/party"
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
	registerKeyed(s, endpoint{
		id: "message-send", method: http.MethodPost, path: "/messages", tag: tag, status: http.StatusCreated, image: true,
		summary: "Write into a conversation",
		codes:   []fault.Code{fault.NotFound, fault.Conflict},
	}, false, s.messageSend)
	registerKeyed(s, endpoint{
		id: "conversation-start", method: http.MethodPost, path: "/messages/send-or-start", tag: tag, status: http.StatusCreated, image: true,
		summary: "Find or make the conversation with somebody, and write into it if there is something to write",
		codes:   []fault.Code{fault.NotFound, fault.Conflict},
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
	Total int `header:"X-Total-Count"`
	Body  []chat.Conversation
}

func (s *Server) conversations(ctx context.Context, in *Paged) (*conversationListOutput, error) {
	slice, err := in.sliceOrAll()
	if err != nil {
		return nil, err
	}
	list, total, err := s.chat.List(ctx, actor(ctx).ID, chat.Page(slice))
	return &conversationListOutput{Total: total, Body: list}, err
}

func (s *Server) conversation(ctx context.Context, _ *IDPath) (*output[chat.Conversation], error) {
	found, err := s.chat.Get(ctx, actor(ctx).ID, pathID(ctx))
	return respond(found), err
}

const defaultMessages = 30

// HistoryQuery chooses a stretch of a conversation.
type HistoryQuery struct {
	Before string      `query:"before" doc:"Id of a message: only older ones."`
	Limit  queryNumber `query:"limit" doc:"30 by default, at most 100."`
}

func (q HistoryQuery) read() (chat.Before, error) {
	limit, err := wholeNumber("limit", q.Limit, defaultMessages, 0)
	if err != nil {
		return chat.Before{}, err
	}
	before := chat.Before{Limit: min(limit, maxLimit)}
	if q.Before != "" {
		id, _ := parseID(q.Before) // a malformed id is that of no message, which the noun refuses in its turn
		before.MessageID = &id
	}
	return before, nil
}

// MessagesInput asks for messages of a conversation.
type MessagesInput struct {
	IDPath
	HistoryQuery
}

// MessageHistory is a stretch of a conversation.
type MessageHistory struct {
	Messages   []chat.DirectMessage `json:"messages"`
	NextBefore *uuid.UUID           `json:"nextBefore" nullable:"true" doc:"The before of the next older page; null at the beginning."`
}

func historyOf(h chat.History) MessageHistory { return MessageHistory(h) }

func (s *Server) messages(ctx context.Context, in *MessagesInput) (*output[MessageHistory], error) {
	before, err := in.read()
	if err != nil {
		if _, hidden := s.chat.Get(ctx, actor(ctx).ID, pathID(ctx)); hidden != nil { // a stranger learns nothing of the query
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
	Text           string `json:"text,omitempty" doc:"At most 4,000 characters. Text or image is needed."`
	Image          string `json:"image,omitempty" doc:"A data URL."`
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
	conversation, err := optionalID(body.ConversationID, "Conversation not found.")
	if err != nil {
		return nil, err
	}
	sent, err := s.chat.Send(ctx, actor(ctx).ID, conversation, chat.Draft{Text: body.Text, Image: body.Image}, callOf(ctx).key)
	if err == nil && sent.First {
		s.met(sent.Conversation)
	}
	return &Settled[MessageSent]{Status: http.StatusCreated, Body: MessageSent{sent.Message, sent.Conversation}}, err
}

// met lets the two people of a conversation see whether the other is online, from its first message on.
func (s *Server) met(c chat.Conversation) {
	s.presence.Met(mapped(c.Participants, func(p party.Party) uuid.UUID { return p.ID })...)
}

// optionalID reads an id of a body; none is uuid.Nil. A malformed one is one that nothing has: NotFound with the given text.
func optionalID(text, unknown string) (uuid.UUID, error) {
	if text == "" {
		return uuid.Nil, nil
	}
	id, err := parseID(text)
	if err != nil || id == uuid.Nil {
		return uuid.Nil, fault.New(fault.NotFound, unknown)
	}
	return id, nil
}

// StartBody is the body of send-or-start.
type StartBody struct {
	ReceiverID string `json:"receiverId" format:"uuid"`
	Text       string `json:"text,omitempty" doc:"At most 4,000 characters."`
	Image      string `json:"image,omitempty" doc:"A data URL."`
	PostID     string `json:"postId,omitempty" doc:"A post of the receiver: a new conversation begins with a greeting that names it."`
	DealID     string `json:"dealId,omitempty" doc:"A deal of the two: the same."`
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
	if opening.ReceiverID, err = optionalID(body.ReceiverID, "User not found"); err != nil {
		return nil, err
	}
	if opening.PostID, err = optionalID(body.PostID, "Post not found"); err != nil {
		return nil, err
	}
	if opening.DealID, err = optionalID(body.DealID, "Deal not found."); err != nil {
		return nil, err
	}
	started, err := s.chat.Start(ctx, actor(ctx).ID, opening, callOf(ctx).key)
	if err == nil && started.First {
		s.met(started.Conversation)
	}
	return &Settled[ConversationStarted]{
		Status: http.StatusCreated,
		Body:   ConversationStarted{started.Conversation, orNull(started.Message), started.Created},
	}, err
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
	conversation, err := optionalID(body.ConversationID, "Conversation not found.")
	if err != nil {
		return nil, err
	}
	read, err := s.chat.MarkRead(ctx, actor(ctx).ID, conversation)
	return respond(read), err
}

// UnreadDot tells whether anything is unread.
type UnreadDot struct {
	HasUnread bool `json:"hasUnread"`
}

func (s *Server) messagesUnread(ctx context.Context, _ *struct{}) (*output[UnreadDot], error) {
	unread, err := s.chat.HasUnread(ctx, actor(ctx).ID)
	return respond(UnreadDot{unread}), err
}
