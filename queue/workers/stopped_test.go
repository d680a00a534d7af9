package workers

import (
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/money/operations"
)

// If a user is disabled or their withdrawals are held or stopped between a request and its
// settlement (docs/rules.md#money-calls), no money of theirs moves.
func TestSettler_user_disabled_or_on_hold(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	buyer, seller, admin := f.user("nusrat"), f.user("tanvir"), f.admin("admin")
	f.fund(buyer, admin, 100_00)
	d := f.deal(buyer, seller, 40_00)
	withdraw := func() (operations.Operation, error) {
		return f.wallet.RequestWithdraw(ctx, buyer, wallet.Order{Amount: 50_00, PhoneNumber: "01712345678", Method: wallet.Bkash}, nil)
	}
	pay := func() (operations.Operation, error) { return f.deals.RequestPay(ctx, buyer, d.ID, deals.AnyTerms, nil) }
	set := func(column string, to any) {
		t.Helper()
		_, err := f.db.Owner().Exec(ctx, `update users set `+column+` = $1 where id = $2`, to, buyer)
		require.NoError(t, err)
	}
	for _, stop := range []struct {
		column, message string
		request         func() (operations.Operation, error)
	}{
		{"withdrawals_held_at", "Withdrawals from this account are on hold. Please contact support.", withdraw},
		{"withdrawals_stopped_at", "Withdrawals are stopped until you reset your password with a link that we mail you.", withdraw},
		{"disabled_at", "This account is disabled.", withdraw},
		{"disabled_at", "This account is disabled.", pay},
	} {
		resume := f.pause()
		op, err := stop.request()
		require.NoError(t, err)
		set(stop.column, f.clock.Now())
		resume()
		op, err = f.waiter.Wait(ctx, op)
		require.NoError(t, err)
		require.Equal(t, operations.Rejected, op.Status, stop)
		require.Equal(t, fault.Forbidden, fault.CodeOf(op.Err()))
		require.ErrorContains(t, op.Err(), stop.message)
		require.EqualValues(t, 100_00, f.balance(buyer))
		set(stop.column, nil)
	}
	set("withdrawals_held_at", f.clock.Now())
	_, err := withdraw()
	require.Equal(t, fault.Forbidden, fault.CodeOf(err), "the request itself is refused")
	set("withdrawals_held_at", nil)
	f.settled(pay())

	// A withdrawal from before the hold cannot be sent either. An admin can only reject it.
	op := f.settled(withdraw())
	id, err := op.SubjectID()
	require.NoError(t, err)
	f.confirm(buyer, id)
	set("withdrawals_held_at", f.clock.Now())
	_, err = f.wallet.RequestSend(ctx, admin, id, wallet.Payout{Amount: 50_00, TransactionID: "8N7A6D5E4F"}, nil)
	require.ErrorContains(t, err, "Withdrawals of this user are on hold.")
	w, err := f.wallet.GetWithdrawal(ctx, id)
	require.NoError(t, err)
	require.True(t, w.Held())
	f.settled(f.wallet.RequestReject(ctx, admin, id, "", nil))
	require.EqualValues(t, 60_00, f.balance(buyer))
	f.reconciled()
}
