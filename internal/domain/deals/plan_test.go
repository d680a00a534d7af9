package deals

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/testing/dbtest"
)

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
		"shipped": {
			delivered(dueAt).with(func(d *Deal) { d.Courier = "Pathao" }), ActionComplete, dueAt.Add((5 + 3) * day),
		},
		"shipped and arrived": {
			delivered(dueAt).with(func(d *Deal) { d.Courier, d.ArrivedAt = "Pathao", new(dueAt.Add(day)) }),
			ActionComplete, dueAt.Add((1 + 3) * day),
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
			d := Deal{Status: tc.stored, DueAt: dueAt}.at(tc.now)
			require.Equal(t, tc.status, d.Status)
			require.Equal(t, tc.turned, d.newlyLate)
		})
	}
}

func TestIsDue(t *testing.T) {
	t.Parallel()
	when := dueAt.Add(3 * day)
	warned := new(when.Add(-day))
	waits := delivered(dueAt).planned(ActionComplete, when, warned)
	for name, tc := range map[string]struct {
		deal   Deal
		action Action
		now    time.Time
		due    bool
	}{
		"just before":             {waits, ActionComplete, when.Add(-1), false},
		"on time":                 {waits, ActionComplete, when, true},
		"long after":              {waits, ActionComplete, when.Add(day), true},
		"another action":          {waits, ActionRefund, when, false},
		"nothing planned":         {delivered(dueAt), ActionComplete, when, false},
		"no time planned":         {waits.with(func(d *Deal) { d.NextActionAt = nil }), ActionComplete, when, false},
		"frozen":                  {waits.with(func(d *Deal) { d.FrozenAt = &dueAt }), ActionComplete, when, false},
		"never warned":            {waits.with(func(d *Deal) { d.WarnedAt = nil }), ActionComplete, when, false},
		"warned for nearly a day": {waits.with(func(d *Deal) { d.WarnedAt = new(when.Add(-day + 1)) }), ActionComplete, when, false},
		"warned for a day":        {waits.with(func(d *Deal) { d.WarnedAt = new(when.Add(-day + 1)) }), ActionComplete, when.Add(1), true},
		"buyer disabled":          {waits.with(func(d *Deal) { d.BuyerDisabled = true }), ActionComplete, when, false},
		"seller disabled":         {waits.with(func(d *Deal) { d.SellerDisabled = true }), ActionComplete, when, false},
		"refund to a disabled buyer": {
			late().planned(ActionRefund, when, warned).with(func(d *Deal) { d.BuyerDisabled = true }), ActionRefund, when, false,
		},
		"refund without a warning":     {late().planned(ActionRefund, when, nil), ActionRefund, when, false},
		"unanswered without a warning": {late().planned(ActionRefundUnanswered, when, nil), ActionRefundUnanswered, when, false},
		"expiry needs no warning":      {pending().planned(ActionExpire, when, nil), ActionExpire, when, true},
		"expiry while frozen": {
			pending().planned(ActionExpire, when, nil).with(func(d *Deal) { d.FrozenAt = &dueAt }), ActionExpire, when, false,
		},
		"expiry with a disabled buyer": {
			pending().planned(ActionExpire, when, nil).with(func(d *Deal) { d.BuyerDisabled = true }), ActionExpire, when, true,
		},
		"escalation needs no warning": {takenBack(dueAt).planned(ActionEscalate, when, nil), ActionEscalate, when, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.due, tc.deal.isDue(tc.action, tc.now))
		})
	}
}

// Every action of the system has a warning of its own.
func TestWarnings(t *testing.T) {
	t.Parallel()
	seen := map[catalog.Kind]Action{}
	for _, action := range []Action{ActionExpire, ActionComplete, ActionRefund, ActionRefundUnanswered, ActionEscalate} {
		kind, found := warnings[action]
		require.True(t, found, action)
		require.NotContains(t, seen, kind, action)
		seen[kind] = action
	}
	require.Len(t, warnings, len(seen))
}

