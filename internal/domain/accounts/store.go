package accounts

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/user"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

var (
	errNoUser    = errors.New("accounts: no such user")
	errCodeTaken = errors.New("accounts: referral code is taken")
)

const userColumns = `u.id, u.username, u.email, u.profile_pic, u.is_admin, u.is_verified, u.language,
	u.mail_notices, u.referral_code, u.created_at, u.password_strong, u.second_factor_since is not null as second_factor,
	coalesce(u.away_until::text, '') as away_until`

// insertUser inserts the user and returns the ID of the referrer, nil if there is none. Code
// Duplicate if the name or address is taken, or the name looks like a taken one; errCodeTaken if
// the referral code is.
func insertUser(ctx context.Context, q postgres.Querier, user User, passwordHash, referredBy string) (referrer *uuid.UUID, err error) {
	if err := claimSkeleton(ctx, q, user.Username); err != nil {
		return nil, err
	}
	referrer, err = postgres.Query[*uuid.UUID]("accounts.insert_user", `
		insert into users (id, username, email, password_hash, password_strong, language, referral_code, referred_by, terms_accepted_at,
		                   created_at)
		values (@id, @username, @email, @password_hash, @password_strong, @language, @referral_code,
		        (select id from users where referral_code = @referred_by and closed_at is null), @now, @now)
		returning referred_by`).One(ctx, q,
		postgres.Args{
			"id": user.ID, "username": user.Username, "email": user.Email, "password_hash": passwordHash,
			"password_strong": user.PasswordStrong, "language": user.Language,
			"referral_code": user.ReferralCode, "referred_by": referredBy, "now": user.CreatedAt,
		})
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
	args := postgres.Args{"username": username, "skeleton": skeleton(username), "retired": retired[:]}
	err := postgres.Command("accounts.lock_skeleton",
		`select pg_advisory_xact_lock(hashtextextended('username:' || @skeleton, 0))`).Run(ctx, q, args)
	if err != nil {
		return err
	}
	// The username of a closed account counts as one that is taken.
	lookalike, err := postgres.Query[bool]("accounts.skeleton_taken", `
		select exists (select from users where username_skeleton = @skeleton)
		       and not exists (select from users where lower(username) = lower(@username))
		    or exists (select from retired_usernames where skeleton_hash = @retired)`).One(ctx, q, args)
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
		select u.id, u.username, u.profile_pic, u.is_admin as is_staff, u.closed_at is not null as closed,
		       coalesce(u.away_until::text, '') as away_until
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
		select u.id, u.username, u.profile_pic, u.is_admin as is_staff, u.closed_at is not null as closed,
		       coalesce(u.away_until::text, '') as away_until
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
	return postgres.Query[user.Ref]("accounts.search", sql).Many(ctx, q,
		postgres.Args{"pattern": postgres.EscapeLike(query), "actor": actor, "limit": maxResults})
}

func setAdmin(ctx context.Context, q postgres.Querier, username string, admin bool) (User, error) {
	return oneUser[User](ctx, q, "accounts.set_admin", `
		update users u set is_admin = @admin where lower(u.username) = lower(@username) and u.closed_at is null
		returning `+userColumns, postgres.Args{"username": username, "admin": admin})
}

func setVerifiedByName(ctx context.Context, q postgres.Querier, username string) (User, error) {
	return oneUser[User](ctx, q, "accounts.set_verified_by_name", `
		update users u set is_verified = true where lower(u.username) = lower(@username)
		returning `+userColumns, postgres.Args{"username": username})
}

func setDisabled(ctx context.Context, q postgres.Querier, username string, now time.Time) (User, error) {
	return oneUser[User](ctx, q, "accounts.set_disabled", `
		update users u set disabled_at = coalesce(u.disabled_at, @now), suspended_by = null where lower(u.username) = lower(@username)
		returning `+userColumns, postgres.Args{"username": username, "now": now})
}

func setEnabled(ctx context.Context, q postgres.Querier, username string) (User, error) {
	return oneUser[User](ctx, q, "accounts.set_enabled", `
		update users u set disabled_at = null, suspended_by = null where lower(u.username) = lower(@username) and u.closed_at is null
		returning `+userColumns, postgres.Args{"username": username})
}

func setWithdrawalsHeld(ctx context.Context, q postgres.Querier, username string, at *time.Time) (User, error) {
	return oneUser[User](ctx, q, "accounts.set_withdrawals_held", `
		update users u
		   set withdrawals_held_at = @at,
		       withdrawals_stopped_at = case when @at::timestamptz is not null then u.withdrawals_stopped_at end
		 where lower(u.username) = lower(@username)
		returning `+userColumns, postgres.Args{"username": username, "at": at})
}

