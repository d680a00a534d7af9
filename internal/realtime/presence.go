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

// presenceChannel carries who came or left, with those who may see it.
const presenceChannel = "rt:presence"

// Screens are the sockets of this node; *Hub is one.
type Screens interface {
	Send(userID uuid.UUID, frameType string, data any)
	Users() []uuid.UUID
}

// Channels hear what is published; *Link is one.
type Channels interface {
	Handle(channel string, f func(payload []byte))
	Healthy() bool
}

// Partners returns whom each of the users has conversations with: these, and nobody else, may see whether he is online.
type Partners func(ctx context.Context, users []uuid.UUID) (map[uuid.UUID][]uuid.UUID, error)

// PresenceOptions are the parts of a Presence. All are required.
type PresenceOptions struct {
	Node     string // its name, another at each start
	Client   *redis.Client
	Publish  func(channel string, payload any)
	Channels Channels
	Partners Partners
	Logger   *slog.Logger
}

// Presence tells people who of their partners is online. Each node keeps a set of who is connected to it in Redis, which expires when the
// node dies; somebody is online while he is in the set of any node. While Redis is away nobody knows, and people are told so.
type Presence struct {
	sets     presenceSets
	publish  func(channel string, payload any)
	channels Channels
	partners Partners
	log      *slog.Logger
	pace     pace

	mu      sync.Mutex
	here    map[uuid.UUID]*present  // connected to this node, or gone for a moment
	came    []uuid.UUID             // of these, those nobody has been told of
	leaving map[uuid.UUID]time.Time // of these, those without a socket, and until when they have time to come back
	stale   map[uuid.UUID]struct{}  // of these, those whose list may be another
}

// present is somebody who is connected to this node.
type present struct {
	told uint64    // digest of the list he has been told
	at   time.Time // when
	owed bool      // he has a socket that has been told nothing
}

// pace is how fast things go.
type pace struct{ turn, gather, grace, refresh, retry, expire time.Duration }

var presencePace = pace{
	turn:    200 * time.Millisecond,
	gather:  2 * time.Second,  // between two lists for one person
	grace:   8 * time.Second,  // for somebody who changes pages or networks
	refresh: 20 * time.Second, // of what expires
	retry:   2 * time.Second,  // while Redis is away
	expire:  time.Minute,      // after a node has died
}

// checkShare is into how many shares the people here are divided: at each refresh the next share is told afresh, if need be, because an
// announcement may have been lost.
const checkShare = 9

const (
	tellBatch     = 200 // people whose lists are made at once
	announceBatch = 500 // ids in one announcement
	presenceCall  = 3 * time.Second
)

// announcement says who may have to be told something new, because somebody on the node came or left.
type announcement struct {
	Node string      `json:"node"`
	Tell []uuid.UUID `json:"tell"`
}

// NewPresence returns a Presence; nothing happens until Run. It must be made before its channels are listened to.
func NewPresence(o PresenceOptions) *Presence {
	p := &Presence{
		sets:     presenceSets{client: o.Client, node: o.Node, nodes: map[string]struct{}{o.Node: {}}},
		publish:  o.Publish,
		channels: o.Channels,
		partners: o.Partners,
		log:      o.Logger,
		pace:     presencePace,
		here:     map[uuid.UUID]*present{},
		leaving:  map[uuid.UUID]time.Time{},
		stale:    map[uuid.UUID]struct{}{},
	}
	o.Channels.Handle(presenceChannel, p.hear)
	return p
}

// Joined is for Hooks: the user has a socket on this node.
func (p *Presence) Joined(person Person) { p.arrive(person.UserID) }

// Socket is for Hooks: the user has one more socket, which must be told who is online.
func (p *Presence) Socket(userID uuid.UUID) { p.arrive(userID) }

func (p *Presence) arrive(userID uuid.UUID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	user, known := p.here[userID]
	if !known {
		user = &present{}
		p.here[userID] = user
		p.came = append(p.came, userID)
	}
	delete(p.leaving, userID)
	user.owed, p.stale[userID] = true, struct{}{}
}

// Left is for Hooks: the user has no socket on this node any more.
func (p *Presence) Left(userID uuid.UUID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.leaves(userID, now())
}

func (p *Presence) leaves(userID uuid.UUID, now time.Time) {
	_, here := p.here[userID]
	if _, already := p.leaving[userID]; here && !already {
		p.leaving[userID] = now.Add(p.pace.grace)
	}
}

// Met is for when people have begun to talk: each may now see whether the other is online.
func (p *Presence) Met(users ...uuid.UUID) { p.announce(users) }

// hear takes an announcement of another node.
func (p *Presence) hear(payload []byte) {
	var heard announcement
	if err := json.Unmarshal(payload, &heard); err != nil || heard.Node == p.sets.node {
		return
	}
	p.sets.add(heard.Node)
	p.outdate(heard.Tell)
}

// announce tells all nodes that these people may have to be told something new.
func (p *Presence) announce(users []uuid.UUID) {
	p.outdate(users)
	for len(users) > 0 {
		n := min(len(users), announceBatch)
		p.publish(presenceChannel, announcement{Node: p.sets.node, Tell: users[:n]})
		users = users[n:]
	}
}

// outdate marks the lists of those who are here.
func (p *Presence) outdate(users []uuid.UUID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, user := range users {
		if _, here := p.here[user]; here {
			p.stale[user] = struct{}{}
		}
	}
}

// outdateAll marks the lists of all who are here.
func (p *Presence) outdateAll() { p.outdateShare(0, 1) }

// outdateShare marks the lists of one in so many of those who are here, and in so many rounds of everybody.
func (p *Presence) outdateShare(round, oneIn int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for user := range p.here {
		if int(user[len(user)-1])%oneIn == round%oneIn { // the end of an id is random
			p.stale[user] = struct{}{}
		}
	}
}

// reconcile makes good for hooks that came out of order: who has a socket is here, and nobody else.
func (p *Presence) reconcile(connected []uuid.UUID, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	present := make(map[uuid.UUID]struct{}, len(connected))
	for _, user := range connected {
		present[user] = struct{}{}
		delete(p.leaving, user)
	}
	for user := range p.here {
		if _, is := present[user]; !is {
			p.leaves(user, now)
		}
	}
}

// moved returns who has come, and who has left for good, since the last time.
func (p *Presence) moved(now time.Time) (came, left []uuid.UUID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for user, until := range p.leaving {
		if now.Before(until) {
			continue
		}
		left = append(left, user)
		delete(p.leaving, user)
		delete(p.here, user)
		delete(p.stale, user)
	}
	came, p.came = p.came, nil
	return came, left
}

// due returns some of those who must be told now.
func (p *Presence) due(now time.Time) []uuid.UUID {
	p.mu.Lock()
	defer p.mu.Unlock()
	var users []uuid.UUID
	for user := range p.stale {
		if now.Sub(p.here[user].at) < p.pace.gather {
			continue
		}
		delete(p.stale, user)
		p.here[user].at = now
		if users = append(users, user); len(users) == tellBatch {
			break
		}
	}
	return users
}

// everybody returns all who are here.
func (p *Presence) everybody() []uuid.UUID {
	p.mu.Lock()
	defer p.mu.Unlock()
	users := make([]uuid.UUID, 0, len(p.here))
	for user := range p.here {
		users = append(users, user)
	}
	return users
}

// news tells whether a list is another than the one the user was told, or he has a socket that was told none, and notes that he is told now.
func (p *Presence) news(user uuid.UUID, digest uint64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	is, here := p.here[user]
	if !here || (!is.owed && is.told == digest) {
		return false
	}
	is.told, is.owed = digest, false
	return true
}
