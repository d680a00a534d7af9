package workers

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Nothing is mailed to an address that is not verified, so its owner is not told to look for a mail.
func TestAnUnverifiedOwnerIsToldToVerify(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	v.set("is_verified", false)
	v.withdrawal(v.owner, 40_00)
	text, _ := v.told(v.owner)
	require.Contains(t, text, "Verify your email address, and we mail you a link that confirms it.")
	v.set("is_verified", true)
	v.withdrawal(v.owner, 30_00)
	text, _ = v.told(v.owner)
	require.Contains(t, text, "With the link in your mail you confirm it at once.")
}
