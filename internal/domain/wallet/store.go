package wallet

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/app/user"
	"amanat/internal/lib/postgres"
)

const sqlWithdrawalsHeld = `
select disabled_at is not null or withdrawals_held_at is not null, withdrawals_stopped_at is not null
  from users where id = @user`

// withdrawalsHeld reports whether the provider holds all withdrawals of the user (a disabled
// account counts as held), and whether the user has stopped them.
func withdrawalsHeld(ctx context.Context, q postgres.Querier, userID uuid.UUID) (held, stopped bool, err error) {
	err = postgres.Scan(ctx, q, "wallet.withdrawals_held", sqlWithdrawalsHeld, pgx.NamedArgs{"user": userID}, &held, &stopped)
	return held, stopped, err
}

const sqlIsAdmin = `select exists (select from users where id = @user and is_admin and disabled_at is null)`

// isAdmin reports whether a user is an admin now.
func isAdmin(ctx context.Context, q postgres.Querier, userID uuid.UUID) (bool, error) {
	return postgres.Value[bool](ctx, q, "wallet.is_admin", sqlIsAdmin, pgx.NamedArgs{"user": userID})
}

// queueRow holds the columns that both queues have in common.
type queueRow struct {
	UserID              uuid.UUID
	Username            string
	ProfilePic          string
	IsStaff             bool
	Closed              bool
	Email               string
	HandledAt           *time.Time
	HandledBy           *uuid.UUID
	HandledByUsername   *string
	HandledByProfilePic *string
	HandledByIsStaff    *bool
	HandledByClosed     *bool
	ClaimedBy           *uuid.UUID
	ClaimedByUsername   *string
	ClaimedByProfilePic *string
	ClaimedByIsStaff    *bool
	ClaimedByClosed     *bool
	ClaimedUntil        *time.Time
	UserCompleted       int
	UserTotal           int
}

// sqlQueueColumns selects the columns of a queueRow from the table aliased r.
const sqlQueueColumns = `
       r.user_id, u.username, u.profile_pic, u.is_admin as is_staff, u.closed_at is not null as closed, u.email, r.handled_at,
       r.handled_by, h.username as handled_by_username, h.profile_pic as handled_by_profile_pic, h.is_admin as handled_by_is_staff,
       h.closed_at is not null as handled_by_closed,
       r.claimed_by, c.username as claimed_by_username, c.profile_pic as claimed_by_profile_pic, c.is_admin as claimed_by_is_staff,
       c.closed_at is not null as claimed_by_closed,
       r.claimed_until`

const sqlQueueJoins = `
  join users u on u.id = r.user_id
  left join users h on h.id = r.handled_by
  left join users c on c.id = r.claimed_by`

func (r queueRow) user() user.Ref {
	return user.Ref{ID: r.UserID, Username: r.Username, ProfilePic: r.ProfilePic, IsStaff: r.IsStaff, Closed: r.Closed}
}

func (r queueRow) handler() *user.Ref {
	if r.HandledBy == nil {
		return nil
	}
	return &user.Ref{
		ID: *r.HandledBy, Username: *r.HandledByUsername, ProfilePic: *r.HandledByProfilePic,
		IsStaff: *r.HandledByIsStaff, Closed: *r.HandledByClosed,
	}
}

// claim returns the claim on a pending row, expired or not.
func (r queueRow) claim() *Claim {
	if r.ClaimedBy == nil || r.HandledAt != nil {
		return nil
	}
	return &Claim{
		Admin: user.Ref{
			ID: *r.ClaimedBy, Username: *r.ClaimedByUsername, ProfilePic: *r.ClaimedByProfilePic,
			IsStaff: *r.ClaimedByIsStaff, Closed: *r.ClaimedByClosed,
		},
		Until: *r.ClaimedUntil,
	}
}

func (r queueRow) history() History { return History{Completed: r.UserCompleted, Total: r.UserTotal} }

// lockRow locks the row in a statement of its own. A locking statement that joined users would
// return the current row next to users as they were before the wait, so an admin's ID without a
// username.
func lockRow(ctx context.Context, tx *postgres.Tx, name, sql string, id uuid.UUID) error {
	return postgres.Exec(ctx, tx, name, sql, pgx.NamedArgs{"id": id})
}
