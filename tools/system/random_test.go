//go:build soak

package system

import (
	"math/rand/v2"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/queue/jobs"
)

const (
	seedEnv    = "AMANAT_TEST_SEED"
	rescueWait = 2 * time.Minute
)

// newRand returns a source of random numbers, whose seed is logged and can be set with
// AMANAT_TEST_SEED.
func newRand(t *testing.T) *rand.Rand {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if given := os.Getenv(seedEnv); given != "" {
		var err error
		seed, err = strconv.ParseUint(given, 10, 64)
		require.NoError(t, err)
	}
	t.Logf("%s=%d", seedEnv, seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// randomPause waits for a random time, no longer than a payment takes.
func randomPause(random *rand.Rand) {
	<-time.After(time.Duration(random.Int64N(int64(60 * time.Millisecond))))
}

// Processes are killed at random times, and restarted, while payments are made, deals proposed and
// deposits reported.
func TestPayments_processes_killed(t *testing.T) {
	t.Parallel()
	const payments = 100
	random := newRand(t)
	f := newTradeFixture(t, released)
	apis := []*process{f.startAPI(), f.startAPI()}
	workers := []*process{f.startWorker(allQueues), f.startWorker(allQueues)}
	f.serve(apis...)
	requests := f.payments(payments)
	deals, deposits := f.count(`select count(*) from deals`), f.count(`select count(*) from deposits`)
	users := newLoadUsers(t)
	for i := range kills {
		users.retry(requests[i*payments/kills : (i+1)*payments/kills]...)
		users.retry(f.proposal(f.buyer(i)), f.report(f.buyer(i)))
		randomPause(random)
		victim := random.IntN(2)
		if random.IntN(2) == 0 {
			apis[victim].kill()
			apis[victim] = f.startAPI()
			f.serve(apis...)
		} else {
			workers[victim].kill()
			workers[victim] = f.startWorker(allQueues)
		}
	}
	users.wait()
	require.Equal(t, deals+kills, f.count(`select count(*) from deals`))
	require.Equal(t, deposits+kills, f.count(`select count(*) from deposits`))
	f.requireOnce(tally{jobs.KindDealPay: payments})
	f.requireSettledInTime(settleBound)
	// The jobs of killed workers are still marked as running. River rescues and retries them after
	// a while, without effect.
	await(t, rescueWait, "rescued", func() bool {
		return f.count(`select count(*) from river.river_job where queue = 'money' and state <> 'completed'`) == 0
	})
	f.requireOnce(tally{jobs.KindDealPay: payments})
}

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
