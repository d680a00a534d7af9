package realtime

import "github.com/google/uuid"

// Person is who a socket belongs to.
type Person struct {
	UserID, SessionID uuid.UUID
	Admin             bool
}
