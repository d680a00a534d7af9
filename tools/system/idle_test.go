package system

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What an idle installation costs, in each second or minute: commits fill the log that is archived.
const (
	idleCommits  = 8           // a second; most are of River: polls, its leader, pings
	idleLines    = 10          // a minute of all processes
	idleMeasured = time.Minute // some jobs run once a minute
)

// An installation that nobody uses leaves the database and the log alone.
func TestIdle(t *testing.T) {
	t.Parallel()
	s := newSystem(t, released)
	processes := []*process{
		s.startAPI(), s.startAPI(), s.startWorker("money"), s.startWorker("mail,notify,maintenance,data"),
	}
	lines := func() (n int) {
		for _, p := range processes {
			log, err := os.ReadFile(p.log)
			require.NoError(t, err)
			n += strings.Count(string(log), "\n")
		}
		return n
	}
	commits := func() int {
		return s.count("select xact_commit from pg_stat_database where datname = current_database()")
	}
	// All jobs that run on start have run: the leader inserts them at once.
	await(t, startWait, "at rest", func() bool {
		return s.count("select count(*) from river.river_job where kind = 'reconcile' and state = 'completed'") == 1 &&
			s.count("select count(*) from river.river_job where state <> 'completed'") == 0
	})
	// A backend reports its commits after ten seconds at the latest.
	rested := time.Now()
	await(t, 2*idleMeasured, "reported", func() bool { return time.Since(rested) > 11*time.Second })
	started := time.Now()
	commitsBefore, linesBefore := commits(), lines()
	await(t, 2*idleMeasured, "idle", func() bool { return time.Since(started) > idleMeasured })
	seconds := time.Since(started).Seconds()
	perSecond := float64(commits()-commitsBefore) / seconds
	perMinute := float64(lines()-linesBefore) / seconds * 60
	t.Logf("%.1f commits a second, %.1f lines a minute", perSecond, perMinute)
	require.LessOrEqual(t, perSecond, float64(idleCommits))
	require.LessOrEqual(t, perMinute, float64(idleLines))
}
