package deals_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
)

const day = 24 * time.Hour

// sweep advances the time and runs a sweep with the workers' database role. Operations that it
// requests stay pending.
func (f fixture) sweep(t *testing.T, after time.Duration) {
	t.Helper()
	f.clock.Advance(after)
	_, err := f.settler().Sweep(t.Context())
	require.NoError(t, err)
}

// settler has the workers' database role.
func (f fixture) settler() *deals.Settler {
	service, operations := *f.Service, *f.Operations
	operations.DB = f.db.Worker()
	service.DB, service.Operations = f.db.Worker(), &operations
	return &deals.Settler{Service: &service}
}

func (f fixture) get(t *testing.T, id uuid.UUID) deals.Detail {
	t.Helper()
	d, err := f.Get(t.Context(), f.buyer, id)
	require.NoError(t, err)
	return d
}

func TestSweep_unpaid_expires(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.offer(t, f.seller)
	f.sweep(t, 6*day+time.Minute)
	require.Contains(t, f.notified(t, f.buyer), catalog.DealExpiresSoon)
	f.get(t, d.ID)
	f.sweep(t, day)
	_, err := f.Get(t.Context(), f.buyer, d.ID)
	requireCode(t, fault.NotFound, err)
	_, err = f.RequestPay(t.Context(), f.buyer, d.ID, deals.AnyTerms, nil)
	requireCode(t, fault.NotFound, err)
	for _, party := range []uuid.UUID{f.buyer, f.seller} {
		require.Contains(t, f.notified(t, party), catalog.DealExpired)
	}
}

// A list that cannot be read holds up no other, and only what changed is counted.
func TestSweep_failing_list(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	expires, busy := f.offer(t, f.seller), f.offer(t, f.seller)
	f.sweep(t, 6*day+time.Minute) // warns
	_, err := f.db.Owner().Exec(t.Context(), `alter table users rename column erased_at to lost`)
	require.NoError(t, err)
	lock, err := f.db.Owner().Begin(t.Context())
	require.NoError(t, err)
	_, err = lock.Exec(t.Context(), `select from deals where id = $1 for update`, busy.ID)
	require.NoError(t, err)
	f.clock.Advance(day)
	moved, err := f.settler().Sweep(t.Context())
	require.ErrorContains(t, err, "deals.list_suspension_drift")
	require.Equal(t, 1, moved)
	_, err = f.Get(t.Context(), f.buyer, expires.ID)
	requireCode(t, fault.NotFound, err)
	require.NoError(t, lock.Rollback(t.Context()))
	moved, err = f.settler().Sweep(t.Context())
	require.ErrorContains(t, err, "erased_at")
	require.Equal(t, 1, moved)
}

// The parties are notified of lateness once.
func TestSweep_late(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.paid(t, f.seller)
	for _, after := range []time.Duration{7*day + time.Minute, 0} {
		f.sweep(t, after)
		require.Equal(t, []catalog.Kind{catalog.LineCreated, catalog.LineLate}, lines(f.get(t, d.ID)))
		require.Equal(t, []catalog.Kind{catalog.DealOffered, catalog.DealLate}, f.notified(t, f.buyer))
	}
}

// After an outage of the workers, an action that moves money waits for a day after its warning.
func TestSweep_warns_first(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.paid(t, f.seller)
	f.sweep(t, 30*day)
	warned := f.get(t, d.ID)
	require.Nil(t, warned.Operation)
	require.Equal(t, warned.WarnedAt.Add(day), *warned.NextActionAt)
	require.Contains(t, f.notified(t, f.buyer), catalog.DealRefundsSoon)
	f.sweep(t, day-time.Minute)
	require.Nil(t, f.get(t, d.ID).Operation)
	f.sweep(t, 2*time.Minute)
	asked := f.get(t, d.ID)
	require.NotNil(t, asked.Operation)
	require.JSONEq(t, `{"reason":"overdue"}`, string(asked.Operation.Params))
}

// Both parties are reminded three hours before the system acts, once for each warning.
func TestSweep_reminds(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.delivered(t, f.seller)
	reminders := func() (n int) {
		for _, kind := range f.notified(t, f.buyer) {
			if kind == catalog.DealCompletesNext {
				n++
			}
		}
		return n
	}
	f.sweep(t, 2*day+time.Minute) // the warning
	at := *f.get(t, d.ID).NextActionAt
	f.sweep(t, at.Sub(f.clock.Now())-3*time.Hour-time.Minute)
	require.Zero(t, reminders())
	f.sweep(t, 2*time.Minute)
	require.Equal(t, 1, reminders())
	require.Contains(t, f.notified(t, f.seller), catalog.DealCompletesNext)
	f.sweep(t, time.Hour)
	require.Equal(t, 1, reminders())

	_, err := f.ResetDelivery(t.Context(), f.buyer, d.ID, "Please change the colours.")
	require.NoError(t, err)
	_, err = f.Deliver(t.Context(), f.seller, d.ID, deals.Words{})
	require.NoError(t, err)
	f.sweep(t, 3*day-2*time.Hour) // the workers were down when the warning was due
	require.Equal(t, 1, reminders(), "the deal is put off until a day after its warning")
	f.sweep(t, 22*time.Hour)
	require.Equal(t, 2, reminders())
}

