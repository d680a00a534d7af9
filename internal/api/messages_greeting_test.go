package api_test

import (
	"net/http"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/money"
)

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
