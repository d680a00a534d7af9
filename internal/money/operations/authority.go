package operations

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
)

// Authority is who may have an operation carried out.
type Authority string

// Authorities.
const (
	ByUser   Authority = "user"   // somebody with an account; the domain package knows what the account must be to the subject
	ByAdmin  Authority = "admin"  // somebody who is still an admin when it settles
	BySystem Authority = "system" // what happens without a user: deadlines, rewards
)

// Rule tells who may have an operation carried out, from its params. It refuses params that no call makes: code Invalid. The
// domain package of the operation has the rule.
type Rule func(op Operation) (Authority, error)

// Always is the Rule of a kind whose params are a P and do not matter for who may have it.
func Always[P any](authority Authority) Rule {
	return func(op Operation) (Authority, error) {
		var params P
		return authority, op.Decode(&params)
	}
}

// Decode reads the operation's params: code Invalid when they are not what params is.
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

// ErrMalformed refuses an operation that no call of ours makes: code Invalid.
func ErrMalformed() *fault.Error {
	return fault.New(fault.Invalid, "This request cannot be carried out.")
}

// CheckActor refuses an operation whose actor may not have it carried out, as things are when it settles: code Forbidden when the actor is
// disabled, or is not what the rule wants; Invalid when the rule knows no such params. Workers call it under the operation's lock.
func CheckActor(ctx context.Context, tx *postgres.Tx, op Operation, rule Rule) error {
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
	a, err := standing(ctx, tx, userID)
	switch {
	case err != nil:
		return fmt.Errorf("actor: %w", err)
	case a.Disabled:
		return fault.New(fault.Forbidden, "This account is disabled.")
	case authority == ByAdmin && !a.Admin:
		return fault.New(fault.Forbidden, "Only admins may do this.")
	}
	return nil
}
