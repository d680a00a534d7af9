package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/ratelimit"
)

const (
	many      = 101 // one more than the largest page
	maxAnswer = 1 << 20
)

// sqlMany inserts 101 rows for every list, about a buyer, a seller and an admin. Long texts have
// 5,000 characters of Bangla.
var sqlMany = []string{
	`insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
	 select gen_random_uuid(), 'user' || n, 'user' || n || '@example.com', 'x', 'code' || n, @now, @now from generate_series(1, @many) n`,
	`insert into posts (id, created_by, title, description, price, category, subcategory, tags, created_at, updated_at, place, document)
	 select gen_random_uuid(), @seller, 'A logo', @words, 100, 'Online Asset', 'Other', '{}', @now, @now, n, 'a logo'
	   from generate_series(1, @many) n`,
	`insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, status, created_at, due_at, activated_at,
	                    closed_at, close_reason)
	 select gen_random_uuid(), @buyer, @seller, @buyer, 100, 2, @words, 7, 'Completed', @now, @now, @now, @now, 'completed'
	   from generate_series(1, @many) n`,
	`insert into reviews (id, deal_id, reviewer_id, reviewed_id, rating, comment, created_at)
	 select gen_random_uuid(), id, @buyer, @seller, 5, left(@words, 2000), @now from deals`,
	`insert into support_requests (id, deal_id, user_id, issue_description, created_at)
	 select gen_random_uuid(), id, @buyer, @words, @now from deals`,
	`insert into conversations (id, user_a, user_b, started_by, created_at, updated_at)
	 select gen_random_uuid(), least(id, @seller), greatest(id, @seller), @seller, @now, @now from users where username like 'user%'`,
	`insert into notifications (id, user_id, audience, kind, params, created_at)
	 select gen_random_uuid(), @boss, 'admin', 'admin_bug_report', '{}', @now from generate_series(1, @many)`,
	`insert into bug_reports (id, name, email, subject, description, created_at)
	 select gen_random_uuid(), '', '', 'Broken', @words, @now from generate_series(1, @many)`,
	`insert into contact_messages (id, name, email, message, created_at)
	 select gen_random_uuid(), '', '', @words, @now from generate_series(1, @many)`,
	`insert into exchange_rates (usd_to_bdt, set_at) select 12000, @now from generate_series(1, @many)`,
	`insert into audit_log (at, action, subject, details) select @now, 'x', 'x', jsonb_build_object('words', @words::text)
	   from generate_series(1, @many - (select count(*) from audit_log))`,
}

func (f *fixture) crowd(boss, buyer, seller *browser) {
	f.t.Helper()
	for _, sql := range sqlMany {
		_, err := f.owner.Exec(f.t.Context(), sql, postgres.Args{
			"now": f.clock.Now(), "many": many, "words": strings.Repeat("কখ গ", 1250),
			"boss": boss.user.ID, "buyer": buyer.user.ID, "seller": seller.user.ID,
		})
		require.NoError(f.t, err, sql)
	}
}

func TestLists_bounded(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss, buyer, seller := f.admin("boss"), f.member("buyer"), f.member("seller")
	f.crowd(boss, buyer, seller)
	for _, list := range []struct {
		reader *browser
		path   string
		total  string
		long   string // field whose text is cut
	}{
		{buyer, "/deals/my-deals", "101", "description"},
		{buyer, between(buyer, seller), "101", "description"},
		{f.visitor(), "/reviews?user=" + seller.user.ID.String(), "101", "comment"},
		{seller, "/posts/my-posts", "101", "description"},
		{f.visitor(), "/posts/user/seller", "101", "description"},
		{seller, "/messages/conversations", "101", ""},
		{boss, "/admin/users", "104", ""},
		{boss, "/admin/users/search?query=user", "101", ""},
		{boss, "/admin/deals", "101", "description"},
		{boss, "/admin/notifications", "101", ""},
		{boss, "/admin/exchange-rates", "101", ""},
	} {
		answer := list.reader.get(list.path).want(200)
		var rows []map[string]any
		answer.into(&rows)
		require.Len(t, rows, 100, list.path)
		require.Equal(t, list.total, answer.header.Get("X-Total-Count"), list.path)
		if list.long != "" {
			requireCut(t, rows[0][list.long])
		}
		separator := "?"
		if strings.Contains(list.path, "?") {
			separator = "&"
		}
		list.reader.get(list.path + separator + "page=2&limit=100").want(200).into(&rows)
		require.NotEmpty(t, rows, list.path)
	}
	var listing api.PostListing
	f.visitor().get("/posts/public").want(200).into(&listing)
	requireCut(t, listing.Posts[0].Description)
	require.Equal(t, 5000, utf8.RuneCountInString(f.visitor().post1(listing.Posts[0].ID).Description), "the whole text of one post")

	var profile api.Profile
	f.visitor().get("/auth/profile/seller").want(200).into(&profile)
	require.Len(t, profile.Posts, 12)
	require.Len(t, profile.Reviews, 10)
	require.Equal(t, []int{101, 101}, []int{profile.PostCount, profile.ReviewCount})
	requireCut(t, profile.Posts[0].Description)
	requireCut(t, profile.Reviews[0].Comment)
	var board api.Dashboard
	seller.get("/dashboard").want(200).into(&board)
	require.Len(t, board.Reviews, 10)
	require.Equal(t, 101, board.ReviewCount)
}

