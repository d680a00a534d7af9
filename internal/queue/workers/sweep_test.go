package workers

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/money/operations"
	"amanat/internal/queue/jobs"
)

func TestOperationsSweep_lost_jobs(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	buyer, seller := f.withFunds("nusrat", 500_00), f.user("tanvir")
	gone, dead := f.deal(buyer, seller, 1_00), f.deal(buyer, seller, 2_00)
	alive, fresh := f.deal(buyer, seller, 4_00), f.deal(buyer, seller, 8_00)
	sweeper := &operations.Service{DB: f.db.Worker(), Clock: f.clock, Enqueuer: f.ops.Enqueuer}

	_, goneJob := f.enqueued(buyer, gone.ID)
	_, err := f.db.Owner().Exec(t.Context(), `delete from river.river_job where id = $1`, goneJob.ID)
	require.NoError(t, err)
	_, deadJob := f.enqueued(buyer, dead.ID) // its process was killed a while ago
	_, err = f.db.Owner().Exec(t.Context(), `
		update river.river_job set attempted_at = now() - interval '16 seconds' where id = $1`, deadJob.ID)
	require.NoError(t, err)
	f.enqueued(buyer, alive.ID)
	revived, err := sweeper.Sweep(t.Context())
	require.NoError(t, err)
	require.Zero(t, revived, "too young")

	f.clock.Advance(16 * time.Second)
	f.enqueued(buyer, fresh.ID)
	revived, err = sweeper.Sweep(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, revived)
	revived, err = sweeper.Sweep(t.Context())
	require.NoError(t, err)
	require.Zero(t, revived, "they have a job now")

	f.start()
	require.Eventually(t, func() bool { return f.balance(buyer) == 497_00 }, 10*time.Second, 10*time.Millisecond)
	f.reconciled()
}

func TestForOperation_registered_workers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	for _, kind := range []string{
		jobs.KindDealPay, jobs.KindDealComplete, jobs.KindDepositApprove,
		jobs.KindWithdrawalHold, jobs.KindWithdrawalSend, jobs.KindWithdrawalReject, jobs.KindWithdrawalCancel,
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			args, err := jobs.ForOperation(kind, uuid.New())
			require.NoError(t, err)
			require.Equal(t, kind, args.Kind())
			// A client with workers refuses a kind without a registered worker.
			inserted, err := f.client.Insert(t.Context(), args, nil)
			require.NoError(t, err)
			require.Equal(t, jobs.QueueMoney, inserted.Job.Queue)
		})
	}
}
