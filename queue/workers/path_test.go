package workers

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
	"amanat/internal/money/ledger"
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
		"You paid $480.00 into escrow for the deal.",
		"You released $480.00 for the deal.",
		"Please confirm your withdrawal of $400.00",
	}
	// Before the confirmation, after which no email would request it.
	f.mailed(beforehand...)
	f.confirm(seller, id)
	f.settled(f.wallet.RequestSend(ctx, admin, id, payout, nil))
	w, err = f.wallet.GetWithdrawal(ctx, id)
	require.NoError(t, err)
	require.Nil(t, w.Claim, "nobody works on what is sent")
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

// Rewards are paid out of the fee, down to deals without one.
func TestSettleComplete_rewards_within_fee(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	buyer, seller := f.withFunds("nusrat", 500_00), f.user("tanvir")
	first, second := f.user("rahim"), f.user("karim")
	for referred, referrer := range map[uuid.UUID]uuid.UUID{buyer: first, seller: second} {
		_, err := f.db.Owner().Exec(ctx, `update users set referred_by = $2 where id = $1`, referred, referrer)
		require.NoError(t, err)
	}
	var paid money.Cents
	for _, c := range []struct{ price, each money.Cents }{{100_00, 1_00}, {1_50, 1}, {49, 0}, {24, 0}} {
		d := f.deal(buyer, seller, c.price)
		f.settled(f.deals.RequestPay(ctx, buyer, d.ID, deals.AnyTerms, nil))
		f.settled(f.deals.RequestComplete(ctx, buyer, d.ID, nil))
		paid += c.each
		require.Eventually(t, func() bool { return f.balance(first) == paid && f.balance(second) == paid }, 10*time.Second, 10*time.Millisecond)
		require.Zero(t, f.count(`select count(*) from operations where status = 'pending'`))
		f.reconciled()
	}
}
