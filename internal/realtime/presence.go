package realtime

import (
	"context"
	"encoding/json"
	"log/slog"
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