// The sweep looks for reminders each minute among the deals whose action is near.
func TestToRemind_plan(t *testing.T) {
	t.Parallel()
	now := time.Now()
	require.Contains(t, dbtest.IndexPlan(t, dbtest.New(t).Worker(), sqlToRemind, postgres.Args{
		"now": now, "soon": now.Add(remindBefore), "warned": now, "after": uuid.New(), "limit": 1000,
	}), "deals_clock")
}

func TestPayable(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		deal  Deal
		actor uuid.UUID
		code  fault.Code
	}{
		"buyer of a pending deal":        {pending(), buyer.ID, ""},
		"not accepted yet":               {pending().with(func(d *Deal) { d.AcceptedAt = nil }), buyer.ID, ""},
		"seller":                         {pending(), seller.ID, fault.Forbidden},
		"stranger":                       {pending(), stranger, fault.Forbidden},
		"system":                         {pending(), noUser, fault.Forbidden},
		"paid":                           {active(), buyer.ID, fault.Conflict},
		"delivered":                      {delivered(dueAt), buyer.ID, fault.Conflict},
		"completed":                      {active().in(Completed), buyer.ID, fault.Conflict},
		"buyer disabled":                 {pending().with(func(d *Deal) { d.BuyerDisabled = true }), buyer.ID, fault.Conflict},
		"seller disabled":                {pending().with(func(d *Deal) { d.SellerDisabled = true }), buyer.ID, fault.Conflict},
		"buyer's money held":             {pending().with(func(d *Deal) { d.BuyerHeld = true }), buyer.ID, fault.Forbidden},
		"stopped by the buyer":           {pending().with(func(d *Deal) { d.BuyerStopped = true }), buyer.ID, fault.Forbidden},
		"paid comes before the hold":     {active().with(func(d *Deal) { d.BuyerHeld = true }), buyer.ID, fault.Conflict},
		"the role comes before the hold": {active().with(func(d *Deal) { d.BuyerHeld = true }), seller.ID, fault.Forbidden},
		"a frozen deal can be paid":      {pending().with(func(d *Deal) { d.FrozenAt = &paidAt }), buyer.ID, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.code, fault.CodeOf(payable(tc.deal, actorOf(tc.actor), tc.deal.TermsVersion)))
		})
	}
}

func TestCompletable(t *testing.T) {
	t.Parallel()
	when := dueAt.Add(3 * day)
	waits := delivered(dueAt).planned(ActionComplete, when, new(when.Add(-day)))
	locked := func(d *Deal) { d.BuyerHeld = true }
	stopped := func(d *Deal) { d.BuyerStopped = true }
	for name, tc := range map[string]struct {
		deal  Deal
		actor uuid.UUID
		by    completer
		code  fault.Code
	}{
		"buyer of an active deal":            {active(), buyer.ID, byBuyer, ""},
		"buyer of a late deal":               {late(), buyer.ID, byBuyer, ""},
		"buyer of a delivered deal":          {delivered(dueAt), buyer.ID, byBuyer, ""},
		"buyer of a frozen deal":             {active().with(func(d *Deal) { d.FrozenAt = &dueAt }), buyer.ID, byBuyer, ""},
		"seller":                             {delivered(dueAt), seller.ID, byBuyer, fault.Forbidden},
		"stranger":                           {delivered(dueAt), stranger, byBuyer, fault.Forbidden},
		"system as buyer":                    {waits, noUser, byBuyer, fault.Forbidden},
		"pending":                            {pending(), buyer.ID, byBuyer, fault.Conflict},
		"completed":                          {active().in(Completed), buyer.ID, byBuyer, fault.Conflict},
		"cancelled":                          {active().in(Cancelled), buyer.ID, byBuyer, fault.Conflict},
		"buyer's money held":                 {active().with(locked), buyer.ID, byBuyer, fault.Forbidden},
		"stopped by the buyer":               {active().with(stopped), buyer.ID, byBuyer, fault.Forbidden},
		"admin":                              {active(), stranger, byAdmin, ""},
		"admin for a held buyer":             {active().with(locked), stranger, byAdmin, ""},
		"admin who is the buyer":             {active(), buyer.ID, byAdmin, fault.Forbidden},
		"admin who is the seller":            {active(), seller.ID, byAdmin, fault.Forbidden},
		"system as admin":                    {active(), noUser, byAdmin, fault.Forbidden},
		"admin of a closed deal":             {active().in(Cancelled), stranger, byAdmin, fault.Conflict},
		"system on time":                     {waits, noUser, byClock, ""},
		"system too early":                   {waits.planned(ActionComplete, when.Add(1), waits.WarnedAt), noUser, byClock, fault.Conflict},
		"system without a warning":           {waits.planned(ActionComplete, when, nil), noUser, byClock, fault.Conflict},
		"system with another action planned": {late().planned(ActionRefund, when, waits.WarnedAt), noUser, byClock, fault.Conflict},
		"system for a held buyer":            {waits.with(locked), noUser, byClock, fault.Conflict},
		"system for a stopped buyer":         {waits.with(stopped), noUser, byClock, fault.Conflict},
		"buyer as the system":                {waits, buyer.ID, byClock, fault.Forbidden},
		"seller as the system":               {waits, seller.ID, byClock, fault.Forbidden},
		"unknown completer":                  {active(), buyer.ID, "", fault.Forbidden},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &Service{Clock: fixed(when)}
			require.Equal(t, tc.code, fault.CodeOf(s.completable(tc.deal, actorOf(tc.actor), tc.by)))
		})
	}
}

