package wallet

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/fault"
	"amanat/internal/party"
	"amanat/internal/postgres"
)

const sqlWithdrawalsHeld = `select disabled_at is not null or withdrawals_held_at is not null from users where id = @user`

func withdrawalsHeld(ctx context.Context, q postgres.Querier, userID uuid.UUID) (bool, error) {
	var held bool
	err := q.QueryRow(ctx, sqlWithdrawalsHeld, pgx.NamedArgs{"user": userID}).Scan(&held)
	return held, err
}

// queueRow is what rows of both queues have in common.
type queueRow struct {
	UserID              uuid.UUID
	Username            string
	ProfilePic          string
	Email               string
	HandledAt           *time.Time
	HandledBy           *uuid.UUID
	HandledByUsername   *string
	HandledByProfilePic *string
	ClaimedBy           *uuid.UUID
	ClaimedByUsername   *string
	ClaimedByProfilePic *string
	ClaimedUntil        *time.Time
	UserCompleted       int
	UserTotal           int
}

// sqlQueueColumns reads a queueRow; the row's table is r.
const sqlQueueColumns = `
       r.user_id, u.username, u.profile_pic, u.email, r.handled_at,
       r.handled_by, h.username as handled_by_username, h.profile_pic as handled_by_profile_pic,
       r.claimed_by, c.username as claimed_by_username, c.profile_pic as claimed_by_profile_pic, r.claimed_until`

const sqlQueueJoins = `
  join users u on u.id = r.user_id
  left join users h on h.id = r.handled_by
  left join users c on c.id = r.claimed_by`

func (r queueRow) user() party.Party {
	return party.Party{ID: r.UserID, Username: r.Username, ProfilePic: r.ProfilePic}
}

func (r queueRow) handler() *party.Party {
	if r.HandledBy == nil {
		return nil
	}
	return &party.Party{ID: *r.HandledBy, Username: *r.HandledByUsername, ProfilePic: *r.HandledByProfilePic}
}

// claim returns a pending row's claim, whether or not it has run out.
func (r queueRow) claim() *Claim {
	if r.ClaimedBy == nil || r.HandledAt != nil {
		return nil
	}
	return &Claim{
		Admin: party.Party{ID: *r.ClaimedBy, Username: *r.ClaimedByUsername, ProfilePic: *r.ClaimedByProfilePic},
		Until: *r.ClaimedUntil,
	}
}

func (r queueRow) history() History { return History{Completed: r.UserCompleted, Total: r.UserTotal} }

// exactlyOne runs a change that the caller has checked under the row's lock: not finding the row as expected is a bug.
func exactlyOne(ctx context.Context, tx *postgres.Tx, sql string, args pgx.NamedArgs) error {
	tag, err := tx.Exec(ctx, sql, args)
	if err != nil {
		return err
	}
	if tag.RowsAffected() != 1 {
		return fmt.Errorf("wallet: changed %d rows, not one", tag.RowsAffected())
	}
	return nil
}

// collect reads rows of R and turns each into a T.
func collect[R, T any](ctx context.Context, q postgres.Querier, sql string, args pgx.NamedArgs, convert func(R) T) ([]T, error) {
	rows, err := q.Query(ctx, sql, args)
	if err != nil {
		return nil, err
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[R])
	if err != nil {
		return nil, err
	}
	list := make([]T, len(found))
	for i, r := range found {
		list[i] = convert(r)
	}
	return list, nil
}

// lockRow waits for the row's lock in a statement of its own: one that joined would show the row as it is now beside the people as they
// were before the wait, so an admin's id without a name.
func lockRow(ctx context.Context, tx *postgres.Tx, sql string, id uuid.UUID) error {
	if _, err := tx.Exec(ctx, sql, pgx.NamedArgs{"id": id}); err != nil {
		return fmt.Errorf("lock: %w", err)
	}
	return nil
}

// first reads the one row there should be, and absent when there is none.
func first[R, T any](
	ctx context.Context, q postgres.Querier, sql string, args pgx.NamedArgs, convert func(R) T, absent *fault.Error,
) (T, error) {
	list, err := collect(ctx, q, sql, args, convert)
	if err == nil && len(list) == 0 {
		err = absent
	}
	if err != nil {
		var zero T
		return zero, err
	}
	return list[0], nil
}
