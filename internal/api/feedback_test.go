package api_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/catalog"
)

// adminNotices waits until the admin has n notifications and returns their texts, oldest first.
func (f *fixture) adminNotices(boss *browser, n int) (messages []string) {
	f.t.Helper()
	require.Eventually(f.t, func() bool {
		messages = nil
		rows, err := f.owner.Query(f.t.Context(), `
			select kind, params from notifications where user_id = $1 and audience = 'admin' order by id`, boss.user.ID)
		require.NoError(f.t, err)
		defer rows.Close()
		for rows.Next() {
			var kind catalog.Kind
			var params catalog.Params
			require.NoError(f.t, rows.Scan(&kind, &params))
			messages = append(messages, catalog.Render(catalog.English, kind, params))
		}
		require.NoError(f.t, rows.Err())
		return len(messages) == n
	}, 20*time.Second, 20*time.Millisecond)
	return messages
}

func TestBugReport(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	catcher := f.catchMail()
	boss, v, b := f.admin("boss"), f.visitor(), f.member("rahim")
	require.JSONEq(t, `[]`, string(boss.get("/admin/bug-reports").want(200).body))
	answer := v.post("/auth/bug-report", fields{
		"name": "Nusrat", "email": "nusrat@example.com", "subject": "Pay\r\nbutton", "description": "It does\nnothing.", "reportedBy": "boss",
	}).want(201)
	require.JSONEq(t, `{"message": "Thank you! Your report has been submitted.", "outcome": "bug_reported"}`, string(answer.body))
	mail := f.mailed(catcher, "support@example.com", "Bug report: Pay button")
	require.Equal(t, "<nusrat@example.com>", mail.Header.Get("Reply-To"))
	require.Contains(t, mail.Text, "Nusrat <nusrat@example.com>, not logged in")
	b.post("/auth/bug-report", fields{"subject": "Second", "description": "Too"}).want(201)
	mail = f.mailed(catcher, "support@example.com", "Bug report: Second")
	require.Contains(t, mail.Text, "rahim <rahim@example.com>, account: rahim")

	var list []api.BugReport
	all := boss.get("/admin/bug-reports").want(200)
	all.into(&list)
	require.Equal(t, "2", all.header.Get("X-Total-Count"))
	require.Len(t, list, 2)
	require.Equal(t, "rahim", list[0].ReportedBy)
	require.Equal(t, "rahim@example.com", list[0].Email)
	require.Empty(t, list[1].ReportedBy, "what the client says of itself is ignored")
	require.Equal(t, "It does\nnothing.", list[1].Description)
	boss.get("/admin/bug-reports?limit=1&page=2").want(200).into(&list)
	require.Equal(t, "Pay button", list[0].Subject)

	require.ElementsMatch(t, []string{"A visitor reports a problem: Pay button", "rahim reports a problem: Second"}, f.adminNotices(boss, 2))
}

func TestContact(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	catcher := f.catchMail()
	boss, v := f.admin("boss"), f.visitor()
	answer := v.post("/contact", fields{"name": "Nusrat", "email": "nusrat@example.com", "message": "Do you buy shops?"}).want(201)
	require.JSONEq(t, `{"message": "Thank you! Your message has been sent.", "outcome": "contact_sent"}`, string(answer.body))
	mail := f.mailed(catcher, "support@example.com", "Message from Nusrat")
	require.Contains(t, mail.Text, "Do you buy shops?")

	var list []api.ContactMessage
	boss.get("/admin/contact-messages").want(200).into(&list)
	require.Len(t, list, 1)
	require.Equal(t, "Do you buy shops?", list[0].Message)
	require.WithinDuration(t, f.clock.Now(), list[0].CreatedAt, time.Minute)
	require.Equal(t, []string{"A visitor wrote through the contact form."}, f.adminNotices(boss, 1))
}

// A retry with the same key creates no second row, email or notification.
func TestFeedback_idempotency_key(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.work()
	boss, rahim := f.admin("boss"), f.member("rahim")
	key := []string{"Idempotency-Key", "one-click"}
	contact := fields{"name": "Nusrat", "email": "nusrat@example.com", "message": "Do you buy shops?"}
	other := fields{"name": "Nusrat", "email": "nusrat@example.com", "message": "Or ships?"}
	report := fields{"subject": "Pay", "description": "It does nothing."}
	taken := func() (bugs, messages int) {
		const rows = `select (select count(*) from bug_reports), (select count(*) from contact_messages)`
		require.NoError(t, f.owner.QueryRow(t.Context(), rows).Scan(&bugs, &messages))
		return bugs, messages
	}

	const clicks = 4
	var group sync.WaitGroup
	for range clicks {
		group.Go(func() { f.visitor().post("/contact", contact, key...).want(201) })
		group.Go(func() { f.visitor().post("/auth/bug-report", report, key...).want(201) })
	}
	group.Wait()
	bugs, messages := taken()
	require.Equal(t, []int{1, 1}, []int{bugs, messages})
	// A visitor's key is not reserved for the first body.
	f.visitor().post("/contact", other, key...).want(201)
	first := rahim.post("/contact", contact, "Idempotency-Key", "his").want(201)
	require.JSONEq(t, string(first.body), string(rahim.post("/contact", contact, "Idempotency-Key", "his").want(201).body))
	for range 2 {
		rahim.post("/auth/bug-report", report, key...).want(201)
	}
	bugs, messages = taken()
	require.Equal(t, []int{2, 3}, []int{bugs, messages})
	f.adminNotices(boss, 5)

	const mismatch = "This Idempotency-Key was used for another request."
	rahim.post("/contact", other, "Idempotency-Key", "his").refused(409, "idempotency_mismatch", mismatch)
	rahim.post("/auth/bug-report", fields{"subject": "Pay", "description": "Else."}, key...).refused(409, "idempotency_mismatch", mismatch)
	rahim.post("/contact", fields{}, "Idempotency-Key", "third").refused(400, "invalid", "Name is required.")
	// A refused request does not use up its key.
	rahim.post("/contact", other, "Idempotency-Key", "third").want(201)
}
