package accounts

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestABrowserIsNewForADay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.hashCheaply()
	user, _ := b.signup(t, "rahim")
	requireNew := func(isNew bool, browser Token) {
		t.Helper()
		got, err := b.IsNewBrowser(t.Context(), user.ID, browser)
		require.NoError(t, err)
		require.Equal(t, isNew, got)
	}
	opened, err := b.login(t, "rahim", "river-stone", "192.0.2.1", "")
	require.NoError(t, err)
	requireNew(true, opened.Browser)
	b.clock.Advance(24 * time.Hour)
	requireNew(false, opened.Browser)
	requireNew(true, "")
	requireNew(true, "somebody's")
	again, err := b.login(t, "rahim", "river-stone", "192.0.2.1", opened.Browser)
	require.NoError(t, err)
	requireNew(false, again.Browser)

	b.signup(t, "karim")
	other, err := b.login(t, "karim", "river-stone", "192.0.2.1", "")
	require.NoError(t, err)
	b.clock.Advance(24 * time.Hour)
	requireNew(true, other.Browser)
}

func TestTheOperatorReleasesAStopToo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	user, _ := b.signup(t, "rahim")
	_, err := setWithdrawalsStopped(t.Context(), b.db, user.ID, b.clock.Now())
	require.NoError(t, err)
	stopped := func() (is bool) {
		require.NoError(t, b.db.QueryRow(t.Context(), `select withdrawals_stopped_at is not null from users where id = $1`, user.ID).Scan(&is))
		return is
	}
	operator := New(Options{DB: b.owner, Clock: b.clock})
	_, err = operator.HoldWithdrawals(t.Context(), "rahim")
	require.NoError(t, err)
	require.True(t, stopped())
	_, err = operator.ReleaseWithdrawals(t.Context(), "rahim")
	require.NoError(t, err)
	require.False(t, stopped())
}
