package workers

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/domain/wallet"
	"amanat/internal/money/ledger"
	"amanat/internal/money/operations"
	"amanat/internal/platform/fault"
)

// mailed waits until as many mails were sent as there are subjects, and compares theirs, in any order.
func (b *bench) mailed(subjects ...string) {
	b.t.Helper()
	require.Eventually(b.t, func() bool { return len(b.mails.Mails()) >= len(subjects) }, 10*time.Second, 20*time.Millisecond)
	var sent []string
	for _, m := range b.mails.Mails() {
		sent = append(sent, m.Subject)
	}
	require.ElementsMatch(b.t, subjects, sent)
}

func TestMoneyGoesFromDepositToWithdrawal(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	ctx := t.Context()
	buyer, seller, admin := b.user("nusrat"), b.user("tanvir"), b.admin("admin")

	b.fund(buyer, admin, 500_00)
	b.reconciled()
	require.EqualValues(t, 500_00, b.balance(buyer))

	d := b.deal(buyer, seller, 480_00)
	b.settled(b.deals.RequestPay(ctx, buyer, d.ID, nil))
	b.reconciled()
	require.EqualValues(t, 20_00, b.balance(buyer))
	require.Zero(t, b.balance(seller), "the seller has nothing before the buyer says so")

	_, err := b.deals.Deliver(ctx, seller, d.ID)
	require.NoError(t, err)
	b.settled(b.deals.RequestComplete(ctx, buyer, d.ID, nil))
	b.reconciled()
	require.EqualValues(t, 470_40, b.balance(seller))
	fees, err := ledger.Balance(ctx, b.db.Worker(), ledger.Fees())
	require.NoError(t, err)
	require.EqualValues(t, 9_60, fees)

	op := b.settled(b.wallet.RequestWithdraw(ctx, seller, wallet.Order{Amount: 400_00, PhoneNumber: "01712345678", Method: wallet.Nagad}, nil))
	b.reconciled()
	require.EqualValues(t, 70_40, b.balance(seller), "what is on its way out cannot be spent")
	id, err := op.SubjectID()
	require.NoError(t, err)
	w, err := b.wallet.GetWithdrawal(ctx, id)
	require.NoError(t, err)
	require.EqualValues(t, 122, w.Rate, "the rate rounded down")
	require.EqualValues(t, 48_800_00, w.ConvertedAmount)

	payout := wallet.Payout{Amount: 400_00, TransactionID: "75kojbdw"}
	_, err = b.wallet.RequestSend(ctx, admin, id, payout, nil)
	require.Equal(t, fault.Conflict, fault.CodeOf(err), "the number is new")
	beforehand := []string{
		"Your deposit of $500.00 is in your balance.",
		"tanvir offers you a deal of $480.00.",
		"nusrat paid $480.00 into escrow. You can deliver now.",
		"tanvir has delivered. Check it, then complete the deal.",
		"nusrat completed the deal. You received $470.40.",
		"A withdrawal of $400.00 from your account",
		"Please confirm your withdrawal of $400.00",
	}
	b.mailed(beforehand...) // a withdrawal that is confirmed already is not asked about any more
	b.confirm(seller, id)
	b.settled(b.wallet.RequestSend(ctx, admin, id, payout, nil))
	b.reconciled()
	require.EqualValues(t, 70_40, b.balance(seller))
	mobile, err := ledger.Mobile(wallet.Nagad)
	require.NoError(t, err)
	out, err := ledger.Balance(ctx, b.db.Worker(), mobile)
	require.NoError(t, err)
	require.EqualValues(t, 48_800_00, out)

	// Everybody concerned was told, and where money moved also by mail.
	b.mailed(append(beforehand,
		"You confirmed your withdrawal of $400.00 to Nagad 01712345678. It can be sent now.",
		"Your withdrawal of $400.00 was sent to 01712345678: ৳48,800.")...)
	require.Equal(t, 2, b.count(`select count(*) from notifications where user_id = $1 and audience = 'admin'`, admin))
	require.Zero(t, b.count(`
		select count(*) from (select seq, row_number() over (partition by user_id order by seq) as n from user_events) e where seq <> n`),
		"event logs have no gaps")
}

