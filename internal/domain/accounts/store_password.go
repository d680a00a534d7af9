package accounts

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

// credentials is what login needs to know about a user.
type credentials struct {
	User
	PasswordHash string
	DisabledAt   *time.Time
	suspension
	KnowsBrowser bool
}

// suspension is why and until when moderation has disabled an account.
type suspension struct {
	SuspendedFor   *string    // the reason of the decision; nil if none has disabled the account
	SuspendedUntil *time.Time // nil for a ban
}

func (c credentials) user() User { return c.User }

func findCredentials(ctx context.Context, q postgres.Querier, username string, browser Token) (credentials, error) {
	return oneUser[credentials](ctx, q, "accounts.find_credentials", `
		select `+userColumns+`, u.password_hash, u.disabled_at, d.reason as suspended_for, d.suspended_until,
		       exists (select from known_browsers b where b.token_hash = @browser and b.user_id = u.id) as knows_browser
		  from users u
		  left join moderation_cases d on d.id = u.suspended_by
		 where lower(u.username) = lower(@username) and u.closed_at is null`,
		pgx.NamedArgs{"username": username, "browser": browser.hash()})
}

const sqlFindSuspension = `
select d.reason as suspended_for, d.suspended_until
  from users u left join moderation_cases d on d.id = u.suspended_by
 where u.id = @user`

func findSuspension(ctx context.Context, q postgres.Querier, userID uuid.UUID) (suspension, error) {
	return postgres.One[suspension](ctx, q, "accounts.find_suspension", sqlFindSuspension, pgx.NamedArgs{"user": userID})
}

// lockPassword reports whether the user still has the password and the second factor on or off, and
// is not disabled, and locks the row against changes until the transaction ends.
func lockPassword(ctx context.Context, q postgres.Querier, found credentials) (bool, error) {
	return postgres.Value[bool](ctx, q, "accounts.lock_password", `
		select u.password_hash = @hash and u.disabled_at is null and (u.second_factor_since is not null) = @factor
		  from users u where u.id = @user for share`,
		pgx.NamedArgs{"user": found.ID, "hash": found.PasswordHash, "factor": found.SecondFactor})
}

// setPassword sets the password hash, unless current is not "" and no longer the user's hash.
func setPassword(
	ctx context.Context, q postgres.Querier, userID uuid.UUID, current, hash string, strong bool,
) (changed bool, err error) {
	n, err := postgres.ExecCount(ctx, q, "accounts.set_password", `
		update users set password_hash = @hash, password_strong = @strong where id = @user and @current in ('', password_hash)`,
		pgx.NamedArgs{"user": userID, "current": current, "hash": hash, "strong": strong})
	return n > 0, err
}
