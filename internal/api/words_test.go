package api_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
)

// Direction controls are removed, and text of invisible characters only counts as empty.
func TestText_removes_invisible_characters(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.work()
	_, buyer, seller := f.market()
	const unseen = "\u200b\u2800\u202e\ufeff"

	deal := fields{
		"buyerId": buyer.user.ID, "sellerId": seller.user.ID, "price": 10, "deliveryDuration": 7, "description": unseen,
	}
	buyer.post("/deals/create", deal).refused(400, "invalid", "All fields are required.")
	deal["description"] = "Refund \u202e00.05$ ecirP"
	var made api.Deal
	buyer.post("/deals/create", deal).want(201).into(&made)
	require.Equal(t, "Refund 00.05$ ecirP", made.Description)

	post := fields{"title": unseen, "description": "A channel", "price": 5, "category": "Social Media Accounts", "subcategory": "YouTube"}
	seller.post("/posts", post).refused(400, "invalid", "Title is required.")
	buyer.post("/messages/send-or-start", fields{"receiverId": seller.user.ID, "text": "ক্\u200dষ\u202e"}).want(201)
	var talks []struct {
		ID          string `json:"_id"`
		LastMessage string
	}
	seller.get("/messages/conversations").want(200).into(&talks)
	require.Equal(t, "ক্\u200dষ", talks[0].LastMessage)
	buyer.post("/messages", fields{"conversationId": talks[0].ID, "text": unseen}).want(400)

	support := fields{"dealId": buyer.active(seller, 10).ID, "issueDescription": unseen}
	buyer.post("/deals/support", support).want(400)
	f.visitor().post("/contact", fields{"name": unseen, "email": "a@example.com", "message": "Hi"}).
		refused(400, "invalid", "Name is required.")
	f.visitor().post("/auth/bug-report", fields{"subject": "Broken", "description": unseen}).
		refused(400, "invalid", "Description is required.")
}