func TestADepositIsCreditedAsTheAdminSays(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	ctx := t.Context()
	user, admin, other := b.user("nusrat"), b.admin("admin"), b.admin("other")
	d := b.report(user, 80_00)
	require.EqualValues(t, 9_840_00, d.ConvertedAmount, "the rate rounded up")

	_, err := b.wallet.Approve(ctx, admin, d.ID, wallet.Approval{Amount: 80_00, UserID: admin}, nil)
	require.Equal(t, fault.Invalid, fault.CodeOf(err), "to somebody else")

	_, err = b.wallet.ClaimDeposit(ctx, other, d.ID)
	require.NoError(t, err)
	_, err = b.approve(admin, d, 77_00, "")
	require.Equal(t, fault.AlreadyHandled, fault.CodeOf(err))
	require.ErrorContains(t, err, "other")
	b.clock.Advance(5*time.Minute + time.Second)
	b.settled(b.approve(admin, d, 77_00, "Bkash shows less"))

	require.EqualValues(t, 77_00, b.balance(user))
	after, err := b.wallet.GetDeposit(ctx, d.ID)
	require.NoError(t, err)
	require.EqualValues(t, 80_00, after.ClaimedAmount)
	require.EqualValues(t, 77_00, after.Amount)
	require.EqualValues(t, 9_471_00, after.ConvertedAmount)
	require.Equal(t, "Bkash shows less", *after.Reason)

	_, err = b.approve(other, d, 77_00, "")
	require.Equal(t, fault.AlreadyHandled, fault.CodeOf(err))
	require.ErrorContains(t, err, "Already handled by admin")
	_, err = b.wallet.RejectDeposit(ctx, admin, d.ID, "")
	require.Equal(t, fault.AlreadyHandled, fault.CodeOf(err))
	require.Equal(t, 1, b.count(`select count(*) from audit_log where action = 'deposit.approve'`))
	b.reconciled()
}

func TestARejectedWithdrawalComesBack(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	ctx := t.Context()
	user, admin := b.user("tanvir"), b.admin("admin")
	b.fund(user, admin, 50_00)
	op := b.settled(b.wallet.RequestWithdraw(ctx, user, wallet.Order{Amount: 50_00, PhoneNumber: "01712345678", Method: wallet.Bkash}, nil))
	id, err := op.SubjectID()
	require.NoError(t, err)
	require.Zero(t, b.balance(user))

	_, err = b.wallet.RequestSend(ctx, admin, id, wallet.Payout{Amount: 49_00}, nil)
	require.Equal(t, fault.Invalid, fault.CodeOf(err), "another amount")
	b.settled(b.wallet.RequestReject(ctx, admin, id, "Wrong number", nil))
	require.EqualValues(t, 50_00, b.balance(user))
	_, err = b.wallet.RequestSend(ctx, admin, id, wallet.Payout{Amount: 50_00}, nil)
	require.Equal(t, fault.AlreadyHandled, fault.CodeOf(err))
	b.reconciled()
}

func TestInsufficientBalanceChangesNothingAndBlocksNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	ctx := t.Context()
	buyer, seller, admin := b.user("nusrat"), b.user("tanvir"), b.admin("admin")
	b.fund(buyer, admin, 100_00)
	d := b.deal(buyer, seller, 150_00)

	before := b.books()
	_, err := b.deals.RequestPay(ctx, buyer, d.ID, nil)
	require.Equal(t, fault.InsufficientBalance, fault.CodeOf(err))
	require.EqualValues(t, 50_00, fault.As(err).Shortfall)
	require.Contains(t, fault.As(err).Message, "Insufficient balance")
	require.Equal(t, before, b.books())

	b.fund(buyer, admin, 50_00)
	b.settled(b.deals.RequestPay(ctx, buyer, d.ID, nil))
	require.Zero(t, b.balance(buyer))
	b.reconciled()
}

