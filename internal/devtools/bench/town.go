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
	hearWait    = 30 * time.Second
	publishTick = time.Millisecond
)

// town is people with sockets. All are admins, so that a broadcast reaches everybody, and buyers may write to them.
type town struct {
	ids           []uuid.UUID
	sessions      []string
	conversations []uuid.UUID // of each, with the buyer of the same number
}

func (m *market) populateTown(ctx context.Context, now time.Time) (err error) {
	t := &m.town
	t.ids, t.conversations = newIDs(m.options.Sockets*nodes), newIDs(min(m.options.Sockets, buyerCount))
	if t.sessions, err = m.addPeople(ctx, "listener", true, t.ids, now); err != nil {
		return err
	}
	n := len(t.conversations)
	return insertConversations(ctx, m.owner, t.conversations, m.buyers[:n], t.ids[:n], now)
}

func (m *market) redisClient() (*redis.Client, error) {
	options, err := redis.ParseURL(m.redis.URL())
	if err != nil {
		return nil, err
	}
	return redis.NewClient(options), nil
}

// fanOut measures frames from Redis to sockets at two nodes, at a fixed rate, from when each was due to be published.
func (m *market) fanOut(ctx context.Context, perSecond float64) (sample Sample, err error) {
	client, err := m.redisClient()
	if err != nil {
		return Sample{}, err
	}
	defer func() { _ = client.Close() }()
	a, err := m.gather(ctx, m.sites...)
	if err != nil {
		return Sample{}, err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	start, sent := time.Now(), 0
	ticker := time.NewTicker(publishTick)
	defer ticker.Stop()
	for now := start; now.Sub(start) < m.options.Duration; now = <-ticker.C {
		pipeline := client.Pipeline()
		for until := int(now.Sub(start).Seconds() * perSecond); sent < until; sent++ {
			due := start.Add(time.Duration(float64(sent) / perSecond * float64(time.Second)))
			pipeline.Publish(ctx, "rt:u:"+m.town.ids[sent%len(m.town.ids)].String(), published(due))
		}
		if _, err := pipeline.Exec(ctx); err != nil {
			return Sample{}, err
		}
	}
	elapsed := time.Since(start)
	took, err := a.take(ctx, sent)
	if err != nil {
		return Sample{}, err
	}
	return (&recorder{took: took}).sample(elapsed), nil
}

// broadcast measures a frame to everybody at one node, from being published to the last socket's hearing of it.
func (m *market) broadcast(ctx context.Context) (sample Sample, err error) {
	client, err := m.redisClient()
	if err != nil {
		return Sample{}, err
	}
	defer func() { _ = client.Close() }()
	a, err := m.gather(ctx, m.sites[1])
	if err != nil {
		return Sample{}, err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	var r recorder
	start := time.Now()
	for time.Since(start) < m.options.Duration {
		if err := client.Publish(ctx, "rt:admins", published(time.Now())).Err(); err != nil {
			return Sample{}, err
		}
		took, err := a.take(ctx, m.options.Sockets)
		if err != nil {
			return Sample{}, err
		}
		r.add(took[len(took)-1])
	}
	return r.sample(time.Since(start)), nil
}

// hold measures what a socket costs one node that holds them all: the time to open it, and memory once all are open. The node is a new one,
// because one that has worked already has memory to spare.
func (m *market) hold(ctx context.Context) (sample Sample, err error) {
	api, err := m.startAPI(ctx)
	if err != nil {
		return Sample{}, err
	}
	defer func() { err = errors.Join(err, api.program.Stop(stopWait, syscall.SIGTERM, syscall.SIGKILL)) }()
	before, err := api.residentBytes(ctx)
	if err != nil {
		return Sample{}, err
	}
	start := time.Now()
	a, err := m.gather(ctx, api.site)
	if err != nil {
		return Sample{}, err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	elapsed := time.Since(start)
	after, err := api.residentBytes(ctx)
	if err != nil {
		return Sample{}, err
	}
	n := float64(m.options.Sockets)
	return Sample{PerSecond: n / elapsed.Seconds(), KiBEach: (after - before) / 1024 / n}, nil
}

// residentBytes reads a node's memory.
func (n node) residentBytes(ctx context.Context) (float64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, n.ops+"/metrics", nil)
	if err != nil {
		return 0, err
	}
	return readMetric(request, "process_resident_memory_bytes")
}
