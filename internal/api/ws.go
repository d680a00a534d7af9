package api

import (
	"log/slog"
	"net/http"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"amanat/internal/fault"
	"amanat/internal/realtime"
)

// socketEndpoint is the one call that huma does not serve: its connection goes over to the hub.
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

// openSocket hands the connection to the hub. Before that: the session, the Origin, the query. A page of another site could open a socket
// with the visitor's cookie, so whoever does not say that he is a page of ours is refused; a userId in the query is ignored.
func (s *Server) openSocket(w http.ResponseWriter, r *http.Request) error {
	c, err := s.admit(r, socketEndpoint)
	if err != nil {
		return err
	}
	if !slices.Contains(s.origins, r.Header.Get("Origin")) {
		s.event(r.Context(), slog.LevelWarn, "socket of another site refused", c.user.ID)
		return fault.New(fault.Forbidden, textOtherSite)
	}
	since, err := readPosition(r.URL.Query().Get("since"))
	if err != nil {
		return err
	}
	person := realtime.Person{UserID: c.user.ID, SessionID: c.session.ID, Admin: c.user.IsAdmin}
	if err := s.hub.Join(w, r, person, since); err != nil {
		return err
	}
	requestInfoOf(r.Context()).upgraded = true
	return nil
}

// readPosition reads a place in the user's event log; nil when none is given. Code Invalid.
func readPosition(text string) (*int64, error) {
	if text == "" {
		return nil, nil
	}
	position, err := strconv.ParseInt(text, 10, 64)
	if err != nil || position < 0 {
		return nil, fault.Field("since", "since must be a whole number from 0.")
	}
	return &position, nil
}

// Hub returns what serves the sockets, for the process to run and to drain.
func (s *Server) Hub() *realtime.Hub { return s.hub }

// Presence returns what tells people who is online, for the process to run over the hub.
func (s *Server) Presence() *realtime.Presence { return s.presence }

func (s *Server) documentSocket() {
	least := 0.0
	operation := &huma.Operation{
		OperationID: socketEndpoint.id, Method: socketEndpoint.method, Path: socketEndpoint.path, Tags: []string{socketEndpoint.tag},
		Summary: socketEndpoint.summary,
		Description: socketEndpoint.description() + " The handshake needs the Origin of the site. Frames are JSON texts: ServerFrame to the client, " +
			"ClientFrame from it; the first is hello. Close codes: 1012 and 4002: come back, with since; 4001: the session is over; " +
			"4003: the user has too many sockets, and this was the oldest; 4004: not a ClientFrame; 4005: too many frames.",
		Parameters: []*huma.Param{{
			Name: "since", In: "query", Example: sampleNumbers["eventSeq"],
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
					"data": realtime.Hello{Recovered: true, Seq: int64(sampleNumbers["eventSeq"])},
				},
			}},
		}},
	}
	s.huma.OpenAPI().AddOperation(operation)
	s.documentFaults(socketEndpoint, operation)
}
