package system

import (
	"context"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/postgres"
	"amanat/queue/jobs"
)

// lockDeal locks a deal, so that a worker that settles an operation on it blocks in its transaction
// until the lock is released.
func (f *tradeFixture) lockDeal(deal uuid.UUID) (release func()) {
	f.t.Helper()
	tx, err := f.db.Owner().Begin(f.t.Context())
	require.NoError(f.t, err)
	_, err = tx.Exec(f.t.Context(), `select from deals where id = @id for update`, postgres.Args{"id": deal})
	require.NoError(f.t, err)
	f.t.Cleanup(func() { _ = tx.Rollback(f.t.Context()) })
	return func() {
		f.t.Helper()
		require.NoError(f.t, tx.Rollback(f.t.Context()))
	}
}

// lockedPayment returns the payment of a new deal that is locked.
func (f *tradeFixture) lockedPayment(buyer *person) (payment request, release func()) {
	f.t.Helper()
	deal := f.deal(buyer)
	f.cents[buyer] -= price
	return buyer.ask("/deals/pay/"+deal.String(), nil), f.lockDeal(deal)
}

func (f *tradeFixture) awaitLocked() {
	f.t.Helper()
	await(f.t, startWait, "held up", func() bool {
		return f.count(`
			select count(*) from pg_stat_activity
			 where datname = current_database() and usename = 'amanat_worker' and wait_event_type = 'Lock'`) == 1
	})
}

// A stop loses nothing: the api responds to waiting clients, the worker finishes its running job,
// and both exit with 0.
func TestStop_finishes_jobs(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t, released)
	worker, api := f.startWorker(allQueues), f.startAPI()
	f.serve(api)
	payment, release := f.lockedPayment(f.buyers[0])
	users := newLoadUsers(t)
	var first answer
	users.group.Go(func() {
		a, err := payment.send(t.Context(), api.site)
		if err != nil {
			t.Errorf("dropped: %v", err)
		}
		first = a
	})
	f.awaitLocked()
	worker.signal(syscall.SIGTERM)
	api.signal(syscall.SIGTERM)
	for _, p := range []*process{worker, api} {
		await(t, startWait, "draining", func() bool {
			status, _ := p.opsPage("/readyz")
			return status != http.StatusOK
		})
	}
	release()
	worker.awaitStopped(softStop)
	api.awaitStopped(drainBound)
	users.group.Wait()
	require.Contains(t, []int{http.StatusOK, http.StatusAccepted}, first.status)
	require.Equal(t, tally{"completed 1": 1}, f.jobs(jobs.KindDealPay))

	f.serve(f.startAPI())
	f.buyers[0].do(payment).want(http.StatusOK)
	f.requireOnce(tally{jobs.KindDealPay: 1})
}

// A job that does not finish in time is returned to the queue, and the next worker takes it at
// once, without a rescue.
func TestStop_returns_unfinished_jobs(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t, released)
	worker := f.startWorker(jobs.QueueMoney, "SOFT_STOP=1s")
	payment, release := f.lockedPayment(f.buyers[0])
	users := newLoadUsers(t)
	users.retry(payment)
	f.awaitLocked()
	worker.stop(softStop)
	require.Equal(t, tally{"available 0": 1}, f.jobs(jobs.KindDealPay), "the attempt does not count")
	release()
	f.startWorker(jobs.QueueMoney)
	users.wait()
	f.requireOnce(tally{jobs.KindDealPay: 1})
	f.requireSettledInTime(15 * time.Second)
}

// jobs counts the jobs of a kind by state and attempt.
func (f *tradeFixture) jobs(kind string) tally {
	f.t.Helper()
	return f.tally(`select state || ' ' || attempt, count(*) from river.river_job where kind = '` + kind + `' group by 1`)
}

const (
	nodeStopBound = 30 * time.Second // of an api with sockets
	balancerEvery = 100 * time.Millisecond
)

// balance sends requests to the apis that are ready, like a load balancer, until the test ends.
func (s *system) balance(apis ...*process) {
	s.t.Helper()
	ctx, stop := context.WithCancel(s.t.Context())
	ended := make(chan struct{})
	probe := func() {
		var ready []*process
		for _, api := range apis {
			if status, _ := api.opsPage("/readyz"); status == http.StatusOK {
				ready = append(ready, api)
			}
		}
		if len(ready) > 0 {
			s.serve(ready...)
		}
	}
	probe()
	go func() {
		defer close(ended)
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(balancerEvery):
				probe()
			}
		}
	}()
	s.t.Cleanup(func() { stop(); <-ended })
}

// A node with many chatting users is stopped. It asks their sockets to reconnect, which they do at
// the other node; no request fails and no event is lost.
func TestDrain_loses_nothing(t *testing.T) { //nolint:paralleltest // the others' load would count
	s := newSystem(t, released)
	east := s.startAPI()
	s.serve(east)
	g := newChatLoad(s, 2*pairs)
	s.balance(east, s.startAPI())
	chatting, stopChat := context.WithCancel(t.Context())
	defer stopChat()
	g.chat(chatting)
	some := int64(pairs / 5)
	g.awaitSent(some)
	east.signal(syscall.SIGTERM)
	asked := time.Now()
	east.awaitStopped(nodeStopBound)
	t.Logf("stopped after %s", time.Since(asked).Round(time.Millisecond))
	g.awaitConnected()
	g.awaitSent(some)
	stopChat()
	g.group.Wait()
	require.Zero(t, g.failed.Load(), "requests")
	total := g.requireNothingLost()
	require.Equal(t, map[int]int{1012: len(g.users)}, total.Closed, "asked to come back")
	require.LessOrEqual(t, total.Connects, 2*len(g.users))
}

// The only worker dies, which was River's leader, too, in the middle of a payment. The worker that
// replaces it becomes the leader and rescues the job.
func TestWorker_dies_alone(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t, released)
	doomed := f.startWorker(allQueues)
	payment, release := f.lockedPayment(f.buyers[0])
	users := newLoadUsers(t)
	users.retry(payment)
	f.awaitLocked()
	doomed.kill()
	release()
	f.startWorker(allQueues)
	users.wait()
	f.requireOnce(tally{jobs.KindDealPay: 1})
	f.requireSettledInTime(settleBound)
}
