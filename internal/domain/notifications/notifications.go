// Package notifications notifies users of events: a row for the panel, an event for open screens,
// and an email where money moved or the deal waits for the user.
package notifications

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/platform/catalog"
	"amanat/internal/platform/clock"
	"amanat/internal/platform/mailer"
	"amanat/internal/platform/postgres"
	"amanat/internal/queue/jobs"
	"amanat/internal/realtime"
)

// Service creates and reads notifications.
type Service struct {
	DB       postgres.DB
	Clock    clock.Clock
	Events   *realtime.Log
	Enqueuer jobs.Enqueuer
}

// Mailer sends the emails of notifications. It is for workers.
type Mailer struct {
	DB        postgres.DB
	Clock     clock.Clock
	Mail      mailer.Sender
	PublicURL string // base of the links, without a trailing slash
}

// Notification is a notification as its reader sees it, on the wire and in events.
type Notification struct {
	ID        uuid.UUID `json:"_id"`
	Kind      string    `json:"kind" example:"deal_paid"`
	Message   string    `json:"message" doc:"In the reader's language." example:"Done."`
	Link      string    `json:"link" doc:"A path of the UI, empty when there is nothing to open." example:"/deal/019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
	IsRead    bool      `json:"isRead" example:"true"`
	CreatedAt time.Time `json:"createdAt"`
}

// NotificationEvent is the event that a user's screens receive for each new notification.
type NotificationEvent struct {
	Notification Notification `json:"notification"`
}

const (
	audienceUser  = "user"
	audienceAdmin = "admin"
)

// mailed lists the kinds that are also emailed: those where money moved or is about to, and those
// where the deal waits for the user, who may have closed the page.
var mailed = []catalog.Kind{
	catalog.DealOffered, catalog.DealOfferedToSeller, catalog.DealDelivered, catalog.DealReset,
	catalog.DealCancelDeclined, catalog.DealSupportClosed, catalog.DealSupportDone, catalog.DealPaid,
	catalog.DealPaidUnaccepted, catalog.DealDeclinedPaid, catalog.DealSellerDisabled, catalog.DealSuspended,
	catalog.DealCompleted, catalog.DealCancelAccepted, catalog.DealUnanswered, catalog.DealSellerCancelled,
	catalog.DealBuyerLeft, catalog.DealOverdue, catalog.DealAdminCancelled, catalog.DealAdminCompleted,
	catalog.DealClockCompleted, catalog.DealCancelAsked, catalog.DealCompletesSoon, catalog.DealRefundsSoon,
	catalog.DealUnansweredSoon, catalog.DepositApproved, catalog.DepositChanged, catalog.DepositRejected,
	catalog.DepositRecounted, catalog.DepositExpired, catalog.WithdrawalSent, catalog.WithdrawalRejected,
	catalog.WithdrawalConfirmed, catalog.WithdrawalCancelled,
}

// Notify notifies one user in the transaction of the event. link is a path of the UI.
func (s *Service) Notify(
	ctx context.Context, tx *postgres.Tx, userID uuid.UUID, kind catalog.Kind, params catalog.Params, link string,
) error {
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

// NotifyAdmins notifies every admin except notice.ExceptID, in the admin's language.
func (s *Service) NotifyAdmins(ctx context.Context, tx *postgres.Tx, notice jobs.AdminNotice) error {
	admins, err := adminIDs(ctx, tx)
	if err != nil {
		return err
	}
	for _, admin := range admins {
		if notice.ExceptID != nil && admin == *notice.ExceptID {
			continue
		}
		r := row{
			UserID: admin, Audience: audienceAdmin, Kind: catalog.Kind(notice.NoticeKind), Params: notice.Params, Link: notice.Link,
			AboutUserID: notice.AboutID,
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
		return uuid.UUID{}, err
	}
	r.ID, r.CreatedAt = id, s.Clock.Now()
	language, err := insert(ctx, tx, r)
	if err != nil {
		return uuid.UUID{}, fmt.Errorf("notification %s: %w", r.Kind, err)
	}
	s.Events.Append(tx, r.UserID, realtime.TypeNotification, NotificationEvent{view(r, language)})
	return id, nil
}

func view(r row, language string) Notification {
	return Notification{
		ID: r.ID, Kind: string(r.Kind), Message: catalog.Render(language, r.Kind, r.Params),
		Link: r.Link, IsRead: r.IsRead, CreatedAt: r.CreatedAt,
	}
}
