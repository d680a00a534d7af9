package systemtest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/devtools/bench/listener"
)

// chatter is somebody who is signed in, has a socket open and writes to one other person.
type chatter struct {
	id           uuid.UUID
	session      string
	conversation uuid.UUID
	socket       *listener.Listener
}

// gathering is many people who chat in pairs.
type gathering struct {
	*system
	people []*chatter
	client *http.Client
	sent   atomic.Int64 // messages that were acknowledged
	failed atomic.Int64 // requests that had to be made again
	stop   context.CancelFunc
	group  sync.WaitGroup
}

const (
	chatPause  = 4 * time.Second // between two messages of a pair
	chatPosts  = 64              // connections for posting
	resumeWait = time.Minute
)

// gather makes people in pairs, with rows as the api leaves them, and opens their sockets. Whatever was said before counts as heard.
func gather(s *system, pairs int) *gathering {
	s.t.Helper()
	return gatherWith(s, "person", pairs, s.next, nil)
}

// gatherWith is gather for people of a name of their own, who connect to the site, with something that gets their frames.
func gatherWith(s *system, name string, pairs int, site func() string, heard func(frame []byte)) *gathering {
	s.t.Helper()
	g := &gathering{system: s, client: &http.Client{
		Timeout: answerWait, Transport: &http.Transport{MaxIdleConnsPerHost: chatPosts, MaxConnsPerHost: chatPosts},
	}}
	ids, hashes := make([]uuid.UUID, 2*pairs), make([][]byte, 2*pairs)
	conversations := make([]uuid.UUID, pairs)
	for i := range ids {
		c := &chatter{id: uuid.Must(uuid.NewV7())}
		if i%2 == 0 {
			conversations[i/2] = uuid.Must(uuid.NewV7())
		}
		c.conversation = conversations[i/2]
		c.session = base64.RawURLEncoding.EncodeToString(c.id[:])
		hash := sha256.Sum256([]byte(c.session))
		ids[i], hashes[i] = c.id, hash[:]
		g.people = append(g.people, c)
	}
	for _, sql := range []string{
		`insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
		 select id, @name || n, @name || n || '@example.com', '', @name || n, now(), now()
		   from unnest(@ids::uuid[]) with ordinality as u (id, n)`,
		`insert into sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at, password_confirmed_at)
		 select id, id, hash, now(), now(), now() + interval '1 day', now() from unnest(@ids::uuid[], @hashes::bytea[]) as s (id, hash)`,
		`insert into conversations (id, user_a, user_b, started_by, created_at, updated_at)
		 select c.id, least(a, b), greatest(a, b), a, now(), now()
		   from unnest(@conversations::uuid[]) with ordinality as c (id, n),
		        lateral (select (@ids::uuid[])[2 * n - 1] as a, (@ids::uuid[])[2 * n] as b) people`,
	} {
		_, err := s.db.Owner().Exec(s.t.Context(), sql, pgx.NamedArgs{"name": name, "ids": ids, "hashes": hashes, "conversations": conversations})
		require.NoError(s.t, err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(s.t.Context()))
	g.stop = stop
	s.t.Cleanup(func() {
		stop()
		g.group.Wait()
		g.client.CloseIdleConnections()
	})
	for _, c := range g.people {
		c.socket = listener.Open(ctx, listener.Options{Site: site, Origin: publicOrigin, Session: c.session, Heard: heard})
	}
	g.awaitConnected()
	return g
}

func (g *gathering) awaitConnected() {
	g.t.Helper()
	await(g.t, resumeWait, "all connected", func() bool {
		for _, c := range g.people {
			if !c.socket.Connected() {
				return false
			}
		}
		return true
	})
}

// chat lets every pair write now and then, until ctx ends; whatever is not answered is asked again, under its key.
func (g *gathering) chat(ctx context.Context) {
	for i := 0; i < len(g.people); i += 2 {
		g.group.Go(func() {
			wait := time.Duration(i) * chatPause / time.Duration(len(g.people))
			for n := i; ; n++ {
				select {
				case <-ctx.Done():
					return
				case <-time.After(wait):
				}
				wait = chatPause
				g.write(ctx, g.people[i+n%2])
			}
		})
	}
}

// write sends one message. Once begun it is insisted on, also when ctx ends.
func (g *gathering) write(ctx context.Context, c *chatter) {
	body, key := fmt.Sprintf(`{"conversationId": %q, "text": "Is it still for sale?"}`, c.conversation), uuid.NewString()
	deadline := time.Now().Add(insistFor)
	for time.Now().Before(deadline) {
		status, err := g.post(context.WithoutCancel(ctx), c, body, key)
		if err == nil && status == http.StatusCreated {
			g.sent.Add(1)
			return
		}
		g.failed.Add(1)
		if err == nil && status < http.StatusInternalServerError {
			g.t.Errorf("message refused: %d", status)
			return
		}
		<-time.After(retryPause)
	}
	g.t.Error("a message was never taken")
}

func (g *gathering) post(ctx context.Context, c *chatter, body, key string) (int, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, g.next()+"/api/messages", bytes.NewReader([]byte(body)))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Cookie", "amanat="+c.session)
	r.Header.Set("Idempotency-Key", key)
	response, err := g.client.Do(r)
	if err != nil {
		return 0, err
	}
	defer func() { _ = response.Body.Close() }()
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode, err
}

