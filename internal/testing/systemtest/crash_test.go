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
			m := openMarket(t, failing)
			m.startWorker("maintenance,mail,notify")
			healthy := m.startWorker(jobs.QueueMoney)
			completions := m.completions(kills())
			healthy.stop(softStop)

			people := newCrowd(t)
			for i, completion := range completions {
				requests := []request{completion, m.payment(m.buyer(i)), m.withdrawal(i), m.approval(m.buyer(i+1), deposited)}
				doomed := m.startWorker(jobs.QueueMoney, armed(place))
				people.insist(requests...)
				doomed.requireKilled()
			}
			m.startWorker(jobs.QueueMoney)
			people.wait()
			m.requireOnce(tally{
				jobs.KindDealPay: 2 * kills(), jobs.KindDealComplete: kills(),
				jobs.KindWithdrawalHold: kills(), jobs.KindDepositApprove: kills(),
			})
			m.requireSettledInTime(settleBound)
		})
	}
}

// An api dies when an operation has been asked for and nobody was told. Whoever asked asks another api.
func TestAPIsThatDieWhileTheyWait(t *testing.T) {
	t.Parallel()
	m := openMarket(t, failing)
	m.startWorker(allQueues)
	people := newCrowd(t)
	for i := range kills() {
		requests := []request{m.payment(m.buyer(i)), m.withdrawal(i), m.approval(m.buyer(i+1), deposited)}
		doomed := m.startAPI(armed(failpoint.APIWaiting))
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
	m.requireOnce(tally{jobs.KindDealPay: kills(), jobs.KindWithdrawalHold: kills(), jobs.KindDepositApprove: kills()})
	m.requireSettledInTime(settleBound)
}

// What is deployed has no failpoints, whatever its environment says.
func TestAReleaseHasNoFailpoints(t *testing.T) {
	t.Parallel()
	m := openMarket(t, released)
	api := m.startAPI(armed(failpoint.APIWaiting))
	m.serve(api)
	for _, place := range []string{failpoint.WorkerBeforeCommit, failpoint.WorkerAfterCommit} {
		worker := m.startWorker(allQueues, armed(place))
		people := newCrowd(t)
		people.insist(m.payments(3)...)
		people.wait()
		worker.stop(softStop)
	}
	api.stop(drainBound)
	m.serve(m.startAPI())
	m.requireOnce(tally{jobs.KindDealPay: 6})
}
