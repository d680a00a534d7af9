package workers

import (
	"encoding/json"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
)

// queueRecorder records the frames that are published to admins about their queues.
type queueRecorder struct {
	t testing.TB

	mu      sync.Mutex
	changes []realtime.QueueChanged
}

func (r *queueRecorder) add(frame realtime.Frame) {
	var change realtime.QueueChanged
	if err := json.Unmarshal(frame.Data, &change); err != nil || frame.Type != "queueChanged" || frame.Seq != 0 {
		r.t.Errorf("frame to admins: %+v %v", frame, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changes = append(r.changes, change)
}

// require takes n changes and requires all of them to be of one row of the queue. Workers publish
// after their commit, so a change may follow its visible effect.
func (r *queueRecorder) require(n int, queue realtime.Queue, id uuid.UUID) {
	r.t.Helper()
	for _, change := range r.take(n) {
		require.Equal(r.t, realtime.QueueChanged{Queue: queue, ID: id}, change)
	}
}

// take waits for exactly n changes and returns them.
func (r *queueRecorder) take(n int) []realtime.QueueChanged {
	r.t.Helper()
	var taken []realtime.QueueChanged
	require.Eventually(r.t, func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		taken = r.changes
		return len(taken) >= n
	}, 10*time.Second, time.Millisecond)
	require.Len(r.t, taken, n)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changes = r.changes[n:]
	return taken
}

func TestQueueChanged_deposits(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, admin, other := f.user("nusrat"), f.admin("admin"), f.admin("other")

	d := f.report(user, 80_00)
	f.queues.require(1, realtime.QueueDeposits, d.ID)
	_, err := f.wallet.ClaimDeposit(ctx, other, d.ID)
	require.NoError(t, err)
	f.queues.require(1, realtime.QueueDeposits, d.ID)
	_, err = f.wallet.ClaimDeposit(ctx, admin, d.ID)
	require.Equal(t, fault.AlreadyHandled, fault.CodeOf(err))
	f.queues.require(0, realtime.QueueDeposits, d.ID)
	f.settled(f.approve(other, d, 80_00, ""))
	f.queues.require(2, realtime.QueueDeposits, d.ID) // claimed, approved

	d = f.report(user, 20_00)
	_, err = f.wallet.RejectDeposit(ctx, admin, d.ID, wallet.Rejection{Reason: "Nothing came."})
	require.NoError(t, err)
	f.queues.require(2, realtime.QueueDeposits, d.ID)
}

func TestQueueChanged_withdrawals(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, admin := f.user("tanvir"), f.admin("admin")
	f.fund(user, admin, 100_00)
	f.queues.take(3) // reported, claimed, approved
	withdrawal := func() uuid.UUID {
		op := f.settled(f.wallet.RequestWithdraw(ctx, user, wallet.Order{Amount: 50_00, PhoneNumber: "01712345678", Method: wallet.Nagad}, nil))
		id, err := op.SubjectID()
		require.NoError(t, err)
		f.queues.require(1, realtime.QueueWithdrawals, id)
		return id
	}
	id := withdrawal()
	f.confirm(user, id)
	f.queues.require(1, realtime.QueueWithdrawals, id)
	_, err := f.wallet.ClaimWithdrawal(ctx, admin, id)
	require.NoError(t, err)
	f.queues.require(1, realtime.QueueWithdrawals, id)
	f.settled(f.wallet.RequestSend(ctx, admin, id, wallet.Payout{Amount: 50_00}, nil))
	f.queues.require(2, realtime.QueueWithdrawals, id)
	id = withdrawal()
	f.settled(f.wallet.RequestReject(ctx, admin, id, "", nil))
	f.queues.require(2, realtime.QueueWithdrawals, id)
	id = withdrawal()
	f.settled(f.wallet.RequestCancel(ctx, user, id, nil))
	f.queues.require(1, realtime.QueueWithdrawals, id)
}

// Two payouts are requested with the same transaction ID while no worker runs. The later one is
// refused, and its row is free again.
func TestQueueChanged_refused_payout(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	user, admin := f.user("tanvir"), f.admin("admin")
	f.start()
	f.fund(user, admin, 100_00)
	var ids []uuid.UUID
	for range 2 {
		op := f.settled(f.wallet.RequestWithdraw(ctx, user, wallet.Order{Amount: 50_00, PhoneNumber: "01712345678", Method: wallet.Nagad}, nil))
		id, err := op.SubjectID()
		require.NoError(t, err)
		f.confirm(user, id)
		ids = append(ids, id)
	}
	resume := f.pause()
	payout := wallet.Payout{Amount: 50_00, TransactionID: "PAYOUT01"}
	first, err := f.wallet.RequestSend(ctx, admin, ids[0], payout, nil)
	require.NoError(t, err)
	second, err := f.wallet.RequestSend(ctx, admin, ids[1], payout, nil)
	require.NoError(t, err)
	f.queues.take(9) // three of the deposit; of both withdrawals: requested, confirmed, claimed
	resume()
	pending := map[realtime.QueueChanged]int{}
	rejected := 0
	for i, op := range []operations.Operation{first, second} {
		op, err := f.waiter.Wait(ctx, op)
		require.NoError(t, err)
		if op.Status == operations.Rejected {
			rejected++
		}
		pending[realtime.QueueChanged{Queue: realtime.QueueWithdrawals, ID: ids[i]}]++
	}
	require.Equal(t, 1, rejected)
	for _, change := range f.queues.take(2) {
		pending[change]--
	}
	require.Equal(t, map[realtime.QueueChanged]int{
		{Queue: realtime.QueueWithdrawals, ID: ids[0]}: 0, {Queue: realtime.QueueWithdrawals, ID: ids[1]}: 0,
	}, pending)
}

func TestQueueChanged_support_and_deals(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	ctx := t.Context()
	f.queues.take(3) // the buyer's deposit
	require.NoError(t, f.deals.RequestSupport(ctx, f.buyer, f.id, "The channel is not mine yet.", nil))
	requests, _, err := f.deals.ListSupport(ctx, postgres.Page{Limit: 1})
	require.NoError(t, err)
	f.queues.require(1, realtime.QueueSupport, requests[0].ID)
	require.NoError(t, f.deals.CloseSupport(ctx, f.admin, requests[0].ID, answer))
	f.queues.require(1, realtime.QueueSupport, requests[0].ID)

	f.do(f.deals.Deliver(ctx, f.seller, f.id, deals.Words{}))
	f.do(f.deals.ResetDelivery(ctx, f.buyer, f.id, "Please change the colours."))
	f.queues.require(0, realtime.QueueDeals, f.id)
	f.after(7*day + time.Minute)
	f.queues.require(1, realtime.QueueDeals, f.id) // the deal enters the queue
	f.settled(f.deals.RequestForceCancel(ctx, f.admin, f.id, nil))
	f.queues.require(1, realtime.QueueDeals, f.id) // and leaves it
}

// Two admins claim the same row. The second waits for the first one's transaction and gets an error
// that names the first.
func TestClaim_concurrent(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, first, second := f.user("tanvir"), f.admin("first"), f.admin("second")
	f.fund(user, first, 100_00)
	op := f.settled(f.wallet.RequestWithdraw(ctx, user, wallet.Order{Amount: 50_00, PhoneNumber: "01712345678", Method: wallet.Nagad}, nil))
	withdrawal, err := op.SubjectID()
	require.NoError(t, err)
	deposit := f.report(user, 20_00).ID
	for table, claim := range map[string]func() error{
		"deposits":    func() error { _, err := f.wallet.ClaimDeposit(ctx, second, deposit); return err },
		"withdrawals": func() error { _, err := f.wallet.ClaimWithdrawal(ctx, second, withdrawal); return err },
	} {
		tx, err := f.db.Owner().Begin(ctx)
		require.NoError(t, err)
		_, err = tx.Exec(ctx, `update `+table+` set claimed_by = $1, claimed_until = $2 where status = 'pending'`,
			first, f.clock.Now().Add(time.Hour))
		require.NoError(t, err)
		claimed := make(chan error, 1)
		go func() { claimed <- claim() }()
		require.Eventually(t, func() bool {
			return f.count(`
				select count(*) from pg_stat_activity
				 where datname = current_database() and usename = 'amanat_api' and wait_event_type = 'Lock'`) == 1
		}, 10*time.Second, 5*time.Millisecond)
		require.NoError(t, tx.Commit(ctx))
		err = <-claimed
		require.Equal(t, fault.AlreadyHandled, fault.CodeOf(err), table)
		require.ErrorContains(t, err, "first is working on this request.")
	}
}
