package deals

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
)

func TestIsDue(t *testing.T) {
	t.Parallel()
	when := dueAt.Add(3 * day)
	warned := new(when.Add(-day))
	waits := delivered(dueAt).planned(ActionComplete, when, warned)
	for name, tc := range map[string]struct {
		deal   Deal
		action Action
		now    time.Time
		due    bool
	}{
		"just before":             {waits, ActionComplete, when.Add(-1), false},
		"on time":                 {waits, ActionComplete, when, true},
		"long after":              {waits, ActionComplete, when.Add(day), true},
		"another action":          {waits, ActionRefund, when, false},
		"nothing planned":         {delivered(dueAt), ActionComplete, when, false},
		"no time planned":         {waits.with(func(d *Deal) { d.NextActionAt = nil }), ActionComplete, when, false},
		"frozen":                  {waits.with(func(d *Deal) { d.FrozenAt = &dueAt }), ActionComplete, when, false},
		"never warned":            {waits.with(func(d *Deal) { d.WarnedAt = nil }), ActionComplete, when, false},
		"warned for nearly a day": {waits.with(func(d *Deal) { d.WarnedAt = new(when.Add(-day + 1)) }), ActionComplete, when, false},
		"warned for a day":        {waits.with(func(d *Deal) { d.WarnedAt = new(when.Add(-day + 1)) }), ActionComplete, when.Add(1), true},
		"buyer disabled":          {waits.with(func(d *Deal) { d.BuyerDisabled = true }), ActionComplete, when, false},
		"seller disabled":         {waits.with(func(d *Deal) { d.SellerDisabled = true }), ActionComplete, when, false},
		"refund to a disabled buyer": {
			late().planned(ActionRefund, when, warned).with(func(d *Deal) { d.BuyerDisabled = true }), ActionRefund, when, false,
		},
		"refund without a warning":     {late().planned(ActionRefund, when, nil), ActionRefund, when, false},
		"unanswered without a warning": {late().planned(ActionRefundUnanswered, when, nil), ActionRefundUnanswered, when, false},
		"expiry needs no warning":      {pending().planned(ActionExpire, when, nil), ActionExpire, when, true},
		"expiry while frozen": {
			pending().planned(ActionExpire, when, nil).with(func(d *Deal) { d.FrozenAt = &dueAt }), ActionExpire, when, false,
		},
		"expiry with a disabled buyer": {
			pending().planned(ActionExpire, when, nil).with(func(d *Deal) { d.BuyerDisabled = true }), ActionExpire, when, true,
		},
		"escalation needs no warning": {takenBack(dueAt).planned(ActionEscalate, when, nil), ActionEscalate, when, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.due, tc.deal.isDue(tc.action, tc.now))
		})
	}
}

// Every action of the system has a warning of its own.
func TestWarnings(t *testing.T) {
	t.Parallel()
	seen := map[catalog.Kind]Action{}
	for _, action := range []Action{ActionExpire, ActionComplete, ActionRefund, ActionRefundUnanswered, ActionEscalate} {
		kind, found := warnings[action]
		require.True(t, found, action)
		require.NotContains(t, seen, kind, action)
		seen[kind] = action
	}
	require.Len(t, warnings, len(seen))
}
