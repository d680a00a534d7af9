package wallet_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/operations"
)

func TestRequestWithdraw(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, err := f.RequestWithdraw(t.Context(), f.owner, f.order(10_00), nil)
	requireCode(t, fault.InsufficientBalance, err)
	require.EqualValues(t, 10_00, fault.As(err).Shortfall)
	f.db.Fund(f.owner, 50_00)
	order := f.order(10_00)
	order.Taka = new(money.Poisha(1_230_00))
	_, err = f.RequestWithdraw(t.Context(), f.owner, order, nil)
	requireCode(t, fault.RateChanged, err)

	w := f.withdrawal(t)
	require.EqualValues(t, 122, w.Rate, "rounded down")
	require.Equal(t, money.Poisha(1_220_00), w.ConvertedAmount)
	require.Equal(t, money.Cents(40_00), f.balance(t))
	require.True(t, w.OnHold)
	require.Equal(t, []wallet.HoldReason{wallet.NewNumber}, w.HeldReasons)
	require.Equal(t, []catalog.Kind{catalog.WithdrawalHeld}, f.notices(t))

	f.withdrawal(t)
	_, err = f.RequestWithdraw(t.Context(), f.owner, f.order(10_00), nil)
	requireCode(t, fault.Conflict, err)
	require.ErrorContains(t, err, "At most 2 withdrawals can wait at a time.")
	for _, column := range []string{"withdrawals_held_at", "withdrawals_stopped_at"} {
		f.exec(t, `update users set `+column+` = now() where id = @id`, postgres.Args{"id": f.owner})
		_, err = f.RequestWithdraw(t.Context(), f.owner, f.order(10_00), nil)
		requireCode(t, fault.Forbidden, err)
		f.exec(t, `update users set `+column+` = null where id = @id`, postgres.Args{"id": f.owner})
	}
}

// An amount below the minimum is possible if it empties the wallet.
func TestRequestWithdraw_whole_balance(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.db.Fund(f.owner, 40)
	_, err := f.RequestWithdraw(t.Context(), f.owner, f.order(39), nil)
	require.Equal(t, map[string]string{"amount": "The minimum withdrawal is $1.00."}, fault.As(err).Fields)
	op, err := f.RequestWithdraw(t.Context(), f.owner, f.order(40), nil)
	f.settled(t, op, err)
	require.Zero(t, f.balance(t))
}

// What is true of a request may have changed when it settles. It is then refused, and nothing has
// moved.
func TestSettleHold_changed_meanwhile(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.db.Fund(f.owner, 50_00)
	for column, message := range map[string]string{
		"withdrawals_held_at":    "Withdrawals from this account are on hold. Please contact support.",
		"withdrawals_stopped_at": "Withdrawals are stopped until you reset your password with a link that we mail you.",
		"disabled_at":            "This account is disabled.",
	} {
		op, err := f.RequestWithdraw(t.Context(), f.owner, f.order(10_00), nil)
		require.NoError(t, err)
		f.exec(t, `update users set `+column+` = now() where id = @id`, postgres.Args{"id": f.owner})
		refusal := f.worker.Settle(t, op.ID).Err()
		requireCode(t, fault.Forbidden, refusal)
		require.ErrorContains(t, refusal, message)
		f.exec(t, `update users set `+column+` = null where id = @id`, postgres.Args{"id": f.owner})
	}
	require.EqualValues(t, 50_00, f.balance(t))

	// All are requested before any is settled.
	var asked [3]operations.Operation
	for i := range asked {
		var err error
		asked[i], err = f.RequestWithdraw(t.Context(), f.owner, f.order(10_00), nil)
		require.NoError(t, err)
	}
	f.settled(t, asked[0], nil)
	f.settled(t, asked[1], nil)
	require.ErrorContains(t, f.worker.Settle(t, asked[2].ID).Err(), "At most 2 withdrawals can wait at a time.")
	require.EqualValues(t, 30_00, f.balance(t))
	f.reconciled(t)
}

// The rate that was shown is compared for a new request, but not for a repeated one.
func TestRequestWithdraw_repeated_at_changed_rate(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.db.Fund(f.owner, 50_00)
	order, key := f.order(10_00), &idempotency.Key{UserID: &f.owner, Value: "k1"}
	order.Taka = new(money.Poisha(1_220_00))
	made, err := f.RequestWithdraw(t.Context(), f.owner, order, key)
	f.settled(t, made, err)
	require.NoError(t, f.SetRate(t.Context(), actor.Operator(), 123_40, false))
	again, err := f.RequestWithdraw(t.Context(), f.owner, order, key)
	require.NoError(t, err)
	require.Equal(t, made.ID, again.ID)
	_, err = f.RequestWithdraw(t.Context(), f.owner, order, nil)
	requireCode(t, fault.RateChanged, err)
}

