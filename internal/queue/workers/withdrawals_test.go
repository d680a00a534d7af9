package workers

import (
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/wallet"
	"amanat/internal/money/operations"
	"amanat/internal/platform/fault"
)

// vault is a bench with a user who has money, and an admin.
type vault struct {
	*bench
	owner, boss uuid.UUID
}

func newVault(t *testing.T) vault {
	t.Helper()
	b := newBench(t)
	b.start()
	v := vault{b, b.user("tanvir"), b.admin("admin")}
	b.fund(v.owner, v.boss, 100_00)
	return v
}

func (v vault) send(id uuid.UUID) (operations.Operation, error) {
	v.t.Helper()
	w := v.get(id)
	return v.wallet.RequestSend(v.t.Context(), v.boss, id, wallet.Payout{Amount: w.Amount}, nil)
}

func (v vault) get(id uuid.UUID) wallet.QueuedWithdrawal {
	v.t.Helper()
	w, err := v.wallet.GetWithdrawal(v.t.Context(), id)
	require.NoError(v.t, err)
	return w
}

func (v vault) set(column string, value any) {
	v.t.Helper()
	_, err := v.db.Owner().Exec(v.t.Context(), `update users set `+column+` = $1 where id = $2`, value, v.owner)
	require.NoError(v.t, err)
}

func TestTheOwnerCancelsAWithdrawal(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	ctx := t.Context()
	id := v.withdrawal(v.owner, 40_00)
	require.EqualValues(t, 60_00, v.balance(v.owner))
	_, err := v.wallet.RequestCancel(ctx, v.user("rakib"), id, nil)
	require.Equal(t, fault.NotFound, fault.CodeOf(err))

	_, err = v.wallet.ClaimWithdrawal(ctx, v.boss, id)
	require.NoError(t, err)
	_, err = v.wallet.RequestCancel(ctx, v.owner, id, nil)
	require.Equal(t, fault.Conflict, fault.CodeOf(err))
	require.ErrorContains(t, err, "An admin is working on this withdrawal.", "the money may be on its way")
	v.clock.Advance(5*time.Minute + time.Second)

	op := v.settled(v.wallet.RequestCancel(ctx, v.owner, id, nil))
	again := v.settled(v.wallet.RequestCancel(ctx, v.owner, id, nil))
	require.Equal(t, op.ID, again.ID, "it is answered as it is")
	w := v.get(id)
	require.Equal(t, wallet.WithdrawalFailed, w.Status)
	require.NotNil(t, w.CancelledAt)
	require.Nil(t, w.HandledBy)
	require.EqualValues(t, 100_00, v.balance(v.owner))
	text, link := v.told(v.owner)
	require.Equal(t, "Your withdrawal of $40.00 to Bkash 01712345678 is cancelled. The money is back in your balance.", text)
	require.Equal(t, "/balance", link)
	_, err = v.send(id)
	require.Equal(t, fault.AlreadyHandled, fault.CodeOf(err))

	id = v.withdrawal(v.owner, 40_00)
	v.settled(v.wallet.RequestReject(ctx, v.boss, id, "", nil))
	_, err = v.wallet.RequestCancel(ctx, v.owner, id, nil)
	require.Equal(t, fault.Conflict, fault.CodeOf(err), "it is handled")
	v.reconciled()
}

// While the owner's cancellation is on its way no admin takes the row, who might send the money then.
func TestNobodyClaimsAWithdrawalThatIsBeingCancelled(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	id := v.withdrawal(v.owner, 40_00)
	resume := v.pause()
	op, err := v.wallet.RequestCancel(t.Context(), v.owner, id, nil)
	require.NoError(t, err)
	_, err = v.wallet.ClaimWithdrawal(t.Context(), v.boss, id)
	require.Equal(t, operations.ErrBusy(), err)
	resume()
	v.settled(op, nil)
	require.Equal(t, wallet.WithdrawalFailed, v.get(id).Status)
	require.EqualValues(t, 100_00, v.balance(v.owner))
	v.reconciled()
}

// The owner cancels while admins take, send and reject: one of them has its way, and the money is in one place.
func TestCancelSendAndRejectAtOnceAreOne(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	ctx := t.Context()
	other := v.admin("other")
	cancelled := 0
	for range 10 {
		before := v.balance(v.owner)
		id := v.withdrawal(v.owner, 5_00)
		v.confirm(v.owner, id)
		var mu sync.Mutex
		done := map[string]int{}
		var group sync.WaitGroup
		for name, ask := range map[string]func() (operations.Operation, error){
			"cancel": func() (operations.Operation, error) { return v.wallet.RequestCancel(ctx, v.owner, id, nil) },
			"send":   func() (operations.Operation, error) { return v.send(id) },
			"reject": func() (operations.Operation, error) { return v.wallet.RequestReject(ctx, other, id, "", nil) },
			"claim": func() (operations.Operation, error) {
				_, err := v.wallet.ClaimWithdrawal(ctx, other, id)
				if err == nil {
					err = fault.New(fault.Conflict, "claimed") // it moves nothing
				}
				return operations.Operation{}, err
			},
		} {
			group.Go(func() {
				op, err := ask()
				if err == nil {
					op, err = v.waiter.Wait(ctx, op)
				}
				if err == nil && op.Err() == nil {
					mu.Lock()
					defer mu.Unlock()
					done[name]++
				}
			})
		}
		group.Wait()
		total := done["cancel"] + done["send"] + done["reject"]
		require.LessOrEqual(t, total, 1, "%v", done)
		require.Equal(t, total, v.count(`select count(*) from ledger.transfers where key = $1`, "withdrawal:"+id.String()+":settle"))
		want := before - 5_00
		if done["cancel"]+done["reject"] == 1 {
			want = before
		}
		require.Equal(t, want, v.balance(v.owner), "%v", done)
		if total == 0 { // each was refused on account of the others
			v.clock.Advance(5*time.Minute + time.Second)
			v.settled(v.wallet.RequestCancel(ctx, v.owner, id, nil))
		}
		cancelled += done["cancel"]
	}
	t.Logf("cancelled %d of 10", cancelled)
	v.reconciled()
}

