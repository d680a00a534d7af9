package accounts

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/passkey"
	"amanat/internal/lib/postgres"
)

// userLock is a strength of a lock on a user's row.
type userLock string

const (
	forReading  userLock = "share"         // the user's state stays as it is
	forChanging userLock = "no key update" // this transaction changes it
	forClosing  userLock = "update"        // it also waits for those that insert rows of the user
)

// lockUser reads and locks the row of a user unless disabled.
func lockUser(ctx context.Context, tx *postgres.Tx, id uuid.UUID, strength userLock) (User, error) {
	return oneUser[User](ctx, tx, "accounts.lock_user", `
		select `+userColumns+` from users u where u.id = @id and u.disabled_at is null for `+string(strength),
		postgres.Args{"id": id})
}

// lockUserNamed reads and locks the row of a user, also of a disabled one.
func lockUserNamed(ctx context.Context, tx *postgres.Tx, username string, strength userLock) (User, error) {
	return oneUser[User](ctx, tx, "accounts.lock_user_named", `
		select `+userColumns+` from users u where lower(u.username) = lower(@username) for `+string(strength),
		postgres.Args{"username": username})
}

func findFactor(ctx context.Context, q postgres.Querier, userID uuid.UUID) (SecondFactor, error) {
	args := postgres.Args{"user": userID}
	type row struct {
		TOTP            bool
		BackupCodesLeft int
	}
	found, err := postgres.Query[row]("accounts.find_factor", `
		select exists (select from totp_secrets where user_id = @user and confirmed_at is not null) as totp,
		       (select count(*) from backup_codes where user_id = @user and used_at is null) as backup_codes_left`).One(ctx, q, args)
	if err != nil {
		return SecondFactor{}, err
	}
	factor := SecondFactor{TOTP: found.TOTP, BackupCodesLeft: found.BackupCodesLeft}
	factor.Passkeys, err = postgres.Query[Passkey]("accounts.list_passkeys", `
		select `+keyColumns+` from passkeys where user_id = @user order by created_at, id`).Many(ctx, q, args)
	return factor, err
}

const keyColumns = `id, name, created_at, last_used_at`

// syncFactor brings the user's row in step with the user's factors and reports whether the second
// factor is on.
var syncFactor = postgres.Query[bool]("accounts.sync_factor", `
		update users
		   set second_factor_since = case
		         when exists (select from totp_secrets where user_id = @user and confirmed_at is not null)
		           or exists (select from passkeys where user_id = @user)
		         then coalesce(second_factor_since, @now) end
		 where id = @user
		returning second_factor_since is not null`)

// storedSecret is the secret of a user's authenticator app.
type storedSecret struct {
	Secret    []byte
	Confirmed bool
}

var findSecret = postgres.Query[storedSecret]("accounts.find_secret", `
		select secret, confirmed_at is not null as confirmed from totp_secrets where user_id = @user`)

// insertSecret stores an unconfirmed secret in place of a former one; stored is false if there is a
// confirmed one.
var insertSecret = postgres.Command("accounts.insert_secret", `
		insert into totp_secrets (user_id, secret, created_at) values (@user, @secret, @now)
		on conflict (user_id) do update set secret = @secret, created_at = @now where totp_secrets.confirmed_at is null`)

var confirmSecret = postgres.Command("accounts.confirm_secret",
	`update totp_secrets set confirmed_at = @now, last_step = @step where user_id = @user and confirmed_at is null`)

// useStep records the step of an accepted code; fresh is false if it, or a later one, was used.
var useStep = postgres.Command("accounts.use_step",
	`update totp_secrets set last_step = @step where user_id = @user and last_step < @step`)

var deleteSecret = postgres.Command("accounts.delete_secret",
	`delete from totp_secrets where user_id = @user and confirmed_at is not null`)

var insertBackupCodes = postgres.Command("accounts.insert_backup_codes", `
		insert into backup_codes (user_id, code_hash, created_at) select @user, hash, @now from unnest(@hashes::bytea[]) as hash`)

// useBackupCode marks a code as used; used is false if it is unknown or used already.
var useBackupCode = postgres.Command("accounts.use_backup_code",
	`update backup_codes set used_at = @now where user_id = @user and code_hash = @hash and used_at is null`)

var backupCodeExists = postgres.Query[bool]("accounts.backup_code_exists",
	`select exists (select from backup_codes where user_id = @user and code_hash = @hash)`)

var countBackupCodes = postgres.Query[int]("accounts.count_backup_codes",
	`select count(*) from backup_codes where user_id = @user and used_at is null`)

var deleteBackupCodes = postgres.Command("accounts.delete_backup_codes", `delete from backup_codes where user_id = @user`)