// Each reason allows the refund to one role only.
func TestRefundable_actor(t *testing.T) {
	t.Parallel()
	exit := dueAt.Add(day)
	warned := new(exit.Add(-day))
	requested := active().asked(paidAt)
	unaccepted := active().with(func(d *Deal) { d.AcceptedAt = nil })
	sellerDisabled := active().with(func(d *Deal) { d.SellerDisabled = true })
	for reason, tc := range map[Reason]struct {
		deal Deal
		may  uuid.UUID
	}{
		ReasonAccepted:       {requested, seller.ID},
		ReasonSeller:         {active(), seller.ID},
		ReasonDeclined:       {unaccepted, seller.ID},
		ReasonExit:           {late(), buyer.ID},
		ReasonSellerDisabled: {sellerDisabled, buyer.ID},
		ReasonAdmin:          {active(), stranger},
		ReasonUnanswered:     {requested.planned(ActionRefundUnanswered, exit, warned), noUser},
		ReasonOverdue:        {late().planned(ActionRefund, exit, warned), noUser},
		ReasonCompleted:      {active(), uuid.Max},
		"":                   {active(), uuid.Max},
		"unknown":            {active(), uuid.Max},
	} {
		for who, actor := range map[string]uuid.UUID{
			"buyer": buyer.ID, "seller": seller.ID, "stranger": stranger, "system": noUser,
		} {
			t.Run(string(reason)+" by "+who, func(t *testing.T) {
				t.Parallel()
				want := fault.Forbidden
				if actor == tc.may {
					want = ""
				}
				require.Equal(t, want, fault.CodeOf(refundable(tc.deal, actorOf(actor), reason, exit)))
			})
		}
	}
}

