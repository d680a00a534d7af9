package workers

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/domain/reports"
	"amanat/internal/lib/clock"
	"amanat/queue/jobs"
)

func TestReconcile_once_a_night(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	var log bytes.Buffer
	worker := &reconcileWorker{services: Services{DB: f.db.Worker(), Log: slog.New(slog.NewTextHandler(&log, nil))}}
	check := func() {
		t.Helper()
		require.NoError(t, worker.Work(t.Context(), nil))
	}
	exec := func(sql string) {
		t.Helper()
		_, err := f.db.Owner().Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	const broken = `select coalesce(sum(broken), 0) from books_checks`
	check()
	require.Equal(t, len(reports.Rules()), f.count(`select count(*) from books_checks`), "also for rules that hold")
	require.Zero(t, f.count(broken))
	require.NotContains(t, log.String(), "ERROR")

	exec(`select ledger.post('stray', 'test', now(), null, null, array['escrow', 'exchange'], array[gen_random_uuid(), null],
		array['USD', 'USD'], array[5, -5]::bigint[])`)
	check()
	require.Zero(t, f.count(broken), "once a night")

	exec(`update books_checks set checked_at = checked_at - interval '1 day'`)
	exec(`insert into books_checks (rule, broken, checked_at) select 'a rule of another version', 7, checked_at from books_checks limit 1`)
	check()
	require.Equal(t, 1, f.count(broken+` where rule like 'every escrow is a deal%'`))
	require.Equal(t, f.count(broken), strings.Count(log.String(), "level=ERROR"), "one line for each broken rule")
	require.Contains(t, log.String(), "every escrow is a deal's")
	require.Equal(t, len(reports.Rules()), f.count(`select count(*) from books_checks where checked_at > now() - interval '1 hour'`))
}

// The books are checked whole once a week and while anything was found, and in between from a
// checkpoint, which only a check without a finding leaves. So are the chains.
func TestReconcile_short_and_whole(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	var log bytes.Buffer
	worker := &reconcileWorker{services: Services{DB: f.db.Worker(), Log: slog.New(slog.NewTextHandler(&log, nil))}}
	exec := func(sql string) {
		t.Helper()
		_, err := f.db.Owner().Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	nextNight := func() string {
		t.Helper()
		exec(`update books_checks set checked_at = checked_at - interval '1 day';
			update chain.progress set checked_at = checked_at - interval '1 day'`)
		log.Reset()
		require.NoError(t, (&sealChainWorker{services: worker.services}).Work(t.Context(), nil))
		require.NoError(t, worker.Work(t.Context(), nil))
		return log.String()
	}
	const books, chains = "books checked\" findings=%d whole=%v", "chain verified\" chain=transfers findings=%d whole=%v"
	expect := func(text string, findings int, whole bool) {
		t.Helper()
		require.Contains(t, text, fmt.Sprintf(books, findings, whole))
		require.Contains(t, text, fmt.Sprintf(chains, findings, whole))
	}
	expect(nextNight(), 0, true)
	expect(nextNight(), 0, false)
	require.Equal(t, 2, f.count(`select count(*) from books_checkpoints`))

	exec(`update books_checkpoints set whole_at = whole_at - interval '7 days';
		update chain.progress set whole_at = whole_at - interval '7 days'`)
	expect(nextNight(), 0, true)
	exec(`select ledger.post('stray', 'test', now(), null, null, array['exchange', 'fees'], array[null, null]::uuid[],
		array['USD', 'USD'], array[-5, 5]::bigint[])`)
	exec(`set session_replication_role = replica; update chain.transfer_seals set hash = sha256(''); set session_replication_role = default`)
	require.Contains(t, nextNight(), "whole=false")
	require.Positive(t, f.count(`select sum(broken) from books_checks`))
	require.Contains(t, nextNight(), "whole=true", "while anything is wrong")
	require.Equal(t, 3, f.count(`select count(*) from books_checkpoints`), "none of broken books")

	exec(`set session_replication_role = replica; update chain.transfer_seals set hash = sha256('x'); set session_replication_role = default`)
	require.Contains(t, nextNight(), "the chain is broken")
	require.Equal(t, 1, f.count(`select broken from chain.progress where chain = 'transfers'`))
}

// A check that fails does not keep the other from running.
func TestReconcile_each_check_alone(t *testing.T) {
	t.Parallel()
	for table, other := range map[string]string{
		"chain.progress": `select count(*) from books_checks`,
		"operations":     `select count(*) from chain.progress where checked_at is not null`,
	} {
		t.Run(table, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			_, err := f.db.Owner().Exec(t.Context(), `revoke all on `+table+` from amanat_worker`)
			require.NoError(t, err)
			worker := &reconcileWorker{services: Services{DB: f.db.Worker(), Log: slog.New(slog.DiscardHandler)}}
			require.ErrorContains(t, worker.Work(t.Context(), nil), "permission denied")
			require.Positive(t, f.count(other))
		})
	}
}

// A worker that starts makes up for a missed night.
func TestReconcile_missed_night(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, another := range []bool{false, true} {
		inserted, err := f.client.Insert(t.Context(), jobs.Reconcile{}, nil)
		require.NoError(t, err)
		require.Equal(t, another, inserted.UniqueSkippedAsDuplicate, "one at a time")
	}
	_, err := f.db.Owner().Exec(t.Context(), `delete from river.river_job`)
	require.NoError(t, err)
	f.start()
	require.Eventually(t, func() bool { return f.count(`select count(*) from books_checks`) > 0 }, 30*time.Second, 10*time.Millisecond)
}

func TestLatestNight(t *testing.T) {
	t.Parallel()
	at := func(day, hour, minute int) time.Time {
		return time.Date(2026, 11, day, hour, minute, 0, 0, clock.Dhaka)
	}
	for name, c := range map[string]struct{ now, night time.Time }{
		"before":             {at(20, 3, 29), at(19, 3, 30)},
		"at":                 {at(20, 3, 30), at(20, 3, 30)},
		"late in the day":    {at(20, 23, 59), at(20, 3, 30)},
		"previous month":     {at(1, 0, 5), time.Date(2026, 10, 31, 3, 30, 0, 0, clock.Dhaka)},
		"still the 19th UTC": {at(20, 4, 0).UTC(), at(20, 3, 30)},
		"before, in UTC":     {at(20, 2, 59).UTC(), at(19, 3, 30)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := latestNight(c.now)
			require.True(t, c.night.Equal(got), "%s: %s", c.now, got)
		})
	}
}
