package notifications

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/app/user"
	"amanat/internal/lib/postgres"
)

// AdminNotice is a notification to an admin, with the user it is about, if any.
type AdminNotice struct {
	Notification
	User *user.Ref
}

// List returns a page of a user's notifications, newest first and in the user's language, and their
// total number.
func (s *Service) List(ctx context.Context, reader uuid.UUID, page postgres.Page) ([]Notification, int, error) {
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

// ListAdmin returns a page of an admin's notifications for admins, newest first, and their total
// number. The caller has checked that the user is an admin.
func (s *Service) ListAdmin(ctx context.Context, admin uuid.UUID, page postgres.Page) ([]AdminNotice, int, error) {
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

// HasUnread reports whether a user has unread notifications.
func (s *Service) HasUnread(ctx context.Context, reader uuid.UUID) (bool, error) {
	return hasUnread(ctx, s.DB, reader)
}

// Get returns a notification to its reader. Code NotFound for other users.
func (s *Service) Get(ctx context.Context, reader, id uuid.UUID) (Notification, error) {
	found, err := get(ctx, s.DB, reader, id)
	return found.view(), err
}

// MarkRead marks one of the user's own notifications as read and ignores those of other users. It
// is idempotent.
func (s *Service) MarkRead(ctx context.Context, reader, id uuid.UUID) error {
	return markRead(ctx, s.DB, reader, id)
}

// MarkAllRead marks all notifications of a user as read.
func (s *Service) MarkAllRead(ctx context.Context, reader uuid.UUID) error {
	return markAllRead(ctx, s.DB, reader)
}
