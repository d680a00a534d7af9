package deals

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/platform/catalog"
	"amanat/internal/platform/fault"
)

func TestIsParty(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		who uuid.UUID
		is  bool
	}{
		"buyer": {buyer.ID, true}, "seller": {seller.ID, true}, "stranger": {stranger, false}, "clock": {nobody, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.is, active().IsParty(tc.who))
		})
	}
}

func TestOther(t *testing.T) {
	t.Parallel()
	require.Equal(t, seller, active().Other(buyer.ID))
	require.Equal(t, buyer, active().Other(seller.ID))
}

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

func TestBuyerLocked(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ held, stopped, locked bool }{
		"free": {false, false, false}, "held by an admin": {true, false, true},
		"stopped by the buyer": {false, true, true}, "both": {true, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.locked, Deal{BuyerHeld: tc.held, BuyerStopped: tc.stopped}.buyerLocked())
		})
	}
}

// A buyer is told what ends the hold: an admin's word, or a new password.
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
		"seller disabled":                  {active().with(disabled), true},
		"seller of a late deal disabled":   {late().with(disabled), true},
		"seller enabled":                   {active(), false},
		"buyer disabled":                   {active().with(func(d *Deal) { d.BuyerDisabled = true }), false},
		"delivered":                        {delivered(dueAt).with(disabled), false},
		"delivered once and taken back":    {taken(dueAt).with(disabled), false},
		"unpaid":                           {pending().with(disabled), false},
		"closed":                           {active().in(Cancelled).with(disabled), false},
		"suspended, as such a deal always": {active().with(disabled).with(func(d *Deal) { d.SuspendedAt = &dueAt }), true},
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
		"buyer of what was accepted": {active(), buyer.ID, false},
		"stranger":                   {active().with(unaccepted), stranger, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.may, tc.deal.declinable(tc.who))
		})
	}
}

// A new deal is offered to whoever did not make it; only a seller is asked to accept.
func TestOffer(t *testing.T) {
	t.Parallel()
	unaccepted := pending().with(func(d *Deal) { d.AcceptedAt = nil })
	require.Equal(t, notice{buyer.ID, catalog.DealOffered}, pending().offer())
	require.Equal(t, notice{seller.ID, catalog.DealOfferedToSeller}, unaccepted.offer())
	require.Equal(t, notice{seller.ID, catalog.DealPaid}, pending().paidNotice())
	require.Equal(t, notice{seller.ID, catalog.DealPaidUnaccepted}, unaccepted.paidNotice())
}

// Whoever completes a deal need not be told of it.
func TestCompletedChange(t *testing.T) {
	t.Parallel()
	for by, tc := range map[completer]struct {
		actor uuid.UUID
		told  []uuid.UUID
	}{
		byBuyer: {buyer.ID, []uuid.UUID{seller.ID}},
		byAdmin: {stranger, []uuid.UUID{buyer.ID, seller.ID}},
		byClock: {nobody, []uuid.UUID{buyer.ID, seller.ID}},
	} {
		t.Run(string(by), func(t *testing.T) {
			t.Parallel()
			c := completedChange(active(), as(tc.actor), by)
			require.Equal(t, as(tc.actor), c.actor)
			require.NotEmpty(t, c.line)
			var told []uuid.UUID
			for _, n := range c.notices {
				told = append(told, n.to)
			}
			require.Equal(t, tc.told, told)
		})
	}
}

func TestLink(t *testing.T) {
	t.Parallel()
	require.Equal(t, "/deal/"+active().ID.String(), active().link())
	require.Equal(t, "/deal", pending().with(func(d *Deal) { d.RemovedAt = &dueAt }).link(), "it is gone")
}

// The rules of a new deal come in their order, and the first that fails gives the message.
func TestDraftValidate(t *testing.T) {
	t.Parallel()
	good := Draft{BuyerID: &buyer.ID, SellerID: &seller.ID, Price: 100_00, Description: "A channel", DeliveryDays: 7}
	for name, tc := range map[string]struct {
		change func(d *Draft)
		field  string // that is refused; "" for none
		text   string
	}{
		"good":                        {func(*Draft) {}, "", ""},
		"nobody":                      {func(d *Draft) { d.BuyerID, d.SellerID = chosen(nobody), chosen(nobody) }, "sellerId", "Select a user."},
		"with oneself":                {func(d *Draft) { d.SellerID = chosen(buyer.ID) }, "sellerId", "You cannot make a deal with yourself."},
		"no seller":                   {func(d *Draft) { d.SellerID = chosen(nobody) }, "sellerId", "Select a user."},
		"no buyer":                    {func(d *Draft) { d.BuyerID, d.SellerID = chosen(nobody), chosen(buyer.ID) }, "buyerId", "Select a user."},
		"no price":                    {func(d *Draft) { d.Price = 0 }, "price", "All fields are required."},
		"no description":              {func(d *Draft) { d.Description = "" }, "description", "All fields are required."},
		"between others":              {func(d *Draft) { d.BuyerID = chosen(stranger) }, "buyerId", "Please select your role."},
		"no duration":                 {func(d *Draft) { d.DeliveryDays = 0 }, "deliveryDuration", "Please Choose Delivery Duration"},
		"least price":                 {func(d *Draft) { d.Price = 1 }, "", ""},
		"negative price":              {func(d *Draft) { d.Price = -1 }, "price", "The price must be between $0.01 and $1,000,000.00."},
		"highest price":               {func(d *Draft) { d.Price = 1_000_000_00 }, "", ""},
		"a cent too much":             {func(d *Draft) { d.Price = 1_000_000_01 }, "price", "The price must be between $0.01 and $1,000,000.00."},
		"longest description":         {func(d *Draft) { d.Description = strings.Repeat("ক", 5000) }, "", ""},
		"description too long":        {func(d *Draft) { d.Description = strings.Repeat("ক", 5001) }, "description", "The description must be at most 5,000 characters."},
		"one day":                     {func(d *Draft) { d.DeliveryDays = 1 }, "", ""},
		"negative days":               {func(d *Draft) { d.DeliveryDays = -1 }, "deliveryDuration", "The delivery duration must be 1 to 99 days."},
		"99 days":                     {func(d *Draft) { d.DeliveryDays = 99 }, "", ""},
		"100 days":                    {func(d *Draft) { d.DeliveryDays = 100 }, "deliveryDuration", "The delivery duration must be 1 to 99 days."},
		"a day to check":              {func(d *Draft) { d.InspectionDays = new(1) }, "", ""},
		"30 days to check":            {func(d *Draft) { d.InspectionDays = new(30) }, "", ""},
		"no day to check":             {func(d *Draft) { d.InspectionDays = new(0) }, "inspectionDays", "The time to check must be 1 to 30 days."},
		"31 days to check":            {func(d *Draft) { d.InspectionDays = new(31) }, "inspectionDays", "The time to check must be 1 to 30 days."},
		"what is missing comes first": {func(d *Draft) { d.Price, d.DeliveryDays = 0, 100 }, "price", "All fields are required."},
		"the role before the bounds":  {func(d *Draft) { d.BuyerID, d.Price = chosen(stranger), 1_000_000_01 }, "buyerId", "Please select your role."},
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

// requireField wants the refusal of one field with its text, or none when field is "".
func requireField(t *testing.T, field, text string, err error) {
	t.Helper()
	if field == "" {
		require.NoError(t, err)
		return
	}
	require.Equal(t, fault.Invalid, fault.CodeOf(err))
	require.Equal(t, map[string]string{field: text}, fault.As(err).Fields)
}