// storedKey is a passkey as a ceremony needs it.
type storedKey struct {
	CredentialID   []byte
	PublicKey      []byte
	SignCount      int64
	BackupEligible bool
	Transports     []string
}

var listKeys = postgres.QueryAs("accounts.list_keys", `
		select credential_id, public_key, sign_count, backup_eligible, transports
		  from passkeys where user_id = @user order by created_at, id`, func(r storedKey) passkey.Key {
	return passkey.Key{
		ID: r.CredentialID, PublicKey: r.PublicKey, SignCount: uint32(r.SignCount),
		BackupEligible: r.BackupEligible, Transports: r.Transports,
	}
})

// insertPasskey stores a passkey. Code Duplicate if it is registered, to whomever.
func insertPasskey(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, shown Passkey, key passkey.Key) error {
	err := postgres.Command("accounts.insert_passkey", `
		insert into passkeys (id, user_id, credential_id, public_key, sign_count, backup_eligible, transports, name, created_at)
		values (@id, @user, @credential, @public_key, @sign_count, @backup_eligible, @transports, @name, @now)`).Run(ctx, tx,
		postgres.Args{
			"id": shown.ID, "user": userID, "credential": key.ID, "public_key": key.PublicKey, "sign_count": int64(key.SignCount),
			"backup_eligible": key.BackupEligible, "transports": key.Transports, "name": shown.Name, "now": shown.CreatedAt,
		})
	if postgres.UniqueViolation(err, "passkeys_credential_key") {
		return fault.Taken("credential", "passkey_taken", "This passkey is registered already.")
	}
	return err
}

// touchPasskey records a use; current is false if the passkey was removed, or was used with a
// higher counter. Passkeys that are synchronized between devices do not count: theirs is always 0.
func touchPasskey(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, used passkey.Used, now time.Time) (current bool, err error) {
	return postgres.Command("accounts.touch_passkey", `
		update passkeys set sign_count = @count, last_used_at = @now
		 where credential_id = @credential and user_id = @user and (sign_count < @count or sign_count = 0 and @count = 0)`).Any(ctx, tx,
		postgres.Args{"credential": used.ID, "user": userID, "count": int64(used.SignCount), "now": now})
}

var ownsPasskey = postgres.Query[bool]("accounts.owns_passkey", `select exists (select from passkeys where id = @id and user_id = @user)`)

var renamePasskey = postgres.Query[Passkey]("accounts.rename_passkey", `
		update passkeys set name = @name where id = @id and user_id = @user returning `+keyColumns)

var deletePasskey = postgres.Command("accounts.delete_passkey", `delete from passkeys where id = @id and user_id = @user`)

// findPasskeyOwner returns the owner of a passkey, disabled or not.
func findPasskeyOwner(ctx context.Context, q postgres.Querier, credentialID []byte) (User, error) {
	return oneUser[User](ctx, q, "accounts.find_passkey_owner", `
		select `+userColumns+` from passkeys p join users u on u.id = p.user_id where p.credential_id = @credential`,
		postgres.Args{"credential": credentialID})
}

func findRecent(ctx context.Context, q postgres.Querier, userID uuid.UUID, browser Token) (recent, error) {
	return postgres.Query[recent]("accounts.find_recent", `
		select u.password_reset_at, u.second_factor_reset_at as factor_reset_at, u.email_changed_at, u.factor_added_at,
		       b.created_at as browser_since, coalesce(b.at_signup, false) as at_signup
		  from users u
		  left join known_browsers b on b.token_hash = @hash and b.user_id = u.id
		 where u.id = @user`).One(ctx, q,
		postgres.Args{"hash": browser.hash(), "user": userID})
}

var setFactorAdded = postgres.Command("accounts.set_factor_added", `update users set factor_added_at = @now where id = @user`)

// deleteFactors removes all factors of a user, and the logins that wait for one.
func deleteFactors(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) error {
	args := postgres.Args{"user": userID}
	postgres.Command("accounts.reset_totp", `delete from totp_secrets where user_id = @user`).Queue(tx, args)
	postgres.Command("accounts.reset_passkeys", `delete from passkeys where user_id = @user`).Queue(tx, args)
	postgres.Command("accounts.reset_backup_codes", `delete from backup_codes where user_id = @user`).Queue(tx, args)
	postgres.Command("accounts.reset_challenges", `delete from login_challenges where user_id = @user`).Queue(tx, args)
	return postgres.Command("accounts.reset_factor", `update users set second_factor_since = null where id = @user`).Run(ctx, tx, args)
}

