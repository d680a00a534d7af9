package api_test

import (
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"image/color"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/ratelimit"
)

// reportsUser reports a user for a scam.
func (b *browser) reportsUser(id string) reply {
	b.t.Helper()
	return b.reportsOne("user", id)
}

func (b *browser) reportsOne(subject, id string) reply {
	b.t.Helper()
	return b.post("/reports", fields{"subject": subject, "subjectId": id, "reason": "scam"})
}

// openCase returns the only open case.
func (b *browser) openCase() api.AdminCase {
	b.t.Helper()
	var seen api.AdminCases
	b.get("/admin/reports?status=open").want(200).into(&seen)
	require.Len(b.t, seen.Cases, 1)
	return seen.Cases[0]
}

// rules decides a case.
func (b *browser) rules(id uuid.UUID, ruling fields) reply {
	b.t.Helper()
	return b.post("/admin/reports/"+id.String()+"/decide", ruling)
}

// decidesAbout decides a case that another user opens about a user.
func (b *browser) decidesAbout(reporter, accused *browser, ruling fields) uuid.UUID {
	b.t.Helper()
	reporter.reportsUser(accused.user.ID.String()).want(201)
	id := b.openCase().ID
	b.rules(id, ruling).want(200)
	return id
}

// appealLink inserts a token as mailed with a decision and returns it.
func (b *browser) appealLink(decision uuid.UUID) string {
	b.t.Helper()
	token := rand.Text()
	hash := sha256.Sum256([]byte(token))
	now := b.fixture.clock.Now()
	_, err := b.fixture.owner.Exec(b.t.Context(), `
		insert into mailed_tokens (token_hash, user_id, case_id, purpose, created_at, expires_at) values ($1, $2, $3, 'appeal', $4, $5)`,
		hash[:], b.user.ID, decision, now, now.Add(14*24*time.Hour))
	require.NoError(b.t, err)
	return token
}

func TestReports(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim, karim, boss := f.member("rahim"), f.member("karim"), f.admin("boss")
	id := karim.user.ID.String()
	rahim.reportsUser("nonsense").refused(404, "not_found", "There is nothing here that you can report.")
	key := []string{"Idempotency-Key", "one"}
	var sent, again api.ReportSent
	body := fields{"subject": "user", "subjectId": id, "reason": "other", "text": " They ask for bKash. "}
	rahim.post("/reports", body, key...).want(201).into(&sent)
	rahim.post("/reports", body, key...).want(201).into(&again)
	require.Equal(t, sent, again)
	require.Equal(t, "report_sent", sent.Code)
	require.Equal(t, api.Report{
		ID: sent.Report.ID, Subject: "user", SubjectID: karim.user.ID, SubjectName: "karim", Reason: "other", Text: "They ask for bKash.",
		Status: "open", CreatedAt: sent.Report.CreatedAt,
	}, sent.Report)
	rahim.post("/reports", fields{"subject": "user", "subjectId": id, "reason": "spam"}, key...).
		refused(409, "idempotency_mismatch", "This Idempotency-Key was used for another request.")
	rahim.reportsUser(id).refused(409, "duplicate", "You already reported this.")

	boss.rules(boss.openCase().ID, fields{"action": "dismiss"}).want(200)
	var list []api.Report
	r := rahim.get("/reports/mine?page=1").want(200)
	r.into(&list)
	require.Equal(t, "1", r.header.Get("X-Total-Count"))
	require.Equal(t, []string{"decided", "no_violation"}, []string{list[0].Status, list[0].Outcome})
	require.NotNil(t, list[0].DecidedAt)
	rahim.get("/reports/mine?limit=x").refused(400, "invalid", "limit must be a whole number from 1.")
	require.Equal(t, []string{"report_no_violation"}, rahim.kinds())
}

func TestReports_limit(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.Limits.ReportLimit = ratelimit.Rate{Count: 1, Per: time.Hour} })
	rahim, karim, nadia := f.member("rahim"), f.member("karim"), f.member("nadia")
	rahim.reportsUser(karim.user.ID.String()).want(201)
	rahim.reportsUser(nadia.user.ID.String()).refused(429, "rate_limited", textTooMany)
}

