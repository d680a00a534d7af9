package systemtest

import (
	"testing"

	"amanat/queue/jobs"
)

// The only worker dies, which was River's leader, too, in the middle of a payment. The worker that
// replaces it becomes the leader and rescues the job.
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
	f.startWorker(allQueues)
	users.wait()
	f.requireOnce(tally{jobs.KindDealPay: 1})
	f.requireSettledInTime(settleBound)
}
