package workers

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/testing/soak"
)

// claim reports a deposit of $80 with a transaction ID.
func (f *fixture) claim(userID uuid.UUID, method, transaction string) (wallet.Deposit, error) {
	f.t.Helper()
	return f.wallet.ReportDeposit(f.t.Context(), userID, wallet.Report{Amount: 80_00, TransactionID: transaction, Method: method}, nil)
}

// payable returns a withdrawal of $50 that its owner has confirmed, so that admins can send it.
func (f *fixture) payable(userID uuid.UUID) uuid.UUID {
	f.t.Helper()
	id := f.withdrawal(userID, 50_00)
	f.confirm(userID, id)
	return id
}

// Several users report one transaction ID at once, twice each. One report per user is accepted, and
// all of them are disputed.
func TestReportDeposit_concurrent_same_transaction(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	users := []uuid.UUID{f.user("u1"), f.user("u2"), f.user("u3"), f.user("u4")}
	var mu sync.Mutex
	taken, disputed := map[uuid.UUID]int{}, 0
	var group sync.WaitGroup
	for i := range 2 * len(users) {
		user := users[i%len(users)]
		group.Go(func() {
			d, err := f.claim(user, []string{wallet.Bkash, wallet.Nagad}[i/len(users)], "9BX4T2WVQK")
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				taken[user]++
				if d.Disputed {
					disputed++
				}
			case fault.CodeOf(err) != fault.Duplicate:
				t.Errorf("%v", err)
			}
		})
	}
	group.Wait()
	for _, user := range users {
		require.Equal(t, 1, taken[user])
		list, _, err := f.wallet.ListDeposits(t.Context(), user, postgres.Page{Limit: 10})
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.True(t, list[0].Disputed)
	}
	require.GreaterOrEqual(t, disputed, len(users)-1, "only the first may not know yet")
}

// A transaction ID is reported as a deposit and booked as a payout at once. Exactly one is refused.
func TestRequestSend_ReportDeposit_same_transaction(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	user, admin := f.user("tanvir"), f.admin("admin")
	rounds := soak.Rounds(3, 26)
	f.fund(user, admin, money.Cents(rounds)*50_00)
	for i := range rounds {
		transaction := "PAYOUT" + string(rune('A'+i)) + "1"
		id := f.payable(user)
		var reported, booked error
		var group sync.WaitGroup
		group.Go(func() { _, reported = f.claim(user, wallet.Nagad, transaction) })
		group.Go(func() {
			var op operations.Operation
			op, booked = f.wallet.RequestSend(t.Context(), admin, id, wallet.Payout{Amount: 50_00, TransactionID: transaction}, nil)
			if booked == nil {
				op, booked = f.waiter.Wait(t.Context(), op)
			}
			if booked == nil {
				booked = op.Err()
			}
		})
		group.Wait()
		require.NotEqual(t, reported == nil, booked == nil, "%v, %v", reported, booked)
		if booked != nil { // the number of pending withdrawals is limited
			f.settled(f.wallet.RequestReject(t.Context(), admin, id, "", nil))
		}
	}
	require.Zero(t, f.count(`select count(*) from deposits d join withdrawals w using (transaction_id) where d.status <> 'Failed'`))
}

// The report is written but not committed when an admin books the transaction ID. The booking waits
// for the report and is refused.
func TestRequestSend_waits_for_uncommitted_report(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	user, reporter, admin := f.user("tanvir"), f.user("reporter"), f.admin("admin")
	f.fund(user, admin, 50_00)
	id := f.payable(user)
	tx, err := f.db.Owner().Begin(ctx)
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	// The deposit's row references the reporter.
	_, err = tx.Exec(ctx, `select from users where id = $1 for update`, reporter)
	require.NoError(t, err)
	reported, booked := make(chan error, 1), make(chan error, 1)
	waiting := func() int {
		return f.count(`
			select count(*) from pg_stat_activity
			 where datname = current_database() and usename = 'amanat_api' and wait_event_type = 'Lock'`)
	}
	go func() { _, err := f.claim(reporter, wallet.Nagad, "PAYOUT01"); reported <- err }()
	require.Eventually(t, func() bool { return waiting() == 1 }, 10*time.Second, 5*time.Millisecond)
	go func() {
		op, err := f.wallet.RequestSend(ctx, admin, id, wallet.Payout{Amount: 50_00, TransactionID: "PAYOUT01"}, nil)
		if err == nil {
			op, err = f.waiter.Wait(ctx, op)
		}
		if err == nil {
			err = op.Err()
		}
		booked <- err
	}()
	require.Eventually(t, func() bool {
		return waiting() == 2 || f.count(`select count(*) from withdrawals where status = 'completed'`) == 1
	}, 10*time.Second, 5*time.Millisecond)
	require.NoError(t, tx.Rollback(ctx))
	require.NoError(t, <-reported)
	require.Equal(t, fault.Duplicate, fault.CodeOf(<-booked))
}
