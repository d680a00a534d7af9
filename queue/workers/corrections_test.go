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
	"amanat/internal/realtime"
	"amanat/internal/testing/soak"
	"amanat/queue/jobs"
)

func (f *fixture) proposed(by actor.Actor, user uuid.UUID, amount money.Cents) wallet.Correction {
	f.t.Helper()
	a, err := f.wallet.ProposeCorrection(f.t.Context(), by,
		wallet.CorrectionProposal{UserID: user, Amount: amount, Reason: "A deposit was credited twice."}, nil)
	require.NoError(f.t, err)
	return a
}

func (f *fixture) confirmed(admin, id uuid.UUID) error {
	return f.handled(f.wallet.ConfirmCorrection(f.t.Context(), admin, id, nil))
}

func (f *fixture) correction(id uuid.UUID) wallet.Correction {
	f.t.Helper()
	a, err := f.wallet.GetCorrection(f.t.Context(), id)
	require.NoError(f.t, err)
	return a
}

// posted returns how many transfers a correction has.
func (f *fixture) posted(id uuid.UUID) int {
	f.t.Helper()
	return f.count(`select count(*) from ledger.transfers where key like 'correction:' || $1::text || ':%'`, id)
}

func TestCorrection_confirmed(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	user, first, second := f.user("nusrat"), f.admin("first"), f.admin("second")
	a := f.proposed(actor.User(first), user, 12_50)
	f.queues.require(1, realtime.WorklistCorrections, a.ID)
	require.Zero(t, f.balance(user))
	require.Zero(t, f.count(`select count(*) from operations`))
	require.Eventually(t, func() bool {
		return f.count(`select count(*) from notifications where kind = 'admin_correction' and user_id = $1`, second) == 1
	}, 10*time.Second, 10*time.Millisecond)
	require.Zero(t, f.count(`select count(*) from notifications where user_id in ($1, $2)`, first, user))
	text, link := f.told(second)
	require.Equal(t, "first proposes to correct the balance of nusrat by $12.50. Another admin has to confirm it.", text)
	require.Equal(t, "/admin/corrections?review="+a.ID.String(), link)

	require.Equal(t, fault.Forbidden, fault.CodeOf(f.confirmed(first, a.ID)), "alone")
	require.NoError(t, f.confirmed(second, a.ID))
	require.EqualValues(t, 12_50, f.balance(user))
	require.Equal(t, fault.AlreadyHandled, fault.CodeOf(f.confirmed(second, a.ID)))
	text, link = f.told(user)
	require.Equal(t, "Your balance was corrected: $12.50 was added. A deposit was credited twice.", text)
	require.Equal(t, "/balance", link)
	f.mailed("Your balance was corrected: $12.50 was added. A deposit was credited twice.")

	require.NoError(t, f.confirmed(first, f.proposed(actor.User(second), user, -2_50).ID))
	require.EqualValues(t, 10_00, f.balance(user))
	text, _ = f.told(user)
	require.Equal(t, "Your balance was corrected: $2.50 was taken off. A deposit was credited twice.", text)
	require.Equal(t, 2, f.count(`select count(*) from user_events where user_id = $1 and type = 'walletUpdated'`, user))
	require.Equal(t, 1, f.count(`
		select count(*) from audit_log where action = 'correction.confirm' and actor_id = $1 and details->>'proposedBy' = $2::text`,
		second, first))
	require.Equal(t, 2, f.count(`select count(*) from audit_log where action = 'correction.propose'`))
	require.Equal(t, 2, f.count(`select count(*) from ledger.transfers where reason = 'A deposit was credited twice.'`), "for the statement")
	f.reconciled()
}