// The api's check can be overtaken: the money is there when it looks and gone when the worker comes. The worker's refusal changes
// nothing, and the deal can be paid later.
func TestTheWorkersRefusalCounts(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	buyer, seller, admin := b.user("nusrat"), b.user("tanvir"), b.admin("admin")

	// Both are asked for before any worker runs, with money for one.
	b.start()
	b.fund(buyer, admin, 100_00)
	first, second := b.deal(buyer, seller, 100_00), b.deal(buyer, seller, 100_00)
	resume := b.pause()
	opOne, err := b.deals.RequestPay(ctx, buyer, first.ID, nil)
	require.NoError(t, err)
	opTwo, err := b.deals.RequestPay(ctx, buyer, second.ID, nil)
	require.NoError(t, err)
	resume()
	opOne, err = b.waiter.Wait(ctx, opOne)
	require.NoError(t, err)
	opTwo, err = b.waiter.Wait(ctx, opTwo)
	require.NoError(t, err)

	refused, paid := opOne, opTwo
	if opOne.Status == operations.Done {
		refused, paid = opTwo, opOne
	}
	require.Equal(t, operations.Done, paid.Status)
	require.Equal(t, operations.Rejected, refused.Status)
	require.Equal(t, fault.InsufficientBalance, fault.CodeOf(refused.Err()))
	require.EqualValues(t, 100_00, fault.As(refused.Err()).Shortfall)
	b.reconciled()

	b.fund(buyer, admin, 100_00)
	id, err := refused.SubjectID()
	require.NoError(t, err)
	b.settled(b.deals.RequestPay(ctx, buyer, id, nil))
	b.reconciled()
}

func TestWhoMayMoveADeal(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	ctx := t.Context()
	buyer, seller, stranger, admin := b.user("nusrat"), b.user("tanvir"), b.user("rakib"), b.admin("admin")
	b.fund(buyer, admin, 100_00)
	d := b.deal(buyer, seller, 100_00)

	refuses := func(code fault.Code, actor uuid.UUID, call func(actor uuid.UUID) error) {
		t.Helper()
		before := b.books()
		require.Equal(t, code, fault.CodeOf(call(actor)))
		require.Equal(t, before, b.books())
	}
	pay := func(actor uuid.UUID) error { _, err := b.deals.RequestPay(ctx, actor, d.ID, nil); return err }
	complete := func(actor uuid.UUID) error { _, err := b.deals.RequestComplete(ctx, actor, d.ID, nil); return err }
	deliver := func(actor uuid.UUID) error { _, err := b.deals.Deliver(ctx, actor, d.ID); return err }
	remove := func(actor uuid.UUID) error { _, err := b.deals.Remove(ctx, actor, d.ID, nil); return err }
	for _, call := range []func(uuid.UUID) error{pay, complete, deliver, remove} {
		refuses(fault.NotFound, stranger, call)
	}
	refuses(fault.Forbidden, seller, pay)
	refuses(fault.Conflict, buyer, complete)
	refuses(fault.Conflict, seller, deliver)

	b.settled(b.deals.RequestPay(ctx, buyer, d.ID, nil))
	refuses(fault.Forbidden, buyer, deliver)
	refuses(fault.Forbidden, seller, complete)
	refuses(fault.Conflict, buyer, remove)
	refuses(fault.Conflict, seller, remove)

	b.settled(b.deals.RequestComplete(ctx, buyer, d.ID, nil))
	refuses(fault.Conflict, seller, deliver)
	require.NoError(t, pay(buyer), "what he did is done: he is told so again")
	require.NoError(t, complete(buyer))
	require.Equal(t, 1, b.count(`select count(*) from ledger.transfers where kind = 'deal_pay'`))
	require.Equal(t, 1, b.count(`select count(*) from ledger.transfers where kind = 'deal_complete'`))
}

func TestADealIsLateAsSoonAsItIs(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	ctx := t.Context()
	buyer, seller, admin := b.user("nusrat"), b.user("tanvir"), b.admin("admin")
	b.fund(buyer, admin, 100_00)
	d := b.deal(buyer, seller, 100_00)
	b.settled(b.deals.RequestPay(ctx, buyer, d.ID, nil))
	b.clock.Advance(7*24*time.Hour + time.Minute)
	late, err := b.deals.Get(ctx, buyer, d.ID)
	require.NoError(t, err)
	require.Equal(t, deals.Late, late.Status)
	_, err = b.deals.Deliver(ctx, seller, d.ID)
	require.NoError(t, err, "late is better than never")
	b.settled(b.deals.RequestComplete(ctx, buyer, d.ID, nil))
	b.reconciled()
}