// heads returns where everybody's log ends now.
func (g *gathering) heads() map[uuid.UUID]int64 {
	g.t.Helper()
	rows, err := g.db.Owner().Query(g.t.Context(), `select user_id, seq from user_seq`)
	require.NoError(g.t, err)
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[struct {
		UserID uuid.UUID
		Seq    int64
	}])
	require.NoError(g.t, err)
	heads := map[uuid.UUID]int64{}
	for _, head := range found {
		heads[head.UserID] = head.Seq
	}
	return heads
}

// awaitHeard waits until everybody has heard what is in the logs now, and returns how long that took.
func (g *gathering) awaitHeard(within time.Duration) time.Duration {
	g.t.Helper()
	started, heads := time.Now(), g.heads()
	await(g.t, within, "all heard", func() bool {
		for _, c := range g.people {
			if c.socket.Position() < heads[c.id] {
				return false
			}
		}
		return true
	})
	return time.Since(started)
}

// awaitSaid waits until so many more messages have been taken.
func (g *gathering) awaitSaid(more int64) {
	g.t.Helper()
	until := g.sent.Load() + more
	await(g.t, resumeWait, "said", func() bool { return g.sent.Load() >= until })
}

// requireNothingLost ends the gathering and wants everybody to have heard everything once, in order. It returns how the sockets fared.
func (g *gathering) requireNothingLost() listener.Report {
	g.t.Helper()
	g.awaitHeard(resumeWait)
	heads := g.heads()
	require.EqualValues(g.t, g.sent.Load(), g.count(`select count(*) from messages`), "messages are written once")
	total := listener.Report{Closed: map[int]int{}, Refused: map[int]int{}}
	for _, c := range g.people {
		r := c.socket.Close()
		require.Equal(g.t, heads[c.id], c.socket.Position())
		total.Connects, total.Gaps, total.Doubles = total.Connects+r.Connects, total.Gaps+r.Gaps, total.Doubles+r.Doubles
		total.Unrecovered += r.Unrecovered
		for code, n := range r.Closed {
			total.Closed[code] += n
		}
		for status, n := range r.Refused {
			total.Refused[status] += n
		}
	}
	encoded, err := json.Marshal(total)
	require.NoError(g.t, err)
	g.t.Logf("%d people, %d messages, %d requests made again; sockets: %s", len(g.people), g.sent.Load(), g.failed.Load(), encoded)
	require.Zero(g.t, total.Gaps, "lost")
	require.Zero(g.t, total.Doubles, "doubled")
	require.Zero(g.t, total.Unrecovered)
	return total
}

// pairs is how many pairs of people the tests of faults gather.
func pairs() int {
	if testing.Short() {
		return 50
	}
	return 500
}
