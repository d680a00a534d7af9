package workers

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/devtools/localstack"
	"amanat/internal/domain/accounts"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/operations"
	"amanat/internal/testing/soak"
	"amanat/queue/jobs"
)

// withdrawalFixture is a fixture with a user who has money, and an admin.
type withdrawalFixture struct {
	*fixture
	owner, boss uuid.UUID
}

func newWithdrawalFixture(t *testing.T) withdrawalFixture {
	t.Helper()
	base := newFixture(t)
	base.start()
	f := withdrawalFixture{base, base.user("tanvir"), base.admin("admin")}
	base.fund(f.owner, f.boss, 100_00)
	return f
}

func (f withdrawalFixture) send(id uuid.UUID) (operations.Operation, error) {
	f.t.Helper()
	w := f.get(id)
	return f.wallet.RequestSend(f.t.Context(), f.boss, id, wallet.Payout{Amount: w.Amount}, nil)
}

func (f withdrawalFixture) get(id uuid.UUID) wallet.WorklistWithdrawal {
	f.t.Helper()
	w, err := f.wallet.GetWithdrawal(f.t.Context(), id)
	require.NoError(f.t, err)
	return w
}

func (f withdrawalFixture) set(column string, value any) {
	f.t.Helper()
	_, err := f.db.Owner().Exec(f.t.Context(), `update users set `+column+` = $1 where id = $2`, value, f.owner)
	require.NoError(f.t, err)
}

// No admin can claim the row while the owner's cancellation is pending, since they might send the
// money.
func TestClaimWithdrawal_pending_cancellation(t *testing.T) {
	t.Parallel()
	f := newWithdrawalFixture(t)
	id := f.withdrawal(f.owner, 40_00)
	resume := f.pause()
	op, err := f.wallet.RequestCancel(t.Context(), f.owner, id, nil)
	require.NoError(t, err)
	_, err = f.wallet.ClaimWithdrawal(t.Context(), f.boss, id)
	require.Equal(t, operations.ErrBusy(), err)
	resume()
	f.settled(op, nil)
	require.Equal(t, wallet.WithdrawalFailed, f.get(id).Status)
	require.EqualValues(t, 100_00, f.balance(f.owner))
	f.reconciled()
}

