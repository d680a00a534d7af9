package moderation_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/moderation"
	"amanat/internal/domain/posts"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

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
	require.Equal(t, []string{"decision", "decision_upheld"}, f.letters(t, warned))
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
	require.Equal(t, []string{"decision", "decision_overturned"}, f.letters(t, id))
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
		list, total, err := f.Queue(t.Context(), f.boss, status, postgres.Page{Limit: 10})
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
