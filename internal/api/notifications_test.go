package api_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/domain/notifications"
)

func (b *browser) notifications(query string) (list api.NotificationList) {
	b.t.Helper()
	b.get("/notifications" + query).want(200).into(&list)
	require.True(b.t, list.Success)
	return list
}

func (b *browser) requireUnread(unread bool) {
	b.t.Helper()
	wanted, err := json.Marshal(map[string]bool{"success": true, "hasUnread": unread})
	require.NoError(b.t, err)
	require.JSONEq(b.t, string(wanted), string(b.get("/notifications/unread-status").want(200).body))
}

func TestNotifications(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	buyer, seller, stranger := f.member("buyer"), f.member("seller"), f.member("stranger")
	require.JSONEq(t, `{"success": true, "notifications": [], "page": 1, "pages": 0, "total": 0}`,
		string(seller.get("/notifications").want(200).body))
	seller.requireUnread(false)
	var deals []api.DealDetail
	for i := range 12 {
		deals = append(deals, buyer.proposeToBuyer(seller, float64(i+1)))
	}
	seller.requireUnread(true)
	buyer.requireUnread(false)

	list := seller.notifications("")
	require.Equal(t, api.Pages{Page: 1, Pages: 2, Total: 12}, list.Pages)
	require.Len(t, list.Notifications, 10)
	newest := list.Notifications[0]
	require.Equal(t, "buyer offers you a deal of $12.00.", newest.Message)
	require.Equal(t, "deal_offered", newest.Kind)
	require.Equal(t, "/deal/"+deals[11].ID.String(), newest.Link)
	require.False(t, newest.IsRead)
	last := seller.notifications("?page=4&limit=3").Notifications
	require.Equal(t, "buyer offers you a deal of $1.00.", last[2].Message)
	seller.get("/notifications?page=x").refused(400, "invalid", "page must be a whole number from 1.")

	// Every notification is sent as an event with the same content.
	require.Len(t, seller.events("newDepositNotification"), 12)
	var event struct{ Notification notifications.Notification }
	seller.lastEvent("newDepositNotification", &event)
	require.Equal(t, newest, event.Notification)

	path := "/notifications/" + newest.ID.String() + "/read"
	stranger.do(http.MethodPatch, path, "{").refused(404, "not_found", "Notification not found.")
	seller.do(http.MethodPatch, path, "{").refused(400, "invalid", "The request body is not valid JSON.")
	seller.do(http.MethodPatch, path, fields{"isRead": false}).refused(400, "invalid", "isRead must be true.")
	for range 2 {
		var read notifications.Notification
		seller.do(http.MethodPatch, path, fields{"isRead": true}).want(200).into(&read)
		newest.IsRead = true
		require.Equal(t, newest, read)
	}
	require.True(t, seller.notifications("").Notifications[0].IsRead)
	seller.requireUnread(true)
	require.JSONEq(t, `{"success": true, "hasUnread": false}`, string(seller.post("/notifications/mark-all-as-read", nil).want(200).body))
	seller.requireUnread(false)
	for _, n := range seller.notifications("?limit=100").Notifications {
		require.True(t, n.IsRead)
	}
}

func TestNotifications_language(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	buyer, seller := f.member("buyer"), f.member("seller")
	buyer.proposeToBuyer(seller, 480)
	_, err := f.owner.Exec(t.Context(), "update users set language = 'bn' where id = $1", seller.user.ID)
	require.NoError(t, err)
	require.Equal(t, "buyer আপনাকে $৪৮০.০০-এর একটি ডিল প্রস্তাব করেছেন।", seller.notifications("").Notifications[0].Message,
		"also what was written before the language changed")
}

func TestAdminNotifications(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.work()
	boss, buyer := f.admin("boss"), f.member("buyer")
	boss.setRate(120)
	require.JSONEq(t, `[]`, string(boss.get("/admin/notifications").want(200).body))
	for range 2 {
		buyer.post("/auth/deposit", fields{"amount": 25, "transactionId": transactionID(), "paymentMethod": "Bkash"}).want(201)
	}
	var list []api.AdminNotification
	require.Eventually(t, func() bool {
		boss.get("/admin/notifications").want(200).into(&list)
		return len(list) == 2
	}, 10*time.Second, 20*time.Millisecond)
	var wire []struct {
		ID            uuid.UUID `json:"_id"`
		Type, Message string
		User          struct{ Username string }
		Link          string
		CreatedAt     time.Time
	}
	page := boss.get("/admin/notifications?page=2&limit=1").want(200)
	require.Equal(t, "2", page.header.Get("X-Total-Count"))
	page.into(&wire)
	require.Len(t, wire, 1)
	require.Equal(t, "admin_deposit", wire[0].Type)
	require.Contains(t, wire[0].Message, "buyer reports a deposit of $25.00 with bKash")
	require.Equal(t, "buyer", wire[0].User.Username)
	require.Equal(t, "/admin/deposit", wire[0].Link)
	require.Equal(t, list[1].ID, wire[0].ID, "newest first")
	require.Len(t, boss.notifications("").Notifications, 2, "the panel shows them too: the dot tells of both")
	boss.requireUnread(true)
	buyer.get("/admin/notifications").refused(403, "forbidden", "Only admins may do this.")
}
