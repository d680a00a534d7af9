package moderation_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/moderation"
	"amanat/internal/domain/posts"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

func TestDecide_refuses(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	open := f.about(t, f.rahim, f.karim)
	aboutAdmin := f.about(t, f.rahim, f.sadia)
	ofAdmin := f.about(t, f.boss, f.nadia)
	decided := f.report(t, f.rahim, moderation.Post, f.post(t, f.karim, "Cooking channel").ID)
	f.decide(t, decided, moderation.Ruling{Action: moderation.Dismiss})
	long := moderation.Ruling{Action: moderation.Warn, Reason: strings.Repeat("a", 1001)}
	for name, tc := range map[string]struct {
		admin  uuid.UUID
		caseID uuid.UUID
		ruling moderation.Ruling
		code   fault.Code
		reason string
	}{
		"unknown case":         {f.boss, uuid.New(), moderation.Ruling{Action: moderation.Dismiss}, fault.NotFound, "case_not_found"},
		"no action":            {f.boss, open, moderation.Ruling{}, fault.Invalid, "ruling_missing"},
		"no reason":            {f.boss, open, moderation.Ruling{Action: moderation.Warn, Reason: " "}, fault.Invalid, "ruling_reason_missing"},
		"a long reason":        {f.boss, open, long, fault.Invalid, "ruling_reason_too_long"},
		"a user is not hidden": {f.boss, open, moderation.Ruling{Action: moderation.Hide, Reason: "A scam"}, fault.Invalid, "ruling_cannot_hide"},
		"no days":              {f.boss, open, suspend(0), fault.Invalid, "ruling_days"},
		"too many days":        {f.boss, open, suspend(366), fault.Invalid, "ruling_days"},
		"about themselves":     {f.sadia, aboutAdmin, moderation.Ruling{Action: moderation.Dismiss}, fault.Forbidden, "own_case"},
		"their own report":     {f.boss, ofAdmin, moderation.Ruling{Action: moderation.Dismiss}, fault.Forbidden, "own_report"},
		"an admin is not suspended": {
			f.boss, aboutAdmin, moderation.Ruling{Action: moderation.Ban, Reason: "A scam"}, fault.Forbidden, "staff_not_suspendable",
		},
		"decided already": {f.sadia, decided, moderation.Ruling{Action: moderation.Dismiss}, fault.AlreadyHandled, "handled_by"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := f.Decide(t.Context(), tc.admin, tc.caseID, tc.ruling, nil)
			requireRefused(t, err, tc.code, tc.reason)
		})
	}
}

func TestClaim(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.about(t, f.rahim, f.karim)
	claimed, err := f.Claim(t.Context(), f.boss, id)
	require.NoError(t, err)
	require.Equal(t, "boss", claimed.Claim.Admin.Username)
	_, err = f.Claim(t.Context(), f.sadia, id)
	requireRefused(t, err, fault.AlreadyHandled, "claimed_by")
	_, err = f.Decide(t.Context(), f.sadia, id, moderation.Ruling{Action: moderation.Dismiss}, nil)
	requireRefused(t, err, fault.AlreadyHandled, "claimed_by")
	f.clock.Advance(5 * time.Minute)
	_, err = f.Claim(t.Context(), f.sadia, id)
	require.NoError(t, err, "a claim lasts five minutes")
	_, err = f.Claim(t.Context(), f.sadia, f.about(t, f.rahim, f.sadia))
	requireRefused(t, err, fault.Forbidden, "own_case")
}

