package api_test

import (
	"encoding/json"
	"image/color"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/app/images"
	"amanat/internal/lib/ratelimit"
	"amanat/internal/realtime"
)

// room is a dispute as a browser reads it; api.Nullable is not decoded.
type room struct {
	api.DealDispute
	Thread []struct {
		Role, Kind, Text string
		Links            []string
		Pictures         []images.Attachment
		Offer            *api.DisputeOffer
		Author           *struct{ Username string }
	} `json:"thread"`
	Decision  *api.DisputeDecision       `json:"decision"`
	Appeal    *api.DisputeAppeal         `json:"appeal"`
	ClaimedBy *struct{ Username string } `json:"claimedBy"`
}

// dispute returns the path of an action on a dispute.
func dispute(x room, action string) string {
	return strings.TrimSuffix("/disputes/"+x.ID.String()+"/"+action, "/")
}

// enters decodes the dispute of an answer.
func (r reply) enters() room {
	r.t.Helper()
	var found struct{ Dispute room }
	r.into(&found)
	return found.Dispute
}

// disputes opens a dispute about a deal as its buyer.
func (b *browser) disputes(deal api.DealDetail) room {
	b.t.Helper()
	return b.post("/deals/"+deal.ID.String()+"/dispute", fields{"reason": "not_as_agreed", "text": "It has another owner."}).
		want(http.StatusCreated).enters()
}

// disputed returns a new dispute about a new deal that b has paid.
func (b *browser) disputed(seller *browser, price float64) room {
	b.t.Helper()
	return b.disputes(b.active(seller, price))
}

func (b *browser) offersSplit(x room, buyerGets float64) api.DisputeOffer {
	b.t.Helper()
	offers := b.post(dispute(x, "offers"), fields{"buyerGets": buyerGets}).want(200).enters().Offers
	return offers[len(offers)-1]
}

func ruling(buyerGets float64) fields {
	return fields{"buyerGets": buyerGets, "reason": "Half of it was delivered."}
}

func (b *browser) rulesOn(x room, buyerGets float64) reply {
	b.t.Helper()
	return b.post("/admin"+dispute(x, "decide"), ruling(buyerGets))
}

// evidence adds a picture for the dispute about a deal.
func (b *browser) evidence(deal uuid.UUID) images.Attachment {
	b.t.Helper()
	var added api.DealPictureAdded
	b.post("/deals/"+deal.String()+"/dispute/pictures", fields{"image": pictureURL(b.t, color.Black, 40, 30)}).
		want(http.StatusCreated).into(&added)
	return added.Picture
}

func TestDispute_settled_by_offer(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.active(seller, 100)
	picture := buyer.evidence(deal.ID)
	seller.get(belowAPI(picture.URL)).want(404)
	x := buyer.post("/deals/"+deal.ID.String()+"/dispute", fields{
		"reason": "broken", "text": " It does not open. ", "pictures": []uuid.UUID{picture.ID}, "links": []string{"https://example.com/x"},
	}).want(201).enters()
	require.Equal(t, "open", x.Status)
	require.Equal(t, "buyer", x.OpenedBy)
	require.Equal(t, "It does not open.", x.Thread[0].Text)
	require.Equal(t, []string{"https://example.com/x"}, x.Thread[0].Links)
	require.Equal(t, []images.Attachment{picture}, x.Thread[0].Pictures)
	require.WithinDuration(t, x.CreatedAt.Add(48*time.Hour), x.AnswerDueAt, time.Second)
	seller.get(belowAPI(picture.URL)).want(200)
	require.True(t, seller.see(deal).Frozen)
	require.Equal(t, x.ID, seller.see(deal).Dispute.ID)

	seller.post(dispute(x, "answer"), fields{"text": "It does."}).want(200)
	boss.post(dispute(x, "messages"), fields{"text": "Show it, please."}).want(200)
	offer := seller.offersSplit(x, 40.01)
	require.Equal(t, "58.79", offer.SellerGets.String())
	require.Equal(t, "1.20", offer.Fee.String())
	var change api.DisputeChange
	accepted := buyer.post(dispute(x, "offers/"+offer.ID.String()+"/accept"), nil).want(200)
	accepted.into(&change)
	require.Equal(t, "dispute_settled", change.Code)
	done := accepted.enters()
	require.Equal(t, "settled", done.Status)
	var roles []string
	for _, line := range done.Thread {
		roles = append(roles, line.Role+" "+line.Kind)
	}
	require.Equal(t, []string{"buyer opened", "seller answer", "admin message", "seller offer", "buyer accepted", "system settled"}, roles)
	require.Equal(t, offer.ID, done.Thread[3].Offer.ID)
	require.Equal(t, "accepted", done.Thread[4].Offer.Status)

	ended := buyer.see(deal)
	require.Equal(t, "Completed", ended.Status)
	require.Equal(t, "settled", string(*ended.CloseReason))
	require.Equal(t, []string{"40.01", "58.79", "1.20"}, []string{ended.Refund.String(), ended.Payout.String(), ended.Fee.String()})
	buyer.requireWallet("440.01", "0.00", "0.00")
	seller.requireWallet("58.79", "0.00", "0.00")
	var history struct{ Movements []struct{ Kind string } }
	seller.get("/wallet/history").want(200).into(&history)
	require.Equal(t, "deal_settle", history.Movements[len(history.Movements)-1].Kind)
	f.member("stranger").get(dispute(x, "")).refused(404, "not_found", "Dispute not found.")
}

