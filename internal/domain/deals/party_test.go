package deals

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
)

func TestPartyDisabled(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		buyer, seller bool
		disabled      bool
		party         uuid.UUID
	}{
		"neither": {false, false, false, buyer.ID},
		"buyer":   {true, false, true, buyer.ID},
		"seller":  {false, true, true, seller.ID},
		"both":    {true, true, true, seller.ID},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := Deal{Buyer: buyer, Seller: seller, BuyerDisabled: tc.buyer, SellerDisabled: tc.seller}
			require.Equal(t, tc.disabled, d.partyDisabled())
			require.Equal(t, tc.party, d.disabledParty())
		})
	}
}

// The message says what ends the hold: support, or a new password.
func TestErrLocked(t *testing.T) {
	t.Parallel()
	require.ErrorContains(t, errLocked(Deal{BuyerHeld: true, BuyerStopped: true}), "contact our support")
	require.ErrorContains(t, errLocked(Deal{BuyerStopped: true}), "reset your password")
}

func TestMayLeaveDisabled(t *testing.T) {
	t.Parallel()
	disabled := func(d *Deal) { d.SellerDisabled = true }
	for name, tc := range map[string]struct {
		deal Deal
		may  bool
	}{
		"seller disabled":                {active().with(disabled), true},
		"seller of a late deal disabled": {late().with(disabled), true},
		"seller enabled":                 {active(), false},
		"buyer disabled":                 {active().with(func(d *Deal) { d.BuyerDisabled = true }), false},
		"delivered":                      {delivered(dueAt).with(disabled), false},
		"delivered once and taken back":  {takenBack(dueAt).with(disabled), false},
		"unpaid":                         {pending().with(disabled), false},
		"closed":                         {active().in(Cancelled).with(disabled), false},
		"suspended":                      {active().with(disabled).with(func(d *Deal) { d.SuspendedAt = &dueAt }), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.may, tc.deal.mayLeaveDisabled())
		})
	}
}

func TestDeclinable(t *testing.T) {
	t.Parallel()
	unaccepted := func(d *Deal) { d.AcceptedAt = nil }
	for name, tc := range map[string]struct {
		deal Deal
		who  uuid.UUID
		may  bool
	}{
		"seller of a paid deal":      {active().with(unaccepted), seller.ID, true},
		"seller of a late deal":      {late().with(unaccepted), seller.ID, true},
		"seller who has declined it": {active().in(CancelledBySeller).with(unaccepted), seller.ID, true},
		"seller who has accepted":    {active(), seller.ID, false},
		"seller of an unpaid deal":   {pending().with(unaccepted), seller.ID, false},
		"buyer":                      {active().with(unaccepted), buyer.ID, false},
		"buyer of an accepted deal":  {active(), buyer.ID, false},
		"stranger":                   {active().with(unaccepted), stranger, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.may, tc.deal.declinable(tc.who))
		})
	}
}

// A new deal is offered to the party that did not create it; only a seller has to accept.
func TestOffer(t *testing.T) {
	t.Parallel()
	unaccepted := pending().with(func(d *Deal) { d.AcceptedAt = nil })
	require.Equal(t, notice{buyer.ID, catalog.DealOffered}, pending().offer())
	require.Equal(t, notice{seller.ID, catalog.DealOfferedToSeller}, unaccepted.offer())
	require.Equal(t, notice{seller.ID, catalog.DealPaid}, pending().paidNotice())
	require.Equal(t, notice{seller.ID, catalog.DealPaidUnaccepted}, unaccepted.paidNotice())
}

// A buyer who completes the deal is told of it, too: it may have been somebody else.
func TestCompletedChange(t *testing.T) {
	t.Parallel()
	for by, tc := range map[completer]struct {
		actor    uuid.UUID
		notified []uuid.UUID
	}{
		byBuyer: {buyer.ID, []uuid.UUID{seller.ID, buyer.ID}},
		byAdmin: {stranger, []uuid.UUID{buyer.ID, seller.ID}},
		byClock: {noUser, []uuid.UUID{buyer.ID, seller.ID}},
	} {
		t.Run(string(by), func(t *testing.T) {
			t.Parallel()
			c := completedChange(active(), actorOf(tc.actor), by)
			require.Equal(t, actorOf(tc.actor), c.actor)
			require.NotEmpty(t, c.line)
			var notified []uuid.UUID
			for _, n := range c.notices {
				notified = append(notified, n.to)
			}
			require.Equal(t, tc.notified, notified)
		})
	}
}

