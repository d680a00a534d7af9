package systemtest

import (
	"testing"

	"amanat/internal/platform/failpoint"
	"amanat/internal/queue/jobs"
)

// kills is how many processes each of the crash tests kills.
func kills() int {
	if testing.Short() {
		return 3
	}
	return 20
}

// Money workers die one after the other, each with operations of all kinds in its hands. One that serves other queues lives on and sweeps.
func TestWorkersThatDieAtACommit(t *testing.T) {
	t.Parallel()
	for _, place := range []string{failpoint.WorkerBeforeCommit, failpoint.WorkerAfterCommit} {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			f := newTradeFixture(t, failing)
			f.startWorker("maintenance,mail,notify")
			healthy := f.startWorker(jobs.QueueMoney)
			completions := f.completions(kills())
			healthy.stop(softStop)

			people := newLoadUsers(t)
			for i, completion := range completions {
				requests := []request{completion, f.payment(f.buyer(i)), f.withdrawal(i), f.approval(f.buyer(i+1), deposited)}
				doomed := f.startWorker(jobs.QueueMoney, armed(place))
				people.insist(requests...)
				doomed.requireKilled()
			}
			f.startWorker(jobs.QueueMoney)
			people.wait()
			f.requireOnce(tally{
				jobs.KindDealPay: 2 * kills(), jobs.KindDealComplete: kills(),
				jobs.KindWithdrawalHold: kills(), jobs.KindDepositApprove: kills(),
			})
			f.requireSettledInTime(settleBound)
		})
	}
}

// An api dies when an operation has been asked for and nobody was told. Whoever asked asks another api.
func TestAPIsThatDieWhileTheyWait(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t, failing)
	f.startWorker(allQueues)
	people := newLoadUsers(t)
	for i := range kills() {
		requests := []request{f.payment(f.buyer(i)), f.withdrawal(i), f.approval(f.buyer(i+1), deposited)}
		doomed := f.startAPI(armed(failpoint.APIWaiting))
		for _, r := range requests {
			people.group.Go(func() {
				a, err := r.send(t.Context(), doomed.site)
				if err == nil {
					t.Errorf("%s was answered %d", r.path, a.status)
				}
				people.insist(r)
			})
		}
		doomed.requireKilled()
	}
	people.wait()
	f.requireOnce(tally{jobs.KindDealPay: kills(), jobs.KindWithdrawalHold: kills(), jobs.KindDepositApprove: kills()})
	f.requireSettledInTime(settleBound)
}

// What is deployed has no failpoints, whatever its environment says.
func TestAReleaseHasNoFailpoints(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t, released)
	api := f.startAPI(armed(failpoint.APIWaiting))
	f.serve(api)
	for _, place := range []string{failpoint.WorkerBeforeCommit, failpoint.WorkerAfterCommit} {
		worker := f.startWorker(allQueues, armed(place))
		people := newLoadUsers(t)
		people.insist(f.payments(3)...)
		people.wait()
		worker.stop(softStop)
	}
	api.stop(drainBound)
	f.serve(f.startAPI())
	f.requireOnce(tally{jobs.KindDealPay: 6})
}
