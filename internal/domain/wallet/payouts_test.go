package wallet_test

import (
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/actor"
	"amanat/internal/devtools/phone"
	"amanat/internal/domain/reports"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/queue/jobs"
)

// The withdrawals of the tests are of $10, at 122 taka.
const (
	payee     = "8801712345678" // as an SMS has the number of the order
	tenInTaka = 1_220_00
	fee       = 5_00
)

// newPaying is a fixture whose owner was credited with $100 by an SMS.
func newPaying(t *testing.T) phoned {
	t.Helper()
	f := newPhoned(t)
	sms := f.pays(123 * 100_00)
	f.deliver(t, f.forward(sms))
	require.Equal(t, wallet.DepositCompleted, f.status(t, f.reported(t, sms, 100_00)))
	return f
}

// claimed is a withdrawal that an admin has opened to send it.
func (f phoned) claimed(t *testing.T) uuid.UUID {
	t.Helper()
	id := f.payable(t)
	_, err := f.ClaimWithdrawal(t.Context(), f.admin, id)
	require.NoError(t, err)
	return id
}

// sends has the operator send the taka to the number, and returns the SMS about it.
func (f phoned) sends(taka money.Poisha, to string) phone.SMS {
	return f.phone.Send(wallet.Bkash, to, taka, fee, f.clock.Now())
}

func (f phoned) get(t *testing.T, id uuid.UUID) wallet.WorklistWithdrawal {
	t.Helper()
	w, err := f.GetWithdrawal(t.Context(), id)
	require.NoError(t, err)
	return w
}

// alarms is how often the admins were told that money has left.
func (f phoned) alarms(t *testing.T) int {
	t.Helper()
	return f.count(t, `river.river_job where kind = 'admin_notice' and args->>'notice_kind' = 'admin_money_left'`)
}

// drift returns the drift of bKash without what was there at first.
func (f phoned) drift(t *testing.T) wallet.Drift {
	t.Helper()
	list, err := f.Drift(t.Context())
	require.NoError(t, err)
	require.Len(t, list, 1)
	d := list[0]
	require.Equal(t, d.Balance, d.Booked+d.Opening+d.Entered+d.Unclaimed+d.Sent+d.Fees+d.Other+d.Held+d.Unexplained)
	require.Equal(t, money.Poisha(10_000_00), d.Opening)
	d.Method, d.Balance, d.Booked, d.Opening = "", 0, 0, 0
	return d
}

// asAtFirst is a drift in which all is explained: the payment of the fixture is unclaimed.
func asAtFirst(d wallet.Drift) wallet.Drift {
	d.Works, d.Unclaimed = true, d.Unclaimed+500_00
	return d
}

func TestMatchPayment_payout(t *testing.T) {
	t.Parallel()
	f := newPaying(t)
	id := f.claimed(t)
	sms := f.sends(tenInTaka, payee)
	for range 2 { // forwarded twice
		f.deliver(t, f.forward(sms))
	}
	w := f.get(t, id)
	require.Equal(t, wallet.WithdrawalCompleted, w.Status)
	require.Equal(t, sms.TransactionID, *w.TransactionID)
	require.Equal(t, f.admin, w.HandledBy.ID)
	require.Equal(t, money.Poisha(tenInTaka), w.Evidence.Amount)
	require.Equal(t, 1, f.count(t, `audit_log where action = 'withdrawal.send' and actor_id = $1 and details->>'payment' = $2`,
		f.admin, w.PaymentID.String()))
	text, _ := f.told(t)
	require.Contains(t, text, "01712345678")
	again, err := f.ClaimWithdrawal(t.Context(), f.admin, id)
	require.NoError(t, err, "the page of the admin asks what has become of it")
	require.Equal(t, wallet.WithdrawalCompleted, again.Status)
	_, err = f.ClaimWithdrawal(t.Context(), f.second, id)
	requireCode(t, fault.AlreadyHandled, err)
	require.Zero(t, f.alarms(t))
	require.Equal(t, asAtFirst(wallet.Drift{Fees: -fee}), f.drift(t))
	f.reconciled(t)

	f.exec(t, `update withdrawals set payment_id = null where id = @id`, postgres.Args{"id": id})
	findings, err := reports.Reconcile(t.Context(), f.db.Worker())
	require.NoError(t, err)
	require.NotEmpty(t, findings)
}