// Each action hides, warns or disables as it says.
func TestDecide_actions(t *testing.T) {
	t.Parallel()
	for action, wanted := range map[moderation.Action]struct {
		hidden, disabled bool
		notices, mails   []string
	}{
		moderation.Dismiss: {false, false, []string{}, []string{}},
		moderation.Warn:    {false, false, []string{"moderation_warned"}, []string{"mail_warned"}},
		moderation.Hide:    {true, false, []string{"moderation_hidden"}, []string{"mail_hidden"}},
		moderation.Suspend: {true, true, []string{}, []string{"mail_suspended"}},
		moderation.Ban:     {true, true, []string{}, []string{"mail_banned"}},
	} {
		t.Run(string(action), func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			post := f.post(t, f.karim, "Cooking channel")
			decided := f.decide(t, f.report(t, f.rahim, moderation.Post, post.ID), moderation.Ruling{Action: action, Reason: "A scam", Days: 3})
			require.Equal(t, moderation.Decided, decided.Status())
			require.Equal(t, "boss", decided.DecidedBy.Username)
			disabled, decision := f.state(t, f.karim)
			require.Equal(t, wanted.disabled, disabled)
			require.Equal(t, wanted.disabled, decision != nil)
			require.Equal(t, wanted.notices, f.notices(t, f.karim))
			require.Equal(t, wanted.mails, f.mails(t, decided.ID))
			own, total, err := f.posts.ListOwn(t.Context(), f.karim, postgres.Page{Limit: 10})
			require.NoError(t, err)
			require.Equal(t, 1, total)
			if !wanted.disabled { // posts of a disabled seller are not listed at all
				require.Equal(t, wanted.hidden, own[0].HiddenBy != nil)
				_, err = f.posts.Get(t.Context(), posts.Reader{UserID: &f.nadia}, post.ID)
				require.Equal(t, wanted.hidden, fault.CodeOf(err) == fault.NotFound)
				_, err = f.posts.Get(t.Context(), posts.Reader{UserID: &f.karim}, post.ID)
				require.NoError(t, err)
				_, err = f.posts.Get(t.Context(), posts.Reader{UserID: &f.boss, Admin: true}, post.ID)
				require.NoError(t, err)
			}
			_, shown, err := f.posts.ListByUser(t.Context(), f.karim, postgres.Page{Limit: 10})
			require.NoError(t, err)
			require.Equal(t, wanted.hidden, shown == 0)
			if action == moderation.Suspend {
				require.Equal(t, decided.DecidedAt.Add(3*day), *decided.Until)
			} else {
				require.Nil(t, decided.Until)
			}
		})
	}
}

// An edit does not show a hidden post again.
func TestDecide_hidden_post_is_edited(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	post := f.post(t, f.karim, "Cooking channel")
	f.decide(t, f.report(t, f.rahim, moderation.Post, post.ID), moderation.Ruling{Action: moderation.Hide, Reason: "A scam"})
	edited, err := f.posts.Edit(t.Context(), f.karim, post.ID, posts.Draft{
		Title: "Another title", Description: "Harmless", Price: 1_00, Category: posts.OnlineAsset, Subcategory: "YouTube Channel",
	})
	require.NoError(t, err)
	require.NotNil(t, edited.HiddenBy)
	listing, err := f.posts.Explore(t.Context(), posts.Query{Page: 1})
	require.NoError(t, err)
	require.Empty(t, listing.Posts)
	_, err = f.posts.Own(t.Context(), f.nadia, post.ID)
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	require.NoError(t, f.posts.Delete(t.Context(), f.karim, post.ID))
}

func TestDecide_audit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.about(t, f.rahim, f.karim)
	f.decide(t, id, moderation.Ruling{Action: moderation.Warn, Reason: "Be polite"})
	details, err := postgres.Query[string]("test.audit", `
		select details::text from audit_log where action = 'report.decide' and subject = 'report:' || @id::uuid and actor_id = @admin`).One(
		t.Context(), f.db.Owner(), postgres.Args{"id": id, "admin": f.boss})
	require.NoError(t, err)
	require.Contains(t, details, `"reason": "Be polite"`)
	require.Contains(t, details, f.karim.String())
}

