package accounts

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/postgres"
)

// BrowserLife is how long a browser stays known after the last login in it.
const BrowserLife = 365 * 24 * time.Hour

// maxBrowsers is how many known browsers a user may have; beyond that, the least recently used are
// forgotten.
const maxBrowsers = 20

// rememberBrowser records the browser as known to the user and returns the token it keeps: the same
// token if it is known already, otherwise a fresh one, so that a token planted by an attacker is
// worthless. atSignup says that the account is being opened in it. The fresh token replaces the old
// one for all other users who sign in there.
func (s *Service) rememberBrowser(
	ctx context.Context, tx *postgres.Tx, userID uuid.UUID, browser Token, atSignup bool,
) (Token, error) {
	now := s.sessionClock.Now()
	known, err := touchBrowser(ctx, tx, userID, browser, now)
	if err != nil || known {
		return browser, err
	}
	fresh := newToken()
	if err := replaceBrowser(ctx, tx, browser, fresh); err != nil {
		return "", err
	}
	if err := insertBrowser(ctx, tx, userID, fresh, atSignup, now); err != nil {
		return "", err
	}
	return fresh, trimBrowsers(ctx, tx, userID)
}

// RemoveForgottenBrowsers deletes browsers without a login for BrowserLife and returns how many.
func (c *Cleaner) RemoveForgottenBrowsers(ctx context.Context) (int64, error) {
	return deleteBrowsersBefore(ctx, c.DB, c.SessionClock.Now().Add(-BrowserLife))
}
