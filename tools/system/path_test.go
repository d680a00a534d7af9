package system

import (
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/queue/jobs"
)

// metricsWait covers the 5 s for which the queue's gauges may be cached.
const metricsWait = 15 * time.Second

// A deposit, a deal from proposal to completion, and a withdrawal, with two apis, a money worker
// and a worker for the other queues.
func TestMainPath(t *testing.T) {
	t.Parallel()
	s := newSystem(t, released)
	apis := []*process{s.startAPI(), s.startAPI()}
	s.serve(apis...)
	helper := s.startWorker("mail,notify,maintenance")
	require.Contains(t, s.amanat(s.db.APIURL, "set-rate", "122.40"), "122.40")
	// An account of a phone that was switched off long ago: the books are compared with it, and
	// admins credit the deposits.
	_, err := s.db.Owner().Exec(t.Context(), `insert into receivers (id, phone, sim, payment_method, balance, opening, heard_at)
		values (gen_random_uuid(), 'shop', 1, 'Bkash', 5000000, 5000000, '2026-01-01')`)
	require.NoError(t, err)
	admin, buyer, seller := s.admin("boss"), s.member("nusrat"), s.member("tanvir")
	s.visitor().post("/auth/login", fields{"username": "nusrat", "password": "not-hers"}).want(http.StatusUnauthorized)
	again := s.visitor()
	again.post("/auth/login", fields{"username": "nusrat", "password": password}).want(http.StatusOK).into(again)
	require.Equal(t, buyer.ID, again.ID)

	await(t, startWait, "three asked to verify", func() bool { return len(s.mails.Mails()) == 3 })
	// Notices about money are sent to verified addresses only.
	for _, name := range []string{"nusrat", "tanvir"} {
		s.amanat(s.db.APIURL, "verify-user", name)
	}

	moneyWorker := approveDeposit(t, s, helper, admin, buyer)
	completeDeal(t, s, buyer, seller)
	sendWithdrawal(t, s, admin, seller)
	moneyWorker = payTwoDeals(t, s, moneyWorker, buyer, seller)

	var receivers []string
	await(t, startWait, "all mails sent", func() bool { return len(s.mails.Mails()) >= 17 })
	for _, mail := range s.mails.Mails() {
		receivers = append(receivers, mail.To)
		require.NotEmpty(t, mail.Subject)
		require.Contains(t, mail.Text, "http")
	}
	slices.Sort(receivers)
	require.Equal(t, []string{
		"boss@example.com",                         // verify
		"nusrat@example.com", "nusrat@example.com", // verify, deposit approved
		// Two deals proposed, two delivered.
		"nusrat@example.com", "nusrat@example.com", "nusrat@example.com", "nusrat@example.com",
		"nusrat@example.com", "nusrat@example.com", "nusrat@example.com", // two deals paid, one completed
		// Verify, paid, completed.
		"tanvir@example.com", "tanvir@example.com", "tanvir@example.com",
		// Withdrawal to confirm, confirmed, sent, paid.
		"tanvir@example.com", "tanvir@example.com", "tanvir@example.com", "tanvir@example.com",
	}, receivers)
	s.requireBooksInOrder()
	requireWatched(t, apis[0], apis[1], helper, moneyWorker)
	for p, bound := range map[*process]time.Duration{
		apis[0]: drainBound, apis[1]: drainBound, helper: softStop, moneyWorker: softStop,
	} {
		status, body := p.opsPage("/readyz")
		require.Equal(t, http.StatusOK, status, body)
		require.Contains(t, p.metrics(), "go_goroutines")
		out, err := p.ask("-probe")
		require.NoError(t, err, out)
		p.stop(bound)
		out, err = p.ask("-probe")
		require.Error(t, err, out)
		out, err = p.ask("-version")
		require.NoError(t, err)
		require.Len(t, strings.Fields(out), 1)
	}
	requireReconcileFails(t, s)
}

// requireReconcileFails breaks the books and requires that the check at the end of every test
// fails.
func requireReconcileFails(t *testing.T, s *system) {
	t.Helper()
	_, err := s.db.Owner().Exec(t.Context(), `update deals set price = price + 1 where status = 'Active'`)
	require.NoError(t, err)
	out, err := s.tryAmanat(s.db.WorkerURL, "reconcile")
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 1, exit.ExitCode())
	require.Contains(t, out, "BROKEN  an open deal's escrow holds its price")
}

// approveDeposit approves a deposit, starts a money worker once the operation is pending, and
// returns the worker.
func approveDeposit(t *testing.T, s *system, helper *process, admin, buyer *person) (moneyWorker *process) {
	t.Helper()
	var reported struct {
		Message string
		Deposit struct {
			ID     uuid.UUID `json:"_id"`
			Status string
		}
	}
	buyer.post("/auth/deposit", fields{"amount": 500, "transactionId": "AB12CD34EF", "paymentMethod": "Bkash"}).
		want(http.StatusCreated).into(&reported)
	require.Equal(t, "Deposit submitted successfully!", reported.Message)
	require.Equal(t, "pending", reported.Deposit.Status)

	approval := admin.ask("/admin/deposit/approve/"+reported.Deposit.ID.String(), fields{"amount": 500, "userId": buyer.ID})
	var underway struct {
		Operation struct {
			ID     uuid.UUID `json:"_id"`
			Status string
		}
	}
	admin.do(approval).want(http.StatusAccepted).into(&underway)
	require.Equal(t, "pending", underway.Operation.Status)
	await(t, metricsWait, "the waiting operation in the metrics", func() bool {
		values := helper.metrics()
		return values[`amanat_queue_jobs{queue="money",state="available"}`] == 1 &&
			values[`amanat_queue_oldest_job_age_seconds{queue="money"}`] > 0 &&
			values[`amanat_operations_pending{kind="deposit_approve"}`] == 1 &&
			values[`amanat_operations_oldest_pending_seconds{kind="deposit_approve"}`] > 0
	})

	moneyWorker = s.startWorker(jobs.QueueMoney)
	await(t, startWait, "the operation done", func() bool {
		admin.get("/operations/" + underway.Operation.ID.String()).want(http.StatusOK).into(&underway.Operation)
		return underway.Operation.Status == "done"
	})
	require.Equal(t, "Balance updated successfully", admin.do(approval).want(http.StatusOK).message())
	require.InDelta(t, 500, buyer.wallet(), 0.001)
	awaitCounted(t, moneyWorker, `kind="deposit_approve",outcome="done"`)
	return moneyWorker
}

