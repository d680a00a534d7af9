package system

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
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/postgres"
	"amanat/internal/testing/soak"
	"amanat/tools/system/listener"
)

// chatUser is a user with a session and an open socket, who chats with one other user.
type chatUser struct {
	id           uuid.UUID
	session      string
	conversation uuid.UUID
	socket       *listener.Listener
}

// chatLoad is users who chat in pairs.
type chatLoad struct {
	*system
	users  []*chatUser
	client *http.Client
	sent   atomic.Int64 // acknowledged messages
	failed atomic.Int64 // requests that were retried
	stop   context.CancelFunc
	group  sync.WaitGroup
}

const (
	publicOrigin = "http://localhost:8080" // the default of PUBLIC_URL

	chatPause  = 4 * time.Second // between two messages of a pair
	chatPosts  = 64              // connections for posting
	resumeWait = time.Minute
)

// newChatLoad inserts pairs of users and opens their sockets. Events before that are skipped.
func newChatLoad(s *system, pairs int) *chatLoad {
	s.t.Helper()
	return newChatLoadAt(s, "person", pairs, s.next, nil)
}

// newChatLoadAt is newChatLoad with a prefix of the usernames, the site to connect to, and a
// function that receives all frames.
func newChatLoadAt(s *system, name string, pairs int, site func() string, heard func(frame []byte)) *chatLoad {
	s.t.Helper()
	g := &chatLoad{system: s, client: &http.Client{
		Timeout: answerWait, Transport: &http.Transport{MaxIdleConnsPerHost: chatPosts, MaxConnsPerHost: chatPosts},
	}}
	ids, hashes := make([]uuid.UUID, 2*pairs), make([][]byte, 2*pairs)
	conversations := make([]uuid.UUID, pairs)
	for i := range ids {
		c := &chatUser{id: uuid.Must(uuid.NewV7())}
		if i%2 == 0 {
			conversations[i/2] = uuid.Must(uuid.NewV7())
		}
		c.conversation = conversations[i/2]
		c.session = base64.RawURLEncoding.EncodeToString(c.id[:])
		hash := sha256.Sum256([]byte(c.session))
		ids[i], hashes[i] = c.id, hash[:]
		g.users = append(g.users, c)
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
		_, err := s.db.Owner().Exec(s.t.Context(), sql, postgres.Args{"name": name, "ids": ids, "hashes": hashes, "conversations": conversations})
		require.NoError(s.t, err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(s.t.Context()))
	g.stop = stop
	s.t.Cleanup(func() {
		stop()
		g.group.Wait()
		g.client.CloseIdleConnections()
	})
	for _, c := range g.users {
		c.socket = listener.Open(ctx, listener.Options{Site: site, Origin: publicOrigin, Session: c.session, Heard: heard})
	}
	g.awaitConnected()
	return g
}

func (g *chatLoad) awaitConnected() {
	g.t.Helper()
	await(g.t, resumeWait, "all connected", func() bool {
		for _, c := range g.users {
			if !c.socket.Connected() {
				return false
			}
		}
		return true
	})
}

// chat makes every pair send a message every chatPause until ctx ends. Failed requests are retried
// with the same idempotency key.
func (g *chatLoad) chat(ctx context.Context) {
	for i := 0; i < len(g.users); i += 2 {
		g.group.Go(func() {
			wait := time.Duration(i) * chatPause / time.Duration(len(g.users))
			for n := i; ; n++ {
				select {
				case <-ctx.Done():
					return
				case <-time.After(wait):
				}
				wait = chatPause
				g.send(ctx, g.users[i+n%2])
			}
		})
	}
}

// send sends one message. It retries until the message is taken, even if ctx ends meanwhile.
func (g *chatLoad) send(ctx context.Context, c *chatUser) {
	body, key := fmt.Sprintf(`{"conversationId": %q, "text": "Is it still for sale?"}`, c.conversation), uuid.NewString()
	deadline := time.Now().Add(retryFor)
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

func (g *chatLoad) post(ctx context.Context, c *chatUser, body, key string) (int, error) {
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

// heads returns the last sequence number of each user's log.
func (g *chatLoad) heads() map[uuid.UUID]int64 {
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

// awaitDelivered waits until all users have received the events now in their logs, and returns how
// long that took.
func (g *chatLoad) awaitDelivered(within time.Duration) time.Duration {
	g.t.Helper()
	started, heads := time.Now(), g.heads()
	await(g.t, within, "all heard", func() bool {
		for _, c := range g.users {
			if c.socket.Position() < heads[c.id] {
				return false
			}
		}
		return true
	})
	return time.Since(started)
}

// awaitSent waits until more further messages have been acknowledged.
func (g *chatLoad) awaitSent(more int64) {
	g.t.Helper()
	until := g.sent.Load() + more
	await(g.t, resumeWait, "said", func() bool { return g.sent.Load() >= until })
}

// requireNothingLost closes the sockets and requires that every user received every event once and
// in order. It returns the sum of the sockets' reports.
func (g *chatLoad) requireNothingLost() listener.Report {
	g.t.Helper()
	g.awaitDelivered(resumeWait)
	heads := g.heads()
	require.EqualValues(g.t, g.sent.Load(), g.count(`select count(*) from messages`), "messages are written once")
	total := listener.Report{Closed: map[int]int{}, Refused: map[int]int{}}
	for _, c := range g.users {
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
	g.t.Logf("%d people, %d messages, %d requests made again; sockets: %s", len(g.users), g.sent.Load(), g.failed.Load(), encoded)
	require.Zero(g.t, total.Gaps, "lost")
	require.Zero(g.t, total.Doubles, "doubled")
	require.Zero(g.t, total.Unrecovered)
	return total
}

// pairs is the number of pairs in tests that inject failures.
var pairs = soak.Rounds(10, 500)
