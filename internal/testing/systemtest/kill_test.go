package systemtest

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/queue/jobs"
)

const (
	seedEnv    = "AMANAT_TEST_SEED"
	rescueWait = 2 * time.Minute
)

// dice returns random numbers that AMANAT_TEST_SEED repeats.
func dice(t *testing.T) *rand.Rand {
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

// somewhere waits for a random moment within the time in which a payment is made.
func somewhere(random *rand.Rand) {
	<-time.After(time.Duration(random.Int64N(int64(60 * time.Millisecond))))
}

// Any process dies at any time while payments are made, deals proposed and deposits reported, and is started again.
func TestPaymentsWhileProcessesAreKilled(t *testing.T) {
	t.Parallel()
	const payments = 100
	random := dice(t)
	f := newTradeFixture(t, released)
	apis := []*process{f.startAPI(), f.startAPI()}
	workers := []*process{f.startWorker(allQueues), f.startWorker(allQueues)}
	f.serve(apis...)
	requests := f.payments(payments)
	deals, deposits := f.count(`select count(*) from deals`), f.count(`select count(*) from deposits`)
	people := newLoadUsers(t)
	for i := range kills() {
		people.insist(requests[i*payments/kills() : (i+1)*payments/kills()]...)
		people.insist(f.proposal(f.buyer(i)), f.report(f.buyer(i)))
		somewhere(random)
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
	people.wait()
	require.Equal(t, deals+kills(), f.count(`select count(*) from deals`))
	require.Equal(t, deposits+kills(), f.count(`select count(*) from deposits`))
	f.requireOnce(tally{jobs.KindDealPay: payments})
	f.requireSettledInTime(settleBound)
	if testing.Short() {
		return
	}
	// The jobs of dead workers still look as if they ran. River finds them after a while and has them worked again, to no effect.
	await(t, rescueWait, "rescued", func() bool {
		return f.count(`select count(*) from river.river_job where queue = 'money' and state <> 'completed'`) == 0
	})
	f.requireOnce(tally{jobs.KindDealPay: payments})
}