func (b *browser) post1(id uuid.UUID) (post api.Post) {
	b.t.Helper()
	b.get("/posts/" + id.String()).want(200).into(&post)
	return post
}

func requireCut(t *testing.T, text any) {
	t.Helper()
	words, ok := text.(string)
	require.True(t, ok)
	require.LessOrEqual(t, utf8.RuneCountInString(words), 300)
	require.Greater(t, utf8.RuneCountInString(words), 290)
	require.True(t, strings.HasSuffix(words, "…"), words)
}

// Rows that do not fit into one response are left off; smaller pages return them.
func TestAuditLog_at_most_one_mib(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss, buyer, seller := f.admin("boss"), f.member("buyer"), f.member("seller")
	f.crowd(boss, buyer, seller)
	answer := boss.get("/admin/audit").want(200)
	require.LessOrEqual(t, len(answer.body), maxAnswer)
	require.Greater(t, len(answer.body), maxAnswer-2*13_000, "as many as fit")
	require.Equal(t, "101", answer.header.Get("X-Total-Count"))
	requirePages(t, boss, "/admin/audit", 50, 50, 1)
}

// Admin lists with full texts have pages small enough to fit into one response.
func TestAdminLists_short_pages(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss, buyer, seller := f.admin("boss"), f.member("buyer"), f.member("seller")
	f.crowd(boss, buyer, seller)
	for _, path := range []string{"/admin/support-request", "/admin/bug-reports", "/admin/contact-messages"} {
		var rows []map[string]any
		answer := boss.get(path).want(200)
		answer.into(&rows)
		require.Equal(t, "101", answer.header.Get("X-Total-Count"), path)
		require.Len(t, rows, 25, path)
		requirePages(t, boss, path, 25, 25, 25, 25, 1)
	}
}

// requirePages reads pages with limit=50 and requires the given lengths and every row on some page.
func requirePages(t *testing.T, reader *browser, path string, lengths ...int) {
	t.Helper()
	seen := map[any]bool{}
	for i, length := range lengths {
		var rows []map[string]any
		reader.get(fmt.Sprintf("%s?limit=50&page=%d", path, i+1)).want(200).into(&rows)
		require.Len(t, rows, length, "%s, page %d", path, i+1)
		for _, row := range rows {
			seen[row["_id"]] = true
		}
	}
	require.Len(t, seen, many, path)
}

// The messages left off a response are the oldest ones, and the next page starts there.
func TestMessages_long_history_without_gaps(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss, rahim, karim := f.admin("boss"), f.member("rahim"), f.member("karim")
	id := rahim.opens(karim, fields{"text": "Hello"}).Conversation.ID
	_, err := f.owner.Exec(t.Context(), `
		with written as (
		  insert into messages (id, conversation_id, seq, sender_id, text, created_at)
		  select gen_random_uuid(), @conversation, n, @sender, @words, @now from generate_series(2, 250) n)
		update conversations set last_seq = 250, updated_at = @now where id = @conversation`,
		postgres.Args{"conversation": id, "sender": rahim.user.ID, "words": strings.Repeat("ক", 4000), "now": f.clock.Now()})
	require.NoError(t, err)
	for reader, path := range map[*browser]string{
		karim: "/messages/" + id.String(),
		boss:  "/admin/messages/by-users/" + rahim.user.ID.String() + "/" + karim.user.ID.String(),
	} {
		seen, before := map[uuid.UUID]bool{}, ""
		for pages := 0; ; pages++ {
			require.Less(t, pages, 5)
			answer := reader.get(path + "?limit=100" + before).want(200)
			require.LessOrEqual(t, len(answer.body), maxAnswer)
			var page history
			answer.into(&page)
			for _, m := range page.Messages {
				require.False(t, seen[m.ID], "each once")
				seen[m.ID] = true
			}
			if page.NextBefore == nil {
				break
			}
			require.Equal(t, page.Messages[0].ID, *page.NextBefore)
			before = "&before=" + page.NextBefore.String()
		}
		require.Len(t, seen, 250, path)
	}
}

