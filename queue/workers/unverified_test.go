package workers

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// No email is sent to an unverified address, so the notification does not mention one but asks the
// owner to verify the address.
func TestRequestWithdraw_unverified_email(t *testing.T) {
	t.Parallel()
	f := newWithdrawalFixture(t)
	f.set("is_verified", false)
	f.withdrawal(f.owner, 40_00)
	text, _ := f.told(f.owner)
	require.Contains(t, text, "Verify your email address, and we email you a link that confirms it.")
	f.set("is_verified", true)
	f.withdrawal(f.owner, 30_00)
	text, _ = f.told(f.owner)
	require.Contains(t, text, "You can confirm it right away with the link in your email.")
}
