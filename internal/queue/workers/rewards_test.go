package workers

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/money"
)

// A deal whose fee is smaller than the rewards would be is completed all the same, and pays no more than its fee.
func TestRewardsComeOutOfTheFee(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	ctx := t.Context()
	buyer, seller := b.withFunds("nusrat", 500_00), b.user("tanvir")
	first, second := b.user("rahim"), b.user("karim")
	for referred, referrer := range map[uuid.UUID]uuid.UUID{buyer: first, seller: second} {
		_, err := b.db.Owner().Exec(ctx, `update users set referred_by = $2 where id = $1`, referred, referrer)
		require.NoError(t, err)
	}
	var paid money.Cents
	for _, c := range []struct{ fee, each money.Cents }{{2_00, 1_00}, {3, 1}, {1, 0}, {0, 0}} {
		d := b.deal(buyer, seller, 100_00)
		_, err := b.db.Owner().Exec(ctx, `update deals set fee = $2 where id = $1`, d.ID, int64(c.fee))
		require.NoError(t, err)
		b.settled(b.deals.RequestPay(ctx, buyer, d.ID, nil))
		b.settled(b.deals.RequestComplete(ctx, buyer, d.ID, nil))
		paid += c.each
		require.Eventually(t, func() bool { return b.balance(first) == paid && b.balance(second) == paid }, 10*time.Second, 10*time.Millisecond)
		require.Zero(t, b.count(`select count(*) from operations where status = 'pending'`))
		b.reconciled()
	}
}
