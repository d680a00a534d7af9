package deals

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/fault"
	"amanat/internal/money"
	"amanat/internal/money/operations"
)

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
			require.Equal(t, tc.payout, Deal{Price: tc.price, Fee: money.Fee(tc.price)}.Payout())
		})
	}
	t.Run("uses the stored fee", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, money.Cents(95_00), Deal{Price: 100_00, Fee: 5_00}.Payout())
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