func TestDispute_refused(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.active(seller, 100)
	path := "/deals/" + deal.ID.String() + "/dispute"
	buyer.post(path, fields{"reason": "abuse", "text": "A seller's reason."}).refused(400, "invalid", "Choose what is wrong.")
	buyer.post(path+"/pictures", fields{}).refused(400, "invalid", "Please select an image file!")
	x := buyer.disputes(deal)
	seller.post(path, fields{"reason": "abuse", "text": "x"}).refused(409, "conflict", "There is a dispute about this deal already.")
	for _, action := range []string{"answer", "messages"} {
		seller.post(dispute(x, action), fields{}).refused(400, "invalid", "Write what happened.")
	}
	buyer.post(dispute(x, "offers"), fields{}).refused(400, "invalid", "Enter what goes back to the buyer.")
	buyer.post(dispute(x, "offers"), fields{"buyerGets": 100.01}).
		refused(400, "invalid", "The amount must be from 0 to the price, $100.00.")
	buyer.post(dispute(x, "offers"), fields{"buyerGets": 1.001}).refused(400, "invalid", "buyerGets may have at most two decimals.")
	buyer.post(dispute(x, "accept"), nil).refused(409, "conflict", "The dispute has changed meanwhile. Look at it again.")
	offer := dispute(x, "offers/"+buyer.offersSplit(x, 5).ID.String())
	buyer.offersSplit(x, 6)
	buyer.do(http.MethodDelete, offer, nil).refused(409, "conflict", "This offer is not open any more.")
	seller.post(offer+"/accept", nil).refused(409, "conflict", "This offer is not open any more.")

	seller.post(dispute(x, "answer"), fields{"text": "x"}).want(200)
	seller.post(dispute(x, "answer"), fields{"text": "x"}).
		refused(409, "duplicate", "You have answered already. You can write another message.")
	buyer.post(dispute(x, "close"), nil).want(200)
	for _, action := range []string{"messages", "appeal"} {
		seller.post(dispute(x, action), fields{"text": "x"}).refused(409, "conflict", "This dispute has ended.")
	}
	seller.post(dispute(x, "offers"), fields{"buyerGets": 1}).refused(409, "conflict", "This dispute has ended.")
	buyer.acts("complete", deal, "Deal marked as completed", "Completed")
	buyer.post(path+"/pictures", fields{"image": pictureURL(t, color.White, 10, 10)}).
		refused(409, "conflict", "This deal is Completed, so it cannot be disputed.")
}

