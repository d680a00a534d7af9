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

	asked, confirm := f.letter("Please confirm your withdrawal of $40.00", "/confirm-withdrawal")
	_, stop := f.letter(asked.Subject, "/not-me")
	require.Contains(t, asked.Text, "tanvir asked us to send $40.00 (৳4,880) to bKash 01712345678. We hold the money until ")
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
	f.work(jobs.Mail{SubjectID: id, MailKind: string(catalog.MailRequested)})
	late, _ := f.letter("A withdrawal of $40.00 from your account", "/not-me")
	require.NotContains(t, late.Text, "/confirm-withdrawal", "there is nothing to confirm any more")
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
	f.work(jobs.Mail{SubjectID: id, MailKind: string(catalog.MailRequested)})
	require.Zero(t, f.count(`select count(*) from mailed_tokens`))

	f.set("is_verified", true)
	require.NoError(t, f.wallet.MailConfirmations(t.Context(), f.owner))
	_, token := f.letter("Please confirm your withdrawal of $40.00", "/confirm-withdrawal")
	_, err := f.people().ConfirmWithdrawal(t.Context(), token, f.wallet.Confirm)
	require.NoError(t, err)
}

// A withdrawal that settles while its owner stops withdrawals waits for the stop and is then
// refused.
func TestSettleHold_waits_for_disown(t *testing.T) {
	t.Parallel()
	f := newWithdrawalFixture(t)
	f.set("is_verified", true)
	ctx := t.Context()
	first := f.withdrawal(f.owner, 40_00)
	_, stop := f.letter("Please confirm your withdrawal of $40.00", "/not-me")
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
	require.Equal(t, fault.Invalid, fault.CodeOf(f.people().StopWithdrawals(ctx, stop, f.wallet.Disown)), "the link works once")
	require.EqualValues(t, 60_00, f.balance(f.owner))
	f.reconciled()
}
