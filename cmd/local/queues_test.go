package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// queuesAreBusy requires that each of the admin's pages has something to do.
func queuesAreBusy(t *testing.T, admin *person) {
	t.Helper()
	total := func(path string) int {
		var answer struct{ Total int }
		require.NoError(t, admin.call(t.Context(), http.MethodGet, path, nil, &answer))
		return answer.Total
	}
	require.Equal(t, 4, total("/admin/deposits?status=pending"))
	require.Equal(t, 2, total("/admin/deposits?status=Failed"))
	var payouts struct{ Withdrawals []struct{ OnHold bool } }
	require.NoError(t, admin.call(t.Context(), http.MethodGet, "/admin/withdrawals?status=pending", nil, &payouts))
	held := 0
	for _, payout := range payouts.Withdrawals {
		if payout.OnHold {
			held++
		}
	}
	require.Equal(t, []int{3, 1}, []int{len(payouts.Withdrawals), held}, "pending withdrawals, and those on hold")
	require.Equal(t, 1, total("/admin/reports?status=open"))
	require.Equal(t, 1, total("/admin/disputes?status=open"))
	for _, path := range []string{"/admin/bug-reports", "/admin/contact-messages"} {
		var rows []resource
		require.NoError(t, admin.call(t.Context(), http.MethodGet, path, nil, &rows))
		require.Len(t, rows, 1, path)
	}
}
