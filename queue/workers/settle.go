package workers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"amanat/internal/lib/failpoint"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/tracing"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// operationKind says how to settle operations of one kind.
type operationKind struct {
	settle   func(ctx context.Context, tx *postgres.Tx, op operations.Operation) (result any, err error)
	rule     operations.Rule
	worklist realtime.Worklist // the worklist that the subject is in; "": none
	// queueLock queues the locking of the subjects of the operations, in one order, and the reading
	// of them. When that has run, the result has the IDs of the subjects that are locked: unless
	// wait is set, without those that another transaction has locked. Operations of kinds that have
	// it are settled in groups.
	queueLock func(tx *postgres.Tx, operations []uuid.UUID, wait bool) (locked map[uuid.UUID]bool)
}

// maxRetryPause is short because a user is waiting for their money (docs/rules.md#money-calls).
const maxRetryPause = 30 * time.Second

// settler returns the worker of a kind of money jobs. It settles the job's operation, if possible
// together with others.
func (g *groups) settler(kind operationKind) *worker[jobs.Settle] {
	work := func(ctx context.Context, job *river.Job[jobs.Settle]) error {
		return g.settle(ctx, &task{
			jobKind: job.Kind, operation: job.Args.OperationID, kind: &kind,
			parent: trace.SpanContextFromContext(ctx), requestID: tracing.RequestID(ctx),
		})
	}
	return &worker[jobs.Settle]{work: work, timeout: jobs.MoneyTimeout, maxPause: maxRetryPause}
}

// task is a job whose operation is to be settled.
type task struct {
	jobKind   string
	operation uuid.UUID
	kind      *operationKind

	parent    trace.SpanContext // of the span of the job
	requestID string            // of the call that requested the operation; "": none
}

