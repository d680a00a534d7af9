package wallet

import (
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/app/actor"
	"amanat/internal/money"
)

// A change of more than 10% needs a confirmation; one of exactly 10% does not.
func TestNeedsConfirmation(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		present, next money.Rate
		needs         bool
	}{
		"the same":                     {120_00, 120_00, false},
		"a tenth up":                   {120_00, 132_00, false},
		"a poisha beyond":              {120_00, 132_01, true},
		"a tenth down":                 {120_00, 108_00, false},
		"a poisha below":               {120_00, 107_99, true},
		"a digit too many":             {120_00, 1200_00, true},
		"a digit too few":              {120_00, 12_00, true},
		"a tenth that does not divide": {1_05, 1_15, false},
		"beyond what does not divide":  {1_05, 1_16, true},
		"from the least to the most":   {minRate, maxRate, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.needs, needsConfirmation(tc.present, tc.next))
		})
	}
}

// An implausible rate never reaches the database.
func TestSetRate_bounds(t *testing.T) {
	t.Parallel()
	for name, rate := range map[string]money.Rate{"none": 0, "negative": -122_40, "too low": 99, "too high": 100_000_01} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requireField(t, "usdToBdt", "Enter a valid rate", (&Service{}).SetRate(t.Context(), actor.User(admin.ID), rate, true))
		})
	}
}
