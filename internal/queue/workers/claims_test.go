package workers

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/wallet"
	"amanat/internal/money/operations"
)

// An admin has sent the taka and said so, the workers are away, and the claim runs out: nobody else gets hold of the row, and what was asked
// for settles.
func TestWhatIsPendingIsNobodyElsesToClaim(t *testing.T) {
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

// A claim that somehow stands does not undo what was asked for before it.
func TestSettlingAsksForNoClaim(t *testing.T) {
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
