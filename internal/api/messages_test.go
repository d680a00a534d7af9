package api_test

import (
	"fmt"
	"image/color"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/chat"
	"amanat/internal/money"
)

func TestConversation(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim, karim, stranger := f.member("rahim"), f.member("karim"), f.member("stranger")

	opened := rahim.opens(karim, nil)
	require.True(t, opened.Created)
	require.Nil(t, opened.Message, "about nothing: no greeting")
	id := opened.Conversation.ID
	require.Empty(t, opened.Conversation.LastMessage)
	require.Nil(t, opened.Conversation.LastSenderID)
	require.Equal(t, []uuid.UUID{}, opened.Conversation.LastMessageReadBy)
	list, total := rahim.inbox("")
	require.Len(t, list, 1)
	require.Equal(t, "1", total)
	list, total = karim.inbox("")
	require.Equal(t, []chat.Conversation{}, list, "nobody is told that somebody looked at him")
	require.Equal(t, "0", total)
	require.False(t, karim.opens(rahim, nil).Created, "one conversation a pair")
	require.Equal(t, id, karim.opens(rahim, nil).Conversation.ID)

	first := rahim.says(id, "  Is it still there? ")
	require.Equal(t, chat.DirectMessage{
		ID: first.Message.ID, ConversationID: id, SenderID: rahim.user.ID, SenderName: "rahim", ReceiverID: karim.user.ID,
		Text: "Is it still there?", ReadBy: []uuid.UUID{rahim.user.ID}, CreatedAt: first.Message.CreatedAt,
	}, first.Message)
	require.False(t, first.Conversation.Unread, "not for who wrote it")
	require.False(t, rahim.hasUnread())
	require.True(t, karim.hasUnread())
	list, _ = karim.inbox("")
	require.Len(t, list, 1)
	seen := list[0]
	require.True(t, seen.Unread)
	require.True(t, seen.Writable)
	require.Equal(t, "Is it still there?", seen.LastMessage)
	require.False(t, seen.LastMessageIsImage)
	require.Equal(t, rahim.user.ID, *seen.LastSenderID)
	require.Equal(t, []uuid.UUID{rahim.user.ID}, seen.LastMessageReadBy)
	require.Equal(t, first.Message.CreatedAt, seen.UpdatedAt)
	names := []string{seen.Participants[0].Username, seen.Participants[1].Username}
	require.ElementsMatch(t, []string{"rahim", "karim"}, names)

	read := karim.marksRead(id)
	require.False(t, read.Unread)
	require.ElementsMatch(t, []uuid.UUID{rahim.user.ID, karim.user.ID}, read.LastMessageReadBy)
	require.False(t, karim.hasUnread())
	karim.says(id, "Yes.")
	h := rahim.reads(id, "")
	require.Equal(t, []string{"Is it still there?", "Yes."}, h.texts())
	require.Nil(t, h.NextBefore)
	require.True(t, h.Messages[0].IsRead)
	require.ElementsMatch(t, []uuid.UUID{rahim.user.ID, karim.user.ID}, h.Messages[0].ReadBy)
	require.False(t, h.Messages[1].IsRead)
	require.Equal(t, "karim", h.Messages[1].SenderName)
	require.Equal(t, h, karim.reads(id, ""), "the same for both")

	var alone chat.Conversation
	rahim.get("/messages/conversations/" + id.String()).want(200).into(&alone)
	require.True(t, alone.Unread)
	for _, call := range []struct {
		method, path string
		body         any
	}{
		{http.MethodGet, "/messages/" + id.String(), nil},
		{http.MethodGet, "/messages/" + id.String() + "?limit=x", nil},
		{http.MethodGet, "/messages/conversations/" + id.String(), nil},
		{http.MethodPost, "/messages", fields{"conversationId": id}},
		{http.MethodPost, "/messages", fields{"conversationId": "x", "text": "?"}},
		{http.MethodPost, "/messages/mark-as-read", fields{"conversationId": id}},
	} {
		stranger.do(call.method, call.path, call.body).refused(404, "not_found", "Conversation not found.")
	}
	require.False(t, stranger.hasUnread())
}

