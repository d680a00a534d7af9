package accounts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/postgres"
)

var errNoToken = errors.New("accounts: no such token")

func insertMailedToken(ctx context.Context, q postgres.Querier, userID uuid.UUID, p purpose, token Token, now time.Time) error {
	_, err := q.Exec(ctx, `
		insert into mailed_tokens (token_hash, user_id, purpose, created_at, expires_at)
		values (@hash, @user, @purpose, @now, @expires)`,
		pgx.NamedArgs{"hash": token.hash(), "user": userID, "purpose": string(p), "now": now, "expires": now.Add(p.life())})
	if err != nil {
		return fmt.Errorf("insert mailed token: %w", err)
	}
	return nil
}

// usable is true of tokens that may still be used.
const usable = `t.token_hash = @hash and t.purpose = @purpose and t.used_at is null and t.expires_at > @now`

// findMailedToken returns whose token it is.
func findMailedToken(ctx context.Context, q postgres.Querier, p purpose, token Token, now time.Time) (uuid.UUID, error) {
	return tokenOwner(q.QueryRow(ctx, `
		select t.user_id
		  from mailed_tokens t
		  join users u on u.id = t.user_id
		 where `+usable+` and u.disabled_at is null`,
		pgx.NamedArgs{"hash": token.hash(), "purpose": string(p), "now": now}))
}

// useMailedToken uses up the token, and with it all others that its owner was sent for the same purpose. Of two uses at once one finds it
// used.
func useMailedToken(ctx context.Context, q postgres.Querier, p purpose, token Token, now time.Time) (uuid.UUID, error) {
	args := pgx.NamedArgs{"hash": token.hash(), "purpose": string(p), "now": now}
	owner, err := tokenOwner(q.QueryRow(ctx, `
		update mailed_tokens t set used_at = @now
		  from users u
		 where `+usable+` and u.id = t.user_id and u.disabled_at is null
		returning t.user_id`, args))
	if err != nil {
		return uuid.Nil, err
	}
	args["user"] = owner
	_, err = q.Exec(ctx, `
		update mailed_tokens set used_at = @now where user_id = @user and purpose = @purpose and used_at is null`, args)
	if err != nil {
		return uuid.Nil, fmt.Errorf("use up mailed tokens: %w", err)
	}
	return owner, nil
}

func tokenOwner(row pgx.Row) (uuid.UUID, error) {
	var owner uuid.UUID
	err := row.Scan(&owner)
	if errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, errNoToken
	}
	if err != nil {
		return uuid.Nil, fmt.Errorf("mailed token: %w", err)
	}
	return owner, nil
}

const sqlDeleteExpiredTokens = `
delete from mailed_tokens t
 using (select token_hash from mailed_tokens where expires_at <= @now order by expires_at limit @limit) old
 where t.token_hash = old.token_hash`

func deleteExpiredTokens(ctx context.Context, q postgres.Querier, now time.Time) (int64, error) {
	n, err := postgres.InBatches(ctx, q, sqlDeleteExpiredTokens, pgx.NamedArgs{"now": now}, deleteBatch)
	if err != nil {
		return n, fmt.Errorf("delete expired tokens: %w", err)
	}
	return n, nil
}