// The admin sees the message with what was written around it, which is in the audit log.
func TestAdminReports_message(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim, karim, boss := f.member("rahim"), f.member("karim"), f.admin("boss")
	talk := rahim.opens(karim, fields{"text": "1"}).Conversation.ID
	var reported uuid.UUID
	for i := 2; i <= 30; i++ {
		m := karim.says(talk, fmt.Sprint("m", i)).Message
		if i == 15 {
			reported = m.ID
		}
	}
	rahim.reportsOne("message", reported.String()).want(201)
	var seen api.AdminCaseDetail
	path := "/admin/reports/" + boss.openCase().ID.String()
	detail := boss.get(path).want(200)
	detail.into(&seen)
	var now struct{ Current *api.ReportedContent } // api.Nullable is not decoded
	detail.into(&now)
	require.Equal(t, "karim", seen.Accused.Username)
	require.Equal(t, "karim", seen.SubjectName)
	require.Len(t, seen.Context, 21)
	require.Equal(t, reported, seen.Context[10].ID)
	require.Equal(t, "m15", seen.Snapshot.Text)
	require.Equal(t, seen.Snapshot, *now.Current)
	require.Equal(t, "rahim", seen.ReportList[0].Reporter.Username)
	require.Empty(t, seen.History)
	var audit []api.AuditEntry
	boss.get("/admin/audit?action=chat.inspect").want(200).into(&audit)
	require.Len(t, audit, 1)

	f.clock.Advance(16 * time.Minute)
	boss.get(path).refused(403, "password_required", "Please enter your password again.")
	boss.get("/admin/reports").want(200)
	var found api.AdminCases
	boss.get("/admin/reports?search=nobody").want(200).into(&found)
	require.Empty(t, found.Cases)
	boss.get("/admin/reports?status=closed").refused(400, "invalid", "status must be one of open, appealed, decided.")
	boss.get("/admin/reports?page=0").refused(400, "invalid", "page must be a whole number from 1.")
}

func TestAdminReports_decide(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim, karim, boss, sadia := f.member("rahim"), f.member("karim"), f.admin("boss"), f.admin("sadia")
	rahim.reportsUser(karim.user.ID.String()).want(201)
	id := boss.openCase().ID
	claim := "/admin/reports/" + id.String() + "/claim"
	var handled api.CaseHandled
	boss.post(claim, nil).want(200).into(&handled)
	require.Equal(t, "case_claimed", handled.Code)
	sadia.post(claim, nil).refused(409, "already_handled", "boss is working on this request.")
	boss.rules(id, fields{"action": "suspend", "reason": "A scam"}).refused(400, "invalid", "Please enter 1 to 365 days.")
	key := []string{"Idempotency-Key", "one"}
	path := "/admin/reports/" + id.String()
	body := fields{"action": "warn", "reason": "Be polite"}
	boss.post(path+"/decide", body, key...).want(200).into(&handled)
	require.Equal(t, "case_decided", handled.Code)
	require.Equal(t, []string{"decided", "warn", "Be polite", "boss"},
		[]string{handled.Case.Status, handled.Case.Action, handled.Case.Reason, handled.Case.DecidedBy})
	boss.post(path+"/decide", body, key...).want(200)
	boss.post(path+"/decide", fields{"action": "dismiss"}, key...).want(409)
	boss.rules(uuid.New(), fields{"action": "dismiss"}).refused(404, "not_found", "Case not found.")
	require.Equal(t, []string{"moderation_warned"}, karim.kinds())
	require.Equal(t, []string{"report_action_taken"}, rahim.kinds())

	appeal := path + "/appeal"
	karim.post("/decisions/"+id.String()+"/appeal", fields{"text": "I was polite"}).want(201)
	boss.post(appeal, fields{"overturn": true, "answer": "Sorry"}).refused(403, "forbidden", "Another admin has to decide the appeal.")
	sadia.post(appeal, fields{"overturn": true}).refused(400, "invalid", "Please write an answer. The user reads it.")
	sadia.post(appeal, fields{"overturn": true, "answer": "Sorry"}, key...).want(200).into(&handled)
	require.Equal(t, "appeal_decided", handled.Code)
	require.Equal(t, "closed", handled.Case.Status)
	sadia.post(appeal, fields{"overturn": false, "answer": "No"}, key...).want(409)
	require.Len(t, boss.auditOf("report.decide", "report:"+id.String()), 1)
	require.Len(t, boss.auditOf("report.appeal", "report:"+id.String()), 1)
}

