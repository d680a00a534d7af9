package workers

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/money"
)

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
