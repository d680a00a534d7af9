package workers

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"amanat/internal/app/actor"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/internal/testing/soak"
	"amanat/queue/jobs"
)

func (f *fixture) proposed(by actor.Actor, user uuid.UUID, amount money.Cents) wallet.Adjustment {
	f.t.Helper()
	a, err := f.wallet.ProposeAdjustment(f.t.Context(), by,
		wallet.AdjustmentProposal{UserID: user, Amount: amount, Reason: "A deposit was credited twice."}, nil)
	require.NoError(f.t, err)
	return a
}

func (f *fixture) confirmed(admin, id uuid.UUID) error {
	return f.handled(f.wallet.ConfirmAdjustment(f.t.Context(), admin, id, nil))
}

func (f *fixture) adjustment(id uuid.UUID) wallet.Adjustment {
	f.t.Helper()
	a, err := f.wallet.GetAdjustment(f.t.Context(), id)
	require.NoError(f.t, err)
	return a
}

// posted returns how many transfers a correction has.
func (f *fixture) posted(id uuid.UUID) int {
	f.t.Helper()
	return f.count(`select count(*) from ledger.transfers where key like 'adjustment:' || $1::text || ':%'`, id)
}

func TestAdjustment_confirmed(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	user, first, second := f.user("nusrat"), f.admin("first"), f.admin("second")
	a := f.proposed(actor.User(first), user, 12_50)
	f.queues.require(1, realtime.WorklistAdjustments, a.ID)
	require.Zero(t, f.balance(user))
	require.Zero(t, f.count(`select count(*) from operations`))
	require.Eventually(t, func() bool {
		return f.count(`select count(*) from notifications where kind = 'admin_adjustment' and user_id = $1`, second) == 1
	}, 10*time.Second, 10*time.Millisecond)
	require.Zero(t, f.count(`select count(*) from notifications where user_id in ($1, $2)`, first, user))
	text, link := f.told(second)
	require.Equal(t, "first proposes to correct the balance of nusrat by $12.50. Another admin has to confirm it.", text)
	require.Equal(t, "/admin/adjustments?review="+a.ID.String(), link)

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
		select count(*) from audit_log where action = 'adjustment.confirm' and actor_id = $1 and details->>'proposedBy' = $2::text`,
		second, first))
	require.Equal(t, 2, f.count(`select count(*) from audit_log where action = 'adjustment.propose'`))
	require.Equal(t, 2, f.count(`select count(*) from ledger.transfers where reason = 'A deposit was credited twice.'`), "for the statement")
	f.reconciled()
}

func TestAdjustment_refused_proposals(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	user, first := f.user("nusrat"), f.admin("first")
	by := actor.User(first)
	closed := f.user("gone")
	_, err := f.db.Owner().Exec(ctx, `update users set closed_at = now(), disabled_at = now() where id = $1`, closed)
	require.NoError(t, err)
	why := "A deposit was credited twice."
	type proposal = wallet.AdjustmentProposal
	for name, c := range map[string]struct {
		proposal proposal
		code     fault.Code
		field    string
	}{
		"own wallet":        {proposal{UserID: first, Amount: 1, Reason: why}, fault.Forbidden, ""},
		"no amount":         {proposal{UserID: user, Reason: why}, fault.Invalid, "amount"},
		"too large":         {proposal{UserID: user, Amount: wallet.MaxAdjustment + 1, Reason: why}, fault.Invalid, "amount"},
		"too large a debit": {proposal{UserID: user, Amount: -wallet.MaxAdjustment - 1, Reason: why}, fault.Invalid, "amount"},
		"no reason":         {proposal{UserID: user, Amount: 1, Reason: " \n"}, fault.Invalid, "reason"},
		"long reason":       {proposal{UserID: user, Amount: 1, Reason: strings.Repeat("ক", 201)}, fault.Invalid, "reason"},
		"long note":         {proposal{UserID: user, Amount: 1, Reason: why, Note: strings.Repeat("ক", 501)}, fault.Invalid, "note"},
		"nobody":            {proposal{UserID: uuid.New(), Amount: 1, Reason: why}, fault.Invalid, "userId"},
		"closed account":    {proposal{UserID: closed, Amount: 1, Reason: why}, fault.Invalid, "userId"},
		"below zero":        {proposal{UserID: user, Amount: -1, Reason: why}, fault.InsufficientBalance, ""},
	} {
		_, err := f.wallet.ProposeAdjustment(ctx, by, c.proposal, nil)
		require.Equal(t, c.code, fault.CodeOf(err), name)
		if c.field != "" {
			require.Contains(t, fault.As(err).Fields, c.field, name)
		}
	}
	require.Zero(t, f.count(`select count(*) from adjustments`))
}

func TestAdjustment_rejected_or_withdrawn(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, first, second := f.user("nusrat"), f.admin("first"), f.admin("second")
	by := actor.User(first)
	// An admin decides neither about their own wallet nor about their own proposal, and at most
	// three are open.
	own := f.proposed(by, second, 5_00)
	_, err := f.wallet.RejectAdjustment(ctx, second, own.ID, "No.")
	require.Equal(t, fault.Forbidden, fault.CodeOf(err))
	require.Equal(t, fault.Forbidden, fault.CodeOf(f.confirmed(second, own.ID)))
	_, err = f.wallet.RejectAdjustment(ctx, first, own.ID, "No.")
	require.Equal(t, fault.Forbidden, fault.CodeOf(err))
	_, err = f.wallet.WithdrawAdjustment(ctx, second, own.ID)
	require.Equal(t, fault.Forbidden, fault.CodeOf(err))
	f.proposed(by, second, 5_00)
	f.proposed(by, second, 5_00)
	_, err = f.wallet.ProposeAdjustment(ctx, by, wallet.AdjustmentProposal{UserID: second, Amount: 1, Reason: "A check."}, nil)
	require.Equal(t, fault.Conflict, fault.CodeOf(err))
	withdrawn, err := f.wallet.WithdrawAdjustment(ctx, first, own.ID)
	require.NoError(t, err)
	require.Equal(t, wallet.AdjustmentWithdrawn, withdrawn.Status)
	f.proposed(by, second, 5_00)

	rejected := f.proposed(by, user, 5_00)
	_, err = f.wallet.RejectAdjustment(ctx, second, rejected.ID, " ")
	require.Contains(t, fault.As(err).Fields, "reason")
	rejected, err = f.wallet.RejectAdjustment(ctx, second, rejected.ID, "It was credited once.")
	require.NoError(t, err)
	require.Equal(t, wallet.AdjustmentRejected, rejected.Status)
	require.Equal(t, "It was credited once.", *rejected.Decision)
	require.Equal(t, fault.AlreadyHandled, fault.CodeOf(f.confirmed(second, rejected.ID)))
	require.Zero(t, f.count(`select count(*) from ledger.transfers`))
	for _, action := range []string{"adjustment.reject", "adjustment.withdraw"} {
		require.Equal(t, 1, f.count(`select count(*) from audit_log where action = $1`, action), action)
	}
	f.reconciled()
}

func TestAdjustment_operator(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	user, admin := f.user("nusrat"), f.admin("admin")
	a := f.proposed(actor.Operator(), user, 7_00)
	require.Nil(t, a.ProposedBy)
	require.Eventually(t, func() bool {
		return f.count(`select count(*) from notifications where kind = 'admin_adjustment_operator' and user_id = $1`, admin) == 1
	}, 10*time.Second, 10*time.Millisecond)
	_, err := f.wallet.WithdrawAdjustment(t.Context(), admin, a.ID)
	require.Equal(t, fault.Forbidden, fault.CodeOf(err))
	require.NoError(t, f.confirmed(admin, a.ID))
	require.EqualValues(t, 7_00, f.balance(user))
	f.reconciled()
}

// What is true when a correction is confirmed may have changed when it settles.
func TestAdjustment_refused_when_it_settles(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, first, second := f.user("nusrat"), f.admin("first"), f.admin("second")
	f.fund(user, first, 10_00)
	refused := func(amount money.Cents, change, undo string, code fault.Code) {
		t.Helper()
		a := f.proposed(actor.User(first), user, amount)
		resume := f.pause()
		op, err := f.wallet.ConfirmAdjustment(ctx, second, a.ID, nil)
		require.NoError(t, err)
		_, err = f.wallet.RejectAdjustment(ctx, second, a.ID, "Changed my mind.")
		require.Equal(t, fault.Conflict, fault.CodeOf(err), "it is being confirmed")
		_, err = f.wallet.WithdrawAdjustment(ctx, first, a.ID)
		require.Equal(t, fault.Conflict, fault.CodeOf(err), "it is being confirmed")
		_, err = f.db.Owner().Exec(ctx, change)
		require.NoError(t, err)
		resume()
		f.refusedWith(op, code, "")
		require.Equal(t, wallet.AdjustmentOpen, f.adjustment(a.ID).Status)
		require.Zero(t, f.posted(a.ID))
		_, err = f.db.Owner().Exec(ctx, undo)
		require.NoError(t, err)
		_, err = f.wallet.WithdrawAdjustment(ctx, first, a.ID)
		require.NoError(t, err)
	}
	refused(1_00, `update users set is_admin = false where username = 'first'`, `update users set is_admin = true where username = 'first'`,
		fault.Conflict)
	refused(1_00, `update users set is_admin = false where username = 'second'`, `update users set is_admin = true where username = 'second'`,
		fault.Forbidden)
	refused(1_00, `update users set closed_at = now(), disabled_at = now() where username = 'nusrat'`,
		`update users set closed_at = null, disabled_at = null where username = 'nusrat'`,
		fault.Conflict)

	// The balance falls between the confirmation and the posting.
	a := f.proposed(actor.User(first), user, -10_00)
	resume := f.pause()
	spent := f.proposed(actor.User(first), user, -1_00)
	one, err := f.wallet.ConfirmAdjustment(ctx, second, spent.ID, nil)
	require.NoError(t, err)
	all, err := f.wallet.ConfirmAdjustment(ctx, second, a.ID, nil)
	require.NoError(t, err)
	resume()
	outcomes := []error{f.handled(one, nil), f.handled(all, nil)}
	require.Contains(t, outcomes, nil)
	for _, err := range outcomes {
		if err != nil {
			require.Equal(t, fault.InsufficientBalance, fault.CodeOf(err))
			require.Positive(t, fault.As(err).Shortfall)
		}
	}
	require.Equal(t, 1, f.posted(a.ID)+f.posted(spent.ID))
	f.reconciled()
}

func TestAdjustment_forged_operations(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	user, first := f.user("nusrat"), f.admin("first")
	a := f.proposed(actor.User(first), user, 5_00)
	subject := operations.Adjustment(a.ID)
	for name, op := range map[string]operations.Operation{
		"by the system":     f.insertedByTheAPI(jobs.KindBalanceAdjust, operations.Adjustment(uuid.New()), actor.System(), `{}`),
		"by the user":       f.insertedByTheAPI(jobs.KindBalanceAdjust, operations.Adjustment(uuid.New()), actor.User(user), `{}`),
		"with an amount":    f.insertedByTheAPI(jobs.KindBalanceAdjust, operations.Adjustment(uuid.New()), actor.User(first), `{"amount": 1}`),
		"of nothing":        f.insertedByTheAPI(jobs.KindBalanceAdjust, operations.Adjustment(uuid.New()), actor.User(first), `{}`),
		"by the proposer":   f.insertedByTheAPI(jobs.KindBalanceAdjust, subject, actor.User(first), `{}`),
		"without a subject": f.insertedByTheAPI(jobs.KindBalanceAdjust, "adjustment", actor.User(first), `{}`),
	} {
		require.Error(t, f.handled(op, nil), name)
	}
	require.Zero(t, f.count(`select count(*) from ledger.transfers`))
	f.reconciled()
}

func TestAdjustment_expiry(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, first, second := f.user("nusrat"), f.admin("first"), f.admin("second")
	forgotten, confirming := f.proposed(actor.User(first), user, 5_00), f.proposed(actor.User(first), user, 6_00)
	f.clock.Advance(71 * time.Hour)
	f.work(jobs.AdjustmentExpiry)
	require.Equal(t, wallet.AdjustmentOpen, f.adjustment(forgotten.ID).Status)
	resume := f.pause()
	op, err := f.wallet.ConfirmAdjustment(ctx, second, confirming.ID, nil)
	require.NoError(t, err)
	f.clock.Advance(2 * time.Hour)
	require.Equal(t, fault.Conflict, fault.CodeOf(f.confirmed(second, forgotten.ID)), "too late")
	f.work(jobs.AdjustmentExpiry)
	f.work(jobs.AdjustmentExpiry)
	expired := f.adjustment(forgotten.ID)
	require.Equal(t, wallet.AdjustmentExpired, expired.Status)
	require.Nil(t, expired.DecidedBy)
	require.Equal(t, wallet.AdjustmentOpen, f.adjustment(confirming.ID).Status)
	resume()
	f.settled(op, nil)
	require.EqualValues(t, 6_00, f.balance(user), "what was confirmed in time is carried out")
	f.reconciled()
}

// Corrections of any size are posted once, with their amount; a wallet never falls below zero.
func TestAdjustment_amounts(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	user, first, second := f.user("nusrat"), f.admin("first"), f.admin("second")
	balance := money.Cents(0)
	rapid.Check(t, func(r *rapid.T) {
		amount := money.Cents(rapid.Int64Range(1, int64(wallet.MaxAdjustment)).Draw(r, "amount"))
		if rapid.Bool().Draw(r, "debit") {
			amount = -amount
		}
		a, err := f.wallet.ProposeAdjustment(t.Context(), actor.User(first),
			wallet.AdjustmentProposal{UserID: user, Amount: amount, Reason: "A check."}, nil)
		if balance+amount < 0 {
			require.Equal(r, fault.InsufficientBalance, fault.CodeOf(err))
			require.EqualValues(r, -(balance + amount), fault.As(err).Shortfall)
			return
		}
		require.NoError(r, err)
		require.NoError(r, f.confirmed(second, a.ID))
		balance += amount
		require.Equal(r, balance, f.balance(user))
	})
	require.Equal(t, f.count(`select count(*) from adjustments`), f.count(`select count(*) from ledger.transfers`))
	f.reconciled()
}

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
