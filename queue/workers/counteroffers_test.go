package workers

import (
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
	"amanat/internal/testing/soak"
)

// A buyer pays while the seller proposes another price. Either the deal is paid as the buyer has
// read it, or the payment is refused and the counter-offer is open.
func TestMakeCounteroffer_while_paying(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	buyer, seller, admin := f.user("nusrat"), f.user("tanvir"), f.admin("admin")
	f.fund(buyer, admin, 5000_00)
	outcomes := map[string]int{}
	spent := money.Cents(0)
	for range soak.Rounds(4, 200) {
		d := f.deal(buyer, seller, 1_00)
		dearer := deals.Terms{Price: 2_00, Description: d.Description, DeliveryDays: d.DeliveryDays, InspectionDays: d.InspectionDays}
		var payErr, counterErr error
		var countered deals.Detail
		var race sync.WaitGroup
		race.Go(func() {
			op, err := f.deals.RequestPay(ctx, buyer, d.ID, 1, nil)
			if err == nil {
				op, err = f.waiter.Wait(ctx, op)
			}
			if err == nil {
				err = op.Err()
			}
			payErr = err
		})
		race.Go(func() { countered, counterErr = f.deals.MakeCounteroffer(ctx, seller, d.ID, dearer, "", nil) })
		race.Wait()

		got, err := f.deals.Get(ctx, buyer, d.ID)
		require.NoError(t, err)
		if payErr == nil {
			require.Equal(t, fault.Conflict, fault.CodeOf(counterErr), "%v", counterErr)
			require.Equal(t, deals.Active, got.Status)
			require.Nil(t, got.CounterofferBy)
			spent += 1_00
			outcomes["paid"]++
			continue
		}
		require.NoError(t, counterErr)
		require.Equal(t, "counteroffer_open", fault.As(payErr).Reason)
		require.Equal(t, deals.Pending, got.Status)
		_, err = f.deals.AcceptCounteroffer(ctx, buyer, d.ID, countered.Counteroffer.ID)
		require.NoError(t, err)
		_, err = f.deals.RequestPay(ctx, buyer, d.ID, 1, nil)
		require.Equal(t, "terms_changed", fault.As(err).Reason)
		f.settled(f.deals.RequestPay(ctx, buyer, d.ID, 2, nil))
		spent += 2_00
		outcomes["countered"]++
	}
	require.GreaterOrEqual(t, len(outcomes), soak.Rounds(1, 2), "%v: they did not race", outcomes)
	require.Equal(t, 5000_00-spent, f.balance(buyer))
	f.reconciled()
}

// The api cannot give a paid deal other terms, and the worker none.
func TestApplyCounteroffer_guards(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	ctx := t.Context()
	buyer, seller, admin := f.user("nusrat"), f.user("tanvir"), f.admin("admin")
	f.fund(buyer, admin, 100_00)
	d := f.deal(buyer, seller, 10_00)
	f.settled(f.deals.RequestPay(ctx, buyer, d.ID, deals.AnyTerms, nil))
	var id uuid.UUID
	require.NoError(t, f.db.API().QueryRow(ctx, `
		insert into deal_counteroffers (id, deal_id, made_by, price, fee, description, delivery_days, inspection_days, created_at)
		values (gen_random_uuid(), $1, $2, 1, 0, 'x', 1, 1, now()) returning id`, d.ID, seller).Scan(&id))
	var applied bool
	require.NoError(t, f.db.API().QueryRow(ctx, `select deal_apply_counteroffer($1, now())`, id).Scan(&applied))
	require.False(t, applied)
	got, err := f.deals.Get(ctx, buyer, d.ID)
	require.NoError(t, err)
	require.EqualValues(t, 10_00, got.Price)
	_, err = f.db.Worker().Exec(ctx, `select deal_apply_counteroffer(gen_random_uuid(), now())`)
	require.ErrorContains(t, err, "permission denied")
}