// A payment that is not that of one withdrawal leaves all as they are, and the admins are told.
func TestMatchPayment_payout_none(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		claim  func(t *testing.T, f phoned) uuid.UUID // nil: claimed
		before func(t *testing.T, f phoned)
		taka   money.Poisha
		to     string
	}{
		"nobody has opened it": {claim: func(t *testing.T, f phoned) uuid.UUID { t.Helper(); return f.payable(t) }},
		"opened long ago":      {before: func(_ *testing.T, f phoned) { f.clock.Advance(17 * time.Minute) }},
		"another amount":       {taka: tenInTaka - 1},
		"another number":       {to: "01712345679"},
		"a name":               {to: "Rahim Store"},
		"on hold": {claim: func(t *testing.T, f phoned) uuid.UUID {
			t.Helper()
			id := f.withdrawal(t).ID
			_, err := f.ClaimWithdrawal(t.Context(), f.admin, id)
			require.NoError(t, err)
			return id
		}},
		"opened after it was disowned": {claim: func(t *testing.T, f phoned) uuid.UUID {
			t.Helper()
			id := f.payable(t)
			f.disown(t)
			_, err := f.ClaimWithdrawal(t.Context(), f.admin, id)
			require.NoError(t, err)
			return id
		}},
		"the admin is none any more": {before: func(t *testing.T, f phoned) {
			t.Helper()
			f.exec(t, `update users set is_admin = false where id = @id`, postgres.Args{"id": f.admin})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newPaying(t)
			if tc.claim == nil {
				tc.claim = func(t *testing.T, f phoned) uuid.UUID { t.Helper(); return f.claimed(t) }
			}
			id := tc.claim(t, f)
			if tc.before != nil {
				tc.before(t, f)
			}
			taka, to := tc.taka, tc.to
			if taka == 0 {
				taka = tenInTaka
			}
			if to == "" {
				to = payee
			}
			require.Equal(t, wallet.DeliveryChained, f.deliver(t, f.forward(f.sends(taka, to))))
			require.Equal(t, wallet.WithdrawalPending, f.get(t, id).Status)
			require.Equal(t, 1, f.alarms(t))
			left, _, err := f.Payments(t.Context(), wallet.LeftPayments, postgres.Page{Limit: 10})
			require.NoError(t, err)
			require.Len(t, left, 1)
			require.Equal(t, taka, *left[0].Amount)
			require.Equal(t, asAtFirst(wallet.Drift{Sent: -taka, Fees: -fee}), f.drift(t))
			f.reconciled(t)
		})
	}
}

// An SMS that does not continue the balance marks nothing, until the missing one comes.
func TestMatchPayment_payout_out_of_order(t *testing.T) {
	t.Parallel()
	f := newPaying(t)
	id := f.claimed(t)
	lost, sms := f.pays(10_00), f.sends(tenInTaka, payee)
	require.Equal(t, wallet.DeliveryHeld, f.deliver(t, f.forward(sms)))
	require.Equal(t, wallet.WithdrawalPending, f.get(t, id).Status)
	require.Equal(t, wallet.PaymentHeld, f.get(t, id).Evidence.State, "the next admin sees that it may have been sent")
	require.Zero(t, f.alarms(t))
	f.clock.Advance(time.Hour)
	f.deliver(t, f.forward(lost))
	require.Equal(t, wallet.WithdrawalCompleted, f.get(t, id).Status, "the time of the payment counts")
	require.Zero(t, f.alarms(t))
	f.reconciled(t)
}

