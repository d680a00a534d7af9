package deals

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestStatusOpen(t *testing.T) {
	t.Parallel()
	open := map[Status]bool{
		Pending: false, Active: true, Late: true, Delivered: true,
		Completed: false, Cancelled: false, CancelledByBuyer: false, CancelledBySeller: false,
	}
	require.Len(t, open, len(Statuses()))
	for status, want := range open {
		t.Run(string(status), func(t *testing.T) {
			t.Parallel()
			require.Equal(t, want, status.Open())
		})
	}
}

func TestPlan(t *testing.T) {
	t.Parallel()
	lastMinute := dueAt.Add(-time.Minute)
	overdue := dueAt.Add(3 * day)
	for name, tc := range map[string]struct {
		deal   Deal
		action Action
		at     time.Time
	}{
		"pending expires when due":  {pending(), ActionExpire, dueAt},
		"active never delivered":    {active(), ActionRefund, dueAt.Add(14 * day)},
		"late deal never delivered": {late(), ActionRefund, dueAt.Add(14 * day)},
		"paid in the last minute has a day": {
			active().with(func(d *Deal) { d.ActivatedAt = &lastMinute }), ActionRefund, lastMinute.Add(15 * day),
		},
		"paid when overdue has a day": {late().with(func(d *Deal) { d.ActivatedAt = &overdue }), ActionRefund, overdue.Add(15 * day)},
		"never delivered and frozen meanwhile": {
			late().with(func(d *Deal) { d.FrozenFor = 5 * time.Hour }), ActionRefund, dueAt.Add(14*day + 5*time.Hour),
		},
		"delivered": {delivered(dueAt), ActionComplete, dueAt.Add(3 * day)},
		"delivered with a month to inspect": {
			delivered(dueAt).with(func(d *Deal) { d.InspectionDays = 30 }), ActionComplete, dueAt.Add(30 * day),
		},
		"delivered again counts from the last": {
			delivered(paidAt).with(func(d *Deal) { d.DeliveredAt = &dueAt }), ActionComplete, dueAt.Add(3 * day),
		},
		"request on a deal never delivered": {active().asked(paidAt), ActionRefundUnanswered, paidAt.Add(3 * day)},
		"request on a late deal":            {late().asked(dueAt.Add(day)), ActionRefundUnanswered, dueAt.Add(4 * day)},
		"request a moment before the refund comes first": {
			late().asked(dueAt.Add(11*day - 1)), ActionRefundUnanswered, dueAt.Add(14*day - 1),
		},
		"request that would end with the refund is refunded": {
			late().asked(dueAt.Add(11 * day)), ActionRefund, dueAt.Add(14 * day),
		},
		"request after a delivery": {takenBack(dueAt).asked(dueAt), ActionEscalate, dueAt.Add(3 * day)},
		"reset after a delivery":   {takenBack(dueAt), ActionEscalate, dueAt.Add(7 * day)},
		"request declined after a delivery goes on from the reset": {
			takenBack(dueAt).with(func(d *Deal) { d.CancellationDeclined = true }), ActionEscalate, dueAt.Add(7 * day),
		},
		"escalated": {
			takenBack(dueAt).with(func(d *Deal) { d.EscalatedAt = &dueAt }), "", time.Time{},
		},
		"delivered and escalated": {
			delivered(dueAt).with(func(d *Deal) { d.EscalatedAt = &dueAt }), "", time.Time{},
		},
		"completed":           {delivered(dueAt).in(Completed), "", time.Time{}},
		"cancelled":           {active().in(Cancelled), "", time.Time{}},
		"cancelled by buyer":  {active().in(CancelledByBuyer), "", time.Time{}},
		"cancelled by seller": {active().in(CancelledBySeller), "", time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			action, at := tc.deal.plan()
			require.Equal(t, tc.action, action)
			require.Equal(t, tc.at, at)
		})
	}
}

func TestExitAt(t *testing.T) {
	t.Parallel()
	paid := func(at time.Time) Deal { return active().with(func(d *Deal) { d.ActivatedAt = &at }) }
	for name, tc := range map[string]struct {
		deal Deal
		at   time.Time
	}{
		"a day after it was due":               {active(), dueAt.Add(day)},
		"paid a day before it was due":         {paid(dueAt.Add(-day)), dueAt.Add(day)},
		"paid less than a day before":          {paid(dueAt.Add(-day + 1)), dueAt.Add(day + 1)},
		"paid when due":                        {paid(dueAt), dueAt.Add(2 * day)},
		"paid when overdue":                    {paid(dueAt.Add(3 * day)), dueAt.Add(5 * day)},
		"unpaid":                               {pending(), dueAt.Add(day)},
		"a freeze does not put it off":         {active().with(func(d *Deal) { d.FrozenFor = 5 * day }), dueAt.Add(day)},
		"a request does not put it off either": {active().asked(dueAt), dueAt.Add(day)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.at, tc.deal.ExitAt())
		})
	}
}

