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
	"amanat/internal/platform/config"
	"amanat/internal/platform/ratelimit"
)

func TestPicturesAreLimitedByPerson(t *testing.T) {
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

	// Words are free, and so is what stays as it is; others are not concerned.
	rahim.says(id, "Like this?")
	rahim.put(path(post), offer(fields{"image": post.Image, "title": "A better logo"})).want(200)
	rahim.put("/auth/update-profile", fields{"profilePic": ""}).want(200)
	karim.post("/messages", message).want(201)
	f.clock.Advance(15 * time.Minute)
	rahim.post("/messages", message, another...).want(201)
}

// large is the head of a request whose body is as large as one may be.
const large = "Content-Length: 7340032\r\n"

// parcel is a request of which not all has been sent.
type parcel struct {
	b    *browser
	conn net.Conn
}

// sends begins a request of b with some bytes of its body.
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

// answer waits for the status that the request is answered with.
func (p parcel) answer() int {
	p.b.t.Helper()
	require.NoError(p.b.t, p.conn.SetReadDeadline(time.Now().Add(30*time.Second)))
	response, err := http.ReadResponse(bufio.NewReader(p.conn), nil)
	require.NoError(p.b.t, err)
	_ = response.Body.Close()
	return response.StatusCode
}

// announces begins a request whose body is as large as one may be, waits until that is being read, and sends one byte of it.
func (b *browser) announces(method, path string) {
	b.t.Helper()
	p := b.sends(method, path, large+"Expect: 100-continue\r\n", 0)
	require.Equal(b.t, http.StatusContinue, p.answer())
	_, err := p.conn.Write([]byte(" "))
	require.NoError(b.t, err)
}

// Whoever announces much and sends nothing takes no room from the others.
func TestAnnouncedUploadsTakeNoRoom(t *testing.T) {
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
	f.member("later").post("/posts", offer(fields{"image": strings.Repeat("x", 5<<20)})).refused(400, "invalid", "Please select an image file!")
	require.Less(t, time.Since(started), 10*time.Second)
}

// However many send pictures at once, the process holds sixteen of the largest; whoever only writes does not notice.
func TestThereIsRoomForSoManyUploads(t *testing.T) {
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
	require.Eventually(t, func() bool { // when all that was sent has been read
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

	last.leave() // and there is room, for which the next waits
	late.post("/posts", offer(fields{"image": picture})).refused(400, "invalid", "Please select an image file!")
}

// A body that trickles is cut off: it would hold its room for as long as its sender likes.
func TestASlowUploadIsCutOff(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	started := time.Now()
	require.Equal(t, http.StatusRequestTimeout, f.member("slow").sends("POST", "/posts", large, 40_000).answer())
	require.Greater(t, time.Since(started), 6*time.Second, "five seconds, and two more for what has come")
	require.Less(t, time.Since(started), 25*time.Second, "far from a minute")
}
