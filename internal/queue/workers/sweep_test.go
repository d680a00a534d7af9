package workers

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/money/operations"
	"amanat/internal/queue/jobs"
)

func TestTheSweepRevivesWhatLostItsJob(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	buyer, seller := b.withFunds("nusrat", 500_00), b.user("tanvir")
	gone, dead, alive, fresh := b.deal(buyer, seller, 1_00), b.deal(buyer, seller, 2_00), b.deal(buyer, seller, 4_00), b.deal(buyer, seller, 8_00)
	sweeper := &operations.Service{DB: b.db.Worker(), Clock: b.clock, Enqueuer: b.ops.Enqueuer}

	_, goneJob := b.enqueued(buyer, gone.ID)
	_, err := b.db.Owner().Exec(t.Context(), `delete from river.river_job where id = $1`, goneJob.ID)
	require.NoError(t, err)
	_, deadJob := b.enqueued(buyer, dead.ID) // its process was killed a while ago
	_, err = b.db.Owner().Exec(t.Context(), `update river.river_job set attempted_at = now() - interval '16 seconds' where id = $1`, deadJob.ID)
	require.NoError(t, err)
	b.enqueued(buyer, alive.ID)
	revived, err := sweeper.Sweep(t.Context())
	require.NoError(t, err)
	require.Zero(t, revived, "too young to worry")

	b.clock.Advance(16 * time.Second)
	b.enqueued(buyer, fresh.ID)
	revived, err = sweeper.Sweep(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, revived)
	revived, err = sweeper.Sweep(t.Context())
	require.NoError(t, err)
	require.Zero(t, revived, "they have a job now")

	b.start()
	require.Eventually(t, func() bool { return b.balance(buyer) == 497_00 }, 10*time.Second, 10*time.Millisecond)
	b.reconciled()
}

func TestEveryOperationKindHasAWorkerAndAQueue(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	for _, kind := range []string{
		jobs.KindDealPay, jobs.KindDealComplete, jobs.KindDepositApprove,
		jobs.KindWithdrawalHold, jobs.KindWithdrawalSend, jobs.KindWithdrawalReject, jobs.KindWithdrawalCancel,
	} {
		args, err := jobs.ForOperation(kind, uuid.New())
		require.NoError(t, err)
		require.Equal(t, kind, args.Kind())
		inserted, err := b.client.Insert(t.Context(), args, nil) // a client with workers refuses a kind that none works
		require.NoError(t, err)
		require.Equal(t, jobs.QueueMoney, inserted.Job.Queue)
	}
}