// Refunds by the role that the reason allows, in different states of the deal.
func TestRefundable_state(t *testing.T) {
	t.Parallel()
	exit := dueAt.Add(day)
	warned := new(exit.Add(-day))
	requested := active().asked(paidAt)
	unaccepted := active().with(func(d *Deal) { d.AcceptedAt = nil })
	disabled := func(d *Deal) { d.SellerDisabled = true }
	for name, tc := range map[string]struct {
		deal   Deal
		actor  uuid.UUID
		reason Reason
		may    bool
	}{
		"seller of an active deal":   {active(), seller.ID, ReasonSeller, true},
		"seller of a delivered deal": {delivered(dueAt), seller.ID, ReasonSeller, true},
		"seller of an unpaid deal":   {pending(), seller.ID, ReasonSeller, false},
		"seller of a completed deal": {active().in(Completed), seller.ID, ReasonSeller, false},
		"seller of a cancelled deal": {active().in(CancelledByBuyer), seller.ID, ReasonSeller, false},
		"declined before acceptance": {unaccepted, seller.ID, ReasonDeclined, true},
		"declined after a decision": {
			unaccepted.with(func(d *Deal) { d.Ruled = true }), seller.ID, ReasonDeclined, true,
		},
		"declined after acceptance":            {active(), seller.ID, ReasonDeclined, false},
		"accepted with a request":              {requested, seller.ID, ReasonAccepted, true},
		"accepted without a request":           {active(), seller.ID, ReasonAccepted, false},
		"left at the exit time":                {late(), buyer.ID, ReasonExit, true},
		"left before the exit time":            {late().with(func(d *Deal) { d.DueAt = dueAt.Add(1) }), buyer.ID, ReasonExit, false},
		"left once delivered":                  {delivered(dueAt), buyer.ID, ReasonExit, false},
		"left a disabled seller":               {active().with(disabled), buyer.ID, ReasonSellerDisabled, true},
		"left an enabled seller":               {active(), buyer.ID, ReasonSellerDisabled, false},
		"left a disabled seller who delivered": {delivered(dueAt).with(disabled), buyer.ID, ReasonSellerDisabled, false},
		"admin of an open deal":                {delivered(dueAt), stranger, ReasonAdmin, true},
		"admin of an unpaid deal":              {pending(), stranger, ReasonAdmin, false},
		"unanswered before its time": {
			requested.planned(ActionRefundUnanswered, exit.Add(1), warned), noUser, ReasonUnanswered, false,
		},
		"unanswered without a warning":        {requested.planned(ActionRefundUnanswered, exit, nil), noUser, ReasonUnanswered, false},
		"unanswered on time":                  {requested.planned(ActionRefundUnanswered, exit, warned), noUser, ReasonUnanswered, true},
		"overdue on time":                     {late().planned(ActionRefund, exit, warned), noUser, ReasonOverdue, true},
		"overdue before its time":             {late().planned(ActionRefund, exit.Add(1), warned), noUser, ReasonOverdue, false},
		"overdue with another action planned": {late().planned(ActionRefundUnanswered, exit, warned), noUser, ReasonOverdue, false},
		"overdue while frozen": {
			late().planned(ActionRefund, exit, warned).with(func(d *Deal) { d.FrozenAt = &dueAt }), noUser, ReasonOverdue, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := fault.Conflict
			if tc.may {
				want = ""
			}
			require.Equal(t, want, fault.CodeOf(refundable(tc.deal, actorOf(tc.actor), tc.reason, exit)))
		})
	}
}

func TestRefundDue(t *testing.T) {
	t.Parallel()
	exit := dueAt.Add(day)
	const all, lessFee = money.Cents(100_00), money.Cents(98_00)
	for name, tc := range map[string]struct {
		deal   Deal
		reason Reason
		now    time.Time
		back   money.Cents
	}{
		"accepted before the exit time":   {late(), ReasonAccepted, exit.Add(-1), lessFee},
		"accepted at the exit time":       {late(), ReasonAccepted, exit, all},
		"accepted after a delivery":       {takenBack(paidAt), ReasonAccepted, exit.Add(day), lessFee},
		"unanswered before the exit time": {active(), ReasonUnanswered, exit.Add(-1), lessFee},
		"unanswered at the exit time":     {late(), ReasonUnanswered, exit, all},
		"seller cancels":                  {active(), ReasonSeller, paidAt, all},
		"seller cancels once delivered":   {delivered(paidAt), ReasonSeller, paidAt, all},
		"declined":                        {active(), ReasonDeclined, paidAt, all},
		"buyer leaves":                    {late(), ReasonExit, exit, all},
		"buyer leaves a disabled seller":  {active(), ReasonSellerDisabled, paidAt, all},
		"overdue":                         {late(), ReasonOverdue, exit.Add(13 * day), all},
		"admin":                           {active(), ReasonAdmin, paidAt, all},
		"admin once delivered":            {delivered(paidAt), ReasonAdmin, paidAt, all},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.back, tc.deal.refundDue(tc.reason, tc.now))
		})
	}
}

