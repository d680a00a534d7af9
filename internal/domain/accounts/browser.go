package accounts

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/platform/postgres"
)

// BrowserLife is how long a browser stays known after the last login in it.
const BrowserLife = 365 * 24 * time.Hour

// maxBrowsers is how many browsers a person is known by; the ones used longest ago are forgotten.
const maxBrowsers = 20

// rememberBrowser makes the browser known to the user and returns the token that it keeps: the same where it is known already. Else a
// fresh one, so that a token which somebody else has put there is worth nothing; it takes the place of the old one for the other people
// who sign in there.
func (s *Service) rememberBrowser(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, browser Token) (Token, error) {
	now := s.sessionClock.Now()
	known, err := touchBrowser(ctx, tx, userID, browser, now)
	if err != nil || known {
		return browser, err
	}
	fresh := newToken()
	if err := replaceBrowser(ctx, tx, browser, fresh); err != nil {
		return "", err
	}
	if err := insertBrowser(ctx, tx, userID, fresh, now); err != nil {
		return "", err
	}
	return fresh, trimBrowsers(ctx, tx, userID)
}

// RemoveForgottenBrowsers deletes those in which nobody has signed in for BrowserLife and returns how many.
func (c *Cleaner) RemoveForgottenBrowsers(ctx context.Context) (int64, error) {
	return deleteBrowsersBefore(ctx, c.DB, c.SessionClock.Now().Add(-BrowserLife))
}
