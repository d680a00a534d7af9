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

// mailed waits until as many emails are sent as there are subjects, and compares the subjects in
// any order.
func (f *fixture) mailed(subjects ...string) {
	f.t.Helper()
	require.Eventually(f.t, func() bool { return len(f.mails.Mails()) >= len(subjects) }, 10*time.Second, 20*time.Millisecond)
	var sent []string
	for _, m := range f.mails.Mails() {
		sent = append(sent, m.Subject)
	}
	require.ElementsMatch(f.t, subjects, sent)
}

func TestMoney_deposit_to_withdrawal(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	buyer, seller, admin := f.user("nusrat"), f.user("tanvir"), f.admin("admin")

	f.fund(buyer, admin, 500_00)
	f.reconciled()
	require.EqualValues(t, 500_00, f.balance(buyer))

	d := f.deal(buyer, seller, 480_00)
	f.settled(f.deals.RequestPay(ctx, buyer, d.ID, deals.AnyTerms, nil))
	f.reconciled()
	require.EqualValues(t, 20_00, f.balance(buyer))
	require.Zero(t, f.balance(seller), "the seller is paid only when the buyer completes the deal")

	_, err := f.deals.Deliver(ctx, seller, d.ID, deals.Words{})
	require.NoError(t, err)
	f.settled(f.deals.RequestComplete(ctx, buyer, d.ID, nil))
	f.reconciled()
	require.EqualValues(t, 470_40, f.balance(seller))
	fees, err := ledger.Balance(ctx, f.db.Worker(), ledger.Fees())
	require.NoError(t, err)
	require.EqualValues(t, 9_60, fees)

	op := f.settled(f.wallet.RequestWithdraw(ctx, seller, wallet.Order{Amount: 400_00, PhoneNumber: "01712345678", Method: wallet.Nagad}, nil))
	f.reconciled()
	require.EqualValues(t, 70_40, f.balance(seller), "the held amount cannot be spent")
	id, err := op.SubjectID()
	require.NoError(t, err)
	w, err := f.wallet.GetWithdrawal(ctx, id)
	require.NoError(t, err)
	require.EqualValues(t, 122, w.Rate, "the rate rounded down")
	require.EqualValues(t, 48_800_00, w.ConvertedAmount)

	payout := wallet.Payout{Amount: 400_00, TransactionID: "75kojbdw"}
	_, err = f.wallet.RequestSend(ctx, admin, id, payout, nil)
	require.Equal(t, fault.Conflict, fault.CodeOf(err), "the number is new")
	beforehand := []string{
		"Your deposit of $500.00 is in your balance.",
		"tanvir offers you a deal of $480.00.",
		"nusrat paid $480.00 into escrow for the deal. You can deliver now.",
		"tanvir delivered. Check it, then release the money.",
		"nusrat completed the deal. You received $470.40.",
		"A withdrawal of $400.00 from your account",
		"Please confirm your withdrawal of $400.00",
	}
	// Before the confirmation, after which no email would request it.
	f.mailed(beforehand...)
	f.confirm(seller, id)
	f.settled(f.wallet.RequestSend(ctx, admin, id, payout, nil))
	f.reconciled()
	require.EqualValues(t, 70_40, f.balance(seller))
	mobile, err := ledger.Mobile(wallet.Nagad)
	require.NoError(t, err)
	out, err := ledger.Balance(ctx, f.db.Worker(), mobile)
	require.NoError(t, err)
	require.EqualValues(t, 48_800_00, out)

	// The users are notified, and emailed where money moved.
	f.mailed(append(beforehand,
		"You confirmed your withdrawal of $400.00 to Nagad 01712345678. It can be sent now.",
		"Your withdrawal of $400.00 was sent to 01712345678: ৳48,800.")...)
	require.Equal(t, 2, f.count(`select count(*) from notifications where user_id = $1 and audience = 'admin'`, admin))
	require.Zero(t, f.count(`
		select count(*) from (select seq, row_number() over (partition by user_id order by seq) as n from user_events) e where seq <> n`),
		"event logs have no gaps")
}

