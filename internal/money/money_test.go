package money_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"amanat/internal/money"
)

// For prices up to ten billion dollars, far beyond the limit: payout and fee add up to the price,
// and the rewards of both parties never exceed the fee.
func TestFee_properties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		price := money.Cents(rapid.Int64Range(1, 1_000_000_000_000).Draw(t, "price"))
		fee, reward := money.Fee(price), money.Reward(price)
		if payout := price - fee; payout < 0 || fee < 0 || payout+fee != price {
			t.Fatalf("price %d: fee %d", price, fee)
		}
		if fee < 2*reward {
			t.Fatalf("price %d: fee %d is less than two rewards of %d", price, fee, reward)
		}
		// Rounded half up: 100·fee is within (-50, 50] of 2·price.
		if diff := int64(fee)*100 - int64(price)*2; diff > 50 || diff <= -50 {
			t.Fatalf("price %d: fee %d is not 2%% rounded half up", price, fee)
		}
		if rest := int64(price) - int64(reward)*100; rest < 0 || rest > 99 {
			t.Fatalf("price %d: reward %d is not 1%% rounded down", price, reward)
		}
	})
}

func TestFee(t *testing.T) {
	t.Parallel()
	for price, fee := range map[money.Cents]money.Cents{
		1: 0, 24: 0, 25: 1, 74: 1, 75: 2, 100: 2, 480_00: 9_60, 1_000_000_000_000: 20_000_000_000,
	} {
		t.Run(price.String(), func(t *testing.T) {
			t.Parallel()
			require.Equal(t, fee, money.Fee(price))
		})
	}
}

func TestReward(t *testing.T) {
	t.Parallel()
	require.Equal(t, money.Cents(0), money.Reward(99))
	require.Equal(t, money.Cents(1), money.Reward(199))
}

func TestParse(t *testing.T) {
	t.Parallel()
	for text, units := range map[string]int64{
		"0": 0, "0.000": 0, "-0": 0, "0e99999999999999999999": 0, "0e-99999999999999999999": 0,
		"1": 100, "12.5": 1250, "12.50": 1250, "0.01": 1, "-3.07": -307, "480.000": 48000, "000001": 100,
		"1e1": 1000, "1.5e1": 1500, "1.5E+1": 1500, "100e-2": 100, "-25e-2": -25, "1e0": 100, "1e-2": 1,
		"0.0001e4": 100, "100000000000000000000e-20": 100,
		"1e13": 1_000_000_000_000_000, "10000000000000": 1_000_000_000_000_000,
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			got, err := money.Parse(text)
			require.NoError(t, err)
			require.Equal(t, units, got)
		})
	}
}

func TestParse_errors(t *testing.T) {
	t.Parallel()
	for want, texts := range map[error][]string{
		money.ErrSyntax: {
			"", "-", ".5", "5.", "1e", "1e+", "1e-", "e1", "1e1.5", "1e+-1", "1e1e1", "1.e1", "+1", " 1", "1,000",
			"১২", `"5"`, "null", "NaN",
		},
		money.ErrDecimals: {"0.001", "9.999", "1e-3", "1.5e-2", "1e-99999999999999999999"},
		money.ErrRange: {
			"1e14", "1e99999999999999999999", "9.9e15", "10000000000000.01", "99999999999999999999999999",
		},
	} {
		for _, text := range texts {
			t.Run(text, func(t *testing.T) {
				t.Parallel()
				_, err := money.Parse(text)
				require.ErrorIs(t, err, want)
			})
		}
	}
}

func TestCents_json_round_trip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amount := money.Cents(rapid.Int64Range(-1_000_000_000_000_000, 1_000_000_000_000_000).Draw(t, "amount"))
		encoded, err := json.Marshal(amount)
		if err != nil {
			t.Fatal(err)
		}
		var decoded money.Cents
		if err := json.Unmarshal(encoded, &decoded); err != nil || decoded != amount {
			t.Fatalf("%d became %s and then %d (%v)", amount, encoded, decoded, err)
		}
	})
}

func TestRate_rounding(t *testing.T) {
	t.Parallel()
	rate := money.Rate(122_47)
	require.EqualValues(t, 122, rate.FloorTaka())
	require.EqualValues(t, 123, rate.CeilTaka())
	require.EqualValues(t, 122, money.Rate(122_00).CeilTaka())
	require.EqualValues(t, 123, money.Rate(122_01).CeilTaka())
	require.EqualValues(t, 122, money.Rate(122_99).FloorTaka())
}

func TestConvert(t *testing.T) {
	t.Parallel()
	taka, err := money.Convert(480_50, 123)
	require.NoError(t, err)
	require.Equal(t, "59101.50", taka.String())
	_, err = money.Convert(1<<60, 1<<10)
	require.ErrorIs(t, err, money.ErrRange)
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"0", "12.34", "-1", "1e9", "1.5e-1", "1e999999999999", "9999999999999999", "0.005", "\"1\""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		units, err := money.Parse(text)
		if err != nil {
			return
		}
		again, err := money.Parse(money.Cents(units).String())
		require.NoError(t, err)
		require.Equal(t, units, again)
	})
}
