package accounts

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/images"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

// Find returns the user with the username, ignoring case. Any visitor may call it. Code NotFound,
// also for a disabled account.
func (s *Service) Find(ctx context.Context, username string) (User, error) {
	user, err := findUser(ctx, s.db, normalUsername(username))
	return user, notFound(err)
}

// SetPicture replaces the user's profile picture with one sent as a data URL; "" removes it, and
// the current URL changes nothing. The old picture is released. Codes: those of
// images.Service.Read.
func (s *Service) SetPicture(ctx context.Context, user User, picture string) (User, error) {
	if picture == user.ProfilePic {
		return user, nil
	}
	if picture == "" {
		return s.changePicture(ctx, user.ID, func(*postgres.Tx) (string, error) { return "", nil })
	}
	read, err := s.images.Read(ctx, user.ID, picture)
	if err != nil {
		return User{}, fault.In("profilePic", err)
	}
	return s.changePicture(ctx, user.ID, func(tx *postgres.Tx) (string, error) {
		id, err := s.images.Save(ctx, tx, read, user.ID, nil)
		return images.URL(id), err
	})
}

func (s *Service) changePicture(ctx context.Context, userID uuid.UUID, save func(tx *postgres.Tx) (string, error)) (User, error) {
	var changed pictureChange
	err := postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		url, err := save(tx)
		if err != nil {
			return err
		}
		if changed, err = setPicture(ctx, tx, userID, url); err != nil {
			return err
		}
		if previous, had := images.ID(changed.Previous); had {
			return s.images.Release(ctx, tx, previous)
		}
		return nil
	})
	return changed.User, notFound(err)
}

// notFound turns errNoUser into a NotFound fault and returns other errors unchanged.
func notFound(err error) error {
	if errors.Is(err, errNoUser) {
		return fault.New(fault.NotFound, "user_not_found", "User not found")
	}
	return err
}

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

// maxAway is how far ahead a user may say that they are away.
const maxAway = 60 * 24 * time.Hour

// SetAway sets the last day on which the user is away, given as its start in Dhaka; nil: they are
// back. Code Invalid.
func (s *Service) SetAway(ctx context.Context, userID uuid.UUID, until *time.Time) (User, error) {
	now := s.clock.Now()
	if until != nil && (!until.After(now.Add(-24*time.Hour)) || until.After(now.Add(maxAway))) {
		return User{}, fault.Field("until", "away_out_of_range", "Choose a day from today to 60 days ahead.")
	}
	return setAway(ctx, s.db, userID, until)
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
