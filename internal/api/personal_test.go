package api_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/domain/personal"
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
	letter := f.mailed(mails, mark+"@"+mark+".example", "Your data is ready to download.")
	require.Contains(t, letter.Text, f.url+"/security")

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
	require.Equal(t, 6, pictures)
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
	f.runs(jobs.Cleanup{})
	var left int
	require.NoError(t, f.owner.QueryRow(t.Context(),
		`select (select count(*) from data_exports) + (select count(*) from data_export_parts)`).Scan(&left))
	require.Zero(t, left)
}

// A user may have one archive made a day. One that is pending is answered again.
func TestDataExport_limits(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.DataExportLimit = ratelimit.Rate{Count: 1, Per: day} })
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
