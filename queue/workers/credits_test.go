package workers

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/actor"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
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
	f.queues.require(1, realtime.QueueDeposits, d.ID)
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

// Params that were inserted with the API's database login are checked again.
func TestSettleApprove_refuses_forged_params(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
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
		d := f.report(user, 10_00)
		id := uuid.New()
		tx, err := f.db.API().Begin(ctx)
		require.NoError(t, err)
		_, err = tx.Exec(ctx, `
			insert into operations (id, kind, subject, actor_id, params, created_at)
			values ($1, 'deposit_approve', $2, $3, $4, $5)`,
			id, operations.Deposit(d.ID), admin, json.RawMessage(params), f.clock.Now())
		require.NoError(t, err)
		_, err = f.client.InsertTx(ctx, tx, jobs.DepositApprove{Money: jobs.Money{OperationID: id}}, nil)
		require.NoError(t, err)
		require.NoError(t, tx.Commit(ctx))
		op, err := f.waiter.Wait(ctx, operations.Operation{ID: id, Status: operations.Pending})
		require.NoError(t, err)
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
