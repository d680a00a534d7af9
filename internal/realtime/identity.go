package realtime

import "github.com/google/uuid"

// Identity is the authenticated user and session of a socket.
type Identity struct {
	UserID, SessionID uuid.UUID
	Admin             bool
}
