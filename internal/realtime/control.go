package realtime

import "github.com/google/uuid"

const (
	// adminsChannel carries frames for all connected admins.
	adminsChannel = "rt:admins"
	// controlChannel carries ended sessions.
	controlChannel = "rt:ctl"
)

// control names ended sessions: a single one, or all of a user except one.
type control struct {
	Session *uuid.UUID `json:"session,omitzero"`
	User    *uuid.UUID `json:"user,omitzero"`
	Except  *uuid.UUID `json:"except,omitzero"`
}

// ends reports whether the message ends the session of a socket.
func (c control) ends(p Identity) bool {
	switch {
	case c.Session != nil:
		return p.SessionID == *c.Session
	case c.User != nil:
		return p.UserID == *c.User && (c.Except == nil || p.SessionID != *c.Except)
	}
	return false
}

// PublishAdmins sends a frame to the open pages of all admins.
func (r *Redis) PublishAdmins(frame Frame) { r.Publish(adminsChannel, frame) }

// SessionEnded closes the sockets of a session.
func (r *Redis) SessionEnded(id uuid.UUID) { r.Publish(controlChannel, control{Session: &id}) }

// SessionsEnded closes the sockets of all sessions of a user, except those of one session if it is
// not nil.
func (r *Redis) SessionsEnded(userID uuid.UUID, except *uuid.UUID) {
	r.Publish(controlChannel, control{User: &userID, Except: except})
}
