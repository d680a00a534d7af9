package accounts

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
)

// SetLanguage sets the language of the user's notifications and emails. Code Invalid.
func (s *Service) SetLanguage(ctx context.Context, userID uuid.UUID, language string) (User, error) {
	if err := validateLanguage(language); err != nil {
		return User{}, err
	}
	return setLanguage(ctx, s.db, userID, language)
}

func validateLanguage(language string) error {
	if !slices.Contains([]string{catalog.English, catalog.Bangla}, language) {
		return fault.Field("language", "language_unknown", "Language must be en or bn.")
	}
	return nil
}

// SetMailNotices sets whether money notifications are also emailed. Emails about the account itself
// are always sent.
func (s *Service) SetMailNotices(ctx context.Context, userID uuid.UUID, enabled bool) (User, error) {
	return setMailNotices(ctx, s.db, userID, enabled)
}

// Unsubscribe turns off notification emails for the user whose emails carry the token. Anyone with
// the token may call it; it is idempotent. Code Invalid.
func (s *Service) Unsubscribe(ctx context.Context, token string) error {
	id, err := uuid.Parse(token)
	if err != nil {
		return errToken()
	}
	err = unsubscribe(ctx, s.db, id)
	if errors.Is(err, errNoToken) {
		return errToken()
	}
	return err
}
