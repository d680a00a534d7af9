package api

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/user"
	"amanat/internal/domain/notifications"
	"amanat/internal/lib/fault"
)

func (s *Server) registerNotifications() {
	const tag = "Notifications"
	register(s, endpoint{
		id: "notifications", method: http.MethodGet, path: "/notifications", tag: tag,
		summary: "What the user was notified of, newest first, in the user's language",
	}, s.listNotifications)
	register(s, endpoint{
		id: "notifications-unread", method: http.MethodGet, path: "/notifications/unread-status", tag: tag,
		summary: "Whether any notification is unread",
	}, s.notificationsUnread)
	register(s, endpoint{
		id: "notification-read", method: http.MethodPatch, path: "/notifications/{id}/read", tag: tag,
		summary: "Mark a notification as read",
	}, s.notificationRead)
	register(s, endpoint{
		id: "notifications-read", method: http.MethodPost, path: "/notifications/mark-all-as-read", tag: tag,
		summary: "Mark all notifications as read",
	}, s.notificationsRead)
	register(s, endpoint{
		id: "admin-notifications", method: http.MethodGet, path: "/admin/notifications", tag: adminTag, access: admin,
		summary: "What the admin was notified of as an admin, newest first",
	}, s.adminNotifications)
	s.registerPush()
}

// NotificationList is a page of notifications.
type NotificationList struct {
	Success       bool                         `json:"success" example:"true"`
	Notifications []notifications.Notification `json:"notifications"`
	Pages
}

func (s *Server) listNotifications(ctx context.Context, in *Paged) (*output[NotificationList], error) {
	slice, number, err := in.slice()
	if err != nil {
		return nil, err
	}
	list, total, err := s.notices.List(ctx, actor(ctx).ID, slice)
	return respond(NotificationList{true, list, pagesOf(number, slice.Limit, total)}), err
}

// UnreadStatus tells whether there are unread notifications.
type UnreadStatus struct {
	Success   bool `json:"success" example:"true"`
	HasUnread bool `json:"hasUnread" example:"true"`
}

func (s *Server) notificationsUnread(ctx context.Context, _ *struct{}) (*output[UnreadStatus], error) {
	unread, err := s.notices.HasUnread(ctx, actor(ctx).ID)
	return respond(UnreadStatus{true, unread}), err
}

// NotificationReadBody is the body that marks a notification.
type NotificationReadBody struct {
	IsRead *bool `json:"isRead,omitempty" doc:"true, which is also meant when it is left out." example:"true"`
}

// NotificationReadInput marks a notification.
type NotificationReadInput struct {
	IDPath
	Payload Payload[NotificationReadBody]
}

func (s *Server) notificationRead(ctx context.Context, in *NotificationReadInput) (*output[notifications.Notification], error) {
	found, err := s.notices.Get(ctx, actor(ctx).ID, pathID(ctx))
	if err != nil {
		return nil, err
	}
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	if body.IsRead != nil && !*body.IsRead {
		return nil, fault.Field("isRead", "not_read", "isRead must be true.")
	}
	found.IsRead = true
	return respond(found), s.notices.MarkRead(ctx, actor(ctx).ID, pathID(ctx))
}

func (s *Server) notificationsRead(ctx context.Context, _ *struct{}) (*output[UnreadStatus], error) {
	err := s.notices.MarkAllRead(ctx, actor(ctx).ID)
	return respond(UnreadStatus{true, false}), err
}

