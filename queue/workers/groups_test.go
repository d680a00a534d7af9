package workers

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertest"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/testing/dbtest"
	"amanat/queue/jobs"
	"amanat/queue/trace"
)

// groupFixture settles jobs of its own in groups.
type groupFixture struct {
	*fixture
	settler *paySettler
	buyer   uuid.UUID
	seller  uuid.UUID
}

func newGroupFixture(t *testing.T) *groupFixture {
	t.Helper()
	f := newFixture(t)
	return &groupFixture{
		fixture: f, settler: f.paySettler(), buyer: f.withFunds("nusrat", 500_00), seller: f.user("tanvir"),
	}
}

// payment is a requested payment with its job, which the test has fetched.
type payment struct {
	op  operations.Operation
	job *river.Job[jobs.Settle]
}

func (f *groupFixture) payments(n int, price money.Cents) []payment {
	f.t.Helper()
	list := make([]payment, n)
	for i := range list {
		list[i].op, list[i].job = f.enqueued(f.buyer, f.deal(f.buyer, f.seller, price).ID)
	}
	return list
}

// workTogether works the jobs in one group and returns their errors. Meanwhile another payment, of
// a cent, is being settled, so that the jobs wait for each other.
func (f *groupFixture) workTogether(list []payment) []error {
	f.t.Helper()
	first := f.payments(1, 1)[0]
	inside, proceed := make(chan struct{}), make(chan struct{})
	slow := *f.settler
	slow.kind.settle = func(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
		close(inside)
		<-proceed
		return f.settler.kind.settle(ctx, tx, op)
	}
	ctx := rivertest.WorkContext(f.t.Context(), f.client)
	leader := make(chan error, 1)
	go func() { leader <- slow.Work(trace.Context(ctx, first.job.JobRow), first.job) }()
	<-inside
	failures := make([]error, len(list))
	var group sync.WaitGroup
	for i, p := range list {
		group.Go(func() { failures[i] = f.settler.Work(trace.Context(ctx, p.job.JobRow), p.job) })
	}
	require.Eventually(f.t, func() bool { return f.waiting() == len(list) }, 20*time.Second, time.Millisecond)
	close(proceed)
	require.NoError(f.t, <-leader)
	group.Wait()
	return failures
}

func (f *groupFixture) waiting() int {
	g := f.settler.groups
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.waiting)
}

func (f *groupFixture) status(op operations.Operation) operations.Operation {
	f.t.Helper()
	after, err := operations.Get(f.t.Context(), f.db.API(), op.ID)
	require.NoError(f.t, err)
	return after
}

// transactions returns in how many transactions payments of the price were posted.
func (f *groupFixture) transactions(price money.Cents) int {
	f.t.Helper()
	return f.count(`
		select count(distinct t.xmin::text) from ledger.transfers t join ledger.entries e on e.transfer_id = t.id
		 where t.kind = 'deal_pay' and e.amount = $1`, int64(price))
}

// A group locks and reads, writes, and commits, however many operations it has.
func TestGroups_round_trips(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 10} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			f := newGroupFixture(t)
			services := f.settler.groups.services
			db, trips := dbtest.Counted(t, f.db.Worker())
			services.DB = db
			var tasks []*task
			for _, p := range f.payments(n, 1_00) {
				tasks = append(tasks, &task{jobKind: p.job.Kind, operation: p.op.ID, kind: &f.settler.kind})
			}
			require.NoError(t, services.settleTogether(t.Context(), tasks))
			require.Equal(t, 3, trips.Take())
			require.Equal(t, n, f.count(`select count(*) from deals where status = 'Active'`))
		})
	}
}

func TestGroups_one_transaction(t *testing.T) {
	t.Parallel()
	f := newGroupFixture(t)
	list := f.payments(maxGroup, 1_00)
	for _, err := range f.workTogether(list) {
		require.NoError(t, err)
	}
	require.Equal(t, 1, f.transactions(1_00))
	require.EqualValues(t, 500_00-maxGroup*1_00-1, f.balance(f.buyer))
	for _, p := range list {
		require.Equal(t, operations.Done, f.status(p.op).Status)
	}
	require.Equal(t, maxGroup+1, f.count(`select count(*) from deals where status = 'Active'`))
	require.Equal(t, maxGroup+1, f.count(`select count(*) from notifications where user_id = $1 and kind = 'deal_paid'`, f.seller))
	require.Equal(t, maxGroup+1, f.count(`select count(*) from user_events where user_id = $1 and type = 'operationSettled'`, f.buyer))
	f.reconciled()
}