// An SMS that does not add up may come after the one about the payout, but before that is matched
// or booked. When the account works again, the withdrawal is booked.
func TestMatchPayment_payout_broken_meanwhile(t *testing.T) {
	t.Parallel()
	for name, requested := range map[string]bool{"before it is matched": false, "before it is booked": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newPaying(t)
			id := f.claimed(t)
			require.NoError(t, f.StoreDelivery(t.Context(), f.forward(f.sends(tenInTaka, payee))))
			_, err := f.settler.ReadDelivery(t.Context(), f.ids(t, `select id from phone_deliveries`)[0])
			require.NoError(t, err)
			if requested {
				require.NoError(t, f.settler.MatchPayment(t.Context(), f.ids(t, `select id from payments where outgoing`)[0]))
			}
			f.clock.Advance(time.Second)
			late := f.pays(10_00)
			require.Equal(t, wallet.DeliveryHeld, f.deliver(t, f.forward(f.pays(20_00))))
			require.Equal(t, wallet.WithdrawalPending, f.get(t, id).Status)
			f.clock.Advance(time.Second)
			f.deliver(t, f.forward(late))
			require.Equal(t, wallet.WithdrawalCompleted, f.get(t, id).Status)
			require.Zero(t, f.alarms(t))
			f.reconciled(t)
		})
	}
}

// Each payment books one of two withdrawals with the same number and amount, that which was opened
// first.
func TestMatchPayment_payout_two(t *testing.T) {
	t.Parallel()
	f := newPaying(t)
	first := f.claimed(t)
	f.clock.Advance(time.Second)
	second := f.claimed(t)
	f.deliver(t, f.forward(f.sends(tenInTaka, payee)))
	require.Equal(t, wallet.WithdrawalCompleted, f.get(t, first).Status)
	require.Equal(t, wallet.WithdrawalPending, f.get(t, second).Status)
	f.deliver(t, f.forward(f.sends(tenInTaka, payee)))
	require.Equal(t, wallet.WithdrawalCompleted, f.get(t, second).Status)
	f.deliver(t, f.forward(f.sends(tenInTaka, payee)))
	require.Equal(t, 1, f.alarms(t), "a third payment is nobody's")
	f.reconciled(t)
}

// A payment whose withdrawal another one has booked meanwhile is matched again.
func TestMatchPayment_payout_two_at_once(t *testing.T) {
	t.Parallel()
	f := newPaying(t)
	first, second := f.claimed(t), f.claimed(t)
	require.NoError(t, f.StoreDelivery(t.Context(), f.forward(f.sends(tenInTaka, payee))))
	_, err := f.settler.ReadDelivery(t.Context(), f.ids(t, `select id from phone_deliveries`)[0])
	require.NoError(t, err)
	payment := f.ids(t, `select id from payments where outgoing`)[0]
	tx, err := f.db.Owner().Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), `
		update withdrawals set status = 'completed', handled_at = now(), transaction_id = 'ANOTHER1' where id = $1`, first)
	require.NoError(t, err)
	matched := make(chan error)
	go func() { matched <- f.settler.MatchPayment(t.Context(), payment) }()
	require.Eventually(t, func() bool {
		return f.count(t, `pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`) == 1
	}, 10*time.Second, 10*time.Millisecond)
	require.NoError(t, tx.Commit(t.Context()))
	require.Error(t, <-matched, "tried again later")
	require.Zero(t, f.alarms(t))
	f.work(t)
	require.Equal(t, payment, *f.get(t, second).PaymentID)
}

