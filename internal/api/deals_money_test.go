package api_test

import (
	"context"
	"image/color"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/app/images"
	"amanat/internal/domain/chat"
	"amanat/internal/lib/ratelimit"
	"amanat/internal/money/operations"
)

// newFixtureWithUsers returns a fixture with workers and a market.
func newFixtureWithUsers(tb testing.TB) (f *fixture, boss, buyer, seller *browser) {
	tb.Helper()
	f = newFixture(tb)
	f.work()
	boss, buyer, seller = f.market()
	return f, boss, buyer, seller
}

// market sets the exchange rate and returns an admin, a buyer with 500 dollars and a seller.
// Workers must run.
func (f *fixture) market() (boss, buyer, seller *browser) {
	f.t.Helper()
	boss, buyer, seller = f.admin("boss"), f.member("buyer"), f.member("seller")
	boss.setRate(120)
	buyer.fund(boss, 500)
	return boss, buyer, seller
}

func pay(deal api.DealDetail) string      { return "/deals/pay/" + deal.ID.String() }
func complete(deal api.DealDetail) string { return "/deals/complete/" + deal.ID.String() }

// transfers counts the ledger transfers with a key.
func (f *fixture) transfers(key string) int {
	f.t.Helper()
	var n int
	require.NoError(f.t, f.owner.QueryRow(f.t.Context(), "select count(*) from ledger.transfers where key = $1", key).Scan(&n))
	return n
}

func TestPayDeal_insufficient_balance(t *testing.T) {
	t.Parallel()
	_, boss, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.propose(seller, 600.25)
	key := []string{"Idempotency-Key", "the-click"}
	failure := buyer.post(pay(deal), nil, key...).refused(409, "insufficient_balance", "Insufficient balance")
	require.Equal(t, "100.25", failure.Shortfall.String())
	buyer.requireWallet("500.00", "0.00", "0.00")
	buyer.fund(boss, 100.25)
	buyer.post(pay(deal), nil, key...).want(200) // a refused attempt does not use up the key
	buyer.requireWallet("0.00", "600.25", "0.00")
}

// While no worker can pay the deal, the call answers 202 with the operation, which the buyer and
// admins can read. A repeated request gets the outcome.
func TestPayDeal_pending_operation(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.propose(seller, 100)
	// The lock of a worker that died: the money workers wait for it.
	tx, err := f.owner.Begin(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = tx.Rollback(context.Background()) }) // the test's context has ended
	_, err = tx.Exec(t.Context(), "select 1 from deals where id = $1 for update", deal.ID)
	require.NoError(t, err)

	var first, second api.Underway
	key := []string{"Idempotency-Key", "pay-1"}
	buyer.post(pay(deal), nil, key...).want(http.StatusAccepted).into(&first)
	require.Equal(t, operations.Pending, first.Operation.Status)
	require.Equal(t, "deal:"+deal.ID.String(), first.Operation.Subject)
	buyer.post(pay(deal), nil).want(http.StatusAccepted).into(&second)
	require.Equal(t, first.Operation.ID, second.Operation.ID)

	path := "/operations/" + first.Operation.ID.String()
	var operation operations.View
	buyer.get(path).want(200).into(&operation)
	require.Equal(t, first.Operation, operation)
	boss.get(path).want(200)
	seller.get(path).refused(404, "not_found", "Operation not found.")
	var seen api.DealDetail
	seller.get("/deals/" + deal.ID.String()).want(200).into(&seen)
	require.Equal(t, first.Operation.ID, seen.Operation.ID)

	require.NoError(t, tx.Rollback(t.Context()))
	buyer.post(pay(deal), nil).want(200)
	var changed api.DealChange
	buyer.post(pay(deal), nil, key...).want(200).into(&changed)
	require.Equal(t, "Deal activated!", changed.Message)
	buyer.get(path).want(200).into(&operation)
	require.Equal(t, operations.Done, operation.Status)
	require.Equal(t, "Deal activated!", operation.Result.Message)
	require.NotNil(t, operation.FinishedAt)
}

