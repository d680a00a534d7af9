package realtime

import (
	"context"
	"encoding/json"
	"log/slog"
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
