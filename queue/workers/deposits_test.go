package workers

import (
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/actor"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/internal/testing/soak"
	"amanat/queue/jobs"
)

func (f *fixture) propose(admin uuid.UUID, d wallet.Deposit, approval wallet.Approval) {
	f.t.Helper()
	approval.UserID = d.User.ID
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
		return f.wallet.ConfirmCredit(ctx, admin, d.ID, 1500_00, nil)
	}
	_, err = confirm(first)
	require.Equal(t, fault.Forbidden, fault.CodeOf(err), "alone")
	_, err = f.wallet.ConfirmCredit(ctx, second, d.ID, 1200_00, nil)
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

func TestConfirmCredit_replaced_or_rejected_proposal(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, first, second := f.user("nusrat"), f.admin("first"), f.admin("second")
	d := f.report(user, 1200_00)
	f.propose(first, d, wallet.Approval{Amount: 1200_00})
	f.propose(second, d, wallet.Approval{Amount: 1250_00})
	_, err := f.wallet.ConfirmCredit(ctx, second, d.ID, 1250_00, nil)
	require.Equal(t, fault.Forbidden, fault.CodeOf(err), "whoever approves again is the first of the two")
	_, err = f.wallet.ClaimDeposit(ctx, second, d.ID)
	require.NoError(t, err)
	_, err = f.wallet.ConfirmCredit(ctx, first, d.ID, 1200_00, nil)
	require.Equal(t, fault.Invalid, fault.CodeOf(err), "of before")
	_, err = f.wallet.RejectDeposit(ctx, second, d.ID, wallet.Rejection{Reason: "Nothing came."})
	require.NoError(t, err)
	_, err = f.wallet.ConfirmCredit(ctx, first, d.ID, 1250_00, nil)
	require.Equal(t, fault.AlreadyHandled, fault.CodeOf(err))

	d = f.report(user, 1200_00)
	_, err = f.wallet.ConfirmCredit(ctx, first, d.ID, 1200_00, nil)
	require.Equal(t, fault.Conflict, fault.CodeOf(err), "nothing is proposed")
	f.propose(second, d, wallet.Approval{Amount: 1250_00})
	_, err = f.wallet.ClaimDeposit(ctx, second, d.ID)
	require.NoError(t, err)
	// The claim of the admin who proposed the credit does not prevent the confirmation.
	f.settled(f.wallet.ConfirmCredit(ctx, first, d.ID, 1250_00, nil))
	require.EqualValues(t, 1250_00, f.balance(user))
}

func TestConfirmCredit_proposer_lost_admin_role(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, first, second := f.user("nusrat"), f.admin("first"), f.admin("second")
	d := f.report(user, 1200_00)
	f.propose(first, d, wallet.Approval{Amount: 1200_00})
	resume := f.pause()
	op, err := f.wallet.ConfirmCredit(ctx, second, d.ID, 1200_00, nil)
	require.NoError(t, err)
	_, err = f.db.Owner().Exec(ctx, `update users set is_admin = false where id = $1`, first)
	require.NoError(t, err)
	resume()
	op, err = f.waiter.Wait(ctx, op)
	require.NoError(t, err)
	require.Equal(t, fault.Conflict, fault.CodeOf(op.Err()))
	_, err = f.wallet.ConfirmCredit(ctx, second, d.ID, 1200_00, nil)
	require.Equal(t, fault.Conflict, fault.CodeOf(err))
	require.Zero(t, f.balance(user))
}

// forgeApproval inserts the operation and its job with the API's database login, without the checks
// of a request, and returns how it has settled.
func (f *fixture) forgeApproval(admin uuid.UUID, d wallet.Deposit, params string) operations.Operation {
	f.t.Helper()
	ctx, id := f.t.Context(), uuid.New()
	tx, err := f.db.API().Begin(ctx)
	require.NoError(f.t, err)
	_, err = tx.Exec(ctx, `
		insert into operations (id, kind, subject, actor_id, params, created_at)
		values ($1, 'deposit_approve', $2, $3, $4, $5)`,
		id, operations.Deposit(d.ID), admin, json.RawMessage(params), f.clock.Now())
	require.NoError(f.t, err)
	_, err = f.client.InsertTx(ctx, tx, jobs.Settle{Operation: jobs.KindDepositApprove, OperationID: id}, nil)
	require.NoError(f.t, err)
	require.NoError(f.t, tx.Commit(ctx))
	op, err := f.waiter.Wait(ctx, operations.Operation{ID: id, Status: operations.Pending})
	require.NoError(f.t, err)
	return op
}