func TestCorrection_expiry(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, first, second := f.user("nusrat"), f.admin("first"), f.admin("second")
	forgotten, confirming := f.proposed(actor.User(first), user, 5_00), f.proposed(actor.User(first), user, 6_00)
	f.clock.Advance(71 * time.Hour)
	f.work(jobs.CorrectionExpiry)
	require.Equal(t, wallet.CorrectionOpen, f.correction(forgotten.ID).Status)
	resume := f.pause()
	op, err := f.wallet.ConfirmCorrection(ctx, second, confirming.ID, nil)
	require.NoError(t, err)
	f.clock.Advance(2 * time.Hour)
	require.Equal(t, fault.Conflict, fault.CodeOf(f.confirmed(second, forgotten.ID)), "too late")
	f.work(jobs.CorrectionExpiry)
	f.work(jobs.CorrectionExpiry)
	expired := f.correction(forgotten.ID)
	require.Equal(t, wallet.CorrectionExpired, expired.Status)
	require.Nil(t, expired.DecidedBy)
	require.Equal(t, wallet.CorrectionOpen, f.correction(confirming.ID).Status)
	resume()
	f.settled(op, nil)
	require.EqualValues(t, 6_00, f.balance(user), "what was confirmed in time is carried out")
	f.reconciled()
}

// correctionRounds is how often a confirmation races each of what else may happen to a correction.
var correctionRounds = soak.Rounds(4, 200)

// raceCorrection confirms corrections while somebody else decides about them. Exactly one of them
// wins, and the money moves once if the correction is confirmed, otherwise not.
func (f *fixture) raceCorrection(user, first, second uuid.UUID, decide func(id uuid.UUID) (won bool, err error)) {
	f.t.Helper()
	balance, confirmations := f.balance(user), 0
	for range correctionRounds {
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
		if f.correction(a.ID).Status == wallet.CorrectionConfirmed {
			posted = 1
			balance += 1_00
		}
		require.Equal(f.t, posted, f.posted(a.ID))
		require.Equal(f.t, balance, f.balance(user))
	}
	f.t.Logf("%d of %d rounds were won by the confirmation", confirmations, correctionRounds)
	f.reconciled()
}

// A confirmation against all else that may happen to a correction meanwhile.
func TestCorrection_confirmation_races(t *testing.T) {
	t.Parallel()
	for name, against := range map[string]func(f *fixture, first, third, id uuid.UUID) (won bool, err error){
		"confirmation": func(f *fixture, _, third, id uuid.UUID) (bool, error) {
			err := f.confirmed(third, id)
			return err == nil, err
		},
		"withdrawal": func(f *fixture, first, _, id uuid.UUID) (bool, error) {
			_, err := f.wallet.WithdrawCorrection(f.t.Context(), first, id)
			return err == nil, err
		},
		"rejection": func(f *fixture, _, third, id uuid.UUID) (bool, error) {
			_, err := f.wallet.RejectCorrection(f.t.Context(), third, id, "No.")
			return err == nil, err
		},
		"expiry": func(f *fixture, _, _, id uuid.UUID) (bool, error) { return f.expiring(id) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.start()
			user, first, second, third := f.user("nusrat"), f.admin("first"), f.admin("second"), f.admin("third")
			f.raceCorrection(user, first, second, func(id uuid.UUID) (bool, error) { return against(f, first, third, id) })
		})
	}
}

// expiring lets the time of a correction run out in a moment, and expires it.
func (f *fixture) expiring(id uuid.UUID) (expired bool, err error) {
	ctx := f.t.Context()
	service := *f.wallet
	service.DB = f.db.Worker()
	settler := &wallet.Settler{Service: &service}
	soon := f.clock.Now().Add(time.Duration(rand.IntN(4000)) * time.Microsecond)
	if _, err := f.db.Owner().Exec(ctx, `update corrections set expires_at = $2 where id = $1 and status = 'open'`, id, soon); err != nil {
		return false, err
	}
	for {
		expired, err := settler.ExpireCorrections(ctx)
		if expired == 1 || err != nil {
			return err == nil, err
		}
		// The worker's own sweep may have expired it.
		if a, err := f.wallet.GetCorrection(ctx, id); err != nil || a.Status != wallet.CorrectionOpen {
			return a.Status == wallet.CorrectionExpired, err
		}
	}
}

// A debit takes what a payment or a withdrawal takes at the same time. One of them gets it.
func TestCorrection_debit_against_payment_and_withdrawal(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, seller, first, second := f.user("nusrat"), f.user("tanvir"), f.admin("first"), f.admin("second")
	wins := map[string]int{}
	for round := range correctionRounds {
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
			_, err := f.wallet.WithdrawCorrection(ctx, first, debit.ID)
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
