package workers

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/actor"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/internal/testing/soak"
	"amanat/queue/jobs"
)

// received is what the amount is in taka.
func received(d wallet.Deposit, amount money.Cents) money.Poisha {
	return money.Poisha(int64(amount) * d.Rate)
}

func (f *fixture) propose(admin uuid.UUID, d wallet.Deposit, approval wallet.Approval) {
	f.t.Helper()
	approval.UserID, approval.Received = d.User.ID, received(d, approval.Amount)
	approved, err := f.wallet.Approve(f.t.Context(), admin, d.ID, approval, nil)
	require.NoError(f.t, err)
	require.True(f.t, approved.Proposed)
}

func TestConfirmCredit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, first, second := f.user("nusrat"), f.admin("first"), f.admin("second")
	d := f.report(user, 1200_00)
	f.queues.take(1)
	require.Eventually(t, func() bool {
		return f.count(`select count(*) from notifications where kind = 'admin_deposit' and user_id = $1`, second) == 1
	}, 10*time.Second, 10*time.Millisecond)
	_, err := f.wallet.Approve(ctx, first, d.ID, wallet.Approval{Amount: 1500_00, UserID: user}, nil)
	require.Contains(t, fault.As(err).Fields, "reason", "as for any other")
	f.propose(first, d, wallet.Approval{Amount: 1500_00, Reason: "Bkash shows more"})
	f.queues.require(1, realtime.WorklistDeposits, d.ID)
	require.Zero(t, f.balance(user))
	require.Zero(t, f.count(`select count(*) from operations`))
	require.Eventually(t, func() bool {
		return f.count(`select count(*) from notifications where kind = 'admin_credit' and user_id = $1`, second) == 1
	}, 10*time.Second, 10*time.Millisecond)
	require.Zero(t, f.count(`select count(*) from notifications where kind = 'admin_credit' and user_id = $1`, first))
	text, link := f.told(second)
	require.Equal(t, "first wants to credit nusrat with $1,500.00. A second admin has to confirm it.", text)
	require.Equal(t, "/admin/deposit?review="+d.ID.String(), link)
	waiting, err := f.wallet.GetDeposit(ctx, d.ID)
	require.NoError(t, err)
	require.Equal(t, wallet.DepositPending, waiting.Status)
	require.EqualValues(t, 1500_00, waiting.Proposal.Amount)
	require.Equal(t, "first", waiting.Proposal.By.Username)

	confirm := func(admin uuid.UUID) (operations.Operation, error) {
		return f.wallet.ConfirmCredit(ctx, admin, d.ID, 1500_00, received(d, 1500_00), nil)
	}
	_, err = confirm(first)
	require.Equal(t, fault.Forbidden, fault.CodeOf(err), "alone")
	_, err = f.wallet.ConfirmCredit(ctx, second, d.ID, 1200_00, received(d, 1200_00), nil)
	require.Contains(t, fault.As(err).Fields, "amount")
	f.settled(confirm(second))
	require.EqualValues(t, 1500_00, f.balance(user))
	_, err = confirm(second)
	require.Equal(t, fault.AlreadyHandled, fault.CodeOf(err))
	require.Equal(t, 1, f.count(`
		select count(*) from audit_log where action = 'deposit.approve' and actor_id = $1 and details->>'proposedBy' = $2::text`, second, first))
	require.Equal(t, 1, f.count(`select count(*) from audit_log where action = 'deposit.propose' and actor_id = $1`, first))
	f.reconciled()
}

func TestSettleApprove_own_deposit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	admin := f.admin("admin")
	own := operations.Deposit(f.report(admin, 10_00).ID)
	f.refusedWith(f.insertedByTheAPI(jobs.KindDepositApprove, own, actor.User(admin), `{"amount": 10.00}`), fault.Forbidden, "")
	require.Zero(t, f.balance(admin))
}

