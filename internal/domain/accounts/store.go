package accounts

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/app/user"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

var (
	errNoUser    = errors.New("accounts: no such user")
	errCodeTaken = errors.New("accounts: referral code is taken")
)

const userColumns = `u.id, u.username, u.email, u.profile_pic, u.is_admin, u.is_verified, u.language,
	u.mail_notices, u.referral_code, u.created_at, u.password_strong, u.second_factor_since is not null as second_factor`

// insertUser inserts the user and returns the ID of the referrer, nil if there is none. Code
// Duplicate if the name or address is taken, or the name looks like a taken one; errCodeTaken if
// the referral code is.
func insertUser(ctx context.Context, q postgres.Querier, user User, passwordHash, referredBy string) (referrer *uuid.UUID, err error) {
	if err := claimSkeleton(ctx, q, user.Username); err != nil {
		return nil, err
	}
	err = postgres.Scan(ctx, q, "accounts.insert_user", `
		insert into users (id, username, email, password_hash, password_strong, language, referral_code, referred_by, terms_accepted_at,
		                   created_at)
		values (@id, @username, @email, @password_hash, @password_strong, @language, @referral_code,
		        (select id from users where referral_code = @referred_by and closed_at is null), @now, @now)
		returning referred_by`,
		pgx.NamedArgs{
			"id": user.ID, "username": user.Username, "email": user.Email, "password_hash": passwordHash,
			"password_strong": user.PasswordStrong, "language": user.Language,
			"referral_code": user.ReferralCode, "referred_by": referredBy, "now": user.CreatedAt,
		}, &referrer)
	switch {
	case err == nil:
		return referrer, nil
	case postgres.UniqueViolation(err, "users_username_key"):
		return nil, fault.Taken("username", "username_taken", "Username is already taken.")
	case postgres.UniqueViolation(err, "users_email_key"):
		return nil, errEmailTaken()
	case postgres.UniqueViolation(err, "users_referral_code_key"):
		return nil, errCodeTaken
	}
	return nil, err
}

// claimSkeleton locks the skeleton of a username until the transaction ends, so that no other
// transaction can take a lookalike, and returns Duplicate if the name looks like a taken one. Names
// from before this rule may look alike, so the database cannot have a unique index on skeletons.
func claimSkeleton(ctx context.Context, q postgres.Querier, username string) error {
	retired := sha256.Sum256([]byte(skeleton(username)))
	args := pgx.NamedArgs{"username": username, "skeleton": skeleton(username), "retired": retired[:]}
	err := postgres.Exec(ctx, q, "accounts.lock_skeleton",
		`select pg_advisory_xact_lock(hashtextextended('username:' || @skeleton, 0))`, args)
	if err != nil {
		return err
	}
	// The username of a closed account counts as one that is taken.
	lookalike, err := postgres.Value[bool](ctx, q, "accounts.skeleton_taken", `
		select exists (select from users where username_skeleton = @skeleton)
		       and not exists (select from users where lower(username) = lower(@username))
		    or exists (select from retired_usernames where skeleton_hash = @retired)`, args)
	if err != nil {
		return err
	}
	if lookalike {
		return fault.Taken("username", "username_lookalike", "This username looks like one that is taken. Please choose another.")
	}
	return nil
}

const (
	sqlUsersNamed = `
		select u.id, u.username, u.profile_pic, u.is_admin as is_staff, u.closed_at is not null as closed
		  from users u
		 where lower(u.username) like '%' || lower(@pattern) || '%'
		   and u.id <> @actor
		   and u.disabled_at is null
		   and not exists (select from blocks b where b.blocker_id = @actor and b.blocked_id = u.id)
		   and not exists (select from blocks b where b.blocker_id = u.id and b.blocked_id = @actor)
		 order by lower(u.username) like lower(@pattern) || '%' desc, lower(u.username)
		 limit @limit`
	// The prefix index has them in this order, so no more rows are read than returned.
	sqlUsersBeginning = `
		select u.id, u.username, u.profile_pic, u.is_admin as is_staff, u.closed_at is not null as closed
		  from users u
		 where lower(u.username) like lower(@pattern) || '%'
		   and u.id <> @actor
		   and u.disabled_at is null
		   and not exists (select from blocks b where b.blocker_id = @actor and b.blocked_id = u.id)
		   and not exists (select from blocks b where b.blocker_id = u.id and b.blocked_id = @actor)
		 order by lower(u.username) using ~<~
		 limit @limit`
)