func TestApprove(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, admin, other := f.user("nusrat"), f.admin("admin"), f.admin("other")
	d := f.report(user, 80_00)
	require.EqualValues(t, 9_840_00, d.ConvertedAmount, "the rate rounded up")

	_, err := f.wallet.Approve(ctx, admin, d.ID, wallet.Approval{Amount: 80_00, UserID: admin}, nil)
	require.Equal(t, fault.Invalid, fault.CodeOf(err), "to another user")

	_, err = f.wallet.ClaimDeposit(ctx, other, d.ID)
	require.NoError(t, err)
	_, err = f.approve(admin, d, 77_00, "")
	require.Equal(t, fault.AlreadyHandled, fault.CodeOf(err))
	require.ErrorContains(t, err, "other")
	f.clock.Advance(5*time.Minute + time.Second)
	f.settled(f.approve(admin, d, 77_00, "Bkash shows less"))

	require.EqualValues(t, 77_00, f.balance(user))
	after, err := f.wallet.GetDeposit(ctx, d.ID)
	require.NoError(t, err)
	require.EqualValues(t, 80_00, after.ClaimedAmount)
	require.EqualValues(t, 77_00, after.Amount)
	require.EqualValues(t, 9_471_00, after.ConvertedAmount)
	require.Equal(t, "Bkash shows less", *after.Reason)

	_, err = f.approve(other, d, 77_00, "")
	require.Equal(t, fault.AlreadyHandled, fault.CodeOf(err))
	require.ErrorContains(t, err, "Already handled by admin")
	_, err = f.wallet.RejectDeposit(ctx, admin, d.ID, wallet.Rejection{})
	require.Equal(t, fault.AlreadyHandled, fault.CodeOf(err))
	require.Equal(t, 1, f.count(`select count(*) from audit_log where action = 'deposit.approve'`))
	f.reconciled()
}

func TestRequestReject_refunds_wallet(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, admin := f.user("tanvir"), f.admin("admin")
	f.fund(user, admin, 50_00)
	op := f.settled(f.wallet.RequestWithdraw(ctx, user, wallet.Order{Amount: 50_00, PhoneNumber: "01712345678", Method: wallet.Bkash}, nil))
	id, err := op.SubjectID()
	require.NoError(t, err)
	require.Zero(t, f.balance(user))

	_, err = f.wallet.RequestSend(ctx, admin, id, wallet.Payout{Amount: 49_00}, nil)
	require.Equal(t, fault.Invalid, fault.CodeOf(err), "another amount")
	f.settled(f.wallet.RequestReject(ctx, admin, id, "Wrong number", nil))
	require.EqualValues(t, 50_00, f.balance(user))
	_, err = f.wallet.RequestSend(ctx, admin, id, wallet.Payout{Amount: 50_00}, nil)
	require.Equal(t, fault.AlreadyHandled, fault.CodeOf(err))
	f.reconciled()
}

func TestRequestPay_insufficient_balance(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	buyer, seller, admin := f.user("nusrat"), f.user("tanvir"), f.admin("admin")
	f.fund(buyer, admin, 100_00)
	d := f.deal(buyer, seller, 150_00)

	before := f.books()
	_, err := f.deals.RequestPay(ctx, buyer, d.ID, deals.AnyTerms, nil)
	require.Equal(t, fault.InsufficientBalance, fault.CodeOf(err))
	require.EqualValues(t, 50_00, fault.As(err).Shortfall)
	require.Contains(t, fault.As(err).Message, "Insufficient balance")
	require.Equal(t, before, f.books())

	f.fund(buyer, admin, 50_00)
	f.settled(f.deals.RequestPay(ctx, buyer, d.ID, deals.AnyTerms, nil))
	require.Zero(t, f.balance(buyer))
	f.reconciled()
}

