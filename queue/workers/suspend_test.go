package workers

import (
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river/rivertest"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/accounts"
	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/testing/soak"
)

// people returns the accounts service with the database role of the owner, as the operator's
// command line uses it.
func (f *fixture) people() *accounts.Service {
	return accounts.New(accounts.Options{DB: f.db.Owner(), Clock: f.clock, Deals: f.deals})
}

func (f *clockFixture) enable(user uuid.UUID) {
	f.t.Helper()
	require.NoError(f.t, f.people().EnableUser(f.t.Context(), f.admin, user))
}

func (f *clockFixture) refused(code fault.Code, text string, err error) {
	f.t.Helper()
	require.Equal(f.t, code, fault.CodeOf(err))
	require.ErrorContains(f.t, err, text)
}

// A payment settles while a party is being disabled. The deal is then either suspended or unpaid.
func TestSettlePay_DisableUser_concurrent(t *testing.T) {
	t.Parallel()
	rounds := soak.Rounds(4, 60)
	f := &clockFixture{fixture: newFixture(t)}
	ctx := t.Context()
	f.buyer, f.seller, f.admin = f.withFunds("nusrat", money.Cents(rounds)*price), f.user("tanvir"), f.fixture.admin("admin")
	worker, people := f.paySettler(), f.people()
	working := rivertest.WorkContext(ctx, f.client)
	for round := range rounds {
		d := f.deal(f.buyer, f.seller, price)
		op, job := f.enqueued(f.buyer, d.ID)
		party := []uuid.UUID{f.seller, f.buyer}[round%2]
		var group sync.WaitGroup
		for _, act := range []func() error{
			func() error { return worker.Work(working, job) },
			func() error { return people.DisableUser(ctx, f.admin, party, "fraud") },
		} {
			group.Go(func() {
				if err := act(); err != nil {
					t.Errorf("round %d: %v", round, err)
				}
			})
		}
		group.Wait()
		op, err := operations.GetOwn(ctx, f.db.API(), f.buyer, op.ID)
		require.NoError(t, err)
		detail, err := f.deals.GetAny(ctx, f.admin, d.ID)
		require.NoError(t, err)
		require.Equal(t, op.Status == operations.Done, detail.Status.Open())
		require.Equal(t, detail.Status.Open(), detail.SuspendedAt != nil, "round %d: a %s deal", round, detail.Status)
		f.enable(party)
	}
	won := soak.Rounds(0, 1) // by each of the two
	require.GreaterOrEqual(t, f.count(`select count(*) from operations where kind = 'deal_pay' and status = 'done'`), won)
	require.GreaterOrEqual(t, f.count(`select count(*) from operations where kind = 'deal_pay' and status = 'rejected'`), won)
}

// A buyer who is released just before the sweep has locked the deal is not handed to the admins.
func TestSweep_buyer_released_meanwhile(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	ctx := t.Context()
	f.do(f.deals.Deliver(ctx, f.seller, f.id, deals.Words{}))
	_, err := f.people().HoldWithdrawals(ctx, "nusrat")
	require.NoError(t, err)
	f.after(3*day - time.Minute)
	f.clock.Advance(2 * time.Minute)
	var group sync.WaitGroup
	// The deal can be read, not locked.
	f.holding(`lock table deals in exclusive mode; update users set withdrawals_held_at = null where username = 'nusrat'`, nil, func() {
		group.Go(func() {
			if _, err := f.sweeper.Sweep(ctx); err != nil {
				t.Error(err)
			}
		})
	})
	group.Wait()
	require.Nil(t, f.now().EscalatedAt)
	f.sweep()
	f.ends(deals.Completed, deals.ReasonCompleted, 900_00, 98_00)
}
