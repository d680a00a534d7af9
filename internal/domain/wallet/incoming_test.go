package wallet_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/devtools/phone"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/queue/jobs"
)

const (
	phoneKey = "a key that only workers have"
	payer    = "01912345678"
)

// phoned is a fixture whose phone's balance an admin has entered.
type phoned struct {
	fixture
	phone *phone.Phone
}

func newPhoned(t *testing.T) phoned {
	t.Helper()
	f := phoned{newFixture(t), phone.New("shop", phoneKey, 10_000_00)}
	f.deliver(t, f.forward(f.phone.Receive(wallet.Bkash, payer, 500_00, "", f.clock.Now())))
	f.anchor(t, f.phone.Balance(wallet.Bkash))
	return f
}

func (f phoned) forward(sms phone.SMS) wallet.Delivery { return f.phone.Forward(sms, f.clock.Now()) }

// pays has somebody pay the taka, and returns the SMS about it.
func (f phoned) pays(taka money.Poisha) phone.SMS {
	return f.phone.Receive(wallet.Bkash, payer, taka, "", f.clock.Now())
}

func (f phoned) receiver(t *testing.T) uuid.UUID {
	t.Helper()
	var id uuid.UUID
	require.NoError(t, f.db.Owner().QueryRow(t.Context(), `select id from receivers where payment_method = 'Bkash'`).Scan(&id))
	return id
}

// anchor has an admin enter the balance of the account.
func (f phoned) anchor(t *testing.T, balance money.Poisha) {
	t.Helper()
	f.anchored(t, f.entered(t, f.receiver(t), balance))
}

// entered has an admin enter the balance of an account, and returns the job for that.
func (f phoned) entered(t *testing.T, receiver uuid.UUID, balance money.Poisha) (job jobs.ReceiverAnchor) {
	t.Helper()
	require.NoError(t, f.Anchor(t.Context(), f.admin, receiver, balance))
	require.NoError(t, f.db.Owner().QueryRow(t.Context(),
		`delete from river.river_job where kind = 'receiver_anchor' returning args`).Scan(&job))
	return job
}

func (f phoned) anchored(t *testing.T, job jobs.ReceiverAnchor) {
	t.Helper()
	require.NoError(t, f.settler.Anchor(t.Context(), job))
	f.work(t)
}

// deliver makes the call and does the work that follows from it.
func (f phoned) deliver(t *testing.T, d wallet.Delivery) wallet.DeliveryOutcome {
	t.Helper()
	outcome := f.read(t, d)
	f.work(t)
	return outcome
}

// read makes the call and reads it.
func (f phoned) read(t *testing.T, d wallet.Delivery) wallet.DeliveryOutcome {
	t.Helper()
	require.NoError(t, f.StoreDelivery(t.Context(), d))
	var id uuid.UUID
	require.NoError(t, f.db.Owner().QueryRow(t.Context(), `select id from phone_deliveries`).Scan(&id))
	outcome, err := f.settler.ReadDelivery(t.Context(), id)
	require.NoError(t, err)
	require.Zero(t, f.count(t, `phone_deliveries`), "it is deleted once it is read")
	return outcome
}

// work runs the jobs that make and match deposits and payouts, and settles what they request.
func (f phoned) work(t *testing.T) {
	t.Helper()
	for _, id := range f.ids(t, `delete from river.river_job where kind = 'payment_match' returning (args->>'payment_id')::uuid`) {
		require.NoError(t, f.settler.MatchPayment(t.Context(), id))
	}
	for _, id := range f.ids(t, `
		with taken as (delete from river.river_job where kind = 'deposit_match' returning (args->>'deposit_id')::uuid as id)
		select distinct id from taken order by id`) {
		require.NoError(t, f.settler.MatchDeposit(t.Context(), id))
	}
	for _, id := range f.ids(t, `select id from operations where kind in ('deposit_approve', 'withdrawal_send') and status = 'pending'`) {
		f.worker.Settle(t, id)
	}
}