func TestMessageEvents(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim, karim := f.member("rahim"), f.member("karim")
	long := strings.Repeat("অ", 150)
	written := rahim.opens(karim, fields{"text": long})
	require.Equal(t, long, written.Message.Text)

	for _, side := range []*browser{rahim, karim} {
		var event chat.NewMessage
		require.Equal(t, 1, side.lastEvent("newMessage", &event))
		require.Equal(t, *written.Message, event.Message)
		require.Equal(t, side == karim, event.Conversation.Unread, "as each sees it")
		require.Equal(t, written.Conversation.ID, event.Conversation.ID)
	}
	require.Empty(t, rahim.popUps(), "the pop-up is for the receiver")
	require.Len(t, karim.popUps(), 1)
	popup := karim.popUps()[0]
	require.Equal(t, rahim.user.ID, popup.SenderID)
	require.Equal(t, "rahim", popup.Sender.Username)
	require.Equal(t, written.Conversation.ID, popup.ConversationID)
	require.Equal(t, strings.Repeat("অ", 99)+"…", popup.Text)
	require.Equal(t, popup.Text, written.Conversation.LastMessage)

	karim.marksRead(written.Conversation.ID)
	karim.marksRead(written.Conversation.ID)
	for _, side := range []*browser{rahim, karim} {
		var event chat.MessageRead
		require.Equal(t, 1, side.lastEvent("messageRead", &event), "once: the second time is no news")
		require.Equal(t, chat.MessageRead{
			ConversationID: written.Conversation.ID, ReaderID: karim.user.ID, UpTo: written.Message.ID,
		}, event)
	}
	require.Empty(t, karim.events("newDepositNotification"), "messages have a dot of their own")
}

// Only the sender gets the key of the request back: in the answer, the event and the list.
func TestPostMessage_client_key(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss, rahim, karim := f.admin("boss"), f.member("rahim"), f.member("karim")
	id := rahim.opens(karim, fields{"text": "Hello"}).Conversation.ID
	post := func(key string) sent {
		var answer sent
		body := fields{"conversationId": id, "text": "ok"}
		rahim.post("/messages", body, "Idempotency-Key", key).want(201).into(&answer)
		return answer
	}
	require.Equal(t, "first", post("first").Message.ClientKey)
	require.Equal(t, "second", post("second").Message.ClientKey)
	require.Equal(t, "first", post("first").Message.ClientKey, "also when it is repeated")
	keysOf := func(seen history) (keys []string) {
		for _, m := range seen.Messages {
			keys = append(keys, m.ClientKey)
		}
		return keys
	}
	var inspected history
	boss.get("/admin/messages/by-users/" + rahim.user.ID.String() + "/" + karim.user.ID.String()).want(200).into(&inspected)
	require.Equal(t, []string{"", "first", "second"}, keysOf(rahim.reads(id, "")))
	require.Equal(t, []string{"", "", ""}, keysOf(karim.reads(id, "")))
	require.Equal(t, []string{"", "", ""}, keysOf(inspected))
	for side, key := range map[*browser]string{rahim: "second", karim: ""} {
		var event chat.NewMessage
		side.lastEvent("newMessage", &event)
		require.Equal(t, key, event.Message.ClientKey)
	}
}

func TestMessages_paging(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim, karim := f.member("rahim"), f.member("karim")
	id := rahim.opens(karim, nil).Conversation.ID
	require.JSONEq(t, `{"messages": [], "nextBefore": null}`, string(rahim.get("/messages/"+id.String()).want(200).body))
	var all []string
	for i := range 35 {
		all = append(all, fmt.Sprintf("message %d", i))
		[]*browser{rahim, karim}[i%2].says(id, all[i])
	}
	page := karim.reads(id, "")
	require.Equal(t, all[5:], page.texts(), "30, the newest, oldest first")
	page = karim.reads(id, "?before="+page.NextBefore.String())
	require.Equal(t, all[:5], page.texts())
	require.Nil(t, page.NextBefore)
	var seen []string
	for query := "?limit=7"; query != ""; {
		page = karim.reads(id, query)
		seen = append(page.texts(), seen...)
		query = ""
		if page.NextBefore != nil {
			query = "?limit=7&before=" + page.NextBefore.String()
		}
	}
	require.Equal(t, all, seen, "each once")
	require.Len(t, karim.reads(id, "?limit=100000").Messages, 35)

	other := karim.opens(f.member("third"), fields{"text": "Hello"})
	for _, before := range []string{"x", uuid.NewString(), other.Message.ID.String()} {
		failure := karim.get("/messages/"+id.String()+"?before="+before).
			refused(400, "invalid", "before must be the id of a message of this conversation.")
		require.Contains(t, failure.Fields, "before")
	}
	karim.get("/messages/"+id.String()+"?limit=0").refused(400, "invalid", "limit must be a whole number from 1.")
}

