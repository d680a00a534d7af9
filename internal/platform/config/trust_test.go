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
		New: TrustLimit{200_00, 500_00, 200_00}, Basic: TrustLimit{1000_00, 3000_00, 1000_00},
		Established: TrustLimit{10_000_00, 30_000_00, 10_000_00},
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
