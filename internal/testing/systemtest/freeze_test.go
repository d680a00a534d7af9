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
	m := openMarket(t, released)
	m.startWorker("maintenance,mail,notify")
	sleeper := m.startWorker(jobs.QueueMoney)
	held, letGo := m.heldPayment(m.buyers[0])
	requests := m.payments(payments)
	people := newCrowd(t)
	people.insist(held)
	m.awaitHeldUp()
	people.insist(requests...)
	somewhere(random)
	sleeper.signal(syscall.SIGSTOP)
	frozen := time.Now()
	letGo()

	m.startWorker(jobs.QueueMoney)
	people.wait()
	t.Logf("everything settled %s after the worker froze; slowest operation: %s", time.Since(frozen).Round(time.Millisecond), m.slowest())
	done := tally{jobs.KindDealPay: payments + 1}
	m.requireOnce(done)
	m.requireSettledInTime(settleBound)

	sleeper.signal(syscall.SIGCONT)
	sleeper.awaitReady()
	sleeper.stop(softStop + jobs.MoneyTimeout)
	m.requireOnce(done)
	require.Zero(t, m.count(`select count(*) from river.river_job where kind = 'deal_pay' and state in ('discarded', 'cancelled')`))
}
