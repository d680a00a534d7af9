package localstack

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

func TestPostgres_crash_and_failover(t *testing.T) {
	t.Parallel()
	primaryDir, standbyDir := filepath.Join(t.TempDir(), "primary"), filepath.Join(t.TempDir(), "standby")
	t.Cleanup(func() { removeData(t, primaryDir); removeData(t, standbyDir) })
	primary := start(t, PostgresOptions{Dir: primaryDir, Settings: []string{"wal_keep_size=64MB"}})
	require.Equal(t, "64MB", query[string](t, primary.URL(maintenanceDB), "show wal_keep_size"))
	exec1(t, primary.URL(maintenanceDB), "create table kept (id int); insert into kept values (7)")

	require.NotEmpty(t, primary.Processes())
	grow := func() error {
		conn, err := pgx.Connect(t.Context(), primary.URL(maintenanceDB))
		require.NoError(t, err)
		defer func() { _ = conn.Close(t.Context()) }()
		_, err = conn.Exec(t.Context(), "insert into kept select n from generate_series(1, 100000) n")
		return err
	}
	if _, err := exec.LookPath("prlimit"); err == nil {
		require.NoError(t, primary.LimitFiles(t.Context(), 1<<20))
		require.Error(t, grow())
		require.NoError(t, primary.LimitFiles(t.Context(), -1))
	}
	require.NoError(t, primary.Kill())
	require.True(t, primary.Ended())
	require.Empty(t, primary.Processes())
	require.NoError(t, primary.Restart(t.Context()))
	require.False(t, primary.Ended())
	require.EqualValues(t, 7, query[int64](t, primary.URL(maintenanceDB), "select id from kept"))

	standby, err := primary.Standby(t.Context(), standbyDir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, standby.Stop()) })
	exec1(t, primary.URL(maintenanceDB), "update kept set id = 8")
	require.NoError(t, primary.Kill())
	require.True(t, query[bool](t, standby.URL(maintenanceDB), "select pg_is_in_recovery()"))
	require.NoError(t, standby.Promote(t.Context()))
	exec1(t, standby.URL(maintenanceDB), "update kept set id = id + 1")
	require.EqualValues(t, 9, query[int64](t, standby.URL(maintenanceDB), "select id from kept"))
	require.NoError(t, standby.Kill())
	require.NoError(t, standby.Restart(t.Context()), "it is a primary now")
	exec1(t, standby.URL(maintenanceDB), "update kept set id = id + 1")
}