// Sweeps of several workers, and of one that starts again, warn and remind once.
func TestSweep_reminds_once(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.delivered(t, f.seller)
	for _, until := range []time.Duration{2*day + time.Minute, 21 * time.Hour, time.Minute} {
		f.clock.Advance(until)
		var workers sync.WaitGroup
		for range 4 {
			workers.Go(func() {
				if _, err := f.settler().Sweep(context.WithoutCancel(t.Context())); err != nil {
					t.Error(err)
				}
			})
		}
		workers.Wait()
		f.sweep(t, 0)
	}
	for _, party := range []uuid.UUID{f.buyer, f.seller} {
		told := map[catalog.Kind]int{}
		for _, kind := range f.notified(t, party) {
			told[kind]++
		}
		require.Equal(t, 1, told[catalog.DealCompletesSoon])
		require.Equal(t, 1, told[catalog.DealCompletesNext])
	}
}

// A warning that comes late is not followed by a reminder at once.
func TestSweep_reminds_after_warning(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.offer(t, f.seller)
	f.sweep(t, 7*day-2*time.Hour)
	require.Contains(t, f.notified(t, f.buyer), catalog.DealExpiresSoon)
	f.sweep(t, time.Hour)
	require.NotContains(t, f.notified(t, f.buyer), catalog.DealExpiresNext)
}

// A changed next action is warned of again.
func TestSweep_warns_of_changed_action(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.paid(t, f.seller)
	f.sweep(t, 20*day+time.Hour)
	require.NotNil(t, f.get(t, d.ID).WarnedAt)
	d, err := f.Deliver(t.Context(), f.seller, d.ID, deals.Words{})
	require.NoError(t, err)
	require.Equal(t, deals.ActionComplete, d.NextAction)
	require.Nil(t, d.WarnedAt)
	f.sweep(t, 2*day+time.Hour)
	require.NotNil(t, f.get(t, d.ID).WarnedAt)
	require.Contains(t, f.notified(t, f.seller), catalog.DealCompletesSoon)
}

// A deal that was delivered once is left to the admins, who see the longest wait first.
func TestSweep_escalates(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	first := f.delivered(t, f.seller).ID
	_, err := f.ResetDelivery(t.Context(), f.buyer, first, "Please change the colours.")
	require.NoError(t, err)
	f.sweep(t, time.Hour)
	second := f.delivered(t, f.seller).ID
	_, err = f.Cancel(t.Context(), f.buyer, second, nil)
	require.NoError(t, err)
	f.sweep(t, 3*day)
	f.sweep(t, 4*day)
	for _, id := range []uuid.UUID{first, second} {
		d := f.get(t, id)
		require.NotNil(t, d.EscalatedAt)
		require.Empty(t, d.NextAction)
	}
	waiting, _, err := f.ListAll(t.Context(), deals.Filter{Escalated: true}, postgres.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, []uuid.UUID{second, first}, []uuid.UUID{waiting[0].ID, waiting[1].ID})
	require.Equal(t, 2, f.count(t, `river.river_job
		where kind = 'admin_notice' and args->>'notice_kind' = 'admin_escalated' and args->>'link' = '/admin/deals?tab=decide'`, nil))
	f.sweep(t, 100*day)
	require.True(t, f.get(t, first).Status.Open(), "an admin decides")
}

// The system never completes for a buyer whose money is on hold: an admin decides.
func TestSweep_escalates_for_a_locked_buyer(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.delivered(t, f.seller)
	_, err := f.db.Owner().Exec(t.Context(), `update users set withdrawals_held_at = now() where id = $1`, f.buyer)
	require.NoError(t, err)
	f.sweep(t, 2*day+time.Minute)
	require.Nil(t, f.get(t, d.ID).EscalatedAt)
	f.sweep(t, day+time.Minute)
	d = f.get(t, d.ID)
	require.NotNil(t, d.EscalatedAt)
	require.Nil(t, d.Operation)
}

// Status.Open and deal_is_open agree for every status that the database allows.
func TestStatusOpen_matches_sql(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t).API()
	statuses := deals.Statuses()
	known, err := postgres.Query[string]("test.statuses",
		`select pg_get_constraintdef(oid) from pg_constraint where conname = 'deals_status_check'`).One(t.Context(), db, nil)
	require.NoError(t, err)
	require.Len(t, statuses, strings.Count(known, "::text,")+1, known)
	for _, status := range statuses {
		t.Run(string(status), func(t *testing.T) {
			t.Parallel()
			open, err := postgres.Query[bool]("test.open", `select deal_is_open(@status)`).One(t.Context(), db, postgres.Args{"status": status})
			require.NoError(t, err)
			require.Equal(t, status.Open(), open)
			require.Contains(t, known, "'"+string(status)+"'")
		})
	}
}

// The planner inlines deal_is_open, so that no function is called per row.
func TestDealIsOpen_inlined_by_planner(t *testing.T) {
	t.Parallel()
	plan, err := postgres.Query[string]("test.plan",
		`explain (verbose) select id from deals where deal_is_open(status)`).Many(t.Context(), dbtest.New(t).API(), nil)
	require.NoError(t, err)
	text := strings.Join(plan, "\n")
	require.Contains(t, text, "Active")
	require.NotContains(t, text, "deal_is_open")
}

// The planner inlines deal_counts, too, and finds the indexes that repeat its condition.
func TestDealCounts_inlined_by_planner(t *testing.T) {
	t.Parallel()
	plan, err := postgres.Query[string]("test.plan",
		`explain (verbose) select id from deals where deal_counts(status, price, refunded_amount, accepted_at)`).Many(
		t.Context(), dbtest.New(t).API(), nil)
	require.NoError(t, err)
	text := strings.Join(plan, "\n")
	require.Contains(t, text, "deals_counted_")
	require.NotContains(t, text, "deal_counts")
}
