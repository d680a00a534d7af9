package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTrustLimits(t *testing.T) {
	setAPI(t)
	c, err := LoadAPI()
	require.NoError(t, err)
	require.Equal(t, TrustLimits{
		New: TrustLimit{1000_00, 2000_00, 500_00}, Basic: TrustLimit{5000_00, 15_000_00, 5000_00},
		Established: TrustLimit{25_000_00, 50_000_00, 25_000_00},
	}, c.TrustLimits)

	for value, limits := range map[string]TrustLimits{
		"off": {},
		"trusted=0/0/0, established=0/9/0,new=0.50/1/2.25,basic=1/2/3": {
			New: TrustLimit{50, 1_00, 2_25}, Basic: TrustLimit{1_00, 2_00, 3_00}, Established: TrustLimit{0, 9_00, 0},
		},
	} {
		t.Run(value, func(t *testing.T) {
			t.Setenv("TRUST_LIMITS", value)
			c, err := LoadAPI()
			require.NoError(t, err)
			require.Equal(t, limits, c.TrustLimits)
		})
	}
}
