// Package notifications notifies users of events: a row for the panel, an event for open screens,
// and an email where money moved or the deal waits for the user.
package notifications

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
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

// mailed lists the kinds that are also emailed: those where money moved or is about to, those where
// the deal waits for the user, who may have closed the page, and what a saved search has found.
var mailed = []catalog.Kind{
	catalog.DealOffered, catalog.DealOfferedToSeller, catalog.DealJoined, catalog.DealCounteroffer,
	catalog.DealCounterofferAccepted, catalog.DealDelivered, catalog.DealShipped, catalog.DealReset,
	catalog.DealCancelDeclined, catalog.DealSupportClosed, catalog.DealSupportDone, catalog.DealPaid,
	catalog.DealPaidUnaccepted, catalog.DealDeclinedPaid, catalog.DealSellerDisabled, catalog.DealSuspended,
	catalog.DealCompleted, catalog.DealCancelAccepted, catalog.DealUnanswered, catalog.DealSellerCancelled,
	catalog.DealBuyerLeft, catalog.DealOverdue, catalog.DealAdminCancelled, catalog.DealAdminCompleted,
	catalog.DealClockCompleted, catalog.DealCancelAsked, catalog.DealCompletesSoon, catalog.DealRefundsSoon,
	catalog.DealUnansweredSoon, catalog.DealDeclined, catalog.DealExpiresSoon, catalog.DealEscalatesSoon, catalog.DealExpiresNext,
	catalog.DealCompletesNext, catalog.DealRefundsNext, catalog.DealUnansweredNext, catalog.DealEscalatesNext,
	catalog.MessagesUnread, catalog.DepositApproved, catalog.DepositApprovedForDeal, catalog.DepositChanged, catalog.DepositRejected,
	catalog.DepositRecounted, catalog.DepositPaidOther, catalog.DepositDealShort, catalog.DepositDealTerms, catalog.DepositDealLimit,
	catalog.DepositDealUnpaid, catalog.DepositExpired, catalog.DepositNotFound, catalog.DepositOtherAmount,
	catalog.DepositUsedBefore, catalog.DepositOtherNumber, catalog.WithdrawalSent, catalog.WithdrawalSentBefore, catalog.WithdrawalRejected,
	catalog.WithdrawalConfirmed, catalog.WithdrawalCancelled, catalog.DealDisputed, catalog.DealDisputedAgain,
	catalog.DealDisputeReminder, catalog.DealDisputeAnswered, catalog.DealDisputeAsked, catalog.DealDisputeOffer,
	catalog.DealDisputeDecided, catalog.DealDecisionPutOff, catalog.DealDisputeAppealed, catalog.DealDisputeFinal, catalog.DealDisputeSettled,
	catalog.DealDisputeClosed, catalog.BalanceCredited, catalog.BalanceDebited, catalog.PaymentMade, catalog.ReleaseMade,
	catalog.SavedSearchFound,
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
	admins, err := adminIDs.Many(ctx, tx, nil)
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
		shown[i] = AdminNotice{r.view(), r.About}
	}
	return shown, total, nil
}

// HasUnread reports whether a user has unread notifications.
func (s *Service) HasUnread(ctx context.Context, reader uuid.UUID) (bool, error) {
	return hasUnread.One(ctx, s.DB, postgres.Args{"user": reader})
}

// Get returns a notification to its reader. Code NotFound for other users.
func (s *Service) Get(ctx context.Context, reader, id uuid.UUID) (Notification, error) {
	found, err := get(ctx, s.DB, reader, id)
	return found.view(), err
}

// MarkRead marks one of the user's own notifications as read and ignores those of other users. It
// is idempotent.
func (s *Service) MarkRead(ctx context.Context, reader, id uuid.UUID) error {
	return markRead.Run(ctx, s.DB, postgres.Args{"user": reader, "id": id})
}

// MarkAllRead marks all notifications of a user as read.
func (s *Service) MarkAllRead(ctx context.Context, reader uuid.UUID) error {
	return markAllRead.Run(ctx, s.DB, postgres.Args{"user": reader})
}

// How long notifications are kept (docs/rules.md#notifications).
const (
	KeepRead   = 180 * 24 * time.Hour
	KeepUnread = 365 * 24 * time.Hour
	oldBatch   = 5_000
)