// An admin who has stopped waiting for the SMS has booked the withdrawal, with or without its
// transaction ID.
func TestMatchPayment_payout_booked_by_hand(t *testing.T) {
	t.Parallel()
	for name, typed := range map[string]bool{"with the transaction ID": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newPaying(t)
			id := f.claimed(t)
			sms := f.sends(tenInTaka, payee)
			sent := wallet.Payout{Amount: 10_00}
			if typed {
				sent.TransactionID = sms.TransactionID
			}
			op, err := f.RequestSend(t.Context(), f.admin, id, sent, nil)
			require.NoError(t, err)
			require.NoError(t, f.StoreDelivery(t.Context(), f.forward(sms)))
			_, err = f.settler.ReadDelivery(t.Context(), f.ids(t, `select id from phone_deliveries`)[0])
			require.NoError(t, err)
			payment := f.ids(t, `select id from payments where outgoing`)[0]
			requireCode(t, fault.Conflict, f.settler.MatchPayment(t.Context(), payment)) // tried again later
			f.settled(t, op, nil)
			f.work(t)
			require.Equal(t, payment, *f.get(t, id).PaymentID)
			require.Zero(t, f.alarms(t))
			require.Equal(t, asAtFirst(wallet.Drift{Fees: -fee}), f.drift(t))
			f.reconciled(t)
		})
	}
}

// Of two withdrawals with the same number and amount, an admin books one with the transaction ID of
// its payment and the other one without. Each has its own payment in the end.
func TestMatchPayment_payout_typed(t *testing.T) {
	t.Parallel()
	for name, typedFirst := range map[string]bool{"before the other": true, "after it": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newPaying(t)
			typed, other := f.claimed(t), f.claimed(t)
			one, two := f.sends(tenInTaka, payee), f.sends(tenInTaka, payee)
			book := func(id uuid.UUID, transaction string) {
				op, err := f.RequestSend(t.Context(), f.admin, id, wallet.Payout{Amount: 10_00, TransactionID: transaction}, nil)
				require.NoError(t, err)
				f.settled(t, op, nil)
			}
			read := func(sms phone.SMS) {
				require.NoError(t, f.StoreDelivery(t.Context(), f.forward(sms)))
				_, err := f.settler.ReadDelivery(t.Context(), f.ids(t, `select id from phone_deliveries`)[0])
				require.NoError(t, err)
			}
			if typedFirst {
				book(typed, one.TransactionID)
				read(one)
				book(other, "")
			} else {
				read(one)
				book(other, "")
				read(two)
				f.exec(t, `delete from river.river_job where kind = 'payment_match'`, nil) // they have run
				book(typed, one.TransactionID)
			}
			f.work(t)
			f.deliver(t, f.forward(two))
			require.Equal(t, f.ids(t, `select id from payments where transaction_id = '`+one.TransactionID+`'`)[0], *f.get(t, typed).PaymentID)
			require.Equal(t, f.ids(t, `select id from payments where transaction_id = '`+two.TransactionID+`'`)[0], *f.get(t, other).PaymentID)
			require.Zero(t, f.alarms(t))
			require.Equal(t, asAtFirst(wallet.Drift{Fees: -2 * fee}), f.drift(t))
			f.reconciled(t)
		})
	}
}

// However an admin and the SMS race, a withdrawal is booked once, and has its payment.
func TestMatchPayment_payout_races_with_the_admin(t *testing.T) {
	t.Parallel()
	f := newPaying(t)
	for range 8 {
		id := f.claimed(t)
		sms := f.sends(tenInTaka, payee)
		require.NoError(t, f.StoreDelivery(t.Context(), f.forward(sms)))
		_, err := f.settler.ReadDelivery(t.Context(), f.ids(t, `select id from phone_deliveries`)[0])
		require.NoError(t, err)
		payment := f.ids(t, `delete from river.river_job where kind = 'payment_match' returning (args->>'payment_id')::uuid`)[0]
		var group sync.WaitGroup
		var byAdmin, bySMS error
		group.Go(func() { _, byAdmin = f.RequestSend(t.Context(), f.admin, id, wallet.Payout{Amount: 10_00}, nil) })
		group.Go(func() { bySMS = f.settler.MatchPayment(t.Context(), payment) })
		group.Wait()
		require.NotEqual(t, byAdmin == nil, bySMS == nil, "%v, %v", byAdmin, bySMS)
		f.work(t)
		require.NoError(t, f.settler.MatchPayment(t.Context(), payment))
		require.Equal(t, payment, *f.get(t, id).PaymentID)
	}
	require.Zero(t, f.alarms(t))
	require.Equal(t, asAtFirst(wallet.Drift{Fees: -8 * fee}), f.drift(t))
	f.reconciled(t)
}

