package api_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg"
	"image/png"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/app/images"
	"amanat/internal/devtools/localstack"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/ratelimit"
	"amanat/internal/testing/s3test"
	"amanat/queue/jobs"
)

// pictureURL returns an image of one color as a data URL.
func pictureURL(tb testing.TB, c color.Color, width, height int) string {
	tb.Helper()
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			img.Set(x, y, c)
		}
	}
	var file bytes.Buffer
	require.NoError(tb, png.Encode(&file, img))
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(file.Bytes())
}

// saveImage stores an image as the domain packages do and returns its path below /api.
func (f *fixture) saveImage(owner uuid.UUID, conversation *uuid.UUID, url string) string {
	f.t.Helper()
	service := images.New(images.Options{DB: f.owner, Clock: f.clock})
	picture, err := service.Read(f.t.Context(), owner, url)
	require.NoError(f.t, err)
	var id uuid.UUID
	require.NoError(f.t, postgres.WithTx(f.t.Context(), f.owner, func(tx *postgres.Tx) error {
		id, err = service.Save(f.t.Context(), tx, picture, owner, conversation)
		return err
	}))
	return belowAPI(images.URL(id))
}

func belowAPI(url string) string { return strings.TrimPrefix(url, "/api") }

func (r reply) width() int {
	r.t.Helper()
	config, _, err := image.DecodeConfig(bytes.NewReader(r.body))
	require.NoError(r.t, err)
	return config.Width
}

func TestGetImage(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	owner := f.member("rahim")
	address := f.saveImage(owner.user.ID, nil, pictureURL(t, color.White, 700, 350))
	visitor := f.visitor()
	whole := visitor.get(address).want(200)
	require.Equal(t, 700, whole.width())
	require.Equal(t, "image/jpeg", whole.header.Get("Content-Type"))
	require.Equal(t, "public, max-age=31536000, immutable", whole.header.Get("Cache-Control"))
	require.Equal(t, "sandbox; default-src 'none'", whole.header.Get("Content-Security-Policy"))
	require.Equal(t, "nosniff", whole.header.Get("X-Content-Type-Options"))
	small := visitor.get(address + "?w=200").want(200)
	require.Equal(t, 320, small.width())
	require.Equal(t, 700, visitor.get(address+"?w=9999999999").want(200).width())

	require.NotEqual(t, whole.header.Get("ETag"), small.header.Get("ETag"))
	again := visitor.do(http.MethodGet, address+"?w=200", nil, "If-None-Match", small.header.Get("ETag")).want(304)
	require.Empty(t, again.body)
	require.Equal(t, small.header.Get("ETag"), again.header.Get("ETag"))
	visitor.do(http.MethodGet, address, nil, "If-None-Match", small.header.Get("ETag")).want(200)

	visitor.get(address+"?w=wide").refused(400, "invalid", "w must be a whole number from 1.")
	for _, unknown := range []string{"/images/" + uuid.NewString(), "/images/x", address + "x"} {
		missing := visitor.get(unknown)
		missing.refused(404, "not_found", "Not found.")
		require.Equal(t, "no-store", missing.header.Get("Cache-Control"))
	}
}

func TestGetImage_conversation_parties_only(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim, karim, stranger, boss := f.member("rahim"), f.member("karim"), f.member("stranger"), f.admin("boss")
	opened := rahim.opens(karim, fields{"image": pictureURL(t, color.White, 20, 20)})
	address := belowAPI(opened.Message.Image)
	for _, b := range []*browser{rahim, karim, boss} {
		shown := b.get(address).want(200)
		require.Equal(t, "private, no-cache", shown.header.Get("Cache-Control"))
		again := b.do(http.MethodGet, address, nil, "If-None-Match", shown.header.Get("ETag")).want(304)
		require.Empty(t, again.body)
		require.Equal(t, "private, no-cache", again.header.Get("Cache-Control"))
	}
	tag := rahim.get(address).want(200).header.Get("ETag")
	for _, b := range []*browser{stranger, f.visitor()} {
		b.get(address).refused(404, "not_found", "Not found.")
		b.do(http.MethodGet, address, nil, "If-None-Match", tag).refused(404, "not_found", "Not found.")
	}

	// Another user signs in with the same browser, whose cache holds the image.
	out := rahim.post("/auth/logout", nil).want(200)
	require.Equal(t, `"cache"`, out.header.Get("Clear-Site-Data"))
	rahim.post("/auth/login", fields{"username": "stranger", "password": password}).want(200)
	rahim.do(http.MethodGet, address, nil, "If-None-Match", tag).refused(404, "not_found", "Not found.")
}

// newFixtureWithS3 is a fixture whose pictures are in an object storage.
func newFixtureWithS3(t *testing.T) (*fixture, *s3test.Server) {
	t.Helper()
	server := s3test.Start(t)
	return newFixture(t, func(c *config.API) { c.Bucket = config.Bucket{Options: server.Options} }), server
}

// portrait gives the user a picture and returns its path below /api.
func (b *browser) portrait(c color.Color) string {
	b.t.Helper()
	var user api.User
	b.do(http.MethodPut, "/auth/update-profile", fields{"profilePic": pictureURL(b.t, c, 700, 350)}).want(200).into(&user)
	return belowAPI(user.ProfilePic)
}

