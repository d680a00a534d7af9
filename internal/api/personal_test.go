package api_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"image/color"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/devtools/localstack"
	"amanat/internal/domain/personal"
	"amanat/internal/domain/reports"
	"amanat/internal/lib/ratelimit"
	"amanat/queue/jobs"
)

// latestExport returns the user's latest export, nil if there is none.
func (b *browser) latestExport() *personal.Export {
	b.t.Helper()
	var latest struct{ Export *personal.Export }
	b.get("/auth/data-export").want(200).into(&latest)
	return latest.Export
}

// awaitExport waits for the status of the user's latest export.
func (f *fixture) awaitExport(b *browser, status personal.Status) (export personal.Export) {
	f.t.Helper()
	require.Eventually(f.t, func() bool {
		export = *b.latestExport()
		return export.Status == status
	}, 20*time.Second, 20*time.Millisecond, f.log.String())
	return export
}

func exportFile(e personal.Export) string { return "/auth/data-export/" + e.ID.String() + "/file" }

// unzipped returns the files of an archive.
func unzipped(t *testing.T, archive []byte) map[string]string {
	t.Helper()
	reader, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	require.NoError(t, err)
	files := map[string]string{}
	for _, f := range reader.File {
		content, err := f.Open()
		require.NoError(t, err)
		text, err := io.ReadAll(content)
		require.NoError(t, err)
		files[f.Name] = string(text)
	}
	return files
}

// The archive has everything that the user has made, and no text of anybody else.
func TestDataExport(t *testing.T) {
	t.Parallel()
	f, mails := newFixtureWithData(t)
	boss, other := f.admin("boss"), f.member("other")
	boss.setRate(120)
	other.fund(boss, 500)
	leaver := f.leaver(boss, other)
	require.Nil(t, leaver.latestExport())
	var asked api.ExportRequested
	leaver.post("/auth/data-export", nil).want(http.StatusAccepted).into(&asked)
	require.Equal(t, "export_requested", asked.Code)
	require.Equal(t, personal.Pending, asked.Export.Status)
	export := f.awaitExport(leaver, personal.Ready)
	require.Equal(t, asked.Export.ID, export.ID)
	require.Equal(t, 7*day, export.ExpiresAt.Sub(*export.ReadyAt))
	var told personal.ExportReady
	leaver.lastEvent("dataExportReady", &told)
	require.Equal(t, export.ID, told.Export.ID)
	require.Equal(t, "data_export_ready", leaver.kinds()[0])
	mail := f.mailed(mails, mark+"@"+mark+".example", "Your data is ready to download.")
	require.Contains(t, mail.Text, f.url+"/security")

	got := leaver.get(exportFile(export)).want(200)
	require.Equal(t, "no-store", got.header.Get("Cache-Control"))
	require.Regexp(t, `^attachment; filename="amanat-The-quokka-\d{4}-\d\d-\d\d\.zip"$`, got.header.Get("Content-Disposition"))
	require.Len(t, got.body, int(export.Size))
	files := unzipped(t, got.body)
	pictures := 0
	for name, text := range files {
		switch {
		case strings.HasPrefix(name, "pictures/"):
			pictures++
		case strings.HasSuffix(name, ".json"):
			var rows []map[string]any
			require.NoError(t, json.Unmarshal([]byte(text), &rows), name)
			require.NotEmpty(t, rows, name)
			require.Contains(t, files["README.txt"], name)
			require.NotContains(t, text, others, "what others wrote")
		}
	}
	require.Equal(t, 9, pictures)
	for _, name := range []string{
		"profile", "sessions", "passkeys", "push_browsers", "security_events", "email_changes", "posts", "deals", "deal_links",
		"counteroffers", "deal_actions", "support_requests", "disputes", "messages", "reviews", "bug_reports", "contact_messages",
	} {
		require.Contains(t, files[name+".json"], mark, name)
	}
	require.Equal(t, 3, strings.Count(files["withdrawals.json"], markPhone))
	require.Contains(t, files["wallet.json"], `"amount":98.00`)
	require.Contains(t, files["messages.json"], `"to":"other"`)
	require.Equal(t, 3, strings.Count(files["deals.json"], "A channel of a "+mark), "also the one that was withdrawn")
	require.NotContains(t, files["deals.json"], `"A channel"`, "described by the other")
	require.Contains(t, files["deals.json"], "Agreed by a "+mark, "whose description the other has accepted")
}

