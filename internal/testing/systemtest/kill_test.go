package systemtest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/queue/jobs"
)

// replacedBound is shorter than the time after which a job is overdue.
const replacedBound = 14 * time.Second

// The only worker dies, which was River's leader, too, in the middle of a payment. The worker that
// replaces it neither waits until the job is overdue nor until it is the leader.
func TestWorker_dies_alone(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t, released)
	doomed := f.startWorker(allQueues)
	payment, release := f.lockedPayment(f.buyers[0])
	users := newLoadUsers(t)
	users.retry(payment)
	f.awaitLocked()
	doomed.kill()
	release()
	successor := f.startWorker(allQueues)
	users.wait()
	f.requireOnce(tally{jobs.KindDealPay: 1})
	f.requireSettledInTime(replacedBound)
	require.Equal(t, 2, f.count(`select count(*) from worker_heartbeats`), "the dead one's and the living one's")
	successor.stop(softStop)
	require.Equal(t, 1, f.count(`select count(*) from worker_heartbeats`))
}