func TestDecisions(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim, karim, boss := f.member("rahim"), f.member("karim"), f.admin("boss")
	post := karim.publish(fields{"image": pictureURL(t, color.White, 20, 20)})
	image := strings.TrimPrefix(post.Image, "/api")
	rahim.get(image).want(200)
	rahim.reportsOne("post", post.ID.String()).want(201)
	id := boss.openCase().ID
	boss.rules(id, fields{"action": "hide", "reason": "A scam"}).want(200)
	f.visitor().get(image).want(404)
	rahim.get(image).want(404)
	for _, reader := range []*browser{karim, boss} {
		require.Contains(t, reader.get(image).want(200).header.Get("Cache-Control"), "private")
	}
	karim.put(path(post), offer(fields{"image": ""})).want(200)
	f.visitor().get(image).want(404) // kept for an appeal, but not public again
	boss.get(image).want(200)
	f.visitor().get(path(post)).refused(404, "not_found", "Post not found")
	rahim.get(path(post)).refused(404, "not_found", "Post not found")
	for _, reader := range []*browser{karim, boss} {
		hidden := reader.post1(post.ID)
		require.True(t, hidden.Hidden)
		require.Equal(t, &id, hidden.DecisionID)
	}
	require.JSONEq(t, `[]`, string(rahim.get("/posts/user/karim").want(200).body))
	var own []api.Post
	karim.get("/posts/my-posts").want(200).into(&own)
	require.True(t, own[0].Hidden)

	var list []api.Decision
	r := karim.get("/decisions").want(200)
	r.into(&list)
	require.Equal(t, "1", r.header.Get("X-Total-Count"))
	require.Equal(t, []string{"hide", "post", post.Title, "A scam"},
		[]string{list[0].Action, list[0].Subject, list[0].SubjectName, list[0].Reason})
	require.True(t, list[0].CanAppeal)
	require.Equal(t, list[0].DecidedAt.Add(14*24*time.Hour), list[0].AppealUntil)
	karim.get("/decisions?page=x").refused(400, "invalid", "page must be a whole number from 1.")
	decision := "/decisions/" + id.String()
	key := []string{"Idempotency-Key", "one"}
	var sent api.AppealSent
	for range 2 {
		karim.post(decision+"/appeal", fields{"text": "It is my channel"}, key...).want(201).into(&sent)
		require.Equal(t, "appeal_sent", sent.Code)
		require.False(t, sent.Decision.CanAppeal)
	}
	karim.post(decision+"/appeal", fields{"text": "Again"}, key...).
		refused(409, "idempotency_mismatch", "This Idempotency-Key was used for another request.")
	karim.post(decision+"/appeal", fields{"text": "Again"}).refused(409, "duplicate", "You already appealed against this decision.")
}

// A suspended user cannot sign in, learns why with the right password only, and appeals by a mailed
// link.
func TestSuspended(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim, karim, boss := f.member("rahim"), f.member("karim"), f.admin("boss")
	id := boss.decidesAbout(rahim, karim, fields{"action": "suspend", "reason": "A scam", "days": 3})
	karim.get("/auth/me").want(401)
	login := func(word string) reply {
		t.Helper()
		return f.visitor().post("/auth/login", fields{"username": "karim", "password": word})
	}
	login("wrong-password").refused(401, "invalid_credentials", "Invalid credentials")
	var said failure
	login(password).want(403).into(&said)
	require.Regexp(t, `^Your account is suspended until \d+ \w+ \d{4}, \d\d:\d\d: A scam$`, said.Message)

	link := karim.appealLink(id)
	visitor := f.visitor()
	visitor.post("/appeals/open", fields{"token": "unknown"}).refused(400, "invalid", "Invalid or missing token")
	visitor.post("/appeals", fields{"token": "unknown", "text": "No"}).refused(400, "invalid", "Invalid or missing token")
	var opened api.DecisionOpened
	for range 2 {
		visitor.post("/appeals/open", fields{"token": link}).want(200).into(&opened)
	}
	require.Equal(t, id, opened.Decision.ID)
	visitor.post("/appeals", fields{"token": link, "text": " "}).refused(400, "invalid", "Please write why the decision is wrong.")
	var sent api.AppealSent
	visitor.post("/appeals", fields{"token": link, "text": "It was not me"}).want(201).into(&sent)
	require.Equal(t, "appeal_sent", sent.Code)
	visitor.post("/appeals/open", fields{"token": link}).refused(400, "invalid", "Invalid or missing token")
	visitor.post("/appeals", fields{"token": karim.appealLink(id), "text": "Again"}).
		refused(409, "duplicate", "You already appealed against this decision.")

	boss.post("/admin/users/"+karim.user.ID.String()+"/enable", nil).want(200)
	login(password).want(200)
}

