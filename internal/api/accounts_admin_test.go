package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/actor"
	"amanat/internal/app/config"
	"amanat/internal/domain/accounts"
	"amanat/internal/domain/wallet"
)

func (b *browser) adminUsers(query string) (list []api.AdminUser, total string) {
	b.t.Helper()
	r := b.get("/admin/users" + query).want(200)
	r.into(&list)
	return list, r.header.Get("X-Total-Count")
}

func usernames(list []api.AdminUser) []string {
	names := []string{}
	for _, u := range list {
		names = append(names, u.Username)
	}
	return names
}

func TestAdminUsers(t *testing.T) {
	t.Parallel()
	_, boss, buyer, seller := newFixtureWithUsers(t)
	buyer.active(seller, 120.5)
	done := buyer.active(seller, 100)
	buyer.acts("complete", done, "Deal marked as completed", "Completed")
	buyer.propose(seller, 5)

	list, total := boss.adminUsers("")
	require.Equal(t, "3", total)
	require.Equal(t, []string{"seller", "buyer", "boss"}, usernames(list), "newest first")
	require.Equal(t, api.AdminUser{
		Ref: buyer.user.Ref, Email: "buyer@example.com", CreatedAt: buyer.user.CreatedAt, Wallet: 279_50, InEscrow: 120_50,
		Deposited: 500_00, Deals: 3,
	}, list[1])
	require.Equal(t, "98.00", list[0].Wallet.String())
	require.True(t, list[2].IsAdmin)
	page, total := boss.adminUsers("?page=2&limit=2")
	require.Equal(t, "3", total)
	require.Equal(t, []string{"boss"}, usernames(page))
	boss.get("/admin/users?limit=0").refused(400, "invalid", "limit must be a whole number from 1.")
}

func TestAdminUserSearch(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss := f.admin("boss")
	f.member("Rahim_1")
	f.member("abdurrahim")
	f.member("karim")
	for query, wanted := range map[string][]string{
		"":             {},
		"r":            {}, // a search needs two characters
		" r ":          {},
		"rahim":        {"Rahim_1", "abdurrahim"}, // prefix matches first
		"RAHIM":        {"Rahim_1", "abdurrahim"},
		"karim@exam":   {"karim"},
		"him_1":        {"Rahim_1"},
		"him%1":        {},
		"ra":           {"Rahim_1"}, // two letters match beginnings
		"im":           {},
		"m_1":          {}, // and so do all queries without three consecutive letters
		"@example.com": {"karim", "abdurrahim", "Rahim_1", "boss"},
	} {
		list, _ := boss.adminUsers("/search?query=" + strings.NewReplacer("%", "%25", " ", "%20").Replace(query))
		require.Equal(t, wanted, usernames(list), query)
	}
	list, total := boss.adminUsers("/search?query=rahim&page=2&limit=1")
	require.Equal(t, []string{"abdurrahim"}, usernames(list))
	require.Equal(t, "2", total)
}

func TestAdminUser(t *testing.T) {
	t.Parallel()
	_, boss, buyer, seller := newFixtureWithUsers(t)
	completed := buyer.active(seller, 100)
	buyer.acts("complete", completed, "Deal marked as completed", "Completed")
	seller.acts("cancel", buyer.active(seller, 50), "Deal cancelled and buyer refunded", "Cancelled by Seller")
	buyer.active(seller, 30)
	buyer.propose(seller, 20)
	buyer.post("/withdraw", fields{"amount": 40, "phonenumber": "01712345678", "paymentMethod": "Nagad"}).want(201)

	path := "/admin/users/" + buyer.user.ID.String()
	var seen api.AdminUserRecord
	boss.get(path).want(200).into(&seen)
	require.Equal(t, "buyer", seen.Username)
	require.Equal(t, []int{4, 1, 1, 1}, []int{seen.Deals, seen.OpenDeals, seen.CompletedDeals, seen.CancelledDeals})
	require.Equal(t, []string{"330.00", "30.00", "40.00"},
		[]string{seen.Wallet.String(), seen.InEscrow.String(), seen.PendingWithdrawal.String()})
	require.Equal(t, 1, seen.Sessions)
	require.NotNil(t, seen.LastSeenAt)

	boss.post(path+"/disable", nil).want(200)
	boss.get(path).want(200).into(&seen)
	require.Zero(t, seen.Sessions)
	require.Nil(t, seen.LastSeenAt)
	require.NotNil(t, seen.DisabledAt)

	boss.get("/admin/users/"+uuid.NewString()).refused(404, "not_found", "User not found")
}