// AdminNotification is a notification to admins.
type AdminNotification struct {
	ID        uuid.UUID          `json:"_id"`
	Type      string             `json:"type" example:"deal_paid"`
	Message   string             `json:"message" example:"Done."`
	CreatedAt time.Time          `json:"createdAt"`
	User      Nullable[user.Ref] `json:"user" doc:"Whom it is about."`
	Link      string             `json:"link" example:"/deal/019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
	IsRead    bool               `json:"isRead" example:"true"`
}

func adminNotificationOf(n notifications.AdminNotice) AdminNotification {
	return AdminNotification{
		ID: n.ID, Type: n.Kind, Message: n.Message, CreatedAt: n.CreatedAt, User: orNull(n.User), Link: n.Link, IsRead: n.IsRead,
	}
}

type adminNotificationListOutput struct {
	Total
	Body []AdminNotification
}

func (s *Server) adminNotifications(ctx context.Context, in *Paged) (*adminNotificationListOutput, error) {
	slice, err := in.sliceOrFirst()
	if err != nil {
		return nil, err
	}
	list, total, err := s.notices.ListAdmin(ctx, actor(ctx).ID, slice)
	return &adminNotificationListOutput{Total: Total{total}, Body: mapped(list, adminNotificationOf)}, err
}

func (s *Server) registerPush() {
	const tag = "Notifications"
	register(s, endpoint{
		id: "notification-settings", method: http.MethodGet, path: "/notifications/settings", tag: tag,
		summary: "What the user chose to hear of and how, and the browsers that show notifications while no page is open",
	}, s.notificationSettings)
	register(s, endpoint{
		id: "save-notification-settings", method: http.MethodPut, path: "/notifications/settings", tag: tag,
		summary: "Choose what to hear of and how",
	}, s.saveNotificationSettings)
	register(s, endpoint{
		id: "push-subscribe", method: http.MethodPost, path: "/push/subscriptions", tag: tag, status: http.StatusCreated,
		summary: "Show notifications in this browser while no page is open, until its session ends; a browser that is known is renewed",
		rateLimits: []rateLimit{
			perUser("push-subscriptions", s.limits.PushSubscriptionLimit),
		},
		codes: []fault.Code{fault.Conflict},
	}, s.subscribePush)
	register(s, endpoint{
		id: "push-unsubscribe", method: http.MethodDelete, path: "/push/subscriptions/{id}", tag: tag,
		summary: "Show no more notifications in one of one's browsers",
	}, s.unsubscribePush)
	register(s, endpoint{
		id: "push-test", method: http.MethodPost, path: "/push/test", tag: tag,
		summary:    "Send a notification to each of one's browsers, to see that it arrives",
		rateLimits: []rateLimit{perUser("push-tests", s.limits.PushTestLimit)},
		codes:      []fault.Code{fault.Conflict},
	}, s.testPush)
}

// NotificationSettings are a user's notification preferences.
type NotificationSettings struct {
	Groups    []NotificationGroup  `json:"groups"`
	Quiet     Nullable[QuietHours] `json:"quiet" doc:"Pushes wait until they end, except of money and the account; null if there are none."`
	Details   bool                 `json:"details" doc:"Whether pushes show amounts and words of messages, also on a locked screen."`
	PublicKey *string              `json:"publicKey" doc:"With which browsers subscribe; null if there are no pushes." example:"BEl62iUYgUivxIkv69yViEuiBIa-Ib9-SkvMeAtA3LFgDzkrxZJjSgSnfckjBJuBkr3qBUYIHBQFLXYp5Nksh8U"`
	Devices   []PushDevice         `json:"devices" doc:"The browsers that show notifications, the newest first."`
}

// NotificationGroup is the channels of a group of kinds of notifications.
type NotificationGroup struct {
	Group      string `json:"group" enum:"deals,money,messages,reminders,account"`
	Mail       bool   `json:"mail"`
	Push       bool   `json:"push"`
	MailLocked bool   `json:"mailLocked" doc:"Whether the emails cannot be turned off."`
}

// QuietHours are hours of every day.
type QuietHours struct {
	From string `json:"from" doc:"HH:MM in Asia/Dhaka." example:"22:00"`
	To   string `json:"to" doc:"HH:MM in Asia/Dhaka; before from, it is on the next day." example:"07:00"`
}

// PushDevice is a browser that shows notifications while no page is open.
type PushDevice struct {
	ID         uuid.UUID  `json:"_id"`
	UserAgent  string     `json:"userAgent" example:"Mozilla/5.0 (Android 15; Mobile)"`
	CreatedAt  time.Time  `json:"createdAt"`
	LastUsedAt *time.Time `json:"lastUsedAt" doc:"When it was last sent one; null: never."`
	Current    bool       `json:"current" doc:"Whether it is the one that asks."`
}

func (s *Server) pushDeviceOf(ctx context.Context, d notifications.Device) PushDevice {
	return PushDevice{
		ID: d.ID, UserAgent: d.UserAgent, CreatedAt: d.CreatedAt, LastUsedAt: d.LastUsedAt,
		Current: d.SessionID == callOf(ctx).session.ID,
	}
}

func (s *Server) notificationSettings(ctx context.Context, _ *struct{}) (*output[NotificationSettings], error) {
	settings, err := s.notices.Settings(ctx, actor(ctx).ID)
	if err != nil {
		return nil, err
	}
	devices, err := s.notices.Devices(ctx, actor(ctx).ID)
	if err != nil {
		return nil, err
	}
	wire := NotificationSettings{
		Groups: mapped(settings.Groups, func(c notifications.Choice) NotificationGroup {
			return NotificationGroup{Group: string(c.Group), Mail: c.Mail, Push: c.Push, MailLocked: c.MailLocked()}
		}),
		Details: settings.Details,
		Devices: mapped(devices, func(d notifications.Device) PushDevice { return s.pushDeviceOf(ctx, d) }),
	}
	if settings.Quiet != nil {
		wire.Quiet = orNull(&QuietHours{From: settings.Quiet.From, To: settings.Quiet.To})
	}
	if s.pushKey != "" {
		wire.PublicKey = &s.pushKey
	}
	return respond(wire), nil
}

// NotificationSettingsBody is the body that saves the settings.
type NotificationSettingsBody struct {
	Groups  []NotificationGroupBody `json:"groups" doc:"Each group once."`
	Quiet   *QuietHours             `json:"quiet,omitempty" doc:"Left out: none."`
	Details bool                    `json:"details"`
}

// NotificationGroupBody is the choice for one group.
type NotificationGroupBody struct {
	Group string `json:"group" enum:"deals,money,messages,reminders,account"`
	Mail  bool   `json:"mail" doc:"Must be true for the account."`
	Push  bool   `json:"push"`
}

func (s *Server) saveNotificationSettings(
	ctx context.Context, in *struct {
		Payload Payload[NotificationSettingsBody]
	},
) (*output[NotificationSettings], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	chosen := notifications.Settings{
		Details: body.Details,
		Groups: mapped(body.Groups, func(g NotificationGroupBody) notifications.Choice {
			return notifications.Choice{Group: notifications.Group(g.Group), Mail: g.Mail, Push: g.Push}
		}),
	}
	if body.Quiet != nil {
		chosen.Quiet = &notifications.Quiet{From: body.Quiet.From, To: body.Quiet.To}
	}
	if err := s.notices.SaveSettings(ctx, actor(ctx).ID, chosen); err != nil {
		return nil, err
	}
	return s.notificationSettings(ctx, nil)
}

// PushSubscriptionBody is a subscription as the browser's Push API gives it.
type PushSubscriptionBody struct {
	Endpoint string               `json:"endpoint" example:"https://push.example.com/send/3fA9xQ"`
	Keys     PushSubscriptionKeys `json:"keys"`
}

// PushSubscriptionKeys encrypt what is sent to the browser.
type PushSubscriptionKeys struct {
	P256dh string `json:"p256dh" doc:"65 bytes in base64url without padding." example:"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"`
	Auth   string `json:"auth" doc:"16 bytes in base64url without padding." example:"BTBZMqHH6r4Tts7J_aSIgg"`
}

// PushSubscribed is the answer to a subscription.
type PushSubscribed struct {
	Device PushDevice `json:"device"`
}

func (s *Server) subscribePush(ctx context.Context, in *struct{ Payload Payload[PushSubscriptionBody] }) (*output[PushSubscribed], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	if s.pushKey == "" {
		return nil, fault.New(fault.Conflict, "push_off", "Notifications outside of the page are not set up here.")
	}
	c := callOf(ctx)
	device, err := s.notices.Subscribe(ctx, c.user.ID, notifications.Browser{SessionID: c.session.ID, UserAgent: c.client.UserAgent},
		notifications.Subscription{Endpoint: body.Endpoint, P256dh: body.Keys.P256dh, Auth: body.Keys.Auth})
	return respond(PushSubscribed{s.pushDeviceOf(ctx, device)}), err
}

func (s *Server) unsubscribePush(ctx context.Context, _ *IDPath) (*output[Message], error) {
	err := s.notices.RemoveDevice(ctx, actor(ctx).ID, pathID(ctx))
	return respond(Message{notifications.OutcomeDeviceRemoved}), err
}

func (s *Server) testPush(ctx context.Context, _ *struct{}) (*output[Message], error) {
	err := s.notices.TestPush(ctx, actor(ctx).ID)
	return respond(Message{notifications.OutcomeTestSent}), err
}
