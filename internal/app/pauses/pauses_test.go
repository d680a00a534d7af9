package pauses_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/pauses"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
)

type fixture struct {
	*pauses.Service
	t     *testing.T
	db    *dbtest.DB
	clock *clock.Offset
	gate  *pauses.Gate
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	db, now := dbtest.New(t), clock.NewStopped()
	return &fixture{
		Service: &pauses.Service{DB: db.Worker(), Clock: now}, t: t, db: db, clock: now, gate: pauses.NewGate(db.API(), now),
	}
}

// refused returns the reasons with which a new process refuses the areas, "" where it does not.
func (f *fixture) refused(areas ...pauses.Area) []string {
	f.t.Helper()
	gate := pauses.NewGate(f.db.API(), f.clock)
	reasons := make([]string, len(areas))
	for i, area := range areas {
		err := gate.Check(f.t.Context(), area)
		if err == nil {
			continue
		}
		var refusal *fault.Error
		require.ErrorAs(f.t, err, &refusal)
		require.Equal(f.t, fault.Unavailable, refusal.Code)
		require.Equal(f.t, time.Minute, refusal.RetryAfter)
		reasons[i] = refusal.Reason
	}
	return reasons
}

func (f *fixture) audited() []string {
	f.t.Helper()
	rows, err := f.db.Owner().Query(f.t.Context(), `select concat_ws(' ', action, subject, details ->> 'reason') from audit_log order by id`)
	require.NoError(f.t, err)
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(f.t, err)
	return found
}

func TestGate(t *testing.T) {
	t.Parallel()
	for paused, want := range map[pauses.Area][]string{
		pauses.Money:       {"paused_money", "paused_money", "paused_money", ""},
		pauses.Deposits:    {"", "paused_deposits", "", ""},
		pauses.Withdrawals: {"", "", "paused_withdrawals", ""},
		pauses.Signups:     {"", "", "", "paused_signups"},
	} {
		t.Run(string(paused), func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			require.Equal(t, make([]string, len(want)), f.refused(pauses.Areas()...))
			require.NoError(t, f.Pause(t.Context(), paused, "a test"))
			require.Equal(t, want, f.refused(pauses.Areas()...))
			resumed, err := f.Resume(t.Context(), paused)
			require.NoError(t, err)
			require.True(t, resumed)
			require.Equal(t, make([]string, len(want)), f.refused(pauses.Areas()...))
		})
	}
}

// Every call asks the gate, so it reads the database every two seconds only, and goes on without
// it.
func TestGate_reads_seldom(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	require.NoError(t, f.gate.Check(ctx, pauses.Money))
	require.NoError(t, f.Pause(ctx, pauses.Money, "a test"))
	f.clock.Advance(2*time.Second - time.Microsecond)
	require.NoError(t, f.gate.Check(ctx, pauses.Money))
	f.clock.Advance(time.Microsecond)
	require.Eventually(t, func() bool { return f.gate.Check(ctx, pauses.Money) != nil }, 10*time.Second, 10*time.Millisecond,
		"a call does not wait long for the read")

	_, err := f.db.Owner().Exec(ctx, "alter table pauses rename to lost")
	require.NoError(t, err)
	f.clock.Advance(2 * time.Second)
	require.Error(t, f.gate.Check(ctx, pauses.Money), "what was read last")
	require.ErrorContains(t, pauses.NewGate(f.db.API(), f.clock).Check(ctx, pauses.Money), "pauses.list")
}

// A database that hangs holds up no call: each goes by what was read last.
func TestGate_hanging_read(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	require.NoError(t, f.Pause(t.Context(), pauses.Deposits, "a test"))
	require.NoError(t, f.gate.Check(t.Context(), pauses.Money))
	lock, err := f.db.Owner().Begin(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = lock.Rollback(context.WithoutCancel(t.Context())) })
	_, err = lock.Exec(t.Context(), "lock table pauses")
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
	defer cancel()
	f.clock.Advance(2 * time.Second)
	for range 3 {
		require.NoError(t, f.gate.Check(ctx, pauses.Money))
		require.Error(t, f.gate.Check(ctx, pauses.Deposits))
	}
	require.NoError(t, ctx.Err())

	gone, leave := context.WithCancel(t.Context())
	leave()
	require.ErrorIs(t, pauses.NewGate(f.db.API(), f.clock).Check(gone, pauses.Money), context.Canceled)

	require.NoError(t, lock.Rollback(t.Context()))
	_, err = f.Resume(t.Context(), pauses.Deposits)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		f.clock.Advance(2 * time.Second)
		return f.gate.Check(t.Context(), pauses.Deposits) == nil
	}, 10*time.Second, 10*time.Millisecond)
}

func TestService(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	resumed, err := f.Resume(ctx, pauses.Deposits)
	require.NoError(t, err)
	require.False(t, resumed)
	require.Empty(t, f.audited())

	begun := f.clock.Now()
	require.NoError(t, f.Pause(ctx, pauses.Deposits, "false receipts"))
	f.clock.Advance(time.Hour)
	require.NoError(t, f.Pause(ctx, pauses.Deposits, "bKash is away"))
	inForce, err := f.List(ctx)
	require.NoError(t, err)
	require.Equal(t, []pauses.Pause{{Area: pauses.Deposits, Reason: "bKash is away", PausedAt: begun}}, inForce)
	_, err = f.Resume(ctx, pauses.Deposits)
	require.NoError(t, err)
	require.Equal(t, []string{
		"pause.begin pause:deposits false receipts", "pause.begin pause:deposits bKash is away", "pause.end pause:deposits",
	}, f.audited())

	api := &pauses.Service{DB: f.db.API(), Clock: f.clock}
	require.True(t, postgres.Forbidden(api.Pause(ctx, pauses.Money, "an intruder")), "the api only reads pauses")
}
