// Package notifications tells people what happened: a row for the panel, an event for open screens, an e-mail where money moved.
package notifications

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/clock"
	"amanat/internal/mailer"
	"amanat/internal/operations"
	"amanat/internal/postgres"
	"amanat/internal/realtime"
	"amanat/internal/texts"
	"amanat/queue/jobs"
)

// Service writes notifications and mails them.
type Service struct {
	DB        postgres.DB
	Clock     clock.Clock
	Events    *realtime.Log
	Enqueuer  operations.Enqueuer
	Mail      mailer.Sender // only workers have one
	PublicURL string        // for links in mails, without a slash at the end
}

// Notification is a notification as its reader sees it, on the wire and in events.
type Notification struct {
	ID        uuid.UUID `json:"_id"`
	Kind      string    `json:"kind"`
	Message   string    `json:"message" doc:"In the reader's language."`
	Link      string    `json:"link" doc:"A path of the UI, empty when there is nothing to open."`
	IsRead    bool      `json:"isRead"`
	CreatedAt time.Time `json:"createdAt"`
}

// NotificationEvent is the event that a person's screens get of each new notification.
type NotificationEvent struct {
	Notification Notification `json:"notification"`
}

const (
	audienceUser  = "user"
	audienceAdmin = "admin"
)

// mailed lists the kinds that also go out as e-mail: those where money moved, or is about to.
var mailed = []texts.Kind{
	texts.DealPaid, texts.DealCompleted, texts.DealCancelAccepted, texts.DealUnanswered, texts.DealSellerCancelled, texts.DealBuyerLeft,
	texts.DealOverdue, texts.DealAdminCancelled, texts.DealAdminCompleted, texts.DealClockCompleted, texts.DealCancelAsked,
	texts.DealCompletesSoon, texts.DealRefundsSoon, texts.DealUnansweredSoon, texts.DepositApproved, texts.DepositChanged, texts.DepositRejected,
	texts.WithdrawalSent, texts.WithdrawalRejected,
}

// Notify tells one person, in the transaction of what happened. link is a path of the UI.
func (s *Service) Notify(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, kind texts.Kind, params texts.Params, link string) error {
	id, err := s.write(ctx, tx, row{UserID: userID, Audience: audienceUser, Kind: kind, Params: params, Link: link})
	if err != nil {
		return err
	}
	if !slices.Contains(mailed, kind) {
		return nil
	}
	if _, err := s.Enqueuer.InsertTx(ctx, tx, jobs.Mail{NotificationID: id}, nil); err != nil {
		return fmt.Errorf("enqueue mail: %w", err)
	}
	return nil
}

// NotifyAdmins tells every admin, each in the own language.
func (s *Service) NotifyAdmins(ctx context.Context, tx *postgres.Tx, notice jobs.AdminNotice) error {
	admins, err := adminIDs(ctx, tx)
	if err != nil {
		return err
	}
	for _, admin := range admins {
		r := row{
			UserID: admin, Audience: audienceAdmin, Kind: texts.Kind(notice.NoticeKind), Params: notice.Params, Link: notice.Link,
		}
		if notice.AboutID != uuid.Nil {
			r.AboutUserID = &notice.AboutID
		}
		if _, err := s.write(ctx, tx, r); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) write(ctx context.Context, tx *postgres.Tx, r row) (uuid.UUID, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return uuid.Nil, err
	}
	r.ID, r.CreatedAt = id, s.Clock.Now()
	language, err := insert(ctx, tx, r)
	if err != nil {
		return uuid.Nil, fmt.Errorf("notification %s: %w", r.Kind, err)
	}
	s.Events.Append(tx, r.UserID, realtime.TypeNotification, NotificationEvent{view(r, language)})
	return id, nil
}

func view(r row, language string) Notification {
	return Notification{
		ID: r.ID, Kind: string(r.Kind), Message: texts.Render(language, r.Kind, r.Params),
		Link: r.Link, IsRead: r.IsRead, CreatedAt: r.CreatedAt,
	}
}
