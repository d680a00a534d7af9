package accounts

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestIsNewBrowser(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.hashCheaply()
	user, _ := f.signup(t, "rahim")
	requireNew := func(isNew bool, browser Token) {
		t.Helper()
		got, err := f.IsNewBrowser(t.Context(), user.ID, browser)
		require.NoError(t, err)
		require.Equal(t, isNew, got)
	}
	opened, err := f.login(t, "rahim", "river-stone", "192.0.2.1", "")
	require.NoError(t, err)
	requireNew(true, opened.Browser)
	f.clock.Advance(24 * time.Hour)
	requireNew(false, opened.Browser)
	requireNew(true, "")
	requireNew(true, "somebody's")
	again, err := f.login(t, "rahim", "river-stone", "192.0.2.1", opened.Browser)
	require.NoError(t, err)
	requireNew(false, again.Browser)

	f.signup(t, "karim")
	other, err := f.login(t, "karim", "river-stone", "192.0.2.1", "")
	require.NoError(t, err)
	f.clock.Advance(24 * time.Hour)
	requireNew(true, other.Browser)
}

func TestReleaseWithdrawals(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user, _ := f.signup(t, "rahim")
	_, err := setWithdrawalsStopped(t.Context(), f.db, user.ID, f.clock.Now())
	require.NoError(t, err)
	stopped := func() (is bool) {
		require.NoError(t, f.db.QueryRow(t.Context(), `select withdrawals_stopped_at is not null from users where id = $1`, user.ID).Scan(&is))
		return is
	}
	operator := New(Options{DB: f.owner, Clock: f.clock})
	_, err = operator.HoldWithdrawals(t.Context(), "rahim")
	require.NoError(t, err)
	require.True(t, stopped())
	_, err = operator.ReleaseWithdrawals(t.Context(), "rahim")
	require.NoError(t, err)
	require.False(t, stopped())
}