// RemoveOld deletes notifications that have been kept long enough, in batches that are transactions
// of their own, and returns their number. Workers call it; concurrent calls are safe.
func (s *Service) RemoveOld(ctx context.Context) (int64, error) {
	now := s.Clock.Now()
	read, err := deleteOld.DeleteOldest(ctx, s.DB, postgres.Args{"read": true, "before": now.Add(-KeepRead)}, oldBatch)
	if err != nil {
		return read, err
	}
	unread, err := deleteOld.DeleteOldest(ctx, s.DB, postgres.Args{"read": false, "before": now.Add(-KeepUnread)}, oldBatch)
	return read + unread, err
}

// Group is a group of kinds, for which users choose how they hear of them.
type Group string

// Groups of kinds (docs/rules.md#notices).
const (
	GroupDeals     Group = "deals"
	GroupMoney     Group = "money" // deposits, withdrawals and rewards
	GroupMessages  Group = "messages"
	GroupReminders Group = "reminders" // of what the system does with a deal soon
	GroupAccount   Group = "account"
)

// Groups returns the groups in the order in which they are shown.
func Groups() []Group {
	return []Group{GroupDeals, GroupMoney, GroupMessages, GroupReminders, GroupAccount}
}

// mailLocked reports whether users cannot turn off the emails of the group.
func (g Group) mailLocked() bool { return g == GroupAccount }

// urgent reports whether pushes of the group do not wait for the end of quiet hours.
func (g Group) urgent() bool { return g == GroupAccount || g == GroupMoney }

// lifetime returns how long a push of the group is worth being shown.
func (g Group) lifetime() time.Duration {
	if g == GroupReminders {
		return 3 * time.Hour // then the system acts, or has a newer reminder
	}
	return 24 * time.Hour
}

// members lists the kinds of each group but GroupDeals, which has the rest. Notices to admins have
// no group.
var members = map[Group][]catalog.Kind{
	GroupMoney: {
		catalog.ReferralCredited, catalog.DepositApproved, catalog.DepositApprovedForDeal, catalog.DepositChanged,
		catalog.DepositRejected, catalog.DepositRecounted, catalog.DepositPaidOther,
		catalog.DepositDealShort, catalog.DepositDealTerms, catalog.DepositDealLimit, catalog.DepositDealUnpaid,
		catalog.DepositExpired, catalog.DepositNotFound, catalog.DepositOtherAmount, catalog.DepositUsedBefore, catalog.DepositOtherNumber,
		catalog.WithdrawalSent, catalog.WithdrawalSentBefore, catalog.WithdrawalRejected, catalog.WithdrawalRequested,
		catalog.WithdrawalHeld, catalog.WithdrawalVerify, catalog.WithdrawalConfirmed, catalog.WithdrawalCancelled,
		catalog.BalanceCredited, catalog.BalanceDebited,
	},
	GroupReminders: {
		catalog.DealExpiresSoon, catalog.DealCompletesSoon, catalog.DealRefundsSoon, catalog.DealUnansweredSoon, catalog.DealEscalatesSoon,
		catalog.DealExpiresNext, catalog.DealCompletesNext, catalog.DealRefundsNext, catalog.DealUnansweredNext, catalog.DealEscalatesNext,
	},
	GroupMessages: {catalog.MessagesUnread},
	GroupAccount: {
		catalog.FactorOn, catalog.FactorOff, catalog.FactorReset, catalog.TOTPAdded, catalog.TOTPRemoved, catalog.PasskeyAdded,
		catalog.PasskeyRemoved, catalog.BackupCodesNew, catalog.BackupCodeUsed, catalog.EmailChanged, catalog.DataExportReady,
		catalog.DataExportFailed, catalog.ModerationWarned, catalog.ModerationHidden, catalog.ModerationUpheld,
		catalog.ModerationOverturned, catalog.ModerationSuspensionEnded, catalog.ReportActionTaken, catalog.ReportNoViolation,
		catalog.PaymentMade, catalog.ReleaseMade,
	},
}

// groupOf returns the group of a kind of notices to users.
func groupOf(kind catalog.Kind) Group {
	for group, kinds := range members {
		if slices.Contains(kinds, kind) {
			return group
		}
	}
	return GroupDeals
}

// Settings are a user's notification preferences.
type Settings struct {
	Groups  []Choice // one for each of Groups
	Quiet   *Quiet   // nil: none
	Details bool     // pushes show amounts and words of messages
}

// Choice is the channels of a group of kinds, besides the panel.
type Choice struct {
	Group      Group
	Mail, Push bool
}

// MailLocked reports whether the emails of the group cannot be turned off.
func (c Choice) MailLocked() bool { return c.Group.mailLocked() }

// Quiet are the hours of every day in which pushes wait, as HH:MM in Dhaka. With To before From
// they go past midnight.
type Quiet struct{ From, To string }