func TestConversations_paging(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	me := f.member("rahim")
	var newest []uuid.UUID
	for i := range 5 {
		other := f.member(fmt.Sprintf("friend%d", i))
		var id uuid.UUID
		if i%2 == 0 { // cover both orders of the pair
			id = other.opens(me, fields{"text": "Hello"}).Conversation.ID
		} else {
			id = me.opens(other, fields{"text": "Hello"}).Conversation.ID
		}
		newest = append([]uuid.UUID{id}, newest...)
	}
	ids := func(query string) []uuid.UUID {
		list, total := me.inbox(query)
		require.Equal(t, "5", total)
		ids := []uuid.UUID{}
		for _, c := range list {
			ids = append(ids, c.ID)
		}
		return ids
	}
	require.Equal(t, newest, ids(""))
	require.Equal(t, newest[2:4], ids("?page=2&limit=2"))
	require.Equal(t, []uuid.UUID{}, ids("?page=9"))
	me.says(newest[4], "Once more")
	require.Equal(t, slices.Concat(newest[4:], newest[:4]), ids(""), "what was written last is first")
	me.get("/messages/conversations?page=0").refused(400, "invalid", "page must be a whole number from 1.")
}

func TestPostMessage_image(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim, karim := f.member("rahim"), f.member("karim")
	picture := pictureURL(t, color.White, 40, 20)
	opened := rahim.opens(karim, fields{"image": picture})
	id := opened.Conversation.ID
	require.Empty(t, opened.Message.Text)
	require.Equal(t, 40, karim.get(belowAPI(opened.Message.Image)).want(200).width())
	list, _ := karim.inbox("")
	require.Equal(t, "Image", list[0].LastMessage)
	require.True(t, list[0].LastMessageIsImage)
	popup := karim.popUps()[0]
	require.Equal(t, "Image", popup.Text)
	require.True(t, popup.IsImage)

	var both sent
	karim.post("/messages", fields{"conversationId": id, "text": "Like this?", "image": picture}).want(201).into(&both)
	require.Equal(t, "Like this?", both.Conversation.LastMessage, "a text says more than the mark")
	require.False(t, both.Conversation.LastMessageIsImage)
	require.Equal(t, both.Message.Image, rahim.reads(id, "").Messages[1].Image)

	for _, wrong := range []string{"holiday.png", "data:text/html;base64,PGI+", opened.Message.Image} {
		rahim.post("/messages", fields{"conversationId": id, "text": "See:", "image": wrong}).
			refused(400, "invalid", "Please select an image file!")
	}
	rahim.post("/messages", fields{"conversationId": id, "text": strings.Repeat("x", 8<<20)}).want(413)
	rahim.post("/messages", fields{"conversationId": uuid.New(), "image": "x"}).refused(404, "not_found", "Conversation not found.")
	require.Len(t, rahim.reads(id, "").Messages, 2)
}

func TestSendOrStart_from_deal(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	buyer, seller, stranger := f.member("buyer"), f.member("seller"), f.member("stranger")
	deal := buyer.propose(seller, 480)
	const greeting = "Hi seller! I am writing about our deal of $480.00."

	opened := buyer.opens(seller, fields{"dealId": deal.ID})
	require.True(t, opened.Created)
	require.Equal(t, greeting, opened.Message.Text)
	require.Equal(t, buyer.user.ID, opened.Message.SenderID)
	require.Equal(t, greeting, opened.Conversation.LastMessage)
	require.True(t, seller.hasUnread())
	for _, again := range []started{buyer.opens(seller, fields{"dealId": deal.ID}), seller.opens(buyer, fields{"dealId": deal.ID})} {
		require.False(t, again.Created)
		require.Nil(t, again.Message)
	}
	require.Equal(t, []string{greeting}, seller.reads(opened.Conversation.ID, "").texts(), "once for ever")

	for _, dealID := range []any{"x", uuid.NewString(), deal.ID} {
		stranger.post("/messages/send-or-start", fields{"receiverId": seller.user.ID, "dealId": dealID}).
			refused(404, "not_found", "Deal not found.")
	}
	list, _ := stranger.inbox("")
	require.Empty(t, list)
}

func TestSendOrStart_from_post(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	buyer, seller := f.member("buyer"), f.member("seller")
	post := seller.publish(fields{"title": "Channel with {amount} subscribers"})
	opened := buyer.opens(seller, fields{"postId": post.ID})
	require.Equal(t, "Hi seller! I am interested in “Channel with {amount} subscribers”.", opened.Message.Text)
	require.Nil(t, buyer.opens(seller, fields{"postId": post.ID}).Message, "once for ever")
	require.Len(t, seller.reads(opened.Conversation.ID, "").Messages, 1)

	third := f.member("third")
	for _, postID := range []any{"x", uuid.NewString(), third.publish(nil).ID} {
		buyer.post("/messages/send-or-start", fields{"receiverId": seller.user.ID, "postId": postID}).
			refused(404, "not_found", "Post not found")
	}
}