func TestAdminDisputes(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	x := buyer.disputed(seller, 100)
	var list api.AdminDisputes
	boss.get("/admin/disputes?status=open").want(200).into(&list)
	require.Len(t, list.Disputes, 1)
	require.Equal(t, x.ID, list.Disputes[0].ID)
	boss.get("/admin/disputes?status=lost").refused(400, "invalid", "status must be one of open, decided, appealed, settled, closed.")
	boss.get("/admin/disputes?status=decided").want(200).into(&list)
	require.Empty(t, list.Disputes)

	for search, found := range map[string]int{"buy": 1, "SELL": 1, "channel": 1, "house": 0, "%25": 0} {
		boss.get("/admin/disputes?status=open&search=" + search).want(200).into(&list)
		require.Len(t, list.Disputes, found, search)
	}

	other := f.admin("other")
	claimed := other.post("/admin"+dispute(x, "claim"), nil).want(200).enters()
	require.Equal(t, "other", claimed.ClaimedBy.Username)
	require.Nil(t, buyer.get(dispute(x, "")).want(200).enters().ClaimedBy, "for admins only")
	boss.rulesOn(x, 50).refused(409, "already_handled", "other is working on this request.")
	other.post("/admin"+dispute(x, "decide"), fields{"buyerGets": 50, "reason": "Because"}).
		refused(400, "invalid", "Give the reason in at least 10 characters. Both parties will read it.")
	other.post("/admin"+dispute(x, "decide"), fields{"reason": "Half of it was delivered."}).
		refused(400, "invalid", "Enter what goes back to the buyer.")
	decided := other.rulesOn(x, 50).want(200).enters()
	require.Equal(t, "decided", decided.Status)
	require.Equal(t, "49.00", decided.Decision.SellerGets.String())
	buyer.post(dispute(x, "close"), nil).
		refused(409, "conflict", "An admin has decided this dispute. It cannot be closed any more.")
	buyer.post(dispute(x, "appeal"), fields{}).refused(400, "invalid", "Write why the decision is wrong.")
	require.True(t, buyer.get(dispute(x, "")).want(200).enters().CanAppeal)
	require.False(t, decided.CanAppeal, "an admin")
	require.Equal(t, "already_handled", decodeFailure(t, boss.rulesOn(x, 50).want(409)).Code)
	boss.post("/admin"+dispute(x, "appeal/decide"), ruling(0)).refused(409, "conflict", "Nobody has appealed against this decision.")

	appealed := seller.post(dispute(x, "appeal"), fields{"text": "All was delivered."}).want(200).enters()
	require.Equal(t, "appealed", appealed.Status)
	require.Equal(t, "All was delivered.", appealed.Appeal.Text)
	require.False(t, appealed.CanAppeal)
	other.post("/admin"+dispute(x, "appeal/decide"), ruling(0)).
		refused(403, "forbidden", "Another admin has to decide the appeal.")
	key := []string{"Idempotency-Key", "final"}
	first := boss.post("/admin"+dispute(x, "appeal/decide"), ruling(0), key...).want(200)
	require.Equal(t, "settled", first.enters().Status)
	require.True(t, first.enters().Decision.Final)
	require.JSONEq(t, string(first.body), string(boss.post("/admin"+dispute(x, "appeal/decide"), ruling(0), key...).want(200).body))
	require.Equal(t, "already_handled", decodeFailure(t, boss.post("/admin"+dispute(x, "appeal/decide"), ruling(1)).want(409)).Code)
	seller.requireWallet("98.00", "0.00", "0.00")
	require.Equal(t, "already_handled", decodeFailure(t, other.post("/admin"+dispute(x, "claim"), nil).want(409)).Code)
}

// Both parties accept the decision; a repeated call gets the dispute as it is now.
func TestDispute_decision_accepted(t *testing.T) {
	t.Parallel()
	_, boss, buyer, seller := newFixtureWithUsers(t)
	x := buyer.disputed(seller, 100)
	boss.rulesOn(x, 50).want(200)
	key := []string{"Idempotency-Key", "yes"}
	first := seller.post(dispute(x, "accept"), nil, key...).want(200)
	require.True(t, first.enters().Decision.AcceptedBySeller)
	require.JSONEq(t, string(first.body), string(seller.post(dispute(x, "accept"), nil, key...).want(200).body))
	done := buyer.post(dispute(x, "accept"), nil, key...).want(200)
	require.Equal(t, "settled", done.enters().Status)
	for range 2 {
		require.Equal(t, "settled", seller.post(dispute(x, "accept"), nil, key...).want(200).enters().Status)
		require.Equal(t, "settled", buyer.post(dispute(x, "accept"), nil, key...).want(200).enters().Status)
	}
	buyer.requireWallet("450.00", "0.00", "0.00")
	seller.requireWallet("49.00", "0.00", "0.00")
}

// Support requests that were open before are the first lines of the thread.
func TestDispute_shows_support_requests(t *testing.T) {
	t.Parallel()
	_, boss, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.active(seller, 100)
	seller.support(deal, "Closed before.").want(201)
	boss.post(closeSupport(boss.supportRequests()[0]), answered).want(200)
	buyer.support(deal, "He is silent.").want(201)
	thread := buyer.disputes(deal).Thread
	require.Len(t, thread, 2)
	require.Equal(t, "He is silent.", thread[0].Text)
	require.Equal(t, []string{"buyer", "message"}, []string{thread[0].Role, thread[0].Kind})
}

func TestDisputes_rate_limited(t *testing.T) {
	t.Parallel()
	one := ratelimit.Rate{Count: 1, Per: time.Hour}
	f := newFixture(t, func(c *config.API) {
		c.Limits.SupportLimit, c.Limits.MessageLimit, c.Limits.PictureLimit = one, one, one
		c.Limits.DealLimit = ratelimit.Rate{Count: 3, Per: time.Hour}
	})
	f.work()
	_, buyer, seller := f.market()
	deal, other := buyer.active(seller, 10), buyer.active(seller, 10)
	buyer.evidence(deal.ID)
	buyer.post("/deals/"+deal.ID.String()+"/dispute/pictures", fields{"image": pictureURL(t, color.White, 10, 10)}).
		refused(429, "rate_limited", textTooMany)
	x := buyer.disputes(deal)
	buyer.post("/deals/"+other.ID.String()+"/dispute", fields{"reason": "other", "text": "x"}).refused(429, "rate_limited", textTooMany)
	second := seller.post("/deals/"+other.ID.String()+"/dispute", fields{"reason": "other", "text": "x"}).want(201).enters()
	buyer.post(dispute(x, "messages"), fields{"text": "x"}).want(200)
	buyer.post(dispute(second, "answer"), fields{"text": "x"}).refused(429, "rate_limited", textTooMany)
	buyer.post(dispute(x, "messages"), fields{"text": "x"}).refused(429, "rate_limited", textTooMany)
	buyer.post(dispute(x, "offers"), fields{"buyerGets": 1}).want(200)
	buyer.post(dispute(x, "offers"), fields{"buyerGets": 2}).refused(429, "rate_limited", textTooMany)
}