func TestMyDeals_by_status(t *testing.T) {
	t.Parallel()
	f, _, buyer, seller := newFixtureWithUsers(t)
	third := f.member("third")
	offer := buyer.propose(seller, 1)
	open := buyer.active(seller, 2)
	done := buyer.trade(seller, 3)
	late := buyer.active(third, 4)
	has := func(path string, wanted ...api.DealDetail) {
		t.Helper()
		answer := buyer.get(path).want(200)
		var list []api.Deal
		answer.into(&list)
		ids, found := []uuid.UUID{}, []uuid.UUID{}
		for _, deal := range wanted {
			ids = append(ids, deal.ID)
		}
		for _, deal := range list {
			found = append(found, deal.ID)
		}
		require.Equal(t, ids, found)
	}
	has("/deals/my-deals?status=Pending&status=Active", late, open, offer)
	has("/deals/my-deals?status=Completed", done)
	has("/deals/my-deals?status=", late, done, open, offer)
	has(between(buyer, seller)+"?status=Active", open)
	buyer.get("/deals/my-deals?status=Lost").refused(400, "invalid",
		"status must be one of Pending, Active, Late, Delivered, Completed, Cancelled, Cancelled by Buyer, Cancelled by Seller.")
	buyer.get(between(buyer, seller) + "?status=active").want(400)

	_, err := f.owner.Exec(t.Context(), `update deals set due_at = $1 where id = $2`, f.clock.Now().Add(-time.Minute), late.ID)
	require.NoError(t, err)
	has("/deals/my-deals?status=Late", late)
	has("/deals/my-deals?status=Active", open)

	// Half past midnight in Dhaka is the previous day in UTC.
	dhaka := f.clock.Now().In(clock.Dhaka)
	first := time.Date(dhaka.Year(), dhaka.Month(), 1, 0, 30, 0, 0, clock.Dhaka)
	_, err = f.owner.Exec(t.Context(), `update deals set closed_at = $1 where id = $2`, first, done.ID)
	require.NoError(t, err)
	var totals api.DealTotals
	buyer.get("/deals/totals").want(200).into(&totals)
	count := map[string]int{}
	for _, status := range totals.Statuses {
		count[status.Status] = status.Deals
	}
	require.Equal(t, map[string]int{
		"Pending": 1, "Active": 1, "Late": 1, "Delivered": 0, "Completed": 1, "Cancelled": 0, "Cancelled by Buyer": 0, "Cancelled by Seller": 0,
	}, count)
	require.Len(t, totals.Completed, 6)
	require.Equal(t, api.MonthTotal{Month: first.Format("2006-01"), Price: 3_00}, totals.Completed[5])
	require.Equal(t, api.MonthTotal{Month: first.AddDate(0, -5, 0).Format("2006-01")}, totals.Completed[0])
	f.visitor().get("/deals/totals").refused(401, "unauthenticated", "Please log in to continue.")
}

func TestReviews_by_date(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss, buyer, seller := f.admin("boss"), f.member("buyer"), f.member("seller")
	f.crowd(boss, buyer, seller)
	of := "/reviews?user=" + seller.user.ID.String()
	require.Equal(t, "0", f.visitor().get(of+"&to=2020-01-01").want(200).header.Get("X-Total-Count"))
	require.Equal(t, "101", f.visitor().get(of+"&from=2020-01-01&limit=5&page=3").want(200).header.Get("X-Total-Count"))
	f.visitor().get(of+"&from=soon").refused(400, "invalid", "from must be a date such as 2026-01-31.")
}

