//go:build soak

package system

import (
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/queue/jobs"
)

// A worker freezes, with one job in the middle of its transaction and others at random points,
// until it is considered dead. Another worker does its jobs. When the first one continues, it must
// not do anything twice.
func TestWorker_freezes(t *testing.T) {
	t.Parallel()
	const payments = 20
	random := newRand(t)
	f := newTradeFixture(t, released)
	f.startWorker("maintenance,mail,notify")
	sleeper := f.startWorker(jobs.QueueMoney)
	held, release := f.lockedPayment(f.buyers[0])
	requests := f.payments(payments)
	users := newLoadUsers(t)
	users.retry(held)
	f.awaitLocked()
	users.retry(requests...)
	randomPause(random)
	sleeper.signal(syscall.SIGSTOP)
	frozen := time.Now()
	release()

	f.startWorker(jobs.QueueMoney)
	users.wait()
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
