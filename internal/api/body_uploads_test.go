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
	"amanat/internal/app/config"
	"amanat/internal/lib/ratelimit"
)

func TestPictureLimit_per_user(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.PictureLimit = ratelimit.Rate{Count: 4, Per: time.Hour} })
	rahim, karim := f.member("rahim"), f.member("karim")
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
	require.Equal(t, 5, strings.Count(f.log.String(), `"event":"limit reached"`))

	// Text and unchanged pictures do not count towards the limit, and other users are unaffected.
	rahim.says(id, "Like this?")
	rahim.put(path(post), offer(fields{"image": post.Image, "title": "A better logo"})).want(200)
	rahim.put("/auth/update-profile", fields{"profilePic": ""}).want(200)
	karim.post("/messages", message).want(201)
	f.clock.Advance(15 * time.Minute)
	rahim.post("/messages", message, another...).want(201)
}

// large is the header of a request whose body has the largest allowed size.
const large = "Content-Length: 7340032\r\n"

// parcel is a partly sent request.
type parcel struct {
	b    *browser
	conn net.Conn
}

// sends starts a request of b and sends the given number of bytes of its body.
func (b *browser) sends(method, path, more string, bytes int) parcel {
	b.t.Helper()
	conn, err := (&net.Dialer{}).DialContext(b.t.Context(), "tcp", strings.TrimPrefix(b.fixture.url, "http://"))
	require.NoError(b.t, err)
	p := parcel{b, conn}
	b.t.Cleanup(p.leave)
	_, err = fmt.Fprintf(conn, "%s /api%s HTTP/1.1\r\nHost: localhost\r\nCookie: amanat=%s\r\n%s\r\n%s",
		method, path, b.cookie("amanat"), more, strings.Repeat(" ", bytes))
	require.NoError(b.t, err)
	return p
}

func (p parcel) leave() { _ = p.conn.Close() }

// answer waits for the response and returns its status.
func (p parcel) answer() int {
	p.b.t.Helper()
	require.NoError(p.b.t, p.conn.SetReadDeadline(time.Now().Add(30*time.Second)))
	response, err := http.ReadResponse(bufio.NewReader(p.conn), nil)
	require.NoError(p.b.t, err)
	_ = response.Body.Close()
	return response.StatusCode
}

// announces starts a request whose body has the largest allowed size, waits until the server reads
// the body, and sends one byte of it.
func (b *browser) announces(method, path string) {
	b.t.Helper()
	p := b.sends(method, path, large+"Expect: 100-continue\r\n", 0)
	require.Equal(b.t, http.StatusContinue, p.answer())
	_, err := p.conn.Write([]byte(" "))
	require.NoError(b.t, err)
}

// A user who announces large bodies and sends none of them takes no room from other users.
func TestUploads_unsent_bodies_take_no_room(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for i := range 4 {
		b := f.member(fmt.Sprintf("crowd%d", i))
		f.trust(b)
		for range 4 {
			b.announces("POST", "/posts")
		}
		require.Equal(t, 429, b.sends("POST", "/messages", large, 1).answer(), "four of one person")
	}
	fresh := f.member("fresh")
	fresh.announces("POST", "/posts")
	require.Equal(t, 429, fresh.sends("POST", "/posts", large, 1).answer(), "one of who is new")
	require.Contains(t, f.log.String(), `"event":"limit reached"`)

	started := time.Now()
	f.member("late").publish(fields{"image": pictureURL(t, color.White, 600, 600), "description": strings.Repeat("ক", 5000)})
	f.member("later").post("/posts", offer(fields{"image": strings.Repeat("x", 5<<20)})).
		refused(400, "invalid", "Please select an image file!")
	require.Less(t, time.Since(started), 10*time.Second)
}

// The process holds at most sixteen bodies of the largest size, however many users send pictures at
// once. Requests without pictures are not delayed.
func TestUploads_busy_when_full(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.member("first").opens(f.member("second"), fields{"text": "Hello"}).Conversation.ID
	calls := [][2]string{{"POST", "/posts"}, {"PUT", "/auth/update-profile"}, {"POST", "/messages"}, {"PUT", "/posts/" + id.String()}}
	var last parcel
	for i := range 4 {
		b := f.member(fmt.Sprintf("crowd%d", i))
		f.trust(b)
		for _, call := range calls {
			last = b.sends(call[0], call[1], large, 7<<20-1)
		}
	}
	late := f.member("late")
	picture := strings.Repeat("x", 65<<10)
	var busy reply
	require.Eventually(t, func() bool { // once all that was sent has been read
		busy = late.post("/posts", offer(fields{"image": picture}))
		return busy.status == http.StatusServiceUnavailable
	}, 20*time.Second, 10*time.Millisecond)
	busy.refused(503, "unavailable", "The service is busy. Please try again in a moment.")
	require.Equal(t, "2", busy.header.Get("Retry-After"))
	require.Equal(t, 503, late.sends("POST", "/messages", "Transfer-Encoding: chunked\r\n\r\n20000\r\n", 128<<10).answer(),
		"a body that does not say how large it is")
	var opened started
	r := late.post("/messages/send-or-start", fields{"receiverId": f.member("friend").user.ID, "text": strings.Repeat("ক", 4000)})
	r.want(201).into(&opened)
	late.says(opened.Conversation.ID, "Words do not wait for pictures.")

	last.leave() // frees the room that the next request waits for
	late.post("/posts", offer(fields{"image": picture})).refused(400, "invalid", "Please select an image file!")
}

// A body that arrives too slowly is cut off: otherwise its sender could hold the room indefinitely.
func TestUploads_slow_body_times_out(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	started := time.Now()
	require.Equal(t, http.StatusRequestTimeout, f.member("slow").sends("POST", "/posts", large, 40_000).answer())
	require.Greater(t, time.Since(started), 6*time.Second, "five seconds, and two more for what has come")
	require.Less(t, time.Since(started), 25*time.Second, "far from a minute")
}
