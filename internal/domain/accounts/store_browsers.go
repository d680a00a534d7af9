package accounts

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

// touchBrowser records a login in the browser; it returns false if the browser is not known to the
// user.
func touchBrowser(ctx context.Context, q postgres.Querier, userID uuid.UUID, browser Token, now time.Time) (bool, error) {
	n, err := postgres.ExecCount(ctx, q, "accounts.touch_browser",
		`update known_browsers set last_login_at = @now where token_hash = @hash and user_id = @user`,
		pgx.NamedArgs{"hash": browser.hash(), "user": userID, "now": now})
	return n > 0, err
}

func replaceBrowser(ctx context.Context, q postgres.Querier, old, fresh Token) error {
	return postgres.Exec(ctx, q, "accounts.replace_browser", `update known_browsers set token_hash = @fresh where token_hash = @old`,
		pgx.NamedArgs{"old": old.hash(), "fresh": fresh.hash()})
}

func insertBrowser(ctx context.Context, q postgres.Querier, userID uuid.UUID, browser Token, atSignup bool, now time.Time) error {
	return postgres.Exec(ctx, q, "accounts.insert_browser", `
		insert into known_browsers (token_hash, user_id, at_signup, created_at, last_login_at) values (@hash, @user, @at_signup, @now, @now)`,
		pgx.NamedArgs{"hash": browser.hash(), "user": userID, "at_signup": atSignup, "now": now})
}

func trimBrowsers(ctx context.Context, q postgres.Querier, userID uuid.UUID) error {
	return postgres.Exec(ctx, q, "accounts.trim_browsers", `
		delete from known_browsers
		 where user_id = @user
		   and token_hash not in (select b.token_hash from known_browsers b where b.user_id = @user order by b.last_login_at desc limit @most)`,
		pgx.NamedArgs{"user": userID, "most": maxBrowsers})
}

// deleteBrowsers deletes all known browsers of the user except one.
func deleteBrowsers(ctx context.Context, q postgres.Querier, userID uuid.UUID, except Token) error {
	return postgres.Exec(ctx, q, "accounts.delete_browsers", `delete from known_browsers where user_id = @user and token_hash <> @but`,
		pgx.NamedArgs{"user": userID, "but": except.hash()})
}

const sqlDeleteBrowsersBefore = `
delete from known_browsers b
 using (select token_hash, user_id from known_browsers where last_login_at <= @before order by last_login_at limit @limit) old
 where b.token_hash = old.token_hash and b.user_id = old.user_id and b.last_login_at <= @before`

func deleteBrowsersBefore(ctx context.Context, q postgres.Querier, before time.Time) (int64, error) {
	return postgres.InBatches(ctx, q, "accounts.delete_browsers_before", sqlDeleteBrowsersBefore, pgx.NamedArgs{"before": before}, deleteBatch)
}
