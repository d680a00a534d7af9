package accounts

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/fault"
	"amanat/internal/party"
	"amanat/internal/postgres"
)

var (
	errNoUser    = errors.New("accounts: no such user")
	errNoSession = errors.New("accounts: no such session")
	errCodeTaken = errors.New("accounts: referral code is taken")
)

const userColumns = `u.id, u.username, u.email, u.profile_pic, u.is_admin, u.is_verified, u.language, u.referral_code, u.created_at`

func insertUser(ctx context.Context, q postgres.Querier, user User, passwordHash, referredBy string) error {
	_, err := q.Exec(ctx, `
		insert into users (id, username, email, password_hash, language, referral_code, referred_by, terms_accepted_at, created_at)
		values (@id, @username, @email, @password_hash, @language, @referral_code,
		        (select id from users where referral_code = @referred_by), @now, @now)`,
		pgx.NamedArgs{
			"id": user.ID, "username": user.Username, "email": user.Email, "password_hash": passwordHash, "language": user.Language,
			"referral_code": user.ReferralCode, "referred_by": referredBy, "now": user.CreatedAt,
		})
	switch {
	case err == nil:
		return nil
	case postgres.UniqueViolation(err, "users_username_key"):
		return taken("username", "Username is already taken.")
	case postgres.UniqueViolation(err, "users_email_key"):
		return taken("email", "Email is already registered.")
	case postgres.UniqueViolation(err, "users_referral_code_key"):
		return errCodeTaken
	}
	return fmt.Errorf("insert user: %w", err)
}

func taken(field, message string) error {
	return &fault.Error{Code: fault.Duplicate, Message: message, Fields: map[string]string{field: message}}
}

// credentials is a user as login needs him.
type credentials struct {
	User
	PasswordHash string
	DisabledAt   *time.Time
}

func (c credentials) user() User { return c.User }

func findCredentials(ctx context.Context, q postgres.Querier, username string) (credentials, error) {
	rows, err := q.Query(ctx, `
		select `+userColumns+`, u.password_hash, u.disabled_at
		  from users u
		 where lower(u.username) = lower(@username)`,
		pgx.NamedArgs{"username": username})
	if err != nil {
		return credentials{}, fmt.Errorf("find credentials: %w", err)
	}
	found, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[credentials])
	if errors.Is(err, pgx.ErrNoRows) {
		return credentials{}, errNoUser
	}
	if err != nil {
		return credentials{}, fmt.Errorf("find credentials: %w", err)
	}
	return found, nil
}

// sessionRow is a new session.
type sessionRow struct {
	ID        uuid.UUID
	UserID    uuid.UUID
	TokenHash []byte
	Client    Client
	Now       time.Time
}

func insertSession(ctx context.Context, q postgres.Querier, row sessionRow) error {
	_, err := q.Exec(ctx, `
		insert into sessions (id, user_id, token_hash, user_agent, address, created_at, last_seen_at, expires_at, password_confirmed_at)
		values (@id, @user_id, @token_hash, @user_agent, @address, @now, @now, @expires_at, @now)`,
		pgx.NamedArgs{
			"id": row.ID, "user_id": row.UserID, "token_hash": row.TokenHash, "user_agent": row.Client.UserAgent,
			"address": row.Client.Address, "now": row.Now, "expires_at": row.Now.Add(SessionLife),
		})
	if err != nil {
		return fmt.Errorf("insert session: %w", err)
	}
	return nil
}

// foundSession is a living session with its user.
type foundSession struct {
	User
	SessionID           uuid.UUID
	LastSeenAt          time.Time
	PasswordConfirmedAt time.Time
}

func (f foundSession) user() User { return f.User }

func findSession(ctx context.Context, q postgres.Querier, tokenHash []byte, now time.Time) (foundSession, error) {
	rows, err := q.Query(ctx, `
		select `+userColumns+`, s.id as session_id, s.last_seen_at, s.password_confirmed_at
		  from sessions s
		  join users u on u.id = s.user_id
		 where s.token_hash = @token_hash
		   and s.expires_at > @now
		   and s.last_seen_at > @idle_since
		   and u.disabled_at is null`,
		pgx.NamedArgs{"token_hash": tokenHash, "now": now, "idle_since": now.Add(-sessionIdle)})
	if err != nil {
		return foundSession{}, fmt.Errorf("find session: %w", err)
	}
	found, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[foundSession])
	if errors.Is(err, pgx.ErrNoRows) {
		return foundSession{}, errNoSession
	}
	if err != nil {
		return foundSession{}, fmt.Errorf("find session: %w", err)
	}
	return found, nil
}

