package accounts

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

var errNoToken = errors.New("accounts: no such token")

func insertMailedToken(ctx context.Context, q postgres.Querier, userID uuid.UUID, p purpose, token Token, now time.Time) error {
	return postgres.Exec(ctx, q, "accounts.insert_mailed_token", `
		insert into mailed_tokens (token_hash, user_id, purpose, created_at, expires_at)
		values (@hash, @user, @purpose, @now, @expires)`,
		pgx.NamedArgs{"hash": token.hash(), "user": userID, "purpose": string(p), "now": now, "expires": now.Add(p.life())})
}

// usable is the condition for tokens that are neither used nor expired.
const usable = `t.token_hash = @hash and t.purpose = @purpose and t.used_at is null and t.expires_at > @now`

// findMailedToken returns the user of a usable token, or errNoToken.
func findMailedToken(ctx context.Context, q postgres.Querier, p purpose, token Token, now time.Time) (uuid.UUID, error) {
	owner, err := postgres.Value[uuid.UUID](ctx, q, "accounts.find_mailed_token", `
		select t.user_id
		  from mailed_tokens t
		  join users u on u.id = t.user_id
		 where `+usable+` and u.disabled_at is null`,
		pgx.NamedArgs{"hash": token.hash(), "purpose": string(p), "now": now})
	return owner, postgres.IfNoRows(err, errNoToken)
}

// useMailedToken marks the token as used, and with it all others of its user for the same purpose.
// Of two concurrent uses one gets errNoToken.
func useMailedToken(ctx context.Context, q postgres.Querier, p purpose, token Token, now time.Time) (uuid.UUID, error) {
	owner, err := postgres.Value[uuid.UUID](ctx, q, "accounts.use_mailed_token", `
		update mailed_tokens t set used_at = @now
		  from users u
		 where `+usable+` and u.id = t.user_id and u.disabled_at is null
		returning t.user_id`,
		pgx.NamedArgs{"hash": token.hash(), "purpose": string(p), "now": now})
	if err != nil {
		return uuid.UUID{}, postgres.IfNoRows(err, errNoToken)
	}
	return owner, useUpMailedTokens(ctx, q, owner, p, now)
}

// useUpMailedTokens marks all tokens of the user for a purpose as used.
func useUpMailedTokens(ctx context.Context, q postgres.Querier, userID uuid.UUID, p purpose, now time.Time) error {
	return postgres.Exec(ctx, q, "accounts.use_up_mailed_tokens", `
		update mailed_tokens set used_at = @now where user_id = @user and purpose = @purpose and used_at is null`,
		pgx.NamedArgs{"user": userID, "purpose": string(p), "now": now})
}

const sqlDeleteExpiredTokens = `
delete from mailed_tokens t
 using (select token_hash from mailed_tokens where expires_at <= @now order by expires_at limit @limit) old
 where t.token_hash = old.token_hash`

func deleteExpiredTokens(ctx context.Context, q postgres.Querier, now time.Time) (int64, error) {
	return postgres.InBatches(ctx, q, "accounts.delete_expired_tokens", sqlDeleteExpiredTokens, pgx.NamedArgs{"now": now}, deleteBatch)
}
