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