// setFactorReset records a reset of the second factor by the operator.
var setFactorReset = postgres.Command("accounts.set_factor_reset", `update users set second_factor_reset_at = @now where id = @user`)

// credentials is what login needs to know about a user.
type credentials struct {
	User
	PasswordHash string
	DisabledAt   *time.Time
	suspension
	KnowsBrowser bool
}

// suspension is why and until when moderation has disabled an account.
type suspension struct {
	SuspendedFor   *string    // the reason of the decision; nil if none has disabled the account
	SuspendedUntil *time.Time // nil for a ban
}

func (c credentials) user() User { return c.User }

func findCredentials(ctx context.Context, q postgres.Querier, username string, browser Token) (credentials, error) {
	return oneUser[credentials](ctx, q, "accounts.find_credentials", `
		select `+userColumns+`, u.password_hash, u.disabled_at, d.reason as suspended_for, d.suspended_until,
		       exists (select from known_browsers b where b.token_hash = @browser and b.user_id = u.id) as knows_browser
		  from users u
		  left join moderation_cases d on d.id = u.suspended_by
		 where lower(u.username) = lower(@username) and u.closed_at is null`,
		postgres.Args{"username": username, "browser": browser.hash()})
}

var findSuspension = postgres.Query[suspension]("accounts.find_suspension", `
select d.reason as suspended_for, d.suspended_until
  from users u left join moderation_cases d on d.id = u.suspended_by
 where u.id = @user`)

// lockPassword reports whether the user still has the password and the second factor on or off, and
// is not disabled, and locks the row against changes until the transaction ends.
func lockPassword(ctx context.Context, q postgres.Querier, found credentials) (bool, error) {
	return postgres.Query[bool]("accounts.lock_password", `
		select u.password_hash = @hash and u.disabled_at is null and (u.second_factor_since is not null) = @factor
		  from users u where u.id = @user for share`).One(ctx, q,
		postgres.Args{"user": found.ID, "hash": found.PasswordHash, "factor": found.SecondFactor})
}

// setPassword sets the password hash, unless current is not "" and no longer the user's hash.
var setPassword = postgres.Command("accounts.set_password", `
		update users set password_hash = @hash, password_strong = @strong where id = @user and @current in ('', password_hash)`)

var errNoToken = errors.New("accounts: no such token")

func insertMailedToken(ctx context.Context, q postgres.Querier, userID uuid.UUID, p purpose, token Token, now time.Time) error {
	return postgres.Command("accounts.insert_mailed_token", `
		insert into mailed_tokens (token_hash, user_id, purpose, created_at, expires_at)
		values (@hash, @user, @purpose, @now, @expires)`).Run(ctx, q,
		postgres.Args{"hash": token.hash(), "user": userID, "purpose": string(p), "now": now, "expires": now.Add(p.life())})
}

// usable is the condition for tokens that are neither used nor expired.
const usable = `t.token_hash = @hash and t.purpose = @purpose and t.used_at is null and t.expires_at > @now`

// findMailedToken returns the user of a usable token, or errNoToken.
func findMailedToken(ctx context.Context, q postgres.Querier, p purpose, token Token, now time.Time) (uuid.UUID, error) {
	owner, err := postgres.Query[uuid.UUID]("accounts.find_mailed_token", `
		select t.user_id
		  from mailed_tokens t
		  join users u on u.id = t.user_id
		 where `+usable+` and u.disabled_at is null`).One(ctx, q,
		postgres.Args{"hash": token.hash(), "purpose": string(p), "now": now})
	return owner, postgres.IfNoRows(err, errNoToken)
}

// useMailedToken marks the token as used, and with it all others of its user for the same purpose.
// Of two concurrent uses one gets errNoToken.
func useMailedToken(ctx context.Context, q postgres.Querier, p purpose, token Token, now time.Time) (uuid.UUID, error) {
	owner, err := postgres.Query[uuid.UUID]("accounts.use_mailed_token", `
		update mailed_tokens t set used_at = @now
		  from users u
		 where `+usable+` and u.id = t.user_id and u.disabled_at is null
		returning t.user_id`).One(ctx, q,
		postgres.Args{"hash": token.hash(), "purpose": string(p), "now": now})
	if err != nil {
		return uuid.UUID{}, postgres.IfNoRows(err, errNoToken)
	}
	return owner, useUpMailedTokens(ctx, q, owner, p, now)
}

// useUpMailedTokens marks all tokens of the user for a purpose as used.
func useUpMailedTokens(ctx context.Context, q postgres.Querier, userID uuid.UUID, p purpose, now time.Time) error {
	return postgres.Command("accounts.use_up_mailed_tokens", `
		update mailed_tokens set used_at = @now where user_id = @user and purpose = @purpose and used_at is null`).Run(ctx, q,
		postgres.Args{"user": userID, "purpose": string(p), "now": now})
}