// worklists records what admins are told of changed rows of their lists.
type worklists struct {
	mu      sync.Mutex
	changes []realtime.WorklistChanged
}

func (w *worklists) note(frame realtime.Frame) {
	if w == nil {
		return
	}
	var change realtime.WorklistChanged
	must(json.Unmarshal(frame.Data, &change))
	w.mu.Lock()
	defer w.mu.Unlock()
	w.changes = append(w.changes, change)
}

// of returns how often a row of a list has changed.
func (w *worklists) of(queue realtime.Worklist, id uuid.UUID) (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, change := range w.changes {
		if change == (realtime.WorklistChanged{Queue: queue, ID: id}) {
			n++
		}
	}
	return n
}

// Admins learn of every change of a dispute.
func TestDisputes_told_to_admins(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	second := f.admin("second")
	x := buyer.disputed(seller, 100)
	require.Equal(t, 1, f.worklists.of(realtime.WorklistDisputes, x.ID), "opened")
	for _, act := range []func(){
		func() { seller.post(dispute(x, "answer"), fields{"text": "It is mine."}).want(200) },
		func() { seller.offersSplit(x, 10) },
		func() { boss.post("/admin"+dispute(x, "claim"), nil).want(200) },
		func() { boss.rulesOn(x, 50).want(200) },
		func() { buyer.post(dispute(x, "appeal"), fields{"text": "No."}).want(200) },
		func() { second.post("/admin"+dispute(x, "appeal/decide"), ruling(60)).want(200) },
	} {
		before := f.worklists.of(realtime.WorklistDisputes, x.ID)
		act()
		require.Greater(t, f.worklists.of(realtime.WorklistDisputes, x.ID), before)
	}
}

// turns are what the dispute of a deal waits for, as a list of deals shows it to a party.
func (b *browser) turns(deal api.DealDetail) [2]string {
	b.t.Helper()
	var list []api.Deal
	b.get("/deals/my-deals").want(200).into(&list)
	for _, d := range list {
		if d.ID == deal.ID && d.OpenDispute != nil {
			var turns [2]string
			for i, turn := range []*api.DisputeTurn{d.OpenDispute.BuyerTurn, d.OpenDispute.SellerTurn} {
				if turn != nil {
					turns[i] = string(*turn)
				}
			}
			return turns
		}
	}
	return [2]string{"no", "dispute"}
}

// Lists of deals say what a dispute waits for from each party.
func TestMyDeals_dispute_turns(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.active(seller, 100)
	require.Equal(t, [2]string{"no", "dispute"}, buyer.turns(deal))
	x := buyer.disputes(deal)
	require.Equal(t, [2]string{"", "answer"}, buyer.turns(deal))
	require.Equal(t, buyer.turns(deal), seller.turns(deal))
	offer := buyer.offersSplit(x, 40)
	require.Equal(t, [2]string{"", "offer"}, buyer.turns(deal))
	buyer.do(http.MethodDelete, dispute(x, "offers/"+offer.ID.String()), nil).want(200)
	seller.post(dispute(x, "answer"), fields{"text": "It works."}).want(200)
	require.Equal(t, [2]string{"", ""}, buyer.turns(deal))
	seller.offersSplit(x, 10)
	require.Equal(t, [2]string{"offer", ""}, buyer.turns(deal))

	boss.rulesOn(x, 50).want(200)
	require.Equal(t, [2]string{"decision", "decision"}, buyer.turns(deal))
	seller.post(dispute(x, "accept"), nil).want(200)
	require.Equal(t, [2]string{"decision", ""}, buyer.turns(deal))
	buyer.post(dispute(x, "appeal"), fields{"text": "No."}).want(200)
	require.Equal(t, [2]string{"offer", ""}, buyer.turns(deal), "of an appeal only the offer is left")
	second := f.admin("second")
	second.post("/admin"+dispute(x, "appeal/decide"), ruling(60)).want(200)
	require.Equal(t, [2]string{"no", "dispute"}, buyer.turns(deal))
}
