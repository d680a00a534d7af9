package deals_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
)

func (f *tradeFixture) ship() deals.Deal {
	f.t.Helper()
	return f.do(f.Ship(f.t.Context(), f.seller, f.id, deals.Words{}, " Pathao ", "DA 77"))
}

func (f *tradeFixture) arrived() deals.Deal {
	f.t.Helper()
	return f.do(f.Arrived(f.t.Context(), f.buyer, f.id))
}

// The three days of inspection begin when the buyer says that it arrived.
func TestArrived(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t)
	d := f.ship()
	require.Equal(t, deals.Delivered, d.Status)
	by := d.DeliveredAt.Add(5 * day)
	require.Equal(t, deals.Shipment{Courier: "Pathao", TrackingNumber: "DA 77", ArrivesBy: &by}, d.Shipment)
	require.Equal(t, d.DeliveredAt.Add(8*day), *d.NextActionAt)
	text, _ := f.told(f.buyer)
	require.Equal(t, "karim sent “A channel” by courier. Tell us when it arrives.", text)
	_, err := f.Arrived(t.Context(), f.seller, f.id)
	f.refused(fault.Forbidden, "Only the buyer can do this.", err)
	_, err = f.Arrived(t.Context(), f.admin, f.id)
	f.refused(fault.NotFound, "Deal not found.", err)

	f.after(2 * day)
	d = f.arrived()
	require.WithinDuration(t, f.clock.Now(), *d.ArrivedAt, time.Minute)
	require.Equal(t, d.ArrivedAt.Add(3*day), *d.NextActionAt)
	require.Nil(t, d.ArrivesBy)
	text, _ = f.told(f.seller)
	require.Equal(t, "rahim says that “A channel” arrived. Inspection has begun.", text)
	f.after(day)
	require.Equal(t, d, f.arrived(), "the first time stays")
	detail, err := f.Get(t.Context(), f.buyer, f.id)
	require.NoError(t, err)
	require.Equal(t, "karim sent it by courier Pathao · DA 77", detail.Timeline[len(detail.Timeline)-2].Text)
	require.Equal(t, "rahim says that it arrived", detail.Timeline[len(detail.Timeline)-1].Text)

	f.after(2*day - time.Minute)
	require.Equal(t, deals.Delivered, f.now().Status)
	f.after(2 * time.Minute)
	f.ends(deals.Completed, deals.ReasonCompleted, 900_00, 98_00)
	require.Equal(t, f.now(), f.arrived(), "too late for anything")
}

// What the buyer never reports has arrived after five days.
func TestArrived_never(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t)
	f.ship()
	f.after(5 * day)
	late := f.arrived()
	require.Nil(t, late.ArrivedAt, "the inspection has begun")
	require.Equal(t, late.DeliveredAt.Add(8*day), *late.NextActionAt)
	f.after(3*day - time.Minute)
	require.Equal(t, deals.Delivered, f.now().Status)
	f.after(2 * time.Minute)
	f.ends(deals.Completed, deals.ReasonCompleted, 900_00, 98_00)
}

// On its way or not, the buyer releases the money when they like.
func TestShip_released_before_arrival(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t)
	f.ship()
	f.settled(f.RequestComplete(t.Context(), f.buyer, f.id, nil))
	f.ends(deals.Completed, deals.ReasonCompleted, 900_00, 98_00)
}

// A delivery after changes has its own shipment, or none.
func TestShip_again(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t)
	f.ship()
	f.after(day)
	f.arrived()
	back := f.do(f.ResetDelivery(t.Context(), f.buyer, f.id, "It is broken."))
	require.Zero(t, back.Shipment)
	_, err := f.Arrived(t.Context(), f.buyer, f.id)
	requireReason(t, "nothing_on_its_way", err)
	f.after(day)
	again := f.do(f.Ship(t.Context(), f.seller, f.id, deals.Words{}, "RedX", ""))
	require.Equal(t, "RedX", again.Label())
	require.Equal(t, again.DeliveredAt.Add(8*day), *again.NextActionAt)
	f.do(f.ResetDelivery(t.Context(), f.buyer, f.id, "The other one."))
	handed := f.deliver()
	require.Zero(t, handed.Shipment)
	require.Equal(t, handed.DeliveredAt.Add(3*day), *handed.NextActionAt)
	_, err = f.Arrived(t.Context(), f.buyer, f.id)
	requireReason(t, "nothing_on_its_way", err)
}

// While a dispute freezes the deal, the time of the way stands still, too, and the arrival counts.
func TestArrived_during_dispute(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		arrives time.Duration // from the opening of the dispute
		ends    time.Duration // the inspection, from there, too
	}{
		"never reported":             {0, (10 + 4 + 3) * day},
		"reported":                   {2 * day, (10 + 3) * day},
		"reported after its time":    {9 * day, (10 + 3) * day},
		"reported after the dispute": {11 * day, (11 + 3) * day},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newTradeFixture(t)
			f.ship()
			f.after(day)
			opened, err := f.OpenDispute(t.Context(), f.buyer, f.id, deals.DisputeNotDelivered, deals.Statement{
				Words: deals.Words{Text: "Where is it?"},
			}, nil)
			require.NoError(t, err)
			start := f.clock.Now()
			reaches := func(at time.Duration) { f.clock.Advance(start.Add(at).Sub(f.clock.Now())) }
			if tc.arrives > 0 && tc.arrives < 10*day {
				reaches(tc.arrives)
				require.NotNil(t, f.arrived().ArrivedAt)
			}
			reaches(10 * day)
			_, err = f.CloseDispute(t.Context(), f.buyer, opened.ID)
			require.NoError(t, err)
			if tc.arrives > 10*day {
				reaches(tc.arrives)
				f.arrived()
			}
			d := f.now()
			require.False(t, d.Frozen())
			require.WithinDuration(t, start.Add(tc.ends), *d.NextActionAt, time.Minute)
		})
	}
}

func TestShip_refused(t *testing.T) {
	t.Parallel()
	f := newTradeFixture(t)
	for reason, with := range map[string][2]string{
		"courier_missing":          {" \u200b", "77"},
		"courier_too_long":         {strings.Repeat("ক", 41), ""},
		"tracking_number_too_long": {"Pathao", strings.Repeat("7", 41)},
	} {
		_, err := f.Ship(t.Context(), f.seller, f.id, deals.Words{}, with[0], with[1])
		requireReason(t, reason, err)
	}
	_, err := f.Ship(t.Context(), f.buyer, f.id, deals.Words{}, "Pathao", "")
	f.refused(fault.Forbidden, "Only the seller can do this.", err)
	require.Equal(t, deals.Active, f.now().Status)
	longest := strings.Repeat("ক", 40)
	require.Equal(t, longest, f.do(f.Ship(t.Context(), f.seller, f.id, deals.Words{}, longest, longest)).Courier)
}
