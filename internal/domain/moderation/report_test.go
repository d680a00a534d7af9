package moderation_test

import (
	"crypto/sha256"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/moderation"
	"amanat/internal/domain/posts"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/idempotency"
)

func TestReport_refuses(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	post := f.post(t, f.karim, "Cooking channel").ID
	message := f.message(t, f.karim, f.rahim, "Pay me by bKash")
	about := func(subject moderation.Subject, id uuid.UUID, reason moderation.Reason, text string) moderation.Draft {
		return moderation.Draft{Subject: subject, SubjectID: id, Reason: reason, Text: text}
	}
	long := strings.Repeat("ক", 1001)
	for name, tc := range map[string]struct {
		reporter uuid.UUID
		draft    moderation.Draft
		code     fault.Code
		reason   string
	}{
		"unknown kind":            {f.rahim, about("deal", post, "", ""), fault.Invalid, "report_subject_missing"},
		"unknown post":            {f.rahim, about(moderation.Post, uuid.New(), "", ""), fault.NotFound, "report_not_found"},
		"message of strangers":    {f.nadia, about(moderation.Message, message.ID, "", ""), fault.NotFound, "report_not_found"},
		"one's own post":          {f.karim, about(moderation.Post, post, "", ""), fault.Invalid, "report_self"},
		"oneself":                 {f.karim, about(moderation.Person, f.karim, "", ""), fault.Invalid, "report_self"},
		"no reason":               {f.rahim, about(moderation.Post, post, "", ""), fault.Invalid, "report_reason_missing"},
		"a reason for reviews":    {f.rahim, about(moderation.Post, post, "false_review", ""), fault.Invalid, "report_reason_missing"},
		"other without a text":    {f.rahim, about(moderation.Post, post, "other", " "), fault.Invalid, "report_text_missing"},
		"a text that is too long": {f.rahim, about(moderation.Post, post, "scam", long), fault.Invalid, "report_text_too_long"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := f.Report(t.Context(), tc.reporter, tc.draft, nil)
			requireRefused(t, err, tc.code, tc.reason)
		})
	}
}

// What is reported is kept as it was, whatever its author makes of it afterwards.
func TestReport_snapshot(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	post := f.post(t, f.karim, "Cooking channel")
	id := f.report(t, f.rahim, moderation.Post, post.ID)
	_, err := f.posts.Edit(t.Context(), f.karim, post.ID, posts.Draft{
		Title: "Another title", Description: "Harmless", Price: 1_00, Category: posts.OnlineAsset, Subcategory: "YouTube Channel",
	})
	require.NoError(t, err)
	seen, err := f.Detail(t.Context(), f.boss, id)
	require.NoError(t, err)
	require.Equal(t, "Cooking channel", seen.Snapshot.Title)
	require.Equal(t, "Forty thousand subscribers", seen.Snapshot.Text)
	require.Equal(t, "480.00", seen.Snapshot.Price.String())
	require.Equal(t, "karim", seen.Snapshot.Username)
	require.Equal(t, "Another title", seen.Current.Title)

	require.NoError(t, f.posts.Delete(t.Context(), f.karim, post.ID))
	seen, err = f.Detail(t.Context(), f.boss, id)
	require.NoError(t, err)
	require.Nil(t, seen.Current)
	require.Equal(t, "Cooking channel", seen.Snapshot.Title)
}

// Reports of one thing form a case, each user has one in it, and only the first notifies the
// admins.
func TestReport_one_case(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	first := f.about(t, f.rahim, f.karim)
	require.Equal(t, first, f.about(t, f.nadia, f.karim))
	_, err := f.Report(t.Context(), f.rahim, moderation.Draft{Subject: moderation.Person, SubjectID: f.karim, Reason: "spam"}, nil)
	requireRefused(t, err, fault.Duplicate, "already_reported")
	cases, total, err := f.Queue(t.Context(), f.boss, moderation.CaseQuery{Status: moderation.Open}, postgres.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, 1, total)
	require.Equal(t, 2, cases[0].Reports)
	notified, err := postgres.Query[int]("test.jobs",
		`select count(*) from river.river_job where kind = 'admin_notice'`).One(t.Context(), f.db.Owner(), nil)
	require.NoError(t, err)
	require.Equal(t, 1, notified)

	f.decide(t, first, moderation.Ruling{Action: moderation.Dismiss})
	require.NotEqual(t, first, f.about(t, f.rahim, f.karim), "after the decision a new case begins")
}

func TestReport_idempotent(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	draft := moderation.Draft{Subject: moderation.Person, SubjectID: f.karim, Reason: "scam"}
	key := func() *idempotency.Key {
		return &idempotency.Key{UserID: &f.rahim, Value: "k", Hash: [sha256.Size]byte{1}}
	}
	first, err := f.Report(t.Context(), f.rahim, draft, key())
	require.NoError(t, err)
	again, err := f.Report(t.Context(), f.rahim, draft, key())
	require.NoError(t, err)
	require.Equal(t, first, again)
}

