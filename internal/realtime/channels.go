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
	unsubscribeAfter = time.Second // at least: whoever changes pages comes back at once
	subscribeBatch   = 512
)

// userChannel carries one user's frames.
func userChannel(userID uuid.UUID) string { return userPrefix + userID.String() }

// userChannels are the channels of the users who are connected here, each subscribed while somebody uses it and a moment longer. Using
// one never waits for Redis.
type userChannels struct {
	wanted chan struct{} // there is something to write

	mu      sync.Mutex
	byUser  map[uuid.UUID]*userSubscription
	join    []uuid.UUID        // not asked for yet
	part    []uuid.UUID        // subscribed and not wanted any more
	leaving map[uuid.UUID]bool // unused; true: already when leave looked last
}

type userSubscription struct {
	uses      int
	confirmed bool
	ready     chan struct{} // closed when confirmed
}

func (c *userChannels) init() {
	c.wanted = make(chan struct{}, 1)
	c.byUser = map[uuid.UUID]*userSubscription{}
	c.leaving = map[uuid.UUID]bool{}
}

// acquire begins a use of a user's channel. What is returned is closed as soon as messages arrive.
func (c *userChannels) acquire(userID uuid.UUID) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.byUser[userID]
	if s == nil {
		s = &userSubscription{ready: make(chan struct{})}
		c.byUser[userID] = s
		c.join = append(c.join, userID)
		c.wake()
	}
	s.uses++
	delete(c.leaving, userID)
	return s.ready
}

// release ends a use.
func (c *userChannels) release(userID uuid.UUID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.byUser[userID]
	if s.uses--; s.uses == 0 {
		c.leaving[userID] = false
	}
}

// leave gives up the channels that nobody has used for a whole round.
func (c *userChannels) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for userID, unused := range c.leaving {
		if !unused {
			c.leaving[userID] = true
			continue
		}
		delete(c.leaving, userID)
		delete(c.byUser, userID)
		c.part = append(c.part, userID)
	}
}

// wake must be called with the lock held.
func (c *userChannels) wake() {
	select {
	case c.wanted <- struct{}{}:
	default:
	}
}

// reopened asks for every channel again: the link is new.
func (c *userChannels) reopened() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.join, c.part = c.join[:0], nil
	for userID, s := range c.byUser {
		if s.confirmed {
			s.confirmed, s.ready = false, make(chan struct{})
		}
		c.join = append(c.join, userID)
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

// write tells Redis of the changes.
func (c *userChannels) write(ctx context.Context, sub *redis.PubSub) error {
	c.mu.Lock()
	part, join := c.part, c.join
	c.part, c.join = nil, nil
	c.mu.Unlock()
	for batch := range slices.Chunk(part, subscribeBatch) {
		if err := sub.Unsubscribe(ctx, names(batch)...); err != nil {
			return err
		}
	}
	for batch := range slices.Chunk(join, subscribeBatch) {
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
