package api_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
)

func adminAct(action string, deal api.DealDetail) string {
	return "/admin/deals/" + action + "/" + deal.ID.String()
}

// decides lets an admin decide a deal and requires the answer's message and the deal's new status.
func (b *browser) decides(action string, deal api.DealDetail, message, status string) api.DealDetail {
	b.t.Helper()
	var decided api.DealDecided
	b.post(adminAct(action, deal), nil).want(200).into(&decided)
	require.Equal(b.t, []string{message, status}, []string{decided.Message, decided.Deal.Status})
	return decided.Deal
}

// audited returns the details of the only audit log entry of an action by an admin on a deal.
func (f *fixture) audited(action string, by *browser, deal api.DealDetail) (details map[string]any) {
	f.t.Helper()
	var text string
	require.NoError(f.t, f.owner.QueryRow(f.t.Context(), `
		select string_agg(details::text, '; ') from audit_log where action = $1 and actor_id = $2 and subject = $3`,
		action, by.user.ID, "deal:"+deal.ID.String()).Scan(&text))
	require.NoError(f.t, json.Unmarshal([]byte(text), &details), text)
	return details
}

func TestAdminCompleteDeal(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.active(seller, 100)
	buyer.acts("cancel", deal, "Cancellation request sent", "Active")
	decided := boss.decides("complete", deal, "Deal marked as completed", "Completed")
	closed(t, decided, "completed", "")
	require.False(t, decided.CancellationRequested, "it is of no use any more")
	require.Equal(t, "boss", lastActor(t, boss, deal))
	seller.requireWallet("98.00", "0.00", "0.00")
	buyer.requireWallet("400.00", "0.00", "0.00")
	require.InDelta(t, 100.0, f.audited("deal.complete", boss, deal)["price"], 0)

	boss.decides("complete", deal, "Deal marked as completed", "Completed") // a second click
	boss.post(adminAct("cancel", deal), nil).refused(409, "conflict", "This deal is Completed, so it cannot be cancelled.")
	f.audited("deal.complete", boss, deal)
}

func lastActor(t *testing.T, b *browser, deal api.DealDetail) string {
	t.Helper()
	var seen struct {
		Timeline []struct{ Actor *struct{ Username string } }
	}
	b.get("/deals/" + deal.ID.String()).want(200).into(&seen)
	return seen.Timeline[len(seen.Timeline)-1].Actor.Username
}

func TestAdminCancelDeal(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.propose(seller, 100)
	for action, done := range map[string]string{"cancel": "cancelled.", "complete": "completed."} {
		boss.post(adminAct(action, deal), nil).refused(409, "conflict", "This deal is Pending, so it cannot be "+done)
	}
	buyer.acts("pay", deal, "Deal activated!", "Active")
	key := []string{"Idempotency-Key", "the-click"}
	first := boss.post(adminAct("cancel", deal), nil, key...).want(200)
	require.JSONEq(t, string(first.body), string(boss.post(adminAct("cancel", deal), nil, key...).want(200).body))
	decided := boss.decides("cancel", deal, "Deal cancelled and buyer refunded", "Cancelled")
	closed(t, decided, "admin", "100.00")
	buyer.requireWallet("500.00", "0.00", "0.00")
	require.Equal(t, buyer.user.ID.String(), f.audited("deal.cancel", boss, deal)["buyer"])
	require.Equal(t, 1, f.transfers("deal:"+deal.ID.String()+":close"))
}

func (b *browser) adminDeals(query string) (ids []uuid.UUID, total string) {
	b.t.Helper()
	list := b.get("/admin/deals" + query).want(200)
	var found []api.Deal
	list.into(&found)
	ids = []uuid.UUID{}
	for _, d := range found {
		ids = append(ids, d.ID)
	}
	return ids, list.header.Get("X-Total-Count")
}

func TestAdminDeals(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	pending, active, delivered := buyer.propose(seller, 1), buyer.active(seller, 2), buyer.active(seller, 3)
	seller.acts("deliver", delivered, "Seller has delivered the deal", "Delivered")
	for query, wanted := range map[string][]uuid.UUID{
		"":                                     {delivered.ID, active.ID, pending.ID},
		"?status=Active":                       {active.ID},
		"?status=Late":                         {},
		"?status=Delivered":                    {delivered.ID},
		"?status=Cancelled+by+Seller":          {},
		"?escalated=true":                      {},
		"?escalated=false&status=Pending":      {pending.ID},
		"?dealId=" + active.ID.String():        {active.ID},
		"?dealId=+" + active.ID.String() + "+": {active.ID},
		"?dealId=" + active.ID.String() + "&status=Pending": {},
		"?dealId=" + active.ID.String()[:8]:                 {},
		"?dealId=x":                                         {},
		"?dealId=" + uuid.Nil.String():                      {},
		"?dealId=" + uuid.NewString():                       {},
	} {
		ids, _ := boss.adminDeals(query)
		require.Equal(t, wanted, ids, query)
	}
	ids, total := boss.adminDeals("?page=2&limit=2")
	require.Equal(t, []uuid.UUID{pending.ID}, ids)
	require.Equal(t, "3", total)
	boss.get("/admin/deals?status=Open").refused(400, "invalid", "status must be one of Pending, Active, Late, Delivered, Completed, "+
		"Cancelled, Cancelled by Buyer, Cancelled by Seller.")
	boss.get("/admin/deals?escalated=yes").refused(400, "invalid", "escalated must be one of true, false.")

	f.later(8*day, boss)
	ids, _ = boss.adminDeals("?status=Late")
	require.Equal(t, []uuid.UUID{active.ID}, ids, "late as soon as it is, though no clock has said so")
}

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

func TestSupport(t *testing.T) {
	t.Parallel()
	_, boss, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.propose(seller, 100)
	for _, body := range []any{fields{}, fields{"dealId": "x"}} {
		buyer.post("/deals/support", body).refused(404, "not_found", "Deal not found.")
	}
	require.JSONEq(t, `[]`, string(boss.get("/admin/support-request").want(200).body))

	key := []string{"Idempotency-Key", "help"}
	body := fields{"dealId": deal.ID, "issueDescription": "He wants another price."}
	first := buyer.post("/deals/support", body, key...).want(201)
	require.JSONEq(t, string(first.body), string(buyer.post("/deals/support", body, key...).want(201).body), "a retry, not another request")
	require.False(t, buyer.see(deal).Frozen, "an unpaid deal still expires")
	seller.support(deal, "He knows it.").want(201)

	page := boss.get("/admin/support-request?page=2&limit=1").want(200)
	require.Equal(t, "2", page.header.Get("X-Total-Count"))
	var list []supportRequest
	page.into(&list)
	require.Len(t, list, 1)
	require.Equal(t, "seller", list[0].Username, "oldest first")
	boss.post(closeSupport(list[0]), answered).want(200)
	boss.get("/admin/support-request").want(200).into(&list)
	require.Equal(t, []string{"buyer", "seller"}, []string{list[0].Username, list[1].Username}, "open ones first")
	open := boss.get("/admin/support-request?open=true").want(200)
	require.Equal(t, "1", open.header.Get("X-Total-Count"))
	open.into(&list)
	require.Len(t, list, 1)
	require.Equal(t, "buyer", list[0].Username)
	require.JSONEq(t, `[]`, string(boss.get("/admin/support-request?open=true&search=seller").want(200).body))
	boss.get("/admin/support-request?open=perhaps").refused(400, "invalid", "open must be one of true, false.")
}