// findByEmail returns the user with the address unless disabled.
func findByEmail(ctx context.Context, q postgres.Querier, email string) (User, error) {
	return oneUser[User](ctx, q, "accounts.find_by_email", `
		select `+userColumns+` from users u where lower(u.email) = lower(@email) and u.disabled_at is null`, postgres.Args{"email": email})
}

// findReader returns the user with the ID unless disabled.
func findReader(ctx context.Context, q postgres.Querier, id uuid.UUID) (User, error) {
	return oneUser[User](ctx, q, "accounts.find_reader", `
		select `+userColumns+` from users u where u.id = @id and u.disabled_at is null`, postgres.Args{"id": id})
}

func setLanguage(ctx context.Context, q postgres.Querier, id uuid.UUID, language string) (User, error) {
	return oneUser[User](ctx, q, "accounts.set_language", `
		update users u set language = @language where u.id = @id
		returning `+userColumns, postgres.Args{"id": id, "language": language})
}

func setMailNotices(ctx context.Context, q postgres.Querier, id uuid.UUID, enabled bool) (User, error) {
	return oneUser[User](ctx, q, "accounts.set_mail_notices", `
		update users u set mail_notices = @enabled, mail_off = '{}' where u.id = @id
		returning `+userColumns, postgres.Args{"id": id, "enabled": enabled})
}

func setAway(ctx context.Context, q postgres.Querier, id uuid.UUID, until *time.Time) (User, error) {
	return oneUser[User](ctx, q, "accounts.set_away", `
		update users u set away_until = @until::date where u.id = @id
		returning `+userColumns, postgres.Args{"id": id, "until": until})
}

func unsubscribe(ctx context.Context, q postgres.Querier, token uuid.UUID) error {
	n, err := postgres.Command("accounts.unsubscribe", `update users set mail_notices = false where unsubscribe_token = @token`).Count(ctx, q,
		postgres.Args{"token": token})
	if err == nil && n == 0 {
		err = errNoToken
	}
	return err
}

var setVerified = postgres.Command("accounts.set_verified", `update users set is_verified = true where id = @id`)

const sqlFindUser = `select ` + userColumns + ` from users u where lower(u.username) = lower(@username) and u.disabled_at is null`

func findUser(ctx context.Context, q postgres.Querier, username string) (User, error) {
	return oneUser[User](ctx, q, "accounts.find_user", sqlFindUser, postgres.Args{"username": username})
}

// findAnyUser is findUser that also finds disabled users.
func findAnyUser(ctx context.Context, q postgres.Querier, username string) (User, error) {
	return oneUser[User](ctx, q, "accounts.find_any_user",
		`select `+userColumns+` from users u where lower(u.username) = lower(@username)`, postgres.Args{"username": username})
}

// pictureChange is a user after a change of picture, with the previous picture.
type pictureChange struct {
	User
	Previous string
}

const sqlSetPicture = `
update users u set profile_pic = @url
  from (select id, profile_pic from users where id = @id for update) before
 where u.id = before.id
returning ` + userColumns + `, before.profile_pic as previous`

func setPicture(ctx context.Context, tx *postgres.Tx, id uuid.UUID, url string) (pictureChange, error) {
	return oneUser[pictureChange](ctx, tx, "accounts.set_picture", sqlSetPicture, postgres.Args{"id": id, "url": url})
}

// oneUser reads one user, with additional columns in T. It returns errNoUser if there is no row.
func oneUser[T any](ctx context.Context, q postgres.Querier, name, sql string, args postgres.Args) (T, error) {
	user, err := postgres.Query[T](name, sql).One(ctx, q, args)
	return user, postgres.IfNoRows(err, errNoUser)
}

const sqlInsertConsent = `
insert into consents (user_id, version, accepted_at, address) values (@user, @version, @at, @address)
on conflict (user_id, version) do nothing`

func insertConsent(ctx context.Context, q postgres.Querier, userID uuid.UUID, c Consent, client Client) error {
	return postgres.Command("accounts.insert_consent", sqlInsertConsent).Run(ctx, q, postgres.Args{
		"user": userID, "version": c.Version, "at": c.AcceptedAt, "address": client.Address,
	})
}

