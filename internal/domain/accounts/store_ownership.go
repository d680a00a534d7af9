package accounts

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

func findRecent(ctx context.Context, q postgres.Querier, userID uuid.UUID, browser Token) (recent, error) {
	return postgres.One[recent](ctx, q, "accounts.find_recent", `
		select u.password_reset_at, u.second_factor_reset_at as factor_reset_at, u.email_changed_at, u.factor_added_at,
		       b.created_at as browser_since, coalesce(b.at_signup, false) as at_signup
		  from users u
		  left join known_browsers b on b.token_hash = @hash and b.user_id = u.id
		 where u.id = @user`,
		pgx.NamedArgs{"hash": browser.hash(), "user": userID})
}

func setFactorAdded(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, now time.Time) error {
	return postgres.Exec(ctx, tx, "accounts.set_factor_added", `update users set factor_added_at = @now where id = @user`,
		pgx.NamedArgs{"user": userID, "now": now})
}

// deleteFactors removes all factors of a user, and the logins that wait for one.
func deleteFactors(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) error {
	args := pgx.NamedArgs{"user": userID}
	postgres.QueueExec(tx, "accounts.reset_totp", `delete from totp_secrets where user_id = @user`, args)
	postgres.QueueExec(tx, "accounts.reset_passkeys", `delete from passkeys where user_id = @user`, args)
	postgres.QueueExec(tx, "accounts.reset_backup_codes", `delete from backup_codes where user_id = @user`, args)
	postgres.QueueExec(tx, "accounts.reset_challenges", `delete from login_challenges where user_id = @user`, args)
	return postgres.Exec(ctx, tx, "accounts.reset_factor", `update users set second_factor_since = null where id = @user`, args)
}

// setFactorReset records a reset of the second factor by the operator.
func setFactorReset(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, now time.Time) error {
	return postgres.Exec(ctx, tx, "accounts.set_factor_reset", `update users set second_factor_reset_at = @now where id = @user`,
		pgx.NamedArgs{"user": userID, "now": now})
}
