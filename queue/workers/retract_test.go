package workers

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/testing/soak"
)

// retractRounds is how often a retraction races each of the decisions about a deposit.
var retractRounds = soak.Rounds(4, 200)

// handled runs the operation to its end and returns its refusal.
func (f *fixture) handled(op operations.Operation, err error) error {
	if err == nil {
		op, err = f.waiter.Wait(f.t.Context(), op)
	}
	if err != nil {
		return err
	}
	if op.Status == operations.Pending {
		return errors.New("still pending")
	}
	return op.Err()
}

// race retracts a deposit while somebody else decides about it. Exactly one of them wins: the
// deposit has the outcome of the winner, and the loser is told so.
func (f *fixture) race(user uuid.UUID, amount money.Cents, won wallet.ReasonCode, decide func(d wallet.Deposit) (bool, error)) {
	f.t.Helper()
	ctx := f.t.Context()
	retractions := 0
	for range retractRounds {
		d := f.report(user, amount)
		var decided bool
		var decideErr, retractErr error
		var group sync.WaitGroup
		group.Go(func() { decided, decideErr = decide(d) })
		group.Go(func() { _, retractErr = f.wallet.RetractDeposit(ctx, user, d.ID) })
		group.Wait()
		after, err := f.wallet.GetDeposit(ctx, d.ID)
		require.NoError(f.t, err)
		if decideErr != nil {
			require.Contains(f.t, []fault.Code{fault.AlreadyHandled, fault.Conflict}, fault.CodeOf(decideErr), "%v", decideErr)
		}
		if retractErr == nil {
			retractions++
			require.False(f.t, decided, "both win")
			require.Equal(f.t, wallet.Retracted, after.ReasonCode)
			again, err := f.claim(user, wallet.Bkash, d.TransactionID)
			require.NoError(f.t, err, "the transaction ID is free")
			_, err = f.wallet.RetractDeposit(ctx, user, again.ID)
			require.NoError(f.t, err)
			continue
		}
		require.Equal(f.t, fault.Conflict, fault.CodeOf(retractErr), "%v", retractErr)
		require.True(f.t, decided, "neither wins: %v", decideErr)
		require.Equal(f.t, won, after.ReasonCode)
		require.NotEqual(f.t, wallet.DepositPending, after.Status)
	}
	f.t.Logf("%d of %d rounds were won by the retraction", retractions, retractRounds)
}

func TestRetractDeposit_against_approval(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	user, admin := f.user("nusrat"), f.admin("admin")
	credited := money.Cents(0)
	f.race(user, 10_00, wallet.NoReason, func(d wallet.Deposit) (bool, error) {
		err := f.handled(f.approve(admin, d, 10_00, ""))
		if err == nil {
			credited += 10_00
		}
		return err == nil, err
	})
	require.Equal(t, credited, f.balance(user))
	f.reconciled()
}

func TestRetractDeposit_against_second_admin(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, first, second := f.user("nusrat"), f.admin("first"), f.admin("second")
	credited := money.Cents(0)
	f.race(user, 1200_00, wallet.NoReason, func(d wallet.Deposit) (bool, error) {
		_, err := f.wallet.Approve(ctx, first, d.ID, wallet.Approval{Amount: 1200_00, UserID: user}, nil)
		if err == nil {
			err = f.handled(f.wallet.ConfirmCredit(ctx, second, d.ID, 1200_00, nil))
		}
		if err == nil {
			credited += 1200_00
		}
		return err == nil, err
	})
	require.Equal(t, credited, f.balance(user))
	f.reconciled()
}

func TestRetractDeposit_against_rejection(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user, admin := f.user("nusrat"), f.admin("admin")
	f.race(user, 10_00, wallet.NotFound, func(d wallet.Deposit) (bool, error) {
		_, err := f.wallet.RejectDeposit(t.Context(), admin, d.ID, wallet.Rejection{Code: wallet.NotFound})
		return err == nil, err
	})
	require.Zero(t, f.balance(user))
	f.reconciled()
}

func TestRetractDeposit_against_expiry(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user := f.user("nusrat")
	service := *f.wallet
	service.DB = f.db.Worker()
	settler := &wallet.Settler{Service: &service, DepositClaimTTL: time.Hour}
	f.race(user, 10_00, wallet.Expired, func(d wallet.Deposit) (bool, error) {
		_, err := f.db.Owner().Exec(t.Context(), `update deposits set created_at = created_at - interval '2 hours' where id = $1`, d.ID)
		if err != nil {
			return false, err
		}
		expired, err := settler.ExpireDeposits(t.Context())
		return expired == 1, err
	})
	require.Zero(t, f.balance(user))
	f.reconciled()
}
