package bench

import (
	"context"
	"errors"
	"net/http"
	"syscall"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

const (
	deliveryTimeout = 30 * time.Second
	publishTick     = time.Millisecond
)

// listeners are the users with sockets. All are admins, so that all receive a broadcast, and buyers
// may write to them.
type listeners struct {
	ids           []uuid.UUID
	sessions      []string
	conversations []uuid.UUID // between the listener and the buyer at the same index
}

func (e *environment) insertListeners(ctx context.Context, now time.Time) (err error) {
	l := &e.listeners
	l.ids, l.conversations = newIDs(e.options.Sockets*nodes), newIDs(min(e.options.Sockets, buyerCount))
	if l.sessions, err = e.createUsers(ctx, "listener", true, l.ids, now); err != nil {
		return err
	}
	n := len(l.conversations)
	return insertConversations(ctx, e.owner, l.conversations, e.buyers[:n], l.ids[:n], now)
}

func (e *environment) redisClient() (*redis.Client, error) {
	options, err := redis.ParseURL(e.redis.URL())
	if err != nil {
		return nil, err
	}
	return redis.NewClient(options), nil
}

// fanOut measures frames from Redis to sockets at two nodes, published at a fixed rate. Latencies
// count from when a frame was due.
func (e *environment) fanOut(ctx context.Context, perSecond float64) (sample Sample, err error) {
	client, err := e.redisClient()
	if err != nil {
		return Sample{}, err
	}
	defer func() { _ = client.Close() }()
	p, err := e.openClients(ctx, e.sites...)
	if err != nil {
		return Sample{}, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	start, sent := time.Now(), 0
	ticker := time.NewTicker(publishTick)
	defer ticker.Stop()
	for now := start; now.Sub(start) < e.options.Duration; now = <-ticker.C {
		pipeline := client.Pipeline()
		for until := int(now.Sub(start).Seconds() * perSecond); sent < until; sent++ {
			due := start.Add(time.Duration(float64(sent) / perSecond * float64(time.Second)))
			pipeline.Publish(ctx, "rt:u:"+e.listeners.ids[sent%len(e.listeners.ids)].String(), newFrame(due))
		}
		if _, err := pipeline.Exec(ctx); err != nil {
			return Sample{}, err
		}
	}
	elapsed := time.Since(start)
	took, err := p.take(ctx, sent)
	if err != nil {
		return Sample{}, err
	}
	return (&recorder{took: took}).sample(elapsed), nil
}

// broadcast measures a frame to all sockets of one node, from its publication to its arrival at the
// last socket.
func (e *environment) broadcast(ctx context.Context) (sample Sample, err error) {
	client, err := e.redisClient()
	if err != nil {
		return Sample{}, err
	}
	defer func() { _ = client.Close() }()
	p, err := e.openClients(ctx, e.sites[1])
	if err != nil {
		return Sample{}, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	var r recorder
	start := time.Now()
	for time.Since(start) < e.options.Duration {
		if err := client.Publish(ctx, "rt:admins", newFrame(time.Now())).Err(); err != nil {
			return Sample{}, err
		}
		took, err := p.take(ctx, e.options.Sockets)
		if err != nil {
			return Sample{}, err
		}
		r.add(took[len(took)-1])
	}
	return r.sample(time.Since(start)), nil
}

// openIdle measures idle sockets at one node: the rate at which they open, and the memory that each
// takes. It starts a new node, because one that has served requests has memory to spare.
func (e *environment) openIdle(ctx context.Context) (sample Sample, err error) {
	api, err := e.startAPI(ctx)
	if err != nil {
		return Sample{}, err
	}
	defer func() { err = errors.Join(err, api.program.Stop(stopWait, syscall.SIGTERM, syscall.SIGKILL)) }()
	before, err := api.residentBytes(ctx)
	if err != nil {
		return Sample{}, err
	}
	start := time.Now()
	p, err := e.openClients(ctx, api.site)
	if err != nil {
		return Sample{}, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	elapsed := time.Since(start)
	after, err := api.residentBytes(ctx)
	if err != nil {
		return Sample{}, err
	}
	n := float64(e.options.Sockets)
	return Sample{PerSecond: n / elapsed.Seconds(), KiBEach: (after - before) / 1024 / n}, nil
}

// residentBytes returns the resident memory of a node.
func (n node) residentBytes(ctx context.Context) (float64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, n.ops+"/metrics", nil)
	if err != nil {
		return 0, err
	}
	return readMetric(request, "process_resident_memory_bytes")
}
