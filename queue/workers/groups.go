package workers

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"amanat/internal/lib/failpoint"
)

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
