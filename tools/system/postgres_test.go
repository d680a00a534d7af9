package system

import (
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/testing/dbtest"
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

// An api and a worker that reach PostgreSQL only through PgBouncer in transaction mode carry a
// deposit, a deal, a message and mails.
func TestPooler(t *testing.T) {
	t.Parallel()
	s := newSystem(t, released)
	pooler := dbtest.PgBouncer(t, s.db)
	api := s.startAPI("DATABASE_URL="+pooler.APIURL, "DATABASE_POOLED=true")
	worker := s.startWorker(allQueues, "DATABASE_URL="+pooler.WorkerURL, "DATABASE_POOLED=true")
	s.serve(api)
	s.amanat(s.db.APIURL, "set-rate", "122.40")
	admin, buyer, seller := s.admin("boss"), s.member("nusrat"), s.member("tanvir")

	var reported struct {
		Deposit struct {
			ID uuid.UUID `json:"_id"`
		}
	}
	buyer.post("/auth/deposit", fields{"amount": 500, "transactionId": "AB12CD34EF", "paymentMethod": "Bkash"}).
		want(http.StatusCreated).into(&reported)
	users := newLoadUsers(t)
	users.retry(admin.ask("/admin/deposit/approve/"+reported.Deposit.ID.String(), fields{"amount": 500, "userId": buyer.ID}))
	users.wait()
	require.InDelta(t, 500, buyer.wallet(), 0.001)
	completeDeal(t, s, buyer, seller)
	seller.post("/messages/send-or-start", fields{"receiverId": buyer.ID, "text": "Thank you"}).want(http.StatusCreated)
	await(t, startWait, "three asked to verify", func() bool { return len(s.mails.Mails()) == 3 })
	require.Equal(t, tally{jobs.KindDepositApprove: 1, jobs.KindDealPay: 1, jobs.KindDealComplete: 1}, s.operations())
	s.requireBooksInOrder()

	const sessions = 2 * 6 // of the pooler, for two logins
	used := s.count(`select count(*) from pg_stat_activity where datname = current_database() and usename in ('amanat_api', 'amanat_worker')`)
	require.LessOrEqual(t, used, sessions, "nothing connects past the pooler")
	worker.stop(softStop)
	api.stop(drainBound)
}

// A worker whose pooler gives it sessions without limits does not start.
func TestPooler_without_limits(t *testing.T) {
	t.Parallel()
	s := newSystem(t, released)
	pooler := dbtest.PgBouncer(t, s.db)
	_, err := s.db.Owner().Exec(t.Context(), `
		do $$ begin
		  execute format('alter role amanat_worker in database %I reset all', current_database());
		end $$`)
	require.NoError(t, err)
	p := startProcess(t, "unlimited", s.build.program(t, "worker"), []string{
		"DATABASE_URL=" + pooler.WorkerURL, "DATABASE_POOLED=true", "REDIS_URL=" + s.redis.URL, "SMTP_URL=" + s.mails.URL(),
		"MAIL_FROM=Amanat <no-reply@amanat.test>", "SUPPORT_EMAIL=support@amanat.test",
	})
	p.awaitEnd(startWait)
	require.Equal(t, 1, p.cmd.ProcessState.ExitCode())
	require.Contains(t, p.output(), "is off in the sessions of this login: run `amanat migrate`")
}
