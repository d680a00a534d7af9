package referrals

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"amanat/internal/money"
)

func TestRewardOf_never_exceeds_share(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		price := money.Cents(rapid.Int64Range(1, int64(money.MaxPrice)).Draw(rt, "price"))
		fee := rapid.OneOf(
			rapid.Just(money.Fee(price)),
			// Another version may take another fee.
			rapid.Map(rapid.Int64Range(0, int64(price)), func(n int64) money.Cents { return money.Cents(n) }),
		).Draw(rt, "fee")
		share := rapid.IntRange(0, 100).Draw(rt, "share")
		referrers := rapid.IntRange(0, 2).Draw(rt, "referrers")
		each := rewardOf(price, fee, share, referrers)
		all := each * money.Cents(referrers)
		require.GreaterOrEqual(rt, each, money.Cents(0))
		require.LessOrEqual(rt, each, money.Reward(price), "at most the reward of the price")
		require.LessOrEqual(rt, all*100, fee*money.Cents(share), "together within the share")
		require.GreaterOrEqual(rt, fee-all, money.Cents(0), "at most the fee")
		if referrers > 0 && each < money.Reward(price) {
			require.Greater(rt, (each+1)*money.Cents(referrers)*100, fee*money.Cents(share), "as much as the share allows")
		}
	})
	for _, c := range []struct {
		share, referrers int
		each             money.Cents
	}{
		{100, 1, 1_00}, {100, 2, 1_00}, {75, 2, 75}, {75, 1, 1_00}, {50, 2, 50}, {1, 2, 1}, {0, 2, 0}, {0, 1, 0}, {100, 0, 0},
	} {
		t.Run(fmt.Sprintf("%d%% of the fee to %d", c.share, c.referrers), func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.each, rewardOf(100_00, money.Fee(100_00), c.share, c.referrers))
		})
	}
}