func TestSendOrStart_greeting_language(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	buyer, seller := f.member("buyer"), f.member("seller")
	_, err := f.owner.Exec(t.Context(), "update users set language = 'bn' where id = $1", buyer.user.ID)
	require.NoError(t, err)
	deal := buyer.propose(seller, 480)
	opened := buyer.opens(seller, fields{"dealId": deal.ID, "text": "দাম কমবে?"})
	require.Equal(t, "দাম কমবে?", opened.Message.Text, "the own words are what the call has written")
	require.Equal(t, []string{"হ্যালো seller! আমাদের $৪৮০.০০-এর ডিলটি নিয়ে লিখছি।", "দাম কমবে?"},
		seller.reads(opened.Conversation.ID, "").texts(), "after the greeting")
	require.Len(t, seller.events("newMessage"), 2)
}

// Concurrent calls from both sides create one conversation with one greeting.
func TestSendOrStart_concurrent(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for round := range 5 {
		suffix := string(rune('a' + round))
		buyer, seller := f.member("buyer"+suffix), f.member("seller"+suffix)
		deal := buyer.propose(seller, 10)
		replies := make([]started, 8)
		var group sync.WaitGroup
		for i := range replies {
			from, to := buyer, seller
			if i%2 == 1 {
				from, to = seller, buyer
			}
			group.Go(func() { replies[i] = from.opens(to, fields{"dealId": deal.ID}) })
		}
		group.Wait()
		created := 0
		for _, r := range replies {
			require.Equal(t, replies[0].Conversation.ID, r.Conversation.ID)
			if r.Created {
				created++
				require.NotNil(t, r.Message)
			} else {
				require.Nil(t, r.Message)
			}
		}
		require.Equal(t, 1, created)
		require.Len(t, buyer.reads(replies[0].Conversation.ID, "").Messages, 1)
		require.Len(t, buyer.events("newMessage"), 1)
	}
}

// Concurrent messages get consecutive sequence numbers, and both users see the same order.
func TestPostMessage_concurrent(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim, karim := f.member("rahim"), f.member("karim")
	id := rahim.opens(karim, nil).Conversation.ID
	const each = 20
	var group sync.WaitGroup
	for range each {
		group.Go(func() { rahim.says(id, "from rahim") })
		group.Go(func() { karim.says(id, "from karim") })
		group.Go(func() { karim.marksRead(id) })
	}
	group.Wait()
	h := rahim.reads(id, "?limit=100")
	require.Len(t, h.Messages, 2*each)
	require.Nil(t, h.NextBefore)
	require.Len(t, karim.popUps(), each)
	events := karim.events("newMessage", "messageRead")
	require.Equal(t, int64(len(events)), events[len(events)-1].Seq, "no gap")
	require.False(t, rahim.marksRead(id).Unread)
	require.False(t, rahim.hasUnread())
}

// A conversation is about the post that it was last opened from, for both, as long as the post is
// shown.
func TestSendOrStart_about_post(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	buyer, seller := f.member("buyer"), f.member("seller")
	first := seller.publish(fields{"title": "First channel", "price": 480})
	second := seller.publish(fields{"title": "Second channel", "price": 50.5})

	opened := buyer.opens(seller, fields{"text": "Hello"})
	id := opened.Conversation.ID
	require.Nil(t, opened.Conversation.Post, "about nothing yet")
	require.Equal(t, first.ID, buyer.opens(seller, fields{"postId": first.ID}).Conversation.Post.ID)
	opened = buyer.opens(seller, fields{"postId": second.ID, "text": "And this one?"})
	about := opened.Conversation.Post
	require.Equal(t, second.ID, about.ID)
	require.Equal(t, "Second channel", about.Title)
	require.Equal(t, money.Cents(50_50), about.Price)
	require.Equal(t, seller.user.ID, about.SellerID)
	require.Equal(t, about, seller.conversation(id).Post)
	require.Equal(t, about, buyer.opens(seller, nil).Conversation.Post, "opened from elsewhere")
	list, _ := seller.inbox("")
	require.Equal(t, about, list[0].Post)

	boss := f.admin("boss")
	buyer.reportsOne("post", second.ID.String()).want(201)
	decision := boss.openCase().ID
	boss.rules(decision, fields{"action": "hide", "reason": "A scam"}).want(200)
	require.Nil(t, buyer.conversation(id).Post, "hidden")
	buyer.opens(seller, fields{"postId": first.ID})
	seller.do(http.MethodDelete, path(first), nil).want(200)
	require.Nil(t, buyer.conversation(id).Post, "deleted")
	require.Equal(t, "And this one?", buyer.conversation(id).LastMessage)
}

