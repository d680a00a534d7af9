package realtime

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"hash/fnv"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

// presenceChannel carries the users whose list of online partners may have changed.
const presenceChannel = "rt:presence"

// LocalSockets are the sockets of this node. *Hub implements it.
type LocalSockets interface {
	Send(userID uuid.UUID, frameType string, data any)
	Users() []uuid.UUID
}

// Channels receives published messages. *Link implements it.
type Channels interface {
	Handle(channel string, f func(payload []byte))
	Healthy() bool
}

// Partners returns the conversation partners of each user. Only they may see whether the user is
// online.
type Partners func(ctx context.Context, users []uuid.UUID) (map[uuid.UUID][]uuid.UUID, error)

// PresenceOptions are the dependencies of a Presence. All are required.
type PresenceOptions struct {
	Node     string // unique for each start of the process
	Client   *redis.Client
	Publish  func(channel string, payload any)
	Channels Channels
	Partners Partners
	Logger   *slog.Logger
}

// Presence tells users which of their partners are online. Each node keeps the set of its connected
// users in Redis, which expires when the node dies; a user is online while they are in any node's
// set. Without Redis presence is unknown, which users are shown.
type Presence struct {
	sets     presenceSets
	publish  func(channel string, payload any)
	channels Channels
	partners Partners
	log      *slog.Logger
	pace     pace

	mu      sync.Mutex
	local   map[uuid.UUID]*present  // connected to this node, or within the grace period
	arrived []uuid.UUID             // of these, not announced yet
	leaving map[uuid.UUID]time.Time // of these, without a socket, with the end of the grace period
	stale   map[uuid.UUID]struct{}  // of these, whose list may have changed
}

// present is a user who is connected to this node.
type present struct {
	sentDigest uint64 // digest of the list sent last
	sentAt     time.Time
	pending    bool // a socket has not been sent a list yet
}

// pace holds the intervals of a Presence.
type pace struct{ tick, gather, grace, refresh, retry, expire time.Duration }

var presencePace = pace{
	tick:    200 * time.Millisecond,
	gather:  2 * time.Second,  // minimum between two lists for a user
	grace:   8 * time.Second,  // for a change of page or network
	refresh: 20 * time.Second, // of the node's set
	retry:   2 * time.Second,  // while Redis is down
	expire:  time.Minute,      // of the node's set
}

// staleShards is the number of shards of the local users. Each refresh marks the next shard stale,
// because an announcement may have been lost.
const staleShards = 9

const (
	listBatch     = 200 // users whose lists are computed at once
	announceBatch = 500 // ids per announcement
	presenceCall  = 3 * time.Second
)

// announcement names the users whose list may have changed because of a change on the node.
type announcement struct {
	Node  string      `json:"node"`
	Users []uuid.UUID `json:"tell"`
}

// NewPresence returns a Presence; Run starts it. It must be created before its Channels run.
func NewPresence(o PresenceOptions) *Presence {
	p := &Presence{
		sets:     presenceSets{client: o.Client, node: o.Node, nodes: map[string]struct{}{o.Node: {}}},
		publish:  o.Publish,
		channels: o.Channels,
		partners: o.Partners,
		log:      o.Logger,
		pace:     presencePace,
		local:    map[uuid.UUID]*present{},
		leaving:  map[uuid.UUID]time.Time{},
		stale:    map[uuid.UUID]struct{}{},
	}
	o.Channels.Handle(presenceChannel, p.receiveAnnouncement)
	return p
}

// Joined is a hook: the user has a socket on this node.
func (p *Presence) Joined(id Identity) { p.arrive(id.UserID) }

// Socket is a hook: the user has a further socket, which needs the list.
func (p *Presence) Socket(userID uuid.UUID) { p.arrive(userID) }

func (p *Presence) arrive(userID uuid.UUID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	user, known := p.local[userID]
	if !known {
		user = &present{}
		p.local[userID] = user
		p.arrived = append(p.arrived, userID)
	}
	delete(p.leaving, userID)
	user.pending, p.stale[userID] = true, struct{}{}
}

// Left is a hook: the user has no socket on this node anymore.
func (p *Presence) Left(userID uuid.UUID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.startLeaving(userID, now())
}

func (p *Presence) startLeaving(userID uuid.UUID, now time.Time) {
	_, here := p.local[userID]
	if _, already := p.leaving[userID]; here && !already {
		p.leaving[userID] = now.Add(p.pace.grace)
	}
}

// PartnersChanged is called when users became partners, or are none any more: it decides whether
// each may see that the other is online.
func (p *Presence) PartnersChanged(users ...uuid.UUID) { p.announce(users) }