// For a day after the operator has reset the second factor, withdrawals are held.
func TestRequestWithdraw_after_reset_of_second_factor(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.db.Fund(f.owner, 50_00)
	reset := func(ago time.Duration) {
		f.exec(t, `update users set second_factor_reset_at = @at where id = @id`,
			postgres.Args{"id": f.owner, "at": f.clock.Now().Add(-ago)})
	}
	reset(23 * time.Hour)
	require.Equal(t, []wallet.HoldReason{wallet.NewNumber, wallet.FactorReset}, f.withdrawal(t).HeldReasons)
	reset(24 * time.Hour)
	require.Equal(t, []wallet.HoldReason{wallet.NewNumber}, f.withdrawal(t).HeldReasons)
}

// A held withdrawal can be sent after the hold ends or the owner confirms it, and never after it is
// disowned.
func TestRequestSend(t *testing.T) {
	t.Parallel()
	payout := wallet.Payout{Amount: 10_00}
	for name, tc := range map[string]struct {
		before func(t *testing.T, f fixture, id uuid.UUID)
		code   fault.Code
	}{
		"on hold":     {func(*testing.T, fixture, uuid.UUID) {}, fault.Conflict},
		"after a day": {func(_ *testing.T, f fixture, _ uuid.UUID) { f.clock.Advance(24 * time.Hour) }, ""},
		"confirmed": {func(t *testing.T, f fixture, id uuid.UUID) {
			t.Helper()
			f.confirm(t, id)
			f.confirm(t, id)
			require.Equal(t, 1, f.count(t, `notifications where kind = 'withdrawal_confirmed'`))
		}, ""},
		"disowned": {func(t *testing.T, f fixture, _ uuid.UUID) { t.Helper(); f.disown(t) }, fault.Conflict},
		"of a user who may not withdraw": {func(t *testing.T, f fixture, id uuid.UUID) {
			t.Helper()
			f.confirm(t, id)
			f.exec(t, `update users set withdrawals_held_at = now() where id = @id`, postgres.Args{"id": f.owner})
		}, fault.Conflict},
		"disowned, after a day": {func(t *testing.T, f fixture, _ uuid.UUID) {
			t.Helper()
			f.disown(t)
			f.clock.Advance(25 * time.Hour)
		}, fault.Conflict},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.db.Fund(f.owner, 50_00)
			w := f.withdrawal(t)
			tc.before(t, f, w.ID)
			_, err := f.RequestSend(t.Context(), f.admin, w.ID, payout, nil)
			requireCode(t, tc.code, err)
		})
	}
}

// What an admin has asked to book was sent, whatever the owner or the operator says afterwards.
func TestSettleSend_stopped_after_request(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.db.Fund(f.owner, 50_00)
	set := func(column string, value any) {
		f.exec(t, `update users set `+column+` = @value where id = @id`, postgres.Args{"id": f.owner, "value": value})
	}
	columns := map[string]string{"stopped": "withdrawals_stopped_at", "held": "withdrawals_held_at", "disabled": "disabled_at"}
	for _, name := range []string{"stopped", "held", "disabled", "disowned"} {
		id := f.payable(t)
		op, err := f.RequestSend(t.Context(), f.admin, id, wallet.Payout{Amount: 10_00}, nil)
		require.NoError(t, err, name)
		if column := columns[name]; column != "" {
			set(column, f.clock.Now())
			f.settled(t, op, nil)
			set(column, nil)
			continue
		}
		f.disown(t)
		f.settled(t, op, nil)
		text, _ := f.told(t)
		require.Equal(t, "Your withdrawal of $10.00 had been sent to 01712345678 when you told us that it was not you: ৳1,220. "+
			"Please contact support.", text)
	}
	require.Equal(t, 4, f.count(t, `withdrawals where status = 'completed'`))
	require.EqualValues(t, 10_00, f.balance(t))
	f.reconciled(t)
}