// The owner cancels while admins claim, send and reject. At most one of them succeeds, and the
// money moves once.
func TestRequestCancel_concurrent_send_and_reject(t *testing.T) {
	t.Parallel()
	f := newWithdrawalFixture(t)
	ctx := t.Context()
	other := f.admin("other")
	cancelled := 0
	rounds := soak.Rounds(3, 18)
	for range rounds {
		before := f.balance(f.owner)
		id := f.withdrawal(f.owner, 5_00)
		f.confirm(f.owner, id)
		var mu sync.Mutex
		done := map[string]int{}
		var group sync.WaitGroup
		for name, request := range map[string]func() (operations.Operation, error){
			"cancel": func() (operations.Operation, error) { return f.wallet.RequestCancel(ctx, f.owner, id, nil) },
			"send":   func() (operations.Operation, error) { return f.send(id) },
			"reject": func() (operations.Operation, error) { return f.wallet.RequestReject(ctx, other, id, "", nil) },
			"claim": func() (operations.Operation, error) {
				_, err := f.wallet.ClaimWithdrawal(ctx, other, id)
				if err == nil {
					err = fault.New(fault.Conflict, "claimed", "claimed") // a claim moves no money
				}
				return operations.Operation{}, err
			},
		} {
			group.Go(func() {
				op, err := request()
				if err == nil {
					op, err = f.waiter.Wait(ctx, op)
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
		require.Equal(t, total, f.count(`select count(*) from ledger.transfers where key = $1`, "withdrawal:"+id.String()+":settle"))
		want := before - 5_00
		if done["cancel"]+done["reject"] == 1 {
			want = before
		}
		require.Equal(t, want, f.balance(f.owner), "%v", done)
		if total == 0 { // the claim refused the others
			f.clock.Advance(15*time.Minute + time.Second)
			f.settled(f.wallet.RequestCancel(ctx, f.owner, id, nil))
		}
		cancelled += done["cancel"]
	}
	t.Logf("cancelled %d of %d", cancelled, rounds)
	f.reconciled()
}

func TestConfirm_ends_hold(t *testing.T) {
	t.Parallel()
	f := newWithdrawalFixture(t)
	id := f.withdrawal(f.owner, 10_00)
	f.confirm(f.owner, id)
	f.confirm(f.owner, id)
	w := f.get(id)
	require.NotNil(t, w.ConfirmedAt)
	require.False(t, w.OnHold)
	text, _ := f.told(f.owner)
	require.Equal(t, "You confirmed your withdrawal of $10.00 to bKash 01712345678. It can be sent now.", text)
	require.Equal(t, 1, f.count(`select count(*) from notifications where kind = 'withdrawal_confirmed'`))
	f.settled(f.send(id))
}

// What an admin has asked to book was sent, whatever the owner or the operator says afterwards.
func TestSettleSend_stopped_after_request(t *testing.T) {
	t.Parallel()
	f := newWithdrawalFixture(t)
	ctx := t.Context()
	for name, stop := range map[string]func(){
		"disowned": func() {
			require.NoError(t, postgres.WithTx(ctx, f.db.API(), func(tx *postgres.Tx) error { return f.wallet.Disown(ctx, tx, f.owner) }))
		},
		"stopped":  func() { f.set("withdrawals_stopped_at", f.clock.Now()) },
		"held":     func() { f.set("withdrawals_held_at", f.clock.Now()) },
		"disabled": func() { f.set("disabled_at", f.clock.Now()) },
	} {
		id := f.withdrawal(f.owner, 10_00)
		f.confirm(f.owner, id)
		resume := f.pause()
		op, err := f.send(id)
		require.NoError(t, err, name)
		stop()
		resume()
		f.settled(op, nil)
		require.Equal(t, wallet.WithdrawalCompleted, f.get(id).Status, name)
		if name == "disowned" {
			text, _ := f.told(f.owner)
			require.Equal(t, "Your withdrawal of $10.00 had been sent to 01712345678 when you told us that it was not you: ৳1,220. "+
				"Please contact support.", text)
		} else {
			f.set("withdrawals_stopped_at", nil)
			f.set("withdrawals_held_at", nil)
			f.set("disabled_at", nil)
		}
	}
	require.EqualValues(t, 60_00, f.balance(f.owner))
	f.reconciled()
}

// The admin may be sending the money for a while after the claim, which renewing it does not end.
func TestRequestCancel_claimed(t *testing.T) {
	t.Parallel()
	f := newWithdrawalFixture(t)
	ctx := t.Context()
	id := f.withdrawal(f.owner, 40_00)
	for range 2 {
		_, err := f.wallet.ClaimWithdrawal(ctx, f.boss, id)
		require.NoError(t, err)
		f.clock.Advance(14 * time.Minute)
		_, err = f.wallet.RequestCancel(ctx, f.owner, id, nil)
		require.EqualError(t, err, "conflict: An admin may have sent this withdrawal. Please try again in a few minutes.")
	}
	f.clock.Advance(time.Minute)
	f.settled(f.wallet.RequestCancel(ctx, f.owner, id, nil))
}

// The number of a payout that an admin asked to book is no deposit, even if the request failed.
func TestReportDeposit_failed_payout(t *testing.T) {
	t.Parallel()
	f := newWithdrawalFixture(t)
	ctx := t.Context()
	id := f.withdrawal(f.owner, 40_00)
	f.confirm(f.owner, id)
	resume := f.pause()
	op, err := f.wallet.RequestSend(ctx, f.boss, id, wallet.Payout{Amount: 40_00, TransactionID: "8N7A6D5EE8"}, nil)
	require.NoError(t, err)
	_, err = f.db.Owner().Exec(ctx, `update users set disabled_at = $1 where id = $2`, f.clock.Now(), f.boss)
	require.NoError(t, err)
	resume()
	op, err = f.waiter.Wait(ctx, op)
	require.NoError(t, err)
	require.Equal(t, operations.Rejected, op.Status)
	_, err = f.wallet.ReportDeposit(ctx, f.owner, wallet.Report{Amount: 40_00, TransactionID: "8N7A6D5EE8", Method: wallet.Bkash}, nil)
	require.Equal(t, fault.Duplicate, fault.CodeOf(err))
	require.ErrorContains(t, err, "This transaction ID belongs to a payment that Amanat sent.")
}

func TestRequestWithdraw_pending_limit(t *testing.T) {
	t.Parallel()
	f := newWithdrawalFixture(t)
	ctx := t.Context()
	order := wallet.Order{Amount: 1_00, PhoneNumber: "01712345678", Method: wallet.Bkash}
	_, err := f.wallet.RequestWithdraw(ctx, f.owner, wallet.Order{Amount: 99, PhoneNumber: "01712345678", Method: wallet.Bkash}, nil)
	require.Equal(t, fault.Invalid, fault.CodeOf(err))
	require.Equal(t, map[string]string{"amount": "The minimum withdrawal is $1.00."}, fault.As(err).Fields)

	// All are requested before any is settled.
	resume := f.pause()
	var asked []operations.Operation
	for range 8 {
		op, err := f.wallet.RequestWithdraw(ctx, f.owner, order, nil)
		require.NoError(t, err)
		asked = append(asked, op)
	}
	resume()
	var made []uuid.UUID
	for _, op := range asked {
		op, err := f.waiter.Wait(ctx, op)
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
	require.EqualValues(t, 95_00, f.balance(f.owner))
	_, err = f.wallet.RequestWithdraw(ctx, f.owner, order, nil)
	require.Equal(t, fault.Conflict, fault.CodeOf(err), "the request itself is refused")
	f.settled(f.wallet.RequestCancel(ctx, f.owner, made[0], nil))
	f.settled(f.wallet.RequestWithdraw(ctx, f.owner, order, nil))
	f.reconciled()
}

// letter waits for the email with the subject and returns it with the token of its link.
func (f withdrawalFixture) letter(subject, path string) (mail localstack.Mail, token accounts.Token) {
	f.t.Helper()
	require.Eventually(f.t, func() bool {
		mails := f.mails.Mails()
		i := slices.IndexFunc(mails, func(m localstack.Mail) bool { return m.Subject == subject })
		if i >= 0 {
			mail = mails[i]
		}
		return i >= 0
	}, 10*time.Second, 10*time.Millisecond, subject)
	_, rest, found := strings.Cut(mail.Text, "http://amanat.test"+path+"#token=")
	require.True(f.t, found, mail.Text)
	return mail, accounts.Token(strings.Fields(rest)[0])
}

// people returns the accounts service with the API's database role.
func (f withdrawalFixture) people() *accounts.Service {
	return accounts.New(accounts.Options{DB: f.db.API(), Clock: f.clock, Jobs: f.jobs})
}

func TestWithdrawalMail(t *testing.T) {
	t.Parallel()
	f := newWithdrawalFixture(t)
	f.set("is_verified", true)
	id := f.withdrawal(f.owner, 40_00)

	told, stop := f.letter("A withdrawal of $40.00 from your account", "/not-me")
	require.Contains(t, told.Text, "tanvir asked us to send $40.00 (৳4,880) to bKash 01712345678.")
	asked, confirm := f.letter("Please confirm your withdrawal of $40.00", "/confirm-withdrawal")
	require.Contains(t, asked.Text, "We have never sent you money to this number.")
	require.NotContains(t, asked.Text, "The password was reset")

	people := f.people()
	owner, withdrawal, err := people.WithdrawalToStop(t.Context(), stop)
	require.NoError(t, err)
	require.Equal(t, []uuid.UUID{f.owner, id}, []uuid.UUID{owner, withdrawal})
	_, _, err = people.WithdrawalToStop(t.Context(), confirm)
	require.Equal(t, fault.Invalid, fault.CodeOf(err), "each link is good for one thing")
	_, err = people.ConfirmWithdrawal(t.Context(), stop, f.wallet.Confirm)
	require.Equal(t, fault.Invalid, fault.CodeOf(err))

	_, err = people.ConfirmWithdrawal(t.Context(), confirm, f.wallet.Confirm)
	require.NoError(t, err)
	require.NotNil(t, f.get(id).ConfirmedAt)
	_, err = people.ConfirmWithdrawal(t.Context(), confirm, f.wallet.Confirm)
	require.Equal(t, fault.Invalid, fault.CodeOf(err), "once")
	f.clock.Advance(7*24*time.Hour + time.Second)
	_, _, err = people.WithdrawalToStop(t.Context(), stop)
	require.Equal(t, fault.Invalid, fault.CodeOf(err), "it is too old")
}

func TestConfirmWithdrawal_own_link_only(t *testing.T) {
	t.Parallel()
	f := newWithdrawalFixture(t)
	f.set("is_verified", true)
	first, second := f.withdrawal(f.owner, 40_00), f.withdrawal(f.owner, 30_00)
	_, of := f.letter("Please confirm your withdrawal of $40.00", "/confirm-withdrawal")
	_, other := f.letter("Please confirm your withdrawal of $30.00", "/confirm-withdrawal")
	_, err := f.people().ConfirmWithdrawal(t.Context(), of, f.wallet.Confirm)
	require.NoError(t, err)
	require.NotNil(t, f.get(first).ConfirmedAt)
	require.Nil(t, f.get(second).ConfirmedAt)
	f.clock.Advance(24*time.Hour + time.Second)
	_, err = f.people().ConfirmWithdrawal(t.Context(), other, f.wallet.Confirm)
	require.Equal(t, fault.Invalid, fault.CodeOf(err), "it is too old")
}

func TestWithdrawalMail_unverified_email(t *testing.T) {
	t.Parallel()
	f := newWithdrawalFixture(t)
	f.set("is_verified", false)
	id := f.withdrawal(f.owner, 40_00)
	for _, letter := range []string{string(catalog.MailRequested), string(catalog.MailConfirm)} {
		f.work(jobs.Mail{SubjectID: id, MailKind: letter})
	}
	require.Zero(t, f.count(`select count(*) from mailed_tokens`))

	f.set("is_verified", true)
	require.NoError(t, f.wallet.MailConfirmations(t.Context(), f.owner))
	_, token := f.letter("Please confirm your withdrawal of $40.00", "/confirm-withdrawal")
	_, err := f.people().ConfirmWithdrawal(t.Context(), token, f.wallet.Confirm)
	require.NoError(t, err)
	f.work(jobs.Mail{SubjectID: id, MailKind: string(catalog.MailConfirm)})
	require.Equal(t, 1, f.count(`select count(*) from mailed_tokens`), "there is nothing to confirm any more")
}

// The link in the email stops all withdrawals of the account until the password is reset by email.
// The reset does not end an operator's hold.
func TestStopWithdrawals_until_reset(t *testing.T) {
	t.Parallel()
	f := newWithdrawalFixture(t)
	ctx := t.Context()
	f.set("is_verified", true)
	id := f.withdrawal(f.owner, 40_00)
	f.confirm(f.owner, id)
	_, stop := f.letter("A withdrawal of $40.00 from your account", "/not-me")
	people := f.people()
	require.NoError(t, people.StopWithdrawals(ctx, stop, f.wallet.Disown))
	require.Equal(t, fault.Invalid, fault.CodeOf(people.StopWithdrawals(ctx, stop, f.wallet.Disown)), "once")
	require.True(t, f.get(id).Held())
	_, err := f.send(id)
	require.ErrorContains(t, err, "somebody else asked for this withdrawal")
	order := wallet.Order{Amount: 10_00, PhoneNumber: "01712345678", Method: wallet.Bkash}
	_, err = f.wallet.RequestWithdraw(ctx, f.owner, order, nil)
	require.Equal(t, fault.Forbidden, fault.CodeOf(err))

	_, reset := f.letter("Choose a new password", "/reset-password")
	f.set("withdrawals_held_at", f.clock.Now())
	_, _, err = people.ResetPassword(ctx, accounts.ResetInput{Password: "another-secret-1", Token: reset})
	require.NoError(t, err)
	require.Equal(t, 1, f.count(`
		select count(*) from users
		 where id = $1 and withdrawals_stopped_at is null and password_reset_at is not null`, f.owner))
	require.True(t, f.get(id).Held(), "a reset does not end an operator's hold")
	f.set("withdrawals_held_at", nil)
	_, err = f.send(id)
	require.ErrorContains(t, err, "somebody else asked for this withdrawal", "the reset ends only the stop")
	f.settled(f.wallet.RequestReject(ctx, f.boss, id, "", nil))
	next := f.withdrawal(f.owner, 10_00)
	f.confirm(f.owner, next)
	f.settled(f.send(next))
	f.reconciled()
}

// A withdrawal that settles while its owner stops withdrawals waits for the stop and is then
// refused.
func TestSettleHold_waits_for_disown(t *testing.T) {
	t.Parallel()
	f := newWithdrawalFixture(t)
	f.set("is_verified", true)
	ctx := t.Context()
	first := f.withdrawal(f.owner, 40_00)
	_, stop := f.letter("A withdrawal of $40.00 from your account", "/not-me")
	resume := f.pause()
	op, err := f.wallet.RequestWithdraw(ctx, f.owner, wallet.Order{Amount: 50_00, PhoneNumber: "01712345678", Method: wallet.Bkash}, nil)
	require.NoError(t, err)
	err = f.people().StopWithdrawals(ctx, stop, func(ctx context.Context, tx *postgres.Tx, owner uuid.UUID) error {
		if err := f.wallet.Disown(ctx, tx, owner); err != nil {
			return err
		}
		resume()
		require.Eventually(t, func() bool {
			return f.count(`select count(*) from pg_locks where locktype = 'advisory' and not granted
				and database = (select oid from pg_database where datname = current_database())`) == 1
		}, 10*time.Second, 10*time.Millisecond, "it waits")
		return nil
	})
	require.NoError(t, err)
	op, err = f.waiter.Wait(ctx, op)
	require.NoError(t, err)
	require.Equal(t, operations.Rejected, op.Status)
	require.NotNil(t, f.get(first).DisownedAt)
	require.EqualValues(t, 60_00, f.balance(f.owner))
	f.reconciled()
}

// If a user is disabled or their withdrawals are held or stopped between a request and its
// settlement (docs/rules.md#money-calls), no money of theirs moves.
func TestSettler_user_disabled_or_on_hold(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	buyer, seller, admin := f.user("nusrat"), f.user("tanvir"), f.admin("admin")
	f.fund(buyer, admin, 100_00)
	d := f.deal(buyer, seller, 40_00)
	withdraw := func() (operations.Operation, error) {
		return f.wallet.RequestWithdraw(ctx, buyer, wallet.Order{Amount: 50_00, PhoneNumber: "01712345678", Method: wallet.Bkash}, nil)
	}
	pay := func() (operations.Operation, error) { return f.deals.RequestPay(ctx, buyer, d.ID, deals.AnyTerms, nil) }
	set := func(column string, to any) {
		t.Helper()
		_, err := f.db.Owner().Exec(ctx, `update users set `+column+` = $1 where id = $2`, to, buyer)
		require.NoError(t, err)
	}
	for _, stop := range []struct {
		column, message string
		request         func() (operations.Operation, error)
	}{
		{"withdrawals_held_at", "Withdrawals from this account are on hold. Please contact support.", withdraw},
		{"withdrawals_stopped_at", "Withdrawals are stopped until you reset your password with a link that we mail you.", withdraw},
		{"disabled_at", "This account is disabled.", withdraw},
		{"disabled_at", "This account is disabled.", pay},
	} {
		resume := f.pause()
		op, err := stop.request()
		require.NoError(t, err)
		set(stop.column, f.clock.Now())
		resume()
		op, err = f.waiter.Wait(ctx, op)
		require.NoError(t, err)
		require.Equal(t, operations.Rejected, op.Status, stop)
		require.Equal(t, fault.Forbidden, fault.CodeOf(op.Err()))
		require.ErrorContains(t, op.Err(), stop.message)
		require.EqualValues(t, 100_00, f.balance(buyer))
		set(stop.column, nil)
	}
	set("withdrawals_held_at", f.clock.Now())
	_, err := withdraw()
	require.Equal(t, fault.Forbidden, fault.CodeOf(err), "the request itself is refused")
	set("withdrawals_held_at", nil)
	f.settled(pay())

	// A withdrawal from before the hold cannot be sent either. An admin can only reject it.
	op := f.settled(withdraw())
	id, err := op.SubjectID()
	require.NoError(t, err)
	f.confirm(buyer, id)
	set("withdrawals_held_at", f.clock.Now())
	_, err = f.wallet.RequestSend(ctx, admin, id, wallet.Payout{Amount: 50_00, TransactionID: "8N7A6D5E4F"}, nil)
	require.ErrorContains(t, err, "Withdrawals of this user are on hold.")
	w, err := f.wallet.GetWithdrawal(ctx, id)
	require.NoError(t, err)
	require.True(t, w.Held())
	f.settled(f.wallet.RequestReject(ctx, admin, id, "", nil))
	require.EqualValues(t, 60_00, f.balance(buyer))
	f.reconciled()
}