// Params that were inserted with the API's database login are checked again.
func TestSettleApprove_refuses_forged_params(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	user, stranger, admin := f.user("nusrat"), f.user("stranger"), f.admin("admin")
	for params, code := range map[string]fault.Code{
		`{"amount": 1000000.00, "reason": "Because"}`:                                         fault.Conflict,
		`{"amount": 1000000.00, "reason": "Because", "proposedBy": "` + admin.String() + `"}`: fault.Conflict,
		`{"amount": 5000.00, "reason": "Because", "proposedBy": "` + stranger.String() + `"}`: fault.Conflict,
		`{"amount": 50.00}`:                       fault.Invalid,
		`{"amount": -10.00, "reason": "Because"}`: fault.Invalid,
		`{"amount": 10000000.00}`:                 fault.Invalid,
		`{"amount": 10.001}`:                      fault.Invalid,
		`{}`:                                      fault.Invalid,
		`[]`:                                      fault.Invalid,
		`{"amount": 10.00, "rate": 1}`:            fault.Invalid,
	} {
		reported := operations.Deposit(f.report(user, 10_00).ID)
		f.refusedWith(f.insertedByTheAPI(jobs.KindDepositApprove, reported, actor.User(admin), params), code, "")
	}
	require.Zero(t, f.balance(user))
}

// retractRounds is how often a retraction races each of the decisions about a deposit.
var retractRounds = soak.Rounds(4, 200)

// handled runs the operation to its end and returns its refusal.
func (f *fixture) handled(op operations.Operation, err error) error {
	if err == nil {
		op, err = f.waiter.Wait(f.t.Context(), op)
	}
	if err != nil {
		return err
	}
	if op.Status == operations.Pending {
		return errors.New("still pending")
	}
	return op.Err()
}

// race retracts a deposit while somebody else decides about it. Exactly one of them wins: the
// deposit has the outcome of the winner, and the loser is told so.
func (f *fixture) race(user uuid.UUID, amount money.Cents, won wallet.ReasonCode, decide func(d wallet.Deposit) (bool, error)) {
	f.t.Helper()
	ctx := f.t.Context()
	retractions := 0
	for range retractRounds {
		d := f.report(user, amount)
		var decided bool
		var decideErr, retractErr error
		var group sync.WaitGroup
		group.Go(func() { decided, decideErr = decide(d) })
		group.Go(func() { _, retractErr = f.wallet.RetractDeposit(ctx, user, d.ID) })
		group.Wait()
		after, err := f.wallet.GetDeposit(ctx, d.ID)
		require.NoError(f.t, err)
		if decideErr != nil {
			require.Contains(f.t, []fault.Code{fault.AlreadyHandled, fault.Conflict}, fault.CodeOf(decideErr), "%v", decideErr)
		}
		if retractErr == nil {
			retractions++
			require.False(f.t, decided, "both win")
			require.Equal(f.t, wallet.Retracted, after.ReasonCode)
			again, err := f.claim(user, wallet.Bkash, d.TransactionID)
			require.NoError(f.t, err, "the transaction ID is free")
			_, err = f.wallet.RetractDeposit(ctx, user, again.ID)
			require.NoError(f.t, err)
			continue
		}
		require.Equal(f.t, fault.Conflict, fault.CodeOf(retractErr), "%v", retractErr)
		require.True(f.t, decided, "neither wins: %v", decideErr)
		require.Equal(f.t, won, after.ReasonCode)
		require.NotEqual(f.t, wallet.DepositPending, after.Status)
	}
	f.t.Logf("%d of %d rounds were won by the retraction", retractions, retractRounds)
}

