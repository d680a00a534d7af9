// Package notifications notifies users of events: a row for the panel, an event for open screens,
// and an email where money moved or the deal waits for the user.
package notifications

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/mailer"
	"amanat/internal/lib/postgres"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// Service creates and reads notifications.
type Service struct {
	DB     postgres.DB
	Clock  clock.Clock
	Events *realtime.Log
}

// Mailer sends the emails of notifications. It is for workers.
type Mailer struct {
	DB        postgres.DB
	Clock     clock.Clock
	Mail      mailer.Sender
	PublicURL string // base of the links, without a trailing slash
	Senders   int    // emails that are sent side by side; at least 1
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
	catalog.DealOffered, catalog.DealOfferedToSeller, catalog.DealJoined, catalog.DealCounteroffer,
	catalog.DealCounterofferAccepted, catalog.DealDelivered, catalog.DealReset,
	catalog.DealCancelDeclined, catalog.DealSupportClosed, catalog.DealSupportDone, catalog.DealPaid,
	catalog.DealPaidUnaccepted, catalog.DealDeclinedPaid, catalog.DealSellerDisabled, catalog.DealSuspended,
	catalog.DealCompleted, catalog.DealCancelAccepted, catalog.DealUnanswered, catalog.DealSellerCancelled,
	catalog.DealBuyerLeft, catalog.DealOverdue, catalog.DealAdminCancelled, catalog.DealAdminCompleted,
	catalog.DealClockCompleted, catalog.DealCancelAsked, catalog.DealCompletesSoon, catalog.DealRefundsSoon,
	catalog.DealUnansweredSoon, catalog.DealDeclined, catalog.DealExpiresSoon, catalog.DealEscalatesSoon, catalog.DealExpiresNext,
	catalog.DealCompletesNext, catalog.DealRefundsNext, catalog.DealUnansweredNext, catalog.DealEscalatesNext,
	catalog.MessagesUnread, catalog.DepositApproved, catalog.DepositApprovedForDeal, catalog.DepositChanged, catalog.DepositRejected,
	catalog.DepositRecounted, catalog.DepositExpired, catalog.DepositNotFound, catalog.DepositOtherAmount,
	catalog.DepositUsedBefore, catalog.DepositOtherNumber, catalog.WithdrawalSent, catalog.WithdrawalSentBefore, catalog.WithdrawalRejected,
	catalog.WithdrawalConfirmed, catalog.WithdrawalCancelled, catalog.DealDisputed, catalog.DealDisputedAgain,
	catalog.DealDisputeReminder, catalog.DealDisputeAnswered, catalog.DealDisputeAsked, catalog.DealDisputeOffer,
	catalog.DealDisputeDecided, catalog.DealDecisionPutOff, catalog.DealDisputeAppealed, catalog.DealDisputeFinal, catalog.DealDisputeSettled,
	catalog.DealDisputeClosed, catalog.BalanceCredited, catalog.BalanceDebited, catalog.PaymentMade, catalog.ReleaseMade,
}

// receipts lists the kinds that tell users what they have done themselves, so that they learn of it
// if somebody else did. They are emailed, but stored as read, not pushed, and not announced to open
// pages.
var receipts = []catalog.Kind{catalog.PaymentMade, catalog.ReleaseMade}

// Notify notifies one user when the transaction of the event commits. link is a path of the UI.
func (s *Service) Notify(
	_ context.Context, tx *postgres.Tx, userID uuid.UUID, kind catalog.Kind, params catalog.Params, link string,
) error {
	return s.collect(tx, row{
		UserID: userID, Audience: audienceUser, Kind: kind, Params: params, Link: link, Mailed: slices.Contains(mailed, kind),
		IsRead: slices.Contains(receipts, kind),
	})
}

// UseLanguage tells the notifications of the transaction the language of a user, who has been read
// in it; "" means unknown. Notifications whose readers' languages are all known are written
// together with what else the transaction queues; else the languages are read first.
func (s *Service) UseLanguage(tx *postgres.Tx, userID uuid.UUID, language string) {
	if language != "" {
		batchOf(tx).languages[userID] = language
	}
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
		if err := s.collect(tx, r); err != nil {
			return err
		}
	}
	return nil
}

// batch collects a transaction's notifications. They are written before the commit, in one
// statement with the emails that are due for them.
type batch struct {
	rows      []row
	languages map[uuid.UUID]string // of users, as far as they are known
}

func batchOf(tx *postgres.Tx) *batch {
	return postgres.Local(tx, func() *batch { return &batch{languages: map[uuid.UUID]string{}} })
}

// complete reports whether the languages of all readers are known.
func (b *batch) complete() bool {
	return !slices.ContainsFunc(b.rows, func(r row) bool { return b.languages[r.UserID] == "" })
}

func (s *Service) collect(tx *postgres.Tx, r row) error {
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	r.ID, r.CreatedAt, r.Params = id, s.Clock.Now(), maps.Clone(r.Params) // the caller may go on to change the params
	if r.Params == nil {
		r.Params = catalog.Params{}
	}
	b := batchOf(tx)
	if len(b.rows) == 0 {
		tx.BeforeCommit(func(ctx context.Context) error { return s.flush(ctx, tx, b) })
	}
	b.rows = append(b.rows, r)
	return nil
}

// flush writes the collected notifications and appends their events in the order of the calls.
// Another hook may notify afterwards, which collects again.
func (s *Service) flush(ctx context.Context, tx *postgres.Tx, b *batch) error {
	queueInsert(tx, b.rows, b.languages)
	if !b.complete() {
		if err := tx.Flush(ctx); err != nil {
			return err
		}
	}
	for _, r := range b.rows {
		if r.IsRead { // a receipt
			continue
		}
		s.Events.Append(tx, r.UserID, realtime.TypeNotification, NotificationEvent{view(r, b.languages[r.UserID])})
	}
	b.rows = nil
	return nil
}

func view(r row, language string) Notification {
	return Notification{
		ID: r.ID, Kind: string(r.Kind), Message: catalog.Render(language, r.Kind, r.Params),
		Link: r.Link, IsRead: r.IsRead, CreatedAt: r.CreatedAt,
	}
}