func TestLink(t *testing.T) {
	t.Parallel()
	require.Equal(t, "/deal/"+active().ID.String(), active().link())
	require.Equal(t, "/deal", pending().with(func(d *Deal) { d.RemovedAt = &dueAt }).link(), "the removed deal has no page")
}

// The rules are checked in order, and the first that fails determines the message.
func TestDraftValidate(t *testing.T) {
	t.Parallel()
	good := Draft{
		BuyerID: &buyer.ID, SellerID: &seller.ID,
		Terms: Terms{Price: 100_00, Description: "A channel", DeliveryDays: 7, InspectionDays: 3},
	}
	const (
		required        = "All fields are required."
		badPrice        = "The price must be between $0.01 and $1,000,000.00."
		longDescription = "The description must be at most 5,000 characters."
		badDuration     = "The delivery duration must be 1 to 99 days."
		badInspection   = "The inspection period must be 1 to 30 days."
	)
	for name, tc := range map[string]struct {
		change func(d *Draft)
		field  string // the invalid field; "" for none
		text   string
	}{
		"good": {func(*Draft) {}, "", ""},
		"no users": {
			func(d *Draft) { d.BuyerID, d.SellerID = userOrNil(noUser), userOrNil(noUser) }, "sellerId", "Select a user.",
		},
		"with yourself": {
			func(d *Draft) { d.SellerID = userOrNil(buyer.ID) }, "sellerId", "You cannot make a deal with yourself.",
		},
		"no seller": {func(d *Draft) { d.SellerID = userOrNil(noUser) }, "sellerId", "Select a user."},
		"no buyer": {
			func(d *Draft) { d.BuyerID, d.SellerID = userOrNil(noUser), userOrNil(buyer.ID) }, "buyerId", "Select a user.",
		},
		"no price":                     {func(d *Draft) { d.Price = 0 }, "price", required},
		"no description":               {func(d *Draft) { d.Description = "" }, "description", required},
		"between others":               {func(d *Draft) { d.BuyerID = userOrNil(stranger) }, "buyerId", "Please select your role."},
		"no duration":                  {func(d *Draft) { d.DeliveryDays = 0 }, "deliveryDuration", "Please Choose Delivery Duration"},
		"least price":                  {func(d *Draft) { d.Price = 1 }, "", ""},
		"negative price":               {func(d *Draft) { d.Price = -1 }, "price", badPrice},
		"highest price":                {func(d *Draft) { d.Price = 1_000_000_00 }, "", ""},
		"a cent too much":              {func(d *Draft) { d.Price = 1_000_000_01 }, "price", badPrice},
		"longest description":          {func(d *Draft) { d.Description = strings.Repeat("ক", 5000) }, "", ""},
		"description too long":         {func(d *Draft) { d.Description = strings.Repeat("ক", 5001) }, "description", longDescription},
		"one day":                      {func(d *Draft) { d.DeliveryDays = 1 }, "", ""},
		"negative days":                {func(d *Draft) { d.DeliveryDays = -1 }, "deliveryDuration", badDuration},
		"99 days":                      {func(d *Draft) { d.DeliveryDays = 99 }, "", ""},
		"100 days":                     {func(d *Draft) { d.DeliveryDays = 100 }, "deliveryDuration", badDuration},
		"a day to check":               {func(d *Draft) { d.InspectionDays = 1 }, "", ""},
		"30 days to check":             {func(d *Draft) { d.InspectionDays = 30 }, "", ""},
		"no day to check":              {func(d *Draft) { d.InspectionDays = 0 }, "inspectionDays", badInspection},
		"31 days to check":             {func(d *Draft) { d.InspectionDays = 31 }, "inspectionDays", badInspection},
		"missing fields before bounds": {func(d *Draft) { d.Price, d.DeliveryDays = 0, 100 }, "price", required},
		"role before bounds": {
			func(d *Draft) { d.BuyerID, d.Price = userOrNil(stranger), 1_000_000_01 }, "buyerId", "Please select your role.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			draft := good
			tc.change(&draft)
			requireField(t, tc.field, tc.text, draft.validate(buyer.ID))
		})
	}
}

