package realtime_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/redisclient"
	"amanat/internal/realtime"
	"amanat/internal/testing/dbtest"
)

// presenceFixture is a set of nodes that share a Redis, and the conversation partners of users.
type presenceFixture struct {
	t                 *testing.T
	redis             *dbtest.RedisServer
	dropAnnouncements atomic.Bool // announcements are lost

	mu       sync.Mutex
	nodes    []*node
	partners map[uuid.UUID][]uuid.UUID
}

// node is a Presence with sockets that record the lists sent to them.
type node struct {
	*realtime.Presence
	fixture *presenceFixture
	stop    func()
	receive func(payload []byte)

	mu        sync.Mutex
	connected map[uuid.UUID]bool
	sent      map[uuid.UUID][][]uuid.UUID
	refreshes int
	sentAt    map[uuid.UUID]int // value of refreshes at the last list
}

func newPresenceFixture(t *testing.T) *presenceFixture {
	t.Helper()
	return &presenceFixture{t: t, redis: dbtest.Redis(t), partners: map[uuid.UUID][]uuid.UUID{}}
}

func (f *presenceFixture) addPartners(a, b uuid.UUID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.partners[a], f.partners[b] = append(f.partners[a], b), append(f.partners[b], a)
}

func (f *presenceFixture) partnersOf(_ context.Context, users []uuid.UUID) (map[uuid.UUID][]uuid.UUID, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	found := map[uuid.UUID][]uuid.UUID{}
	for _, u := range users {
		found[u] = slices.Clone(f.partners[u])
	}
	return found, nil
}

func (f *presenceFixture) publish(_ string, payload any) {
	if f.dropAnnouncements.Load() {
		return
	}
	encoded, err := json.Marshal(payload)
	if err != nil {
		f.t.Error(err)
	}
	f.mu.Lock()
	nodes := slices.Clone(f.nodes)
	f.mu.Unlock()
	for _, n := range nodes {
		n.receive(encoded)
	}
}

func (f *presenceFixture) node(name string) *node {
	f.t.Helper()
	client, err := redisclient.New(f.redis.URL, "")
	require.NoError(f.t, err)
	f.t.Cleanup(func() { _ = client.Close() })
	n := &node{fixture: f, connected: map[uuid.UUID]bool{}, sent: map[uuid.UUID][][]uuid.UUID{}, sentAt: map[uuid.UUID]int{}}
	n.Presence = realtime.NewPresence(realtime.PresenceOptions{
		Node: name, Client: client, Publish: f.publish, Channels: n, Partners: f.partnersOf, Logger: slog.New(slog.DiscardHandler),
	})
	n.SpeedUp()
	f.mu.Lock()
	f.nodes = append(f.nodes, n)
	f.mu.Unlock()
	ctx, cancel := context.WithCancel(context.WithoutCancel(f.t.Context()))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		n.Run(ctx, n)
	}()
	n.stop = func() { cancel(); <-ended }
	f.t.Cleanup(n.stop)
	return n
}

func (n *node) Handle(_ string, f func(payload []byte)) { n.receive = f }

func (n *node) Healthy() bool { return true }

// Users is called once per refresh.
func (n *node) Users() []uuid.UUID {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.refreshes++
	var users []uuid.UUID
	for u := range n.connected {
		users = append(users, u)
	}
	return users
}

func (n *node) Send(userID uuid.UUID, frameType string, data any) {
	list, ok := data.([]uuid.UUID)
	if frameType != "getOnlineUsers" || !ok {
		n.fixture.t.Errorf("%s %v", frameType, data)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.sent[userID], n.sentAt[userID] = append(n.sent[userID], list), n.refreshes
}

func (n *node) connect(userID uuid.UUID) {
	n.mu.Lock()
	n.connected[userID] = true
	n.mu.Unlock()
	n.Joined(realtime.Identity{UserID: userID})
}

func (n *node) disconnect(userID uuid.UUID) {
	n.mu.Lock()
	delete(n.connected, userID)
	n.mu.Unlock()
	n.Left(userID)
}

func (n *node) lists(userID uuid.UUID) [][]uuid.UUID {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.sent[userID])
}

// waitForList waits until the last list sent to the user is want; nil means unknown.
func (n *node) waitForList(userID uuid.UUID, want []uuid.UUID) {
	n.fixture.t.Helper()
	require.Eventually(n.fixture.t, func() bool {
		lists := n.lists(userID)
		if len(lists) == 0 {
			return false
		}
		last := lists[len(lists)-1]
		return (last == nil) == (want == nil) && slices.Equal(last, want)
	}, 20*time.Second, 5*time.Millisecond, "%v", n.lists(userID))
}