// A reporter learns whether anything was done, but not what.
func TestListReports(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	dismissed, warned := f.about(t, f.rahim, f.karim), f.about(t, f.rahim, f.nadia)
	f.decide(t, dismissed, moderation.Ruling{Action: moderation.Dismiss})
	f.decide(t, warned, moderation.Ruling{Action: moderation.Warn, Reason: "Be polite"})
	open := f.post(t, f.karim, "Cooking channel")
	f.report(t, f.rahim, moderation.Post, open.ID)
	list, total, err := f.ListReports(t.Context(), f.rahim, postgres.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, 3, total)
	require.Equal(t, []string{"", "action_taken", "no_violation"}, []string{list[0].Outcome(), list[1].Outcome(), list[2].Outcome()})
	require.Equal(t, []string{"Cooking channel", "nadia", "karim"}, []string{list[0].SubjectName, list[1].SubjectName, list[2].SubjectName})
	require.Equal(t, []string{"report_no_violation", "report_action_taken"}, f.notices(t, f.rahim))
	require.Empty(t, f.notices(t, f.karim), "nobody learns of a report that was dismissed")
}

// A hidden post is gone for everyone but its seller, and cannot be reported again.
func TestReport_hidden_post(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	post := f.post(t, f.karim, "Cooking channel")
	f.decide(t, f.report(t, f.rahim, moderation.Post, post.ID), moderation.Ruling{Action: moderation.Hide, Reason: "A scam"})
	_, err := f.Report(t.Context(), f.nadia, moderation.Draft{Subject: moderation.Post, SubjectID: post.ID, Reason: "scam"}, nil)
	requireRefused(t, err, fault.NotFound, "report_not_found")
}

func (f fixture) closeAccount(t *testing.T, userID uuid.UUID) {
	t.Helper()
	_, err := f.db.Owner().Exec(t.Context(), `update users set closed_at = now(), disabled_at = now() where id = $1`, userID)
	require.NoError(t, err)
}

// Nothing can be done about an account that is closed, and nobody who has closed theirs is told.
func TestDecide_closed_account(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.about(t, f.rahim, f.karim)
	require.Equal(t, id, f.about(t, f.nadia, f.karim))
	f.closeAccount(t, f.karim)
	f.closeAccount(t, f.nadia)
	_, err := f.Decide(t.Context(), f.boss, id, moderation.Ruling{Action: moderation.Warn, Reason: "A scam"}, nil)
	requireRefused(t, err, fault.Conflict, "accused_closed")
	detail, err := f.Detail(t.Context(), f.boss, id)
	require.NoError(t, err)
	require.True(t, detail.Accused.Closed)
	require.Equal(t, []bool{false, true}, []bool{detail.Listed[0].Reporter.Closed, detail.Listed[1].Reporter.Closed})

	f.decide(t, id, moderation.Ruling{Action: moderation.Dismiss})
	require.Equal(t, []string{"report_no_violation"}, f.notices(t, f.rahim))
	require.Empty(t, f.notices(t, f.karim))
	require.Empty(t, f.notices(t, f.nadia))
}

func TestDecideAppeal_closed_account(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.about(t, f.rahim, f.karim)
	f.decide(t, id, moderation.Ruling{Action: moderation.Warn, Reason: "Be polite"})
	_, err := f.Appeal(t.Context(), f.karim, id, "It is wrong", nil)
	require.NoError(t, err)
	f.closeAccount(t, f.karim)
	_, err = f.DecideAppeal(t.Context(), f.sadia, id, moderation.AppealRuling{Overturn: true, Answer: "Yes"}, nil)
	requireRefused(t, err, fault.Conflict, "appellant_closed")
	told, mails := f.notices(t, f.karim), f.mails(t, id)
	_, err = f.DecideAppeal(t.Context(), f.sadia, id, moderation.AppealRuling{Answer: "No"}, nil)
	require.NoError(t, err)
	require.Equal(t, told, f.notices(t, f.karim))
	require.Equal(t, mails, f.mails(t, id))
}

// The accused does not learn who has reported them, an admin either.
func TestQueue_own_case(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.about(t, f.rahim, f.sadia)
	_, err := f.Detail(t.Context(), f.sadia, id)
	requireRefused(t, err, fault.Forbidden, "own_case")
	for admin, seen := range map[uuid.UUID]int{f.sadia: 0, f.boss: 1} {
		_, total, err := f.Queue(t.Context(), admin, moderation.CaseQuery{Status: moderation.Open}, postgres.Page{Limit: 10})
		require.NoError(t, err)
		require.Equal(t, seen, total)
	}
}

// An admin who may not decide an appeal does not keep others from it, and one without the second
// factor where it is required decides nothing.
func TestClaim_appeal(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.about(t, f.rahim, f.karim)
	f.decide(t, id, moderation.Ruling{Action: moderation.Warn, Reason: "Be polite"})
	_, err := f.Appeal(t.Context(), f.karim, id, "It is wrong", nil)
	require.NoError(t, err)
	_, err = f.Claim(t.Context(), f.boss, id)
	requireRefused(t, err, fault.Forbidden, "appeal_other_admin")

	f.FactorForAdmins = true
	_, err = f.Claim(t.Context(), f.boss, id)
	require.NoError(t, err, "nobody else can decide it")
}
