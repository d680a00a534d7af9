package accounts

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

// One statement reads one snapshot, in which all money of the user is somewhere.
const sqlObligations = `
select (select count(*) from deals
         where (buyer_id = u.id or seller_id = u.id) and removed_at is null and deal_is_open(status)) as open_deals,
       (select count(*) from deals
         where (buyer_id = u.id or seller_id = u.id) and removed_at is null and status = 'Pending') as pending_deals,
       (select count(*) from deposits where user_id = u.id and status = 'pending')
       + (select count(*) from withdrawals where user_id = u.id and status = 'pending') as pending_money,
       ledger.balance('wallet', u.id, 'USD')
       + coalesce((select sum(amount) from referral_rewards where referrer_id = u.id and credited_at is null), 0)::bigint as balance,
       u.is_admin
  from users u where u.id = @user`

func readObligations(ctx context.Context, q postgres.Querier, userID uuid.UUID) (Obligations, error) {
	return postgres.One[Obligations](ctx, q, "accounts.read_obligations", sqlObligations, pgx.NamedArgs{"user": userID})
}

func insertClosedAccount(ctx context.Context, q postgres.Querier, user User, now time.Time) error {
	return postgres.Exec(ctx, q, "accounts.insert_closed_account", `
		insert into closed_accounts (user_id, username, email, language, closed_at) values (@user, @username, @email, @language, @now)`,
		pgx.NamedArgs{"user": user.ID, "username": user.Username, "email": user.Email, "language": user.Language, "now": now})
}

// Usernames from before the rule on lookalikes may have the same skeleton.
const sqlRetireUsername = `
insert into retired_usernames (skeleton_hash, retired_at) values (@hash, @now) on conflict (skeleton_hash) do nothing`

func insertRetiredUsername(ctx context.Context, q postgres.Querier, hash []byte, now time.Time) error {
	return postgres.Exec(ctx, q, "accounts.retire_username", sqlRetireUsername, pgx.NamedArgs{"hash": hash, "now": now})
}

// setClosed closes an account and replaces what identifies its owner in its row. The worker, which
// erases the rest, replaces the columns that the api's login may not write.
func setClosed(ctx context.Context, tx *postgres.Tx, id uuid.UUID, pseudonym string, now time.Time) error {
	return postgres.ExecOne(ctx, tx, "accounts.set_closed", `
		update users
		   set closed_at = @now, disabled_at = @now, username = @pseudonym, email = @pseudonym || '@deleted.invalid',
		       mail_off = '{}', push_off = '{}', push_details = false, quiet_from = null, quiet_to = null,
		       profile_pic = '', language = 'en', mail_notices = false, password_hash = '', password_strong = false, is_verified = false,
		       password_reset_at = null, email_changed_at = null, second_factor_since = null, factor_added_at = null,
		       withdrawals_stopped_at = null
		 where id = @id`,
		pgx.NamedArgs{"id": id, "pseudonym": pseudonym, "now": now})
}

// deleteSecrets deletes what lets somebody sign in, and voids all mailed links. The sessions, to
// which the ceremonies of passkeys belong, are deleted by endAll.
func deleteSecrets(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, now time.Time) error {
	args := pgx.NamedArgs{"user": userID, "now": now}
	postgres.QueueExec(tx, "accounts.delete_passkeys_of", `delete from passkeys where user_id = @user`, args)
	postgres.QueueExec(tx, "accounts.delete_totp_of", `delete from totp_secrets where user_id = @user`, args)
	postgres.QueueExec(tx, "accounts.delete_codes_of", `delete from backup_codes where user_id = @user`, args)
	postgres.QueueExec(tx, "accounts.delete_logins_of", `delete from login_challenges where user_id = @user`, args)
	postgres.QueueExec(tx, "accounts.delete_browsers_of", `delete from known_browsers where user_id = @user`, args)
	postgres.QueueExec(tx, "accounts.void_tokens_of",
		`update mailed_tokens set used_at = @now where user_id = @user and used_at is null`, args)
	postgres.QueueExec(tx, "accounts.end_changes_of",
		`update email_changes set ended_at = @now where user_id = @user and ended_at is null`, args)
	return tx.Flush(ctx)
}

// closedAccount is what is known of a closed account for a day.
type closedAccount struct {
	UserID   uuid.UUID
	Username string
	Email    string
	Language string
}

func findClosedAccount(ctx context.Context, q postgres.Querier, userID uuid.UUID) (account closedAccount, found bool, err error) {
	return postgres.Optional(postgres.One[closedAccount](ctx, q, "accounts.find_closed_account",
		`select user_id, username, email, language from closed_accounts where user_id = @user`, pgx.NamedArgs{"user": userID}))
}

func isClosed(ctx context.Context, q postgres.Querier, userID uuid.UUID) (bool, error) {
	return postgres.Value[bool](ctx, q, "accounts.is_closed",
		`select exists (select from users where id = @user and closed_at is not null)`, pgx.NamedArgs{"user": userID})
}

const sqlDeleteClosedAccounts = `
delete from closed_accounts where user_id in (
  select c.user_id from closed_accounts c join users u on u.id = c.user_id
   where c.closed_at <= @before and u.erased_at is not null limit @limit)`

func deleteClosedAccounts(ctx context.Context, q postgres.Querier, before time.Time) (int64, error) {
	return postgres.InBatches(ctx, q, "accounts.delete_closed_accounts", sqlDeleteClosedAccounts, pgx.NamedArgs{"before": before}, deleteBatch)
}