// announcesBroken reports whether the admins are notified a minute later of SMS that do not add up.
func (f phoned) announcesBroken(t *testing.T) bool {
	t.Helper()
	const notices = `river.river_job where kind = 'admin_notice' and args->>'notice_kind' = 'admin_receiver_broken'`
	before := f.count(t, notices)
	jobs, err := postgres.Query[jobs.ReceiverNotice]("test.receiver_notices", `
		select (args->>'receiver_id')::uuid as receiver_id, (args->>'broken_at')::timestamptz as broken_at
		  from river.river_job where kind = 'receiver_notice' and state = 'scheduled'`).Many(t.Context(), f.db.Owner(), nil)
	require.NoError(t, err)
	for _, job := range jobs {
		require.NoError(t, f.settler.AnnounceBroken(t.Context(), job.ReceiverID, job.BrokenAt))
	}
	return f.count(t, notices) > before
}

func (f phoned) ids(t *testing.T, sql string) []uuid.UUID {
	t.Helper()
	ids, err := postgres.Query[uuid.UUID]("test.ids", sql).Many(t.Context(), f.db.Owner(), nil)
	require.NoError(t, err)
	return ids
}

func (f phoned) status(t *testing.T, d wallet.Deposit) wallet.DepositStatus {
	t.Helper()
	now, err := f.GetDeposit(t.Context(), d.ID)
	require.NoError(t, err)
	return now.Status
}

// reported has the owner report the payment of an SMS as so many dollars.
func (f phoned) reported(t *testing.T, sms phone.SMS, amount money.Cents) wallet.Deposit {
	t.Helper()
	d := f.report(t, f.owner, sms.TransactionID, amount)
	f.work(t)
	return d
}

func TestReadDelivery_credits(t *testing.T) {
	t.Parallel()
	f := newPhoned(t)
	first := f.pays(123 * 50_00)
	d := f.reported(t, first, 50_00)
	require.Equal(t, wallet.DepositPending, f.status(t, d))
	require.Equal(t, wallet.DeliveryChained, f.deliver(t, f.forward(first)))
	require.Equal(t, wallet.DepositCompleted, f.status(t, d))
	require.Equal(t, money.Cents(50_00), f.balance(t))
	text, _ := f.told(t)
	require.Equal(t, "Your deposit of $50.00 is in your balance.", text)

	second := f.pays(123 * 20_00)
	f.deliver(t, f.forward(second))
	require.Equal(t, wallet.DepositCompleted, f.status(t, f.reported(t, second, 20_00)), "the SMS came before the report")
	require.Equal(t, wallet.DeliveryRepeated, f.deliver(t, f.forward(second)), "forwarded twice")
	require.Equal(t, money.Cents(70_00), f.balance(t))
	f.reconciled(t)
}

// The taka that arrived are credited and booked, if they are near those that were reported.
func TestReadDelivery_other_amount(t *testing.T) {
	t.Parallel()
	f := newPhoned(t)
	near := f.pays(123*50_00 - 300_50)
	f.deliver(t, f.forward(near))
	d := f.reported(t, near, 50_00)
	require.Equal(t, wallet.DepositCompleted, f.status(t, d))
	require.Equal(t, money.Cents(47_55), f.balance(t), "5,849.50 / 123, rounded down")
	text, _ := f.told(t)
	require.Equal(t, "$47.55 is in your balance; you reported $50.00. 5,849.50 taka arrived.", text)
	f.reconciled(t)

	far := f.pays(123*50_00 - 700_00)
	f.deliver(t, f.forward(far))
	d = f.reported(t, far, 50_00)
	require.Equal(t, wallet.DepositPending, f.status(t, d))
	seen, err := f.GetDeposit(t.Context(), d.ID)
	require.NoError(t, err)
	require.Equal(t, money.Poisha(123*50_00-700_00), seen.Evidence.Amount)
	require.Equal(t, payer, seen.Evidence.Party)
	require.Equal(t, wallet.PaymentChained, seen.Evidence.State)
}

