package workers

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/actor"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
	"amanat/internal/testing/soak"
)

// adjustRounds is how often a confirmation races each of what else may happen to a correction.
var adjustRounds = soak.Rounds(4, 200)

// raceAdjustment confirms corrections while somebody else decides about them. Exactly one of them
// wins, and the money moves once if the correction is confirmed, otherwise not.
func (f *fixture) raceAdjustment(user, first, second uuid.UUID, decide func(id uuid.UUID) (won bool, err error)) {
	f.t.Helper()
	balance, confirmations := f.balance(user), 0
	for range adjustRounds {
		a := f.proposed(actor.User(first), user, 1_00)
		var won bool
		var decideErr, confirmErr error
		var group sync.WaitGroup
		group.Go(func() { won, decideErr = decide(a.ID) })
		group.Go(func() { confirmErr = f.confirmed(second, a.ID) })
		group.Wait()
		lost := confirmErr
		if confirmErr == nil {
			confirmations++
			lost = decideErr
		}
		require.NotEqual(f.t, confirmErr == nil, won, "confirm: %v, other: %v", confirmErr, decideErr)
		if lost != nil {
			require.Contains(f.t, []fault.Code{fault.AlreadyHandled, fault.Conflict}, fault.CodeOf(lost), "%v", lost)
		}
		posted := 0
		if f.adjustment(a.ID).Status == wallet.AdjustmentConfirmed {
			posted = 1
			balance += 1_00
		}
		require.Equal(f.t, posted, f.posted(a.ID))
		require.Equal(f.t, balance, f.balance(user))
	}
	f.t.Logf("%d of %d rounds were won by the confirmation", confirmations, adjustRounds)
	f.reconciled()
}

func TestAdjustment_confirmation_against_confirmation(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	user, first, second, third := f.user("nusrat"), f.admin("first"), f.admin("second"), f.admin("third")
	f.raceAdjustment(user, first, second, func(id uuid.UUID) (bool, error) {
		err := f.confirmed(third, id)
		return err == nil, err
	})
}

func TestAdjustment_confirmation_against_withdrawal(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	user, first, second := f.user("nusrat"), f.admin("first"), f.admin("second")
	f.raceAdjustment(user, first, second, func(id uuid.UUID) (bool, error) {
		_, err := f.wallet.WithdrawAdjustment(t.Context(), first, id)
		return err == nil, err
	})
}

func TestAdjustment_confirmation_against_rejection(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	user, first, second, third := f.user("nusrat"), f.admin("first"), f.admin("second"), f.admin("third")
	f.raceAdjustment(user, first, second, func(id uuid.UUID) (bool, error) {
		_, err := f.wallet.RejectAdjustment(t.Context(), third, id, "No.")
		return err == nil, err
	})
}

// The time of a correction runs out while it is being confirmed.
func TestAdjustment_confirmation_against_expiry(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, first, second := f.user("nusrat"), f.admin("first"), f.admin("second")
	service := *f.wallet
	service.DB = f.db.Worker()
	settler := &wallet.Settler{Service: &service}
	f.raceAdjustment(user, first, second, func(id uuid.UUID) (bool, error) {
		soon := f.clock.Now().Add(time.Duration(rand.IntN(4000)) * time.Microsecond)
		if _, err := f.db.Owner().Exec(ctx, `update adjustments set expires_at = $2 where id = $1 and status = 'open'`, id, soon); err != nil {
			return false, err
		}
		for {
			expired, err := settler.ExpireAdjustments(ctx)
			if expired == 1 || err != nil {
				return err == nil, err
			}
			// The worker's own sweep may have expired it.
			if a, err := f.wallet.GetAdjustment(ctx, id); err != nil || a.Status != wallet.AdjustmentOpen {
				return a.Status == wallet.AdjustmentExpired, err
			}
		}
	})
}

// A debit takes what a payment or a withdrawal takes at the same time. One of them gets it.
func TestAdjustment_debit_against_payment_and_withdrawal(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, seller, first, second := f.user("nusrat"), f.user("tanvir"), f.admin("first"), f.admin("second")
	wins := map[string]int{}
	for round := range adjustRounds {
		if f.balance(user) == 0 {
			require.NoError(t, f.confirmed(second, f.proposed(actor.User(first), user, 10_00).ID))
		}
		debit := f.proposed(actor.User(first), user, -10_00)
		var debitErr, otherErr error
		var group sync.WaitGroup
		group.Go(func() { debitErr = f.confirmed(second, debit.ID) })
		if round%2 == 0 {
			deal := f.deal(user, seller, 10_00)
			group.Go(func() { otherErr = f.handled(f.deals.RequestPay(ctx, user, deal.ID, deals.AnyTerms, nil)) })
		} else {
			group.Go(func() { otherErr = f.withdrawnAndCancelled(user, 10_00) })
		}
		group.Wait()
		if debitErr == nil {
			wins["debit"]++
			require.Equal(t, 1, f.posted(debit.ID))
		} else {
			wins["other"]++
			require.Equal(t, fault.InsufficientBalance, fault.CodeOf(debitErr), "%v", debitErr)
			require.Zero(t, f.posted(debit.ID))
			_, err := f.wallet.WithdrawAdjustment(ctx, first, debit.ID)
			require.NoError(t, err)
		}
		if otherErr != nil {
			require.Equal(t, fault.InsufficientBalance, fault.CodeOf(otherErr), "%v", otherErr)
			require.NoError(t, debitErr)
		}
		require.GreaterOrEqual(t, f.balance(user), money.Cents(0))
	}
	t.Logf("%v", wins)
	f.reconciled()
}

// withdrawnAndCancelled requests a withdrawal and cancels it again.
func (f *fixture) withdrawnAndCancelled(user uuid.UUID, amount money.Cents) error {
	order := wallet.Order{Amount: amount, PhoneNumber: "01712345678", Method: wallet.Bkash}
	op, err := f.wallet.RequestWithdraw(f.t.Context(), user, order, nil)
	if err := f.handled(op, err); err != nil {
		return err
	}
	id, err := op.SubjectID()
	if err != nil {
		return err
	}
	return f.handled(f.wallet.RequestCancel(f.t.Context(), user, id, nil))
}