// Visitors are limited by address; signed-in users are not counted, and a request with an invalid
// cookie counts as a visitor.
func TestAnonymousReads_rate_limited(t *testing.T) {
	t.Parallel()
	f := newFixture(t, behindProxy, func(c *config.API) { c.Limits.AnonymousReadLimit = ratelimit.Rate{Count: 2, Per: time.Hour} })
	boss, seller := f.admin("boss"), f.member("seller")
	boss.setRate(120)
	post := seller.publish(nil)
	visitor, liar := f.visitor(), []string{"Cookie", "amanat=" + strings.Repeat("x", 43)}
	for i, path := range []string{
		"/posts/public", "/posts/user/seller", "/posts/" + post.ID.String(), "/auth/profile/seller",
		"/reviews?user=" + seller.user.ID.String(), "/public/public-stats", "/public/chat-warnings", "/public/pauses",
		"/exchange-rate", "/wallet/limits", invitePath(seller.invites(fields{})),
	} {
		address := from(fmt.Sprintf("198.51.100.%d", i+1))
		for range 2 {
			visitor.do(http.MethodGet, path, nil, address...).want(200)
		}
		refused := visitor.do(http.MethodGet, path, nil, address...)
		refused.refused(429, "rate_limited", "Too many attempts. Please try again later.")
		refused.retryAfter(30 * time.Minute)
		visitor.do(http.MethodGet, path, nil, append(address, liar...)...).want(429)
		seller.do(http.MethodGet, path, nil, address...).want(200)
	}
	for path, address := range map[string][]string{ // calls that find nothing count, too
		"/held/k7m2p9qa4x": from("198.51.100.97"), "/check/0403k7m2p9qa4x": from("198.51.100.98"),
	} {
		for range 2 {
			visitor.do(http.MethodGet, path, nil, address...).want(404)
		}
		visitor.do(http.MethodGet, path, nil, address...).refused(429, "rate_limited", textTooMany)
	}
	for range 4 { // images are not counted
		visitor.do(http.MethodGet, "/images/"+uuid.NewString(), nil, from("198.51.100.99")...).want(404)
	}
	visitor.do(http.MethodGet, "/exchange-rate", nil, from("198.51.100.99")...).want(200)
	require.True(t, json.Valid(visitor.do(http.MethodGet, "/public/public-stats", nil, from("198.51.100.99")...).want(200).body))
}

// The limit on visitors' reads costs a signed-in user no further read of the session.
func TestAnonymousReads_one_authentication(t *testing.T) {
	t.Parallel()
	reads := func(limit ratelimit.Rate) int64 {
		f := newFixture(t, func(c *config.API) { c.Limits.AnonymousReadLimit = limit })
		seller := f.member("seller")
		path := "/posts/" + seller.publish(nil).ID.String()
		seller.get(path).want(200)
		before := f.apiDB.Stat().AcquireCount()
		seller.get(path).want(200)
		return f.apiDB.Stat().AcquireCount() - before
	}
	require.Equal(t, reads(ratelimit.Rate{}), reads(ratelimit.Rate{Count: 2, Per: time.Hour}))
}

func TestPaging(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss, buyer, seller := f.admin("boss"), f.member("buyer"), f.member("seller")
	boss.setRate(120)
	for range 3 {
		buyer.post("/auth/deposit", fields{"amount": 1, "transactionId": transactionID(), "paymentMethod": "Bkash"}).want(201)
		buyer.propose(seller, 1)
	}
	var history api.DepositHistory
	buyer.get("/auth/deposit/history?page=2&limit=2").want(200).into(&history)
	require.Len(t, history.Deposits, 1)
	require.Equal(t, api.Pages{Page: 2, Pages: 2, Total: 3}, history.Pages)
	require.Contains(t, string(buyer.get("/auth/deposit/history?page=9").want(200).body), `"deposits":[]`)
	var deals []api.Deal
	list := buyer.get("/deals/my-deals?page=2&limit=2").want(200)
	list.into(&deals)
	require.Len(t, deals, 1)
	require.Equal(t, "3", list.header.Get("X-Total-Count"))
	buyer.get("/deals/my-deals").want(200).into(&deals)
	require.Len(t, deals, 3)
	for _, query := range []string{"page=0", "page=-1", "page=x", "page=1.5", "limit=0", "limit=x", "page=99999999999999999999"} {
		field, _, _ := strings.Cut(query, "=")
		buyer.get("/auth/deposit/history?"+query).refused(400, "invalid", field+" must be a whole number from 1.")
	}
	buyer.get("/auth/deposit/history?limit=100000").want(200)
	boss.get("/admin/deposits?status=done").refused(400, "invalid", "status must be one of pending, completed, Failed.")
	boss.get("/admin/withdrawals?status=failed").want(200)
}