func TestSettleSend_after_its_SMS(t *testing.T) {
	t.Parallel()
	f := newPaying(t)
	id := f.payable(t)
	wrong := f.sends(tenInTaka-20_00, payee)
	f.deliver(t, f.forward(wrong))
	require.Nil(t, f.get(t, id).Evidence)
	sms := f.sends(tenInTaka, payee)
	f.deliver(t, f.forward(sms))
	require.Equal(t, money.Poisha(tenInTaka), f.get(t, id).Evidence.Amount, "whoever opens it sees that it may have been sent")

	sent := wallet.Payout{Amount: 10_00, TransactionID: wrong.TransactionID}
	op, err := f.RequestSend(t.Context(), f.admin, id, sent, nil)
	require.NoError(t, err)
	refusal := f.worker.Settle(t, op.ID).Err()
	requireCode(t, fault.Conflict, refusal)
	require.ErrorContains(t, refusal, "The SMS with this transaction ID says that ৳1200.00 went to 8801712345678 at")
	sent.Differs = true
	op, err = f.RequestSend(t.Context(), f.admin, id, sent, nil)
	f.settled(t, op, err)
	require.Equal(t, asAtFirst(wallet.Drift{Sent: -tenInTaka, Fees: -2 * fee, Other: 20_00}), f.drift(t))
	f.reconciled(t)
}

// With the login of the api, nobody can have a withdrawal booked by a payment that is not its own.
func TestSettleSend_by_the_login_of_the_api(t *testing.T) {
	t.Parallel()
	f := newPaying(t)
	id := f.claimed(t)
	sms := f.sends(50_00, payee)
	f.deliver(t, f.forward(sms))
	for _, payment := range f.ids(t, `select id from payments`) {
		request := operations.Request{
			Kind: jobs.KindWithdrawalSend, Subject: operations.Withdrawal(id), Actor: actor.User(f.admin),
			Params: map[string]any{"transactionId": sms.TransactionID, "reason": "", "payment": payment},
		}
		op := f.request(t, request)
		requireCode(t, fault.Conflict, f.worker.Settle(t, op.ID).Err())
	}
	require.Equal(t, wallet.WithdrawalPending, f.get(t, id).Status)
	for _, sql := range []string{`update withdrawals set payment_id = null`, `update receivers set entered = 0`} {
		_, err := f.db.API().Exec(t.Context(), sql)
		require.ErrorContains(t, err, "permission denied", sql)
	}
}

// A payment proves a withdrawal in the name of the admin who has opened it, and of no other.
func TestSettleSend_in_the_name_of_another_admin(t *testing.T) {
	t.Parallel()
	f := newPaying(t)
	id := f.payable(t)
	sms := f.sends(tenInTaka, payee)
	f.deliver(t, f.forward(sms)) // before somebody opens it
	_, err := f.ClaimWithdrawal(t.Context(), f.admin, id)
	require.NoError(t, err)
	booked := func(admin uuid.UUID) operations.Operation {
		request := operations.Request{
			Kind: jobs.KindWithdrawalSend, Subject: operations.Withdrawal(id), Actor: actor.User(admin),
			Params: map[string]any{
				"transactionId": sms.TransactionID, "reason": "", "payment": f.ids(t, `select id from payments where outgoing`)[0],
			},
		}
		return f.worker.Settle(t, f.request(t, request).ID)
	}
	requireCode(t, fault.Conflict, booked(f.second).Err())
	require.Equal(t, wallet.WithdrawalPending, f.get(t, id).Status)
	require.NoError(t, booked(f.admin).Err())
	require.Equal(t, f.admin, f.get(t, id).HandledBy.ID)
}

