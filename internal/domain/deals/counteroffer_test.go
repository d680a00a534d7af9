package deals_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/chat"
	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/testing/soak"
)

// dearer are other terms than those of fixture.draft.
var dearer = deals.Terms{Price: 250_00, Description: "A channel and its page", DeliveryDays: 9, InspectionDays: 5}

func termsOf(d deals.Detail) deals.Terms {
	return deals.Terms{Price: d.Price, Description: d.Description, DeliveryDays: d.DeliveryDays, InspectionDays: d.InspectionDays}
}

// counter makes a counter-offer.
func (f fixture) counter(t *testing.T, userID, id uuid.UUID, terms deals.Terms, text string) deals.Detail {
	t.Helper()
	d, err := f.MakeCounteroffer(t.Context(), userID, id, terms, text, nil)
	require.NoError(t, err)
	require.NotNil(t, d.Counteroffer)
	return d
}

func TestMakeCounteroffer_accepted(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.offer(t, f.buyer)
	countered := f.counter(t, f.seller, d.ID, dearer, "  It took long.\n")
	require.Equal(t, termsOf(d), termsOf(countered), "the deal keeps its terms until the buyer accepts others")
	require.Equal(t, &f.seller, countered.CounterofferBy)
	o := *countered.Counteroffer
	require.Equal(t, dearer, o.Terms)
	require.Equal(t, money.Fee(250_00), o.Fee)
	require.Equal(t, "It took long.", o.Text)
	require.Equal(t, f.seller, o.MadeBy)
	require.Equal(t, []catalog.Kind{catalog.DealCounteroffer}, f.notified(t, f.buyer))
	messages := f.messages(t)
	require.Len(t, messages, 1)
	require.Equal(t, "It took long.", messages[0].Text)
	require.Equal(t, chat.ActCounteroffer, messages[0].Deal.Act)
	require.Zero(t, f.count(t, "notifications where params ? 'note'", nil),
		"a notification repeats nothing that a possible stranger has written")

	f.clock.Advance(48 * time.Hour)
	for range 2 { // accepting again changes nothing
		accepted, err := f.AcceptCounteroffer(t.Context(), f.buyer, d.ID, o.ID)
		require.NoError(t, err)
		require.Equal(t, dearer, termsOf(accepted))
		require.Equal(t, money.Fee(250_00), accepted.Fee)
		require.Equal(t, 2, accepted.TermsVersion)
		require.True(t, accepted.Accepted(), "a seller who proposed the terms has agreed to them")
		require.WithinDuration(t, f.clock.Now().Add(9*24*time.Hour), accepted.DueAt, time.Minute)
		require.Equal(t, &accepted.DueAt, accepted.NextActionAt)
		require.Nil(t, accepted.Counteroffer)
		require.Nil(t, accepted.CounterofferBy)
		require.Equal(t, []catalog.Kind{catalog.LineCreated, catalog.LineCounteroffer, catalog.LineCounterofferAccepted}, lines(accepted))
		require.Equal(t, "rahim accepted the counter-offer: $250.00, days to deliver: 9, days to inspect: 5", accepted.Timeline[2].Text)
	}
	require.Equal(t, []catalog.Kind{catalog.DealOfferedToSeller, catalog.DealCounterofferAccepted}, f.notified(t, f.seller))
}

func TestMakeCounteroffer_last_one_counts(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.offer(t, f.seller)
	first := f.counter(t, f.buyer, d.ID, dearer, "With its page?").Counteroffer
	second := dearer
	second.Price = 225_00
	last := f.counter(t, f.seller, d.ID, second, "For less.").Counteroffer
	require.Equal(t, "For less.", last.Text)
	for _, userID := range []uuid.UUID{f.buyer, f.seller} {
		_, err := f.AcceptCounteroffer(t.Context(), userID, d.ID, first.ID)
		require.Error(t, err, "it was replaced")
	}
	_, err := f.AcceptCounteroffer(t.Context(), f.seller, d.ID, last.ID)
	requireCode(t, fault.Forbidden, err)
	accepted, err := f.AcceptCounteroffer(t.Context(), f.buyer, d.ID, last.ID)
	require.NoError(t, err)
	require.Equal(t, second, termsOf(accepted))

	// Thirty in total are the most.
	next := second
	for range 28 {
		next.Price++
		f.counter(t, f.buyer, d.ID, next, "")
	}
	next.Price++
	_, err = f.MakeCounteroffer(t.Context(), f.buyer, d.ID, next, "", nil)
	requireReason(t, "counteroffers_over_limit", err)
}

