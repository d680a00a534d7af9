package realtime_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/realtime"
)

// Sockets with different cursors join while events are written: each receives the events after its
// cursor, without gaps or duplicates.
func TestJoin_during_events(t *testing.T) {
	t.Parallel()
	const users, writers, each, pages = 4, 4, 60, 15
	f := newFixture(t, users)
	n := f.healthyProcess(func(o *realtime.Options) { o.Limits.Sockets = pages })
	var writing, reading sync.WaitGroup
	for i := range users * writers {
		writing.Go(func() { f.appendEvents(f.log, f.users[i%users], each) })
	}
	type opened struct {
		*client
		since int64
	}
	list := make(chan opened, users*pages)
	for _, user := range f.users {
		reading.Go(func() {
			for range pages / 3 { // three concurrent sockets per round
				head := f.head(user)
				for range 3 {
					since := rand.Int64N(head + 1)
					c, err := n.dial(user, "&since="+strconv.FormatInt(since, 10))
					if err != nil {
						t.Errorf("dial: %v", err)
						return
					}
					go c.listen()
					list <- opened{c, since}
				}
			}
		})
	}
	reading.Wait()
	writing.Wait()
	close(list)
	joinedAmid := 0
	for c := range list {
		hello := c.hello()
		first := c.since + 1
		if hello.Seq < writers*each {
			joinedAmid++
		}
		require.True(t, hello.Recovered)
		c.requireSeqs(first, writers*each)
	}
	require.Positive(t, joinedAmid, "no socket joined while events were written")
}

func TestJoin_resumes(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 2)
	n := f.healthyProcess()
	user, other := f.users[0], f.users[1]
	c := n.connect(user, "")
	require.Equal(t, realtime.Hello{Recovered: true}, c.hello(), "the log is empty")
	f.appendEvents(f.log, user, 3)
	f.appendEvents(f.log, other, 1)
	c.requireSeqs(1, 3)
	require.NoError(t, c.conn.Close())
	f.appendEvents(f.log, user, 2)

	fresh := n.connect(user, "")
	require.Equal(t, realtime.Hello{Recovered: true, Seq: 5}, fresh.hello(), "a new client gets the head of the log")
	again := n.connect(user, "3")
	require.Equal(t, realtime.Hello{Recovered: true, Seq: 5}, again.hello())
	again.requireSeqs(4, 5)
	current := n.connect(user, "5")
	require.Equal(t, realtime.Hello{Recovered: true, Seq: 5}, current.hello())
	f.appendEvents(f.log, user, 1)
	for _, c := range []*client{fresh, again, current} {
		c.requireSeqs(6, 6)
	}
}

func TestJoin_cannot_replay(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 1)
	n := f.healthyProcess()
	user := f.users[0]
	f.appendEvents(f.unpublished, user, 301)
	whole := n.connect(user, "1")
	require.Equal(t, realtime.Hello{Recovered: true, Seq: 301}, whole.hello())
	whole.requireSeqs(2, 301)

	lost := []*client{n.connect(user, "0"), n.connect(user, "302")}
	_, err := f.db.Owner().Exec(t.Context(), `delete from user_events where seq <= 200`)
	require.NoError(t, err)
	lost = append(lost, n.connect(user, "199"))
	for _, c := range lost {
		require.Equal(t, realtime.Hello{Recovered: false, Seq: 301}, c.hello())
	}
	reaching := n.connect(user, "200")
	require.Equal(t, realtime.Hello{Recovered: true, Seq: 301}, reaching.hello())
	reaching.requireSeqs(201, 301)
	f.appendEvents(f.log, user, 1)
	for _, c := range append(lost, whole, reaching) {
		c.requireSeqs(302, 302)
	}
}

// Messages have at most 4,000 characters. A client that reads them as they arrive is not closed for
// being too slow.
func TestHub_long_messages(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 1)
	n := f.healthyProcess()
	user, long := f.users[0], map[string]string{"text": strings.Repeat("ক", 4000)}
	f.appendPayload(f.unpublished, user, 150, long)
	back := n.connect(user, "0")
	require.Equal(t, realtime.Hello{Recovered: false, Seq: 150}, back.hello(), "too large to replay")
	short := n.connect(user, "110")
	require.Equal(t, realtime.Hello{Recovered: true, Seq: 150}, short.hello())
	short.requireSeqs(111, 150)

	f.appendPayload(f.unpublished, user, 150, long) // lost by Redis
	for _, c := range []*client{back, short} {
		c.requireSeqs(151, 300)
	}
	f.appendEvents(f.log, user, 1)
	for _, c := range []*client{back, short} {
		c.requireSeqs(301, 301)
	}
}

// Frames without a seq are sent as they arrive, do not move the cursor and reach only their
// receiver.
func TestHub_frames_without_seq(t *testing.T) {
	t.Parallel()
	f := newFixture(t, 2)
	n, elsewhere := f.healthyProcess(), f.healthyProcess()
	user, other := f.users[0], f.users[1]
	first, second := n.connect(user, ""), elsewhere.connect(user, "")
	boss, stranger := n.connect(other, "", "&admin"), elsewhere.connect(other, "")
	for _, c := range []*client{first, second, boss, stranger} {
		c.hello()
	}
	publisher := realtime.NewRedis(f.client(f.redis.URL), discardLogger())
	f.background(publisher.Run)
	publisher.Publish("rt:u:"+user.String(), realtime.Frame{Version: 1, ID: uuid.New(), Type: realtime.TypeTyping, Data: []byte(`{}`)})
	for _, c := range []*client{first, second} {
		require.Equal(t, realtime.TypeTyping, c.next().Type)
	}
	n.hub.Send(user, realtime.TypeOnlineUsers, []uuid.UUID{other})
	sent := first.next()
	require.Equal(t, realtime.TypeOnlineUsers, sent.Type)
	require.JSONEq(t, fmt.Sprintf(`[%q]`, other), string(sent.Data))
	publisher.Publish("rt:admins", realtime.Frame{Version: 1, ID: uuid.New(), Type: realtime.TypeQueueChanged, Data: []byte(`{}`)})
	require.Equal(t, realtime.TypeQueueChanged, boss.next().Type)
	require.NoError(t, n.hub.Recheck(t.Context())) // f.sessions returns no admins
	publisher.Publish("rt:admins", realtime.Frame{Version: 1, ID: uuid.New(), Type: realtime.TypeQueueChanged, Data: []byte(`{}`)})
	f.appendEvents(f.log, user, 1)
	first.requireSeqs(1, 1)
	second.requireSeqs(1, 1)
	f.appendEvents(f.log, other, 1)
	boss.requireSeqs(1, 1)
	stranger.requireSeqs(1, 1)
	require.ElementsMatch(t, []uuid.UUID{user, other}, n.hub.Users())
}
