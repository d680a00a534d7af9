package totp

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The vectors of RFC 6238, appendix B, cut to six digits.
func TestCode_vectors(t *testing.T) {
	t.Parallel()
	secret := Secret("12345678901234567890")
	for unix, code := range map[int64]string{
		59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037", 20000000000: "353130",
	} {
		require.Equal(t, code, secret.Code(Step(time.Unix(unix, 0))))
	}
}

func TestMatch_accepts_one_step_of_drift(t *testing.T) {
	t.Parallel()
	secret := NewSecret()
	require.Len(t, secret, SecretBytes)
	now := time.Date(2026, 11, 23, 12, 0, 10, 0, time.UTC)
	for offset, accepted := range map[int64]bool{-2: false, -1: true, 0: true, 1: true, 2: false} {
		step, ok := secret.Match(secret.Code(Step(now)+offset), now)
		require.Equal(t, accepted, ok, offset)
		if ok {
			require.Equal(t, Step(now)+offset, step)
		}
	}
	for _, code := range []string{"", "12345", "1234567"} {
		_, ok := secret.Match(code, now)
		require.False(t, ok, code)
	}
}

func TestURI(t *testing.T) {
	t.Parallel()
	secret := Secret("12345678901234567890")
	require.Equal(t, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", secret.String())
	require.Equal(t, "otpauth://totp/Amanat:rahim?issuer=Amanat&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", secret.URI("Amanat", "rahim"))
}
