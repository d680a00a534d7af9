package reports

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
)

// maxFindings limits the findings of each rule.
const maxFindings = 20

// CheckOptions says what a check of the books reads.
type CheckOptions struct {
	// Short begins at the latest checkpoint, if there is one that is valid.
	Short bool
	// Checkpoint prepares a checkpoint, which needs the role of the worker or of the owner.
	Checkpoint bool
	// Observe is called after each rule with the time it took; nil for none.
	Observe func(rule string, took time.Duration)
}

// Check is the result of a check of the books.
type Check struct {
	Findings []Finding
	Whole    bool
	Since    time.Time   // of the checkpoint at which a short check began
	Next     *Checkpoint // at which the next check may begin, if this one found nothing and it is kept
	NextErr  error       // why there is no checkpoint; the check itself is complete
}

// Checkpoint says up to where the books were checked without a finding. Two horizons say what is
// new: every transfer up to Settled had been committed or will never exist, as the sealing of the
// ledger has established, and every transaction before Horizon had ended.
type Checkpoint struct {
	CheckedAt time.Time
	WholeAt   time.Time // of the latest whole check before or at this one
	Settled   int64
	Horizon   string // a transaction ID
	Cluster   int64  // that the transaction ID is of
}

// Reconcile checks every rule of the books on one snapshot of the database and returns the
// violations, none if the books are correct. It is for operators and works with both roles.
func Reconcile(ctx context.Context, db postgres.Beginner) ([]Finding, error) {
	check, err := CheckBooks(ctx, db, CheckOptions{})
	return check.Findings, err
}

// CheckBooks is Reconcile with options.
func CheckBooks(ctx context.Context, db postgres.Beginner, o CheckOptions) (Check, error) {
	var check Check
	err := postgres.Snapshot(ctx, db, func(tx *postgres.Tx) error {
		if err := postgres.Command("reports.settings", sqlCheckSettings).Run(ctx, tx, nil); err != nil {
			return err
		}
		from, age, err := startingPoint(ctx, tx, o)
		if err != nil {
			return err
		}
		check = Check{Whole: from == nil}
		args := postgres.Args{"whole": true, "settled": int64(math.MinInt64), "age": 0}
		if from != nil {
			check.Since = from.CheckedAt
			args = postgres.Args{"whole": false, "settled": from.Settled, "age": age}
		}
		for _, r := range rules {
			broken, err := r.check(ctx, tx, o.Observe, args)
			if err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
			check.Findings = append(check.Findings, broken...)
		}
		if o.Checkpoint && len(check.Findings) == 0 {
			check.Next, check.NextErr = nextCheckpoint(ctx, tx, from)
		}
		return nil
	})
	return check, err
}

// Reading all of a large ledger takes longer than the timeout of requests, and hash tables of its
// size need more memory than requests get. The planner expects broken rows by the million, which
// parallel workers would have to pass on; usually there are none, hence parallel_tuple_cost. It is
// faster to join by texts with their hashes than to sort them.
const sqlCheckSettings = `
select set_config('statement_timeout', '0', true), set_config('work_mem', '128MB', true),
       set_config('jit', 'off', true), set_config('max_parallel_workers_per_gather', '4', true),
       set_config('parallel_tuple_cost', '0', true), set_config('enable_mergejoin', 'off', true)`

// Usually there are no findings. For a query with a limit, the planner expects to reach the limit
// soon and chooses a plan that is slow to the end; it plans a materialized query to be read whole.
const sqlFirstFindings = `
with findings (detail) as materialized (%s
)
select detail from findings limit %d`

// The planner does not know how few rows have changed since a checkpoint, and would read whole
// tables to join with them.
const sqlHashJoins = `select set_config('enable_hashjoin', @on, true)`