func TestDataExport_access(t *testing.T) {
	t.Parallel()
	f, _ := newFixtureWithData(t)
	user, stranger := f.member("rahim"), f.member("stranger")
	user.post("/auth/data-export", nil).want(http.StatusAccepted)
	export := f.awaitExport(user, personal.Ready)
	stranger.get(exportFile(export)).refused(404, "not_found", "This download is no longer available.")
	f.visitor().get(exportFile(export)).want(401)
	f.clock.Advance(11 * time.Minute)
	user.get(exportFile(export)).refused(403, "password_required", "Please enter your password again.")
	user.post("/auth/data-export", nil).refused(403, "password_required", "Please enter your password again.")

	f.later(7*day, user)
	user.get(exportFile(export)).want(404)
	require.Nil(t, user.latestExport(), "expired")
	f.runs(jobs.Cleanup)
	var left int
	require.NoError(t, f.owner.QueryRow(t.Context(),
		`select (select count(*) from data_exports) + (select count(*) from data_export_parts)`).Scan(&left))
	require.Zero(t, left)
}

// A user may have one archive made a day. One that is pending is answered again.
func TestDataExport_limits(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.Limits.DataExportLimit = ratelimit.Rate{Count: 1, Per: day} })
	user := f.member("rahim")
	var first, again api.ExportRequested
	user.post("/auth/data-export", nil).want(http.StatusAccepted).into(&first)
	user.post("/auth/data-export", nil).want(http.StatusAccepted).into(&again)
	require.Equal(t, first.Export.ID, again.Export.ID)
	f.work(jobs.QueueData)
	f.awaitExport(user, personal.Ready)
	user.post("/auth/data-export", nil).want(http.StatusTooManyRequests)
	_, err := f.owner.Exec(t.Context(), `update data_exports set status = 'failed', ready_at = null, expires_at = null`)
	require.NoError(t, err)
	user.post("/auth/data-export", nil).want(http.StatusAccepted)
}

// closing returns what keeps the user from closing the account.
func (b *browser) closing() (c api.Closing) {
	b.t.Helper()
	b.get("/auth/close").want(200).into(&c)
	return c
}

// Offers that wait keep no account open: closing declines those of others and withdraws one's own.
func TestCloseAccount_ends_pending_deals(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	theirs, own := buyer.propose(seller, 10), seller.proposeToBuyer(buyer, 20)
	require.Empty(t, seller.closing().Blockers)
	seller.leaves().want(200)
	for _, deal := range []api.DealDetail{theirs, own} {
		buyer.get("/deals/"+deal.ID.String()).refused(404, "not_found", "Deal not found.")
	}
	kinds := []string{}
	for _, notice := range buyer.notifications("").Notifications {
		kinds = append(kinds, notice.Kind)
	}
	require.Subset(t, kinds, []string{"deal_declined", "deal_withdrawn"})
}

func TestCloseAccount_refused(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	refused := func(b *browser, message string, blockers ...string) {
		t.Helper()
		b.leaves().refused(409, "conflict", message)
		require.Equal(t, blockers, b.closing().Blockers)
	}
	const (
		open    = "You still have open deals. Finish or cancel them first."
		pending = "You still have pending deposits or withdrawals."
		balance = "Withdraw your balance before you close your account."
	)
	offered := seller.proposeToBuyer(buyer, 10)
	refused(buyer, balance, "balance")
	require.Equal(t, "500.00", buyer.closing().Balance.String())
	buyer.post(pay(offered), nil).want(200)
	refused(seller, open, "open_deals")
	refused(buyer, open, "open_deals", "balance")
	require.Equal(t, 1, seller.closing().OpenDeals)
	buyer.post(complete(offered), nil).want(200)
	refused(seller, balance, "balance")
	asked := seller.withdraws(9.80, "01712345678")
	refused(seller, pending, "pending_money")
	seller.confirms(asked.ID)
	boss.post("/admin/withdrawals/"+asked.ID.String()+"/send", fields{"amount": 9.80, "transactionId": transactionID()}).want(200)
	seller.reports(5, transactionID())
	refused(seller, pending, "pending_money")
	_, err := f.owner.Exec(t.Context(), `update deposits set status = 'Failed', handled_at = now() where status = 'pending'`)
	require.NoError(t, err)

	boss.leaves().refused(403, "forbidden", "Admins cannot close their account.")
	require.Equal(t, []string{"admin"}, boss.closing().Blockers)
	seller.post("/auth/close", fields{"username": "buyer"}).refused(400, "invalid", "Please type your username to confirm.")
	f.clock.Advance(11 * time.Minute)
	seller.leaves().refused(403, "password_required", "Please enter your password again.")
	f.later(0, seller)
	require.Empty(t, seller.closing().Blockers)
	done := seller.leaves().want(200)
	require.JSONEq(t, `{"message": "Your account has been closed.", "outcome": "account_closed"}`, string(done.body))
	require.True(t, slices.ContainsFunc(done.header.Values("Set-Cookie"), func(c string) bool { return strings.Contains(c, "Max-Age=0") }))
	seller.get("/auth/me").want(401)
}

