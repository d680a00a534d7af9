package systemtest

import (
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/queue/jobs"
)

// holdUp locks a deal, so that a worker that settles an operation on it waits in the middle of its transaction until the lock is released.
func (f *tradeFixture) holdUp(deal uuid.UUID) (letGo func()) {
	f.t.Helper()
	tx, err := f.db.Owner().Begin(f.t.Context())
	require.NoError(f.t, err)
	_, err = tx.Exec(f.t.Context(), `select from deals where id = @id for update`, pgx.NamedArgs{"id": deal})
	require.NoError(f.t, err)
	f.t.Cleanup(func() { _ = tx.Rollback(f.t.Context()) })
	return func() {
		f.t.Helper()
		require.NoError(f.t, tx.Rollback(f.t.Context()))
	}
}

// heldPayment returns the payment of a new deal that is held up.
func (f *tradeFixture) heldPayment(buyer *person) (payment request, letGo func()) {
	f.t.Helper()
	deal := f.deal(buyer)
	f.cents[buyer] -= price
	return buyer.ask("/deals/pay/"+deal.String(), nil), f.holdUp(deal)
}

func (f *tradeFixture) awaitHeldUp() {
	f.t.Helper()
	await(f.t, startWait, "held up", func() bool {
		return f.count(`
			select count(*) from pg_stat_activity
			 where datname = current_database() and usename = 'amanat_worker' and wait_event_type = 'Lock'`) == 1
	})
}

// A stop loses nothing: the api answers those who wait, the worker ends the job it has begun, and both exit with 0.
func TestAStopLetsWorkFinish(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t, released)
	worker, api := f.startWorker(allQueues), f.startAPI()
	f.serve(api)
	payment, letGo := f.heldPayment(f.buyers[0])
	people := newLoadUsers(t)
	var first answer
	people.group.Go(func() {
		a, err := payment.send(t.Context(), api.site)
		if err != nil {
			t.Errorf("dropped: %v", err)
		}
		first = a
	})
	f.awaitHeldUp()
	worker.signal(syscall.SIGTERM)
	api.signal(syscall.SIGTERM)
	for _, p := range []*process{worker, api} {
		await(t, startWait, "draining", func() bool {
			status, _ := p.look("/readyz")
			return status != http.StatusOK
		})
	}
	letGo()
	worker.awaitStopped(softStop)
	api.awaitStopped(drainBound)
	people.group.Wait()
	require.Contains(t, []int{http.StatusOK, http.StatusAccepted}, first.status)
	require.Equal(t, tally{"completed 1": 1}, f.jobs(jobs.KindDealPay))

	f.serve(f.startAPI())
	f.buyers[0].do(payment).want(http.StatusOK)
	f.requireOnce(tally{jobs.KindDealPay: 1})
}

// What does not end in time is given back, and the next worker takes it at once: nobody waits for a rescue.
func TestAStopGivesBackWhatDoesNotFinish(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t, released)
	worker := f.startWorker(jobs.QueueMoney, "SOFT_STOP=1s")
	payment, letGo := f.heldPayment(f.buyers[0])
	people := newLoadUsers(t)
	people.insist(payment)
	f.awaitHeldUp()
	worker.stop(softStop)
	require.Equal(t, tally{"available 0": 1}, f.jobs(jobs.KindDealPay), "the attempt does not count")
	letGo()
	f.startWorker(jobs.QueueMoney)
	people.wait()
	f.requireOnce(tally{jobs.KindDealPay: 1})
	f.requireSettledInTime(15 * time.Second)
}

// jobs counts the jobs of a kind by state and attempts.
func (f *tradeFixture) jobs(kind string) tally {
	f.t.Helper()
	return f.tally(`select state || ' ' || attempt, count(*) from river.river_job where kind = '` + kind + `' group by 1`)
}
