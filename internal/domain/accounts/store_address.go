package accounts

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

const changeColumns = `c.id, c.user_id, c.old_email, c.new_email, c.old_verified, c.applied_at, c.ended_at`

func insertEmailChange(ctx context.Context, q postgres.Querier, c EmailChange, now time.Time) error {
	return postgres.Exec(ctx, q, "accounts.insert_email_change", `
		insert into email_changes (id, user_id, old_email, new_email, old_verified, requested_at)
		values (@id, @user, @old, @new, @verified, @now)`,
		pgx.NamedArgs{"id": c.ID, "user": c.UserID, "old": c.OldEmail, "new": c.NewEmail, "verified": c.OldVerified, "now": now})
}

func findEmailChange(ctx context.Context, q postgres.Querier, id uuid.UUID) (EmailChange, error) {
	return postgres.One[EmailChange](ctx, q, "accounts.find_email_change", `
		select `+changeColumns+` from email_changes c where c.id = @id`, pgx.NamedArgs{"id": id})
}

func findPendingEmail(ctx context.Context, q postgres.Querier, userID uuid.UUID) (*string, error) {
	email, found, err := postgres.Optional(postgres.Value[string](ctx, q, "accounts.find_pending_email", `
		select new_email from email_changes where user_id = @user and applied_at is null and ended_at is null`,
		pgx.NamedArgs{"user": userID}))
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
	return postgres.Value[bool](ctx, q, "accounts.email_taken", `
		select exists (select from users u where lower(u.email) = lower(@email) and u.id <> @user)
		    or exists (select from email_changes c where lower(c.old_email) = lower(@email) and c.user_id <> @user and `+sqlReserved+`)`,
		pgx.NamedArgs{"email": email, "user": userID, "undoable": now.Add(-undoTime)})
}

// setEmail gives the account an address that its owner has proved to read.
func setEmail(ctx context.Context, q postgres.Querier, userID uuid.UUID, email string, now time.Time) error {
	err := postgres.ExecOne(ctx, q, "accounts.set_email", `
		update users set email = @email, is_verified = true, email_changed_at = @now where id = @user`,
		pgx.NamedArgs{"user": userID, "email": email, "now": now})
	if postgres.UniqueViolation(err, "users_email_key") {
		return errEmailTaken()
	}
	return err
}

func setChangeApplied(ctx context.Context, q postgres.Querier, id uuid.UUID, now time.Time) error {
	return postgres.ExecOne(ctx, q, "accounts.set_change_applied",
		`update email_changes set applied_at = @now where id = @id`, pgx.NamedArgs{"id": id, "now": now})
}

// endPendingChange withdraws the user's pending change, if there is one.
func endPendingChange(ctx context.Context, q postgres.Querier, userID uuid.UUID, now time.Time) error {
	return postgres.Exec(ctx, q, "accounts.end_pending_change", `
		update email_changes set ended_at = @now where user_id = @user and applied_at is null and ended_at is null`,
		pgx.NamedArgs{"user": userID, "now": now})
}

// endChangesFrom ends a change and all later ones of its user.
func endChangesFrom(ctx context.Context, q postgres.Querier, c EmailChange, now time.Time) error {
	return postgres.Exec(ctx, q, "accounts.end_changes_from", `
		update email_changes set ended_at = @now
		 where user_id = @user and ended_at is null
		   and requested_at >= (select requested_at from email_changes where id = @id)`,
		pgx.NamedArgs{"user": c.UserID, "id": c.ID, "now": now})
}

func insertChangeToken(ctx context.Context, q postgres.Querier, c EmailChange, p purpose, token Token, now time.Time) error {
	return postgres.Exec(ctx, q, "accounts.insert_change_token", `
		insert into mailed_tokens (token_hash, user_id, email_change_id, purpose, created_at, expires_at)
		values (@hash, @user, @change, @purpose, @now, @expires)`,
		pgx.NamedArgs{
			"hash": token.hash(), "user": c.UserID, "change": c.ID, "purpose": string(p), "now": now, "expires": now.Add(p.life()),
		})
}

// findChangeOf returns the change of a usable token, or errNoToken.
func findChangeOf(ctx context.Context, q postgres.Querier, p purpose, token Token, now time.Time) (EmailChange, error) {
	change, err := postgres.One[EmailChange](ctx, q, "accounts.find_change_of", `
		select `+changeColumns+` from mailed_tokens t join email_changes c on c.id = t.email_change_id where `+usable,
		pgx.NamedArgs{"hash": token.hash(), "purpose": string(p), "now": now})
	return change, postgres.IfNoRows(err, errNoToken)
}

// useChangeTokens marks the token as used, and with it all others of its change for the same
// purpose. Of two concurrent uses one gets errNoToken.
func useChangeTokens(ctx context.Context, q postgres.Querier, changeID uuid.UUID, p purpose, token Token, now time.Time) error {
	args := pgx.NamedArgs{"hash": token.hash(), "change": changeID, "purpose": string(p), "now": now}
	n, err := postgres.ExecCount(ctx, q, "accounts.use_change_token",
		`update mailed_tokens t set used_at = @now where `+usable, args)
	if err != nil {
		return err
	}
	if n == 0 {
		return errNoToken
	}
	return postgres.Exec(ctx, q, "accounts.use_up_change_tokens", `
		update mailed_tokens set used_at = @now where email_change_id = @change and purpose = @purpose and used_at is null`, args)
}

// The tokens of the links are deleted first, when they expire.
const sqlDeleteEmailChanges = `
delete from email_changes c
 using (select id from email_changes
         where requested_at < @before and (applied_at is null or applied_at < @before)
           and not exists (select from mailed_tokens t where t.email_change_id = email_changes.id)
         order by requested_at limit @limit) old
 where c.id = old.id`

func deleteEmailChanges(ctx context.Context, q postgres.Querier, before time.Time) (int64, error) {
	return postgres.InBatches(ctx, q, "accounts.delete_email_changes", sqlDeleteEmailChanges, pgx.NamedArgs{"before": before}, deleteBatch)
}