// Who has to decide is an admin, whatever the SMS says.
func TestReadDelivery_leaves_to_admins(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		taka   money.Poisha
		amount money.Cents
		before func(t *testing.T, f phoned) // the payment
		rival  bool                         // another user reports it first
		later  time.Duration                // from the payment to the report
	}{
		"more than a day's": {taka: 123 * 200_01, amount: 200_01},
		"more than a day's, together": {taka: 123 * 150_00, amount: 150_00, before: func(t *testing.T, f phoned) {
			t.Helper()
			other := f.pays(123 * 51_00)
			f.deliver(t, f.forward(other))
			require.Equal(t, wallet.DepositCompleted, f.status(t, f.reported(t, other, 51_00)))
		}},
		"a payment that another user reports": {taka: 123 * 50_00, amount: 50_00, rival: true},
		"a disabled user's": {taka: 123 * 50_00, amount: 50_00, before: func(t *testing.T, f phoned) {
			t.Helper()
			f.exec(t, `update users set disabled_at = now() where id = @id`, postgres.Args{"id": f.owner})
		}},
		"an account without a balance": {taka: 123 * 50_00, amount: 50_00, before: func(t *testing.T, f phoned) {
			t.Helper()
			f.exec(t, `update receivers set balance = null, broken_at = now()`, nil)
		}},
		"a payment made long before": {taka: 123 * 50_00, amount: 50_00, later: 73 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newPhoned(t)
			if tc.before != nil {
				tc.before(t, f)
			}
			sms := f.pays(tc.taka)
			if tc.rival {
				f.report(t, f.user(t, "karim"), sms.TransactionID, tc.amount)
			}
			f.clock.Advance(tc.later)
			d := f.reported(t, sms, tc.amount)
			f.deliver(t, f.forward(sms))
			require.Equal(t, wallet.DepositPending, f.status(t, d))
			seen, err := f.GetDeposit(t.Context(), d.ID)
			require.NoError(t, err)
			require.Equal(t, tc.taka, seen.Evidence.Amount, "the admin sees what the SMS says")
			f.reconciled(t)
		})
	}
}

// Where an SMS is enough, admins are notified only of deposits that none has credited in time.
func TestReportDeposit_notices(t *testing.T) {
	t.Parallel()
	f := newPhoned(t)
	notices := func() int {
		return f.count(t, `river.river_job where kind = 'admin_notice' and args->>'notice_kind' = 'admin_deposit'`)
	}
	sms := f.pays(123 * 50_00)
	credited := f.reported(t, sms, 50_00)
	f.deliver(t, f.forward(sms))
	require.Equal(t, wallet.DepositCompleted, f.status(t, credited))
	waits := f.reported(t, f.pays(123*50_00), 50_00)
	require.Equal(t, 2, f.count(t, `river.river_job where kind = 'deposit_notice' and scheduled_at > now() + interval '1 minute'`))
	for _, d := range []wallet.Deposit{credited, waits} {
		require.Zero(t, notices())
		require.NoError(t, f.settler.AnnounceDeposit(t.Context(), d.ID))
	}
	require.Equal(t, 1, notices())

	f.exec(t, `update receivers set broken_at = now()`, nil)
	f.reported(t, f.pays(123*50_00), 50_00)
	require.Equal(t, 2, notices(), "at once")
}

func TestReadDelivery_forged_call(t *testing.T) {
	t.Parallel()
	f := newPhoned(t)
	good := f.forward(f.pays(123 * 50_00))
	for name, change := range map[string]func(d *wallet.Delivery){
		"another body": func(d *wallet.Delivery) { d.Body += " " },
		"another time": func(d *wallet.Delivery) { d.Stamp += "0" },
		"another key": func(d *wallet.Delivery) {
			*d = phone.New("shop", "another key of sufficient length", 0).Ping(f.clock.Now())
		},
		"an unknown phone": func(d *wallet.Delivery) { *d = phone.New("spare", phoneKey, 0).Ping(f.clock.Now()) },
		"no signature":     func(d *wallet.Delivery) { d.Signature = "" },
		"too old":          func(d *wallet.Delivery) { *d = f.phone.Ping(f.clock.Now().Add(-72 * time.Hour)) },
	} {
		forged := good
		change(&forged)
		require.Equal(t, wallet.DeliveryForged, f.deliver(t, forged), name)
	}
	require.Equal(t, 1, f.count(t, `payments`), "that of the fixture")
	require.Equal(t, wallet.DeliveryChained, f.deliver(t, good))
}

