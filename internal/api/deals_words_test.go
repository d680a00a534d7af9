package api_test

import (
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
)

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
	unknown := "One of the pictures is not there any more. Please add it again."
	for name, tc := range map[string]struct {
		body           any
		field, message string
	}{
		"text":           {fields{"text": strings.Repeat("a", 2001)}, "text", "The text must be at most 2,000 characters."},
		"type":           {fields{"text": 5}, "text", "text must be a text."},
		"many pictures":  {fields{"pictures": make([]uuid.UUID, 9)}, "pictures", "A delivery can have at most 8 pictures."},
		"malformed id":   {fields{"pictures": []string{"x"}}, "pictures", unknown},
		"unknown id":     {fields{"pictures": []uuid.UUID{uuid.New()}}, "pictures", unknown},
		"pictures alone": {fields{"pictures": "x"}, "pictures", "pictures must be a list."},
	} {
		refused := seller.post(act("deliver", deal), tc.body).refused(400, "invalid", tc.message)
		require.Contains(t, refused.Fields, tc.field, name)
	}
	seller.post(act("deliver", deal), "{").refused(400, "invalid", "The request body is not valid JSON.")
	buyer.post(act("deliver", deal), "{").refused(403, "forbidden", "Only the seller can do this.")
	require.Equal(t, "Active", seller.see(deal).Status)

	seller.acts("deliver", deal, "Seller has delivered the deal", "Delivered")
	seller.post(act("reset-delivery", deal), "{").refused(403, "forbidden", "Only the buyer can do this.")
	buyer.post(act("reset-delivery", deal), fields{"text": strings.Repeat("a", 2001)}).
		refused(400, "invalid", "The text must be at most 2,000 characters.")
	require.Equal(t, 3, buyer.see(deal).RequestsLeft)
}

func TestDealPictures(t *testing.T) {
	t.Parallel()
	f, _, buyer, seller := newFixtureWithUsers(t)
	stranger := f.member("stranger")
	pending, deal := buyer.propose(seller, 5), buyer.active(seller, 100)
	image := fields{"image": pictureURL(t, color.White, 10, 10)}
	seller.post(pictures(pending), image).refused(409, "conflict", "This deal is Pending, so it cannot be delivered.")
	buyer.post(pictures(deal), image).refused(403, "forbidden", "Only the seller can do this.")
	stranger.post(pictures(deal), image).refused(404, "not_found", "Deal not found.")
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
	remove(buyer, added[0]).refused(404, "not_found", "Picture not found.")
	remove(stranger, added[0]).refused(404, "not_found", "Deal not found.")
	remove(seller, "x").refused(404, "not_found", "Not found.")
	var done api.Message
	remove(seller, added[0]).want(200).into(&done)
	require.Equal(t, "Picture removed", done.Message)
	remove(seller, added[0]).refused(404, "not_found", "Picture not found.")
	seller.shows(deal)
	seller.post(act("deliver", deal), fields{"pictures": added[1:]}).want(200)
	remove(seller, added[1]).refused(404, "not_found", "Picture not found.")
}

// A repeated upload adds no second picture, also if the answer was lost and it was the eighth.
func TestDealPictures_repeated(t *testing.T) {
	t.Parallel()
	f, _, buyer, seller := newFixtureWithUsers(t)
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
	f.loseResponses()
	seller.post(pictures(deal), image, key...).want(201).into(&again)
	require.Equal(t, first, again)
	seller.post(pictures(deal), fields{"image": pictureURL(t, color.Black, 10, 10)}, key...).
		refused(409, "idempotency_mismatch", "This Idempotency-Key was used for another request.")
	seller.do(http.MethodDelete, pictures(deal)+"/"+first.Picture.ID.String(), nil).want(200)
	f.loseResponses()
	seller.post(pictures(deal), image, key...).refused(404, "not_found", "Picture not found.")
}

func TestDealPictures_rate_limit(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.PictureLimit = ratelimit.Rate{Count: 1, Per: time.Hour} })
	f.work()
	boss, buyer, seller := f.admin("boss"), f.member("buyer"), f.member("seller")
	boss.setRate(120)
	buyer.fund(boss, 100)
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