// A retraction against all else that may happen to a deposit meanwhile.
func TestRetractDeposit_races(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		amount money.Cents
		won    wallet.ReasonCode
		decide func(f *fixture, first, second uuid.UUID, d wallet.Deposit) (bool, error)
	}{
		"approval": {10_00, wallet.NoReason, func(f *fixture, first, _ uuid.UUID, d wallet.Deposit) (bool, error) {
			err := f.handled(f.approve(first, d, 10_00, ""))
			return err == nil, err
		}},
		"second admin": {1200_00, wallet.NoReason, func(f *fixture, first, second uuid.UUID, d wallet.Deposit) (bool, error) {
			approval := wallet.Approval{Amount: 1200_00, UserID: d.User.ID, Received: received(d, 1200_00)}
			_, err := f.wallet.Approve(f.t.Context(), first, d.ID, approval, nil)
			if err == nil {
				err = f.handled(f.wallet.ConfirmCredit(f.t.Context(), second, d.ID, 1200_00, received(d, 1200_00), nil))
			}
			return err == nil, err
		}},
		"rejection": {10_00, wallet.NotFound, func(f *fixture, first, _ uuid.UUID, d wallet.Deposit) (bool, error) {
			_, err := f.wallet.RejectDeposit(f.t.Context(), first, d.ID, wallet.Rejection{Code: wallet.NotFound})
			return err == nil, err
		}},
		"expiry": {10_00, wallet.Expired, func(f *fixture, _, _ uuid.UUID, d wallet.Deposit) (bool, error) {
			service := *f.wallet
			service.DB = f.db.Worker()
			_, err := f.db.Owner().Exec(f.t.Context(), `update deposits set created_at = created_at - interval '2 hours' where id = $1`, d.ID)
			if err != nil {
				return false, err
			}
			expired, err := (&wallet.Settler{Service: &service, DepositClaimTTL: time.Hour}).ExpireDeposits(f.t.Context())
			return expired == 1, err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.start()
			user, first, second := f.user("nusrat"), f.admin("first"), f.admin("second")
			credited := money.Cents(0)
			f.race(user, c.amount, c.won, func(d wallet.Deposit) (bool, error) {
				won, err := c.decide(f, first, second, d)
				if won && c.won == wallet.NoReason {
					credited += c.amount
				}
				return won, err
			})
			require.Equal(t, credited, f.balance(user))
			f.reconciled()
		})
	}
}

func TestDepositExpiry(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	d := f.report(f.user("nusrat"), 20_00)
	f.clock.Advance(71 * time.Hour)
	require.Equal(t, rivertype.JobStateCompleted, f.work(jobs.DepositExpiry).State)
	require.Zero(t, f.count(`select count(*) from notifications where kind = 'deposit_expired'`))
	f.clock.Advance(2 * time.Hour)
	for range 2 {
		require.Equal(t, rivertype.JobStateCompleted, f.work(jobs.DepositExpiry).State)
	}
	expired, err := f.wallet.GetDeposit(t.Context(), d.ID)
	require.NoError(t, err)
	require.True(t, expired.Expired())
	require.Equal(t, 1, f.count(`select count(*) from notifications where kind = 'deposit_expired'`))
	require.Eventually(t, func() bool { return len(f.mails.Mails()) == 1 }, 10*time.Second, 20*time.Millisecond)
}

// claim reports a deposit of $80 with a transaction ID.
func (f *fixture) claim(userID uuid.UUID, method, transaction string) (wallet.Deposit, error) {
	f.t.Helper()
	return f.wallet.ReportDeposit(f.t.Context(), userID, wallet.Report{Amount: 80_00, TransactionID: transaction, Method: method}, nil)
}

// payable returns a withdrawal of $50 that its owner has confirmed, so that admins can send it.
func (f *fixture) payable(userID uuid.UUID) uuid.UUID {
	f.t.Helper()
	id := f.withdrawal(userID, 50_00)
	f.confirm(userID, id)
	return id
}

