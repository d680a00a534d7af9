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
	"amanat/internal/platform/fault"
	"amanat/internal/queue/jobs"
)

// letter waits for a mail with a subject and returns it with the token of its link.
func (v vault) letter(subject, path string) (mail localstack.Mail, token accounts.Token) {
	v.t.Helper()
	require.Eventually(v.t, func() bool {
		mails := v.mails.Mails()
		i := slices.IndexFunc(mails, func(m localstack.Mail) bool { return m.Subject == subject })
		if i >= 0 {
			mail = mails[i]
		}
		return i >= 0
	}, 10*time.Second, 10*time.Millisecond, subject)
	_, rest, found := strings.Cut(mail.Text, "http://amanat.test"+path+"#token=")
	require.True(v.t, found, mail.Text)
	return mail, accounts.Token(strings.Fields(rest)[0])
}

// people is the api's service of accounts.
func (v vault) people() *accounts.Service {
	return accounts.New(accounts.Options{DB: v.db.API(), Clock: v.clock, Jobs: v.ops.Enqueuer})
}

func TestTheOwnerIsMailedOfAWithdrawal(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	v.set("is_verified", true)
	id := v.withdrawal(v.owner, 40_00)

	told, stop := v.letter("A withdrawal of $40.00 from your account", "/not-me")
	require.Contains(t, told.Text, "tanvir asked us to send $40.00 (৳4,880) to Bkash 01712345678.")
	asked, confirm := v.letter("Please confirm your withdrawal of $40.00", "/confirm-withdrawal")
	require.Contains(t, asked.Text, "We have never sent you money to this number.")
	require.NotContains(t, asked.Text, "The password was reset")

	people := v.people()
	owner, withdrawal, err := people.WithdrawalToStop(t.Context(), stop)
	require.NoError(t, err)
	require.Equal(t, []uuid.UUID{v.owner, id}, []uuid.UUID{owner, withdrawal})
	_, _, err = people.WithdrawalToStop(t.Context(), confirm)
	require.Equal(t, fault.Invalid, fault.CodeOf(err), "each link is good for one thing")
	_, err = people.ConfirmWithdrawal(t.Context(), stop, v.wallet.Confirm)
	require.Equal(t, fault.Invalid, fault.CodeOf(err))

	_, err = people.ConfirmWithdrawal(t.Context(), confirm, v.wallet.Confirm)
	require.NoError(t, err)
	require.NotNil(t, v.get(id).ConfirmedAt)
	_, err = people.ConfirmWithdrawal(t.Context(), confirm, v.wallet.Confirm)
	require.Equal(t, fault.Invalid, fault.CodeOf(err), "once")
	v.clock.Advance(7*24*time.Hour + time.Second)
	_, _, err = people.WithdrawalToStop(t.Context(), stop)
	require.Equal(t, fault.Invalid, fault.CodeOf(err), "it is too old")
}

func TestALinkConfirmsItsOwnWithdrawalAlone(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	v.set("is_verified", true)
	first, second := v.withdrawal(v.owner, 40_00), v.withdrawal(v.owner, 30_00)
	_, of := v.letter("Please confirm your withdrawal of $40.00", "/confirm-withdrawal")
	_, other := v.letter("Please confirm your withdrawal of $30.00", "/confirm-withdrawal")
	_, err := v.people().ConfirmWithdrawal(t.Context(), of, v.wallet.Confirm)
	require.NoError(t, err)
	require.NotNil(t, v.get(first).ConfirmedAt)
	require.Nil(t, v.get(second).ConfirmedAt)
	v.clock.Advance(24*time.Hour + time.Second)
	_, err = v.people().ConfirmWithdrawal(t.Context(), other, v.wallet.Confirm)
	require.Equal(t, fault.Invalid, fault.CodeOf(err), "it is too old")
}

func TestAnUnverifiedAddressGetsNoLinks(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	v.set("is_verified", false)
	id := v.withdrawal(v.owner, 40_00)
	for _, letter := range []string{jobs.LetterWithdrawalRequested, jobs.LetterWithdrawalConfirm} {
		v.work(jobs.WithdrawalMail{WithdrawalID: id, Letter: letter})
	}
	require.Zero(t, v.count(`select count(*) from mailed_tokens`))

	v.set("is_verified", true)
	require.NoError(t, v.wallet.MailConfirmations(t.Context(), v.owner))
	_, token := v.letter("Please confirm your withdrawal of $40.00", "/confirm-withdrawal")
	_, err := v.people().ConfirmWithdrawal(t.Context(), token, v.wallet.Confirm)
	require.NoError(t, err)
	v.work(jobs.WithdrawalMail{WithdrawalID: id, Letter: jobs.LetterWithdrawalConfirm})
	require.Equal(t, 1, v.count(`select count(*) from mailed_tokens`), "there is nothing to confirm any more")
}

// Whoever says that it was somebody else has all withdrawals stopped until a reset by mail; what an operator holds stays held.
func TestAStopLastsUntilTheReset(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	ctx := t.Context()
	v.set("is_verified", true)
	id := v.withdrawal(v.owner, 40_00)
	v.confirm(v.owner, id)
	_, stop := v.letter("A withdrawal of $40.00 from your account", "/not-me")
	people := v.people()
	require.NoError(t, people.StopWithdrawals(ctx, stop, v.wallet.Disown))
	require.Equal(t, fault.Invalid, fault.CodeOf(people.StopWithdrawals(ctx, stop, v.wallet.Disown)), "once")
	require.True(t, v.get(id).Held)
	_, err := v.send(id)
	require.ErrorContains(t, err, "somebody else asked for this withdrawal")
	order := wallet.Order{Amount: 10_00, PhoneNumber: "01712345678", Method: wallet.Bkash}
	_, err = v.wallet.RequestWithdraw(ctx, v.owner, order, nil)
	require.Equal(t, fault.Forbidden, fault.CodeOf(err))

	_, reset := v.letter("Choose a new password", "/reset-password")
	v.set("withdrawals_held_at", v.clock.Now())
	_, _, err = people.ResetPassword(ctx, accounts.ResetInput{Password: "another-secret-1", Token: reset})
	require.NoError(t, err)
	require.Equal(t, 1, v.count(`select count(*) from users where id = $1 and withdrawals_stopped_at is null and password_reset_at is not null`, v.owner))
	require.True(t, v.get(id).Held, "an operator's hold is another's to end")
	v.set("withdrawals_held_at", nil)
	_, err = v.send(id)
	require.ErrorContains(t, err, "somebody else asked for this withdrawal", "the reset ends the stop and no more")
	v.settled(v.wallet.RequestReject(ctx, v.boss, id, "", nil))
	next := v.withdrawal(v.owner, 10_00)
	v.confirm(v.owner, next)
	v.settled(v.send(next))
	v.reconciled()
}