func TestMayExit(t *testing.T) {
	t.Parallel()
	exit := dueAt.Add(day)
	for name, tc := range map[string]struct {
		deal Deal
		now  time.Time
		may  bool
	}{
		"late a moment before":          {late(), exit.Add(-1), false},
		"late at the exit time":         {late(), exit, true},
		"late long after":               {late(), exit.Add(day), true},
		"still stored as active":        {active(), exit, true},
		"with a cancellation request":   {late().asked(dueAt), exit, true},
		"delivered":                     {delivered(dueAt), exit, false},
		"delivered once and taken back": {takenBack(dueAt), exit, false},
		"unpaid":                        {pending(), exit, false},
		"closed":                        {late().in(Cancelled), exit, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.may, tc.deal.mayExit(tc.now))
		})
	}
}

func TestRequestsLeft(t *testing.T) {
	t.Parallel()
	for requests, left := range []int{3, 2, 1, 0} {
		t.Run(strconv.Itoa(requests), func(t *testing.T) {
			t.Parallel()
			require.Equal(t, left, active().with(func(d *Deal) { d.Requests = requests }).RequestsLeft())
		})
	}
}

func TestMovesMoney(t *testing.T) {
	t.Parallel()
	for action, moves := range map[Action]bool{
		ActionExpire: false, ActionComplete: true, ActionRefund: true, ActionRefundUnanswered: true,
		ActionEscalate: false, "": false,
	} {
		t.Run(string(action), func(t *testing.T) {
			t.Parallel()
			require.Equal(t, moves, action.movesMoney())
		})
	}
}

// The announced time holds if a change plans the same action again, unless the new time is later.
func TestWarnedOf(t *testing.T) {
	t.Parallel()
	announced, warned := dueAt.Add(14*day), new(dueAt.Add(13*day))
	waits := late().planned(ActionRefund, announced, warned)
	for name, tc := range map[string]struct {
		deal   Deal
		action Action
		at     time.Time
		is     bool
	}{
		"the same":            {waits, ActionRefund, announced, true},
		"earlier":             {waits, ActionRefund, announced.Add(-1), true},
		"later":               {waits, ActionRefund, announced.Add(1), false},
		"another action":      {waits, ActionRefundUnanswered, announced, false},
		"not warned":          {late().planned(ActionRefund, announced, nil), ActionRefund, announced, false},
		"nothing was planned": {late().with(func(d *Deal) { d.WarnedAt = warned }), ActionRefund, announced, false},
		"no time was planned": {
			late().with(func(d *Deal) { d.NextAction, d.WarnedAt = ActionRefund, warned }), ActionRefund, announced, false,
		},
		"an expiry moves no money": {pending().planned(ActionExpire, announced, warned), ActionExpire, announced, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.is, tc.deal.warnedOf(tc.action, tc.at))
		})
	}
}

func TestCountFrozen(t *testing.T) {
	t.Parallel()
	frozen := dueAt.Add(day)
	now := frozen.Add(5 * time.Hour)
	for name, tc := range map[string]struct {
		deal  Deal
		total time.Duration
		reset *time.Time
	}{
		"first time":                     {late(), 5 * time.Hour, nil},
		"again":                          {late().with(func(d *Deal) { d.FrozenFor = time.Hour }), 6 * time.Hour, nil},
		"a reset before is put off":      {takenBack(dueAt), 5 * time.Hour, new(dueAt.Add(5 * time.Hour))},
		"a reset as it froze is put off": {takenBack(frozen), 5 * time.Hour, new(frozen.Add(5 * time.Hour))},
		"a reset while frozen is not":    {takenBack(frozen.Add(1)), 5 * time.Hour, new(frozen.Add(1))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := tc.deal
			d.FrozenAt = &frozen
			require.Equal(t, 5*time.Hour, d.countFrozen(now))
			require.Equal(t, tc.total, d.FrozenFor)
			require.Equal(t, tc.reset, d.ResetAt)
		})
	}
}

func TestTakeBack(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		now    time.Time
		status Status
	}{
		"in time":        {dueAt.Add(-1), Active},
		"when it is due": {dueAt, Active},
		"overdue":        {dueAt.Add(1), Late},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := delivered(paidAt)
			d.takeBack(tc.now)
			require.Equal(t, tc.status, d.Status)
			require.False(t, d.Delivered)
			require.Nil(t, d.DeliveredAt)
			require.Equal(t, &tc.now, d.ResetAt)
			require.Equal(t, &paidAt, d.FirstDeliveredAt, "never cleared")
		})
	}
}

// Reads derive Late from the due date; a worker stores it later.
func TestRowDeal(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		stored Status
		now    time.Time
		status Status
		turned bool
	}{
		"active in time":    {Active, dueAt.Add(-1), Active, false},
		"active when due":   {Active, dueAt, Active, false},
		"active overdue":    {Active, dueAt.Add(1), Late, true},
		"late as stored":    {Late, dueAt.Add(1), Late, false},
		"delivered overdue": {Delivered, dueAt.Add(1), Delivered, false},
		"pending overdue":   {Pending, dueAt.Add(1), Pending, false},
		"completed":         {Completed, dueAt.Add(1), Completed, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := row{Status: tc.stored, DueAt: dueAt}.deal(tc.now)
			require.Equal(t, tc.status, d.Status)
			require.Equal(t, tc.turned, d.newlyLate)
		})
	}
}
