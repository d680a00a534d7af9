package notifications

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/party"
)

// Page is a slice of a longer list.
type Page struct {
	Limit, Offset int
}

// AdminNotice is a notification to an admin, with the user it is about, if it is about one.
type AdminNotice struct {
	Notification
	User *party.Party
}

// List returns everything a user was notified of, newest first and in his language, and how much there is in all.
func (s *Service) List(ctx context.Context, reader uuid.UUID, page Page) ([]Notification, int, error) {
	rows, total, err := list(ctx, s.DB, reader, "", page)
	if err != nil {
		return nil, 0, err
	}
	shown := make([]Notification, len(rows))
	for i, r := range rows {
		shown[i] = r.view()
	}
	return shown, total, nil
}

// ListAdmin returns what an admin was notified of as an admin, newest first. The caller has checked that he is one.
func (s *Service) ListAdmin(ctx context.Context, admin uuid.UUID, page Page) ([]AdminNotice, int, error) {
	rows, total, err := list(ctx, s.DB, admin, audienceAdmin, page)
	if err != nil {
		return nil, 0, err
	}
	shown := make([]AdminNotice, len(rows))
	for i, r := range rows {
		shown[i] = AdminNotice{r.view(), r.about()}
	}
	return shown, total, nil
}

// HasUnread tells whether a user has notifications he has not read.
func (s *Service) HasUnread(ctx context.Context, reader uuid.UUID) (bool, error) {
	return hasUnread(ctx, s.DB, reader)
}

// Get returns a notification to its reader. Code NotFound for anybody else.
func (s *Service) Get(ctx context.Context, reader, id uuid.UUID) (Notification, error) {
	found, err := get(ctx, s.DB, reader, id)
	return found.view(), err
}

// MarkRead notes that a user has read one of his notifications; of anybody else's it changes nothing. It may be called again.
func (s *Service) MarkRead(ctx context.Context, reader, id uuid.UUID) error {
	return markRead(ctx, s.DB, reader, id)
}

// MarkAllRead notes that a user has read all there is.
func (s *Service) MarkAllRead(ctx context.Context, reader uuid.UUID) error {
	return markAllRead(ctx, s.DB, reader)
}
