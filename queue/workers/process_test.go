package workers

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/queue/jobs"
)

// heartbeats counts the worker processes that are known to live, or to have died.
func (f *fixture) heartbeats() int {
	f.t.Helper()
	return f.count(`select count(*) from worker_heartbeats`)
}

// sqlUnseenWorkers refuses attempts of workers without a heartbeat.
const sqlUnseenWorkers = `
create function refuse_unseen() returns trigger language plpgsql security definer as $$
begin
  if exists (select from river.river_job where state = 'running'
                and not exists (select from public.worker_heartbeats where id = attempted_by[cardinality(attempted_by)])) then
    raise 'a job of an unseen worker is running';
  end if;
  return null;
end $$;
create trigger unseen after update on river.river_job execute function refuse_unseen();
create trigger unseen after delete on worker_heartbeats execute function refuse_unseen()`

// A process is seen from before its first job until after its last one. A stopped one leaves
// nothing.
func TestProcess_seen_while_jobs_run(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, err := f.db.Owner().Exec(t.Context(), sqlUnseenWorkers)
	require.NoError(t, err)
	buyer, seller := f.withFunds("nusrat", 500_00), f.user("tanvir")
	d := f.deal(buyer, seller, 1_00)
	_, err = f.deals.RequestPay(t.Context(), buyer, d.ID, deals.AnyTerms, nil)
	require.NoError(t, err)
	tx, err := f.db.Owner().Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	_, err = tx.Exec(t.Context(), `select from deals where id = @id for update`, pgx.NamedArgs{"id": d.ID})
	require.NoError(t, err)

	stop := f.startProcess(f.process)
	require.Equal(t, 1, f.count(`select count(*) from worker_heartbeats where id = $1`, f.process.ID()))
	require.Eventually(t, func() bool {
		return f.count(`select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`) == 1
	}, 10*time.Second, 10*time.Millisecond)
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		stop()
	}()
	require.NoError(t, tx.Rollback(t.Context()))
	<-stopped
	require.Zero(t, f.heartbeats())
}

// While heartbeats fail, the process says so once and does not sweep; then it waits until others
// have had the time for a heartbeat.
func TestProcess_heartbeats_fail(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	buyer, seller := f.withFunds("nusrat", 500_00), f.user("tanvir")
	f.enqueued(buyer, f.deal(buyer, seller, 1_00).ID)
	_, err := f.db.Owner().Exec(ctx, `delete from river.river_job`)
	require.NoError(t, err)
	var output strings.Builder
	d := f.dependencies()
	d.Logger = slog.New(slog.NewTextHandler(&output, nil))
	process, err := Assemble(d)
	require.NoError(t, err)
	revived := func() int { return f.count(`select count(*) from river.river_job where kind = 'deal_pay'`) }

	process.beat(ctx)
	process.beat(ctx)
	_, err = f.db.Owner().Exec(ctx, `alter table worker_heartbeats rename to elsewhere`)
	require.NoError(t, err)
	for range 3 {
		process.beat(ctx)
		process.sweep(ctx)
	}
	require.Equal(t, 1, strings.Count(output.String(), "routine fails"), output.String())
	require.NotContains(t, output.String(), "sweep")
	_, err = f.db.Owner().Exec(ctx, `alter table elsewhere rename to worker_heartbeats`)
	require.NoError(t, err)
	process.beat(ctx)
	require.Equal(t, 1, strings.Count(output.String(), "routine works again"), output.String())
	process.sweep(ctx)
	require.Zero(t, revived())
	process.beat(ctx)
	process.sweep(ctx)
	require.Equal(t, 1, revived())
}

// A process sweeps by itself, whichever process is River's leader.
func TestProcess_settles_for_dead_worker(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	buyer, seller := f.withFunds("nusrat", 500_00), f.user("tanvir")
	op, job := f.enqueued(buyer, f.deal(buyer, seller, 1_00).ID)
	f.attempted(job.ID, rivertype.JobStateRunning, 0, "dead")
	f.seen("dead", time.Minute)
	d := f.dependencies()
	d.Queues = []string{jobs.QueueMoney}
	process, err := Assemble(d)
	require.NoError(t, err)
	f.startProcess(process)
	f.settled(op, nil)
	require.Equal(t, 1, f.count(`select count(*) from river.river_job where id = $1 and state = 'running'`, job.ID))
	f.reconciled()
}

// Leaders of the previous release insert the job of the sweep.
func TestOperationsSweep_job_of_previous_release(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	require.Equal(t, rivertype.JobStateCompleted, f.work(jobs.OperationsSweep{}).State)
}

func TestCleanup_old_heartbeats(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.seen("long ago", 61*time.Minute)
	f.seen("before", 59*time.Minute)
	f.start()
	require.Equal(t, rivertype.JobStateCompleted, f.work(jobs.Cleanup{}).State)
	require.Equal(t, 1, f.count(`select count(*) from worker_heartbeats where id = 'before'`))
	require.Zero(t, f.count(`select count(*) from worker_heartbeats where id = 'long ago'`))
}
