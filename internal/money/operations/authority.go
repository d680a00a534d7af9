package operations

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/google/uuid"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

// Authority is the role that the actor of an operation must have.
type Authority string

// Authorities.
const (
	ByUser   Authority = "user"   // any user; the domain package checks the rest
	ByAdmin  Authority = "admin"  // an admin, also when the operation settles
	BySystem Authority = "system" // no user: deadlines, rewards
)

// Rule returns the authority that an operation requires, from its params. It refuses params that no
// call produces with code Invalid. The domain package of the operation defines the rule.
type Rule func(op Operation) (Authority, error)

// Always returns the Rule of a kind of operation with params of type P and a fixed authority.
func Always[P any](authority Authority) Rule {
	return func(op Operation) (Authority, error) {
		var params P
		return authority, op.Decode(&params)
	}
}

// Decode decodes the operation's params into params. Code Invalid if they do not match exactly.
func (o Operation) Decode(params any) error {
	decoder := json.NewDecoder(bytes.NewReader(o.Params))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(params); err != nil {
		return ErrMalformed()
	}
	if _, err := decoder.Token(); err != io.EOF {
		return ErrMalformed()
	}
	return nil
}

// ErrMalformed returns the Invalid error for an operation that no call produces.
func ErrMalformed() *fault.Error {
	return fault.New(fault.Invalid, "operation_malformed", "This request cannot be carried out.")
}

// Actors holds the current state of the actors of operations.
type Actors map[uuid.UUID]actorRow

// QueueActors queues the reading of the users who are the actors of the operations. When that has
// run, the result has them. Workers queue it after the locking of the operations and of their
// subjects.
func QueueActors(tx *postgres.Tx, ids []uuid.UUID) Actors {
	actors := make(Actors, len(ids))
	queueActors(tx, ids, func(r actorRow) { actors[r.ID] = r })
	return actors
}

// Check checks that the operation's actor may still have it carried out when it settles. Codes:
// Forbidden if the actor is disabled or lacks the authority that the rule requires, Invalid if the
// rule refuses the params.
func (a Actors) Check(op Operation, rule Rule) error {
	authority, err := rule(op)
	if err != nil {
		return err
	}
	userID, isUser := op.Actor.UserID()
	switch {
	case !isUser && authority == BySystem:
		return nil
	case !isUser, authority == BySystem:
		return ErrMalformed()
	}
	user, found := a[userID]
	switch {
	case !found:
		return fmt.Errorf("operations: actor %s was not read", userID)
	case user.Disabled:
		return fault.New(fault.Forbidden, "account_disabled", "This account is disabled.")
	case authority == ByAdmin && !user.Admin:
		return fault.New(fault.Forbidden, "admins_only", "Only admins may do this.")
	}
	return nil
}
