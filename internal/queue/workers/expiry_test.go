package workers

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/wallet"
	"amanat/internal/money"
	"amanat/internal/queue/jobs"
)

func ptr(amount money.Poisha) *money.Poisha { return &amount }

func (b *bench) expireDeposits() {
	b.t.Helper()
	require.Equal(b.t, rivertype.JobStateCompleted, b.work(jobs.DepositExpiry{}).State)
}

func (b *bench) statusOf(id uuid.UUID) wallet.DepositStatus {
	b.t.Helper()
	d, err := b.wallet.GetDeposit(b.t.Context(), id)
	require.NoError(b.t, err)
	return d.Status
}

func TestADepositThatNobodyLooksAtExpires(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.start()
	ctx := t.Context()
	user, admin := b.user("nusrat"), b.admin("admin")
	forgotten, err := b.claim(user, wallet.Bkash, "CKJ8T2WV5C")
	require.NoError(t, err)
	claimed, proposed, pending := b.report(user, 20_00), b.report(user, 2000_00), b.report(user, 30_00)
	b.propose(admin, proposed, wallet.Approval{Amount: 2000_00})
	b.clock.Advance(71 * time.Hour)
	_, err = b.wallet.ClaimDeposit(ctx, admin, claimed.ID)
	require.NoError(t, err)
	b.expireDeposits()
	require.Equal(t, wallet.DepositPending, b.statusOf(forgotten.ID))
	resume := b.pause()
	op, err := b.approve(admin, pending, 30_00, "")
	require.NoError(t, err)
	b.clock.Advance(2 * time.Hour)
	b.expireDeposits()
	b.expireDeposits()

	expired, err := b.wallet.GetDeposit(ctx, forgotten.ID)
	require.NoError(t, err)
	require.True(t, expired.Expired())
	require.Nil(t, expired.HandledBy)
	require.NotNil(t, expired.HandledAt)
	text, link := b.told(user)
	require.Equal(t, "Nobody could check your deposit of $80.00 with transaction ID CKJ8T2WV5C in time, so it has expired. "+
		"If you sent the money, report it again with the same ID.", text)
	require.Equal(t, "/deposit", link)
	require.Equal(t, 1, b.count(`select count(*) from notifications where kind = 'deposit_expired'`))
	require.Eventually(t, func() bool { return len(b.mails.Mails()) == 1 }, 10*time.Second, 20*time.Millisecond)
	for _, d := range []wallet.Deposit{claimed, proposed, pending} {
		require.Equal(t, wallet.DepositPending, b.statusOf(d.ID))
	}
	resume()
	b.settled(op, nil)

	again, err := b.claim(user, wallet.Bkash, "CKJ8T2WV5C")
	require.NoError(t, err, "the number is free again")
	require.False(t, again.Disputed)
	b.clock.Advance(72 * time.Hour)
	b.expireDeposits()
	require.Equal(t, wallet.DepositFailed, b.statusOf(claimed.ID), "72 hours after the claim ran out")
	b.reconciled()
}