func TestSettleApprove_own_deposit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	admin := f.admin("admin")
	op := f.forgeApproval(admin, f.report(admin, 10_00), `{"amount": 10.00}`)
	require.Equal(t, fault.Forbidden, fault.CodeOf(op.Err()))
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
		op := f.forgeApproval(admin, f.report(user, 10_00), params)
		require.Equal(t, code, fault.CodeOf(op.Err()), params)
	}
	require.Zero(t, f.balance(user))
}

func TestApprove_old_deposit_at_present_rate(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, admin := f.user("nusrat"), f.admin("admin")
	young, old, less, explained := f.report(user, 100_00), f.report(user, 100_00), f.report(user, 100_00), f.report(user, 100_00)
	require.NoError(t, f.wallet.SetRate(ctx, actor.Operator(), 127_10, false)) // 128 taka a dollar
	f.clock.Advance(24*time.Hour - time.Minute)
	f.settled(f.approve(admin, young, 100_00, ""))
	f.clock.Advance(time.Minute + time.Second)
	seen, err := f.wallet.GetDeposit(ctx, old.ID)
	require.NoError(t, err)
	require.EqualValues(t, 128, seen.CreditRate)
	require.EqualValues(t, 96_09, seen.CreditAmount, "12,300 taka, rounded down to the cent")
	_, err = f.approve(admin, old, 96_10, "")
	require.Contains(t, fault.As(err).Fields, "reason")
	f.settled(f.approve(admin, old, 96_09, ""))
	text, _ := f.told(user)
	require.Contains(t, text, "$96.09 is in your balance; you reported $100.00. It was counted at today's rate")
	f.settled(f.approve(admin, less, 95_00, ""))
	f.settled(f.approve(admin, explained, 100_00, "We were late."))
	for id, want := range map[uuid.UUID][3]int64{
		young.ID: {123, 100_00, 12_300_00}, old.ID: {128, 96_09, 12_299_52}, less.ID: {128, 95_00, 12_160_00},
		explained.ID: {128, 100_00, 12_800_00},
	} {
		d, err := f.wallet.GetDeposit(ctx, id)
		require.NoError(t, err)
		require.Equal(t, want, [3]int64{d.Rate, int64(d.Amount), int64(d.ConvertedAmount)})
	}
	f.reconciled()
}

