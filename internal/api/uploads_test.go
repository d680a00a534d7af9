package api_test

import (
	"bufio"
	"fmt"
	"image/color"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/config"
	"amanat/internal/limit"
)

func TestPicturesAreLimitedByPerson(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(c *config.API) { c.PictureLimit = limit.Rate{Count: 4, Per: time.Hour} })
	rahim, karim := s.member("rahim"), s.member("karim")
	picture := pictureURL(t, color.White, 20, 20)
	key, another := []string{"Idempotency-Key", "one-click"}, []string{"Idempotency-Key", "another"}
	body := offer(fields{"image": picture})
	var post api.Post
	rahim.post("/posts", body, key...).want(201).into(&post)
	rahim.post("/posts", body, key...).want(201) // the same post
	rahim.put("/auth/update-profile", fields{"profilePic": picture}).want(200)
	id := rahim.opens(karim, fields{"image": picture}).Conversation.ID
	rahim.post("/messages", fields{"conversationId": id, "image": picture}).want(201)

	message := fields{"conversationId": id, "text": "Like this?", "image": picture}
	for _, refused := range []reply{
		rahim.post("/posts", body),
		rahim.put(path(post), body),
		rahim.put("/auth/update-profile", fields{"profilePic": pictureURL(t, color.Black, 20, 20)}),
		rahim.post("/messages/send-or-start", fields{"receiverId": karim.user.ID, "image": picture}),
		rahim.post("/messages", message, another...),
	} {
		refused.refused(429, "rate_limited", "Too many attempts. Please try again later.")
		refused.retryAfter(15 * time.Minute)
	}
	require.Equal(t, 5, strings.Count(s.log.String(), `"event":"limit reached"`))

	// Words are free, and so is what stays as it is; others are not concerned.
	rahim.says(id, "Like this?")
	rahim.put(path(post), offer(fields{"image": post.Image, "title": "A better logo"})).want(200)
	rahim.put("/auth/update-profile", fields{"profilePic": ""}).want(200)
	karim.post("/messages", message).want(201)
	s.clock.Advance(15 * time.Minute)
	rahim.post("/messages", message, another...).want(201)
}

// large is the head of a request whose body is as large as one may be, and which asks whether to send it.
const large = "Content-Length: 7340032\r\nExpect: 100-continue\r\n"

// asks sends the head of a request of b and returns the status that answers it: 100 when the body may come. leave ends the connection.
func (b *browser) asks(method, path, more string) (status int, leave func()) {
	b.t.Helper()
	conn, err := (&net.Dialer{}).DialContext(b.t.Context(), "tcp", strings.TrimPrefix(b.site.url, "http://"))
	require.NoError(b.t, err)
	leave = func() { _ = conn.Close() }
	b.t.Cleanup(leave)
	_, err = fmt.Fprintf(conn, "%s /api%s HTTP/1.1\r\nHost: localhost\r\nCookie: amanat=%s\r\n%s\r\n", method, path, b.cookie("amanat"), more)
	require.NoError(b.t, err)
	require.NoError(b.t, conn.SetReadDeadline(time.Now().Add(20*time.Second)))
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(b.t, err)
	return response.StatusCode, leave
}

// However many send pictures at once, the process holds sixteen of the largest; whoever only writes does not notice.
func TestThereIsRoomForSoManyUploads(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.member("first").opens(s.member("second"), fields{"text": "Hello"}).Conversation.ID
	calls := [][2]string{{"POST", "/posts"}, {"PUT", "/auth/update-profile"}, {"POST", "/messages"}, {"POST", "/messages/send-or-start"}}
	leave, people := func() {}, [4]*browser{}
	for i := range people {
		people[i] = s.member(fmt.Sprintf("crowd%d", i))
		for _, call := range calls {
			var status int
			status, leave = people[i].asks(call[0], call[1], large)
			require.Equal(t, http.StatusContinue, status, "%d %s", i, call)
		}
		status, _ := people[i].asks("PUT", "/posts/"+id.String(), large)
		require.Equal(t, 429, status, "four of one person")
	}

	late := s.member("late")
	picture := strings.Repeat("x", 65<<10)
	busy := late.post("/posts", offer(fields{"image": picture}))
	busy.refused(503, "unavailable", "The service is busy. Please try again in a moment.")
	require.Equal(t, "2", busy.header.Get("Retry-After"))
	status, _ := late.asks("POST", "/messages", "Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n")
	require.Equal(t, 503, status, "a body that does not say how large it is")
	for _, b := range []*browser{late, people[0]} {
		var opened started
		r := b.post("/messages/send-or-start", fields{"receiverId": s.member("friend" + b.user.Username).user.ID, "text": strings.Repeat("ক", 4000)})
		r.want(201).into(&opened)
		b.says(opened.Conversation.ID, "Words do not wait for pictures.")
	}

	leave() // and there is room, for which the next waits
	late.post("/posts", offer(fields{"image": picture})).refused(400, "invalid", "Please select an image file!")
}
