package api_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
)

const supportSent = "Your request has been sent to our support."

func (b *browser) support(deal api.DealDetail, issue string) reply {
	b.t.Helper()
	return b.post("/deals/support", fields{
		"dealId": deal.ID, "issueDescription": issue, "userId": uuid.New(), "username": "somebody else",
	})
}

type supportRequest struct {
	ID                         uuid.UUID `json:"_id"`
	UserID, DealID             uuid.UUID
	Username, IssueDescription string
	DealDescription            string
	User                       struct{ Username string }
	CreatedAt                  time.Time
	ClosedAt                   *time.Time
	ClosedBy                   *struct{ Username string }
	Answer                     string
}

func (b *browser) supportRequests() (list []supportRequest) {
	b.t.Helper()
	b.get("/admin/support-request").want(200).into(&list)
	return list
}

// answered is the body with which an admin closes a support request.
var answered = map[string]string{"answer": "The seller shows you how."}

func closeSupport(r supportRequest) string {
	return "/admin/support-request/" + r.ID.String() + "/close"
}

func TestSupport_freezes_deal(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.active(seller, 100)
	delivered := seller.acts("deliver", deal, "Seller has delivered the deal", "Delivered").Deal
	due := *delivered.NextActionAt

	require.JSONEq(t, `{"message": "`+supportSent+`", "outcome": "support_requested"}`,
		string(buyer.support(deal, " It does not open. ").want(201).body))
	buyer.support(deal, "Hello?").refused(409, "conflict", "Your last request for this deal is still open. We will answer it.")
	for _, b := range []*browser{buyer, seller, boss} {
		frozen := b.see(deal)
		require.True(t, frozen.Frozen)
		require.Nil(t, frozen.NextActionAt)
		require.Equal(t, "complete", string(*frozen.NextAction), "what waits is still told")
	}

	requests := boss.supportRequests()
	require.Len(t, requests, 1)
	request := requests[0]
	require.Equal(t, []string{"buyer", "buyer", "It does not open."},
		[]string{request.Username, request.User.Username, request.IssueDescription})
	require.Equal(t, []uuid.UUID{buyer.user.ID, deal.ID}, []uuid.UUID{request.UserID, request.DealID}, "not what the client said")
	require.Equal(t, deal.Description, request.DealDescription)
	require.Nil(t, request.ClosedAt)
	require.Nil(t, request.ClosedBy)

	const stood = 10 * time.Hour
	f.later(stood, boss, buyer)
	boss.post(closeSupport(request), nil).refused(400, "invalid", "Write an answer. Both parties will read it.")
	boss.post(closeSupport(request), map[string]string{"answer": strings.Repeat("ক", 2001)}).
		refused(400, "invalid", "The answer must be at most 2,000 characters.")
	require.JSONEq(t, `{"message": "Support request closed", "outcome": "support_closed"}`,
		string(boss.post(closeSupport(request), answered).want(200).body))
	thawed := buyer.see(deal)
	require.False(t, thawed.Frozen)
	require.WithinDuration(t, due.Add(stood), *thawed.NextActionAt, time.Minute, "later by the time it stood still")
	require.Equal(t, "already_handled", decodeFailure(t, boss.post(closeSupport(request), answered).want(409)).Code)
	request = boss.supportRequests()[0]
	require.NotNil(t, request.ClosedAt)
	require.Equal(t, "boss", request.ClosedBy.Username)
	require.Equal(t, answered["answer"], request.Answer)
	require.Equal(t, request.ID.String(), f.audited("support.close", boss, deal)["request"])
	buyer.acts("complete", deal, "Deal marked as completed", "Completed")
}

func TestCloseSupport_leaves_a_day(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.active(seller, 100)
	seller.acts("deliver", deal, "Seller has delivered the deal", "Delivered")
	f.later(3*day-time.Hour, boss, buyer, seller)
	buyer.support(deal, "Wait.").want(201)
	seller.support(deal, "I wait.").want(201)
	f.later(2*time.Hour, boss, buyer)
	for _, request := range boss.supportRequests() {
		require.True(t, buyer.see(deal).Frozen, "until the last one is closed")
		boss.post(closeSupport(request), answered).want(200)
	}
	thawed := buyer.see(deal)
	require.False(t, thawed.Frozen)
	require.WithinDuration(t, f.clock.Now().Add(day), *thawed.NextActionAt, time.Minute)
}

func TestCancel_frozen_deal(t *testing.T) {
	t.Parallel()
	_, boss, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.active(seller, 100)
	seller.support(deal, "He is silent.").want(201)
	require.Eventually(t, func() bool {
		var told []struct{ User struct{ Username string } }
		boss.get("/admin/notifications?limit=1").want(200).into(&told)
		return len(told) == 1 && told[0].User.Username == "seller"
	}, 10*time.Second, 20*time.Millisecond, "admins are told who asks")
	cancelled := seller.acts("cancel", deal, "Deal cancelled and buyer refunded", "Cancelled by Seller").Deal
	require.False(t, cancelled.Frozen)
	buyer.requireWallet("500.00", "0.00", "0.00")
}

func TestSupport(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.propose(seller, 100)
	for _, body := range []any{
		fields{},
		fields{"dealId": "x"},
		fields{"dealId": uuid.NewString()},
		fields{"dealId": deal.ID, "issueDescription": ""},
	} {
		f.member("stranger"+transactionID()).post("/deals/support", body).refused(404, "not_found", "Deal not found.")
	}
	for issue, message := range map[string]string{
		"": "Please describe the issue.", "  ": "Please describe the issue.",
		strings.Repeat("x", 5001): "The description must be at most 5,000 characters.",
	} {
		failure := buyer.support(deal, issue).refused(400, "invalid", message)
		require.Contains(t, failure.Fields, "issueDescription")
	}
	require.JSONEq(t, `[]`, string(boss.get("/admin/support-request").want(200).body))

	key := []string{"Idempotency-Key", "help"}
	body := fields{"dealId": deal.ID, "issueDescription": "He wants another price."}
	first := buyer.post("/deals/support", body, key...).want(201)
	require.JSONEq(t, string(first.body), string(buyer.post("/deals/support", body, key...).want(201).body), "a retry, not another request")
	require.False(t, buyer.see(deal).Frozen, "an unpaid deal still expires")
	seller.support(deal, "He knows it.").want(201)

	buyer.get("/admin/support-request").refused(403, "forbidden", "Only admins may do this.")
	page := boss.get("/admin/support-request?page=2&limit=1").want(200)
	require.Equal(t, "2", page.header.Get("X-Total-Count"))
	var list []supportRequest
	page.into(&list)
	require.Len(t, list, 1)
	require.Equal(t, "seller", list[0].Username, "oldest first")
	buyer.post(closeSupport(list[0]), answered).refused(403, "forbidden", "Only admins may do this.")
	for _, b := range []*browser{boss, buyer} {
		b.post(closeSupport(supportRequest{ID: uuid.New()}), answered).refused(404, "not_found", "Support request not found.")
	}
	boss.post(closeSupport(list[0]), answered).want(200)
	boss.get("/admin/support-request").want(200).into(&list)
	require.Equal(t, []string{"buyer", "seller"}, []string{list[0].Username, list[1].Username}, "open ones first")
	open := boss.get("/admin/support-request?open=true").want(200)
	require.Equal(t, "1", open.header.Get("X-Total-Count"))
	open.into(&list)
	require.Len(t, list, 1)
	require.Equal(t, "buyer", list[0].Username)
	boss.get("/admin/support-request?open=perhaps").refused(400, "invalid", "open must be one of true, false.")
}
