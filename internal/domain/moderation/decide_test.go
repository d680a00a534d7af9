package moderation_test

import (
	"strings"
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
	require.Equal(t, "boss", claimed.ClaimedBy.Username)
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
		notices, letters []string
	}{
		moderation.Dismiss: {false, false, []string{}, []string{}},
		moderation.Warn:    {false, false, []string{"moderation_warned"}, []string{"decision"}},
		moderation.Hide:    {true, false, []string{"moderation_hidden"}, []string{"decision"}},
		moderation.Suspend: {true, true, []string{}, []string{"decision"}},
		moderation.Ban:     {true, true, []string{}, []string{"decision"}},
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
			require.Equal(t, wanted.letters, f.letters(t, decided.ID))
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
	details, err := postgres.Value[string](t.Context(), f.db.Owner(), "test.audit",
		`select details::text from audit_log where action = 'report.decide' and subject = 'report:' || @id::uuid and actor_id = @admin`,
		map[string]any{"id": id, "admin": f.boss})
	require.NoError(t, err)
	require.Contains(t, details, `"reason": "Be polite"`)
	require.Contains(t, details, f.karim.String())
}
