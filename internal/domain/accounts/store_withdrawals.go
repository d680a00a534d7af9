package accounts

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

func insertWithdrawalToken(
	ctx context.Context, q postgres.Querier, userID, withdrawalID uuid.UUID, p purpose, token Token, now time.Time,
) error {
	return postgres.Exec(ctx, q, "accounts.insert_withdrawal_token", `
		insert into mailed_tokens (token_hash, user_id, withdrawal_id, purpose, created_at, expires_at)
		values (@hash, @user, @withdrawal, @purpose, @now, @expires)`,
		pgx.NamedArgs{
			"hash": token.hash(), "user": userID, "withdrawal": withdrawalID, "purpose": string(p), "now": now, "expires": now.Add(p.life()),
		})
}

// withdrawalLink is the withdrawal of a mailed link, and its owner.
type withdrawalLink struct{ owner, withdrawal uuid.UUID }

func findWithdrawalToken(ctx context.Context, q postgres.Querier, p purpose, token Token, now time.Time) (withdrawalLink, error) {
	var link withdrawalLink
	err := postgres.Scan(ctx, q, "accounts.find_withdrawal_token", `
		select t.user_id, t.withdrawal_id
		  from mailed_tokens t
		  join users u on u.id = t.user_id
		 where `+usable+` and u.disabled_at is null`,
		pgx.NamedArgs{"hash": token.hash(), "purpose": string(p), "now": now}, &link.owner, &link.withdrawal)
	return link, postgres.IfNoRows(err, errNoToken)
}

// useWithdrawalToken marks the token as used, and with it all others for the same purpose and
// withdrawal. Of two concurrent uses one gets errNoToken.
func useWithdrawalToken(ctx context.Context, q postgres.Querier, p purpose, token Token, now time.Time) (withdrawalLink, error) {
	args := pgx.NamedArgs{"hash": token.hash(), "purpose": string(p), "now": now}
	var link withdrawalLink
	err := postgres.Scan(ctx, q, "accounts.use_withdrawal_token", `
		update mailed_tokens t set used_at = @now
		  from users u
		 where `+usable+` and u.id = t.user_id and u.disabled_at is null
		returning t.user_id, t.withdrawal_id`, args, &link.owner, &link.withdrawal)
	if err != nil {
		return withdrawalLink{}, postgres.IfNoRows(err, errNoToken)
	}
	args["withdrawal"] = link.withdrawal
	err = postgres.Exec(ctx, q, "accounts.use_up_withdrawal_tokens", `
		update mailed_tokens set used_at = @now
		 where withdrawal_id = @withdrawal and purpose = @purpose and used_at is null`, args)
	return link, err
}

// setWithdrawalsStopped stops the user's withdrawals; changed is false if they are stopped already.
func setWithdrawalsStopped(ctx context.Context, q postgres.Querier, userID uuid.UUID, now time.Time) (changed bool, err error) {
	n, err := postgres.ExecCount(ctx, q, "accounts.set_withdrawals_stopped",
		`update users set withdrawals_stopped_at = @now where id = @user and withdrawals_stopped_at is null`,
		pgx.NamedArgs{"user": userID, "now": now})
	return n > 0, err
}

// setReset records a password reset by a mailed link, which lifts the owner's own stop of
// withdrawals.
func setReset(ctx context.Context, q postgres.Querier, userID uuid.UUID, now time.Time) error {
	return postgres.Exec(ctx, q, "accounts.set_reset",
		`update users set password_reset_at = @now, withdrawals_stopped_at = null where id = @user`,
		pgx.NamedArgs{"user": userID, "now": now})
}