// searchUsers runs one of the statements above.
func searchUsers(ctx context.Context, q postgres.Querier, sql string, actor uuid.UUID, query string) ([]user.Ref, error) {
	return postgres.Many[user.Ref](ctx, q, "accounts.search", sql,
		pgx.NamedArgs{"pattern": postgres.EscapeLike(query), "actor": actor, "limit": maxResults})
}

func setAdmin(ctx context.Context, q postgres.Querier, username string, admin bool) (User, error) {
	return oneUser[User](ctx, q, "accounts.set_admin", `
		update users u set is_admin = @admin where lower(u.username) = lower(@username) and u.closed_at is null
		returning `+userColumns, pgx.NamedArgs{"username": username, "admin": admin})
}

func setVerifiedByName(ctx context.Context, q postgres.Querier, username string) (User, error) {
	return oneUser[User](ctx, q, "accounts.set_verified_by_name", `
		update users u set is_verified = true where lower(u.username) = lower(@username)
		returning `+userColumns, pgx.NamedArgs{"username": username})
}

func setDisabled(ctx context.Context, q postgres.Querier, username string, now time.Time) (User, error) {
	return oneUser[User](ctx, q, "accounts.set_disabled", `
		update users u set disabled_at = coalesce(u.disabled_at, @now), suspended_by = null where lower(u.username) = lower(@username)
		returning `+userColumns, pgx.NamedArgs{"username": username, "now": now})
}

func setEnabled(ctx context.Context, q postgres.Querier, username string) (User, error) {
	return oneUser[User](ctx, q, "accounts.set_enabled", `
		update users u set disabled_at = null, suspended_by = null where lower(u.username) = lower(@username) and u.closed_at is null
		returning `+userColumns, pgx.NamedArgs{"username": username})
}

func setWithdrawalsHeld(ctx context.Context, q postgres.Querier, username string, at *time.Time) (User, error) {
	return oneUser[User](ctx, q, "accounts.set_withdrawals_held", `
		update users u
		   set withdrawals_held_at = @at,
		       withdrawals_stopped_at = case when @at::timestamptz is not null then u.withdrawals_stopped_at end
		 where lower(u.username) = lower(@username)
		returning `+userColumns, pgx.NamedArgs{"username": username, "at": at})
}

// findByEmail returns the user with the address unless disabled.
func findByEmail(ctx context.Context, q postgres.Querier, email string) (User, error) {
	return oneUser[User](ctx, q, "accounts.find_by_email", `
		select `+userColumns+` from users u where lower(u.email) = lower(@email) and u.disabled_at is null`, pgx.NamedArgs{"email": email})
}

// findReader returns the user with the ID unless disabled.
func findReader(ctx context.Context, q postgres.Querier, id uuid.UUID) (User, error) {
	return oneUser[User](ctx, q, "accounts.find_reader", `
		select `+userColumns+` from users u where u.id = @id and u.disabled_at is null`, pgx.NamedArgs{"id": id})
}

func setLanguage(ctx context.Context, q postgres.Querier, id uuid.UUID, language string) (User, error) {
	return oneUser[User](ctx, q, "accounts.set_language", `
		update users u set language = @language where u.id = @id
		returning `+userColumns, pgx.NamedArgs{"id": id, "language": language})
}

func setMailNotices(ctx context.Context, q postgres.Querier, id uuid.UUID, enabled bool) (User, error) {
	return oneUser[User](ctx, q, "accounts.set_mail_notices", `
		update users u set mail_notices = @enabled, mail_off = '{}' where u.id = @id
		returning `+userColumns, pgx.NamedArgs{"id": id, "enabled": enabled})
}

func unsubscribe(ctx context.Context, q postgres.Querier, token uuid.UUID) error {
	n, err := postgres.ExecCount(ctx, q, "accounts.unsubscribe",
		`update users set mail_notices = false where unsubscribe_token = @token`, pgx.NamedArgs{"token": token})
	if err == nil && n == 0 {
		err = errNoToken
	}
	return err
}

func setVerified(ctx context.Context, q postgres.Querier, id uuid.UUID) error {
	return postgres.Exec(ctx, q, "accounts.set_verified", `update users set is_verified = true where id = @id`, pgx.NamedArgs{"id": id})
}