// An SMS with a forged sender, which the phone signs like any other, is not believed: its author
// does not know the balance of the account. It stops automatic credits until an admin has entered
// the balance.
func TestReadDelivery_forged_SMS(t *testing.T) {
	t.Parallel()
	f := newPhoned(t)
	forged := make([]phone.SMS, 1000)
	ids := make([]string, len(forged))
	for i := range forged {
		balance := money.Poisha(rand.Int64N(20_000_00))
		ids[i] = fmt.Sprintf("FORGED%04d", i)
		forged[i] = phone.SMS{Method: wallet.Bkash, TransactionID: ids[i]}
		forged[i].Text = phone.Text(wallet.Bkash, ids[i], payer, 123*50_00, 0, balance, "", f.clock.Now(), false)
	}
	f.exec(t, `
		insert into deposits (id, user_id, payment_method, transaction_id, claimed_amount, amount, rate, converted_amount, created_at)
		select gen_random_uuid(), @user, 'Bkash', id, 5000, 5000, 123, 615000, now() from unnest(@ids::text[]) id`,
		postgres.Args{"user": f.owner, "ids": ids})
	for _, sms := range forged {
		require.Equal(t, wallet.DeliveryHeld, f.read(t, f.forward(sms)))
	}
	f.work(t)
	require.Equal(t, len(forged), f.count(t, `deposits where status = 'pending' and payment_id is not null`), "with what the SMS says")

	real := f.pays(123 * 20_00)
	d := f.reported(t, real, 20_00)
	require.Equal(t, wallet.DeliveryChained, f.deliver(t, f.forward(real)))
	require.Equal(t, wallet.DepositPending, f.status(t, d), "nothing is credited while an SMS is not explained")
	require.True(t, f.announcesBroken(t))
	f.anchor(t, f.phone.Balance(wallet.Bkash))
	require.Equal(t, wallet.DepositCompleted, f.status(t, d))
	require.Equal(t, money.Cents(20_00), f.balance(t))
	_, unclaimed, err := f.Payments(t.Context(), wallet.UnclaimedPayments, postgres.Page{Limit: 1})
	require.NoError(t, err)
	require.Equal(t, 1+len(forged), unclaimed, "admins see what is not believed")
	f.reconciled(t)
}

// A lost SMS stops automatic credits with the next one. They go on when it comes after all, or when
// an admin enters the balance.
func TestReadDelivery_lost_SMS(t *testing.T) {
	t.Parallel()
	for name, resume := range map[string]func(t *testing.T, f phoned, lost phone.SMS){
		"it comes": func(t *testing.T, f phoned, lost phone.SMS) { t.Helper(); f.deliver(t, f.forward(lost)) },
		"an admin": func(t *testing.T, f phoned, _ phone.SMS) { t.Helper(); f.anchor(t, f.phone.Balance(wallet.Bkash)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newPhoned(t)
			lost, next := f.phone.Send(wallet.Bkash, payer, 100_00, 5_00, f.clock.Now()), f.pays(123*50_00)
			d := f.reported(t, next, 50_00)
			require.Equal(t, wallet.DeliveryHeld, f.deliver(t, f.forward(next)))
			require.Equal(t, wallet.DepositPending, f.status(t, d))
			require.True(t, f.announcesBroken(t))
			resume(t, f, lost)
			require.Equal(t, wallet.DepositCompleted, f.status(t, d))
			require.False(t, f.announcesBroken(t), "the SMS add up")
			require.Equal(t, wallet.DeliveryChained, f.deliver(t, f.forward(f.pays(1_00))), "the chain goes on")
		})
	}
}

// A report and an SMS at the same moment do not miss each other, whichever is committed last.
func TestMatchDeposit_at_the_same_moment(t *testing.T) {
	t.Parallel()
	t.Run("the report is under way", func(t *testing.T) {
		t.Parallel()
		f := newPhoned(t)
		sms := f.pays(123 * 50_00)
		f.beside(t, func() { f.read(t, f.forward(sms)) },
			postgres.Args{"transaction": sms.TransactionID, "user": f.owner},
			`select pg_advisory_xact_lock(hashtextextended('wallet.transaction:' || @transaction, 0))`, `
			insert into deposits (id, user_id, payment_method, transaction_id, claimed_amount, amount, rate, converted_amount, created_at)
			values (gen_random_uuid(), @user, 'Bkash', @transaction, 5000, 5000, 123, 615000, now())`)
		f.work(t)
		require.Equal(t, money.Cents(50_00), f.balance(t))
	})
	t.Run("the SMS is under way that the account waits for", func(t *testing.T) {
		t.Parallel()
		f := newPhoned(t)
		sms := f.pays(123 * 50_00)
		f.deliver(t, f.forward(sms))
		f.exec(t, `update receivers set broken_at = now()`, nil)
		f.beside(t, func() { f.reported(t, sms, 50_00) }, nil, `update receivers set broken_at = null`)
		require.Equal(t, money.Cents(50_00), f.balance(t))
	})
}