// The rate shown to the user is compared for a new request, but not for a repeated one.
func TestRequestWithdraw_ReportDeposit_changed_rate(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, admin := f.user("nusrat"), f.admin("admin")
	f.fund(user, admin, 100_00)
	key := &idempotency.Key{UserID: &user, Value: "k1"}
	order := wallet.Order{Amount: 10_00, PhoneNumber: "01712345678", Method: wallet.Nagad, Taka: ptr(1_220_00)}
	made := f.settled(f.wallet.RequestWithdraw(ctx, user, order, key))
	require.NoError(t, f.wallet.SetRate(ctx, actor.Operator(), 123_40, false))
	again, err := f.wallet.RequestWithdraw(ctx, user, order, key)
	require.NoError(t, err)
	require.Equal(t, made.ID, again.ID)
	_, err = f.wallet.RequestWithdraw(ctx, user, order, nil)
	require.Equal(t, fault.RateChanged, fault.CodeOf(err))
	order.Taka = ptr(1_230_00)
	f.settled(f.wallet.RequestWithdraw(ctx, user, order, nil))

	report := wallet.Report{Amount: 10_00, TransactionID: "CKJ8T2WV5C", Method: wallet.Bkash, Taka: ptr(1_230_00)}
	_, err = f.wallet.ReportDeposit(ctx, user, report, nil)
	require.Equal(t, fault.RateChanged, fault.CodeOf(err))
	report.Taka = ptr(1_240_00)
	_, err = f.wallet.ReportDeposit(ctx, user, report, nil)
	require.NoError(t, err)
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

func TestRetractDeposit_against_approval(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	user, admin := f.user("nusrat"), f.admin("admin")
	credited := money.Cents(0)
	f.race(user, 10_00, wallet.NoReason, func(d wallet.Deposit) (bool, error) {
		err := f.handled(f.approve(admin, d, 10_00, ""))
		if err == nil {
			credited += 10_00
		}
		return err == nil, err
	})
	require.Equal(t, credited, f.balance(user))
	f.reconciled()
}

func TestRetractDeposit_against_second_admin(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, first, second := f.user("nusrat"), f.admin("first"), f.admin("second")
	credited := money.Cents(0)
	f.race(user, 1200_00, wallet.NoReason, func(d wallet.Deposit) (bool, error) {
		_, err := f.wallet.Approve(ctx, first, d.ID, wallet.Approval{Amount: 1200_00, UserID: user}, nil)
		if err == nil {
			err = f.handled(f.wallet.ConfirmCredit(ctx, second, d.ID, 1200_00, nil))
		}
		if err == nil {
			credited += 1200_00
		}
		return err == nil, err
	})
	require.Equal(t, credited, f.balance(user))
	f.reconciled()
}

func TestRetractDeposit_against_rejection(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user, admin := f.user("nusrat"), f.admin("admin")
	f.race(user, 10_00, wallet.NotFound, func(d wallet.Deposit) (bool, error) {
		_, err := f.wallet.RejectDeposit(t.Context(), admin, d.ID, wallet.Rejection{Code: wallet.NotFound})
		return err == nil, err
	})
	require.Zero(t, f.balance(user))
	f.reconciled()
}

func TestRetractDeposit_against_expiry(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user := f.user("nusrat")
	service := *f.wallet
	service.DB = f.db.Worker()
	settler := &wallet.Settler{Service: &service, DepositClaimTTL: time.Hour}
	f.race(user, 10_00, wallet.Expired, func(d wallet.Deposit) (bool, error) {
		_, err := f.db.Owner().Exec(t.Context(), `update deposits set created_at = created_at - interval '2 hours' where id = $1`, d.ID)
		if err != nil {
			return false, err
		}
		expired, err := settler.ExpireDeposits(t.Context())
		return expired == 1, err
	})
	require.Zero(t, f.balance(user))
	f.reconciled()
}

// rejected enqueues an operation without the service that would refuse it, and waits until a worker
// rejects it.
func (f *fixture) rejected(request operations.Request) {
	f.t.Helper()
	err := postgres.WithTx(f.t.Context(), f.db.API(), func(tx *postgres.Tx) error {
		f.ops.Begin(f.t.Context(), tx, &request)
		return f.ops.Enqueue(f.t.Context(), tx, &request)
	})
	op, err := f.ops.Answer(f.t.Context(), &request, err)
	require.NoError(f.t, err)
	require.Eventually(f.t, func() bool {
		return f.count(`select count(*) from operations where id = $1 and status <> 'pending'`, op.ID) == 1
	}, 10*time.Second, 5*time.Millisecond)
	require.Equal(f.t, 1, f.count(`select count(*) from operations where id = $1 and status = 'rejected'`, op.ID),
		"%s %v", request.Kind, request.Params)
}

// An operation of the system that is due settles only a day after the warning, even if it was
// enqueued without that check.
func TestSettleComplete_refuses_before_warning_day(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	completion := operations.Request{
		Kind: jobs.KindDealComplete, Subject: operations.Deal(f.id), Actor: actor.System(), Params: map[string]string{"by": "clock"},
	}
	f.do(f.deals.Deliver(t.Context(), f.seller, f.id, deals.Words{}))
	f.clock.Advance(4 * day)
	require.True(t, f.clock.Now().After(*f.now().NextActionAt))
	f.rejected(completion)
	_, err := f.sweeper.Sweep(t.Context()) // warns
	require.NoError(t, err)
	f.clock.Advance(day - time.Minute)
	f.rejected(completion)
	require.Equal(t, deals.Delivered, f.now().Status)
}

func ptr(amount money.Poisha) *money.Poisha { return &amount }

func (f *fixture) expireDeposits() {
	f.t.Helper()
	require.Equal(f.t, rivertype.JobStateCompleted, f.work(jobs.DepositExpiry).State)
}

func (f *fixture) statusOf(id uuid.UUID) wallet.DepositStatus {
	f.t.Helper()
	d, err := f.wallet.GetDeposit(f.t.Context(), id)
	require.NoError(f.t, err)
	return d.Status
}

func TestDepositExpiry(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, admin := f.user("nusrat"), f.admin("admin")
	forgotten, err := f.claim(user, wallet.Bkash, "CKJ8T2WV5C")
	require.NoError(t, err)
	claimed, proposed, pending := f.report(user, 20_00), f.report(user, 2000_00), f.report(user, 30_00)
	f.propose(admin, proposed, wallet.Approval{Amount: 2000_00})
	f.clock.Advance(71 * time.Hour)
	_, err = f.wallet.ClaimDeposit(ctx, admin, claimed.ID)
	require.NoError(t, err)
	f.expireDeposits()
	require.Equal(t, wallet.DepositPending, f.statusOf(forgotten.ID))
	resume := f.pause()
	op, err := f.approve(admin, pending, 30_00, "")
	require.NoError(t, err)
	f.clock.Advance(2 * time.Hour)
	f.expireDeposits()
	f.expireDeposits()

	expired, err := f.wallet.GetDeposit(ctx, forgotten.ID)
	require.NoError(t, err)
	require.True(t, expired.Expired())
	require.Nil(t, expired.HandledBy)
	require.NotNil(t, expired.HandledAt)
	text, link := f.told(user)
	require.Equal(t, "Nobody could check your deposit of $80.00 with transaction ID CKJ8T2WV5C in time, so it has expired. "+
		"If you sent the money, report it again with the same ID.", text)
	require.Equal(t, "/balance/deposits/"+forgotten.ID.String(), link)
	require.Equal(t, 1, f.count(`select count(*) from notifications where kind = 'deposit_expired'`))
	require.Eventually(t, func() bool { return len(f.mails.Mails()) == 1 }, 10*time.Second, 20*time.Millisecond)
	for _, d := range []wallet.Deposit{claimed, proposed, pending} {
		require.Equal(t, wallet.DepositPending, f.statusOf(d.ID))
	}
	resume()
	f.settled(op, nil)

	again, err := f.claim(user, wallet.Bkash, "CKJ8T2WV5C")
	require.NoError(t, err, "the number is free again")
	require.False(t, again.Disputed)
	f.clock.Advance(72 * time.Hour)
	f.expireDeposits()
	require.Equal(t, wallet.DepositFailed, f.statusOf(claimed.ID), "72 hours after the claim ran out")
	f.reconciled()
}

// An admin requests the settlement and their claim expires before a worker runs. No other admin can
// claim the row, and the operation settles.
func TestClaim_pending_operation(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, first, second := f.user("tanvir"), f.admin("first"), f.admin("second")
	f.fund(user, first, 100_00)
	withdrawal, deposit := f.payable(user), f.report(user, 20_00)

	resume := f.pause()
	sending, err := f.wallet.RequestSend(ctx, first, withdrawal, wallet.Payout{Amount: 50_00, TransactionID: "PAYOUT01"}, nil)
	require.NoError(t, err)
	approving, err := f.approve(first, deposit, 20_00, "")
	require.NoError(t, err)
	f.clock.Advance(5*time.Minute + time.Second)
	for _, admin := range []uuid.UUID{first, second} {
		_, err = f.wallet.ClaimWithdrawal(ctx, admin, withdrawal)
		require.Equal(t, operations.ErrBusy(), err)
		_, err = f.wallet.ClaimDeposit(ctx, admin, deposit.ID)
		require.Equal(t, operations.ErrBusy(), err)
	}
	resume()
	f.settled(sending, nil)
	f.settled(approving, nil)
	require.EqualValues(t, 70_00, f.balance(user))
	f.reconciled()
}

// A claim made by another admin after the request does not refuse the operation.
func TestSettler_ignores_claims(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, first, second := f.user("tanvir"), f.admin("first"), f.admin("second")
	f.fund(user, first, 150_00)
	sent, rejected, cancelled, deposit := f.payable(user), f.payable(user), f.payable(user), f.report(user, 20_00)
	resume := f.pause()
	var asked []operations.Operation
	for _, ask := range []func() (operations.Operation, error){
		func() (operations.Operation, error) {
			return f.wallet.RequestSend(ctx, first, sent, wallet.Payout{Amount: 50_00}, nil)
		},
		func() (operations.Operation, error) {
			return f.wallet.RequestReject(ctx, first, rejected, "", nil)
		},
		func() (operations.Operation, error) { return f.wallet.RequestCancel(ctx, user, cancelled, nil) },
		func() (operations.Operation, error) { return f.approve(first, deposit, 20_00, "") },
	} {
		op, err := ask()
		require.NoError(t, err)
		asked = append(asked, op)
	}
	for _, table := range []string{"deposits", "withdrawals"} {
		_, err := f.db.Owner().Exec(ctx, `update `+table+` set claimed_by = $1, claimed_until = $2 where status = 'pending'`,
			second, f.clock.Now().Add(time.Hour))
		require.NoError(t, err)
	}
	resume()
	for _, op := range asked {
		f.settled(op, nil)
	}
	require.EqualValues(t, 120_00, f.balance(user))
}