// Money that was sent before a withdrawal was asked for is not its payout.
func TestSettleSend_earlier_payment(t *testing.T) {
	t.Parallel()
	f := newPaying(t)
	f.deliver(t, f.forward(f.sends(tenInTaka, payee)))
	f.clock.Advance(10 * time.Minute)
	id := f.claimed(t)
	op, err := f.RequestSend(t.Context(), f.admin, id, wallet.Payout{Amount: 10_00}, nil)
	f.settled(t, op, err)
	require.Nil(t, f.get(t, id).PaymentID)
	left, _, err := f.Payments(t.Context(), wallet.LeftPayments, postgres.Page{Limit: 10})
	require.NoError(t, err)
	require.Len(t, left, 1)
}

// Every difference between the accounts and the books has a name.
func TestDrift(t *testing.T) {
	t.Parallel()
	f := newPaying(t)
	require.Equal(t, asAtFirst(wallet.Drift{}), f.drift(t))

	f.deliver(t, f.forward(f.pays(70_00)))
	require.Equal(t, asAtFirst(wallet.Drift{Unclaimed: 70_00}), f.drift(t))

	byHand := f.pays(123 * 20_00)
	f.approved(t, f.report(t, f.owner, byHand.TransactionID, 20_00))
	require.Equal(t, asAtFirst(wallet.Drift{Unclaimed: 70_00, Unexplained: -123 * 20_00}), f.drift(t), "no SMS yet")
	f.deliver(t, f.forward(byHand))
	require.Equal(t, asAtFirst(wallet.Drift{Unclaimed: 70_00}), f.drift(t))

	_, next := f.pays(1_000_00), f.pays(123*10_00) // the SMS of the first is lost
	f.deliver(t, f.forward(next))
	f.approved(t, f.reported(t, next, 10_00))
	held := asAtFirst(wallet.Drift{Unclaimed: 70_00, Held: -123 * 10_00})
	held.Works = false
	require.Equal(t, held, f.drift(t))
	f.anchor(t, f.phone.Balance(wallet.Bkash))
	require.Equal(t, asAtFirst(wallet.Drift{Unclaimed: 70_00, Entered: 1_000_00}), f.drift(t))

	f.approved(t, f.report(t, f.owner, "NEVERCAME0", 5_00))
	require.Equal(t, asAtFirst(wallet.Drift{Unclaimed: 70_00, Entered: 1_000_00, Unexplained: -123 * 5_00}), f.drift(t))
	f.reconciled(t)
}

// A transfer between two of our own accounts is neither unclaimed nor left.
func TestDrift_own_transfer(t *testing.T) {
	t.Parallel()
	f := newPaying(t)
	f.exec(t, `insert into receivers (id, phone, sim, payment_method, balance, opening, heard_at)
		values ('00000000-0000-0000-0000-000000000001', 'spare', 1, 'Bkash', 30000, 0, now())`, nil)
	sms := f.sends(300_00, "01800000000")
	f.exec(t, `insert into payments (id, receiver_id, digest, text, state, forwarded_at, outgoing, amount, fee, balance, transaction_id,
			party, reference, made_at)
		values (gen_random_uuid(), '00000000-0000-0000-0000-000000000001', '', '', 'chained', now(), false, 30000, 0, 30000, @id, '', '', now())`,
		postgres.Args{"id": sms.TransactionID})
	f.deliver(t, f.forward(sms))
	require.Zero(t, f.alarms(t))
	require.Equal(t, asAtFirst(wallet.Drift{Fees: -fee}), f.drift(t))
	states := func(query wallet.PaymentQuery) (list []string) {
		payments, _, err := f.Payments(t.Context(), query, postgres.Page{Limit: 10})
		require.NoError(t, err)
		for _, p := range payments {
			list = append(list, p.State)
		}
		return list
	}
	require.ElementsMatch(t, []string{"unclaimed", "credited", "own", "own"}, states(wallet.AllPayments))
	require.Equal(t, []string{"unclaimed"}, states(wallet.UnclaimedPayments))
	require.Empty(t, states(wallet.LeftPayments))
}