func TestIdempotencyKey(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	draft := fields{"price": 100, "description": "A", "deliveryDuration": 1, "buyerId": buyer.user.ID, "sellerId": seller.user.ID}
	key := []string{"Idempotency-Key", "k1"}
	first := buyer.post("/deals/create", draft, key...).want(201)
	again := buyer.post("/deals/create", draft, key...).want(201)
	require.JSONEq(t, string(first.body), string(again.body))
	draft["price"] = 101
	buyer.post("/deals/create", draft, key...).
		refused(409, "idempotency_mismatch", "This Idempotency-Key was used for another request.")
	order := fields{"amount": 10, "phonenumber": "01712345678", "paymentMethod": "Bkash"}
	buyer.post("/withdraw", order, key...).refused(409, "idempotency_mismatch", "This Idempotency-Key was used for another request.")
	seller.post("/deals/create", draft, key...).want(201) // keys belong to their user
	require.Equal(t, 2, countDeals(t, f))

	var deal api.DealDetail
	first.into(&deal)
	key[1] = "k2"
	buyer.post(pay(deal), nil, key...).want(200)
	seller.post("/deals/deliver/"+deal.ID.String(), nil).want(200)
	var paid api.DealChange
	buyer.post(pay(deal), nil, key...).want(200).into(&paid)
	require.Equal(t, "Deal activated!", paid.Message)
	require.Equal(t, buyer.see(deal), paid.Deal, "the deal as it is now")
	require.Equal(t, "Delivered", paid.Status)

	key[1] = "k3"
	withdrawn := buyer.post("/withdraw", order, key...).want(201)
	again = buyer.post("/withdraw", order, key...).want(201)
	require.JSONEq(t, string(withdrawn.body), string(again.body))
	buyer.requireWallet("390.00", "100.00", "10.00")

	key[1] = "k4"
	report := fields{"amount": 5, "transactionId": "SAME12345", "paymentMethod": "Nagad"}
	deposited := buyer.post("/auth/deposit", report, key...).want(201)
	again = buyer.post("/auth/deposit", report, key...).want(201)
	require.JSONEq(t, string(deposited.body), string(again.body))

	var submitted api.DepositSubmitted
	deposited.into(&submitted)
	approve := "/admin/deposit/approve/" + submitted.Deposit.ID.String()
	approval := fields{"amount": 5, "userId": buyer.user.ID}
	boss.post(approve, approval, key...).want(200)
	boss.post(approve, approval, key...).want(200) // a repeated click, not a second approval
	require.Equal(t, "already_handled", decodeFailure(t, boss.post(approve, approval).want(409)).Code)
	buyer.requireWallet("395.00", "100.00", "10.00")

	for _, malformed := range []string{" ", "a b", string(make([]byte, 0)), "ключ", longKey(201)} {
		buyer.post("/deals/create", draft, "Idempotency-Key", malformed).
			refused(400, "invalid", "The Idempotency-Key must be 1 to 200 visible ASCII characters.")
	}
	buyer.post("/deals/create", draft, "Idempotency-Key", longKey(200)).want(201)
}

func longKey(n int) string {
	key := make([]byte, n)
	for i := range key {
		key[i] = 'k'
	}
	return string(key)
}

func countDeals(t *testing.T, f *fixture) int {
	t.Helper()
	var n int
	require.NoError(t, f.owner.QueryRow(t.Context(), "select count(*) from deals").Scan(&n))
	return n
}

func TestDealActions_repeated_and_out_of_turn(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.propose(seller, 100)
	buyer.post(complete(deal), nil).refused(409, "conflict", "This deal is Pending, so it cannot be completed.")
	seller.post(act("deliver", deal), nil).refused(409, "conflict", "This deal is Pending, so it cannot be delivered.")
	seller.post(pay(deal), nil).refused(403, "forbidden", "Only the buyer can do this.")
	buyer.post(pay(deal), nil).want(200)
	buyer.post(pay(deal), nil).want(200) // a second click finds it paid
	buyer.do(http.MethodDelete, "/deals/"+deal.ID.String(), nil).want(409)
	buyer.post("/deals/deliver/"+deal.ID.String(), nil).refused(403, "forbidden", "Only the seller can do this.")
	buyer.post(complete(deal), nil).want(200)
	buyer.post(complete(deal), nil).want(200)
	seller.requireWallet("98.00", "0.00", "0.00")

	declined := seller.proposeToBuyer(buyer, 5)
	require.JSONEq(t, `{"message": "Deal declined and removed", "outcome": "deal_removed"}`,
		string(buyer.do(http.MethodDelete, "/deals/"+declined.ID.String(), nil).want(200).body))
	seller.get("/deals/" + declined.ID.String()).want(404)
}