// Whoever may not write does not change what a conversation is about.
func TestSendOrStart_about_post_blocked(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	buyer, seller := f.member("buyer"), f.member("seller")
	first, second := seller.publish(nil), seller.publish(nil)
	id := buyer.opens(seller, fields{"postId": first.ID}).Conversation.ID
	seller.blocks(buyer).want(200)
	require.Equal(t, first.ID, buyer.opens(seller, fields{"postId": second.ID}).Conversation.Post.ID)
	require.Equal(t, first.ID, seller.conversation(id).Post.ID)
}

func TestPostMessage_invalid(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim, karim := f.member("rahim"), f.member("karim")
	id := rahim.opens(karim, nil).Conversation.ID
	for _, test := range []struct {
		body           fields
		field, message string
	}{
		{fields{"conversationId": id, "text": strings.Repeat("ক", 4001)}, "text", "The message must be at most 4,000 characters."},
		{fields{"conversationId": id, "text": 5}, "text", "text must be a text."},
	} {
		require.Contains(t, rahim.post("/messages", test.body).refused(400, "invalid", test.message).Fields, test.field)
	}
	rahim.says(id, strings.Repeat("ক", 4000))
	rahim.post("/messages/mark-as-read", fields{}).refused(400, "invalid", "No valid conversation or receiver.")

	for _, unknown := range []any{"x", "undefined", uuid.NewString(), uuid.Nil} {
		rahim.post("/messages/send-or-start", fields{"receiverId": unknown, "text": "Hello"}).refused(404, "not_found", "User not found")
	}
	require.Len(t, rahim.reads(id, "").Messages, 1, "what was refused left nothing")
}

func TestPostMessage_disabled_receiver(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim, karim, third := f.member("rahim"), f.member("karim"), f.member("third")
	id := rahim.opens(karim, fields{"text": "Hello"}).Conversation.ID
	_, err := f.accounts.Disable(t.Context(), "karim")
	require.NoError(t, err)
	const text = "This account is disabled. You can read your messages but not send new ones."
	rahim.post("/messages", fields{"conversationId": id, "text": "Are you there?"}).refused(409, "conflict", text)
	rahim.post("/messages/send-or-start", fields{"receiverId": karim.user.ID, "text": "Hello?"}).refused(409, "conflict", text)
	third.post("/messages/send-or-start", fields{"receiverId": karim.user.ID}).refused(409, "conflict", text)
	require.Equal(t, []string{"Hello"}, rahim.reads(id, "").texts())
	require.False(t, rahim.opens(karim, nil).Conversation.Writable, "what was said can still be opened")
	list, _ := third.inbox("")
	require.Empty(t, list)
}

func TestPostMessage_idempotency_key(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim, karim := f.member("rahim"), f.member("karim")
	key := []string{"Idempotency-Key", "one-click"}
	post := karim.publish(nil)
	start := fields{"receiverId": karim.user.ID, "text": "Hello", "postId": post.ID}
	var opened started
	rahim.post("/messages/send-or-start", start, key...).want(201).into(&opened)
	id := opened.Conversation.ID

	const clicks = 8
	body := fields{"conversationId": id, "text": "Twice?"}
	ids := make([]uuid.UUID, clicks)
	var group sync.WaitGroup
	for i := range clicks {
		group.Go(func() {
			var answer sent
			rahim.post("/messages", body, "Idempotency-Key", "another").want(201).into(&answer)
			ids[i] = answer.Message.ID
		})
	}
	group.Wait()
	require.Len(t, slices.Compact(ids), 1)
	require.Equal(t, []string{"Hello", "Twice?"}, karim.reads(id, "").texts()[1:])
	rahim.post("/messages", fields{"conversationId": id, "text": "Other"}, "Idempotency-Key", "another").
		refused(409, "idempotency_mismatch", "This Idempotency-Key was used for another request.")
	karim.do(http.MethodDelete, path(post), nil).want(200) // no request could name it any more
	var again started
	rahim.post("/messages/send-or-start", start, key...).want(201).into(&again)
	require.Equal(t, opened.Message, again.Message)
	require.False(t, again.Created, "it was not made now")
	var repeated sent
	rahim.post("/messages", body, "Idempotency-Key", "another").want(201).into(&repeated)
	require.Equal(t, ids[0], repeated.Message.ID)
	require.Len(t, karim.reads(id, "").Messages, 3)
}