// Clients see no difference between pictures in the database and in an object storage.
func TestGetImage_s3(t *testing.T) {
	t.Parallel()
	f, server := newFixtureWithS3(t)
	rahim, karim := f.member("rahim"), f.member("karim")
	address := rahim.portrait(color.White)
	require.Len(t, server.Files(), 4)
	visitor := f.visitor()
	whole := visitor.get(address).want(200)
	require.Equal(t, 700, whole.width())
	require.Equal(t, "public, max-age=31536000, immutable", whole.header.Get("Cache-Control"))
	require.Equal(t, 320, visitor.get(address+"?w=200").want(200).width())
	visitor.do(http.MethodGet, address, nil, "If-None-Match", whole.header.Get("ETag")).want(304)
	end := visitor.do(http.MethodGet, address, nil, "Range", "bytes=-9").want(206)
	require.Equal(t, whole.body[len(whole.body)-9:], end.body)
	opened := rahim.opens(karim, fields{"image": pictureURL(t, color.Black, 20, 20)})
	visitor.get(belowAPI(opened.Message.Image)).refused(404, "not_found", "Not found.")
	karim.get(belowAPI(opened.Message.Image)).want(200)

	server.Stop()
	const text = "Pictures cannot be saved or shown at the moment. Nothing was changed; please try again in a few minutes."
	missing := visitor.get(address)
	missing.refused(503, "unavailable", text)
	require.Equal(t, "no-store", missing.header.Get("Cache-Control"))
	rahim.do(http.MethodPut, "/auth/update-profile", fields{"profilePic": pictureURL(t, color.Black, 9, 9)}).refused(503, "unavailable", text)
	visitor.do(http.MethodGet, address, nil, "If-None-Match", whole.header.Get("ETag")).want(304)
	require.Equal(t, address, belowAPI(rahim.me().ProfilePic))
	server.Run()
	require.Equal(t, whole.body, visitor.get(address).want(200).body)
}

// A file that the storage has changed does not arrive as a whole, and the log has why.
func TestGetImage_s3_changed(t *testing.T) {
	t.Parallel()
	f, server := newFixtureWithS3(t)
	address := f.member("rahim").portrait(color.White)
	for _, path := range server.Files() {
		stored, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, bytes.Repeat([]byte("x"), len(stored)), 0o600))
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, f.url+"/api"+address, http.NoBody)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(r)
	if err == nil { // the headers have arrived
		_, err = io.ReadAll(response.Body)
		_ = response.Body.Close()
	}
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	var lines []map[string]string
	require.Eventually(t, func() bool { lines = failures(t, f.log.String()); return len(lines) > 0 }, 10*time.Second, 10*time.Millisecond)
	require.Equal(t, "/api/images/{id}", lines[0]["route"])
	require.Equal(t, "ERROR", lines[0]["level"])
	require.Contains(t, lines[0]["error"], "another file than was stored")
}

// The archive has the pictures from the object storage, and of a closed account none is left there.
func TestDataExport_s3(t *testing.T) {
	t.Parallel()
	f, server := newFixtureWithS3(t)
	mails, err := localstack.StartMail(context.WithoutCancel(t.Context()), f.clock.Now)
	require.NoError(t, err)
	t.Cleanup(func() { _ = mails.Stop() })
	f.smtpURL = mails.URL()
	f.work(jobs.QueueMail, jobs.QueueData, jobs.QueueMaintenance)
	leaver, other := f.member("leaver"), f.member("other")
	kept := other.portrait(color.Black)
	others := server.Files()
	file := f.visitor().get(leaver.portrait(color.White)).want(200).body
	require.Len(t, server.Files(), 8)
	leaver.post("/auth/data-export", nil).want(http.StatusAccepted)
	archive := unzipped(t, leaver.get(exportFile(f.awaitExport(leaver, "ready"))).want(200).body)
	names := []string{}
	for name, content := range archive {
		if content == string(file) {
			names = append(names, name)
		}
	}
	require.Len(t, names, 1)
	require.Regexp(t, `^pictures/.*\.jpg$`, names[0])

	leaver.leaves().want(200)
	f.awaitErased(leaver)
	f.clock.Advance(25 * time.Hour)
	f.runs(jobs.Cleanup)
	require.Equal(t, others, server.Files())
	f.visitor().get(kept).want(200)
}

func TestPictureLimit_per_user(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.Limits.PictureLimit = ratelimit.Rate{Count: 4, Per: time.Hour} })
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
		rahim.post("/posts/pictures", fields{"image": picture}),
		rahim.put(path(post), body),
		rahim.put("/auth/update-profile", fields{"profilePic": pictureURL(t, color.Black, 20, 20)}),
		rahim.post("/messages/send-or-start", fields{"receiverId": karim.user.ID, "image": picture}),
		rahim.post("/messages", message, another...),
	} {
		refused.refused(429, "rate_limited", "Too many attempts. Please try again later.")
		refused.retryAfter(15 * time.Minute)
	}
	require.Equal(t, 6, strings.Count(f.log.String(), `"event":"limit reached"`))

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