// More jobs than a group may have are settled in several groups.
func TestGroups_bounded(t *testing.T) {
	t.Parallel()
	f := newGroupFixture(t)
	for _, err := range f.workTogether(f.payments(2*maxGroup+1, 1_00)) {
		require.NoError(t, err)
	}
	require.Equal(t, 3, f.transactions(1_00))
	f.reconciled()
}

// A group with ten refusals and one operation that always fails settles the others in one
// transaction.
func TestGroups_refused_and_failing_members(t *testing.T) {
	t.Parallel()
	f := newGroupFixture(t)
	list := f.payments(maxGroup, 1_00)
	for _, p := range list[:10] {
		id, err := p.op.SubjectID()
		require.NoError(t, err)
		_, err = f.db.Owner().Exec(t.Context(), `
			update deals set removed_at = created_at, next_action = null, next_action_at = null where id = $1`, id)
		require.NoError(t, err)
	}
	poisoned := list[10].op.ID
	broken := errors.New("the network is gone")
	settle := f.settler.kind.settle
	f.settler.kind.settle = func(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
		if op.ID == poisoned {
			return nil, broken
		}
		return settle(ctx, tx, op)
	}
	failures := f.workTogether(list)
	for i, err := range failures {
		after := f.status(list[i].op)
		switch {
		case i < 10:
			require.NoError(t, err, "a refusal is a completed job")
			require.Equal(t, fault.NotFound, fault.CodeOf(after.Err()))
		case i == 10:
			require.ErrorIs(t, err, broken)
			require.Equal(t, operations.Pending, after.Status)
		default:
			require.NoError(t, err)
			require.Equal(t, operations.Done, after.Status)
		}
	}
	require.Equal(t, 1, f.transactions(1_00))
	require.EqualValues(t, 500_00-(maxGroup-11)*1_00-1, f.balance(f.buyer))
}

// An operation whose settlement panics does not take its group along, whether it leads the group or
// not.
func TestGroups_panic(t *testing.T) {
	t.Parallel()
	f := newGroupFixture(t)
	list := f.payments(5, 1_00)
	panicking := list[2].op.ID
	settle := f.settler.kind.settle
	f.settler.kind.settle = func(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
		if op.ID == panicking {
			panic("a bug")
		}
		return settle(ctx, tx, op)
	}
	ctx := rivertest.WorkContext(t.Context(), f.client)
	require.PanicsWithValue(t, "a bug", func() { _ = f.settler.Work(ctx, list[2].job) })
	list[2].job.Attempt++ // as River does
	_, err := f.db.Owner().Exec(t.Context(), `update river.river_job set attempt = attempt + 1 where id = $1`, list[2].job.ID)
	require.NoError(t, err)

	panicked := false
	work := f.settler.kind.settle
	f.settler.kind.settle = func(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
		if op.ID != panicking {
			return work(ctx, tx, op)
		}
		if panicked { // by itself: as an error, since the test has no River that recovers
			return nil, errors.New("the bug again")
		}
		panicked = true
		panic("a bug")
	}
	for i, err := range f.workTogether(list) {
		if i == 2 {
			require.ErrorContains(t, err, "the bug again")
			continue
		}
		require.NoError(t, err)
		require.Equal(t, operations.Done, f.status(list[i].op).Status)
	}
	require.Equal(t, 1, f.transactions(1_00))
}

// The database rejects the row of one deal, so the whole group fails and each operation is settled
// by itself.
func TestGroups_database_rejects_one(t *testing.T) {
	t.Parallel()
	f := newGroupFixture(t)
	list := f.payments(5, 1_00)
	id, err := list[2].op.SubjectID()
	require.NoError(t, err)
	_, err = f.db.Owner().Exec(t.Context(),
		fmt.Sprintf(`alter table deals add constraint poison check (id <> '%s' or status = 'Pending')`, id))
	require.NoError(t, err)
	for i, err := range f.workTogether(list) {
		if i == 2 {
			require.ErrorContains(t, err, "poison")
			require.Equal(t, operations.Pending, f.status(list[i].op).Status)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, operations.Done, f.status(list[i].op).Status)
	}
	require.EqualValues(t, 500_00-4_00-1, f.balance(f.buyer))
}

