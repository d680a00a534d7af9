package workers

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/wallet"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/operations"
)

// A withdrawal that settles while its owner stops withdrawals waits for the stop and is then
// refused.
func TestSettleHold_waits_for_disown(t *testing.T) {
	t.Parallel()
	f := newWithdrawalFixture(t)
	f.set("is_verified", true)
	ctx := t.Context()
	first := f.withdrawal(f.owner, 40_00)
	_, stop := f.letter("A withdrawal of $40.00 from your account", "/not-me")
	resume := f.pause()
	op, err := f.wallet.RequestWithdraw(ctx, f.owner, wallet.Order{Amount: 50_00, PhoneNumber: "01712345678", Method: wallet.Bkash}, nil)
	require.NoError(t, err)
	err = f.people().StopWithdrawals(ctx, stop, func(ctx context.Context, tx *postgres.Tx, owner uuid.UUID) error {
		if err := f.wallet.Disown(ctx, tx, owner); err != nil {
			return err
		}
		resume()
		require.Eventually(t, func() bool {
			return f.count(`select count(*) from pg_locks where locktype = 'advisory' and not granted
				and database = (select oid from pg_database where datname = current_database())`) == 1
		}, 10*time.Second, 10*time.Millisecond, "it waits")
		return nil
	})
	require.NoError(t, err)
	op, err = f.waiter.Wait(ctx, op)
	require.NoError(t, err)
	require.Equal(t, operations.Rejected, op.Status)
	require.NotNil(t, f.get(first).DisownedAt)
	require.EqualValues(t, 60_00, f.balance(f.owner))
	f.reconciled()
}
