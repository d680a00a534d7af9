package workers

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/devtools/localstack"
	"amanat/internal/domain/accounts"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/queue/jobs"
)

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
	for _, letter := range []string{jobs.LetterWithdrawalRequested, jobs.LetterWithdrawalConfirm} {
		f.work(jobs.WithdrawalMail{WithdrawalID: id, Letter: letter})
	}
	require.Zero(t, f.count(`select count(*) from mailed_tokens`))

	f.set("is_verified", true)
	require.NoError(t, f.wallet.MailConfirmations(t.Context(), f.owner))
	_, token := f.letter("Please confirm your withdrawal of $40.00", "/confirm-withdrawal")
	_, err := f.people().ConfirmWithdrawal(t.Context(), token, f.wallet.Confirm)
	require.NoError(t, err)
	f.work(jobs.WithdrawalMail{WithdrawalID: id, Letter: jobs.LetterWithdrawalConfirm})
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
