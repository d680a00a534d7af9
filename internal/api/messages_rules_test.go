package api_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

func TestPostMessage_invalid(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim, karim := f.member("rahim"), f.member("karim")
	id := rahim.opens(karim, nil).Conversation.ID
	for _, test := range []struct {
		body           fields
		field, message string
	}{
		{fields{}, "text", "Text or Image is needed"},
		{fields{"conversationId": id}, "text", "Text or Image is needed"},
		{fields{"conversationId": id, "text": " \n "}, "text", "Text or Image is needed"},
		{fields{"text": "Hello"}, "conversationId", "No valid conversation or receiver."},
		{fields{"conversationId": id, "text": strings.Repeat("ক", 4001)}, "text", "The message must be at most 4,000 characters."},
		{fields{"conversationId": id, "text": 5}, "text", "text must be a text."},
	} {
		require.Contains(t, rahim.post("/messages", test.body).refused(400, "invalid", test.message).Fields, test.field)
	}
	rahim.says(id, strings.Repeat("ক", 4000))
	rahim.post("/messages/mark-as-read", fields{}).refused(400, "invalid", "No valid conversation or receiver.")

	const start = "/messages/send-or-start"
	rahim.post(start, fields{"text": "Hello"}).refused(400, "invalid", "No valid conversation or receiver.")
	rahim.post(start, fields{"receiverId": rahim.user.ID, "text": "Hello"}).refused(400, "invalid", "You cannot message yourself.")
	for _, unknown := range []any{"x", "undefined", uuid.NewString(), uuid.Nil} {
		rahim.post(start, fields{"receiverId": unknown, "text": "Hello"}).refused(404, "not_found", "User not found")
	}
	rahim.post(start, fields{"receiverId": karim.user.ID, "text": strings.Repeat("x", 4001)}).
		refused(400, "invalid", "The message must be at most 4,000 characters.")
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
	start := fields{"receiverId": karim.user.ID, "text": "Hello"}
	first := rahim.post("/messages/send-or-start", start, key...).want(201)
	require.JSONEq(t, string(first.body), string(rahim.post("/messages/send-or-start", start, key...).want(201).body))
	var opened started
	first.into(&opened)
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
	require.Equal(t, []string{"Hello", "Twice?"}, karim.reads(id, "").texts())
	rahim.post("/messages", fields{"conversationId": id, "text": "Other"}, "Idempotency-Key", "another").
		refused(409, "idempotency_mismatch", "This Idempotency-Key was used for another request.")
	// A crash may lose the stored response, but not the message.
	f.loseResponses()
	var again started
	rahim.post("/messages/send-or-start", start, key...).want(201).into(&again)
	require.Equal(t, opened.Message, again.Message)
	var repeated sent
	rahim.post("/messages", body, "Idempotency-Key", "another").want(201).into(&repeated)
	require.Equal(t, ids[0], repeated.Message.ID)
	require.Len(t, karim.reads(id, "").Messages, 2)
}