// The wallet has enough for four of five payments. The fifth is rejected with what is missing.
func TestGroups_insufficient_balance(t *testing.T) {
	t.Parallel()
	f := newGroupFixture(t)
	list := f.payments(5, 110_00)
	done := 0
	for i, err := range f.workTogether(list) {
		require.NoError(t, err)
		after := f.status(list[i].op)
		if after.Status == operations.Done {
			done++
			continue
		}
		require.Equal(t, fault.InsufficientBalance, fault.CodeOf(after.Err()))
		require.EqualValues(t, 5*110_00-500_00+1, *after.Shortfall)
	}
	require.Equal(t, 4, done)
	require.EqualValues(t, 500_00-4*110_00-1, f.balance(f.buyer))
	f.reconciled()
}

// A group does not wait for a deal that another transaction has locked.
func TestGroups_locked_deal(t *testing.T) {
	t.Parallel()
	f := newGroupFixture(t)
	list := f.payments(3, 1_00)
	id, err := list[0].op.SubjectID()
	require.NoError(t, err)
	ctx := t.Context()
	holder, err := f.db.Owner().Begin(ctx)
	require.NoError(t, err)
	_, err = holder.Exec(ctx, `select from deals where id = $1 for update`, id)
	require.NoError(t, err)

	worked := make(chan []error, 1)
	go func() { worked <- f.workTogether(list) }()
	for _, p := range list[1:] {
		require.Eventually(t, func() bool { return f.status(p.op).Status == operations.Done }, 20*time.Second, time.Millisecond)
	}
	require.Equal(t, operations.Pending, f.status(list[0].op).Status)
	require.NoError(t, holder.Rollback(ctx))
	for _, err := range <-worked {
		require.NoError(t, err)
	}
	require.Equal(t, operations.Done, f.status(list[0].op).Status)
	f.reconciled()
}

// A row that another transaction holds delays a group by a second, not the operations of others for
// as long as it is held.
func TestGroups_locked_operation(t *testing.T) {
	t.Parallel()
	f := newGroupFixture(t)
	list := f.payments(3, 1_00)
	ctx := t.Context()
	holder, err := f.db.Owner().Begin(ctx)
	require.NoError(t, err)
	_, err = holder.Exec(ctx, `select from operations where id = $1 for update`, list[0].op.ID)
	require.NoError(t, err)

	worked := make(chan []error, 1)
	go func() { worked <- f.workTogether(list) }()
	for _, p := range list[1:] {
		require.Eventually(t, func() bool { return f.status(p.op).Status == operations.Done }, 8*time.Second, 10*time.Millisecond)
	}
	require.Equal(t, operations.Pending, f.status(list[0].op).Status)
	require.NoError(t, holder.Rollback(ctx))
	for _, err := range <-worked {
		require.NoError(t, err)
	}
	f.reconciled()
}

// A user is disabled while their completion waits for the deal's lock, which the disabling
// transaction holds. The completion is refused.
func TestGroups_actor_disabled_meanwhile(t *testing.T) {
	t.Parallel()
	f := newGroupFixture(t)
	ctx := t.Context()
	paid := f.payments(1, 1_00)[0]
	work := rivertest.WorkContext(ctx, f.client)
	require.NoError(t, f.settler.Work(work, paid.job))
	id, err := paid.op.SubjectID()
	require.NoError(t, err)
	op, err := f.deals.RequestComplete(ctx, f.buyer, id, nil)
	require.NoError(t, err)

	disabling, err := f.db.Owner().Begin(ctx)
	require.NoError(t, err)
	_, err = disabling.Exec(ctx, `update users set disabled_at = now() where id = $1`, f.buyer)
	require.NoError(t, err)
	_, err = disabling.Exec(ctx, `select from deals where id = $1 for update`, id)
	require.NoError(t, err)
	f.start()
	require.Eventually(t, func() bool {
		return f.count(`select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`) > 0
	}, 20*time.Second, 10*time.Millisecond, "the completion waits")
	require.NoError(t, disabling.Commit(ctx))
	op, err = f.waiter.Wait(ctx, op)
	require.NoError(t, err)
	require.Equal(t, fault.Forbidden, fault.CodeOf(op.Err()))
	require.Zero(t, f.balance(f.seller))
}