// awaitCounted waits until a worker's metrics contain an operation and its duration: they are
// updated after the commit.
func awaitCounted(t *testing.T, worker *process, labels string) {
	t.Helper()
	await(t, startWait, "counted "+labels, func() bool {
		values := worker.metrics()
		return values["amanat_operations_total{"+labels+"}"] == 1 && values["amanat_operation_seconds_count{"+labels+"}"] == 1
	})
}

func propose(t *testing.T, buyer, seller *person, price float64) (path string) {
	t.Helper()
	var deal struct {
		ID uuid.UUID `json:"_id"`
	}
	seller.post("/deals/create", fields{
		"price": price, "description": "A channel", "deliveryDuration": 7, "buyerId": buyer.ID, "sellerId": seller.ID,
	}).want(http.StatusCreated).into(&deal)
	return deal.ID.String()
}

func completeDeal(t *testing.T, s *system, buyer, seller *person) {
	t.Helper()
	deal := propose(t, buyer, seller, 100.01)
	require.Equal(t, "Deal activated!", buyer.post("/deals/pay/"+deal, nil).want(http.StatusOK).message())
	require.InDelta(t, 399.99, buyer.wallet(), 0.001)
	require.Equal(t, "Seller has delivered the deal", seller.post("/deals/deliver/"+deal, nil).want(http.StatusOK).message())
	require.Equal(t, "Deal marked as completed", buyer.post("/deals/complete/"+deal, nil).want(http.StatusOK).message())
	require.InDelta(t, 98.01, seller.wallet(), 0.001)
	require.Equal(t, tally{jobs.KindDepositApprove: 1, jobs.KindDealPay: 1, jobs.KindDealComplete: 1}, s.transfers())
}

// sendWithdrawal withdraws to a new number, which the seller confirms by the mailed link.
func sendWithdrawal(t *testing.T, s *system, admin, seller *person) {
	t.Helper()
	s.amanat(s.db.APIURL, "verify-user", seller.Username)
	var asked struct {
		Withdrawal struct {
			ID uuid.UUID `json:"_id"`
		}
	}
	seller.post("/withdraw", fields{"amount": 50, "phonenumber": "01712345678", "paymentMethod": "Nagad"}).
		want(http.StatusCreated).into(&asked)
	require.InDelta(t, 48.01, seller.wallet(), 0.001)
	payout := fields{"amount": 50, "transactionId": "PAYOUT01"}
	admin.post("/admin/withdrawals/"+asked.Withdrawal.ID.String()+"/send", payout).want(http.StatusConflict)
	const link = "/confirm-withdrawal#token="
	var token string
	await(t, startWait, "the link that confirms", func() bool {
		for _, mail := range s.mails.Mails() {
			if _, rest, found := strings.Cut(mail.Text, link); found {
				token = strings.Fields(rest)[0]
			}
		}
		return token != ""
	})
	s.visitor().post("/auth/confirm-withdrawal", fields{"token": token}).want(http.StatusOK)
	sent := admin.post("/admin/withdrawals/"+asked.Withdrawal.ID.String()+"/send", payout)
	require.Equal(t, "Withdrawal sent successfully. Balance updated.", sent.want(http.StatusOK).message())
	require.InDelta(t, 48.01, seller.wallet(), 0.001)
}

// payTwoDeals requests two payments while no worker runs, with a balance for one of them. It
// returns the worker that then settles them.
func payTwoDeals(t *testing.T, s *system, moneyWorker *process, buyer, seller *person) *process {
	t.Helper()
	moneyWorker.stop(softStop)
	first := buyer.ask("/deals/pay/"+propose(t, buyer, seller, 300), nil)
	second := buyer.ask("/deals/pay/"+propose(t, buyer, seller, 300), nil)
	buyer.do(first).want(http.StatusAccepted)
	buyer.do(second).want(http.StatusAccepted)
	moneyWorker = s.startWorker(jobs.QueueMoney)
	refused := 0
	for _, r := range []request{first, second} {
		a, _, err := r.retry(t.Context())
		require.NoError(t, err)
		if a.status == http.StatusConflict {
			require.Equal(t, "Insufficient balance", a.message())
			refused++
		} else {
			a.want(http.StatusOK)
		}
	}
	require.Equal(t, 1, refused)
	require.InDelta(t, 99.99, buyer.wallet(), 0.001)
	awaitCounted(t, moneyWorker, `kind="deal_pay",outcome="done"`)
	awaitCounted(t, moneyWorker, `kind="deal_pay",outcome="rejected"`)
	return moneyWorker
}
