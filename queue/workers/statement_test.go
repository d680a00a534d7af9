package workers

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/actor"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/reports"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/tracing"
	"amanat/internal/money"
	"amanat/internal/money/operations"
)

// call returns the context of a call with a request id.
func (f *fixture) call(requestID string) context.Context {
	return tracing.WithRequestID(f.t.Context(), requestID)
}

// moved returns the lines of a deal's statement in short, and requires that each has its operation.
func (f *fixture) moved(deal uuid.UUID) []string {
	f.t.Helper()
	lines, err := (&reports.Service{DB: f.db.API()}).DealStatement(f.t.Context(), deal)
	require.NoError(f.t, err)
	var moved []string
	for _, l := range lines {
		after := "-"
		if l.EscrowAfter != nil {
			after = l.EscrowAfter.String()
		}
		moved = append(moved, fmt.Sprintf("%s: %s %s > %s %s: %s, %s; %s %s", l.Kind, l.From, orNone(l.FromUser), l.To, orNone(l.ToUser),
			l.Amount, after, orNone(l.Actor), orNone(l.RequestID)))
		require.NotNil(f.t, l.Operation)
		op, err := f.ops.Show(f.t.Context(), f.db.API(), *l.Operation)
		require.NoError(f.t, err)
		require.Equal(f.t, l.Kind, op.Kind)
		require.Equal(f.t, operations.Done, op.Status)
	}
	return moved
}

func orNone(text *string) string {
	if text == nil {
		return "-"
	}
	return *text
}

// traced returns the lines of a user's statement in short.
func (f *fixture) traced(user uuid.UUID) []string {
	f.t.Helper()
	var traced []string
	err := (&reports.Service{DB: f.db.API()}).TracedStatementParts(f.t.Context(), user, reports.StatementFilter{},
		func(_ reports.Statement, lines []reports.TracedLine) error {
			for _, l := range lines {
				traced = append(traced, fmt.Sprintf("%s %s %s", l.Kind, l.Amount, orNone(l.RequestID)))
			}
			return nil
		})
	require.NoError(f.t, err)
	return traced
}

// A payment that was refused leaves nothing in the statement. The reward has the call that has
// completed the deal.
func TestDealStatement_completed(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	buyer, seller, referrer := f.withFunds("nusrat", price), f.user("tanvir"), f.user("karim")
	_, err := f.db.Owner().Exec(t.Context(), `update users set referred_by = $1 where id = $2`, referrer, seller)
	require.NoError(t, err)
	d := f.deal(buyer, seller, price)
	refused, err := f.deals.RequestPay(f.call("refused"), buyer, d.ID, deals.AnyTerms, nil)
	require.NoError(t, err)
	operator := *f.ops
	operator.DB = f.db.Worker()
	_, err = operator.End(t.Context(), refused.ID, "a test")
	require.NoError(t, err)
	require.Empty(t, f.moved(d.ID))
	f.start()
	f.settled(f.deals.RequestPay(f.call("paid"), buyer, d.ID, deals.AnyTerms, nil))
	f.settled(f.deals.RequestComplete(f.call("completed"), buyer, d.ID, nil))
	require.Eventually(t, func() bool { return f.balance(referrer) == 1_00 }, 10*time.Second, time.Millisecond)
	require.Equal(t, []string{
		"deal_pay: wallet nusrat > escrow -: 100.00, 100.00; nusrat paid",
		"deal_complete: escrow - > wallet tanvir: 98.00, 0.00; nusrat completed",
		"deal_complete: escrow - > fees -: 1.00, 0.00; nusrat completed",
		"deal_complete: escrow - > referral_payable -: 1.00, 0.00; nusrat completed",
		"referral_credit: referral_payable - > wallet karim: 1.00, -; - completed",
	}, f.moved(d.ID))
	require.Equal(t, []string{"referral_credit 1.00 completed"}, f.traced(referrer))
	require.Equal(t, []string{"deposit_approve 100.00 -", "deal_pay -100.00 paid"}, f.traced(buyer))
	f.reconciled()
}

func TestDealStatement_split_and_refunded(t *testing.T) {
	t.Parallel()
	f := newRoomFixture(t)
	f.settled(f.deals.AcceptOffer(f.call("split"), f.buyer, f.dispute, f.offer(f.seller, 40_00), nil))
	require.Equal(t, []string{
		"deal_pay: wallet nusrat > escrow -: 100.00, 100.00; nusrat -",
		"deal_settle: escrow - > wallet tanvir: 58.80, 0.00; nusrat split",
		"deal_settle: escrow - > wallet nusrat: 40.00, 0.00; nusrat split",
		"deal_settle: escrow - > fees -: 1.20, 0.00; nusrat split",
	}, f.moved(f.id))

	left := f.paid()
	cancelled, err := f.deals.Cancel(f.call("cancelled"), f.seller, left, nil)
	require.NoError(t, err)
	f.settled(*cancelled.Operation, nil)
	require.Equal(t, []string{
		"deal_pay: wallet nusrat > escrow -: 100.00, 100.00; nusrat -",
		"deal_refund: escrow - > wallet nusrat: 100.00, 0.00; tanvir cancelled",
	}, f.moved(left))

	overdue := f.paid()
	f.after(30 * day)
	require.Equal(t, []string{
		"deal_pay: wallet nusrat > escrow -: 100.00, 100.00; nusrat -",
		"deal_refund: escrow - > wallet nusrat: 100.00, 0.00; - -",
	}, f.moved(overdue), "the clock has no call")
	f.reconciled()
}

func TestTracedStatement(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	user, first, second := f.user("nusrat"), f.admin("first"), f.admin("second")
	approval := wallet.Approval{Amount: 50_00, UserID: user}
	approved, err := f.wallet.Approve(f.call("credited"), first, f.report(user, 50_00).ID, approval, nil)
	f.settled(approved.Operation, err)
	f.settled(f.wallet.ConfirmAdjustment(f.call("corrected"), second, f.proposed(actor.User(first), user, -5_00).ID, nil))
	held := f.settled(f.wallet.RequestWithdraw(f.call("held"), user,
		wallet.Order{Amount: money.Cents(10_00), PhoneNumber: "01712345678", Method: wallet.Bkash}, nil))
	id, err := held.SubjectID()
	require.NoError(t, err)
	f.settled(f.wallet.RequestCancel(f.call("cancelled"), user, id, nil))
	require.Equal(t, []string{
		"deposit_approve 50.00 credited", "balance_adjust -5.00 corrected", "withdrawal_hold -10.00 held", "withdrawal_cancel 10.00 cancelled",
	}, f.traced(user))
}