var deleteExpiredTokens = postgres.Command("accounts.delete_expired_tokens", `
delete from mailed_tokens t
 using (select token_hash from mailed_tokens where expires_at <= @now order by expires_at limit @limit) old
 where t.token_hash = old.token_hash`)

const changeColumns = `c.id, c.user_id, c.old_email, c.new_email, c.old_verified, c.applied_at, c.ended_at`

func insertEmailChange(ctx context.Context, q postgres.Querier, c EmailChange, now time.Time) error {
	return postgres.Command("accounts.insert_email_change", `
		insert into email_changes (id, user_id, old_email, new_email, old_verified, requested_at)
		values (@id, @user, @old, @new, @verified, @now)`).Run(ctx, q,
		postgres.Args{"id": c.ID, "user": c.UserID, "old": c.OldEmail, "new": c.NewEmail, "verified": c.OldVerified, "now": now})
}

var findEmailChange = postgres.Query[EmailChange]("accounts.find_email_change", `
		select `+changeColumns+` from email_changes c where c.id = @id`)

func findPendingEmail(ctx context.Context, q postgres.Querier, userID uuid.UUID) (*string, error) {
	email, found, err := postgres.Query[string]("accounts.find_pending_email", `
		select new_email from email_changes where user_id = @user and applied_at is null and ended_at is null`).Find(ctx, q,
		postgres.Args{"user": userID})
	if !found {
		return nil, err
	}
	return &email, err
}

// sqlReserved is the condition for changes that the owner of the former address may still undo.
const sqlReserved = `c.applied_at > @undoable and c.ended_at is null and c.old_verified`

// emailTaken reports whether the address belongs to another account than the user's, or may be
// taken back by one.
func emailTaken(ctx context.Context, q postgres.Querier, email string, userID uuid.UUID, now time.Time) (bool, error) {
	return postgres.Query[bool]("accounts.email_taken", `
		select exists (select from users u where lower(u.email) = lower(@email) and u.id <> @user)
		    or exists (select from email_changes c where lower(c.old_email) = lower(@email) and c.user_id <> @user and `+sqlReserved+`)`).One(ctx,
		q,
		postgres.Args{"email": email, "user": userID, "undoable": now.Add(-undoTime)})
}

// setEmail gives the account an address that its owner has proved to read.
func setEmail(ctx context.Context, q postgres.Querier, userID uuid.UUID, email string, now time.Time) error {
	err := postgres.Command("accounts.set_email", `
		update users set email = @email, is_verified = true, email_changed_at = @now where id = @user`).One(ctx, q,
		postgres.Args{"user": userID, "email": email, "now": now})
	if postgres.UniqueViolation(err, "users_email_key") {
		return errEmailTaken()
	}
	return err
}

var setChangeApplied = postgres.Command("accounts.set_change_applied", `update email_changes set applied_at = @now where id = @id`)

// endPendingChange withdraws the user's pending change, if there is one.
var endPendingChange = postgres.Command("accounts.end_pending_change", `
		update email_changes set ended_at = @now where user_id = @user and applied_at is null and ended_at is null`)

// endChangesFrom ends a change and all later ones of its user.
func endChangesFrom(ctx context.Context, q postgres.Querier, c EmailChange, now time.Time) error {
	return postgres.Command("accounts.end_changes_from", `
		update email_changes set ended_at = @now
		 where user_id = @user and ended_at is null
		   and requested_at >= (select requested_at from email_changes where id = @id)`).Run(ctx, q,
		postgres.Args{"user": c.UserID, "id": c.ID, "now": now})
}

func insertChangeToken(ctx context.Context, q postgres.Querier, c EmailChange, p purpose, token Token, now time.Time) error {
	return postgres.Command("accounts.insert_change_token", `
		insert into mailed_tokens (token_hash, user_id, email_change_id, purpose, created_at, expires_at)
		values (@hash, @user, @change, @purpose, @now, @expires)`).Run(ctx, q,
		postgres.Args{
			"hash": token.hash(), "user": c.UserID, "change": c.ID, "purpose": string(p), "now": now, "expires": now.Add(p.life()),
		})
}

// findChangeOf returns the change of a usable token, or errNoToken.
func findChangeOf(ctx context.Context, q postgres.Querier, p purpose, token Token, now time.Time) (EmailChange, error) {
	change, err := postgres.Query[EmailChange]("accounts.find_change_of", `
		select `+changeColumns+` from mailed_tokens t join email_changes c on c.id = t.email_change_id where `+usable).One(ctx, q,
		postgres.Args{"hash": token.hash(), "purpose": string(p), "now": now})
	return change, postgres.IfNoRows(err, errNoToken)
}