func TestAppeal_refuses(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	warn := moderation.Ruling{Action: moderation.Warn, Reason: "Be polite"}
	dismissed := f.report(t, f.rahim, moderation.Post, f.post(t, f.karim, "Cooking channel").ID)
	f.decide(t, dismissed, moderation.Ruling{Action: moderation.Dismiss})
	open := f.report(t, f.rahim, moderation.Post, f.post(t, f.karim, "Travel channel").ID)
	late := f.decide(t, f.about(t, f.karim, f.rahim), warn).ID
	f.clock.Advance(14 * day)
	warned := f.decide(t, f.about(t, f.rahim, f.karim), warn).ID
	appealed := f.decide(t, f.about(t, f.rahim, f.nadia), warn).ID
	_, err := f.Appeal(t.Context(), f.nadia, appealed, "It is wrong", nil)
	require.NoError(t, err)
	for name, tc := range map[string]struct {
		userID, id uuid.UUID
		text       string
		code       fault.Code
		reason     string
	}{
		"another's decision": {f.rahim, warned, "It is wrong", fault.NotFound, "decision_not_found"},
		"a dismissed report": {f.karim, dismissed, "It is wrong", fault.NotFound, "decision_not_found"},
		"no decision yet":    {f.karim, open, "It is wrong", fault.NotFound, "decision_not_found"},
		"no such decision":   {f.karim, uuid.New(), "It is wrong", fault.NotFound, "decision_not_found"},
		"no text":            {f.karim, warned, " ", fault.Invalid, "appeal_missing"},
		"a long text":        {f.karim, warned, strings.Repeat("a", 2001), fault.Invalid, "appeal_too_long"},
		"a second one":       {f.nadia, appealed, "Again", fault.Duplicate, "appealed_already"},
		"too late":           {f.rahim, late, "It is wrong", fault.Conflict, "appeal_too_late"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := f.Appeal(t.Context(), tc.userID, tc.id, tc.text, nil)
			requireRefused(t, err, tc.code, tc.reason)
		})
	}
}

func TestDecideAppeal_refuses(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	warned := f.decide(t, f.about(t, f.rahim, f.karim), moderation.Ruling{Action: moderation.Warn, Reason: "Be polite"}).ID
	uphold := moderation.AppealRuling{Answer: "No"}
	_, err := f.DecideAppeal(t.Context(), f.sadia, warned, uphold, nil)
	requireRefused(t, err, fault.Conflict, "no_appeal")
	_, err = f.Appeal(t.Context(), f.karim, warned, "It is wrong", nil)
	require.NoError(t, err)
	_, err = f.DecideAppeal(t.Context(), f.sadia, warned, moderation.AppealRuling{Answer: " "}, nil)
	requireRefused(t, err, fault.Invalid, "appeal_answer_missing")
	_, err = f.DecideAppeal(t.Context(), f.sadia, warned, moderation.AppealRuling{Answer: strings.Repeat("a", 1001)}, nil)
	requireRefused(t, err, fault.Invalid, "appeal_answer_too_long")
	_, err = f.DecideAppeal(t.Context(), f.boss, warned, uphold, nil)
	requireRefused(t, err, fault.Forbidden, "appeal_other_admin")
	_, err = f.DecideAppeal(t.Context(), f.sadia, uuid.New(), uphold, nil)
	requireRefused(t, err, fault.NotFound, "case_not_found")

	decided, err := f.DecideAppeal(t.Context(), f.sadia, warned, uphold, nil)
	require.NoError(t, err)
	require.Equal(t, moderation.Closed, decided.Status())
	require.Equal(t, "upheld", decided.Appeal.Status())
	require.Equal(t, []string{"moderation_warned", "moderation_upheld"}, f.notices(t, f.karim))
	require.Equal(t, []string{"mail_warned", "mail_upheld"}, f.mails(t, warned))
	_, err = f.DecideAppeal(t.Context(), f.sadia, warned, uphold, nil)
	requireRefused(t, err, fault.AlreadyHandled, "handled_by")
}