// Users from before consents were recorded accepted the first version when they signed up.
const sqlLatestConsent = `
select coalesce(c.version, @first) as version, coalesce(c.accepted_at, u.terms_accepted_at) as accepted_at
  from users u
  left join lateral (select version, accepted_at from consents where user_id = u.id order by version desc limit 1) c on true
 where u.id = @user`

// queueConsent queues the reading of the latest version that the user accepted.
func queueConsent(q postgres.Queue, userID uuid.UUID, consent *Consent) {
	args := postgres.Args{"user": userID, "first": TermsVersions()[0]}
	postgres.Query[Consent]("accounts.latest_consent", sqlLatestConsent).Queue(q, args, func(row Consent) { *consent = row })
}

// setDisabledAt disables a user, or enables the user if at is nil. changed is false if the user
// already is in that state.
var setDisabledAt = postgres.Command("accounts.set_disabled_at", `
update users set disabled_at = @at::timestamptz, suspended_by = null
 where id = @id and (disabled_at is null) <> (@at::timestamptz is null)`)

// endSuspension makes the account of a suspended user one that is disabled for another reason;
// changed is false if it is not suspended.
var endSuspension = postgres.Command("accounts.end_suspension",
	`update users set suspended_by = null where id = @id and disabled_at is not null and suspended_by is not null`)

const sqlSetSuspended = `
update users u
   set suspended_by = @decision, disabled_at = coalesce(u.disabled_at, @at)
  from (select id, disabled_at from users where id = @id for no key update) before
 where u.id = before.id and (u.disabled_at is null or u.suspended_by is not null)
returning before.disabled_at is null as newly`

// setSuspended disables a user for a decision; newly is false if the user was disabled before.
func setSuspended(ctx context.Context, tx *postgres.Tx, id, decision uuid.UUID, at time.Time) (newly bool, err error) {
	newly, _, err = postgres.Query[bool]("accounts.set_suspended", sqlSetSuspended).Find(ctx, tx,
		postgres.Args{"id": id, "decision": decision, "at": at})
	return newly, err
}

// setResumed enables a user whom a decision has disabled; resumed is false if none has.
var setResumed = postgres.Command("accounts.set_resumed",
	`update users set disabled_at = null, suspended_by = null where id = @id and disabled_at is not null and suspended_by is not null`)

func insertAppealToken(ctx context.Context, q postgres.Querier, userID, decision uuid.UUID, token Token, now time.Time) error {
	return postgres.Command("accounts.insert_appeal_token", `
		insert into mailed_tokens (token_hash, user_id, case_id, purpose, created_at, expires_at)
		values (@hash, @user, @case, @purpose, @now, @expires)`).Run(ctx, q,
		postgres.Args{
			"hash": token.hash(), "user": userID, "case": decision, "purpose": string(forAppeal), "now": now, "expires": now.Add(forAppeal.life()),
		})
}

// findAppealToken returns the decision of a usable token, or errNoToken.
func findAppealToken(ctx context.Context, q postgres.Querier, token Token, now time.Time) (uuid.UUID, error) {
	decision, err := postgres.Query[uuid.UUID]("accounts.find_appeal_token", `select t.case_id from mailed_tokens t where `+usable).One(ctx, q,
		postgres.Args{"hash": token.hash(), "purpose": string(forAppeal), "now": now})
	return decision, postgres.IfNoRows(err, errNoToken)
}

var useUpAppealTokens = postgres.Command("accounts.use_up_appeal_tokens",
	`update mailed_tokens set used_at = @now where case_id = @case and used_at is null`)

// findReaderOrDisabled returns the user with the ID, disabled or not, or errNoUser if the account
// is closed.
func findReaderOrDisabled(ctx context.Context, q postgres.Querier, id uuid.UUID) (User, error) {
	return oneUser[User](ctx, q, "accounts.find_reader_or_disabled", `
		select `+userColumns+` from users u where u.id = @id and u.closed_at is null`,
		postgres.Args{"id": id})
}

func insertEvent(ctx context.Context, q postgres.Querier, userID uuid.UUID, e Event) error {
	return postgres.Command("accounts.insert_event", `
		insert into account_events (id, user_id, kind, at, address, user_agent) values (@id, @user, @kind, @at, @address, @agent)`).Run(ctx, q,
		postgres.Args{
			"id": e.ID, "user": userID, "kind": string(e.Kind), "at": e.At, "address": e.Address, "agent": e.UserAgent,
		})
}

var listEvents = postgres.Query[Event]("accounts.list_events", `
		select id, kind, at, address, user_agent from account_events where user_id = @user order by at desc, id desc limit @limit`)