func TestPayout(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ price, payout money.Cents }{
		"lowest price has no fee":     {1, 1},
		"half a cent is rounded up":   {25, 24},
		"less than half is not taken": {24, 24},
		"a hundred dollars":           {100_00, 98_00},
		"highest price":               {1_000_000_00, 980_000_00},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.payout, Deal{Terms: Terms{Price: tc.price}, Fee: money.Fee(tc.price)}.Payout())
		})
	}
	t.Run("uses the stored fee", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, money.Cents(95_00), Deal{Terms: Terms{Price: 100_00}, Fee: 5_00}.Payout())
	})
}

// Refund returns the posted amount, not one computed from the current rules.
func TestRefund(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		posted   *money.Cents
		back     money.Cents
		refunded bool
	}{
		"nothing":  {nil, 0, false},
		"less fee": {new(money.Cents(98_00)), 98_00, true},
		"all":      {new(money.Cents(100_00)), 100_00, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := late().in(Cancelled)
			d.CloseReason, d.Refunded = ReasonAccepted, tc.posted
			back, refunded := d.Refund()
			require.Equal(t, tc.back, back)
			require.Equal(t, tc.refunded, refunded)
		})
	}
}

// allRefunds maps the reasons of refunds to the final status of the deal.
var allRefunds = map[Reason]Status{
	ReasonAccepted: Cancelled, ReasonUnanswered: Cancelled, ReasonSeller: CancelledBySeller, ReasonDeclined: CancelledBySeller,
	ReasonExit: CancelledByBuyer, ReasonOverdue: Cancelled, ReasonAdmin: Cancelled, ReasonSellerDisabled: Cancelled,
}

func TestFinalStatus(t *testing.T) {
	t.Parallel()
	for reason, status := range allRefunds {
		t.Run(string(reason), func(t *testing.T) {
			t.Parallel()
			require.Equal(t, status, reason.finalStatus())
			require.False(t, reason.finalStatus().Open())
			require.NotEmpty(t, refundTexts[reason].line, "timeline event")
			require.NotEmpty(t, refundTexts[reason].notice, "notice to the parties")
		})
	}
	require.Len(t, refundTexts, len(allRefunds))
}

func TestCompleteRule(t *testing.T) {
	t.Parallel()
	for params, want := range map[string]operations.Authority{
		`{"by":"buyer"}`:          operations.ByUser,
		`{"by":"admin"}`:          operations.ByAdmin,
		`{"by":"clock"}`:          operations.BySystem,
		`{"by":"seller"}`:         "",
		`{"by":""}`:               "",
		`{}`:                      "",
		`{"by":"buyer","to":"x"}`: "",
		`[]`:                      "",
	} {
		t.Run(params, func(t *testing.T) {
			t.Parallel()
			requireAuthority(t, want, CompleteRule, params)
		})
	}
}

func TestRefundRule(t *testing.T) {
	t.Parallel()
	for reason, want := range map[Reason]operations.Authority{
		ReasonAccepted: operations.ByUser, ReasonSeller: operations.ByUser, ReasonDeclined: operations.ByUser,
		ReasonSellerDisabled: operations.ByUser, ReasonExit: operations.ByUser, ReasonAdmin: operations.ByAdmin,
		ReasonUnanswered: operations.BySystem, ReasonOverdue: operations.BySystem,
		ReasonCompleted: "", "": "", "unknown": "",
	} {
		t.Run(string(reason), func(t *testing.T) {
			t.Parallel()
			requireAuthority(t, want, RefundRule, `{"reason":"`+string(reason)+`"}`)
		})
	}
}

func TestPayRule(t *testing.T) {
	t.Parallel()
	requireAuthority(t, operations.ByUser, PayRule(), `{}`)
	requireAuthority(t, "", PayRule(), `{"by":"admin"}`)
}

// requireAuthority checks the authority that the rule returns, or that it rejects the params if
// want is "".
func requireAuthority(t *testing.T, want operations.Authority, rule operations.Rule, params string) {
	t.Helper()
	got, err := rule(operations.Operation{Params: []byte(params)})
	if want == "" {
		require.Equal(t, fault.Invalid, fault.CodeOf(err))
		return
	}
	require.NoError(t, err)
	require.Equal(t, want, got)
}
