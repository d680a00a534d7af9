package realtime

import "github.com/google/uuid"

const (
	// adminsChannel carries frames for every connected admin.
	adminsChannel = "rt:admins"
	// controlChannel carries sessions that are over.
	controlChannel = "rt:ctl"
)

// control names sessions that are over: one, or all of a user but one.
type control struct {
	Session uuid.UUID `json:"session,omitzero"`
	User    uuid.UUID `json:"user,omitzero"`
	Except  uuid.UUID `json:"except,omitzero"`
}

// PublishAdmins sends a frame to the screens of all admins.
func (r *Redis) PublishAdmins(frame Frame) { r.Publish(adminsChannel, frame) }

// SessionEnded has the sockets of a session closed.
func (r *Redis) SessionEnded(id uuid.UUID) { r.Publish(controlChannel, control{Session: id}) }

// SessionsEnded has the sockets of all sessions of a user closed, but for those of one; uuid.Nil spares none.
func (r *Redis) SessionsEnded(userID, except uuid.UUID) {
	r.Publish(controlChannel, control{User: userID, Except: except})
}