func TestCounteroffer_ends_without_acceptance(t *testing.T) {
	t.Parallel()
	t.Run("declined", func(t *testing.T) {
		t.Parallel()
		f := newFixture(t)
		d := f.offer(t, f.seller)
		o := f.counter(t, f.buyer, d.ID, dearer, "").Counteroffer
		_, err := f.DeclineCounteroffer(t.Context(), f.buyer, d.ID, o.ID)
		requireReason(t, "counteroffer_own", err)
		for range 2 {
			after, err := f.DeclineCounteroffer(t.Context(), f.seller, d.ID, o.ID)
			require.NoError(t, err)
			require.Equal(t, termsOf(d), termsOf(after))
			require.Nil(t, after.Counteroffer)
			require.Equal(t, []catalog.Kind{catalog.LineCreated, catalog.LineCounteroffer, catalog.LineCounterofferDeclined}, lines(after))
		}
		_, err = f.AcceptCounteroffer(t.Context(), f.seller, d.ID, o.ID)
		requireReason(t, "counteroffer_gone", err)
		require.Equal(t, []catalog.Kind{catalog.DealOffered, catalog.DealCounterofferDeclined}, f.notified(t, f.buyer))
	})
	t.Run("withdrawn", func(t *testing.T) {
		t.Parallel()
		f := newFixture(t)
		d := f.offer(t, f.seller)
		o := f.counter(t, f.buyer, d.ID, dearer, "").Counteroffer
		_, err := f.WithdrawCounteroffer(t.Context(), f.seller, d.ID, o.ID)
		requireReason(t, "counteroffer_of_other", err)
		after, err := f.WithdrawCounteroffer(t.Context(), f.buyer, d.ID, o.ID)
		require.NoError(t, err)
		require.Equal(t, termsOf(d), termsOf(after))
		require.Equal(t, []catalog.Kind{catalog.DealCounteroffer, catalog.DealCounterofferWithdrawn}, f.notified(t, f.seller))
	})
	t.Run("with the deal", func(t *testing.T) {
		t.Parallel()
		f := newFixture(t)
		d := f.offer(t, f.seller)
		f.counter(t, f.buyer, d.ID, dearer, "")
		_, err := f.Remove(t.Context(), f.buyer, d.ID, nil)
		require.NoError(t, err)
		require.Equal(t, 1, f.count(t, "deal_counteroffers where status = 'closed'", nil))
	})
}

// While a counter-offer is open, nobody can agree to the terms that it would replace.
func TestCounteroffer_open(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.offer(t, f.buyer)
	o := f.counter(t, f.buyer, d.ID, dearer, "").Counteroffer
	_, err := f.Accept(t.Context(), f.seller, d.ID)
	requireReason(t, "counteroffer_open", err)
	_, err = f.RequestPay(t.Context(), f.buyer, d.ID, deals.AnyTerms, nil)
	requireReason(t, "counteroffer_open", err)

	_, err = f.AcceptCounteroffer(t.Context(), f.seller, d.ID, o.ID)
	require.NoError(t, err)
	_, err = f.RequestPay(t.Context(), f.buyer, d.ID, 1, nil)
	requireReason(t, "terms_changed", err)
	_, err = f.RequestPay(t.Context(), f.buyer, d.ID, 2, nil)
	require.Equal(t, fault.InsufficientBalance, fault.CodeOf(err), "no money has been added in this test")
}