// receiveAnnouncement handles an announcement of another node.
func (p *Presence) receiveAnnouncement(payload []byte) {
	var received announcement
	if err := json.Unmarshal(payload, &received); err != nil || received.Node == p.sets.node {
		return
	}
	p.sets.add(received.Node)
	p.markStale(received.Users)
}

// announce tells all nodes that the lists of these users may have changed.
func (p *Presence) announce(users []uuid.UUID) {
	p.markStale(users)
	for len(users) > 0 {
		n := min(len(users), announceBatch)
		p.publish(presenceChannel, announcement{Node: p.sets.node, Users: users[:n]})
		users = users[n:]
	}
}

// markStale marks the lists of those of the users who are connected to this node.
func (p *Presence) markStale(users []uuid.UUID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, user := range users {
		if _, here := p.local[user]; here {
			p.stale[user] = struct{}{}
		}
	}
}

// markAllStale marks the lists of all local users.
func (p *Presence) markAllStale() { p.markShardStale(0, 1) }

// markShardStale marks the lists of one shard of the local users; after that many rounds every user
// has been marked once.
func (p *Presence) markShardStale(round, shards int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for user := range p.local {
		if int(user[len(user)-1])%shards == round%shards { // the last byte of an id is random
			p.stale[user] = struct{}{}
		}
	}
}

// reconcile corrects for hooks that were called out of order: exactly the connected users are
// present.
func (p *Presence) reconcile(connected []uuid.UUID, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	present := make(map[uuid.UUID]struct{}, len(connected))
	for _, user := range connected {
		present[user] = struct{}{}
		delete(p.leaving, user)
	}
	for user := range p.local {
		if _, is := present[user]; !is {
			p.startLeaving(user, now)
		}
	}
}

// takeChanges returns the users who have connected, and those whose grace period has ended, since
// the last call.
func (p *Presence) takeChanges(now time.Time) (came, left []uuid.UUID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for user, until := range p.leaving {
		if now.Before(until) {
			continue
		}
		left = append(left, user)
		delete(p.leaving, user)
		delete(p.local, user)
		delete(p.stale, user)
	}
	came, p.arrived = p.arrived, nil
	return came, left
}

// due returns a batch of stale users whose last list is old enough, and clears their mark.
func (p *Presence) due(now time.Time) []uuid.UUID {
	p.mu.Lock()
	defer p.mu.Unlock()
	var users []uuid.UUID
	for user := range p.stale {
		if now.Sub(p.local[user].sentAt) < p.pace.gather {
			continue
		}
		delete(p.stale, user)
		p.local[user].sentAt = now
		if users = append(users, user); len(users) == listBatch {
			break
		}
	}
	return users
}

// localUsers returns all local users.
func (p *Presence) localUsers() []uuid.UUID {
	p.mu.Lock()
	defer p.mu.Unlock()
	users := make([]uuid.UUID, 0, len(p.local))
	for user := range p.local {
		users = append(users, user)
	}
	return users
}

// shouldSend reports whether the list differs from the one sent last, or a new socket has not been
// sent one, and records it as sent.
func (p *Presence) shouldSend(user uuid.UUID, digest uint64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	is, here := p.local[user]
	if !here || (!is.pending && is.sentDigest == digest) {
		return false
	}
	is.sentDigest, is.pending = digest, false
	return true
}

// presenceLoop is the state of Run's goroutine.
type presenceLoop struct {
	*Presence
	sockets   LocalSockets
	redisUp   bool // Redis answers and holds the node's set
	linked    bool // the link is healthy, so announcements arrive
	refreshed time.Time
	round     int // of the refreshes, selects the shard to mark stale
}

// Run maintains the node's set and the users' lists until ctx ends.
func (p *Presence) Run(ctx context.Context, sockets LocalSockets) {
	loop := presenceLoop{Presence: p, sockets: sockets}
	ticker := time.NewTicker(p.pace.tick)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			// Users reconnect to another node within the grace period, or are offline.
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), presenceCall)
			defer cancel()
			p.sets.leave(last, p.pace.grace)
			return
		case now := <-ticker.C:
			loop.tick(ctx, now)
		}
	}
}

func (l *presenceLoop) tick(ctx context.Context, now time.Time) {
	ctx, cancel := context.WithTimeout(ctx, presenceCall)
	defer cancel()
	if healthy := l.channels.Healthy(); healthy != l.linked {
		l.linked = healthy
		l.markAllStale()
	}
	every := l.pace.refresh
	if !l.redisUp {
		every = l.pace.retry
	}
	if now.Sub(l.refreshed) >= every {
		l.refreshed = now
		l.refresh(ctx, now)
	}
	l.applyChanges(ctx, now)
	for users := l.due(now); len(users) > 0 && ctx.Err() == nil; users = l.due(now) {
		l.sendLists(ctx, users)
	}
}

