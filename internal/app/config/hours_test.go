package config

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestHours(t *testing.T) {
	t.Parallel()
	for text, tc := range map[string]struct {
		from, to time.Duration // bounds
	}{
		"09:00-23:00": {9 * time.Hour, 23 * time.Hour},
		"18:30-02:15": {18*time.Hour + 30*time.Minute, 26*time.Hour + 15*time.Minute},
		"18:00-00:00": {18 * time.Hour, 24 * time.Hour},
		"18:00-24:00": {18 * time.Hour, 24 * time.Hour},
		"00:00-24:00": {0, 24 * time.Hour},
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			var h Hours
			require.NoError(t, h.UnmarshalText([]byte(text)))
			from, to := h.Bounds()
			require.Equal(t, []time.Duration{tc.from, tc.to}, []time.Duration{from, to})
			require.Equal(t, text, h.String())
		})
	}
	from, to := Hours{}.Bounds()
	require.Equal(t, 24*time.Hour, to-from)
	require.Equal(t, "00:00-24:00", Hours{}.String())
}