func TestAdminExchangeRates(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss := f.admin("boss")
	var rates []struct {
		USDToBDT float64 `json:"usdToBdt"`
		SetAt    time.Time
		SetBy    *struct{ Username string }
	}
	require.JSONEq(t, `[]`, string(boss.get("/admin/exchange-rates").want(200).body))
	boss.setRate(120)
	operator := wallet.Service{DB: f.owner, Clock: f.clock}
	require.NoError(t, operator.SetRate(t.Context(), actor.Operator(), 121_50, false))
	all := boss.get("/admin/exchange-rates?page=1&limit=1").want(200)
	require.Equal(t, "2", all.header.Get("X-Total-Count"))
	boss.get("/admin/exchange-rates").want(200).into(&rates)
	require.InDeltaSlice(t, []float64{121.5, 120}, []float64{rates[0].USDToBDT, rates[1].USDToBDT}, 0)
	require.Nil(t, rates[0].SetBy, "the operator")
	require.Equal(t, "boss", rates[1].SetBy.Username)
	require.False(t, rates[1].SetAt.IsZero())
}

// auditOf returns the audit log entries of an action on a subject, newest first.
func (b *browser) auditOf(action, subject string) []api.AuditEntry {
	b.t.Helper()
	var list []api.AuditEntry
	b.get("/admin/audit?action=" + action + "&subject=" + subject).want(200).into(&list)
	return list
}

func TestDisableUser(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss, rahim := f.admin("boss"), f.member("rahim")
	path := "/admin/users/" + rahim.user.ID.String()
	var handled api.UserHandled
	for range 2 {
		boss.post(path+"/disable", fields{"reason": " Sells what he does not have. "}).want(200).into(&handled)
		require.Equal(t, "User disabled", handled.Message)
		require.NotNil(t, handled.User.DisabledAt)
	}
	rahim.get("/wallet").refused(401, "unauthenticated", "Please log in to continue.")
	rahim.post("/auth/login", fields{"username": "rahim", "password": password}).want(403)
	entries := boss.auditOf("user.disable", "user:"+rahim.user.ID.String())
	require.Len(t, entries, 1, "the second time changed nothing")
	require.Equal(t, "Sells what he does not have.", entries[0].Details["reason"])

	for range 2 {
		boss.post(path+"/enable", nil).want(200).into(&handled)
		require.Equal(t, "User enabled", handled.Message)
		require.Nil(t, handled.User.DisabledAt)
	}
	require.Len(t, boss.auditOf("user.enable", "user:"+rahim.user.ID.String()), 1)
	rahim.get("/wallet").refused(401, "unauthenticated", "Please log in to continue.")
	rahim.post("/auth/login", fields{"username": "rahim", "password": password}).want(200)

	boss.post(path+"/disable", fields{"reason": strings.Repeat("x", 501)}).
		refused(400, "invalid", "The reason must be at most 500 characters.")
	boss.post("/admin/users/"+boss.user.ID.String()+"/disable", nil).
		refused(403, "forbidden", "You cannot disable your own account.")
	f.clock.Advance(20 * time.Minute)
	boss.post(path+"/disable", nil).refused(403, "password_required", "Please enter your password again.")
	boss.get("/auth/check").want(200)
}

