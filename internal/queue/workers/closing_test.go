package workers

import (
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/money/operations"
	"amanat/internal/platform/fault"
)

// An hour without workers, many clocks due; then three workers at once, twice, and a day later again. Everything happens once, and money
// moves a day after the warning.
func TestAfterAnOutageEveryClockActsOnce(t *testing.T) {
	t.Parallel()
	b := newClockBench(t)
	ctx := t.Context()
	ids := []uuid.UUID{b.id}
	for range 7 {
		ids = append(ids, b.paid())
	}
	var delivered []uuid.UUID
	for _, id := range ids[:4] {
		b.do(b.deals.Deliver(ctx, b.seller, id))
		delivered = append(delivered, id)
	}
	unpaid := b.deal(b.buyer, b.seller, price)
	b.clock.Advance(7*day - 30*time.Minute)
	b.clock.Advance(time.Hour) // nobody worked
	for round := range 4 {
		if round == 2 {
			require.Zero(t, b.count(`select count(*) from deals where status = 'Completed'`), "nobody was warned")
			require.Equal(t, 2*len(delivered), b.count(`select count(*) from notifications where kind = 'deal_completes_soon'`))
			b.clock.Advance(day)
		}
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				if _, err := b.sweeper.Sweep(ctx); err != nil {
					t.Errorf("sweep: %v", err)
				}
			})
		}
		group.Wait()
	}
	require.Eventually(t, func() bool { return b.count(`select count(*) from operations where status = 'pending'`) == 0 },
		20*time.Second, 5*time.Millisecond)
	require.Equal(t, len(delivered), b.count(`select count(*) from deals where status = 'Completed'`))
	require.Equal(t, len(ids)-len(delivered), b.count(`select count(*) from deals where status = 'Late'`))
	require.Equal(t, 1, b.count(`select count(*) from deals where id = $1 and removed_at is not null`, unpaid.ID))
	require.Equal(t, len(delivered), b.count(`select count(*) from ledger.transfers where kind = 'deal_complete'`))
	require.Equal(t, 2*(len(ids)-len(delivered)), b.count(`select count(*) from notifications where kind = 'deal_late'`))
	require.Equal(t, 2, b.count(`select count(*) from notifications where kind = 'deal_expired'`))
	b.reconciled()
}

// Everybody who can end a deal tries at once: one does, the others are told clearly.
func TestOnlyOneClosesADeal(t *testing.T) {
	t.Parallel()
	const rounds = 200
	b := newClockBench(t)
	ctx := t.Context()
	ids := []uuid.UUID{b.id}
	b.fund(b.buyer, b.admin, rounds*price)
	for range rounds - 1 {
		ids = append(ids, b.paid())
	}
	b.clock.Advance(8*day + time.Minute)
	for _, id := range ids { // a request is open and the buyer may leave
		_, err := b.db.Owner().Exec(ctx, `
			update deals set cancellation_requested = true, cancellation_asked_at = $2, next_action = 'refund_unanswered', next_action_at = $2,
			       warned_at = $2::timestamptz - interval '1 day'
			 where id = $1`, id, b.clock.Now())
		require.NoError(t, err)
	}
	closed := map[deals.Reason]int{}
	for _, id := range ids {
		b.id = id
		attempts := []func() (operations.Operation, error){
			func() (operations.Operation, error) { return b.deals.RequestComplete(ctx, b.buyer, id, nil) },
			func() (operations.Operation, error) { return b.deals.RequestAcceptCancellation(ctx, b.seller, id, nil) },
			func() (operations.Operation, error) { return cancelOperation(b.deals.Cancel(ctx, b.seller, id, nil)) },
			func() (operations.Operation, error) { return cancelOperation(b.deals.Cancel(ctx, b.buyer, id, nil)) },
			func() (operations.Operation, error) { return b.deals.RequestForceComplete(ctx, b.admin, id, nil) },
			func() (operations.Operation, error) { return b.deals.RequestForceCancel(ctx, b.admin, id, nil) },
			func() (operations.Operation, error) {
				_, err := b.sweeper.Sweep(ctx)
				return operations.Operation{Status: operations.Rejected}, err
			},
		}
		var mu sync.Mutex
		winners := map[uuid.UUID]bool{}
		var group sync.WaitGroup
		for _, attempt := range attempts {
			group.Go(func() {
				op, err := attempt()
				if err == nil && op.Status == operations.Pending {
					op, err = b.waiter.Wait(ctx, op)
				}
				if err == nil && op.Status == operations.Rejected && op.ErrorCode != nil {
					err = op.Err()
				}
				if err != nil && fault.CodeOf(err) != fault.Conflict {
					t.Errorf("neither done nor a conflict: %v", err)
				}
				if err == nil && op.Status == operations.Done {
					mu.Lock()
					defer mu.Unlock()
					winners[op.ID] = true
				}
			})
		}
		group.Wait()
		require.Eventually(t, func() bool { return !b.now().Status.Open() }, 10*time.Second, time.Millisecond)
		require.LessOrEqual(t, len(winners), 1)
		closed[b.now().CloseReason]++
	}
	require.Equal(t, rounds, b.count(`select count(*) from ledger.transfers where key like 'deal:%:close'`))
	t.Logf("closed by: %v", closed)
	b.reconciled()
}

func cancelOperation(c deals.Cancellation, err error) (operations.Operation, error) {
	if c.Operation == nil {
		return operations.Operation{Status: operations.Rejected}, err
	}
	return *c.Operation, err
}