// Settings returns what the user has chosen.
func (s *Service) Settings(ctx context.Context, userID uuid.UUID) (Settings, error) {
	row, err := getSettings.One(ctx, s.DB, postgres.Args{"user": userID})
	return row.settings(), err
}

// SaveSettings replaces what the user has chosen. Pushes that wait for the end of the quiet hours
// are looked at again. Codes: Invalid with the first rule that fails.
func (s *Service) SaveSettings(ctx context.Context, userID uuid.UUID, chosen Settings) error {
	row, err := chosen.row()
	if err != nil {
		return err
	}
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		if err := setSettings(ctx, tx, userID, row); err != nil {
			return err
		}
		return wakePushes.Run(ctx, tx, postgres.Args{"user": userID})
	})
}

// row checks the settings.
func (c Settings) row() (settingsRow, error) {
	row := settingsRow{PushDetails: c.Details, MailOff: []string{}, PushOff: []string{}}
	var named []Group
	for _, choice := range c.Groups {
		named = append(named, choice.Group)
		switch {
		case !slices.Contains(Groups(), choice.Group):
			return row, fault.Field("groups", "notice_group_unknown", "There is no such group of notifications.")
		case choice.Group.mailLocked() && !choice.Mail:
			return row, fault.Field("groups", "notice_mail_locked", "Emails about your account cannot be turned off.")
		}
		if choice.Mail && !choice.Group.mailLocked() {
			row.MailNotices = true
		}
		if !choice.Mail {
			row.MailOff = append(row.MailOff, string(choice.Group))
		}
		if !choice.Push {
			row.PushOff = append(row.PushOff, string(choice.Group))
		}
	}
	slices.Sort(named)
	if len(named) != len(Groups()) || len(slices.Compact(named)) != len(Groups()) {
		return row, fault.Field("groups", "notice_groups_incomplete", "Choose for each group of notifications once.")
	}
	return row, c.Quiet.into(&row)
}

// into stores the quiet hours in a row.
func (q *Quiet) into(row *settingsRow) error {
	if q == nil {
		return nil
	}
	from, fromErr := minuteOf(q.From)
	to, toErr := minuteOf(q.To)
	switch {
	case fromErr != nil, toErr != nil:
		return fault.Field("quiet", "quiet_hours_malformed", "The quiet hours must be two times of a day, as in 22:00 and 07:00.")
	case from == to:
		return fault.Field("quiet", "quiet_hours_equal", "The quiet hours must end at another time than they begin.")
	}
	row.QuietFrom, row.QuietTo = &from, &to
	return nil
}

// minuteOf parses a time of a day, in minutes since midnight.
func minuteOf(text string) (int, error) {
	at, err := time.Parse("15:04", text)
	if err != nil || len(text) != len("15:04") {
		return 0, fmt.Errorf("%q is no time of a day", text)
	}
	return at.Hour()*60 + at.Minute(), nil
}

// settings returns the settings of a row. An unsubscribed user gets no emails of any group that can
// be turned off.
func (r settingsRow) settings() Settings {
	s := Settings{Details: r.PushDetails}
	for _, group := range Groups() {
		s.Groups = append(s.Groups, Choice{Group: group, Mail: r.mails(group), Push: r.pushes(group)})
	}
	if r.QuietFrom != nil && r.QuietTo != nil {
		s.Quiet = &Quiet{From: textOfMinute(*r.QuietFrom), To: textOfMinute(*r.QuietTo)}
	}
	return s
}

func textOfMinute(minute int) string { return fmt.Sprintf("%02d:%02d", minute/60, minute%60) }

func (r settingsRow) mails(group Group) bool {
	return group.mailLocked() || r.MailNotices && !slices.Contains(r.MailOff, string(group))
}

func (r settingsRow) pushes(group Group) bool { return !slices.Contains(r.PushOff, string(group)) }

// quietFor returns how long the quiet hours still last; 0 if they do not last at this time.
func (r settingsRow) quietFor(now time.Time) time.Duration {
	if r.QuietFrom == nil || r.QuietTo == nil {
		return 0
	}
	local := now.In(clock.Dhaka)
	midnight := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, clock.Dhaka)
	from, to := time.Duration(*r.QuietFrom)*time.Minute, time.Duration(*r.QuietTo)*time.Minute
	const day = 24 * time.Hour
	since := (local.Sub(midnight) - from + day) % day // of their last beginning
	if length := (to - from + day) % day; since < length {
		return length - since
	}
	return 0
}