// settleAlone settles one operation. A refusal is an outcome too: the operation is rejected and the
// job has succeeded. After any other error the job is retried.
func (s Services) settleAlone(ctx context.Context, t *task) error {
	err := s.inTx(ctx, []*task{t}, false, func(tx *postgres.Tx, pending []pendingTask) error {
		for _, p := range pending {
			if err := s.settleIn(ctx, tx, p); err != nil {
				return err
			}
		}
		return nil
	})
	if refusal := refusalOf(err); refusal != nil {
		// In a new transaction, so that everything the refused attempt wrote is rolled back.
		err = s.inTx(ctx, []*task{t}, false, func(tx *postgres.Tx, pending []pendingTask) error {
			for _, p := range pending {
				s.release(tx, p)
				if err := s.Operations.Reject(tx, p.op, refusal); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err == nil {
		failpoint.Hit(failpoint.WorkerAfterCommit)
	}
	return err
}

// settleTogether settles the operations of the tasks, whose kinds lock the same subjects, in one
// transaction: the postings, outcomes and notifications of all. Any error rolls everything back; if
// it is known which tasks caused it, the error is a failedTasksError.
func (s Services) settleTogether(ctx context.Context, tasks []*task) (err error) {
	ctx, span := startGroup(ctx, tasks)
	defer func() { tracing.End(span, err) }()
	return s.inTx(ctx, tasks, true, func(tx *postgres.Tx, pending []pendingTask) error {
		var failed failedTasksError
		for _, p := range pending {
			if !p.subjectLocked() || !s.trySettleIn(ctx, tx, p) {
				failed = append(failed, p.task)
			}
		}
		if len(failed) > 0 {
			return failed
		}
		return nil
	})
}

// settleIn settles one operation in the transaction.
func (s Services) settleIn(ctx context.Context, tx *postgres.Tx, p pendingTask) error {
	ctx = tracing.WithRequestID(ctx, p.requestID)
	// The actor may have been disabled or lost the admin role since the request
	// (docs/rules.md#money-calls).
	if err := p.locks.actors.Check(p.op, p.kind.rule); err != nil {
		return err
	}
	result, err := p.kind.settle(trace.ContextWithSpan(ctx, p.span), tx, p.op)
	if err != nil {
		return err
	}
	return s.Operations.Finish(tx, p.op, result)
}

// trySettleIn is settleIn for a member of a group. A panic counts as a failure: settled by itself,
// the operation panics again, in its own job.
func (s Services) trySettleIn(ctx context.Context, tx *postgres.Tx, p pendingTask) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return s.settleIn(ctx, tx, p) == nil
}

// failedTasksError lists the tasks because of which a group was not settled. Trying each by itself
// says why.
type failedTasksError []*task

// Error returns how many they are.
func (f failedTasksError) Error() string {
	return fmt.Sprintf("workers: %d operations of the group failed", len(f))
}

// release publishes that a row of a worklist is free again, because its operation was
// refused.
func (s Services) release(tx *postgres.Tx, p pendingTask) {
	if id, err := p.op.SubjectID(); err == nil && p.kind.worklist != "" {
		s.Events.WorklistChanged(tx, p.kind.worklist, id)
	}
}

// pendingTask is a task and its operation, which is locked and pending.
type pendingTask struct {
	*task
	op    operations.Operation
	locks *locks
	span  trace.Span // of settling it, until the end of the transaction
}

// subjectLocked reports whether the transaction has locked the subject.
func (p pendingTask) subjectLocked() bool {
	id, err := p.op.SubjectID()
	return err == nil && p.locks.subjects[id]
}

// locks is what a transaction that settles operations has locked, and read under the locks.
type locks struct {
	operations map[uuid.UUID]operations.Operation // by ID
	subjects   map[uuid.UUID]bool                 // of kinds that have queueLock
	actors     operations.Actors
}

// lock locks the operations and the subjects of the tasks, which are of kinds that lock the same
// subjects, and reads them, in one round trip.
func (s Services) lock(ctx context.Context, tx *postgres.Tx, tasks []*task, group bool) (*locks, error) {
	if group {
		queueGroupSettings(tx)
	}
	ids := make([]uuid.UUID, len(tasks))
	for i, t := range tasks {
		ids[i] = t.operation
	}
	l := &locks{operations: s.Operations.QueueLockAll(tx, ids)}
	if queueLock := tasks[0].kind.queueLock; queueLock != nil {
		l.subjects = queueLock(tx, ids, !group)
	}
	// Disabling a user locks their deals, so the actors are read under the locks of the deals.
	l.actors = operations.QueueActors(tx, ids)
	return l, tx.Flush(ctx)
}

// inTx calls do with those of the tasks whose operation is pending. The job of any other has no
// effect: it may run again after a crash, or beside another job of the same operation, so the
// operation's lock and status are what makes money move exactly once. In the transaction of a
// group, no statement waits for a lock for more than a second.
func (s Services) inTx(
	ctx context.Context, tasks []*task, group bool, do func(tx *postgres.Tx, pending []pendingTask) error,
) (err error) {
	var spans []trace.Span
	defer func() {
		for _, span := range spans {
			tracing.End(span, err)
		}
	}()
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		locked, err := s.lock(ctx, tx, tasks, group)
		if err != nil {
			return err
		}
		var pending []pendingTask
		for _, t := range tasks {
			op, found := locked.operations[t.operation]
			if !found {
				return fmt.Errorf("workers: there is no operation %s", t.operation)
			}
			// A job of another kind than the operation has no effect.
			if op.Status == operations.Pending && op.Kind == t.jobKind {
				span := t.startSpan(ctx, op)
				spans = append(spans, span)
				pending = append(pending, pendingTask{t, op, locked, span})
				op.Status = operations.Done // a second job of the operation has no effect either
				locked.operations[t.operation] = op
			}
		}
		if err := do(tx, pending); err != nil {
			return err
		}
		tx.LastBeforeCommit(func(ctx context.Context) error { return beforeCommit(ctx, tx, len(tasks)) })
		return nil
	})
}

// beforeCommit is where crash tests kill the process after money has moved.
func beforeCommit(ctx context.Context, tx *postgres.Tx, operations int) error {
	if err := tx.Flush(ctx); err != nil {
		return err
	}
	failpoint.Hit(failpoint.WorkerBeforeCommit)
	if operations >= failpoint.LargeGroup {
		failpoint.Hit(failpoint.WorkerGroupBeforeCommit)
	}
	return nil
}

// startSpan starts the span of settling the operation, in the trace of its job. If the transaction
// is a group's, which has a trace of its own, the span links to it.
func (t *task) startSpan(ctx context.Context, op operations.Operation) trace.Span {
	ctx = tracing.WithRequestID(ctx, t.requestID)
	options := []trace.SpanStartOption{trace.WithAttributes(
		attribute.String("amanat.operation.id", op.ID.String()), attribute.String("amanat.operation.subject", op.Subject))}
	if trace.SpanContextFromContext(ctx).TraceID() != t.parent.TraceID() {
		options = append(options, trace.WithLinks(trace.LinkFromContext(ctx)))
		ctx = trace.ContextWithSpanContext(ctx, t.parent)
	}
	_, span := tracing.Start(ctx, "settle "+op.Kind, options...)
	return span
}

// startGroup starts the span of a transaction that settles several operations, a trace of its own
// that links to those of the jobs. A single operation is settled in its own trace.
func startGroup(ctx context.Context, tasks []*task) (context.Context, trace.Span) {
	if len(tasks) == 1 {
		ctx = tracing.WithRequestID(trace.ContextWithSpanContext(ctx, tasks[0].parent), tasks[0].requestID)
		return tracing.Start(ctx, "transaction")
	}
	links := make([]trace.Link, len(tasks))
	for i, t := range tasks {
		links[i] = trace.Link{SpanContext: t.parent, Attributes: []attribute.KeyValue{attribute.String("amanat.request_id", t.requestID)}}
	}
	return tracing.Start(tracing.WithRequestID(ctx, ""), "settle group", trace.WithNewRoot(), trace.WithLinks(links...),
		trace.WithAttributes(attribute.Int("amanat.operations", len(tasks))))
}

// refusalOf returns err as a refusal, or nil if it is nil or a failure worth a retry.
func refusalOf(err error) *fault.Error {
	f := fault.As(err)
	if f == nil || f.Code == fault.Internal || f.Code == fault.Unavailable {
		return nil
	}
	return f
}

// maxGroup bounds the operations settled in one transaction, and with it the time that their locks
// are held.
const maxGroup = 50

// groups settles operations, those of kinds that allow it in groups: while one group is being
// settled, the jobs that arrive form the next one. A job that arrives while no group is being
// settled does not wait.
type groups struct {
	services Services
	// alone bounds the operations that are settled by themselves at the same time, and with them
	// the connections in use.
	alone chan struct{}

	mu      sync.Mutex
	leading bool      // a member is settling a group
	waiting []*member // for the next groups
}

func newGroups(s Services) *groups {
	return &groups{services: s, alone: make(chan struct{}, cmp.Or(s.MoneyWorkers, moneyWorkers))}
}

// member is a task that waits to be settled in a group.
type member struct {
	task *task
	turn chan turn // has room for one
}

// turn tells a waiting member how to continue.
type turn struct {
	lead    bool // settle the next group, which includes the member
	settled bool // by the leader; otherwise the member has to be settled by itself
}

// settle settles the task's operation: in a group if its kind allows that, and by itself if that
// fails.
func (g *groups) settle(ctx context.Context, t *task) error {
	if t.kind.queueLock != nil {
		if settled, err := g.join(ctx, t); settled || err != nil {
			return err
		}
	}
	select {
	case g.alone <- struct{}{}:
		defer func() { <-g.alone }()
	case <-ctx.Done():
		return ctx.Err()
	}
	return g.services.settleAlone(ctx, t)
}

// join waits until the task was tried in a group and reports whether it was settled.
func (g *groups) join(ctx context.Context, t *task) (settled bool, err error) {
	m := &member{task: t, turn: make(chan turn, 1)}
	if !g.enter(m) {
		next, err := g.await(ctx, m)
		if err != nil || !next.lead {
			return next.settled, err
		}
	}
	defer g.handOver()
	if err := ctx.Err(); err != nil {
		return false, err // the others get a leader with more time
	}
	return g.lead(ctx, m), nil
}

// await waits for the member's turn. It fails if ctx ends before the member is part of a group.
func (g *groups) await(ctx context.Context, m *member) (turn, error) {
	select {
	case next := <-m.turn:
		return next, nil
	case <-ctx.Done():
	}
	if g.leave(m) {
		return turn{}, ctx.Err()
	}
	return <-m.turn, nil // its group is being settled, or it leads
}

// enter adds a member to those that wait, or makes it the leader of a group if there is none.
func (g *groups) enter(m *member) (leads bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.leading {
		g.waiting = append(g.waiting, m)
		return false
	}
	g.leading = true
	return true
}

// leave removes a member that still waits, and reports whether it did.
func (g *groups) leave(m *member) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.Index(g.waiting, m)
	if i < 0 {
		return false
	}
	g.waiting = slices.Delete(g.waiting, i, i+1)
	return true
}