func TestCheckAnswer(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ answer, text string }{
		"good":     {"We have looked at it.", ""},
		"none":     {"", "Write an answer. Both parties will read it."},
		"longest":  {strings.Repeat("ক", 2000), ""},
		"too long": {strings.Repeat("ক", 2001), "The answer must be at most 2,000 characters."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			field := "answer"
			if tc.text == "" {
				field = ""
			}
			requireField(t, field, tc.text, checkAnswer(tc.answer))
		})
	}
}

// requireField checks that err rejects only the field, with the text, or that it is nil if field is
// "".
func requireField(t *testing.T, field, text string, err error) {
	t.Helper()
	if field == "" {
		require.NoError(t, err)
		return
	}
	require.Equal(t, fault.Invalid, fault.CodeOf(err))
	require.Equal(t, map[string]string{field: text}, fault.As(err).Fields)
}

func TestWithTitle(t *testing.T) {
	t.Parallel()
	given := catalog.Params{"amount": "100.00"}
	deal := Deal{Terms: Terms{Description: "  A channel of cooking videos\nwith 41,200 subscribers"}}
	require.Equal(t, given, deal.withTitle(given), "offered by the buyer, and not accepted")
	deal.AcceptedAt = new(time.Time)
	require.Equal(t, given, deal.withTitle(given), "offered by the seller, and not paid")
	deal.ActivatedAt = new(time.Time)
	require.Equal(t, catalog.Params{"amount": "100.00", "title": "A channel of cooking videos"}, deal.withTitle(given))
	require.NotContains(t, given, "title")
	deal.Description = strings.Repeat("x", 100)
	require.Len(t, []rune(deal.withTitle(given)["title"]), 60)
}

// The deal of the table tests: a price of $100, paid at noon, due a week later, never delivered.
var (
	paidAt = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	dueAt  = paidAt.Add(7 * day)

	buyer    = user.Ref{ID: uuid.UUID{1}, Username: "rahim"}
	seller   = user.Ref{ID: uuid.UUID{2}, Username: "karim"}
	stranger = uuid.UUID{3}
	noUser   = uuid.UUID{} // stands for the system, or for an omitted user
)

func active() Deal {
	return Deal{
		ID: uuid.UUID{4}, Buyer: buyer, Seller: seller, CreatedBy: seller.ID,
		Terms: Terms{Price: 100_00, DeliveryDays: 7, InspectionDays: 3}, Fee: money.Fee(100_00), Status: Active,
		CreatedAt: paidAt, DueAt: dueAt, AcceptedAt: new(paidAt), ActivatedAt: new(paidAt),
	}
}

// in returns the deal with only the status changed.
func (d Deal) in(status Status) Deal {
	d.Status = status
	return d
}

func pending() Deal {
	d := active().in(Pending)
	d.ActivatedAt = nil
	return d
}

func late() Deal { return active().in(Late) }

// delivered returns a delivered deal.
func delivered(at time.Time) Deal {
	d := active().in(Delivered)
	d.Delivered, d.DeliveredAt, d.FirstDeliveredAt = true, &at, &at
	return d
}

// takenBack returns a deal whose delivery the buyer has rejected.
func takenBack(at time.Time) Deal {
	d := delivered(at.Add(-time.Hour))
	d.takeBack(at)
	return d
}

func (d Deal) with(change func(d *Deal)) Deal {
	change(&d)
	return d
}

// asked returns the deal with a cancellation request.
func (d Deal) asked(at time.Time) Deal {
	d.CancellationRequested, d.CancellationAskedAt = true, &at
	return d
}

// planned returns the deal with a next action, whose warning was sent unless warned is nil.
func (d Deal) planned(action Action, at time.Time, warned *time.Time) Deal {
	d.NextAction, d.NextActionAt, d.WarnedAt = action, &at, warned
	return d
}

// fixed is a Clock that always returns the same time.
type fixed time.Time

func (f fixed) Now() time.Time { return time.Time(f) }

// actorOf returns the actor with the user ID, the system for noUser.
func actorOf(id uuid.UUID) actor.Actor {
	if id == noUser {
		return actor.System()
	}
	return actor.User(id)
}

// userOrNil returns a user of a draft, nil for noUser.
func userOrNil(id uuid.UUID) *uuid.UUID {
	if id == noUser {
		return nil
	}
	return &id
}
