package workers

import (
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/testing/soak"
)

// roomFixture has a dispute that the buyer has opened.
type roomFixture struct {
	*clockFixture
	second  uuid.UUID // another admin
	dispute uuid.UUID
}

func newRoomFixture(t *testing.T) *roomFixture {
	t.Helper()
	f := &roomFixture{clockFixture: newClockFixture(t)}
	f.second = f.fixture.admin("second")
	f.open()
	return f
}

// words are what somebody writes in a dispute.
func words(text string) deals.Statement { return deals.Statement{Words: deals.Words{Text: text}} }

// open opens a dispute about the deal of the fixture.
func (f *roomFixture) open() {
	f.t.Helper()
	x, err := f.deals.OpenDispute(f.t.Context(), f.buyer, f.id, deals.DisputeNotAsAgreed, words("It has another owner."), nil)
	require.NoError(f.t, err)
	f.dispute = x.ID
}

func (f *roomFixture) room() deals.DisputeDetail {
	f.t.Helper()
	x, err := f.deals.GetAnyDispute(f.t.Context(), f.dispute)
	require.NoError(f.t, err)
	return x
}

// offer makes an offer and returns its ID.
func (f *roomFixture) offer(by uuid.UUID, buyerGets money.Cents) uuid.UUID {
	f.t.Helper()
	x, err := f.deals.MakeOffer(f.t.Context(), by, f.dispute, buyerGets, nil)
	require.NoError(f.t, err)
	return x.Offers[len(x.Offers)-1].ID
}

func (f *roomFixture) decide(admin uuid.UUID, buyerGets money.Cents) {
	f.t.Helper()
	_, err := f.deals.DecideDispute(f.t.Context(), admin, f.dispute, ruling(buyerGets), nil)
	require.NoError(f.t, err)
}

func ruling(buyerGets money.Cents) deals.Ruling {
	return deals.Ruling{BuyerGets: buyerGets, Reason: "Half of it was delivered."}
}

// If a process dies between the final decision and its operation, the clock carries it out.
func TestSweep_carries_out_interrupted_decision(t *testing.T) {
	t.Parallel()
	f := newRoomFixture(t)
	offer := f.offer(f.buyer, 70_00)
	f.decide(f.admin, 0)
	_, err := f.deals.AppealDispute(t.Context(), f.buyer, f.dispute, "It was never mine.", nil)
	require.NoError(t, err)
	resume := f.pause()
	op, err := f.deals.DecideDisputeAppeal(t.Context(), f.second, f.dispute, ruling(40_01), nil)
	require.NoError(t, err)
	_, err = f.db.Owner().Exec(t.Context(), `delete from operations where id = $1`, op.ID)
	require.NoError(t, err)
	_, err = f.db.Owner().Exec(t.Context(), `delete from river.river_job where kind = 'deal_settle'`)
	require.NoError(t, err)
	_, err = f.deals.AcceptOffer(t.Context(), f.seller, f.dispute, offer, nil)
	f.refused(fault.Conflict, "The dispute has changed meanwhile.", err)
	resume()
	f.sweep()
	require.Eventually(t, func() bool { return !f.now().Status.Open() }, 10*time.Second, time.Millisecond)
	f.ends(deals.Completed, deals.ReasonSettled, 940_01, 58_79)
}

// A referrer's reward is one of the part that the seller gets.
func TestAcceptOffer_reward(t *testing.T) {
	t.Parallel()
	f := newRoomFixture(t)
	referrer := f.user("karim")
	_, err := f.db.Owner().Exec(t.Context(), `update users set referred_by = $1 where id = $2`, referrer, f.seller)
	require.NoError(t, err)
	f.settled(f.deals.AcceptOffer(t.Context(), f.buyer, f.dispute, f.offer(f.seller, 40_00), nil))
	require.Eventually(t, func() bool { return f.balance(referrer) == 60 }, 10*time.Second, time.Millisecond)
	f.ends(deals.Completed, deals.ReasonSettled, 940_00, 58_80)
}

// Settling competes with every other way to end the deal. One wins, the money is paid out once.
func TestSettleDispute_concurrent(t *testing.T) {
	t.Parallel()
	rounds := soak.Rounds(4, 200)
	f := &roomFixture{clockFixture: newClockFixture(t)}
	f.second = f.fixture.admin("second")
	ctx := t.Context()
	f.fund(f.buyer, f.admin, money.Cents(rounds)*price)
	ids := []uuid.UUID{f.id}
	for range rounds - 1 {
		ids = append(ids, f.paid())
	}
	closed := map[deals.Reason]int{}
	for round, id := range ids {
		f.id = id
		f.open()
		mine, theirs := f.offer(f.buyer, money.Cents(round)*50), f.offer(f.seller, money.Cents(round)*40)
		if round%2 == 0 {
			f.decide(f.admin, 33_33)
			_, err := f.deals.AcceptDecision(ctx, f.seller, f.dispute, nil)
			require.NoError(t, err)
		}
		attempts := []func() (operations.Operation, error){
			func() (operations.Operation, error) { return f.deals.AcceptOffer(ctx, f.seller, f.dispute, mine, nil) },
			func() (operations.Operation, error) { return f.deals.AcceptOffer(ctx, f.buyer, f.dispute, theirs, nil) },
			func() (operations.Operation, error) {
				accepted, err := f.deals.AcceptDecision(ctx, f.buyer, f.dispute, nil)
				if accepted.Operation == nil {
					return operations.Operation{Status: operations.Rejected}, err
				}
				return *accepted.Operation, err
			},
			func() (operations.Operation, error) { return f.deals.RequestComplete(ctx, f.buyer, id, nil) },
			func() (operations.Operation, error) { return cancelOperation(f.deals.Cancel(ctx, f.seller, id, nil)) },
			func() (operations.Operation, error) { return f.deals.RequestForceCancel(ctx, f.admin, id, nil) },
			func() (operations.Operation, error) {
				_, err := f.deals.CloseDispute(ctx, f.buyer, f.dispute)
				return operations.Operation{Status: operations.Rejected}, err
			},
			func() (operations.Operation, error) {
				_, err := f.sweeper.Sweep(ctx)
				return operations.Operation{Status: operations.Rejected}, err
			},
		}
		var group sync.WaitGroup
		for n := range attempts {
			attempt := attempts[(n+round)%len(attempts)]
			group.Go(func() {
				op, err := attempt()
				if err == nil && op.Status == operations.Pending {
					op, err = f.waiter.Wait(ctx, op)
				}
				if err == nil && op.Status == operations.Rejected && op.ErrorCode != nil {
					err = op.Err()
				}
				if err != nil && fault.CodeOf(err) != fault.Conflict {
					t.Errorf("neither done nor a conflict: %v", err)
				}
			})
		}
		group.Wait()
		require.Eventually(t, func() bool { return f.count(`select count(*) from operations where status = 'pending'`) == 0 },
			10*time.Second, time.Millisecond, "that of the sweep")
		if f.now().Status.Open() { // all others came while another was pending that was refused
			f.settled(f.deals.RequestComplete(ctx, f.buyer, id, nil))
		}
		closed[f.now().CloseReason]++
		require.True(t, f.room().Status.Ended())
	}
	require.Equal(t, rounds, f.count(`select count(*) from ledger.transfers where key like 'deal:%:close'`))
	require.GreaterOrEqual(t, closed[deals.ReasonSettled], soak.Rounds(0, 1))
	t.Logf("closed by: %v", closed)
	f.reconciled()
}