func TestAdminMessages(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss, rahim, karim, third := f.admin("boss"), f.member("rahim"), f.member("karim"), f.member("third")
	opened := rahim.opens(karim, fields{"text": "Pay me outside."})
	karim.says(opened.Conversation.ID, "No.")
	path := func(one, other *browser) string {
		return "/admin/messages/by-users/" + one.user.ID.String() + "/" + other.user.ID.String()
	}
	var h history
	for _, p := range []string{path(rahim, karim), path(karim, rahim)} {
		boss.get(p).want(200).into(&h)
		require.Equal(t, []string{"Pay me outside.", "No."}, h.texts())
		require.Equal(t, "rahim", h.Messages[0].SenderName)
	}
	boss.get(path(rahim, karim) + "?limit=1").want(200).into(&h)
	require.Equal(t, []string{"No."}, h.texts())
	boss.get(path(rahim, karim) + "?before=" + h.NextBefore.String()).want(200).into(&h)
	require.Equal(t, []string{"Pay me outside."}, h.texts())
	require.JSONEq(t, `{"messages": [], "nextBefore": null}`, string(boss.get(path(rahim, third)).want(200).body))
	require.True(t, karim.reads(opened.Conversation.ID, "").Messages[0].IsRead)
	require.False(t, rahim.reads(opened.Conversation.ID, "").Messages[1].IsRead, "an admin's look reads nothing")

	var looks []api.AuditEntry
	boss.get("/admin/audit?action=chat.inspect").want(200).into(&looks)
	require.Len(t, looks, 5, "every look")
	require.Equal(t, looks[3].Subject, looks[4].Subject, "whoever is named first")
	require.ElementsMatch(t, []any{rahim.user.ID.String(), third.user.ID.String()}, looks[0].Details["users"])

	boss.get("/admin/messages/by-users/x/"+karim.user.ID.String()).refused(404, "not_found", "Not found.")
	boss.get("/admin/messages/by-users/"+uuid.NewString()+"/"+karim.user.ID.String()+"?limit=x").refused(404, "not_found", "User not found")
	boss.get(path(rahim, karim)+"?limit=x").refused(400, "invalid", "limit must be a whole number from 1.")
	boss.get(path(rahim, karim)+"?before=x").refused(400, "invalid", "before must be the id of a message of this conversation.")
}

func TestAuditLog(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss := f.admin("boss") // granted by the operator
	start := f.clock.Now()
	boss.setRate(120)
	boss.setRate(121)
	var list []struct {
		ID     int64 `json:"_id"`
		At     time.Time
		Actor  *struct{ Username string }
		Action string
	}
	all := boss.get("/admin/audit").want(200)
	require.Equal(t, "3", all.header.Get("X-Total-Count"))
	require.NoError(t, json.Unmarshal(all.body, &list))
	require.Len(t, list, 3)
	require.Equal(t, "boss", list[0].Actor.Username)
	require.False(t, list[0].At.Before(start))
	require.Nil(t, list[2].Actor, "the operator")
	require.Equal(t, "user.grant_admin", list[2].Action)
	for query, wanted := range map[string]int{
		"?actorId=" + boss.user.ID.String():              2,
		"?actorId=x":                                     0,
		"?action=user.grant_admin":                       1,
		"?action=nothing":                                0,
		"?subject=user:" + boss.user.ID.String():         1,
		"?endDate=2020-01-01":                            0,
		"?startDate=2020-01-01&action=user.grant_admin":  1,
		"?page=2&limit=2":                                1,
		"?actorId=" + boss.user.ID.String() + "&limit=1": 1,
	} {
		var found []api.AuditEntry
		boss.get("/admin/audit" + query).want(200).into(&found)
		require.Len(t, found, wanted, query)
	}
	buyer := f.member("buyer")
	deposit := buyer.reports(10, "AB12CD34EF").Deposit.ID.String()
	boss.post("/admin/deposit/reject/"+deposit, nil).want(200)
	short := deposit[28:32] + "-" + deposit[32:]
	for subject, wanted := range map[string]int{
		"deposit:" + deposit: 1, deposit: 1, short: 1, "Deposit%20" + short: 1, "Buy": 1, "boss": 1, "bos%20x": 0, "seller": 0, "%25": 0,
		deposit[30:]: 0,
	} {
		var found []api.AuditEntry
		boss.get("/admin/audit?subject=" + subject).want(200).into(&found)
		require.Len(t, found, wanted, subject)
	}
	var entries []api.AuditEntry
	boss.get("/admin/audit").want(200).into(&entries)
	require.Equal(t, "buyer", entries[0].People[0].Username)
	require.Empty(t, entries[1].People, "the rate")
	require.Equal(t, "boss", entries[3].People[0].Username, "granted by the operator")

	_, err := f.owner.Exec(t.Context(), `
		insert into audit_log (at, action, subject, details)
		values (now(), 'deposit.approve', 'deposit:019a5c1e-7b2f-7c3d-9e4f-5a6b7c562529', '{}'), (now(), 'job.retry', 'job:562529', '{}')`)
	require.NoError(t, err)
	boss.get("/admin/audit?subject=562529").want(200).into(&entries)
	require.Len(t, entries, 1, "a number is not the end of an id")
	require.Equal(t, "job:562529", entries[0].Subject)
	boss.get("/admin/audit?startDate=1.1.2026").refused(400, "invalid", "startDate must be a date such as 2026-01-31.")
}

