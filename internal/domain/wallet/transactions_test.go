package wallet_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

// claim reports a deposit of 80 dollars with a transaction ID.
func (f fixture) claim(t *testing.T, userID uuid.UUID, method, transaction string) (wallet.Deposit, error) {
	t.Helper()
	return f.ReportDeposit(t.Context(), userID, wallet.Report{Amount: 80_00, TransactionID: transaction, Method: method}, nil)
}

// The number of a payout that an admin has asked to book is no deposit, whatever the method and
// whatever has become of the request: the payment method shows it to the recipient before the
// request settles.
func TestReportDeposit_payout_transaction(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.db.Fund(f.owner, 50_00)
	refused := func(transaction string) {
		t.Helper()
		for _, method := range []string{wallet.Bkash, wallet.Nagad} {
			_, err := f.claim(t, f.owner, method, transaction)
			requireCode(t, fault.Duplicate, err)
			require.ErrorContains(t, err, "This transaction ID belongs to a payment that Amanat sent.")
			require.Contains(t, fault.As(err).Fields, "transactionId")
		}
	}
	op, err := f.RequestSend(t.Context(), f.admin, f.payable(t), wallet.Payout{Amount: 10_00, TransactionID: "8N7A6D5EE7"}, nil)
	require.NoError(t, err)
	refused("8N7A6D5EE7")
	f.settled(t, op, nil)
	refused("8n7a6d5ee7")

	op, err = f.RequestSend(t.Context(), f.admin, f.payable(t), wallet.Payout{Amount: 10_00, TransactionID: "8N7A6D5EE8"}, nil)
	require.NoError(t, err)
	f.exec(t, `update users set disabled_at = now() where id = @id`, postgres.Args{"id": f.admin})
	require.Error(t, f.worker.Settle(t, op.ID).Err())
	refused("8N7A6D5EE8")
}

func TestRequestSend_refuses_deposit_transaction(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.db.Fund(f.owner, 50_00)
	first, second := f.payable(t), f.payable(t)
	d, err := f.claim(t, f.owner, wallet.Bkash, "CKJ8T2WV5C")
	require.NoError(t, err)
	payout := wallet.Payout{Amount: 10_00, TransactionID: "ckj8t2wv5c"}
	_, err = f.RequestSend(t.Context(), f.admin, first, payout, nil)
	requireCode(t, fault.Duplicate, err)
	_, err = f.RejectDeposit(t.Context(), f.admin, d.ID, wallet.Rejection{})
	require.NoError(t, err)
	op, err := f.RequestSend(t.Context(), f.admin, first, payout, nil)
	f.settled(t, op, err)
	_, err = f.RequestSend(t.Context(), f.admin, second, payout, nil)
	requireCode(t, fault.Duplicate, err)
}

func TestReportDeposit_disputed(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	thief, late := f.user(t, "thief"), f.user(t, "late")
	stolen, err := f.claim(t, thief, wallet.Bkash, "9BX4T2WVQK")
	require.NoError(t, err)
	require.False(t, stolen.Disputed)
	_, err = f.claim(t, thief, wallet.Nagad, "9bx4t2wvqk")
	requireCode(t, fault.Duplicate, err)
	paid, err := f.claim(t, f.owner, wallet.Nagad, "9bx4t2wvqk")
	require.NoError(t, err)
	require.True(t, paid.Disputed)
	list, _, err := f.ListDeposits(ctx, thief, postgres.Page{Limit: 10})
	require.NoError(t, err)
	require.True(t, list[0].Disputed, "both are")

	seen, err := f.GetDeposit(ctx, paid.ID)
	require.NoError(t, err)
	require.Len(t, seen.Rivals, 1)
	require.Equal(t, stolen.ID, seen.Rivals[0].ID)
	require.Equal(t, "thief", seen.Rivals[0].User.Username)
	require.Equal(t, wallet.Bkash, seen.Rivals[0].Method)
	require.False(t, seen.Rivals[0].UserSince.IsZero())

	// Two admins approve at once. The later one is refused when it settles.
	first, err := f.approve(t, paid, 80_00, "")
	require.NoError(t, err)
	second, err := f.Approve(ctx, f.second, stolen.ID, wallet.Approval{Amount: 80_00, UserID: thief}, nil)
	require.NoError(t, err)
	f.settled(t, first, nil)
	const credited = "The payment with this transaction ID was credited to rahim."
	require.ErrorContains(t, f.worker.Settle(t, second.Operation.ID).Err(), credited)
	_, err = f.Approve(ctx, f.second, stolen.ID, wallet.Approval{Amount: 80_00, UserID: thief}, nil)
	requireCode(t, fault.Conflict, err)
	require.ErrorContains(t, err, credited)
	latest, err := f.claim(t, late, wallet.Bkash, "9BX4T2WVQK")
	require.NoError(t, err)
	require.True(t, latest.Disputed, "also against a credited one")
	_, err = f.RejectDeposit(ctx, f.second, stolen.ID, wallet.Rejection{Reason: "Not yours."})
	require.NoError(t, err)
	seen, err = f.GetDeposit(ctx, stolen.ID)
	require.NoError(t, err)
	require.False(t, seen.Disputed)
	require.Empty(t, seen.Rivals)
	again, err := f.claim(t, thief, wallet.Bkash, "9BX4T2WVQK")
	require.NoError(t, err, "a failed claim frees the number")
	seen, err = f.GetDeposit(ctx, again.ID)
	require.NoError(t, err)
	require.Equal(t, 1, seen.SameTransactionID)
	require.Equal(t, []string{"rahim", "late"}, []string{seen.Rivals[0].User.Username, seen.Rivals[1].User.Username})
	f.reconciled(t)
}
