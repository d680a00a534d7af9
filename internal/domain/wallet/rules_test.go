package wallet

import (
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/lib/fault"
	"amanat/internal/money/operations"
)

// Each rule returns who may request the operation, and refuses params that no call produces.
func TestRules(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		rule   operations.Rule
		params string
		want   operations.Authority // "": refused
	}{
		"credit":           {ApproveRule(), `{"amount":50.00,"reason":""}`, operations.ByAdmin},
		"credit of a word": {ApproveRule(), `{"amount":50.00,"force":true}`, ""},
		"withdrawal": {
			HoldRule(), `{"amount":50.00,"phoneNumber":"01712345678","method":"Bkash","rate":122,"newBrowser":false}`, operations.ByUser,
		},
		"withdrawal for another": {HoldRule(), `{"user":"x"}`, ""},
		"payout":                 {HandlingRule(), `{"transactionId":"","reason":""}`, operations.ByAdmin},
		"payout of a sum":        {HandlingRule(), `{"amount":50.00}`, ""},
		"cancellation":           {CancelRule(), `{}`, operations.ByUser},
		"cancellation by others": {CancelRule(), `{"by":"admin"}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := tc.rule(operations.Operation{Params: []byte(tc.params)})
			if tc.want == "" {
				require.Equal(t, fault.Invalid, fault.CodeOf(err))
				return
			}
			require.NoError(t, err)
			require.Equal(t, tc.want, got)
		})
	}
}