func TestMakeCounteroffer_refused(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.offer(t, f.seller)
	with := func(change func(t *deals.Terms)) deals.Terms {
		terms := dearer
		change(&terms)
		return terms
	}
	for name, tc := range map[string]struct {
		terms  deals.Terms
		text   string
		reason string
	}{
		"no price":         {with(func(t *deals.Terms) { t.Price = 0 }), "", "deal_fields_missing"},
		"price too high":   {with(func(t *deals.Terms) { t.Price = 1_000_000_01 }), "", "price_out_of_range"},
		"no description":   {with(func(t *deals.Terms) { t.Description = " \n" }), "", "deal_fields_missing"},
		"no days":          {with(func(t *deals.Terms) { t.DeliveryDays = 0 }), "", "delivery_duration_missing"},
		"too many days":    {with(func(t *deals.Terms) { t.DeliveryDays = 100 }), "", "delivery_duration_out_of_range"},
		"no inspection":    {with(func(t *deals.Terms) { t.InspectionDays = 0 }), "", "inspection_out_of_range"},
		"long description": {with(func(t *deals.Terms) { t.Description = strings.Repeat("x", 5001) }), "", "description_over_limit"},
		"long text":        {dearer, strings.Repeat("x", 2001), "words_too_long"},
		"same terms":       {termsOf(d), "", "counteroffer_same"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := f.MakeCounteroffer(t.Context(), f.buyer, d.ID, tc.terms, tc.text, nil)
			requireReason(t, tc.reason, err)
		})
	}
	t.Run("by a stranger", func(t *testing.T) {
		t.Parallel()
		stranger := f.user(t, "mallory")
		_, err := f.MakeCounteroffer(t.Context(), stranger, d.ID, dearer, "", nil)
		requireCode(t, fault.NotFound, err)
		_, err = f.AcceptCounteroffer(t.Context(), stranger, d.ID, uuid.New())
		requireCode(t, fault.NotFound, err)
		_, err = f.AcceptCounteroffer(t.Context(), f.seller, d.ID, uuid.New())
		requireReason(t, "counteroffer_not_found", err)
	})
	t.Run("once the deal is paid", func(t *testing.T) {
		t.Parallel()
		paid := f.paid(t, f.seller)
		_, err := f.MakeCounteroffer(t.Context(), f.buyer, paid.ID, dearer, "", nil)
		requireReason(t, "deal_status", err)
	})
	t.Run("between users who have blocked each other", func(t *testing.T) {
		t.Parallel()
		f := newFixture(t)
		d := f.offer(t, f.seller)
		_, err := f.db.Owner().Exec(t.Context(),
			`insert into blocks (blocker_id, blocked_id, created_at) values ($1, $2, now())`, f.buyer, f.seller)
		require.NoError(t, err)
		_, err = f.MakeCounteroffer(t.Context(), f.seller, d.ID, dearer, "", nil)
		requireReason(t, "deal_blocked_by_them", err)
	})
}

func TestMakeCounteroffer_repeated_under_a_key(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.offer(t, f.seller)
	key := keyOf(f.buyer, "counter")
	for range 2 {
		after, err := f.MakeCounteroffer(t.Context(), f.buyer, d.ID, dearer, "Please.", key)
		require.NoError(t, err)
		require.Len(t, after.Timeline, 2)
	}
	require.Len(t, f.messages(t), 1)
}

// Of all answers to a counter-offer one is carried out.
func TestCounteroffer_races(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	outcomes := map[string]int{}
	for range soak.Rounds(4, 200) {
		d := f.offer(t, f.seller)
		o := f.counter(t, f.buyer, d.ID, dearer, "").Counteroffer
		answers := map[string]func() error{
			"accepted":  func() error { _, err := f.AcceptCounteroffer(t.Context(), f.seller, d.ID, o.ID); return err },
			"declined":  func() error { _, err := f.DeclineCounteroffer(t.Context(), f.seller, d.ID, o.ID); return err },
			"withdrawn": func() error { _, err := f.WithdrawCounteroffer(t.Context(), f.buyer, d.ID, o.ID); return err },
			"removed":   func() error { _, err := f.Remove(t.Context(), f.buyer, d.ID, nil); return err },
		}
		var wg sync.WaitGroup
		var mu sync.Mutex
		refusals := map[string]error{}
		for name, answer := range answers {
			wg.Go(func() {
				err := answer()
				mu.Lock()
				defer mu.Unlock()
				refusals[name] = err
			})
		}
		wg.Wait()
		require.NoError(t, refusals["removed"], "a deal that is not paid can be removed whatever its terms")
		status, err := postgres.Query[string]("test.status",
			`select status from deal_counteroffers where id = @id`).One(t.Context(), f.db.Owner(), postgres.Args{"id": o.ID})
		require.NoError(t, err)
		outcomes[status]++
		for _, name := range []string{"accepted", "declined", "withdrawn"} {
			if name != status { // else NotFound if the deal was removed before it was read again
				require.Error(t, refusals[name], "%s, not %s", status, name)
			}
			require.Contains(t, []fault.Code{"", fault.Conflict, fault.NotFound}, fault.CodeOf(refusals[name]), "%v", refusals[name])
		}
		price := int64(100_00)
		if status == "accepted" {
			price = 250_00
		}
		require.Equal(t, 1, f.count(t, "deals where id = @id and price = @price and counteroffer_by is null",
			postgres.Args{"id": d.ID, "price": price}))
	}
	require.GreaterOrEqual(t, len(outcomes), soak.Rounds(1, 2), "%v: the answers did not race", outcomes)
}