// refresh extends the expiry of the node's set, or recreates it if it has expired.
func (l *presenceLoop) refresh(ctx context.Context, now time.Time) {
	l.reconcile(l.sockets.Users(), now)
	changed, err := l.sets.refresh(ctx, l.pace.expire, l.redisUp, l.localUsers)
	if err != nil {
		l.redisFailed(err)
		return
	}
	if !l.redisUp || changed {
		l.redisUp = true
		l.markAllStale()
	} else {
		l.round++
		l.markShardStale(l.round, staleShards)
	}
}

// redisFailed marks presence as unknown.
func (l *presenceLoop) redisFailed(err error) {
	if l.redisUp {
		l.log.Warn("realtime: presence is not known", "error", err)
	}
	l.redisUp = false
	l.markAllStale()
}

// applyChanges writes connects and disconnects to Redis and announces them to the partners. It does
// nothing while Redis is down: on its return all users are written and sent their lists.
func (l *presenceLoop) applyChanges(ctx context.Context, now time.Time) {
	came, left := l.takeChanges(now)
	if !l.redisUp || len(came)+len(left) == 0 {
		return
	}
	if err := l.sets.change(ctx, came, left); err != nil {
		l.redisFailed(err)
		return
	}
	partners, err := l.partners(ctx, append(came, left...))
	if err != nil { // markShardStale makes up for it
		l.log.Warn("realtime: presence is not announced", "error", err)
		return
	}
	l.announce(union(partners))
}

// sendLists sends users their lists if these have changed.
func (l *presenceLoop) sendLists(ctx context.Context, users []uuid.UUID) {
	if !l.redisUp {
		for _, user := range users {
			l.send(user, nil)
		}
		return
	}
	partners, err := l.partners(ctx, users)
	if err != nil {
		l.log.Warn("realtime: publishing presence failed", "error", err)
		l.markStale(users)
		return
	}
	online, err := l.sets.online(ctx, union(partners))
	if err != nil {
		l.redisFailed(err)
		return
	}
	for _, user := range users {
		list := []uuid.UUID{}
		for _, partner := range partners[user] {
			if _, is := online[partner]; is {
				list = append(list, partner)
			}
		}
		slices.SortFunc(list, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
		l.send(user, list)
	}
}

// send sends a list; nil means that presence is unknown.
func (l *presenceLoop) send(user uuid.UUID, list []uuid.UUID) {
	digest := fnv.New64a()
	if list == nil {
		_, _ = digest.Write([]byte("unknown"))
	}
	for _, id := range list {
		_, _ = digest.Write(id[:])
	}
	if l.shouldSend(user, digest.Sum64()) {
		l.sockets.Send(user, TypeOnlineUsers, list)
	}
}

// union returns the distinct partners of all users.
func union(partners map[uuid.UUID][]uuid.UUID) []uuid.UUID {
	seen := map[uuid.UUID]struct{}{}
	var all []uuid.UUID
	for _, list := range partners {
		for _, id := range list {
			if _, is := seen[id]; !is {
				seen[id] = struct{}{}
				all = append(all, id)
			}
		}
	}
	return all
}

const (
	// nodesKey is the set of nodes that have or had a set.
	nodesKey = "pres:nodes"
	// placeholderMember keeps the set of a node without users from being empty, and so from being
	// deleted.
	placeholderMember = "-"
	// memberBatch is the maximum number of members in one command.
	memberBatch = 1000
)

// presenceSets are the sets in Redis: one per node, holding the users connected to it.
type presenceSets struct {
	client *redis.Client
	node   string

	mu    sync.Mutex
	nodes map[string]struct{} // known to be alive
}

func presenceKey(node string) string { return "pres:" + node }

// add records a node that has announced something.
func (s *presenceSets) add(node string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nodes[node] = struct{}{}
}

func (s *presenceSets) liveNodes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	nodes := make([]string, 0, len(s.nodes))
	for node := range s.nodes {
		nodes = append(nodes, node)
	}
	return nodes
}

