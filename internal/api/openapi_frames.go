package api

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"amanat/internal/domain/chat"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/notifications"
	"amanat/internal/domain/personal"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
)

// frameKind documents a frame of a socket.
type frameKind struct {
	name   string
	data   reflect.Type
	logged bool // in the user's event log, with a seq
}

// emptyData is the data of a frame without fields.
type emptyData struct{}

var serverFrames = []frameKind{
	{name: realtime.TypeHello, data: reflect.TypeFor[realtime.Hello]()},
	{name: realtime.TypeNewMessage, data: reflect.TypeFor[chat.NewMessage](), logged: true},
	{name: realtime.TypeMessageRead, data: reflect.TypeFor[chat.MessageRead](), logged: true},
	{name: realtime.TypeNotification, data: reflect.TypeFor[notifications.NotificationEvent](), logged: true},
	{name: realtime.TypeDealUpdated, data: reflect.TypeFor[deals.DealUpdated](), logged: true},
	{name: realtime.TypeWalletUpdated, data: reflect.TypeFor[realtime.WalletUpdated](), logged: true},
	{name: realtime.TypeOperationSettled, data: reflect.TypeFor[operations.View](), logged: true},
	{name: realtime.TypeDataExportReady, data: reflect.TypeFor[personal.ExportReady](), logged: true},
	{name: realtime.TypeOnlineUsers, data: reflect.TypeFor[onlineUsers]()},
	{name: realtime.TypeReceiveMessage, data: reflect.TypeFor[chat.ReceiveMessage]()},
	{name: realtime.TypeTyping, data: reflect.TypeFor[chat.Typing]()},
	{name: realtime.TypeQueueChanged, data: reflect.TypeFor[realtime.QueueChanged]()},
	{name: realtime.TypePong, data: reflect.TypeFor[emptyData]()},
	{name: realtime.TypeProblem, data: reflect.TypeFor[realtime.Problem]()},
}

// AboutConversation is the data of client frames about a conversation.
type AboutConversation struct {
	ConversationID uuid.UUID `json:"conversationId"`
}

var clientFrames = []frameKind{
	{name: realtime.TypeMarkAsRead, data: reflect.TypeFor[AboutConversation]()},
	{name: realtime.TypeTyping, data: reflect.TypeFor[AboutConversation]()},
	{name: realtime.TypePing, data: reflect.TypeFor[emptyData]()},
}

// onlineUsers documents the data of realtime.TypeOnlineUsers.
type onlineUsers struct{}

// Schema documents a list of ids or null.
func (onlineUsers) Schema(registry huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeArray, Nullable: true, Items: registry.Schema(reflect.TypeFor[uuid.UUID](), true, ""),
		Description: "Who is online of those that the user has a conversation with; null while that is not known.",
	}
}

// Names of the schemas below.
const (
	serverFrameSchema = "ServerFrame"
	clientFrameSchema = "ClientFrame"
)

// documentFrames adds the frames of sockets to the document, which no call refers to.
func (s *Server) documentFrames() {
	schemas := s.huma.OpenAPI().Components.Schemas
	server := &huma.Schema{Description: "What a socket receives. " +
		"Frames with a seq are in the user's event log and come in its order, without gaps; others may be lost."}
	for _, kind := range serverFrames {
		frame := kind.schema(schemas)
		frame.Properties["v"] = &huma.Schema{Type: huma.TypeInteger, Enum: []any{realtime.Version}}
		frame.Properties["id"] = schemas.Schema(reflect.TypeFor[uuid.UUID](), true, "")
		frame.Properties["ts"] = &huma.Schema{Type: huma.TypeString, Format: "date-time"}
		frame.Required = append(frame.Required, "v", "id", "ts")
		if kind.logged {
			frame.Properties["seq"] = &huma.Schema{Type: huma.TypeInteger, Format: "int64"}
			frame.Required = append(frame.Required, "seq")
		}
		server.OneOf = append(server.OneOf, frame)
	}
	client := &huma.Schema{Description: "What a socket may send: at most 4 KiB."}
	for _, kind := range clientFrames {
		client.OneOf = append(client.OneOf, kind.schema(schemas))
	}
	schemas.Map()[serverFrameSchema], schemas.Map()[clientFrameSchema] = server, client
}

// schema describes the frame's envelope.
func (k frameKind) schema(registry huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeObject, Required: []string{"type", "data"},
		Properties: map[string]*huma.Schema{
			"type": {Type: huma.TypeString, Enum: []any{k.name}},
			"data": registry.Schema(k.data, true, ""),
		},
	}
}
