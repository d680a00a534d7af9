package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/app/config"
	"amanat/internal/domain/accounts"
)

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
	boss.post("/admin/deposit/approve/"+large, fields{"amount": 1500, "userId": buyer.user.ID}).want(200)
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