func pictures(deal api.DealDetail) string { return "/deals/" + deal.ID.String() + "/pictures" }

// shows adds a picture to a deal that b is about to deliver.
func (b *browser) shows(deal api.DealDetail) images.Attachment {
	b.t.Helper()
	var added api.DealPictureAdded
	b.post(pictures(deal), fields{"image": pictureURL(b.t, color.Black, 40, 30)}).want(http.StatusCreated).into(&added)
	return added.Picture
}

func TestDeliver_words_and_pictures(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	stranger := f.member("stranger")
	deal := buyer.active(seller, 100)
	one, two := seller.shows(deal), seller.shows(deal)
	require.Equal(t, images.Attachment{ID: one.ID, URL: "/api/images/" + one.ID.String(), Width: 40, Height: 30}, one)
	buyer.get(belowAPI(one.URL)).refused(404, "not_found", "Not found.")

	var change api.DealChange
	words := fields{"text": "  Here it is. ", "pictures": []uuid.UUID{two.ID, one.ID}}
	seller.post(act("deliver", deal), words).want(200).into(&change)
	line := change.Deal.Timeline[len(change.Deal.Timeline)-1]
	require.Equal(t, "Here it is.", line.Note)
	require.Equal(t, []images.Attachment{two, one}, line.Pictures)
	require.Empty(t, change.Deal.Timeline[0].Pictures)
	require.NotNil(t, change.Deal.Timeline[0].Pictures, "a list, never null")
	for who, status := range map[*browser]int{buyer: 200, seller: 200, boss: 200, stranger: 404, f.visitor(): 404} {
		require.Equal(t, status, who.get(belowAPI(one.URL)+"?w=40").status)
	}
	require.Equal(t, "private, no-cache", buyer.get(belowAPI(one.URL)).header.Get("Cache-Control"))

	list, _ := buyer.inbox("")
	require.Len(t, list, 1)
	require.Equal(t, "Here it is.", list[0].LastMessage)
	require.True(t, list[0].Unread)
	message := buyer.reads(list[0].ID, "").Messages[0]
	require.Equal(t, "Here it is.", message.Text)
	require.Equal(t, deal.ID, message.Deal.ID)
	require.Equal(t, chat.ActDelivered, message.Deal.Act)
	require.Equal(t, []images.Attachment{two, one}, message.Deal.Pictures)
	var event chat.NewMessage
	require.Equal(t, 1, buyer.lastEvent("newMessage", &event))
	require.Equal(t, message.Deal, event.Message.Deal)
	popUps := buyer.popUps()
	require.Equal(t, "Here it is.", popUps[len(popUps)-1].Text)

	buyer.post(act("reset-delivery", deal), fields{"text": "Blue, please."}).want(200)
	three := seller.shows(deal)
	seller.post(act("deliver", deal), fields{"pictures": []uuid.UUID{three.ID}}).want(200)
	list, _ = buyer.inbox("")
	require.Equal(t, "Delivered the deal", list[0].LastMessage)
	require.True(t, list[0].LastMessageIsDelivery)
	popUps = buyer.popUps()
	require.True(t, popUps[len(popUps)-1].IsDelivery)
	messages := boss.get("/admin/messages/by-users/" + buyer.user.ID.String() + "/" + seller.user.ID.String()).want(200)
	var seen history
	messages.into(&seen)
	require.Equal(t, []chat.Act{chat.ActDelivered, chat.ActChanges, chat.ActDelivered},
		[]chat.Act{seen.Messages[0].Deal.Act, seen.Messages[1].Deal.Act, seen.Messages[2].Deal.Act})
	require.Equal(t, []images.Attachment{three}, boss.see(deal).Timeline[len(boss.see(deal).Timeline)-1].Pictures)
}

func TestDeliver_words_refused(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.active(seller, 100)
	for message, body := range map[string]any{
		"text must be a text.":                                            fields{"text": 5},
		"The request body is not valid JSON.":                             "{",
		"pictures must be a list.":                                        fields{"pictures": "x"},
		"One of the pictures is not there any more. Please add it again.": fields{"pictures": []string{"x"}},
	} {
		seller.post(act("deliver", deal), body).refused(400, "invalid", message)
	}
	buyer.post(act("deliver", deal), "{").refused(403, "forbidden", "Only the seller can do this.")
	require.Equal(t, "Active", seller.see(deal).Status)
	seller.post(act("reset-delivery", deal), "{").refused(403, "forbidden", "Only the buyer can do this.")
}

