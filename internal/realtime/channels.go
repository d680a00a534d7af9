package realtime

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

const (
	userPrefix       = "rt:u:"
	unsubscribeAfter = time.Second // at least: a page change reconnects immediately
	subscribeBatch   = 512
)

// userChannel returns the name of the channel that carries a user's frames.
func userChannel(userID uuid.UUID) string { return userPrefix + userID.String() }

// userChannels are the channels of the users connected to this process. Each stays subscribed while
// it is in use and briefly after. Acquiring and releasing never wait for Redis.
type userChannels struct {
	wanted chan struct{} // signals changes to write

	mu            sync.Mutex
	byUser        map[uuid.UUID]*userSubscription
	toSubscribe   []uuid.UUID
	toUnsubscribe []uuid.UUID
	idle          map[uuid.UUID]bool // unused; true if already unused at the last releaseIdle
}

type userSubscription struct {
	uses      int
	confirmed bool
	ready     chan struct{} // closed when confirmed
}

func (c *userChannels) init() {
	c.wanted = make(chan struct{}, 1)
	c.byUser = map[uuid.UUID]*userSubscription{}
	c.idle = map[uuid.UUID]bool{}
}

// acquire adds a use of a user's channel. The returned channel is closed once messages arrive.
func (c *userChannels) acquire(userID uuid.UUID) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.byUser[userID]
	if s == nil {
		s = &userSubscription{ready: make(chan struct{})}
		c.byUser[userID] = s
		c.toSubscribe = append(c.toSubscribe, userID)
		c.wake()
	}
	s.uses++
	delete(c.idle, userID)
	return s.ready
}

// release removes a use.
func (c *userChannels) release(userID uuid.UUID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.byUser[userID]
	if s.uses--; s.uses == 0 {
		c.idle[userID] = false
	}
}

// releaseIdle unsubscribes from the channels that have been unused for a whole round.
func (c *userChannels) releaseIdle() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for userID, unused := range c.idle {
		if !unused {
			c.idle[userID] = true
			continue
		}
		delete(c.idle, userID)
		delete(c.byUser, userID)
		c.toUnsubscribe = append(c.toUnsubscribe, userID)
	}
}

// wake signals changes to subscribe. The lock must be held.
func (c *userChannels) wake() {
	select {
	case c.wanted <- struct{}{}:
	default:
	}
}

// reopened queues every channel for subscription on a new connection.
func (c *userChannels) reopened() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.toSubscribe, c.toUnsubscribe = c.toSubscribe[:0], nil
	for userID, s := range c.byUser {
		if s.confirmed {
			s.confirmed, s.ready = false, make(chan struct{})
		}
		c.toSubscribe = append(c.toSubscribe, userID)
	}
}

func (c *userChannels) confirm(userID uuid.UUID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.byUser[userID]; s != nil && !s.confirmed {
		s.confirmed = true
		close(s.ready)
	}
}

// write sends the pending changes to Redis.
func (c *userChannels) write(ctx context.Context, sub *redis.PubSub) error {
	c.mu.Lock()
	unsubscribe, subscribe := c.toUnsubscribe, c.toSubscribe
	c.toUnsubscribe, c.toSubscribe = nil, nil
	c.mu.Unlock()
	for batch := range slices.Chunk(unsubscribe, subscribeBatch) {
		if err := sub.Unsubscribe(ctx, names(batch)...); err != nil {
			return err
		}
	}
	for batch := range slices.Chunk(subscribe, subscribeBatch) {
		if err := sub.Subscribe(ctx, names(batch)...); err != nil {
			return err
		}
	}
	return nil
}

func names(users []uuid.UUID) []string {
	list := make([]string, len(users))
	for i, userID := range users {
		list[i] = userChannel(userID)
	}
	return list
}