// Settling does not check the claims of other admins, which they may have made meanwhile.
func TestSettle_ignores_claims(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	f.db.Fund(f.owner, 50_00)
	d := f.report(t, f.owner, "8N7A6D5E4F", 20_00)
	for _, request := range []func(id uuid.UUID) (operations.Operation, error){
		func(uuid.UUID) (operations.Operation, error) { return f.approve(t, d, 20_00, "") },
		func(id uuid.UUID) (operations.Operation, error) {
			return f.RequestSend(ctx, f.admin, id, wallet.Payout{Amount: 10_00}, nil)
		},
		func(id uuid.UUID) (operations.Operation, error) { return f.RequestReject(ctx, f.admin, id, "", nil) },
		func(id uuid.UUID) (operations.Operation, error) { return f.RequestCancel(ctx, f.owner, id, nil) },
	} {
		op, err := request(f.payable(t))
		require.NoError(t, err)
		for _, table := range []string{"deposits", "withdrawals"} {
			f.exec(t, `update `+table+` set claimed_by = @admin, claimed_until = @until where status = 'pending'`,
				postgres.Args{"admin": f.second, "until": f.clock.Now().Add(time.Hour)})
		}
		f.settled(t, op, nil)
	}
}

// An admin has requested the settlement and their claim has expired. Nobody else can claim the row.
func TestClaim_pending_operation(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	f.db.Fund(f.owner, 50_00)
	d := f.report(t, f.owner, "8N7A6D5E4F", 20_00)
	sent, cancelled := f.payable(t), f.payable(t)
	sending, err := f.RequestSend(ctx, f.admin, sent, wallet.Payout{Amount: 10_00, TransactionID: "PAYOUT01"}, nil)
	require.NoError(t, err)
	approving, err := f.approve(t, d, 20_00, "")
	require.NoError(t, err)
	cancelling, err := f.RequestCancel(ctx, f.owner, cancelled, nil)
	require.NoError(t, err)
	f.clock.Advance(5*time.Minute + time.Second)
	for _, admin := range []uuid.UUID{f.admin, f.second} {
		for _, id := range []uuid.UUID{sent, cancelled} {
			_, err = f.ClaimWithdrawal(ctx, admin, id)
			require.Equal(t, operations.ErrBusy(), err)
		}
		_, err = f.ClaimDeposit(ctx, admin, d.ID)
		require.Equal(t, operations.ErrBusy(), err)
	}
	for _, op := range []operations.Operation{sending, approving, cancelling} {
		f.settled(t, op, nil)
	}
	require.EqualValues(t, 60_00, f.balance(t))
	f.reconciled(t)
}

func (f fixture) confirm(t *testing.T, id uuid.UUID) {
	t.Helper()
	require.NoError(t, postgres.WithTx(t.Context(), f.db.API(), func(tx *postgres.Tx) error {
		return f.Confirm(t.Context(), tx, f.owner, id)
	}))
}

func (f fixture) disown(t *testing.T) {
	t.Helper()
	require.NoError(t, postgres.WithTx(t.Context(), f.db.API(), func(tx *postgres.Tx) error {
		return f.Disown(t.Context(), tx, f.owner)
	}))
}

// The owner cannot confirm a disowned withdrawal, but can cancel it and get the money back.
func TestRequestCancel(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.db.Fund(f.owner, 50_00)
	w := f.withdrawal(t)
	f.disown(t)
	requireCode(t, fault.Conflict, postgres.WithTx(t.Context(), f.db.API(), func(tx *postgres.Tx) error {
		return f.Confirm(t.Context(), tx, f.owner, w.ID)
	}))
	_, err := f.RequestCancel(t.Context(), f.admin, w.ID, nil)
	requireCode(t, fault.NotFound, err)
	// The admin may be sending the money for a while after the claim, which renewing it does not
	// end.
	for range 2 {
		_, err = f.ClaimWithdrawal(t.Context(), f.admin, w.ID)
		require.NoError(t, err)
		f.clock.Advance(14 * time.Minute)
		_, err = f.RequestCancel(t.Context(), f.owner, w.ID, nil)
		require.EqualError(t, err, "conflict: An admin may have sent this withdrawal. Please try again in a few minutes.")
	}
	f.clock.Advance(time.Minute)
	op, err := f.RequestCancel(t.Context(), f.owner, w.ID, nil)
	require.NoError(t, err)
	f.settled(t, op, nil)
	require.Equal(t, money.Cents(50_00), f.balance(t))
	require.Contains(t, f.notices(t), catalog.WithdrawalCancelled)
	_, err = f.RequestSend(t.Context(), f.admin, w.ID, wallet.Payout{Amount: 10_00}, nil)
	requireCode(t, fault.AlreadyHandled, err)
}

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
