package personal

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
)

// Eraser erases what the owners of closed accounts have made. It is for workers.
type Eraser struct {
	DB    postgres.DB
	Clock clock.Clock
}

// Erase erases what the owner of a closed account has made (docs/rules.md#close-account), in
// batches. It can be repeated, and does nothing to an account that is not closed.
func (e *Eraser) Erase(ctx context.Context, userID uuid.UUID) error {
	of, found, err := findClosed(ctx, e.DB, userID)
	if err != nil || !found {
		return err
	}
	// The api has checked this when it closed the account. Whoever has taken over the api's login
	// could close any account, and what is erased does not come back.
	if !of.Closable {
		return fmt.Errorf("erase %s: the account has money, an open deal or admin rights", userID)
	}
	if err := e.messages(ctx, userID); err != nil {
		return fmt.Errorf("erase %s: %w", userID, err)
	}
	now := e.Clock.Now()
	for _, step := range erasures {
		if err := erase(ctx, e.DB, step, of, now); err != nil {
			return fmt.Errorf("erase %s: %w", userID, err)
		}
	}
	if err := e.exports(ctx, userID); err != nil {
		return fmt.Errorf("erase %s: %w", userID, err)
	}
	return setErased(ctx, e.DB, userID, now)
}

// messages erases the messages that the user has sent, under the locks of the conversations: a
// message that is being sent is waited for, and a later one is refused.
func (e *Eraser) messages(ctx context.Context, userID uuid.UUID) error {
	conversations, err := listConversations(ctx, e.DB, userID)
	if err != nil {
		return err
	}
	for _, conversation := range conversations {
		for erased := int64(eraseBatch); erased == eraseBatch; {
			err := postgres.WithTx(ctx, e.DB, func(tx *postgres.Tx) (err error) {
				erased, err = eraseMessages(ctx, tx, conversation, userID)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// exports deletes the user's archives.
func (e *Eraser) exports(ctx context.Context, userID uuid.UUID) error {
	exports, err := listExports(ctx, e.DB, userID)
	if err != nil {
		return err
	}
	for _, id := range exports {
		if err := deleteParts(ctx, e.DB, id); err != nil {
			return err
		}
		if err := deleteExport(ctx, e.DB, id); err != nil {
			return err
		}
	}
	return nil
}
