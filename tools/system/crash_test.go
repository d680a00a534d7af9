//go:build soak

package system

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/lib/failpoint"
	"amanat/queue/jobs"
)

// failing contains the failpoints of the crash tests.
var failing = &build{name: "failing", tags: "failpoints"}

// armed is the setting that kills the process when it first reaches the failpoint, if it is built
// with failpoints.
func armed(name string) string { return "AMANAT_FAILPOINT=" + name }

// kills is the number of processes that each crash test kills.
const kills = 20

// Money workers die one after the other, each while settling operations of all kinds. A worker for
// the other queues survives and sweeps.
func TestWorker_dies_at_commit(t *testing.T) {
	t.Parallel()
	for _, place := range []string{failpoint.WorkerBeforeCommit, failpoint.WorkerAfterCommit} {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			f := newTradeFixture(t, failing)
			f.startWorker("maintenance,mail,notify")
			healthy := f.startWorker(jobs.QueueMoney)
			completions, settlements := f.completions(kills), f.settlements(kills)
			healthy.stop(softStop)

			users := newLoadUsers(t)
			for i, completion := range completions {
				requests := []request{
					completion, settlements[i], f.payment(f.buyer(i)), f.withdrawal(i), f.approval(f.buyer(i+1), deposited),
					f.correction(f.buyer(i+2), 3_21),
				}
				doomed := f.startWorker(jobs.QueueMoney, armed(place))
				users.retry(requests...)
				doomed.requireKilled()
			}
			f.startWorker(jobs.QueueMoney)
			users.wait()
			f.requireOnce(tally{
				jobs.KindDealPay: 3 * kills, jobs.KindDealComplete: kills, jobs.KindDealSettle: kills,
				jobs.KindWithdrawalHold: kills, jobs.KindDepositApprove: kills, jobs.KindBalanceAdjust: kills,
			})
			f.requireSettledAfterCrashes(settleBound)
		})
	}
}

// Money workers die one after the other, each before the commit of a large group of payments.
func TestWorker_dies_within_group(t *testing.T) {
	t.Parallel()
	const (
		together = 50
		done     = `select count(*) from operations where kind = 'deal_pay' and status = 'done'`
	)
	f := newTradeFixture(t, failing)
	f.startWorker("maintenance,mail,notify")
	users := newLoadUsers(t)
	var requests []request
	for range kills {
		group := f.payments(together)
		users.ask(group...) // a thousand users who all wait for the outcome would keep the CPU from the workers
		requests = append(requests, group...)
		require.Eventually(t, func() bool {
			return f.count(`select count(*) from river.river_job where kind = 'deal_pay' and state = 'available'`) >= together
		}, settleBound, 10*time.Millisecond)
		before := f.count(done)
		doomed := f.startWorker(jobs.QueueMoney, armed(failpoint.WorkerGroupBeforeCommit))
		doomed.requireKilled()
		require.Less(t, f.count(done)-before, failpoint.LargeGroup, "the large group is not settled")
	}
	f.startWorker(jobs.QueueMoney)
	users.retry(requests...)
	users.wait()
	f.requireOnce(tally{jobs.KindDealPay: together * kills})
}

// An api dies after it has stored an operation and before it has responded. Clients retry at
// another api.
func TestAPI_dies_while_waiting(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t, failing)
	f.startWorker(allQueues)
	users := newLoadUsers(t)
	for i := range kills {
		requests := []request{f.payment(f.buyer(i)), f.withdrawal(i), f.approval(f.buyer(i+1), deposited)}
		doomed := f.startAPI(armed(failpoint.APIWaiting))
		for _, r := range requests {
			users.group.Go(func() {
				a, err := r.send(t.Context(), doomed.site)
				if err == nil {
					t.Errorf("%s was answered %d", r.path, a.status)
				}
				users.retry(r)
			})
		}
		doomed.requireKilled()
	}
	users.wait()
	f.requireOnce(tally{jobs.KindDealPay: kills, jobs.KindWithdrawalHold: kills, jobs.KindDepositApprove: kills})
	f.requireSettledInTime(settleBound)
}

// Release binaries have no failpoints, whatever their environment says.
func TestFailpoints_absent_in_release(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t, released)
	api := f.startAPI(armed(failpoint.APIWaiting))
	f.serve(api)
	for _, place := range []string{failpoint.WorkerBeforeCommit, failpoint.WorkerAfterCommit} {
		worker := f.startWorker(allQueues, armed(place))
		users := newLoadUsers(t)
		users.retry(f.payments(3)...)
		users.wait()
		worker.stop(softStop)
	}
	api.stop(drainBound)
	f.serve(f.startAPI())
	f.requireOnce(tally{jobs.KindDealPay: 6})
}