func touchSession(ctx context.Context, q postgres.Querier, id uuid.UUID, now time.Time) error {
	// The condition lets only one of many requests at once write.
	_, err := q.Exec(ctx, `update sessions set last_seen_at = @now where id = @id and last_seen_at <= @before`,
		pgx.NamedArgs{"id": id, "now": now, "before": now.Add(-sessionTouch)})
	if err != nil {
		return fmt.Errorf("touch session: %w", err)
	}
	return nil
}

func confirmSession(ctx context.Context, q postgres.Querier, id uuid.UUID, now time.Time) error {
	_, err := q.Exec(ctx, `update sessions set password_confirmed_at = @now where id = @id`, pgx.NamedArgs{"id": id, "now": now})
	if err != nil {
		return fmt.Errorf("confirm session: %w", err)
	}
	return nil
}

func deleteSession(ctx context.Context, q postgres.Querier, tokenHash []byte) error {
	_, err := q.Exec(ctx, `delete from sessions where token_hash = @token_hash`, pgx.NamedArgs{"token_hash": tokenHash})
	if err != nil {
		return fmt.Errorf("delete session: %w", err)
	}
	return nil
}

func deleteSessions(ctx context.Context, q postgres.Querier, userID uuid.UUID) error {
	_, err := q.Exec(ctx, `delete from sessions where user_id = @user_id`, pgx.NamedArgs{"user_id": userID})
	if err != nil {
		return fmt.Errorf("delete sessions: %w", err)
	}
	return nil
}

// ended is true of sessions that have run out.
const ended = `(expires_at <= @now or last_seen_at <= @idle_since)`

func deleteEndedSessionsOf(ctx context.Context, q postgres.Querier, userID uuid.UUID, now time.Time) error {
	_, err := q.Exec(ctx, `delete from sessions where user_id = @user_id and `+ended,
		pgx.NamedArgs{"user_id": userID, "now": now, "idle_since": now.Add(-sessionIdle)})
	if err != nil {
		return fmt.Errorf("delete ended sessions: %w", err)
	}
	return nil
}

func deleteEndedSessions(ctx context.Context, q postgres.Querier, now time.Time) (int64, error) {
	tag, err := q.Exec(ctx, `delete from sessions where `+ended, pgx.NamedArgs{"now": now, "idle_since": now.Add(-sessionIdle)})
	if err != nil {
		return 0, fmt.Errorf("delete ended sessions: %w", err)
	}
	return tag.RowsAffected(), nil
}

// likeEscaper takes the meaning from LIKE's wildcards; names may contain an underscore.
var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

func searchUsers(ctx context.Context, q postgres.Querier, actor uuid.UUID, query string) ([]party.Party, error) {
	pattern := likeEscaper.Replace(query)
	rows, err := q.Query(ctx, `
		select u.id, u.username, u.profile_pic
		  from users u
		 where lower(u.username) like '%' || lower(@pattern) || '%'
		   and u.id <> @actor
		   and u.disabled_at is null
		 order by lower(u.username) like lower(@pattern) || '%' desc, lower(u.username)
		 limit @limit`,
		pgx.NamedArgs{"pattern": pattern, "actor": actor, "limit": maxResults})
	if err != nil {
		return nil, fmt.Errorf("search users: %w", err)
	}
	parties, err := pgx.CollectRows(rows, pgx.RowToStructByName[party.Party])
	if err != nil {
		return nil, fmt.Errorf("search users: %w", err)
	}
	return parties, nil
}

func setAdmin(ctx context.Context, q postgres.Querier, username string) (User, error) {
	return oneUser[User](ctx, q, `
		update users u set is_admin = true where lower(u.username) = lower(@username)
		returning `+userColumns, pgx.NamedArgs{"username": username})
}

func setDisabled(ctx context.Context, q postgres.Querier, username string, now time.Time) (User, error) {
	return oneUser[User](ctx, q, `
		update users u set disabled_at = coalesce(u.disabled_at, @now) where lower(u.username) = lower(@username)
		returning `+userColumns, pgx.NamedArgs{"username": username, "now": now})
}