// The only admin decides the appeal against their own decision.
func TestDecideAppeal_alone(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	warned := f.decide(t, f.about(t, f.rahim, f.karim), moderation.Ruling{Action: moderation.Warn, Reason: "Be polite"}).ID
	_, err := f.Appeal(t.Context(), f.karim, warned, "It is wrong", nil)
	require.NoError(t, err)
	require.NoError(t, f.accounts.DisableUser(t.Context(), f.boss, f.sadia, "Left"))
	_, err = f.DecideAppeal(t.Context(), f.boss, warned, moderation.AppealRuling{Answer: "No"}, nil)
	require.NoError(t, err)
}

// Overturning a decision shows the post again and tells its seller.
func TestDecideAppeal_overturns(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	post := f.post(t, f.karim, "Cooking channel")
	id := f.report(t, f.rahim, moderation.Post, post.ID)
	f.decide(t, id, ban)
	f.overturn(t, id, f.karim)
	f.requireEnabled(t, f.karim)
	seen, err := f.posts.Get(t.Context(), posts.Reader{}, post.ID)
	require.NoError(t, err)
	require.Nil(t, seen.HiddenBy)
	require.Equal(t, []string{"moderation_overturned"}, f.notices(t, f.karim))
	require.Equal(t, []string{"mail_banned", "mail_overturned"}, f.mails(t, id))
	detail, err := f.Detail(t.Context(), f.boss, f.about(t, f.rahim, f.karim))
	require.NoError(t, err)
	require.Len(t, detail.History, 1)
	require.True(t, detail.History[0].Overturned)
}

func TestQueue_order(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	warn := moderation.Ruling{Action: moderation.Warn, Reason: "Be polite"}
	one := f.about(t, f.rahim, f.karim)
	f.clock.Advance(day)
	two := f.about(t, f.rahim, f.nadia)
	ids := func(status moderation.Status) []uuid.UUID {
		t.Helper()
		list, total, err := f.Queue(t.Context(), f.boss, moderation.CaseQuery{Status: status}, postgres.Page{Limit: 10})
		require.NoError(t, err)
		require.Len(t, list, total)
		found := []uuid.UUID{}
		for _, c := range list {
			found = append(found, c.ID)
		}
		return found
	}
	require.Equal(t, []uuid.UUID{one, two}, ids(moderation.Open))
	f.decide(t, one, warn)
	f.clock.Advance(day)
	f.decide(t, two, warn)
	require.Equal(t, []uuid.UUID{two, one}, ids(moderation.Decided))
	_, err := f.Appeal(t.Context(), f.nadia, two, "It is wrong", nil)
	require.NoError(t, err)
	require.Equal(t, []uuid.UUID{two}, ids(moderation.Appealed))
	require.Equal(t, []uuid.UUID{one}, ids(moderation.Decided))
	require.Empty(t, ids(moderation.Open))
}

func TestQueue_search(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	post := f.post(t, f.karim, "Cooking channel")
	of := map[uuid.UUID]string{f.report(t, f.rahim, moderation.Post, post.ID): "karim's post", f.about(t, f.rahim, f.nadia): "nadia"}
	for search, want := range map[string][]string{
		"": {"karim's post", "nadia"}, "KAR": {"karim's post"}, "arim": {}, "nadia@example.com": {"nadia"}, "nadia@example": {},
		"king chan": {"karim's post"}, post.ID.String(): {"karim's post"}, f.nadia.String(): {"nadia"}, "%": {},
	} {
		list, total, err := f.Queue(t.Context(), f.boss, moderation.CaseQuery{Status: moderation.Open, Search: search}, postgres.Page{Limit: 10})
		require.NoError(t, err)
		found := []string{}
		for _, c := range list {
			found = append(found, of[c.ID])
		}
		require.Equal(t, want, found, search)
		require.Len(t, found, total)
	}
}

func suspend(days int) moderation.Ruling {
	return moderation.Ruling{Action: moderation.Suspend, Reason: "A scam", Days: days}
}

var ban = moderation.Ruling{Action: moderation.Ban, Reason: "A scam"}

// end runs the worker's sweep and returns how many suspensions it has ended.
func (f fixture) end(t *testing.T) int {
	t.Helper()
	ended, err := f.settler.EndSuspensions(t.Context())
	require.NoError(t, err)
	return ended
}

