package system

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/testing/soak"
	"amanat/queue/jobs"
)

// All database connections of apis and workers break, again and again, while payments are made.
func TestPayments_connections_break(t *testing.T) {
	t.Parallel()
	const payments = 20 // per break
	breaks := soak.Rounds(1, 3)
	f := newTradeFixture(t, released)
	processes := append(f.apis[:2:2], f.startWorker(allQueues), f.startWorker(allQueues))
	requests := f.payments(breaks * payments)
	users := newLoadUsers(t)
	for i := range breaks {
		users.retry(requests[i*payments : (i+1)*payments]...)
		await(t, startWait, "payments underway", func() bool {
			return f.count(`select count(*) from operations where kind = 'deal_pay'`) >= i*payments+payments/4
		})
		broken := f.count(`
			select count(pg_terminate_backend(pid)) from pg_stat_activity
			 where datname = current_database() and usename in ('amanat_api', 'amanat_worker')`)
		require.Greater(t, broken, len(processes))
	}
	users.wait()
	for _, p := range processes {
		require.True(t, p.alive(), p.name)
		await(t, startWait, "ready", func() bool {
			status, _ := p.opsPage("/readyz")
			return status == http.StatusOK
		})
	}
	f.requireOnce(tally{jobs.KindDealPay: breaks * payments})
	f.requireSettledInTime(settleBound)
}