func TestAWithdrawalInNewCircumstancesWaits(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	ctx := t.Context()
	day := 24 * time.Hour

	id := v.withdrawal(v.owner, 10_00)
	w := v.get(id)
	require.Equal(t, []wallet.HoldReason{wallet.NewNumber}, w.HeldReasons)
	require.True(t, w.OnHold)
	require.Equal(t, w.RequestedAt.Add(day), *w.HeldUntil)
	_, err := v.send(id)
	require.Equal(t, fault.Conflict, fault.CodeOf(err))
	require.Regexp(t, `^conflict: This withdrawal is held until \d+ \w+ \d{4}, \d\d:\d\d unless its owner confirms it: the number is new\.$`, err.Error())
	_, claimed := v.wallet.ClaimWithdrawal(ctx, v.boss, id)
	require.NoError(t, claimed, "an admin may look, and reject")
	v.clock.Advance(day)
	v.settled(v.send(id))

	id = v.withdrawal(v.owner, 10_00)
	w = v.get(id)
	require.Empty(t, w.HeldReasons, "the number is known")
	require.Equal(t, 1, w.Facts.SentToNumber)
	require.Nil(t, w.HeldUntil)
	v.settled(v.send(id))

	v.set("password_reset_at", v.clock.Now())
	order := wallet.Order{Amount: 10_00, PhoneNumber: "01812345678", Method: wallet.Nagad, NewBrowser: true}
	op := v.settled(v.wallet.RequestWithdraw(ctx, v.owner, order, nil))
	id, err = op.SubjectID()
	require.NoError(t, err)
	require.Equal(t, []wallet.HoldReason{wallet.NewNumber, wallet.PasswordReset, wallet.NewBrowser}, v.get(id).HeldReasons)
	_, err = v.send(id)
	require.ErrorContains(t, err, "the number is new, the password was reset, the browser is new.")
	v.settled(v.wallet.RequestReject(ctx, v.boss, id, "", nil))

	v.clock.Advance(day)
	require.Empty(t, v.get(v.withdrawal(v.owner, 10_00)).HeldReasons, "the reset is a day ago")
	v.reconciled()
}

func TestTheOwnersConfirmationEndsAHold(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	id := v.withdrawal(v.owner, 10_00)
	v.confirm(v.owner, id)
	v.confirm(v.owner, id)
	w := v.get(id)
	require.NotNil(t, w.ConfirmedAt)
	require.False(t, w.OnHold)
	text, _ := v.told(v.owner)
	require.Equal(t, "You confirmed your withdrawal of $10.00 to Bkash 01712345678. It can be sent now.", text)
	require.Equal(t, 1, v.count(`select count(*) from notifications where kind = 'withdrawal_confirmed'`))
	v.settled(v.send(id))
}

// What holds when it is asked for holds when it is settled.
func TestAHoldIsLookedAtWhenTheMoneyLeaves(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	id := v.withdrawal(v.owner, 10_00)
	v.confirm(v.owner, id)
	resume := v.pause()
	op, err := v.send(id)
	require.NoError(t, err)
	_, err = v.db.Owner().Exec(t.Context(), `update withdrawals set confirmed_at = null where id = $1`, id)
	require.NoError(t, err)
	resume()
	op, err = v.waiter.Wait(t.Context(), op)
	require.NoError(t, err)
	require.Equal(t, fault.Conflict, fault.CodeOf(op.Err()))
	v.reconciled()
}

func TestNobodyHasTooManyPendingWithdrawals(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	ctx := t.Context()
	order := wallet.Order{Amount: 1_00, PhoneNumber: "01712345678", Method: wallet.Bkash}
	_, err := v.wallet.RequestWithdraw(ctx, v.owner, wallet.Order{Amount: 99, PhoneNumber: "01712345678", Method: wallet.Bkash}, nil)
	require.Equal(t, fault.Invalid, fault.CodeOf(err))
	require.Equal(t, map[string]string{"amount": "The least withdrawal is $1.00."}, fault.As(err).Fields)

	// All are asked for before any is settled.
	resume := v.pause()
	var asked []operations.Operation
	for range 8 {
		op, err := v.wallet.RequestWithdraw(ctx, v.owner, order, nil)
		require.NoError(t, err)
		asked = append(asked, op)
	}
	resume()
	var made []uuid.UUID
	for _, op := range asked {
		op, err := v.waiter.Wait(ctx, op)
		require.NoError(t, err)
		if op.Err() != nil {
			require.Equal(t, fault.Conflict, fault.CodeOf(op.Err()))
			require.ErrorContains(t, op.Err(), "At most 5 withdrawals can wait at a time.")
			continue
		}
		id, err := op.SubjectID()
		require.NoError(t, err)
		made = append(made, id)
	}
	require.Len(t, made, 5)
	require.EqualValues(t, 95_00, v.balance(v.owner))
	_, err = v.wallet.RequestWithdraw(ctx, v.owner, order, nil)
	require.Equal(t, fault.Conflict, fault.CodeOf(err), "who asks is told at once")
	v.settled(v.wallet.RequestCancel(ctx, v.owner, made[0], nil))
	v.settled(v.wallet.RequestWithdraw(ctx, v.owner, order, nil))
	v.reconciled()
}