func TestEndSuspensions(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.decide(t, f.about(t, f.rahim, f.karim), suspend(2)).ID
	f.decide(t, f.about(t, f.rahim, f.nadia), ban)
	f.clock.Advance(2*day - time.Second)
	require.Zero(t, f.end(t))
	f.clock.Advance(time.Second)
	require.Equal(t, 1, f.end(t))
	f.requireEnabled(t, f.karim)
	require.Equal(t, []string{"moderation_suspension_ended"}, f.notices(t, f.karim))
	require.Equal(t, []string{"mail_suspended", "mail_suspension_ended"}, f.mails(t, id))
	require.Zero(t, f.end(t))
	f.clock.Advance(400 * day)
	require.Zero(t, f.end(t), "a ban has no end")
}

// An account that an admin disables during its suspension stays disabled until an admin enables it.
func TestEndSuspensions_disabled_meanwhile(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.decide(t, f.about(t, f.rahim, f.karim), suspend(2))
	require.NoError(t, f.accounts.DisableUser(t.Context(), f.boss, f.karim, "Another matter"))
	f.clock.Advance(3 * day)
	require.Zero(t, f.end(t))
	f.requireSuspended(t, f.karim, nil)
	require.NoError(t, f.accounts.EnableUser(t.Context(), f.boss, f.karim))
	f.requireEnabled(t, f.karim)
}

// An admin who enables the account ends the suspension, and a later one is not the former's.
func TestSuspension_ended_by_admin(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.decide(t, f.about(t, f.rahim, f.karim), ban)
	require.NoError(t, f.accounts.EnableUser(t.Context(), f.boss, f.karim))
	f.requireEnabled(t, f.karim)
	f.clock.Advance(time.Hour)
	id := f.decide(t, f.about(t, f.rahim, f.karim), suspend(1)).ID
	f.requireSuspended(t, f.karim, &id)
	f.overturn(t, id, f.karim)
	f.requireEnabled(t, f.karim)
}

// An account that is disabled for another reason is not enabled by the end of a suspension.
func TestSuspension_of_disabled(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	caseID := f.about(t, f.rahim, f.karim)
	require.NoError(t, f.accounts.DisableUser(t.Context(), f.boss, f.karim, "Another matter"))
	f.decide(t, caseID, suspend(1))
	f.requireSuspended(t, f.karim, nil)
	f.overturn(t, caseID, f.karim)
	f.requireSuspended(t, f.karim, nil)
}

// Of several decisions, the one that lasts longest counts; if it is overturned, the next does.
func TestSuspension_several(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	one := f.post(t, f.karim, "Cooking channel")
	two := f.post(t, f.karim, "Travel channel")
	aboutOne, aboutTwo := f.report(t, f.rahim, moderation.Post, one.ID), f.report(t, f.rahim, moderation.Post, two.ID)
	aboutUser := f.about(t, f.rahim, f.karim)
	f.decide(t, aboutOne, suspend(5))
	f.requireSuspended(t, f.karim, &aboutOne)
	f.decide(t, aboutTwo, ban)
	f.requireSuspended(t, f.karim, &aboutTwo)
	f.decide(t, aboutUser, suspend(9))
	f.requireSuspended(t, f.karim, &aboutTwo)
	f.overturn(t, aboutTwo, f.karim)
	f.requireSuspended(t, f.karim, &aboutUser)
	f.clock.Advance(9 * day)
	require.Equal(t, 1, f.end(t))
	f.requireEnabled(t, f.karim)
}

// overturn has the user appeal against a decision of boss, and sadia withdraw it.
func (f fixture) overturn(t *testing.T, id, userID uuid.UUID) {
	t.Helper()
	_, err := f.Appeal(t.Context(), userID, id, "It is wrong", nil)
	require.NoError(t, err)
	_, err = f.DecideAppeal(t.Context(), f.sadia, id, moderation.AppealRuling{Overturn: true, Answer: "Sorry"}, nil)
	require.NoError(t, err)
}

