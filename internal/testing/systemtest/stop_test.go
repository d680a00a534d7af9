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
func (m *market) holdUp(deal uuid.UUID) (letGo func()) {
	m.t.Helper()
	tx, err := m.db.Owner().Begin(m.t.Context())
	require.NoError(m.t, err)
	_, err = tx.Exec(m.t.Context(), `select from deals where id = @id for update`, pgx.NamedArgs{"id": deal})
	require.NoError(m.t, err)
	m.t.Cleanup(func() { _ = tx.Rollback(m.t.Context()) })
	return func() {
		m.t.Helper()
		require.NoError(m.t, tx.Rollback(m.t.Context()))
	}
}

// heldPayment returns the payment of a new deal that is held up.
func (m *market) heldPayment(buyer *person) (payment request, letGo func()) {
	m.t.Helper()
	deal := m.deal(buyer)
	m.cents[buyer] -= price
	return buyer.ask("/deals/pay/"+deal.String(), nil), m.holdUp(deal)
}

func (m *market) awaitHeldUp() {
	m.t.Helper()
	await(m.t, startWait, "held up", func() bool {
		return m.count(`
			select count(*) from pg_stat_activity
			 where datname = current_database() and usename = 'amanat_worker' and wait_event_type = 'Lock'`) == 1
	})
}

// A stop loses nothing: the api answers those who wait, the worker ends the job it has begun, and both exit with 0.
func TestAStopLetsWorkFinish(t *testing.T) {
	t.Parallel()
	m := openMarket(t, released)
	worker, api := m.startWorker(allQueues), m.startAPI()
	m.serve(api)
	payment, letGo := m.heldPayment(m.buyers[0])
	people := newCrowd(t)
	var first answer
	people.group.Go(func() {
		a, err := payment.send(t.Context(), api.site)
		if err != nil {
			t.Errorf("dropped: %v", err)
		}
		first = a
	})
	m.awaitHeldUp()
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
	require.Equal(t, tally{"completed 1": 1}, m.jobs(jobs.KindDealPay))

	m.serve(m.startAPI())
	m.buyers[0].do(payment).want(http.StatusOK)
	m.requireOnce(tally{jobs.KindDealPay: 1})
}

// What does not end in time is given back, and the next worker takes it at once: nobody waits for a rescue.
func TestAStopGivesBackWhatDoesNotFinish(t *testing.T) {
	t.Parallel()
	m := openMarket(t, released)
	worker := m.startWorker(jobs.QueueMoney, "SOFT_STOP=1s")
	payment, letGo := m.heldPayment(m.buyers[0])
	people := newCrowd(t)
	people.insist(payment)
	m.awaitHeldUp()
	worker.stop(softStop)
	require.Equal(t, tally{"available 0": 1}, m.jobs(jobs.KindDealPay), "the attempt does not count")
	letGo()
	m.startWorker(jobs.QueueMoney)
	people.wait()
	m.requireOnce(tally{jobs.KindDealPay: 1})
	m.requireSettledInTime(15 * time.Second)
}

// jobs counts the jobs of a kind by state and attempts.
func (m *market) jobs(kind string) tally {
	m.t.Helper()
	return m.tally(`select state || ' ' || attempt, count(*) from river.river_job where kind = '` + kind + `' group by 1`)
}