// refsIn returns whether each user in a JSON value is staff, by username.
func refsIn(value any) map[string][]any {
	found := map[string][]any{}
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			for name, marks := range refsIn(item) {
				found[name] = append(found[name], marks...)
			}
		}
	case map[string]any:
		name, named := value["username"].(string)
		if _, pictured := value["profilePic"]; named && pictured {
			found[name] = append(found[name], value["isStaff"])
		}
		for _, item := range value {
			for name, marks := range refsIn(item) {
				found[name] = append(found[name], marks...)
			}
		}
	}
	return found
}

// requireMarked requires that a JSON text names boss, and that every admin in it, and nobody else,
// is marked as staff.
func requireMarked(t *testing.T, text []byte) {
	t.Helper()
	var value any
	require.NoError(t, json.Unmarshal(text, &value))
	found := refsIn(value)
	require.NotEmpty(t, found["boss"], string(text))
	for name, marks := range found {
		for _, mark := range marks {
			require.Equal(t, name == "boss" || name == "chief", mark, "%s in %s", name, text)
		}
	}
}

// staffFixture is a market in which the admin boss trades, writes, asks and decides.
func staffFixture(t *testing.T) (buyer *browser, readers map[string]*browser) {
	t.Helper()
	f := newFixture(t, func(c *config.API) { c.CreditSecondAdmin = 1000 })
	f.work()
	boss, chief, seller := f.admin("boss"), f.admin("chief"), f.member("seller")
	buyer = f.member("buyer")
	boss.setRate(120)
	buyer.fund(boss, 500)
	boss.fund(chief, 500)
	claimed, large := buyer.reports(10, "AB12CD34EF").Deposit.ID.String(), buyer.reports(1500, "AB12CD34EG").Deposit.ID.String()
	boss.post("/admin/deposits/"+claimed+"/claim", nil).want(200)
	boss.post("/admin/deposit/approve/"+large, fields{"amount": 1500, "userId": buyer.user.ID, "receivedTaka": 180_000}).want(200)
	boss.withdraws(5, "01712345678")

	review := fields{"rating": 5, "comment": "Fine."}
	sold, bought := buyer.trade(boss, 10), boss.trade(seller, 10)
	for deal, author := range map[string]*browser{sold.ID.String(): buyer, bought.ID.String(): boss} {
		review["dealId"] = deal
		author.post("/reviews", review).want(http.StatusCreated)
	}
	open := buyer.active(boss, 10)
	boss.support(open, "It does not open.").want(http.StatusCreated)
	between := buyer.active(seller, 10)
	buyer.support(between, "It does not open.").want(http.StatusCreated)
	for _, r := range boss.supportRequests() {
		if r.DealID == between.ID {
			boss.post(closeSupport(r), answered).want(200)
		}
	}
	boss.post("/admin/deals/cancel/"+between.ID.String(), nil).want(200)
	post, talk := boss.publish(nil), buyer.opens(boss, fields{"text": "Salam"}).Conversation
	boss.says(talk.ID, "Salam to you")

	return buyer, map[string]*browser{
		"/auth/check": boss, "/auth/me": boss, "/auth/profile/boss": f.visitor(), "/auth/profile/seller": f.visitor(),
		"/posts/public": f.visitor(), "/posts/user/boss": f.visitor(), "/posts/" + post.ID.String(): f.visitor(), "/posts/my-posts": boss,
		"/reviews?user=" + seller.user.ID.String(): f.visitor(), "/dashboard": seller,
		"/deals/my-deals": buyer, "/deals/" + open.ID.String(): buyer, "/deals/" + between.ID.String(): boss,
		"/deals/between/" + buyer.user.ID.String() + "/" + boss.user.ID.String(): buyer,
		"/wallet/search?query=bo": buyer, "/wallet/search?query=oss": buyer,
		"/messages/conversations": buyer, "/messages/conversations/" + talk.ID.String(): buyer,
		"/admin/users": chief, "/admin/users/search?query=boss": chief, "/admin/users/" + boss.user.ID.String(): chief,
		"/admin/deals": chief, "/admin/deposits": chief, "/admin/deposits?status=completed": chief, "/admin/withdrawals": chief,
		"/admin/support-request": chief, "/admin/audit": chief, "/admin/notifications": chief, "/admin/exchange-rates": chief,
	}
}