// The balance may be sufficient when the API checks it and insufficient when the worker settles.
// The worker's refusal changes nothing, and the deal can be paid later.
func TestSettlePay_insufficient_balance(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	buyer, seller, admin := f.user("nusrat"), f.user("tanvir"), f.admin("admin")

	// Both payments are requested before any worker runs, with money for one.
	f.start()
	f.fund(buyer, admin, 100_00)
	first, second := f.deal(buyer, seller, 100_00), f.deal(buyer, seller, 100_00)
	resume := f.pause()
	opOne, err := f.deals.RequestPay(ctx, buyer, first.ID, deals.AnyTerms, nil)
	require.NoError(t, err)
	opTwo, err := f.deals.RequestPay(ctx, buyer, second.ID, deals.AnyTerms, nil)
	require.NoError(t, err)
	resume()
	opOne, err = f.waiter.Wait(ctx, opOne)
	require.NoError(t, err)
	opTwo, err = f.waiter.Wait(ctx, opTwo)
	require.NoError(t, err)

	refused, paid := opOne, opTwo
	if opOne.Status == operations.Done {
		refused, paid = opTwo, opOne
	}
	require.Equal(t, operations.Done, paid.Status)
	require.Equal(t, operations.Rejected, refused.Status)
	require.Equal(t, fault.InsufficientBalance, fault.CodeOf(refused.Err()))
	require.EqualValues(t, 100_00, fault.As(refused.Err()).Shortfall)
	f.reconciled()

	f.fund(buyer, admin, 100_00)
	id, err := refused.SubjectID()
	require.NoError(t, err)
	f.settled(f.deals.RequestPay(ctx, buyer, id, deals.AnyTerms, nil))
	f.reconciled()
}

func TestDeal_permissions(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	buyer, seller, stranger, admin := f.user("nusrat"), f.user("tanvir"), f.user("rakib"), f.admin("admin")
	f.fund(buyer, admin, 100_00)
	d := f.deal(buyer, seller, 100_00)

	refuses := func(code fault.Code, actor uuid.UUID, call func(actor uuid.UUID) error) {
		t.Helper()
		before := f.books()
		require.Equal(t, code, fault.CodeOf(call(actor)))
		require.Equal(t, before, f.books())
	}
	pay := func(actor uuid.UUID) error {
		_, err := f.deals.RequestPay(ctx, actor, d.ID, deals.AnyTerms, nil)
		return err
	}
	complete := func(actor uuid.UUID) error { _, err := f.deals.RequestComplete(ctx, actor, d.ID, nil); return err }
	deliver := func(actor uuid.UUID) error { _, err := f.deals.Deliver(ctx, actor, d.ID, deals.Words{}); return err }
	remove := func(actor uuid.UUID) error { _, err := f.deals.Remove(ctx, actor, d.ID, nil); return err }
	for _, call := range []func(uuid.UUID) error{pay, complete, deliver, remove} {
		refuses(fault.NotFound, stranger, call)
	}
	refuses(fault.Forbidden, seller, pay)
	refuses(fault.Conflict, buyer, complete)
	refuses(fault.Conflict, seller, deliver)

	f.settled(f.deals.RequestPay(ctx, buyer, d.ID, deals.AnyTerms, nil))
	refuses(fault.Forbidden, buyer, deliver)
	refuses(fault.Forbidden, seller, complete)
	refuses(fault.Conflict, buyer, remove)
	refuses(fault.Conflict, seller, remove)

	f.settled(f.deals.RequestComplete(ctx, buyer, d.ID, nil))
	refuses(fault.Conflict, seller, deliver)
	require.NoError(t, pay(buyer), "repeating a completed action succeeds")
	require.NoError(t, complete(buyer))
	require.Equal(t, 1, f.count(`select count(*) from ledger.transfers where kind = 'deal_pay'`))
	require.Equal(t, 1, f.count(`select count(*) from ledger.transfers where kind = 'deal_complete'`))
}

func TestGetDeal_late(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	buyer, seller, admin := f.user("nusrat"), f.user("tanvir"), f.admin("admin")
	f.fund(buyer, admin, 100_00)
	d := f.deal(buyer, seller, 100_00)
	f.settled(f.deals.RequestPay(ctx, buyer, d.ID, deals.AnyTerms, nil))
	f.clock.Advance(7*24*time.Hour + time.Minute)
	late, err := f.deals.Get(ctx, buyer, d.ID)
	require.NoError(t, err)
	require.Equal(t, deals.Late, late.Status)
	_, err = f.deals.Deliver(ctx, seller, d.ID, deals.Words{})
	require.NoError(t, err, "a late deal can still be delivered")
	f.settled(f.deals.RequestComplete(ctx, buyer, d.ID, nil))
	f.reconciled()
}