func TestBanned(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim, karim, boss := f.member("rahim"), f.member("karim"), f.admin("boss")
	boss.decidesAbout(rahim, karim, fields{"action": "ban", "reason": "A scam"})
	f.visitor().post("/auth/login", fields{"username": "karim", "password": password}).
		refused(403, "forbidden", "Your account is suspended: A scam")
	boss.post("/admin/users/"+karim.user.ID.String()+"/disable", nil).want(200)
	f.visitor().post("/auth/login", fields{"username": "karim", "password": password}).
		refused(403, "forbidden", "This account has been disabled. Please contact support.")
}

// A hidden review is not listed and does not count.
func TestDecisions_review(t *testing.T) {
	t.Parallel()
	_, boss, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.trade(seller, 10)
	var review api.Review
	buyer.post("/reviews", fields{"dealId": deal.ID, "rating": 1, "comment": "A lie"}).want(201).into(&review)
	seller.post("/reports", fields{"subject": "review", "subjectId": review.ID, "reason": "false_review"}).want(201)
	boss.rules(boss.openCase().ID, fields{"action": "hide", "reason": "It is a lie"}).want(200)
	require.JSONEq(t, `[]`, string(buyer.get("/reviews?user="+seller.user.ID.String()).want(200).body))
	profile := buyer.profile(seller)
	require.Zero(t, profile.ReviewCount)
	require.Nil(t, profile.AverageRating)
	require.Equal(t, http.StatusConflict, buyer.post("/reviews", fields{"dealId": deal.ID, "rating": 1, "comment": "Again"}).status)
}

// Where admins need a second factor, one without it is not another admin to decide the appeal.
func TestAdminReports_appeal_alone(t *testing.T) {
	t.Parallel()
	f := newNamedFixture(t, func(c *config.API) { c.AdminSecondFactor = true })
	rahim, karim, boss, sadia := f.member("rahim"), f.member("karim"), f.admin("boss"), f.admin("sadia")
	boss.setsUpApp()
	id := boss.decidesAbout(rahim, karim, fields{"action": "warn", "reason": "Be polite"})
	karim.post("/decisions/"+id.String()+"/appeal", fields{"text": "I was polite"}).want(201)
	claim := "/admin/reports/" + id.String() + "/claim"
	boss.post(claim, nil).want(200)
	sadia.setsUpApp()
	boss.post(claim, nil).refused(403, "forbidden", "Another admin has to decide the appeal.")
}

// totals returns the bodies of the five admin totals.
func (b *browser) totals(query string) (users, deals, withdrawn, deposited, earned string) {
	b.t.Helper()
	read := func(path string) string {
		b.t.Helper()
		return string(b.get(path + query).want(200).body)
	}
	return read("/admin/total-users"), read("/admin/total-deals"), read("/admin/total-withdraw-amount"), read("/admin/total-deposits"),
		read("/admin/platform-earnings")
}

func (b *browser) requireTotals(query, users, deals, withdrawn, deposited, earned string) {
	b.t.Helper()
	u, d, w, in, e := b.totals(query)
	require.JSONEq(b.t, `{"totalUsers": `+users+`}`, u, query)
	require.JSONEq(b.t, `{"totalDeals": `+deals+`}`, d, query)
	require.JSONEq(b.t, `{"totalWithdrawAmount": `+withdrawn+`}`, w, query)
	require.JSONEq(b.t, `{"totalDepositAmount": `+deposited+`}`, in, query)
	require.JSONEq(b.t, `{"totalEarnings": `+earned+`}`, e, query)
}

func (b *browser) series(query string) api.Series {
	b.t.Helper()
	var series api.Series
	b.get("/admin/series" + query).want(200).into(&series)
	return series
}

// dhaka returns the current date in Dhaka.
func (f *fixture) dhaka() string { return f.clock.Now().In(clock.Dhaka).Format(time.DateOnly) }