// An admin is marked as staff in every response and event that shows a user, and nobody else is.
func TestStaffMark(t *testing.T) {
	t.Parallel()
	buyer, paths := staffFixture(t)
	chief := paths["/admin/notifications"]
	require.Eventually(t, func() bool { // a job notifies admins
		return strings.Contains(string(chief.get("/admin/notifications").want(200).body), `"username":"boss"`)
	}, 20*time.Second, 20*time.Millisecond)
	for path, reader := range paths {
		requireMarked(t, reader.get(path).want(200).body)
	}
	written := buyer.events("newMessage")
	require.NotEmpty(t, written)
	for _, event := range written {
		requireMarked(t, event.Payload)
	}
	popUps := buyer.popUps()
	require.Len(t, popUps, 1)
	require.True(t, popUps[0].Sender.IsStaff)
}

// A former admin is no longer marked.
func TestStaffMark_revoked(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss, reader := f.admin("boss"), f.member("rahim")
	require.True(t, reader.profile(boss).User.IsStaff)
	_, err := accounts.New(accounts.Options{DB: f.owner, Clock: f.clock}).RevokeAdmin(t.Context(), "boss")
	require.NoError(t, err)
	require.False(t, reader.profile(boss).User.IsStaff)
}

// The words come from the configuration; without one there is a list in both languages.
func TestChatWarnings(t *testing.T) {
	t.Parallel()
	words := func(configured ...string) (answer struct{ Words []string }) {
		f := newFixture(t, func(c *config.API) { c.ChatWarningWords = configured })
		f.visitor().get("/public/chat-warnings").want(200).into(&answer)
		return answer
	}
	require.Equal(t, []string{"send money", "বিকাশ করেন"}, words("send money", "বিকাশ করেন").Words)
	require.Subset(t, words().Words, []string{"send money", "বিকাশ করেন"})
	require.JSONEq(t, `{"words": []}`, string(newFixture(t, func(c *config.API) { c.ChatWarningWords = []string{"off"} }).
		visitor().get("/public/chat-warnings").want(200).body))
}