// A job whose time is up while it waits for its group is retried later, and the group goes on.
func TestGroups_member_gives_up(t *testing.T) {
	t.Parallel()
	f := newGroupFixture(t)
	list := f.payments(2, 1_00)
	impatient, giveUp := context.WithCancel(t.Context())
	inside, proceed := make(chan struct{}), make(chan struct{})
	settle := f.settler.kind.settle
	slow := *f.settler
	slow.kind.settle = func(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
		close(inside)
		<-proceed
		return settle(ctx, tx, op)
	}
	leader, waiter := make(chan error, 1), make(chan error, 1)
	go func() { leader <- slow.Work(rivertest.WorkContext(t.Context(), f.client), list[0].job) }()
	<-inside
	go func() { waiter <- f.settler.Work(rivertest.WorkContext(impatient, f.client), list[1].job) }()
	require.Eventually(t, func() bool { return f.waiting() == 1 }, 20*time.Second, time.Millisecond)
	giveUp()
	require.ErrorIs(t, <-waiter, context.Canceled)
	require.Zero(t, f.waiting())
	close(proceed)
	require.NoError(t, <-leader)
	require.Equal(t, operations.Done, f.status(list[0].op).Status)
	require.Equal(t, operations.Pending, f.status(list[1].op).Status)

	require.NoError(t, f.settler.Work(rivertest.WorkContext(t.Context(), f.client), list[1].job), "the next attempt")
	require.Equal(t, operations.Done, f.status(list[1].op).Status)
	f.reconciled()
}

// Two workers settle payments and completions between the same users, whose wallets they lock in
// groups.
func TestGroups_concurrent_workers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	users := make([]uuid.UUID, 6)
	for i := range users {
		users[i] = f.withFunds(fmt.Sprintf("user%d", i), 1000_00)
	}
	f.start()
	second, err := Assemble(f.dependencies())
	require.NoError(t, err)
	f.startClient(second)

	var group sync.WaitGroup
	for i := range users {
		for j := range users {
			if i == j {
				continue
			}
			for range 4 {
				group.Go(func() {
					d := f.deal(users[i], users[j], 10_00)
					for _, request := range []func() (operations.Operation, error){
						func() (operations.Operation, error) {
							return f.deals.RequestPay(ctx, users[i], d.ID, deals.AnyTerms, nil)
						},
						func() (operations.Operation, error) { return f.deals.RequestComplete(ctx, users[i], d.ID, nil) },
					} {
						op, err := request()
						if err == nil {
							op, err = f.waiter.Wait(ctx, op)
						}
						if err != nil || op.Status != operations.Done {
							t.Errorf("%s: %v, %s", op.Kind, err, op.Status)
							return
						}
					}
				})
			}
		}
	}
	group.Wait()
	for _, user := range users {
		require.Equal(t, 1000_00-20*10_00+20*(10_00-money.Fee(10_00)), f.balance(user))
	}
	require.Equal(t, 6*5*4, f.count(`select count(*) from deals where status = $1`, string(deals.Completed)))
	f.reconciled()
}

// Each operation wakes the workers once, however close they follow each other: River omits some of
// its own notifications, and those that it sends must equal ours, or there would be two.
func TestGroups_notified(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	buyer, seller := f.withFunds("nusrat", 1000_00), f.user("rahim")
	const operations = 10
	list := make([]deals.Deal, operations)
	for i := range list {
		list[i] = f.deal(buyer, seller, 10_00)
	}
	conn, err := f.db.Worker().Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	_, err = conn.Exec(t.Context(), `listen "river.river_insert"`)
	require.NoError(t, err)
	for _, d := range list {
		_, err := f.deals.RequestPay(t.Context(), buyer, d.ID, deals.AnyTerms, nil)
		require.NoError(t, err)
	}
	_, err = f.db.Worker().Exec(t.Context(), `select pg_notify('river.river_insert', 'last')`)
	require.NoError(t, err)
	for n := 0; ; n++ {
		notification, err := conn.Conn().WaitForNotification(t.Context())
		require.NoError(t, err)
		if notification.Payload == "last" {
			require.Equal(t, operations, n)
			return
		}
		require.JSONEq(t, `{"queue": "money"}`, notification.Payload)
	}
}
