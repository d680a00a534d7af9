package accounts

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

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
		pgx.NamedArgs{"id": id})
}

// lockUserNamed reads and locks the row of a user, also of a disabled one.
func lockUserNamed(ctx context.Context, tx *postgres.Tx, username string, strength userLock) (User, error) {
	return oneUser[User](ctx, tx, "accounts.lock_user_named", `
		select `+userColumns+` from users u where lower(u.username) = lower(@username) for `+string(strength),
		pgx.NamedArgs{"username": username})
}

func findFactor(ctx context.Context, q postgres.Querier, userID uuid.UUID) (SecondFactor, error) {
	args := pgx.NamedArgs{"user": userID}
	var factor SecondFactor
	err := postgres.Scan(ctx, q, "accounts.find_factor", `
		select exists (select from totp_secrets where user_id = @user and confirmed_at is not null),
		       (select count(*) from backup_codes where user_id = @user and used_at is null)`,
		args, &factor.TOTP, &factor.BackupCodesLeft)
	if err != nil {
		return SecondFactor{}, err
	}
	factor.Passkeys, err = postgres.Many[Passkey](ctx, q, "accounts.list_passkeys", `
		select `+keyColumns+` from passkeys where user_id = @user order by created_at, id`, args)
	return factor, err
}

const keyColumns = `id, name, created_at, last_used_at`

// syncFactor brings the user's row in step with the user's factors and reports whether the second
// factor is on.
func syncFactor(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, now time.Time) (on bool, err error) {
	return postgres.Value[bool](ctx, tx, "accounts.sync_factor", `
		update users
		   set second_factor_since = case
		         when exists (select from totp_secrets where user_id = @user and confirmed_at is not null)
		           or exists (select from passkeys where user_id = @user)
		         then coalesce(second_factor_since, @now) end
		 where id = @user
		returning second_factor_since is not null`,
		pgx.NamedArgs{"user": userID, "now": now})
}

// storedSecret is the secret of a user's authenticator app.
type storedSecret struct {
	Secret    []byte
	Confirmed bool
}

func findSecret(ctx context.Context, q postgres.Querier, userID uuid.UUID) (storedSecret, error) {
	return postgres.One[storedSecret](ctx, q, "accounts.find_secret", `
		select secret, confirmed_at is not null as confirmed from totp_secrets where user_id = @user`,
		pgx.NamedArgs{"user": userID})
}

// insertSecret stores an unconfirmed secret in place of a former one; stored is false if there is a
// confirmed one.
func insertSecret(ctx context.Context, q postgres.Querier, userID uuid.UUID, secret []byte, now time.Time) (stored bool, err error) {
	n, err := postgres.ExecCount(ctx, q, "accounts.insert_secret", `
		insert into totp_secrets (user_id, secret, created_at) values (@user, @secret, @now)
		on conflict (user_id) do update set secret = @secret, created_at = @now where totp_secrets.confirmed_at is null`,
		pgx.NamedArgs{"user": userID, "secret": secret, "now": now})
	return n > 0, err
}

func confirmSecret(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, step int64, now time.Time) error {
	return postgres.ExecOne(ctx, tx, "accounts.confirm_secret",
		`update totp_secrets set confirmed_at = @now, last_step = @step where user_id = @user and confirmed_at is null`,
		pgx.NamedArgs{"user": userID, "step": step, "now": now})
}

// useStep records the step of an accepted code; fresh is false if it, or a later one, was used.
func useStep(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, step int64) (fresh bool, err error) {
	n, err := postgres.ExecCount(ctx, tx, "accounts.use_step",
		`update totp_secrets set last_step = @step where user_id = @user and last_step < @step`,
		pgx.NamedArgs{"user": userID, "step": step})
	return n > 0, err
}

func deleteSecret(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) (deleted bool, err error) {
	n, err := postgres.ExecCount(ctx, tx, "accounts.delete_secret",
		`delete from totp_secrets where user_id = @user and confirmed_at is not null`, pgx.NamedArgs{"user": userID})
	return n > 0, err
}

func insertBackupCodes(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, hashes [][]byte, now time.Time) error {
	return postgres.Exec(ctx, tx, "accounts.insert_backup_codes", `
		insert into backup_codes (user_id, code_hash, created_at) select @user, hash, @now from unnest(@hashes::bytea[]) as hash`,
		pgx.NamedArgs{"user": userID, "hashes": hashes, "now": now})
}

