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
	errCodeTaken = errors.New("accounts: referral code is taken")
)

const userColumns = `u.id, u.username, u.email, u.profile_pic, u.is_admin, u.is_verified, u.language,
	u.mail_notices, u.referral_code, u.created_at, coalesce((select e.seq from user_seq e where e.user_id = u.id), 0) as event_seq`

// insertUser returns who has brought the user, uuid.Nil when it was nobody.
func insertUser(ctx context.Context, q postgres.Querier, user User, passwordHash, referredBy string) (referrer uuid.UUID, err error) {
	err = q.QueryRow(ctx, `
		insert into users (id, username, email, password_hash, language, referral_code, referred_by, terms_accepted_at, created_at)
		values (@id, @username, @email, @password_hash, @language, @referral_code,
		        (select id from users where referral_code = @referred_by), @now, @now)
		returning coalesce(referred_by, @nobody)`,
		pgx.NamedArgs{
			"id": user.ID, "username": user.Username, "email": user.Email, "password_hash": passwordHash, "language": user.Language,
			"referral_code": user.ReferralCode, "referred_by": referredBy, "nobody": uuid.Nil, "now": user.CreatedAt,
		}).Scan(&referrer)
	switch {
	case err == nil:
		return referrer, nil
	case postgres.UniqueViolation(err, "users_username_key"):
		return uuid.Nil, taken("username", "Username is already taken.")
	case postgres.UniqueViolation(err, "users_email_key"):
		return uuid.Nil, taken("email", "Email is already registered.")
	case postgres.UniqueViolation(err, "users_referral_code_key"):
		return uuid.Nil, errCodeTaken
	}
	return uuid.Nil, fmt.Errorf("insert user: %w", err)
}

func taken(field, message string) error {
	return &fault.Error{Code: fault.Duplicate, Message: message, Fields: map[string]string{field: message}}
}

// likeEscaper takes the meaning from LIKE's wildcards; names may contain an underscore.
var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

const (
	sqlUsersNamed = `
		select u.id, u.username, u.profile_pic
		  from users u
		 where lower(u.username) like '%' || lower(@pattern) || '%'
		   and u.id <> @actor
		   and u.disabled_at is null
		 order by lower(u.username) like lower(@pattern) || '%' desc, lower(u.username)
		 limit @limit`
	// The index of beginnings has them in this order, so that no more are read than are shown.
	sqlUsersBeginning = `
		select u.id, u.username, u.profile_pic
		  from users u
		 where lower(u.username) like lower(@pattern) || '%'
		   and u.id <> @actor
		   and u.disabled_at is null
		 order by lower(u.username) using ~<~
		 limit @limit`
)

// searchUsers finds people by one of the statements above.
func searchUsers(ctx context.Context, q postgres.Querier, sql string, actor uuid.UUID, query string) ([]party.Party, error) {
	rows, err := q.Query(ctx, sql,
		pgx.NamedArgs{"pattern": likeEscaper.Replace(query), "actor": actor, "limit": maxResults})
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

func setVerifiedByName(ctx context.Context, q postgres.Querier, username string) (User, error) {
	return oneUser[User](ctx, q, `
		update users u set is_verified = true where lower(u.username) = lower(@username)
		returning `+userColumns, pgx.NamedArgs{"username": username})
}

func setDisabled(ctx context.Context, q postgres.Querier, username string, now time.Time) (User, error) {
	return oneUser[User](ctx, q, `
		update users u set disabled_at = coalesce(u.disabled_at, @now) where lower(u.username) = lower(@username)
		returning `+userColumns, pgx.NamedArgs{"username": username, "now": now})
}

func setWithdrawalsHeld(ctx context.Context, q postgres.Querier, username string, at *time.Time) (User, error) {
	return oneUser[User](ctx, q, `
		update users u set withdrawals_held_at = @at where lower(u.username) = lower(@username)
		returning `+userColumns, pgx.NamedArgs{"username": username, "at": at})
}

// findByEmail returns a user who is not disabled.
func findByEmail(ctx context.Context, q postgres.Querier, email string) (User, error) {
	return oneUser[User](ctx, q, `
		select `+userColumns+` from users u where lower(u.email) = lower(@email) and u.disabled_at is null`, pgx.NamedArgs{"email": email})
}

// findReader returns a user who is not disabled.
func findReader(ctx context.Context, q postgres.Querier, id uuid.UUID) (User, error) {
	return oneUser[User](ctx, q, `
		select `+userColumns+` from users u where u.id = @id and u.disabled_at is null`, pgx.NamedArgs{"id": id})
}

func setLanguage(ctx context.Context, q postgres.Querier, id uuid.UUID, language string) (User, error) {
	return oneUser[User](ctx, q, `
		update users u set language = @language where u.id = @id
		returning `+userColumns, pgx.NamedArgs{"id": id, "language": language})
}

func setMailNotices(ctx context.Context, q postgres.Querier, id uuid.UUID, enabled bool) (User, error) {
	return oneUser[User](ctx, q, `
		update users u set mail_notices = @enabled where u.id = @id
		returning `+userColumns, pgx.NamedArgs{"id": id, "enabled": enabled})
}

func unsubscribe(ctx context.Context, q postgres.Querier, token uuid.UUID) error {
	tag, err := q.Exec(ctx, `update users set mail_notices = false where unsubscribe_token = @token`, pgx.NamedArgs{"token": token})
	if err != nil {
		return fmt.Errorf("unsubscribe: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return errNoToken
	}
	return nil
}

func setVerified(ctx context.Context, q postgres.Querier, id uuid.UUID) error {
	if _, err := q.Exec(ctx, `update users set is_verified = true where id = @id`, pgx.NamedArgs{"id": id}); err != nil {
		return fmt.Errorf("set verified: %w", err)
	}
	return nil
}
