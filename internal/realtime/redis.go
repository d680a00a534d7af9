package realtime

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
)

// settledChannel carries the ids of settled operations to the api processes that wait for them.
const settledChannel = "rt:settled"

const (
	publishQueue   = 4096
	publishBatch   = 128
	publishTimeout = 2 * time.Second
)

type message struct {
	channel string
	payload any
}

// Redis publishes messages from one goroutine with a bounded queue, so that callers never block.
// When Redis is down or slow, messages are dropped and counted; readers find the data in
// PostgreSQL.
type Redis struct {
	client  *redis.Client
	log     *slog.Logger
	queue   chan message
	dropped prometheus.Counter
}

// NewRedis returns a publisher; Run starts sending.
func NewRedis(client *redis.Client, log *slog.Logger) *Redis {
	return &Redis{client: client, log: log, queue: make(chan message, publishQueue), dropped: newDropped()}
}

// PublishFrame sends a frame to a user's open pages.
func (r *Redis) PublishFrame(userID uuid.UUID, frame Frame) { r.Publish(userChannel(userID), frame) }

// Publish sends a message to a channel, encoded as JSON.
func (r *Redis) Publish(channel string, payload any) {
	encoded, err := json.Marshal(payload)
	if err != nil {
		r.log.Error("realtime: message not encoded", "channel", channel, "error", err)
		return
	}
	r.enqueue(message{channel, encoded})
}

// OperationSettled wakes the api process that waits for the operation.
func (r *Redis) OperationSettled(id uuid.UUID) { r.enqueue(message{settledChannel, id.String()}) }

// HandleSettled registers a handler for the operations announced by Redis.OperationSettled. The
// conditions of Handle apply.
func (l *Link) HandleSettled(settled func(uuid.UUID)) {
	l.Handle(settledChannel, func(payload []byte) {
		if id, err := uuid.ParseBytes(payload); err == nil {
			settled(id)
		}
	})
}

// Metrics counts dropped messages. Every process that publishes registers it, the worker as well as
// the api.
func (r *Redis) Metrics() prometheus.Collector { return r.dropped }

func (r *Redis) enqueue(m message) {
	select {
	case r.queue <- m:
	default:
		r.dropped.Inc()
	}
}

// Run sends queued messages until ctx ends.
func (r *Redis) Run(ctx context.Context) {
	for {
		var batch []message
		select {
		case <-ctx.Done():
			return
		case m := <-r.queue:
			batch = append(batch, m)
		}
		for len(batch) < publishBatch && len(r.queue) > 0 {
			batch = append(batch, <-r.queue)
		}
		r.send(ctx, batch)
	}
}

// Flush sends what is queued. It is for commands, which end before Run would have sent it.
func (r *Redis) Flush(ctx context.Context) {
	var batch []message
	for len(r.queue) > 0 {
		batch = append(batch, <-r.queue)
	}
	if len(batch) > 0 {
		r.send(ctx, batch)
	}
}

func (r *Redis) send(ctx context.Context, batch []message) {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	pipeline := r.client.Pipeline()
	for _, m := range batch {
		pipeline.Publish(ctx, m.channel, m.payload)
	}
	if _, err := pipeline.Exec(ctx); err != nil {
		r.dropped.Add(float64(len(batch)))
		r.log.Warn("realtime: not published", "messages", len(batch), "error", err)
	}
}

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