func TestAdminTotals(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	first := f.dhaka()
	deal := buyer.active(seller, 100)
	removed := buyer.propose(seller, 7)
	buyer.do("DELETE", "/deals/"+removed.ID.String(), nil).want(200)

	f.later(3*day, boss, buyer, seller)
	second := f.dhaka()
	buyer.acts("complete", deal, "Deal marked as completed", "Completed")
	var submitted api.WithdrawalSubmitted
	seller.post("/withdraw", fields{"amount": 50.5, "phonenumber": "01712345678", "paymentMethod": "Bkash"}).want(201).into(&submitted)
	boss.requireTotals("", "3", "1", "0", "500", "2")
	seller.confirms(submitted.Withdrawal.ID)
	boss.post("/admin/withdrawals/"+submitted.Withdrawal.ID.String()+"/send", fields{"amount": 50.5}).want(200)
	buyer.post("/auth/deposit", fields{"amount": 9, "transactionId": transactionID(), "paymentMethod": "Bkash"}).want(201)

	boss.requireTotals("", "3", "1", "50.5", "500", "2")
	boss.requireTotals("?startDate="+first+"&endDate="+first, "3", "1", "0", "500", "0")
	boss.requireTotals("?startDate="+second+"&endDate="+second, "0", "0", "50.5", "0", "2")
	boss.requireTotals("?endDate="+second, "3", "1", "50.5", "500", "2")
	boss.requireTotals("?startDate="+second, "0", "0", "50.5", "0", "2")
	boss.requireTotals("?endDate=2020-01-01", "0", "0", "0", "0", "0")

	series := boss.series("?of=earnings&startDate=" + first)
	require.Equal(t, "earnings", series.Of)
	require.Equal(t, []string{first, second}, []string{series.StartDate, series.EndDate}, "to today")
	require.Len(t, series.Days, 4)
	require.Equal(t, api.SeriesDay{Date: first}, series.Days[0], "also when nothing happened")
	require.Equal(t, api.SeriesDay{Date: second, Count: 1, Amount: 2_00}, series.Days[3])
	for of, wanted := range map[string]api.SeriesDay{
		"deposits": {Date: first, Count: 1, Amount: 500_00}, "deals": {Date: first, Count: 1, Amount: 100_00}, "users": {Date: first, Count: 3},
	} {
		require.Equal(t, []api.SeriesDay{wanted}, boss.series("?of="+of+"&startDate="+first+"&endDate="+first).Days)
	}
	month := boss.series("?of=withdrawals&endDate=" + second)
	require.Len(t, month.Days, 30)
	require.Equal(t, api.SeriesDay{Date: second, Count: 1, Amount: 50_50}, month.Days[29])
}

// A business day starts at midnight in Dhaka, 18:00 UTC.
func TestAdminTotals_days_in_dhaka(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss := f.admin("boss")
	for at, username := range map[string]string{"2020-03-01T17:59:59.999999Z": "before", "2020-03-01T18:00:00Z": "after"} {
		f.member(username)
		_, err := f.owner.Exec(t.Context(), "update users set created_at = $1::timestamptz where username = $2", at, username)
		require.NoError(t, err)
	}
	for query, wanted := range map[string]string{
		"?startDate=2020-03-01&endDate=2020-03-01": `{"totalUsers": 1}`,
		"?startDate=2020-03-02&endDate=2020-03-02": `{"totalUsers": 1}`,
		"?endDate=2020-02-29":                      `{"totalUsers": 0}`,
		"?startDate=2020-03-01&endDate=2020-03-02": `{"totalUsers": 2}`,
	} {
		require.JSONEq(t, wanted, string(boss.get("/admin/total-users"+query).want(200).body), query)
	}
	days := boss.series("?of=users&startDate=2020-03-01&endDate=2020-03-03").Days
	require.Equal(t, []api.SeriesDay{{Date: "2020-03-01", Count: 1}, {Date: "2020-03-02", Count: 1}, {Date: "2020-03-03"}}, days)
}

func TestAdminTotals_invalid(t *testing.T) {
	t.Parallel()
	boss := newFixture(t).admin("boss")
	for _, path := range []string{
		"/admin/total-users", "/admin/total-deals", "/admin/total-withdraw-amount", "/admin/total-deposits", "/admin/platform-earnings",
		"/admin/series",
	} {
		of := "&of=deals"
		for _, date := range []string{"x", "2026-02-30", "2026-1-1", "01/02/2026", "0000-01-01"} {
			failure := boss.get(path+"?startDate="+date+of).refused(400, "invalid", "startDate must be a date such as 2026-01-31.")
			require.Contains(t, failure.Fields, "startDate")
		}
		boss.get(path+"?startDate=2026-01-02&endDate=2026-01-01"+of).refused(400, "invalid", "endDate must not be before startDate.")
	}
	boss.get("/admin/series").refused(400, "invalid", "Choose what to count.")
	boss.get("/admin/series?of=gold").refused(400, "invalid", "of must be one of deposits, withdrawals, earnings, deals, users.")
	boss.get("/admin/series?of=users&startDate=2024-01-01&endDate=2024-12-31").want(200)
	boss.get("/admin/series?of=users&startDate=2024-01-01&endDate=2025-01-01").refused(400, "invalid", "The range must be at most 366 days.")
}
