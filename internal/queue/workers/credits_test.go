package workers

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/wallet"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/operations"
	"amanat/internal/platform/actor"
	"amanat/internal/platform/fault"
	"amanat/internal/queue/jobs"
	"amanat/internal/realtime"
)

func TestADifferentCreditNeedsAReason(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	user, admin := b.user("nusrat"), b.admin("admin")
	d := b.report(user, 100_00)
	_, err := b.approve(admin, d, 110_01, "")
	require.Contains(t, fault.As(err).Fields, "reason")
	_, err = b.approve(admin, d, 89_99, "  ")
	require.Contains(t, fault.As(err).Fields, "reason")
	b.settled(b.approve(admin, d, 110_00, ""))
	b.settled(b.approve(admin, b.report(user, 100_00), 89_99, "Bkash shows less"))
	require.EqualValues(t, 199_99, b.balance(user))
}

func (b *bench) propose(admin uuid.UUID, d wallet.Deposit, approval wallet.Approval) {
	b.t.Helper()
	approval.UserID = d.User.ID
	approved, err := b.wallet.Approve(b.t.Context(), admin, d.ID, approval, nil)
	require.NoError(b.t, err)
	require.True(b.t, approved.Proposed)
}

func TestALargeCreditTakesTwoAdmins(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	ctx := t.Context()
	user, first, second := b.user("nusrat"), b.admin("first"), b.admin("second")
	d := b.report(user, 1200_00)
	b.queues.take(1)
	require.Eventually(t, func() bool {
		return b.count(`select count(*) from notifications where kind = 'admin_deposit' and user_id = $1`, second) == 1
	}, 10*time.Second, 10*time.Millisecond)
	_, err := b.wallet.Approve(ctx, first, d.ID, wallet.Approval{Amount: 1500_00, UserID: user}, nil)
	require.Contains(t, fault.As(err).Fields, "reason", "as for any other")
	b.propose(first, d, wallet.Approval{Amount: 1500_00, Reason: "Bkash shows more"})
	b.queues.require(1, realtime.QueueDeposits, d.ID)
	require.Zero(t, b.balance(user))
	require.Zero(t, b.count(`select count(*) from operations`))
	require.Eventually(t, func() bool {
		return b.count(`select count(*) from notifications where kind = 'admin_credit' and user_id = $1`, second) == 1
	}, 10*time.Second, 10*time.Millisecond)
	require.Zero(t, b.count(`select count(*) from notifications where kind = 'admin_credit' and user_id = $1`, first))
	text, link := b.told(second)
	require.Equal(t, "first wants to credit nusrat with $1,500.00. A second admin has to confirm it.", text)
	require.Equal(t, "/admin/deposit?review="+d.ID.String(), link)
	waiting, err := b.wallet.GetDeposit(ctx, d.ID)
	require.NoError(t, err)
	require.Equal(t, wallet.DepositPending, waiting.Status)
	require.EqualValues(t, 1500_00, waiting.Proposal.Amount)
	require.Equal(t, "first", waiting.Proposal.By.Username)

	confirm := func(admin uuid.UUID) (operations.Operation, error) {
		return b.wallet.ConfirmCredit(ctx, admin, d.ID, 1500_00, nil)
	}
	_, err = confirm(first)
	require.Equal(t, fault.Forbidden, fault.CodeOf(err), "alone")
	_, err = b.wallet.ConfirmCredit(ctx, second, d.ID, 1200_00, nil)
	require.Contains(t, fault.As(err).Fields, "amount")
	b.settled(confirm(second))
	require.EqualValues(t, 1500_00, b.balance(user))
	_, err = confirm(second)
	require.Equal(t, fault.AlreadyHandled, fault.CodeOf(err))
	require.Equal(t, 1, b.count(`
		select count(*) from audit_log where action = 'deposit.approve' and actor_id = $1 and details->>'proposedBy' = $2::text`, second, first))
	require.Equal(t, 1, b.count(`select count(*) from audit_log where action = 'deposit.propose' and actor_id = $1`, first))
	b.reconciled()
}

func TestAProposalIsReplacedAndRejected(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	ctx := t.Context()
	user, first, second := b.user("nusrat"), b.admin("first"), b.admin("second")
	d := b.report(user, 1200_00)
	b.propose(first, d, wallet.Approval{Amount: 1200_00})
	b.propose(second, d, wallet.Approval{Amount: 1250_00})
	_, err := b.wallet.ConfirmCredit(ctx, second, d.ID, 1250_00, nil)
	require.Equal(t, fault.Forbidden, fault.CodeOf(err), "whoever approves again is the first of the two")
	_, err = b.wallet.ClaimDeposit(ctx, second, d.ID)
	require.NoError(t, err)
	_, err = b.wallet.ConfirmCredit(ctx, first, d.ID, 1200_00, nil)
	require.Equal(t, fault.Invalid, fault.CodeOf(err), "of before")
	_, err = b.wallet.RejectDeposit(ctx, second, d.ID, "Nothing came.")
	require.NoError(t, err)
	_, err = b.wallet.ConfirmCredit(ctx, first, d.ID, 1250_00, nil)
	require.Equal(t, fault.AlreadyHandled, fault.CodeOf(err))

	d = b.report(user, 1200_00)
	_, err = b.wallet.ConfirmCredit(ctx, first, d.ID, 1200_00, nil)
	require.Equal(t, fault.Conflict, fault.CodeOf(err), "nothing is proposed")
	b.propose(second, d, wallet.Approval{Amount: 1250_00})
	_, err = b.wallet.ClaimDeposit(ctx, second, d.ID)
	require.NoError(t, err)
	b.settled(b.wallet.ConfirmCredit(ctx, first, d.ID, 1250_00, nil)) // the claim of whoever proposed keeps nobody away
	require.EqualValues(t, 1250_00, b.balance(user))
}

