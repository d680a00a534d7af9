package api_test

import (
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/queue/jobs"
)

// dump returns every column of every table, by table, with binary columns as text.
func (f *fixture) dump() map[string]string {
	f.t.Helper()
	conn, err := f.owner.Acquire(f.t.Context())
	require.NoError(f.t, err)
	defer conn.Release()
	_, err = conn.Exec(f.t.Context(), `set bytea_output = 'escape'`)
	require.NoError(f.t, err)
	rows, err := conn.Query(f.t.Context(), `
		select format('%I.%I', table_schema, table_name) from information_schema.tables
		 where table_schema in ('public', 'ledger', 'river') and table_type = 'BASE TABLE'`)
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
	f.runs(jobs.Cleanup{})
	f.runs(jobs.EventsPrune{})
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
	f.runs(jobs.Cleanup{})
	require.Contains(t, f.dump()["public.closed_accounts"], "leaver")
	_, err := f.owner.Exec(t.Context(), `update users set erased_at = closed_at where id = $1`, leaver.user.ID)
	require.NoError(t, err)
	f.runs(jobs.Cleanup{})
	require.Empty(t, f.dump()["public.closed_accounts"])
}