// useChangeTokens marks the token as used, and with it all others of its change for the same
// purpose. Of two concurrent uses one gets errNoToken.
func useChangeTokens(ctx context.Context, q postgres.Querier, changeID uuid.UUID, p purpose, token Token, now time.Time) error {
	args := postgres.Args{"hash": token.hash(), "change": changeID, "purpose": string(p), "now": now}
	n, err := postgres.Command("accounts.use_change_token", `update mailed_tokens t set used_at = @now where `+usable).Count(ctx, q, args)
	if err != nil {
		return err
	}
	if n == 0 {
		return errNoToken
	}
	return postgres.Command("accounts.use_up_change_tokens", `
		update mailed_tokens set used_at = @now where email_change_id = @change and purpose = @purpose and used_at is null`).Run(ctx, q, args)
}

// The tokens of the links are deleted first, when they expire.
var deleteEmailChanges = postgres.Command("accounts.delete_email_changes", `
delete from email_changes c
 using (select id from email_changes
         where requested_at < @before and (applied_at is null or applied_at < @before)
           and not exists (select from mailed_tokens t where t.email_change_id = email_changes.id)
         order by requested_at limit @limit) old
 where c.id = old.id`)

func insertWithdrawalToken(
	ctx context.Context, q postgres.Querier, userID, withdrawalID uuid.UUID, p purpose, token Token, now time.Time,
) error {
	return postgres.Command("accounts.insert_withdrawal_token", `
		insert into mailed_tokens (token_hash, user_id, withdrawal_id, purpose, created_at, expires_at)
		values (@hash, @user, @withdrawal, @purpose, @now, @expires)`).Run(ctx, q,
		postgres.Args{
			"hash": token.hash(), "user": userID, "withdrawal": withdrawalID, "purpose": string(p), "now": now, "expires": now.Add(p.life()),
		})
}

// withdrawalLink is the withdrawal of a mailed link, and its owner.
type withdrawalLink struct{ UserID, WithdrawalID uuid.UUID }

func findWithdrawalToken(ctx context.Context, q postgres.Querier, p purpose, token Token, now time.Time) (withdrawalLink, error) {
	link, err := postgres.Query[withdrawalLink]("accounts.find_withdrawal_token", `
		select t.user_id, t.withdrawal_id
		  from mailed_tokens t
		  join users u on u.id = t.user_id
		 where `+usable+` and u.disabled_at is null`).One(ctx, q,
		postgres.Args{"hash": token.hash(), "purpose": string(p), "now": now})
	return link, postgres.IfNoRows(err, errNoToken)
}

// useWithdrawalToken marks the token as used, and with it all others for the same purpose and
// withdrawal. Of two concurrent uses one gets errNoToken.
func useWithdrawalToken(ctx context.Context, q postgres.Querier, p purpose, token Token, now time.Time) (withdrawalLink, error) {
	args := postgres.Args{"hash": token.hash(), "purpose": string(p), "now": now}
	link, err := postgres.Query[withdrawalLink]("accounts.use_withdrawal_token", `
		update mailed_tokens t set used_at = @now
		  from users u
		 where `+usable+` and u.id = t.user_id and u.disabled_at is null
		returning t.user_id, t.withdrawal_id`).One(ctx, q, args)
	if err != nil {
		return withdrawalLink{}, postgres.IfNoRows(err, errNoToken)
	}
	args["withdrawal"] = link.WithdrawalID
	err = postgres.Command("accounts.use_up_withdrawal_tokens", `
		update mailed_tokens set used_at = @now
		 where withdrawal_id = @withdrawal and purpose = @purpose and used_at is null`).Run(ctx, q, args)
	return link, err
}

// setWithdrawalsStopped stops the user's withdrawals; changed is false if they are stopped already.
func setWithdrawalsStopped(ctx context.Context, q postgres.Querier, userID uuid.UUID, now time.Time) (changed bool, err error) {
	return postgres.Command("accounts.set_withdrawals_stopped",
		`update users set withdrawals_stopped_at = @now where id = @user and withdrawals_stopped_at is null`).Any(ctx, q,
		postgres.Args{"user": userID, "now": now})
}

// setReset records a password reset by a mailed link, which lifts the owner's own stop of
// withdrawals.
var setReset = postgres.Command("accounts.set_reset",
	`update users set password_reset_at = @now, withdrawals_stopped_at = null where id = @user`)