func TestPresence(t *testing.T) {
	t.Parallel()
	f := newPresenceFixture(t)
	east, west := f.node("east"), f.node("west")
	nusrat, rakib, stranger := uuid.New(), uuid.New(), uuid.New()
	f.addPartners(nusrat, rakib)
	east.connect(nusrat)
	east.connect(stranger)
	east.waitForList(nusrat, []uuid.UUID{})
	west.connect(rakib)
	west.waitForList(rakib, []uuid.UUID{nusrat})
	east.waitForList(nusrat, []uuid.UUID{rakib})

	// A reload does not show the user as offline, and a new socket gets the list immediately.
	before := len(east.lists(nusrat))
	west.disconnect(rakib)
	west.connect(rakib)
	require.Eventually(t, func() bool { return len(west.lists(rakib)) == 2 }, 20*time.Second, 5*time.Millisecond)
	west.Socket(rakib)
	require.Eventually(t, func() bool { return len(west.lists(rakib)) == 3 }, 20*time.Second, 5*time.Millisecond)
	require.Len(t, east.lists(nusrat), before)

	// A user on two nodes is online until they have left both.
	east.connect(rakib)
	east.waitForList(rakib, []uuid.UUID{nusrat})
	west.disconnect(rakib)
	east.disconnect(rakib)
	east.waitForList(nusrat, []uuid.UUID{})

	// New partners see each other.
	f.addPartners(nusrat, stranger)
	west.PartnersChanged(nusrat, stranger)
	east.waitForList(nusrat, []uuid.UUID{stranger})
	for _, list := range east.lists(stranger)[:1] {
		require.Empty(t, list, "the first list is empty")
	}
	east.waitForList(stranger, []uuid.UUID{nusrat})
}

func TestPresence_redis_down(t *testing.T) {
	t.Parallel()
	f := newPresenceFixture(t)
	east, west := f.node("east"), f.node("west")
	nusrat, rakib, sadia := uuid.New(), uuid.New(), uuid.New()
	f.addPartners(nusrat, rakib)
	f.addPartners(nusrat, sadia)
	east.connect(nusrat)
	west.connect(rakib)
	east.waitForList(nusrat, []uuid.UUID{rakib})
	f.redis.Stop()
	east.waitForList(nusrat, nil)
	west.waitForList(rakib, nil)
	west.disconnect(rakib)
	west.connect(sadia)
	west.waitForList(sadia, nil)
	f.redis.Start()
	west.waitForList(sadia, []uuid.UUID{nusrat})
	east.waitForList(nusrat, []uuid.UUID{sadia})
}

func TestPresence_dead_node(t *testing.T) {
	t.Parallel()
	f := newPresenceFixture(t)
	east, west := f.node("east"), f.node("west")
	nusrat, rakib := uuid.New(), uuid.New()
	f.addPartners(nusrat, rakib)
	east.connect(nusrat)
	west.connect(rakib)
	east.waitForList(nusrat, []uuid.UUID{rakib})
	west.stop() // without an announcement
	east.waitForList(nusrat, []uuid.UUID{})
}

// Within nine refreshes (three minutes) the list of every user is updated, whatever was lost.
func TestPresence_lost_announcements(t *testing.T) {
	t.Parallel()
	f := newPresenceFixture(t)
	east, west := f.node("east"), f.node("west")
	rakib, users := uuid.New(), make([]uuid.UUID, 100)
	for i := range users {
		users[i] = uuid.New()
		f.addPartners(users[i], rakib)
		east.connect(users[i])
	}
	waitForLists := func(want []uuid.UUID) {
		t.Helper()
		for _, nusrat := range users {
			east.waitForList(nusrat, want)
		}
	}
	west.connect(rakib)
	waitForLists([]uuid.UUID{rakib})
	f.dropAnnouncements.Store(true)
	west.disconnect(rakib)
	waitForLists([]uuid.UUID{})
	west.connect(rakib)
	waitForLists([]uuid.UUID{rakib})
	east.mu.Lock()
	defer east.mu.Unlock()
	at := slices.Collect(maps.Values(east.sentAt))
	require.Less(t, slices.Max(at)-slices.Min(at), 9)
}

// Whoever has a page open on any living node is online. Without Redis, or without a node that has
// announced itself, it is unknown who is.
func TestOnline(t *testing.T) {
	t.Parallel()
	f := newPresenceFixture(t)
	client, err := redisclient.New(f.redis.URL, "")
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })
	worker := realtime.NewRedis(client, slog.New(slog.DiscardHandler))
	nusrat, rakib, sadia := uuid.New(), uuid.New(), uuid.New()
	everybody := []uuid.UUID{nusrat, rakib, sadia}
	_, err = worker.Online(t.Context(), everybody)
	require.Error(t, err, "nothing is known yet")

	east, west := f.node("east"), f.node("west")
	online := func(want ...uuid.UUID) {
		t.Helper()
		require.Eventually(t, func() bool {
			found, err := worker.Online(t.Context(), everybody)
			if err != nil || len(found) != len(want) {
				return false
			}
			for _, user := range want {
				if _, is := found[user]; !is {
					return false
				}
			}
			return true
		}, 20*time.Second, 5*time.Millisecond)
	}
	east.connect(nusrat)
	west.connect(rakib)
	east.connect(rakib)
	online(nusrat, rakib)
	east.disconnect(rakib)
	online(nusrat, rakib)
	west.disconnect(rakib)
	online(nusrat)

	east.stop() // without an announcement
	online()
	f.redis.Stop()
	require.Eventually(t, func() bool {
		_, err := worker.Online(t.Context(), everybody)
		return err != nil
	}, 20*time.Second, 5*time.Millisecond)
	west.connect(sadia)
	f.redis.Start()
	online(sadia)
}
