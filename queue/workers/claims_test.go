package workers

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/wallet"
	"amanat/internal/money/operations"
)

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
