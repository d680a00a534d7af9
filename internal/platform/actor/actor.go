// Package actor says who acts: a user, the system by itself, or the operator on the command line.
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

// Actor is who does something. Actors are equal when they are the same. The zero value is the system.
type Actor struct {
	kind kind
	id   uuid.UUID // of the user
}

// User returns the user with the id, who may be an admin.
func User(id uuid.UUID) Actor { return Actor{kind: user, id: id} }

// System returns the actor of what follows by itself: deadlines, rewards.
func System() Actor { return Actor{kind: system} }

// Operator returns the actor of the command line.
func Operator() Actor { return Actor{kind: operator} }

// UserID returns the id of a user, and false for any other actor.
func (a Actor) UserID() (uuid.UUID, bool) { return a.id, a.kind == user }

// Is tells whether the actor is the user with the id.
func (a Actor) Is(userID uuid.UUID) bool { return a == User(userID) }

// String names the actor, for logs.
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

// UUIDValue returns the user's id for a column, and null for the system and the operator.
func (a Actor) UUIDValue() (pgtype.UUID, error) {
	return pgtype.UUID{Bytes: a.id, Valid: a.kind == user}, nil
}

// ScanUUID reads a column with a user's id; null is the system.
func (a *Actor) ScanUUID(id pgtype.UUID) error {
	if *a = System(); id.Valid {
		*a = User(id.Bytes)
	}
	return nil
}
