package accounts

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

var errNoChallenge = errors.New("accounts: no such login challenge")

// challengeRow is a new login challenge: of a user, or with a ceremony for any passkey.
type challengeRow struct {
	UserID    *uuid.UUID
	TokenHash []byte
	Ceremony  []byte
	Now       time.Time
}

func insertChallenge(ctx context.Context, q postgres.Querier, row challengeRow) error {
	return postgres.Exec(ctx, q, "accounts.insert_challenge", `
		insert into login_challenges (token_hash, user_id, ceremony, created_at, expires_at)
		values (@hash, @user, @ceremony::jsonb, @now, @expires)`,
		pgx.NamedArgs{
			"hash": row.TokenHash, "user": row.UserID, "ceremony": row.Ceremony, "now": row.Now, "expires": row.Now.Add(ChallengeLife),
		})
}

// findChallenge returns the user of a challenge that waits, or errNoChallenge.
func findChallenge(ctx context.Context, q postgres.Querier, challenge Token, now time.Time) (uuid.UUID, error) {
	userID, err := postgres.Value[uuid.UUID](ctx, q, "accounts.find_challenge", `
		select user_id from login_challenges
		 where token_hash = @hash and user_id is not null and expires_at > @now and attempts < @most`,
		pgx.NamedArgs{"hash": challenge.hash(), "now": now, "most": maxAttempts})
	return userID, postgres.IfNoRows(err, errNoChallenge)
}

// countAttempt counts a code for the challenge; counted is false if the challenge is void.
func countAttempt(ctx context.Context, q postgres.Querier, challenge Token, now time.Time) (counted bool, err error) {
	n, err := postgres.ExecCount(ctx, q, "accounts.count_attempt", `
		update login_challenges set attempts = attempts + 1 where token_hash = @hash and expires_at > @now and attempts < @most`,
		pgx.NamedArgs{"hash": challenge.hash(), "now": now, "most": maxAttempts})
	return n > 0, err
}

func setChallengeCeremony(ctx context.Context, q postgres.Querier, challenge Token, ceremony []byte) error {
	return postgres.Exec(ctx, q, "accounts.set_challenge_ceremony",
		`update login_challenges set ceremony = @ceremony::jsonb where token_hash = @hash`,
		pgx.NamedArgs{"hash": challenge.hash(), "ceremony": ceremony})
}

// takeChallengeCeremony returns the ceremony of a challenge and deletes it, so that it is used
// once.
func takeChallengeCeremony(ctx context.Context, q postgres.Querier, challenge Token) ([]byte, error) {
	return postgres.Value[[]byte](ctx, q, "accounts.take_challenge_ceremony", `
		update login_challenges c set ceremony = null
		  from (select token_hash, ceremony from login_challenges where token_hash = @hash and ceremony is not null for update) before
		 where c.token_hash = before.token_hash
		returning before.ceremony`, pgx.NamedArgs{"hash": challenge.hash()})
}

// takeDiscovery deletes a challenge without a user and returns its ceremony.
func takeDiscovery(ctx context.Context, q postgres.Querier, challenge Token, now time.Time) ([]byte, error) {
	return postgres.Value[[]byte](ctx, q, "accounts.take_discovery", `
		delete from login_challenges where token_hash = @hash and user_id is null and expires_at > @now returning ceremony`,
		pgx.NamedArgs{"hash": challenge.hash(), "now": now})
}

func deleteChallenge(ctx context.Context, tx *postgres.Tx, challenge Token) (deleted bool, err error) {
	n, err := postgres.ExecCount(ctx, tx, "accounts.delete_challenge", `delete from login_challenges where token_hash = @hash`,
		pgx.NamedArgs{"hash": challenge.hash()})
	return n > 0, err
}

// deleteChallengesOf voids the logins of a user that wait for the second factor.
func deleteChallengesOf(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) error {
	return postgres.Exec(ctx, tx, "accounts.delete_challenges_of", `delete from login_challenges where user_id = @user`,
		pgx.NamedArgs{"user": userID})
}

const sqlDeleteExpiredChallenges = `
delete from login_challenges where token_hash in (select token_hash from login_challenges where expires_at <= @now limit @limit)`

func deleteExpiredChallenges(ctx context.Context, q postgres.Querier, now time.Time) (int64, error) {
	return postgres.InBatches(ctx, q, "accounts.delete_expired_challenges", sqlDeleteExpiredChallenges, pgx.NamedArgs{"now": now}, deleteBatch)
}

// upsertCeremony stores the ceremony of a session in place of a former one. It does nothing if the
// session has ended meanwhile: the answer then finds no session either.
func upsertCeremony(
	ctx context.Context, q postgres.Querier, sessionID uuid.UUID, p ceremonyPurpose, ceremony []byte, expires time.Time,
) error {
	return postgres.Exec(ctx, q, "accounts.upsert_ceremony", `
		insert into passkey_ceremonies (session_id, purpose, ceremony, expires_at)
		select id, @purpose::text, @ceremony::jsonb, @expires::timestamptz from sessions where id = @session
		on conflict (session_id) do update set purpose = @purpose, ceremony = @ceremony::jsonb, expires_at = @expires`,
		pgx.NamedArgs{"session": sessionID, "purpose": string(p), "ceremony": ceremony, "expires": expires})
}

// deleteCeremony deletes the ceremony of a session and returns it.
func deleteCeremony(ctx context.Context, q postgres.Querier, sessionID uuid.UUID, p ceremonyPurpose, now time.Time) ([]byte, error) {
	return postgres.Value[[]byte](ctx, q, "accounts.delete_ceremony", `
		delete from passkey_ceremonies where session_id = @session and purpose = @purpose and expires_at > @now returning ceremony`,
		pgx.NamedArgs{"session": sessionID, "purpose": string(p), "now": now})
}

// The condition is repeated outside the subquery because a session may start another ceremony.
const sqlDeleteExpiredCeremonies = `
delete from passkey_ceremonies
 where session_id in (select session_id from passkey_ceremonies where expires_at <= @now limit @limit) and expires_at <= @now`

func deleteExpiredCeremonies(ctx context.Context, q postgres.Querier, now time.Time) (int64, error) {
	return postgres.InBatches(ctx, q, "accounts.delete_expired_ceremonies", sqlDeleteExpiredCeremonies, pgx.NamedArgs{"now": now}, deleteBatch)
}

func setFactorConfirmed(ctx context.Context, tx *postgres.Tx, sessionID uuid.UUID, now time.Time) error {
	return postgres.Exec(ctx, tx, "accounts.set_factor_confirmed", `update sessions set factor_confirmed_at = @now where id = @id`,
		pgx.NamedArgs{"id": sessionID, "now": now})
}
