package operations

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/failpoint"
	"amanat/internal/lib/postgres"
)

// Waiter lets api handlers wait for operations to settle. It polls the row at growing intervals;
// Settled wakes a waiter early, and a lost wake-up only costs time.
type Waiter struct {
	db      postgres.Querier
	timeout time.Duration

	mu      sync.Mutex
	waiting map[uuid.UUID][]chan struct{}
}

// NewWaiter returns a Waiter that gives up after timeout.
func NewWaiter(db postgres.Querier, timeout time.Duration) *Waiter {
	return &Waiter{db: db, timeout: timeout, waiting: map[uuid.UUID][]chan struct{}{}}
}

// Settled wakes the waiters of the operation. It never blocks.
func (w *Waiter) Settled(id uuid.UUID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.waiting[id] {
		close(c)
	}
	delete(w.waiting, id)
}

// Bounds of the polling interval. An operation normally takes a few milliseconds, and a few dozen
// while both cores are busy, when needless polls would cost most.
const (
	minPoll = 100 * time.Millisecond
	maxPoll = 400 * time.Millisecond
)

// Wait returns the operation once it is settled, or, still pending, when the timeout expires. The
// operation then continues without the waiter.
func (w *Waiter) Wait(ctx context.Context, op Operation) (Operation, error) {
	return w.WaitAndRead(ctx, op, func(postgres.Queue) {})
}

// WaitAndRead is Wait that reads what also queues in the same round trip as the operation, and
// after it, as often as it reads the operation. When it returns, what was read last is at least as
// new as the operation. If op is settled already, nothing is read.
func (w *Waiter) WaitAndRead(ctx context.Context, op Operation, also func(q postgres.Queue)) (Operation, error) {
	failpoint.Hit(failpoint.APIWaiting)
	if op.Status != Pending {
		return op, nil
	}
	until, cancel := context.WithTimeout(ctx, w.timeout)
	defer cancel()
	for pause := minPoll; ; pause = min(2*pause, maxPoll) {
		w.pause(until, op.ID, pause)
		if err := ctx.Err(); err != nil {
			return op, err
		}
		current, err := w.read(ctx, op.ID, also)
		if err != nil || current.Status != Pending || until.Err() != nil {
			return current, err
		}
	}
}

func (w *Waiter) read(ctx context.Context, id uuid.UUID, also func(q postgres.Queue)) (Operation, error) {
	var batch postgres.Batch
	var current *Operation
	readOperation.Queue(&batch, postgres.Args{"id": id}, func(op Operation) { current = &op })
	also(&batch)
	if err := batch.Send(ctx, w.db); err != nil {
		return Operation{}, err
	}
	if current == nil {
		return Operation{}, errNotFound()
	}
	return *current, nil
}

// pause waits until the operation is announced as settled or the pause is over, since an outcome
// announced before this call is not announced again.
func (w *Waiter) pause(ctx context.Context, id uuid.UUID, pause time.Duration) {
	woken := w.register(id)
	defer w.unregister(id, woken)
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-woken:
	case <-timer.C:
	case <-ctx.Done():
	}
}

func (w *Waiter) register(id uuid.UUID) chan struct{} {
	c := make(chan struct{})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting[id] = append(w.waiting[id], c)
	return c
}

func (w *Waiter) unregister(id uuid.UUID, c chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	rest := w.waiting[id]
	for i, other := range rest {
		if other == c {
			rest = append(rest[:i:i], rest[i+1:]...)
			break
		}
	}
	if len(rest) == 0 {
		delete(w.waiting, id)
		return
	}
	w.waiting[id] = rest
}