func (r rule) check(ctx context.Context, q postgres.Querier, observe func(string, time.Duration), args postgres.Args) ([]Finding, error) {
	start := clock.System{}.Now()
	on := strconv.FormatBool(args["whole"] == true || !r.bounded())
	if err := postgres.Command("reports.hash_joins", sqlHashJoins).Run(ctx, q, postgres.Args{"on": on}); err != nil {
		return nil, err
	}
	lines, err := postgres.Query[string]("reports.check_rule", fmt.Sprintf(sqlFirstFindings, r.sql, maxFindings)).Many(ctx, q, args)
	if err != nil {
		return nil, err
	}
	if observe != nil {
		observe(r.name, clock.System{}.Now().Sub(start))
	}
	findings := make([]Finding, len(lines))
	for i, line := range lines {
		findings[i] = Finding{Rule: r.name, Detail: line}
	}
	return findings, nil
}

const sqlLatestCheckpoint = `
select checked_at, whole_at, settled, horizon::text as horizon, cluster
  from books_checkpoints order by id desc limit 1`

// LatestCheckpoint returns the latest checkpoint. Both roles may read it.
func LatestCheckpoint(ctx context.Context, q postgres.Querier) (_ Checkpoint, found bool, _ error) {
	return postgres.Query[Checkpoint]("reports.latest_checkpoint", sqlLatestCheckpoint).Find(ctx, q, nil)
}

// startingPoint returns the checkpoint to begin at, and its age in transactions, or nil for a whole
// check. A checkpoint is not valid in another cluster, which counts its own transactions, nor when
// it is so old that transaction IDs are about to be used again.
func startingPoint(ctx context.Context, q postgres.Querier, o CheckOptions) (*Checkpoint, int, error) {
	if !o.Short {
		return nil, 0, nil
	}
	checkpoint, found, err := LatestCheckpoint(ctx, q)
	if !found || err != nil {
		return nil, 0, err
	}
	age, err := postgres.Query[int]("reports.checkpoint_age", sqlCheckpointAge).One(ctx, q, postgres.Args{
		"horizon": checkpoint.Horizon, "cluster": checkpoint.Cluster, "most": maxCheckpointAge,
	})
	if age < 0 || err != nil {
		return nil, 0, err
	}
	return &checkpoint, age, nil
}

// maxCheckpointAge is far below the 2 billion transactions after which an ID is used again.
const maxCheckpointAge = 1_000_000_000

// sqlCheckpointAge returns -1 for a checkpoint of another cluster, of the future of this one, or
// that is too old. age counts from one transaction ID throughout a transaction, so that a row that
// was written after the horizon is never older than the horizon.
const sqlCheckpointAge = `
select case when system_identifier <> @cluster or @horizon::text::xid8 > pg_snapshot_xmin(pg_current_snapshot())
              or pg_snapshot_xmax(pg_current_snapshot())::text::numeric - @horizon::text::numeric > @most then -1
            else age(@horizon::text::xid8::xid) end
  from pg_control_system()`

// nextCheckpoint returns the checkpoint of this snapshot.
func nextCheckpoint(ctx context.Context, tx *postgres.Tx, from *Checkpoint) (*Checkpoint, error) {
	// Within a savepoint, so that a failure leaves the result of the check.
	savepoint, err := tx.Begin(ctx)
	if err != nil {
		return nil, err
	}
	next, err := postgres.Query[Checkpoint]("reports.next_checkpoint", sqlNextCheckpoint).One(ctx, savepoint, nil)
	if err != nil {
		return nil, errors.Join(err, savepoint.Rollback(ctx))
	}
	if from != nil {
		next.WholeAt = from.WholeAt
	}
	return &next, savepoint.Commit(ctx)
}

const sqlNextCheckpoint = `
select 'epoch'::timestamptz as checked_at, 'epoch'::timestamptz as whole_at, settled,
       pg_snapshot_xmin(pg_current_snapshot())::text as horizon, system_identifier as cluster
  from chain.progress, pg_control_system()
 where chain = 'transfers'`
