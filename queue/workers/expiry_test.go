package workers

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/wallet"
	"amanat/internal/money"
	"amanat/queue/jobs"
)

func ptr(amount money.Poisha) *money.Poisha { return &amount }

func (f *fixture) expireDeposits() {
	f.t.Helper()
	require.Equal(f.t, rivertype.JobStateCompleted, f.work(jobs.DepositExpiry{}).State)
}

func (f *fixture) statusOf(id uuid.UUID) wallet.DepositStatus {
	f.t.Helper()
	d, err := f.wallet.GetDeposit(f.t.Context(), id)
	require.NoError(f.t, err)
	return d.Status
}

func TestDepositExpiry(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, admin := f.user("nusrat"), f.admin("admin")
	forgotten, err := f.claim(user, wallet.Bkash, "CKJ8T2WV5C")
	require.NoError(t, err)
	claimed, proposed, pending := f.report(user, 20_00), f.report(user, 2000_00), f.report(user, 30_00)
	f.propose(admin, proposed, wallet.Approval{Amount: 2000_00})
	f.clock.Advance(71 * time.Hour)
	_, err = f.wallet.ClaimDeposit(ctx, admin, claimed.ID)
	require.NoError(t, err)
	f.expireDeposits()
	require.Equal(t, wallet.DepositPending, f.statusOf(forgotten.ID))
	resume := f.pause()
	op, err := f.approve(admin, pending, 30_00, "")
	require.NoError(t, err)
	f.clock.Advance(2 * time.Hour)
	f.expireDeposits()
	f.expireDeposits()

	expired, err := f.wallet.GetDeposit(ctx, forgotten.ID)
	require.NoError(t, err)
	require.True(t, expired.Expired())
	require.Nil(t, expired.HandledBy)
	require.NotNil(t, expired.HandledAt)
	text, link := f.told(user)
	require.Equal(t, "Nobody could check your deposit of $80.00 with transaction ID CKJ8T2WV5C in time, so it has expired. "+
		"If you sent the money, report it again with the same ID.", text)
	require.Equal(t, "/balance/deposits/"+forgotten.ID.String(), link)
	require.Equal(t, 1, f.count(`select count(*) from notifications where kind = 'deposit_expired'`))
	require.Eventually(t, func() bool { return len(f.mails.Mails()) == 1 }, 10*time.Second, 20*time.Millisecond)
	for _, d := range []wallet.Deposit{claimed, proposed, pending} {
		require.Equal(t, wallet.DepositPending, f.statusOf(d.ID))
	}
	resume()
	f.settled(op, nil)

	again, err := f.claim(user, wallet.Bkash, "CKJ8T2WV5C")
	require.NoError(t, err, "the number is free again")
	require.False(t, again.Disputed)
	f.clock.Advance(72 * time.Hour)
	f.expireDeposits()
	require.Equal(t, wallet.DepositFailed, f.statusOf(claimed.ID), "72 hours after the claim ran out")
	f.reconciled()
}
