package accounts

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

func insertAppealToken(ctx context.Context, q postgres.Querier, userID, decision uuid.UUID, token Token, now time.Time) error {
	return postgres.Exec(ctx, q, "accounts.insert_appeal_token", `
		insert into mailed_tokens (token_hash, user_id, case_id, purpose, created_at, expires_at)
		values (@hash, @user, @case, @purpose, @now, @expires)`,
		pgx.NamedArgs{
			"hash": token.hash(), "user": userID, "case": decision, "purpose": string(forAppeal), "now": now, "expires": now.Add(forAppeal.life()),
		})
}

// findAppealToken returns the decision of a usable token, or errNoToken.
func findAppealToken(ctx context.Context, q postgres.Querier, token Token, now time.Time) (uuid.UUID, error) {
	decision, err := postgres.Value[uuid.UUID](ctx, q, "accounts.find_appeal_token", `select t.case_id from mailed_tokens t where `+usable,
		pgx.NamedArgs{"hash": token.hash(), "purpose": string(forAppeal), "now": now})
	return decision, postgres.IfNoRows(err, errNoToken)
}

func useUpAppealTokens(ctx context.Context, q postgres.Querier, decision uuid.UUID, now time.Time) error {
	return postgres.Exec(ctx, q, "accounts.use_up_appeal_tokens",
		`update mailed_tokens set used_at = @now where case_id = @case and used_at is null`, pgx.NamedArgs{"case": decision, "now": now})
}

// findReaderOrDisabled returns the user with the ID, disabled or not, or errNoUser if the account
// is closed.
func findReaderOrDisabled(ctx context.Context, q postgres.Querier, id uuid.UUID) (User, error) {
	return oneUser[User](ctx, q, "accounts.find_reader_or_disabled", `
		select `+userColumns+` from users u where u.id = @id and u.closed_at is null`,
		pgx.NamedArgs{"id": id})
}