var deleteEvents = postgres.Command("accounts.delete_events", `
delete from account_events e
 using (select id from account_events where at < @before order by at limit @limit) old
 where e.id = old.id`)

// One statement reads one snapshot, in which all money of the user is somewhere.
var readObligations = postgres.Query[Obligations]("accounts.read_obligations", `
select (select count(*) from deals
         where (buyer_id = u.id or seller_id = u.id) and removed_at is null and deal_is_open(status)) as open_deals,
       (select count(*) from deals
         where (buyer_id = u.id or seller_id = u.id) and removed_at is null and status = 'Pending') as pending_deals,
       (select count(*) from deposits where user_id = u.id and status = 'pending')
       + (select count(*) from withdrawals where user_id = u.id and status = 'pending')
       + (select count(*) from checkouts where user_id = u.id and state = 'executing') as pending_money,
       ledger.balance('wallet', u.id, 'USD')
       + coalesce((select sum(amount) from referral_rewards where referrer_id = u.id and credited_at is null), 0)::bigint as balance,
       u.is_admin
  from users u where u.id = @user`)

func insertClosedAccount(ctx context.Context, q postgres.Querier, user User, now time.Time) error {
	return postgres.Command("accounts.insert_closed_account", `
		insert into closed_accounts (user_id, username, email, language, closed_at) values (@user, @username, @email, @language, @now)`).Run(ctx,
		q,
		postgres.Args{"user": user.ID, "username": user.Username, "email": user.Email, "language": user.Language, "now": now})
}

// Usernames from before the rule on lookalikes may have the same skeleton.
var insertRetiredUsername = postgres.Command("accounts.retire_username", `
insert into retired_usernames (skeleton_hash, retired_at) values (@hash, @now) on conflict (skeleton_hash) do nothing`)

// setClosed closes an account and replaces what identifies its owner in its row. The worker, which
// erases the rest, replaces the columns that the api's login may not write.
var setClosed = postgres.Command("accounts.set_closed", `
		update users
		   set closed_at = @now, disabled_at = @now, username = @pseudonym, email = @pseudonym || '@deleted.invalid',
		       mail_off = '{}', push_off = '{}', push_details = false, quiet_from = null, quiet_to = null,
		       profile_pic = '', language = 'en', mail_notices = false, password_hash = '', password_strong = false, is_verified = false,
		       password_reset_at = null, email_changed_at = null, second_factor_since = null, factor_added_at = null,
		       withdrawals_stopped_at = null, away_until = null
		 where id = @id`)

// deleteSecrets deletes what lets somebody sign in, and voids all mailed links. The sessions, to
// which the ceremonies of passkeys belong, are deleted by endAll.
func deleteSecrets(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, now time.Time) error {
	args := postgres.Args{"user": userID, "now": now}
	postgres.Command("accounts.delete_passkeys_of", `delete from passkeys where user_id = @user`).Queue(tx, args)
	postgres.Command("accounts.delete_totp_of", `delete from totp_secrets where user_id = @user`).Queue(tx, args)
	postgres.Command("accounts.delete_codes_of", `delete from backup_codes where user_id = @user`).Queue(tx, args)
	postgres.Command("accounts.delete_logins_of", `delete from login_challenges where user_id = @user`).Queue(tx, args)
	postgres.Command("accounts.delete_browsers_of", `delete from known_browsers where user_id = @user`).Queue(tx, args)
	postgres.Command("accounts.void_tokens_of",
		`update mailed_tokens set used_at = @now where user_id = @user and used_at is null`).Queue(tx, args)
	postgres.Command("accounts.end_changes_of",
		`update email_changes set ended_at = @now where user_id = @user and ended_at is null`).Queue(tx, args)
	return tx.Flush(ctx)
}

// closedAccount is what is known of a closed account for a day.
type closedAccount struct {
	UserID   uuid.UUID
	Username string
	Email    string
	Language string
}

var findClosedAccount = postgres.Query[closedAccount]("accounts.find_closed_account",
	`select user_id, username, email, language from closed_accounts where user_id = @user`)

var isClosed = postgres.Query[bool]("accounts.is_closed", `select exists (select from users where id = @user and closed_at is not null)`)

var deleteClosedAccounts = postgres.Command("accounts.delete_closed_accounts", `
delete from closed_accounts where user_id in (
  select c.user_id from closed_accounts c join users u on u.id = c.user_id
   where c.closed_at <= @before and u.erased_at is not null limit @limit)`)