// useBackupCode marks a code as used; used is false if it is unknown or used already.
func useBackupCode(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, hash []byte, now time.Time) (used bool, err error) {
	n, err := postgres.ExecCount(ctx, tx, "accounts.use_backup_code",
		`update backup_codes set used_at = @now where user_id = @user and code_hash = @hash and used_at is null`,
		pgx.NamedArgs{"user": userID, "hash": hash, "now": now})
	return n > 0, err
}

func backupCodeExists(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, hash []byte) (bool, error) {
	return postgres.Value[bool](ctx, tx, "accounts.backup_code_exists",
		`select exists (select from backup_codes where user_id = @user and code_hash = @hash)`, pgx.NamedArgs{"user": userID, "hash": hash})
}

func countBackupCodes(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) (int, error) {
	return postgres.Value[int](ctx, tx, "accounts.count_backup_codes",
		`select count(*) from backup_codes where user_id = @user and used_at is null`, pgx.NamedArgs{"user": userID})
}

func deleteBackupCodes(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) error {
	return postgres.Exec(ctx, tx, "accounts.delete_backup_codes", `delete from backup_codes where user_id = @user`,
		pgx.NamedArgs{"user": userID})
}

// storedKey is a passkey as a ceremony needs it.
type storedKey struct {
	CredentialID   []byte
	PublicKey      []byte
	SignCount      int64
	BackupEligible bool
	Transports     []string
}

func listKeys(ctx context.Context, q postgres.Querier, userID uuid.UUID) ([]passkey.Key, error) {
	return postgres.ManyAs(ctx, q, "accounts.list_keys", `
		select credential_id, public_key, sign_count, backup_eligible, transports from passkeys where user_id = @user order by created_at, id`,
		pgx.NamedArgs{"user": userID}, func(r storedKey) passkey.Key {
			return passkey.Key{
				ID: r.CredentialID, PublicKey: r.PublicKey, SignCount: uint32(r.SignCount),
				BackupEligible: r.BackupEligible, Transports: r.Transports,
			}
		})
}

// insertPasskey stores a passkey. Code Duplicate if it is registered, to whomever.
func insertPasskey(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, shown Passkey, key passkey.Key) error {
	err := postgres.Exec(ctx, tx, "accounts.insert_passkey", `
		insert into passkeys (id, user_id, credential_id, public_key, sign_count, backup_eligible, transports, name, created_at)
		values (@id, @user, @credential, @public_key, @sign_count, @backup_eligible, @transports, @name, @now)`,
		pgx.NamedArgs{
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
	n, err := postgres.ExecCount(ctx, tx, "accounts.touch_passkey", `
		update passkeys set sign_count = @count, last_used_at = @now
		 where credential_id = @credential and user_id = @user and (sign_count < @count or sign_count = 0 and @count = 0)`,
		pgx.NamedArgs{"credential": used.ID, "user": userID, "count": int64(used.SignCount), "now": now})
	return n > 0, err
}

func ownsPasskey(ctx context.Context, q postgres.Querier, userID, id uuid.UUID) (bool, error) {
	return postgres.Value[bool](ctx, q, "accounts.owns_passkey",
		`select exists (select from passkeys where id = @id and user_id = @user)`, pgx.NamedArgs{"id": id, "user": userID})
}

func renamePasskey(ctx context.Context, q postgres.Querier, userID, id uuid.UUID, name string) (Passkey, error) {
	return postgres.One[Passkey](ctx, q, "accounts.rename_passkey", `
		update passkeys set name = @name where id = @id and user_id = @user returning `+keyColumns,
		pgx.NamedArgs{"id": id, "user": userID, "name": name})
}

func deletePasskey(ctx context.Context, tx *postgres.Tx, userID, id uuid.UUID) (deleted bool, err error) {
	n, err := postgres.ExecCount(ctx, tx, "accounts.delete_passkey",
		`delete from passkeys where id = @id and user_id = @user`, pgx.NamedArgs{"id": id, "user": userID})
	return n > 0, err
}

// findPasskeyOwner returns the owner of a passkey, disabled or not.
func findPasskeyOwner(ctx context.Context, q postgres.Querier, credentialID []byte) (User, error) {
	return oneUser[User](ctx, q, "accounts.find_passkey_owner", `
		select `+userColumns+` from passkeys p join users u on u.id = p.user_id where p.credential_id = @credential`,
		pgx.NamedArgs{"credential": credentialID})
}