// refresh extends the expiry of the node's set, or recreates it if it has expired or is not
// trusted, and updates which nodes are alive. changed reports whether the set had expired or other
// nodes are alive than before.
func (s *presenceSets) refresh(
	ctx context.Context, expire time.Duration, trusted bool, localUsers func() []uuid.UUID,
) (changed bool, err error) {
	kept, err := s.client.Expire(ctx, presenceKey(s.node), expire).Result()
	if err != nil {
		return false, err
	}
	if !kept || !trusted {
		if err := s.replace(ctx, expire, localUsers()); err != nil {
			return false, err
		}
	}
	pipeline := s.client.Pipeline()
	pipeline.SAdd(ctx, nodesKey, s.node)
	listed := pipeline.SMembers(ctx, nodesKey)
	if _, err := pipeline.Exec(ctx); err != nil {
		return false, err
	}
	living, err := s.removeDead(ctx, listed.Val())
	if err != nil {
		return false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	changed = !kept || len(living) != len(s.nodes)
	for node := range living {
		if _, known := s.nodes[node]; !known {
			changed = true
		}
	}
	s.nodes = living
	return changed, nil
}

// replace writes the node's set anew, in a transaction: other nodes must not see a partial set.
func (s *presenceSets) replace(ctx context.Context, expire time.Duration, users []uuid.UUID) error {
	pipeline := s.client.TxPipeline()
	pipeline.Del(ctx, presenceKey(s.node))
	pipeline.SAdd(ctx, presenceKey(s.node), placeholderMember)
	for batch := range slices.Chunk(users, memberBatch) {
		pipeline.SAdd(ctx, presenceKey(s.node), members(batch)...)
	}
	pipeline.Expire(ctx, presenceKey(s.node), expire)
	_, err := pipeline.Exec(ctx)
	return err
}

// removeDead returns the nodes whose sets have not expired, and removes the others from nodesKey.
func (s *presenceSets) removeDead(ctx context.Context, nodes []string) (map[string]struct{}, error) {
	pipeline := s.client.Pipeline()
	exist := make([]*redis.IntCmd, len(nodes))
	for i, node := range nodes {
		exist[i] = pipeline.Exists(ctx, presenceKey(node))
	}
	if _, err := pipeline.Exec(ctx); err != nil {
		return nil, err
	}
	living := map[string]struct{}{}
	var dead []any
	for i, node := range nodes {
		if exist[i].Val() == 1 {
			living[node] = struct{}{}
		} else {
			dead = append(dead, node)
		}
	}
	if len(dead) == 0 {
		return living, nil
	}
	return living, s.client.SRem(ctx, nodesKey, dead...).Err()
}

// change adds and removes users in the node's set.
func (s *presenceSets) change(ctx context.Context, came, left []uuid.UUID) error {
	pipeline := s.client.Pipeline()
	for batch := range slices.Chunk(came, memberBatch) {
		pipeline.SAdd(ctx, presenceKey(s.node), members(batch)...)
	}
	for batch := range slices.Chunk(left, memberBatch) {
		pipeline.SRem(ctx, presenceKey(s.node), members(batch)...)
	}
	_, err := pipeline.Exec(ctx)
	return err
}

// online returns those of the users who are connected to any node.
func (s *presenceSets) online(ctx context.Context, users []uuid.UUID) (map[uuid.UUID]struct{}, error) {
	type question struct {
		users   []uuid.UUID
		answers *redis.BoolSliceCmd
	}
	online := map[uuid.UUID]struct{}{}
	var asked []question
	pipeline := s.client.Pipeline()
	for _, node := range s.liveNodes() {
		for batch := range slices.Chunk(users, memberBatch) {
			asked = append(asked, question{batch, pipeline.SMIsMember(ctx, presenceKey(node), members(batch)...)})
		}
	}
	if len(asked) == 0 {
		return online, nil
	}
	if _, err := pipeline.Exec(ctx); err != nil {
		return nil, err
	}
	for _, q := range asked {
		for i, is := range q.answers.Val() {
			if is {
				online[q.users[i]] = struct{}{}
			}
		}
	}
	return online, nil
}

// leave makes the node's set expire soon.
func (s *presenceSets) leave(ctx context.Context, after time.Duration) {
	_ = s.client.Expire(ctx, presenceKey(s.node), after).Err() // otherwise it expires later
}

func members(users []uuid.UUID) []any {
	list := make([]any, len(users))
	for i, user := range users {
		list[i] = user.String()
	}
	return list
}

var errNoNodes = errors.New("no process has announced who is online")

// Online returns those of the users who have a page open, for processes without sockets. It fails
// if that is unknown: Redis is down, or has been restarted without its data a moment ago.
func (r *Redis) Online(ctx context.Context, users []uuid.UUID) (map[uuid.UUID]struct{}, error) {
	ctx, cancel := context.WithTimeout(ctx, presenceCall)
	defer cancel()
	nodes, err := r.client.SMembers(ctx, nodesKey).Result()
	if err != nil {
		return nil, err
	}
	if len(nodes) == 0 {
		return nil, errNoNodes
	}
	sets := presenceSets{client: r.client, nodes: map[string]struct{}{}}
	for _, node := range nodes { // the sets of those that are gone have expired
		sets.add(node)
	}
	return sets.online(ctx, users)
}