// together runs calls at once and returns their errors.
func together(calls ...func() error) []error {
	errs := make([]error, len(calls))
	var running sync.WaitGroup
	for i, call := range calls {
		running.Go(func() { errs[i] = call() })
	}
	running.Wait()
	return errs
}

// oneSucceeds requires that one call has succeeded and the other was refused with the code.
func oneSucceeds(t *testing.T, errs []error, code fault.Code) {
	t.Helper()
	refused := errs[0]
	if refused == nil {
		refused = errs[1]
	} else {
		require.NoError(t, errs[1])
	}
	require.Equal(t, code, fault.CodeOf(refused), "%v", refused)
}

func TestDecide_two_admins_at_once(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.about(t, f.rahim, f.karim)
	oneSucceeds(t, together(
		func() error {
			_, err := f.Decide(t.Context(), f.boss, id, moderation.Ruling{Action: moderation.Dismiss}, nil)
			return err
		},
		func() error { _, err := f.Decide(t.Context(), f.sadia, id, ban, nil); return err },
	), fault.AlreadyHandled)
	require.Len(t, f.notices(t, f.rahim), 1)
}

// A report that comes while the case is decided belongs to it, or to the next case; it is not lost.
func TestReport_while_decided(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for range 5 {
		id := f.about(t, f.rahim, f.karim)
		errs := together(
			func() error {
				_, err := f.Decide(t.Context(), f.boss, id, moderation.Ruling{Action: moderation.Dismiss}, nil)
				return err
			},
			func() error {
				_, err := f.Report(t.Context(), f.nadia, moderation.Draft{Subject: moderation.Person, SubjectID: f.karim, Reason: "spam"}, nil)
				return err
			},
		)
		require.Equal(t, []error{nil, nil}, errs)
		list, _, err := f.ListReports(t.Context(), f.nadia, postgres.Page{Limit: 1})
		require.NoError(t, err)
		open, total, err := f.Queue(t.Context(), f.boss, moderation.CaseQuery{Status: moderation.Open}, postgres.Page{Limit: 10})
		require.NoError(t, err)
		require.Equal(t, list[0].DecidedAt == nil, total == 1, "the report is decided, or waits in an open case")
		for _, c := range open {
			f.decide(t, c.ID, moderation.Ruling{Action: moderation.Dismiss})
		}
	}
}

func TestReport_two_at_once(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	draft := moderation.Draft{Subject: moderation.Person, SubjectID: f.karim, Reason: "spam"}
	require.Equal(t, []error{nil, nil}, together(
		func() error { _, err := f.Report(t.Context(), f.rahim, draft, nil); return err },
		func() error { _, err := f.Report(t.Context(), f.nadia, draft, nil); return err },
	))
	list, total, err := f.Queue(t.Context(), f.boss, moderation.CaseQuery{Status: moderation.Open}, postgres.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, 1, total)
	require.Equal(t, 2, list[0].Reports)
}

func TestAppeal_twice_at_once(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.decide(t, f.about(t, f.rahim, f.karim), ban).ID
	appeal := func() error { _, err := f.Appeal(t.Context(), f.karim, id, "It is wrong", nil); return err }
	oneSucceeds(t, together(appeal, appeal), fault.Duplicate)
}

// The end of a suspension and an appeal that is decided at the same time enable the account once.
func TestEndSuspensions_while_overturned(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.decide(t, f.about(t, f.rahim, f.karim), suspend(1)).ID
	_, err := f.Appeal(t.Context(), f.karim, id, "It is wrong", nil)
	require.NoError(t, err)
	f.clock.Advance(day)
	require.Equal(t, []error{nil, nil}, together(
		func() error { _, err := f.settler.EndSuspensions(t.Context()); return err },
		func() error {
			_, err := f.DecideAppeal(t.Context(), f.sadia, id, moderation.AppealRuling{Overturn: true, Answer: "Sorry"}, nil)
			return err
		},
	))
	f.requireEnabled(t, f.karim)
}
