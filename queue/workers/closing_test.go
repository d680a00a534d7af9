package workers

import (
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/testing/soak"
)

// After an hour without workers many deadlines are due. Three workers sweep at once, twice, and
// again a day later. Everything happens once, and money moves a day after the warning.
func TestSweep_concurrent_after_outage(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	ctx := t.Context()
	ids := []uuid.UUID{f.id}
	for range 7 {
		ids = append(ids, f.paid())
	}
	var delivered []uuid.UUID
	for _, id := range ids[:4] {
		f.do(f.deals.Deliver(ctx, f.seller, id, deals.Words{}))
		delivered = append(delivered, id)
	}
	unpaid := f.deal(f.buyer, f.seller, price)
	f.clock.Advance(7*day - 30*time.Minute)
	f.clock.Advance(time.Hour) // without a sweep
	for round := range 4 {
		if round == 2 {
			require.Zero(t, f.count(`select count(*) from deals where status = 'Completed'`), "nobody was warned")
			require.Equal(t, 2*len(delivered), f.count(`select count(*) from notifications where kind = 'deal_completes_soon'`))
			f.clock.Advance(day)
		}
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				if _, err := f.sweeper.Sweep(ctx); err != nil {
					t.Errorf("sweep: %v", err)
				}
			})
		}
		group.Wait()
	}
	require.Eventually(t, func() bool { return f.count(`select count(*) from operations where status = 'pending'`) == 0 },
		20*time.Second, 5*time.Millisecond)
	require.Equal(t, len(delivered), f.count(`select count(*) from deals where status = 'Completed'`))
	require.Equal(t, len(ids)-len(delivered), f.count(`select count(*) from deals where status = 'Late'`))
	require.Equal(t, 1, f.count(`select count(*) from deals where id = $1 and removed_at is not null`, unpaid.ID))
	require.Equal(t, len(delivered), f.count(`select count(*) from ledger.transfers where kind = 'deal_complete'`))
	require.Equal(t, 2*(len(ids)-len(delivered)), f.count(`select count(*) from notifications where kind = 'deal_late'`))
	require.Equal(t, 2, f.count(`select count(*) from notifications where kind = 'deal_expired'`))
	f.reconciled()
}

// All actors that can close a deal try at once. One succeeds, the others get a conflict.
func TestCloseDeal_concurrent(t *testing.T) {
	t.Parallel()
	rounds := soak.Rounds(4, 200)
	f := newClockFixture(t)
	ctx := t.Context()
	ids := []uuid.UUID{f.id}
	f.fund(f.buyer, f.admin, money.Cents(rounds)*price)
	for range rounds - 1 {
		ids = append(ids, f.paid())
	}
	f.clock.Advance(8*day + time.Minute)
	for _, id := range ids { // a request is open and the buyer may leave
		_, err := f.db.Owner().Exec(ctx, `
			update deals set cancellation_requested = true, cancellation_asked_at = $2, next_action = 'refund_unanswered', next_action_at = $2,
			       warned_at = $2::timestamptz - interval '1 day'
			 where id = $1`, id, f.clock.Now())
		require.NoError(t, err)
	}
	closed := map[deals.Reason]int{}
	for _, id := range ids {
		f.id = id
		attempts := []func() (operations.Operation, error){
			func() (operations.Operation, error) { return f.deals.RequestComplete(ctx, f.buyer, id, nil) },
			func() (operations.Operation, error) { return f.deals.RequestAcceptCancellation(ctx, f.seller, id, nil) },
			func() (operations.Operation, error) { return cancelOperation(f.deals.Cancel(ctx, f.seller, id, nil)) },
			func() (operations.Operation, error) { return cancelOperation(f.deals.Cancel(ctx, f.buyer, id, nil)) },
			func() (operations.Operation, error) { return f.deals.RequestForceComplete(ctx, f.admin, id, nil) },
			func() (operations.Operation, error) { return f.deals.RequestForceCancel(ctx, f.admin, id, nil) },
			func() (operations.Operation, error) {
				_, err := f.sweeper.Sweep(ctx)
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
					op, err = f.waiter.Wait(ctx, op)
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
		require.Eventually(t, func() bool { return !f.now().Status.Open() }, 10*time.Second, time.Millisecond)
		require.LessOrEqual(t, len(winners), 1)
		closed[f.now().CloseReason]++
	}
	require.Equal(t, rounds, f.count(`select count(*) from ledger.transfers where key like 'deal:%:close'`))
	t.Logf("closed by: %v", closed)
	f.reconciled()
}

func cancelOperation(c deals.Cancellation, err error) (operations.Operation, error) {
	if c.Operation == nil {
		return operations.Operation{Status: operations.Rejected}, err
	}
	return *c.Operation, err
}
