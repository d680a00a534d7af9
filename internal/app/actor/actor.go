// Package actor identifies who performs an action: a user, the system or the command-line operator.
package actor

import (
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
)

type kind int

const (
	system kind = iota
	operator
	user
)

// Actor is the user, system or operator that performs an action. Actors are comparable with ==. The
// zero value is the system.
type Actor struct {
	kind kind
	id   uuid.UUID // of the user
}

// User returns the user with the id, who may be an admin.
func User(id uuid.UUID) Actor { return Actor{kind: user, id: id} }

// System returns the actor of automatic actions, such as deadlines and rewards.
func System() Actor { return Actor{kind: system} }

// Operator returns the actor of actions on the command line.
func Operator() Actor { return Actor{kind: operator} }

// UserID returns the id of a user, and false for any other actor.
func (a Actor) UserID() (uuid.UUID, bool) { return a.id, a.kind == user }

// Is reports whether the actor is the user with the id.
func (a Actor) Is(userID uuid.UUID) bool { return a == User(userID) }

// String returns "user:<id>", "system" or "operator", for logs.
func (a Actor) String() string {
	switch a.kind {
	case operator:
		return "operator"
	case user:
		return "user:" + a.id.String()
	case system:
	}
	return "system"
}

// UUIDValue implements pgtype.UUIDValuer: the user's id, and null for the system and the operator.
func (a Actor) UUIDValue() (pgtype.UUID, error) {
	return pgtype.UUID{Bytes: a.id, Valid: a.kind == user}, nil
}

// ScanUUID implements pgtype.UUIDScanner: a user's id, and null for the system.
func (a *Actor) ScanUUID(id pgtype.UUID) error {
	if *a = System(); id.Valid {
		*a = User(id.Bytes)
	}
	return nil
}