// dump returns every column of every table and materialized view, by its name, with binary columns
// as text.
func (f *fixture) dump() map[string]string {
	f.t.Helper()
	conn, err := f.owner.Acquire(f.t.Context())
	require.NoError(f.t, err)
	defer conn.Release()
	_, err = conn.Exec(f.t.Context(), `set bytea_output = 'escape'`)
	require.NoError(f.t, err)
	rows, err := conn.Query(f.t.Context(), `
		select format('%s.%I', relnamespace::regnamespace, relname) from pg_class
		 where relnamespace in ('public'::regnamespace, 'ledger'::regnamespace, 'river'::regnamespace) and relkind in ('r', 'm')`)
	require.NoError(f.t, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(f.t, err)
	require.Greater(f.t, len(tables), 40)
	contents := map[string]string{}
	for _, table := range tables {
		var text string
		require.NoError(f.t, conn.QueryRow(f.t.Context(), `select coalesce(string_agg(r::text, E'\n'), '') from `+table+` r`).Scan(&text))
		contents[table] = text
	}
	return contents
}

// Of a user who has done everything in the product nothing readable is left: neither in their own
// rows nor in those of others.
func TestCloseAccount_nothing_is_left(t *testing.T) {
	t.Parallel()
	f, mails := newFixtureWithData(t)
	boss, other := f.admin("boss"), f.member("other")
	boss.setRate(120)
	other.fund(boss, 500)
	leaver := f.leaver(boss, other)
	leaver.post("/auth/data-export", nil).want(http.StatusAccepted)
	f.awaitExport(leaver, "ready")
	f.runs(jobs.PostWords)
	trace := regexp.MustCompile(`(?i).{0,80}(` + mark + `|` + markPhone + `).{0,80}`)
	found := 0
	for _, text := range f.dump() {
		if trace.MatchString(text) {
			found++
		}
	}
	require.Greater(t, found, 15, "the user has left traces in few tables")
	f.reconciled()

	leaver.leaves().want(200)
	f.mailed(mails, mark+"@"+mark+".example", "Your Amanat account is closed")
	f.awaitErased(leaver)
	// Reported after the account was closed, before it was erased.
	_, err := f.owner.Exec(t.Context(), `
		insert into moderation_cases (id, subject, subject_id, accused_id, username, title, text, category, first_reported_at)
		select gen_random_uuid(), 'message', gen_random_uuid(), id, username, '', $2, '', now() from users where id = $1`, leaver.user.ID, mark)
	require.NoError(t, err)
	f.clock.Advance(8 * day) // longer than what expires by itself is kept
	f.runs(jobs.EraseAccount{UserID: leaver.user.ID})
	f.runs(jobs.Cleanup)
	f.runs(jobs.PostWords)
	f.runs(jobs.EventsPrune)
	_, err = f.owner.Exec(t.Context(), `delete from river.river_job where finalized_at is not null`) // as River does after an hour
	require.NoError(t, err)
	for table, text := range f.dump() {
		for _, line := range trace.FindAllString(text, -1) {
			t.Errorf("%s: %s", table, line)
		}
	}
	var kept int
	require.NoError(t, f.owner.QueryRow(t.Context(), `
		select (select count(*) from images where owner_id = $1) + (select count(*) from image_blobs)
		     + (select count(*) from sessions where user_id = $1)
		     + (select count(*) from account_events where user_id = $1)`, leaver.user.ID).Scan(&kept))
	require.Zero(t, kept, "pictures, sessions and events")
	f.reconciled()
	require.Contains(t, f.dump()["public.messages"], others, "what others wrote stays")
}

// awaitErased waits until the first erasure of an account has ended.
func (f *fixture) awaitErased(b *browser) {
	f.t.Helper()
	require.Eventually(f.t, func() bool {
		var erased bool
		err := f.owner.QueryRow(f.t.Context(), `select erased_at is not null from users where id = $1`, b.user.ID).Scan(&erased)
		return err == nil && erased
	}, 20*time.Second, 20*time.Millisecond)
}

// Others see a pseudonym instead of a user who has closed their account.
func TestCloseAccount_as_others_see_it(t *testing.T) {
	t.Parallel()
	f, _ := newFixtureWithData(t)
	boss, other := f.admin("boss"), f.member("other")
	boss.setRate(120)
	other.fund(boss, 500)
	leaver := f.leaver(boss, other)
	leaver.leaves().want(200)
	f.awaitErased(leaver)

	list, _ := other.inbox("")
	require.Len(t, list, 1)
	require.False(t, list[0].Writable)
	for _, party := range list[0].Participants {
		require.Equal(t, party.ID == leaver.user.ID, party.Closed)
		if party.Closed {
			require.Regexp(t, `^deleted-[a-z2-7]{8}$`, party.Username)
		}
	}
	for _, message := range other.reads(list[0].ID, "").Messages {
		sent := message.SenderID == leaver.user.ID
		require.Equal(t, sent, message.Erased)
		require.Equal(t, sent, message.Text == "")
		require.Empty(t, message.Image)
	}
	other.post("/messages", fields{"conversationId": list[0].ID, "text": "Are you there?"}).want(409)
	var deals []api.Deal
	other.get("/deals/my-deals").want(200).into(&deals)
	require.Len(t, deals, 2)
	for _, deal := range deals {
		require.True(t, deal.DescriptionErased)
		require.Empty(t, deal.Description)
		require.True(t, deal.Buyer.Closed || deal.Seller.Closed)
		require.False(t, deal.BuyerSuspended || deal.SellerSuspended)
	}
	var reviews []api.Review
	other.get("/reviews?user=" + other.user.ID.String()).want(200).into(&reviews)
	require.Len(t, reviews, 1)
	require.Equal(t, 4, reviews[0].Rating)
	require.Empty(t, reviews[0].Comment)
	require.True(t, reviews[0].Reviewer.Closed)
	visitor := f.visitor()
	pseudonym := fields{"username": reviews[0].Reviewer.Username, "password": password}
	visitor.post("/auth/login", pseudonym).refused(401, "invalid_credentials", "Invalid credentials")
	visitor.get("/auth/profile/" + leaver.user.Username).want(404)
	visitor.get("/auth/profile/" + reviews[0].Reviewer.Username).want(404)
	visitor.get("/posts/user/" + reviews[0].Reviewer.Username).want(404)
	visitor.post("/auth/login", fields{"username": leaver.user.Username, "password": password}).want(401)
	for _, name := range []string{leaver.user.Username, "the_QU0KKA"} {
		visitor.post("/auth/signup", fields{"username": name, "email": "next@example.com", "password": password}).
			refused(409, "duplicate", "This username looks like one that is taken. Please choose another.")
	}
	visitor.post("/auth/signup", fields{"username": "deleted-abcdefgh", "email": "next@example.com", "password": password}).
		refused(400, "invalid", "This username cannot be used. Please choose another.")
	boss.post("/admin/users/"+leaver.user.ID.String()+"/enable", nil).
		refused(409, "conflict", "This account is closed and cannot be enabled.")
}

// The name of a closed account is kept until the account is erased, which needs it.
func TestCloseAccount_name_kept_until_erased(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.work(jobs.QueueMaintenance) // nothing is erased
	leaver := f.member("leaver")
	leaver.leaves().want(200)
	f.clock.Advance(2 * day)
	f.runs(jobs.Cleanup)
	require.Contains(t, f.dump()["public.closed_accounts"], "leaver")
	_, err := f.owner.Exec(t.Context(), `update users set erased_at = closed_at where id = $1`, leaver.user.ID)
	require.NoError(t, err)
	f.runs(jobs.Cleanup)
	require.Empty(t, f.dump()["public.closed_accounts"])
}

// What the leaver's name, address, browser and texts contain, and their phone number.
const (
	mark      = "quokka"
	markPhone = "01755512399"
	others    = "wombat" // in the texts of the other user
)

// newFixtureWithData is a fixture whose workers serve all queues but the periodic one, and its
// mails.
func newFixtureWithData(t *testing.T) (f *fixture, mails *localstack.MailCatcher) {
	t.Helper()
	f = newFixture(t)
	mails, err := localstack.StartMail(context.WithoutCancel(t.Context()), f.clock.Now)
	require.NoError(t, err)
	t.Cleanup(func() { _ = mails.Stop() })
	f.smtpURL = mails.URL()
	f.work(jobs.QueueMail, jobs.QueueData, jobs.QueueMaintenance)
	return f, mails
}

// runs runs a job and waits for its end. A unique job that River has inserted before may have read
// the tables already, so runs waits for it and inserts another one.
func (f *fixture) runs(args river.JobArgs) {
	f.t.Helper()
	inserter, err := jobs.NewInserter(f.workerDB, quiet())
	require.NoError(f.t, err)
	var job *rivertype.JobInsertResult
	require.Eventually(f.t, func() bool {
		job, err = inserter.Insert(f.t.Context(), args, nil)
		return err == nil && !job.UniqueSkippedAsDuplicate
	}, 20*time.Second, 20*time.Millisecond)
	require.Eventually(f.t, func() bool {
		var state string
		err := f.owner.QueryRow(f.t.Context(), `select state from river.river_job where id = $1`, job.Job.ID).Scan(&state)
		require.NotContains(f.t, []string{"discarded", "cancelled", "retryable"}, state, f.log.String())
		return err == nil && state == "completed"
	}, 20*time.Second, 20*time.Millisecond)
}

func (f *fixture) reconciled() {
	f.t.Helper()
	findings, err := reports.Reconcile(f.t.Context(), f.workerDB)
	require.NoError(f.t, err)
	require.Empty(f.t, findings)
}

// leaves makes b close the account.
func (b *browser) leaves() reply {
	b.t.Helper()
	return b.post("/auth/close", fields{"username": b.user.Username})
}

// leaver returns a user who has done everything in the product that leaves a trace, and has no
// money left.
func (f *fixture) leaver(boss, other *browser) *browser {
	f.t.Helper()
	b := f.visitor()
	agent := []string{"User-Agent", mark + " browser"}
	b.post("/auth/signup", fields{
		"username": "The-" + mark, "email": mark + "@" + mark + ".example", "password": password, "referredBy": other.me().ReferralCode,
	}, agent...).want(http.StatusCreated).into(&b.user)
	f.visitor().post("/auth/login", fields{"username": b.user.Username, "password": "a wrong one"}, agent...).want(401)
	b.do(http.MethodPut, "/auth/update-profile", fields{"profilePic": pictureURL(f.t, color.White, 20, 20)}).want(200)
	b.post("/auth/email", fields{"email": mark + "2@" + mark + ".example"}).want(200)
	_, err := f.owner.Exec(f.t.Context(), `
		insert into passkeys (id, user_id, credential_id, public_key, sign_count, backup_eligible, transports, name, created_at)
		values (gen_random_uuid(), $1, 'id', 'key', 0, false, '{}', $2, now())`, b.user.ID, mark+" phone")
	require.NoError(f.t, err)
	b.publish(fields{
		"title": mark + " logo", "description": mark, "tags": []string{mark},
		"images": []string{b.addPicture(color.Black), b.addPicture(color.White)},
	})
	b.do(http.MethodPut, "/posts/"+other.publish(fields{"title": others}).ID.String()+"/saved", nil).want(200)
	b.put("/posts/saved/searches?search="+mark, nil).want(200)
	b.post("/auth/bug-report", fields{"subject": mark, "description": mark}, "Idempotency-Key", mark+"-bug").want(201)
	b.post("/contact", fields{"name": mark, "email": mark + "@example.com", "message": mark}).want(201)
	f.leaverTrades(b, boss, other)
	f.leaverTalks(b, boss, other)
	f.leaverReports(b, boss, other)
	f.leaverPays(b, boss)
	_, err = f.owner.Exec(f.t.Context(), `
		insert into checkouts (id, user_id, payment_method, amount, rate, converted_amount, created_at, state, failure, url, ref)
		values (gen_random_uuid(), $1, 'Bkash', 1000, 120, 120000, now(), 'failed', 'cancelled', 'https://bkash.example/' || $2, 'ref')`,
		b.user.ID, mark)
	require.NoError(f.t, err)
	_, err = f.owner.Exec(f.t.Context(), `
		insert into push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth, user_agent, created_at, renewed_at)
		values (gen_random_uuid(), $1, gen_random_uuid(), 'https://push.example/' || $2, decode(repeat('04', 65), 'hex'),
		        decode(repeat('00', 16), 'hex'), $2, now(), now())`, b.user.ID, mark+" phone")
	require.NoError(f.t, err)
	return b
}

// offers makes b propose a deal with the mark in its description, as its seller or its buyer.
func (b *browser) offers(other *browser, seller bool, price float64) api.DealDetail {
	b.t.Helper()
	terms := fields{
		"price": price, "description": "A channel of a " + mark, "deliveryDuration": 7, "buyerId": b.user.ID, "sellerId": other.user.ID,
	}
	if seller {
		terms["buyerId"], terms["sellerId"] = other.user.ID, b.user.ID
	}
	var deal api.DealDetail
	b.post("/deals/create", terms, "Idempotency-Key", mark+uuid.NewString()).want(201).into(&deal)
	return deal
}

func (f *fixture) leaverTrades(b, boss, other *browser) {
	f.t.Helper()
	sold := b.offers(other, true, 100)
	other.post(pay(sold), nil).want(200)
	b.support(sold, mark+" asks for help").want(201)
	boss.post(closeSupport(boss.supportRequests()[0]), answered).want(200)
	boss.post("/admin/users/"+b.user.ID.String()+"/disable", fields{"reason": "to be sure"}).want(200)
	boss.post("/admin/users/"+b.user.ID.String()+"/enable", nil).want(200)
	b.post("/auth/login", fields{"username": b.user.Username, "password": password}, "User-Agent", mark+" browser").want(200)
	b.do(http.MethodPut, "/deals/"+sold.ID.String()+"/proof", fields{"shown": true}).want(200)
	b.post(act("deliver", sold), fields{"text": "Here is a " + mark, "pictures": []uuid.UUID{b.shows(sold).ID}}).want(200)
	other.post(act("reset-delivery", sold), fields{"text": others + " asks for changes"}).want(200)
	b.post(act("deliver", sold), fields{
		"text": "Another " + mark, "pictures": []uuid.UUID{b.shows(sold).ID}, "courier": "Courier " + mark, "trackingNumber": mark,
	}).want(200)
	x := b.post("/deals/"+sold.ID.String()+"/dispute", fields{
		"reason": "other", "text": mark + " is not paid", "links": []string{"https://" + mark + ".example"},
		"pictures": []uuid.UUID{b.evidence(sold.ID).ID},
	}).want(201).enters()
	other.post(dispute(x, "answer"), fields{"text": others + " answers"}).want(200)
	b.post(dispute(x, "messages"), fields{"text": mark + " waits"}).want(200)
	other.post(complete(sold), nil).want(200)
	other.post("/reviews", fields{"dealId": sold.ID, "rating": 5, "comment": others}).want(201)
	bought := b.offers(other, false, 20)
	other.do(http.MethodPut, accept(bought), nil).want(200)
	b.post(pay(bought), nil).want(200)
	b.post(complete(bought), nil).want(200)
	b.post("/reviews", fields{"dealId": bought.ID, "rating": 4, "comment": "Bought by a " + mark}).want(201)
	withdrawn := b.offers(other, true, 5)
	b.do(http.MethodDelete, remove(withdrawn), nil).want(200)
	guest := fields{"email": mark + "3@" + mark + ".example", "phone": markPhone}
	link := fields{"price": 5, "description": "A link of a " + mark, "deliveryDuration": 7, "sellerId": b.user.ID, "invite": guest}
	b.post("/deals/create", link, "Idempotency-Key", uuid.NewString()).want(201)
	their := other.proposeToBuyer(b, 3) // described by the other
	var countered api.DealChange
	b.post(counteroffers(their), fields{
		"price": 2, "description": "Terms of a " + mark, "deliveryDuration": 7, "inspectionDays": 3, "text": "Please, says the " + mark,
	}).want(201).into(&countered)
	other.do(http.MethodDelete, remove(their), nil).want(200)
	their = other.proposeToBuyer(b, 3)
	b.post(counteroffers(their), fields{
		"price": 2, "description": "Agreed by a " + mark, "deliveryDuration": 7, "inspectionDays": 3,
	}).want(201).into(&countered)
	other.post(counteroffer(countered.Deal, "/accept"), nil).want(200)
	other.do(http.MethodDelete, remove(their), nil).want(200)
}

func (f *fixture) leaverTalks(b, boss, other *browser) {
	f.t.Helper()
	talk := b.opens(other, fields{"text": "Hello from " + mark}).Conversation.ID
	b.post("/messages", fields{"conversationId": talk, "text": "see", "image": pictureURL(f.t, color.White, 40, 40)}).want(201)
	other.says(talk, others+" says hello")
	b.post("/messages", fields{"conversationId": talk, "text": "bye, " + mark}, "Idempotency-Key", mark+"-bye").want(201)
	boss.get("/admin/messages/by-users/" + b.user.ID.String() + "/" + other.user.ID.String()).want(200)
}

// leaverReports makes b report and block others, be reported, and appeal against the decision.
func (f *fixture) leaverReports(b, boss, other *browser) {
	f.t.Helper()
	report := func(by *browser, subject string, id uuid.UUID, text string) {
		f.t.Helper()
		body := fields{"subject": subject, "subjectId": id, "reason": "other", "text": text}
		by.post("/reports", body, "Idempotency-Key", uuid.NewString()).want(201)
	}
	report(b, "user", other.user.ID, "They bite a "+mark)
	post := b.publish(fields{
		"title": mark + " for hire", "description": mark, "category": "Online Asset", "subcategory": "YouTube Channel",
		"facts": fields{"niche": mark}, "images": []string{b.addPicture(color.Black), b.addPicture(color.White)},
	})
	report(other, "post", post.ID, others+" says so")
	report(other, "user", b.user.ID, others+" says so")
	var queue api.AdminCases
	boss.get("/admin/reports").want(200).into(&queue)
	for _, c := range queue.Cases {
		if c.Subject == "post" {
			ruling := fields{"action": "hide", "reason": "It is for sale elsewhere."}
			boss.post("/admin/reports/"+c.ID.String()+"/decide", ruling, "Idempotency-Key", uuid.NewString()).want(200)
		}
	}
	var decisions []api.Decision
	b.get("/decisions").want(200).into(&decisions)
	require.Len(f.t, decisions, 1)
	appeal := fields{"text": "No " + mark + " is"}
	b.post("/decisions/"+decisions[0].ID.String()+"/appeal", appeal, "Idempotency-Key", uuid.NewString()).want(201)
	b.post("/users/"+f.member("bystander").user.ID.String()+"/block", nil).want(200)
}

// leaverPays withdraws all money of b, in three ways. A balance is corrected, and the correction
// corrected.
func (f *fixture) leaverPays(b, boss *browser) {
	f.t.Helper()
	b.fund(boss, 40)
	b.post("/wallet/payout-numbers", fields{"name": mark, "paymentMethod": "Bkash", "phoneNumber": markPhone}).want(201)
	cancelled := b.withdraws(1, markPhone)
	b.post("/withdraw/"+cancelled.ID.String()+"/cancel", nil).want(200)
	boss.post("/admin/withdrawals/"+b.withdraws(1, markPhone).ID.String()+"/reject", fields{"reason": "No such number."}).want(200)
	second := f.admin("second")
	for _, direction := range []string{"credit", "debit"} {
		correction := fields{"userId": b.user.ID, "direction": direction, "amount": 1, "reason": "A test.", "note": "Of a " + mark}
		var proposed api.CorrectionHandled
		boss.post("/admin/corrections", correction).want(201).into(&proposed)
		second.post(correctionPath(proposed.Correction)+"/confirm", nil).want(200)
	}
	sent := b.withdraws(118, markPhone)
	b.confirms(sent.ID)
	boss.post("/admin/withdrawals/"+sent.ID.String()+"/send", fields{"amount": 118, "transactionId": transactionID()}).want(200)
}
