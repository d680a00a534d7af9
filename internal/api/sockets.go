package api

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"amanat/internal/domain/chat"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/ratelimit"
	"amanat/internal/realtime"
)

// socketEndpoint is the only call that huma does not serve: the hub takes over its connection.
var socketEndpoint = endpoint{
	id: "socket", method: http.MethodGet, path: "/ws", tag: "Realtime",
	summary: "Open a WebSocket on which the user's events arrive",
	codes:   []fault.Code{fault.Forbidden},
}

func (s *Server) registerSocket() {
	s.routes.Get(socketEndpoint.path, func(w http.ResponseWriter, r *http.Request) {
		if err := s.openSocket(w, r); err != nil {
			s.refuse(w, r, err)
		}
	})
	s.documentFrames()
	s.documentSocket()
}

// openSocket passes the connection to the hub after checking the session, the Origin and the query.
// A page of another site could open a socket with the user's cookie, so a request without a trusted
// Origin is rejected. A userId in the query is ignored.
func (s *Server) openSocket(w http.ResponseWriter, r *http.Request) error {
	c, err := s.admit(r, socketEndpoint)
	if err != nil {
		return err
	}
	if !slices.Contains(s.origins, r.Header.Get("Origin")) {
		s.securityEvent(r.Context(), slog.LevelWarn, "socket of another site refused", c.userID())
		return fault.New(fault.Forbidden, "other_site", textOtherSite)
	}
	since, err := readCursor(r.URL.Query().Get("since"))
	if err != nil {
		return err
	}
	person := realtime.Identity{UserID: c.user.ID, SessionID: c.session.ID, Admin: s.accounts.ActsAsAdmin(c.user)}
	if err := s.hub.Join(w, r, person, since); err != nil {
		return err
	}
	requestInfoOf(r.Context()).upgraded = true
	return nil
}

// readCursor parses a position in the user's event log; nil if it is missing. Code Invalid.
func readCursor(text string) (*int64, error) {
	if text == "" {
		return nil, nil
	}
	position, err := strconv.ParseInt(text, 10, 64)
	if err != nil || position < 0 {
		return nil, fault.Field("since", "since_malformed", "since must be a whole number from 0.")
	}
	return &position, nil
}

// Hub returns the hub, which the process runs and drains.
func (s *Server) Hub() *realtime.Hub { return s.hub }

// Presence returns the presence service, which the process runs with the hub.
func (s *Server) Presence() *realtime.Presence { return s.presence }

func (s *Server) documentSocket() {
	least := 0.0
	operation := &huma.Operation{
		OperationID: socketEndpoint.id, Method: socketEndpoint.method, Path: socketEndpoint.path, Tags: []string{socketEndpoint.tag},
		Summary: socketEndpoint.summary,
		Description: socketEndpoint.description() + " The handshake needs the Origin of the site. " +
			"Frames are JSON texts: ServerFrame to the client, ClientFrame from it; the first is hello. " +
			"Close codes: 1012 and 4002: come back, with since; 4001: the session is over; " +
			"4003: the user has too many sockets, and this was the oldest; 4004: not a ClientFrame; 4005: too many frames.",
		Parameters: []*huma.Param{{
			Name: "since", In: "query", Example: sampleSeq,
			Description: "The seq of the last frame that was seen, or the user's eventSeq: what came after it is sent first.",
			Schema:      &huma.Schema{Type: huma.TypeInteger, Format: "int64", Minimum: &least},
		}},
		Security: []map[string][]string{{sessionScheme: {}}},
		Responses: map[string]*huma.Response{strconv.Itoa(http.StatusSwitchingProtocols): {
			Description: "WebSocket from here on; described is a frame of the server.",
			Content: map[string]*huma.MediaType{jsonType: {
				Schema: &huma.Schema{Ref: "#/components/schemas/" + serverFrameSchema},
				Example: map[string]any{
					"v": realtime.Version, "id": sampleID, "type": realtime.TypeHello, "ts": sampleTime,
					"data": realtime.Hello{Recovered: true, Seq: sampleSeq},
				},
			}},
		}},
	}
	s.huma.OpenAPI().AddOperation(operation)
	s.documentFaults(socketEndpoint, operation)
}

// socketFrames handles the frames of clients.
type socketFrames struct {
	chat   *chat.Service
	typing *ratelimit.Limiter
}

// typing limits typing frames per conversation and user. The UI shows one for three seconds.
var typing = ratelimit.Limit{Name: "typing", Rate: ratelimit.Rate{Count: 1, Per: 2 * time.Second}}

// receive handles a client's frame, see realtime.Hooks. Codes, which are sent to the client:
// NotFound if the user is not in the conversation. realtime.ErrGarbage for an unknown frame.
func (f *socketFrames) receive(ctx context.Context, person realtime.Identity, frameType string, data json.RawMessage) error {
	var about struct { // AboutConversation; nil if the frame names none
		ConversationID *uuid.UUID `json:"conversationId"`
	}
	switch frameType {
	case realtime.TypeMarkAsRead, realtime.TypeTyping:
		if err := json.Unmarshal(data, &about); err != nil {
			return errNoConversation() // malformed
		}
	default:
		return realtime.ErrGarbage
	}
	if frameType == realtime.TypeTyping {
		if about.ConversationID == nil {
			return errNoConversation()
		}
		if !f.typing.Allow(ctx, typing.For(person.UserID.String()+about.ConversationID.String())).Allowed {
			return nil // notified recently
		}
		return f.chat.Type(ctx, person.UserID, *about.ConversationID)
	}
	_, err := f.chat.MarkRead(ctx, person.UserID, about.ConversationID)
	return err
}