// A credit that is requested twice is looked at again, since the first request may be refused.
func TestMatchDeposit_while_its_credit_is_pending(t *testing.T) {
	t.Parallel()
	f := newPhoned(t)
	sms := f.pays(123 * 50_00)
	d := f.report(t, f.owner, sms.TransactionID, 50_00)
	f.read(t, f.forward(sms))
	require.NoError(t, f.settler.MatchDeposit(t.Context(), d.ID))
	require.Equal(t, fault.Conflict, fault.CodeOf(f.settler.MatchDeposit(t.Context(), d.ID)))
	f.exec(t, `update receivers set broken_at = now()`, nil)
	refused := f.ids(t, `select id from operations where status = 'pending'`)
	require.Equal(t, fault.Conflict, fault.CodeOf(f.worker.Settle(t, refused[0]).Err()))
	f.exec(t, `update receivers set broken_at = null`, nil)
	f.work(t)
	require.Equal(t, money.Cents(50_00), f.balance(t))
}

// beside does something while another transaction is under way, which is committed once it is
// waited for or the other thing is done.
func (f phoned) beside(t *testing.T, do func(), args postgres.Args, statements ...string) {
	t.Helper()
	tx, err := f.db.Owner().Begin(t.Context())
	require.NoError(t, err)
	for _, sql := range statements {
		_, err = tx.Exec(t.Context(), sql, args)
		require.NoError(t, err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	for waits := false; !waits; {
		select {
		case <-done:
			waits = true
		default:
			waits = f.count(t, `pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`) > 0
		}
	}
	require.NoError(t, tx.Commit(t.Context()))
	<-done
}

// With the login of the api, nobody can have a deposit credited without an admin: they can neither
// write payments nor read the transaction ID of one that nobody has reported.
func TestAutomaticCredit_by_the_login_of_the_api(t *testing.T) {
	t.Parallel()
	f := newPhoned(t)
	ctx, api := t.Context(), f.db.API()
	f.deliver(t, f.forward(f.pays(123*50_00)))
	for _, sql := range []string{
		`select transaction_id from payments`, `select text from payments`, `select body from phone_deliveries`,
		`update payments set transaction_id = 'AAAAAAAAAA'`, `insert into payments (id) values (gen_random_uuid())`,
		`update deposits set payment_id = null`, `update receivers set balance = 0`, `delete from payments`,
	} {
		_, err := api.Exec(ctx, sql)
		require.ErrorContains(t, err, "permission denied", sql)
	}
	d := f.reported(t, phone.SMS{TransactionID: "GUESSED000"}, 50_00)
	var payment uuid.UUID
	require.NoError(t, api.QueryRow(ctx, `select id from payments where amount = 615000`).Scan(&payment))
	request := operations.Request{
		Kind: jobs.KindDepositApprove, Subject: operations.Deposit(d.ID),
		Params: map[string]any{"amount": 50.00, "reason": "", "payment": payment},
	}
	op := f.request(t, request)
	require.Equal(t, fault.Conflict, fault.CodeOf(f.worker.Settle(t, op.ID).Err()))
	require.Equal(t, wallet.DepositPending, f.status(t, d))
}

// request stores an operation with the login of the api.
func (f phoned) request(t *testing.T, request operations.Request) operations.Operation {
	t.Helper()
	err := postgres.WithTx(t.Context(), f.db.API(), func(tx *postgres.Tx) error {
		f.Operations.Begin(t.Context(), tx, &request)
		return f.Operations.Enqueue(t.Context(), tx, &request)
	})
	op, err := f.Operations.Answer(context.WithoutCancel(t.Context()), &request, err)
	require.NoError(t, err)
	return op
}