func TestDealPictures(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.active(seller, 100)
	image := fields{"image": pictureURL(t, color.White, 10, 10)}
	unreadable := fields{"image": "data:image/png;base64,AAAA"}
	for message, body := range map[string]any{
		"Please select an image file!": nil, "This image cannot be read. Please choose a PNG, JPEG, WebP or GIF file.": unreadable,
	} {
		refused := seller.post(pictures(deal), body).refused(400, "invalid", message)
		require.Contains(t, refused.Fields, "image")
	}
	seller.post(pictures(deal), fields{"image": "data:image/png;base64," + strings.Repeat("A", 7<<20-200)}).
		refused(413, "too_large", "The image is too large: the limit is 5 MiB.")
	var added []string
	for range 8 {
		added = append(added, seller.shows(deal).ID.String())
	}
	seller.post(pictures(deal), image).refused(409, "conflict", "A delivery can have at most 8 pictures. Remove one to add another.")

	remove := func(b *browser, id string) reply { return b.do(http.MethodDelete, pictures(deal)+"/"+id, nil) }
	remove(seller, "x").refused(404, "not_found", "Not found.")
	var done api.Message
	remove(seller, added[0]).want(200).into(&done)
	require.Equal(t, "Picture removed", done.Message)
	remove(seller, added[0]).refused(404, "not_found", "Picture not found.")
}

// A repeated upload adds no second picture, also if it was the eighth.
func TestDealPictures_repeated(t *testing.T) {
	t.Parallel()
	_, _, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.active(seller, 100)
	for range 7 {
		seller.shows(deal)
	}
	key := []string{"Idempotency-Key", "the-eighth"}
	image := fields{"image": pictureURL(t, color.White, 10, 10)}
	var first, again api.DealPictureAdded
	seller.post(pictures(deal), image, key...).want(201).into(&first)
	seller.post(pictures(deal), image, key...).want(201).into(&again)
	require.Equal(t, first, again)
	seller.post(pictures(deal), fields{"image": pictureURL(t, color.Black, 10, 10)}, key...).
		refused(409, "idempotency_mismatch", "This Idempotency-Key was used for another request.")
	seller.do(http.MethodDelete, pictures(deal)+"/"+first.Picture.ID.String(), nil).want(200)
	seller.post(pictures(deal), image, key...).refused(404, "not_found", "Picture not found.")
}

func TestDealPictures_rate_limit(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.Limits.PictureLimit = ratelimit.Rate{Count: 1, Per: time.Hour} })
	f.work()
	_, buyer, seller := f.market()
	deal := buyer.active(seller, 100)
	seller.shows(deal)
	seller.post(pictures(deal), fields{"image": pictureURL(t, color.White, 10, 10)}).refused(429, "rate_limited", textTooMany)
}

// A report of a delivery stores its words and pictures.
func TestAdminReports_delivery(t *testing.T) {
	t.Parallel()
	_, boss, buyer, seller := newFixtureWithUsers(t)
	deal := buyer.active(seller, 100)
	one, two := seller.shows(deal), seller.shows(deal)
	seller.post(act("deliver", deal), fields{"text": "Pay me elsewhere", "pictures": []uuid.UUID{one.ID, two.ID}}).want(200)
	list, _ := buyer.inbox("")
	buyer.reportsOne("message", buyer.reads(list[0].ID, "").Messages[0].ID.String()).want(201)
	var seen api.AdminCaseDetail
	detail := boss.get("/admin/reports/" + boss.openCase().ID.String()).want(200)
	detail.into(&seen)
	require.Equal(t, "Pay me elsewhere", seen.Snapshot.Text)
	require.Equal(t, []string{one.URL, two.URL}, seen.Snapshot.Pictures)
	var now struct{ Current *api.ReportedContent } // api.Nullable is not decoded
	detail.into(&now)
	require.Equal(t, seen.Snapshot, *now.Current)
	require.Equal(t, deal.ID, seen.Context[0].Deal.ID)
}