// Several users report one transaction ID at once, twice each. One report per user is accepted, and
// all of them are disputed.
func TestReportDeposit_concurrent_same_transaction(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	users := []uuid.UUID{f.user("u1"), f.user("u2"), f.user("u3"), f.user("u4")}
	var mu sync.Mutex
	taken, disputed := map[uuid.UUID]int{}, 0
	var group sync.WaitGroup
	for i := range 2 * len(users) {
		user := users[i%len(users)]
		group.Go(func() {
			d, err := f.claim(user, []string{wallet.Bkash, wallet.Nagad}[i/len(users)], "9BX4T2WVQK")
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				taken[user]++
				if d.Disputed {
					disputed++
				}
			case fault.CodeOf(err) != fault.Duplicate:
				t.Errorf("%v", err)
			}
		})
	}
	group.Wait()
	for _, user := range users {
		require.Equal(t, 1, taken[user])
		list, _, err := f.wallet.ListDeposits(t.Context(), user, postgres.Page{Limit: 10})
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.True(t, list[0].Disputed)
	}
	require.GreaterOrEqual(t, disputed, len(users)-1, "only the first may not know yet")
}

// A transaction ID is reported as a deposit and booked as a payout at once. Exactly one is refused.
func TestRequestSend_ReportDeposit_same_transaction(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	user, admin := f.user("tanvir"), f.admin("admin")
	rounds := soak.Rounds(3, 26)
	f.fund(user, admin, money.Cents(rounds)*50_00)
	for i := range rounds {
		transaction := "PAYOUT" + string(rune('A'+i)) + "1"
		id := f.payable(user)
		var reported, booked error
		var group sync.WaitGroup
		group.Go(func() { _, reported = f.claim(user, wallet.Nagad, transaction) })
		group.Go(func() {
			var op operations.Operation
			op, booked = f.wallet.RequestSend(t.Context(), admin, id, wallet.Payout{Amount: 50_00, TransactionID: transaction}, nil)
			if booked == nil {
				op, booked = f.waiter.Wait(t.Context(), op)
			}
			if booked == nil {
				booked = op.Err()
			}
		})
		group.Wait()
		require.NotEqual(t, reported == nil, booked == nil, "%v, %v", reported, booked)
		if booked != nil { // the number of pending withdrawals is limited
			f.settled(f.wallet.RequestReject(t.Context(), admin, id, "", nil))
		}
	}
	require.Zero(t, f.count(`select count(*) from deposits d join withdrawals w using (transaction_id) where d.status <> 'Failed'`))
}

// The report is written but not committed when an admin books the transaction ID. The booking waits
// for the report and is refused.
func TestRequestSend_waits_for_uncommitted_report(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, reporter, admin := f.user("tanvir"), f.user("reporter"), f.admin("admin")
	f.fund(user, admin, 50_00)
	id := f.payable(user)
	tx, err := f.db.Owner().Begin(ctx)
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	// The deposit's row references the reporter.
	_, err = tx.Exec(ctx, `select from users where id = $1 for update`, reporter)
	require.NoError(t, err)
	reported, booked := make(chan error, 1), make(chan error, 1)
	waiting := func() int {
		return f.count(`
			select count(*) from pg_stat_activity
			 where datname = current_database() and usename = 'amanat_api' and wait_event_type = 'Lock'`)
	}
	go func() { _, err := f.claim(reporter, wallet.Nagad, "PAYOUT01"); reported <- err }()
	require.Eventually(t, func() bool { return waiting() == 1 }, 10*time.Second, 5*time.Millisecond)
	go func() {
		op, err := f.wallet.RequestSend(ctx, admin, id, wallet.Payout{Amount: 50_00, TransactionID: "PAYOUT01"}, nil)
		if err == nil {
			op, err = f.waiter.Wait(ctx, op)
		}
		if err == nil {
			err = op.Err()
		}
		booked <- err
	}()
	require.Eventually(t, func() bool {
		return waiting() == 2 || f.count(`select count(*) from withdrawals where status = 'completed'`) == 1
	}, 10*time.Second, 5*time.Millisecond)
	require.NoError(t, tx.Rollback(ctx))
	require.NoError(t, <-reported)
	require.Equal(t, fault.Duplicate, fault.CodeOf(<-booked))
}
