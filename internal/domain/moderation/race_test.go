package moderation_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/domain/moderation"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

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
		open, total, err := f.Queue(t.Context(), f.boss, moderation.Open, postgres.Page{Limit: 10})
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
	list, total, err := f.Queue(t.Context(), f.boss, moderation.Open, postgres.Page{Limit: 10})
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