func TestWhoeverProposedMustStillBeAnAdmin(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	ctx := t.Context()
	user, first, second := b.user("nusrat"), b.admin("first"), b.admin("second")
	d := b.report(user, 1200_00)
	b.propose(first, d, wallet.Approval{Amount: 1200_00})
	resume := b.pause()
	op, err := b.wallet.ConfirmCredit(ctx, second, d.ID, 1200_00, nil)
	require.NoError(t, err)
	_, err = b.db.Owner().Exec(ctx, `update users set is_admin = false where id = $1`, first)
	require.NoError(t, err)
	resume()
	op, err = b.waiter.Wait(ctx, op)
	require.NoError(t, err)
	require.Equal(t, fault.Conflict, fault.CodeOf(op.Err()))
	_, err = b.wallet.ConfirmCredit(ctx, second, d.ID, 1200_00, nil)
	require.Equal(t, fault.Conflict, fault.CodeOf(err))
	require.Zero(t, b.balance(user))
}

// What the api's login could write into the table is not believed.
func TestAnApprovalIsCheckedAgainWhenItSettles(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	ctx := t.Context()
	user, stranger, admin := b.user("nusrat"), b.user("stranger"), b.admin("admin")
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
		d := b.report(user, 10_00)
		id := uuid.New()
		tx, err := b.db.API().Begin(ctx)
		require.NoError(t, err)
		_, err = tx.Exec(ctx, `
			insert into operations (id, kind, subject, actor_id, params, created_at) values ($1, 'deposit_approve', $2, $3, $4, $5)`,
			id, operations.Deposit(d.ID), admin, json.RawMessage(params), b.clock.Now())
		require.NoError(t, err)
		_, err = b.client.InsertTx(ctx, tx, jobs.DepositApprove{Money: jobs.Money{OperationID: id}}, nil)
		require.NoError(t, err)
		require.NoError(t, tx.Commit(ctx))
		op, err := b.waiter.Wait(ctx, operations.Operation{ID: id, Status: operations.Pending})
		require.NoError(t, err)
		require.Equal(t, code, fault.CodeOf(op.Err()), params)
	}
	require.Zero(t, b.balance(user))
}

func TestAnOldDepositIsCreditedAtThePresentRate(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	ctx := t.Context()
	user, admin := b.user("nusrat"), b.admin("admin")
	young, old, less, explained := b.report(user, 100_00), b.report(user, 100_00), b.report(user, 100_00), b.report(user, 100_00)
	require.NoError(t, b.wallet.SetRate(ctx, actor.Operator(), 127_10, false)) // 128 taka a dollar
	b.clock.Advance(24*time.Hour - time.Minute)
	b.settled(b.approve(admin, young, 100_00, ""))
	b.clock.Advance(time.Minute + time.Second)
	seen, err := b.wallet.GetDeposit(ctx, old.ID)
	require.NoError(t, err)
	require.EqualValues(t, 128, seen.CreditRate)
	require.EqualValues(t, 96_09, seen.CreditAmount, "12,300 taka, rounded down to the cent")
	_, err = b.approve(admin, old, 96_10, "")
	require.Contains(t, fault.As(err).Fields, "reason")
	b.settled(b.approve(admin, old, 96_09, ""))
	text, _ := b.told(user)
	require.Contains(t, text, "$96.09 is in your balance; you reported $100.00. It was counted at today's rate")
	b.settled(b.approve(admin, less, 95_00, ""))
	b.settled(b.approve(admin, explained, 100_00, "We were late."))
	for id, want := range map[uuid.UUID][3]int64{
		young.ID: {123, 100_00, 12_300_00}, old.ID: {128, 96_09, 12_299_52}, less.ID: {128, 95_00, 12_160_00},
		explained.ID: {128, 100_00, 12_800_00},
	} {
		d, err := b.wallet.GetDeposit(ctx, id)
		require.NoError(t, err)
		require.Equal(t, want, [3]int64{d.Rate, int64(d.Amount), int64(d.ConvertedAmount)})
	}
	b.reconciled()
}

// The rate that an order was shown is compared when the order is made, and not when it is repeated.
func TestAChangedRateIsToldToWhoeverWasShownAnother(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	ctx := t.Context()
	user, admin := b.user("nusrat"), b.admin("admin")
	b.fund(user, admin, 100_00)
	key := &idempotency.Key{UserID: &user, Value: "k1"}
	order := wallet.Order{Amount: 10_00, PhoneNumber: "01712345678", Method: wallet.Nagad, Taka: ptr(1_220_00)}
	made := b.settled(b.wallet.RequestWithdraw(ctx, user, order, key))
	require.NoError(t, b.wallet.SetRate(ctx, actor.Operator(), 123_40, false))
	again, err := b.wallet.RequestWithdraw(ctx, user, order, key)
	require.NoError(t, err)
	require.Equal(t, made.ID, again.ID)
	_, err = b.wallet.RequestWithdraw(ctx, user, order, nil)
	require.Equal(t, fault.RateChanged, fault.CodeOf(err))
	order.Taka = ptr(1_230_00)
	b.settled(b.wallet.RequestWithdraw(ctx, user, order, nil))

	report := wallet.Report{Amount: 10_00, TransactionID: "CKJ8T2WV5C", Method: wallet.Bkash, Taka: ptr(1_230_00)}
	_, err = b.wallet.ReportDeposit(ctx, user, report, nil)
	require.Equal(t, fault.RateChanged, fault.CodeOf(err))
	report.Taka = ptr(1_240_00)
	_, err = b.wallet.ReportDeposit(ctx, user, report, nil)
	require.NoError(t, err)
}
