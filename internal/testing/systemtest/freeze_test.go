package systemtest

import (
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/queue/jobs"
)

// A worker freezes, with one job in the middle of its transaction and others wherever they are, for longer than it takes to think it
// dead. Another does its work. When it wakes, it must not do anything twice.
func TestAWorkerFreezesAndWakesUp(t *testing.T) {
	t.Parallel()
	const payments = 20
	random := dice(t)
	f := newTradeFixture(t, released)
	f.startWorker("maintenance,mail,notify")
	sleeper := f.startWorker(jobs.QueueMoney)
	held, letGo := f.heldPayment(f.buyers[0])
	requests := f.payments(payments)
	people := newLoadUsers(t)
	people.insist(held)
	f.awaitHeldUp()
	people.insist(requests...)
	somewhere(random)
	sleeper.signal(syscall.SIGSTOP)
	frozen := time.Now()
	letGo()

	f.startWorker(jobs.QueueMoney)
	people.wait()
	t.Logf("everything settled %s after the worker froze; slowest operation: %s", time.Since(frozen).Round(time.Millisecond), f.slowest())
	done := tally{jobs.KindDealPay: payments + 1}
	f.requireOnce(done)
	f.requireSettledInTime(settleBound)

	sleeper.signal(syscall.SIGCONT)
	sleeper.awaitReady()
	sleeper.stop(softStop + jobs.MoneyTimeout)
	f.requireOnce(done)
	require.Zero(t, f.count(`select count(*) from river.river_job where kind = 'deal_pay' and state in ('discarded', 'cancelled')`))
}
