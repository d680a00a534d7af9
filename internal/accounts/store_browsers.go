package accounts

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/postgres"
)

// touchBrowser tells whether the user knows the browser, and notes that he has signed in there.
func touchBrowser(ctx context.Context, q postgres.Querier, userID uuid.UUID, browser Token, now time.Time) (bool, error) {
	tag, err := q.Exec(ctx, `update known_browsers set last_login_at = @now where token_hash = @hash and user_id = @user`,
		pgx.NamedArgs{"hash": browser.hash(), "user": userID, "now": now})
	if err != nil {
		return false, fmt.Errorf("touch browser: %w", err)
	}
	return tag.RowsAffected() > 0, nil
}

func replaceBrowser(ctx context.Context, q postgres.Querier, old, fresh Token) error {
	_, err := q.Exec(ctx, `update known_browsers set token_hash = @fresh where token_hash = @old`,
		pgx.NamedArgs{"old": old.hash(), "fresh": fresh.hash()})
	if err != nil {
		return fmt.Errorf("replace browser: %w", err)
	}
	return nil
}

func insertBrowser(ctx context.Context, q postgres.Querier, userID uuid.UUID, browser Token, now time.Time) error {
	_, err := q.Exec(ctx, `
		insert into known_browsers (token_hash, user_id, created_at, last_login_at) values (@hash, @user, @now, @now)`,
		pgx.NamedArgs{"hash": browser.hash(), "user": userID, "now": now})
	if err != nil {
		return fmt.Errorf("insert browser: %w", err)
	}
	return nil
}

func trimBrowsers(ctx context.Context, q postgres.Querier, userID uuid.UUID) error {
	_, err := q.Exec(ctx, `
		delete from known_browsers
		 where user_id = @user
		   and token_hash not in (select b.token_hash from known_browsers b where b.user_id = @user order by b.last_login_at desc limit @most)`,
		pgx.NamedArgs{"user": userID, "most": maxBrowsers})
	if err != nil {
		return fmt.Errorf("trim browsers: %w", err)
	}
	return nil
}

// deleteBrowsers forgets all browsers of the user but one.
func deleteBrowsers(ctx context.Context, q postgres.Querier, userID uuid.UUID, but Token) error {
	_, err := q.Exec(ctx, `delete from known_browsers where user_id = @user and token_hash <> @but`,
		pgx.NamedArgs{"user": userID, "but": but.hash()})
	if err != nil {
		return fmt.Errorf("delete browsers: %w", err)
	}
	return nil
}

const sqlDeleteBrowsersBefore = `
delete from known_browsers b
 using (select token_hash, user_id from known_browsers where last_login_at <= @before order by last_login_at limit @limit) old
 where b.token_hash = old.token_hash and b.user_id = old.user_id and b.last_login_at <= @before`

func deleteBrowsersBefore(ctx context.Context, q postgres.Querier, before time.Time) (int64, error) {
	n, err := postgres.InBatches(ctx, q, sqlDeleteBrowsersBefore, pgx.NamedArgs{"before": before}, deleteBatch)
	if err != nil {
		return n, fmt.Errorf("delete forgotten browsers: %w", err)
	}
	return n, nil
}