// handOver makes the newest member the leader of the next group, since it has the most time left.
func (g *groups) handOver() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.waiting) == 0 {
		g.leading = false
		return
	}
	newest := len(g.waiting) - 1
	g.waiting[newest].turn <- turn{lead: true}
	g.waiting = g.waiting[:newest]
}

// lead settles the leader's task together with those that have waited longest and reports whether
// the leader's was settled.
func (g *groups) lead(ctx context.Context, leader *member) bool {
	g.mu.Lock()
	n := min(len(g.waiting), maxGroup-1)
	members := append([]*member{leader}, g.waiting[:n]...)
	g.waiting = slices.Clone(g.waiting[n:])
	g.mu.Unlock()

	tasks := make([]*task, len(members))
	for i, m := range members {
		tasks[i] = m.task
	}
	var settled []*task
	defer func() { // also after a panic, which the leader's job reports
		for _, m := range members[1:] {
			m.turn <- turn{settled: slices.Contains(settled, m.task)}
		}
	}()
	settled = g.settleGroup(ctx, tasks)
	return slices.Contains(settled, leader.task)
}

// settleGroup settles as many of the tasks as possible in one transaction and returns them. Those
// that fail are left out, so that no operation fails because of another one.
func (g *groups) settleGroup(ctx context.Context, tasks []*task) (settled []*task) {
	for len(tasks) > 0 {
		err := g.services.settleTogether(ctx, tasks)
		var failed failedTasksError
		switch {
		case err == nil:
			failpoint.Hit(failpoint.WorkerAfterCommit)
			return tasks
		case errors.As(err, &failed):
			tasks = slices.DeleteFunc(tasks, func(t *task) bool { return slices.Contains(failed, t) })
		default:
			g.services.Log.InfoContext(ctx, "group of operations not settled, each is tried by itself", "operations", len(tasks), "error", err)
			return nil
		}
	}
	return nil
}
