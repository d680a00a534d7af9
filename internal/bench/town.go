package bench

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"amanat/internal/bench/listener"
)

const (
	publicOrigin = "http://localhost:8080" // the default of PUBLIC_URL
	openAtOnce   = 64                      // sockets that are being opened at the same time
	openWait     = 2 * time.Minute
	openPause    = 10 * time.Millisecond
	hearWait     = 30 * time.Second
	publishTick  = time.Millisecond
)

// town is people with sockets. All are admins, so that a broadcast reaches everybody, and each has been written to by a buyer.
type town struct {
	ids           []uuid.UUID
	sessions      []string
	conversations []uuid.UUID // of each, with the buyer of the same number
}

func (m *market) populateTown(ctx context.Context, now time.Time) (err error) {
	t := &m.town
	t.ids, t.conversations = newIDs(m.options.Sockets), newIDs(min(m.options.Sockets, buyerCount))
	if t.sessions, err = m.addPeople(ctx, "listener", true, t.ids, now); err != nil {
		return err
	}
	n := len(t.conversations)
	return insertConversations(ctx, m.owner, t.conversations, m.buyers[:n], t.ids[:n], now)
}

// audience is the open sockets of one measurement.
type audience struct {
	m       *market
	sockets []*listener.Listener
	redis   *redis.Client
}

// open connects the town's people, in turn to the sites, and waits until all are. heard gets every frame of everybody.
func (m *market) open(ctx context.Context, people int, sites []string, heard func(frame []byte)) (a *audience, err error) {
	options, err := redis.ParseURL(m.redis.URL())
	if err != nil {
		return nil, err
	}
	a = &audience{m: m, redis: redis.NewClient(options)}
	defer func() {
		if err != nil {
			a.close()
		}
	}()
	for i, session := range m.town.sessions[:people] {
		site := sites[i%len(sites)]
		a.sockets = append(a.sockets, listener.Open(ctx, listener.Options{
			Site: func() string { return site }, Origin: publicOrigin, Session: session, Newest: true, Heard: heard,
		}))
		if i >= openAtOnce {
			if err := a.await(ctx, a.sockets[i-openAtOnce]); err != nil {
				return nil, err
			}
		}
	}
	return a, a.await(ctx, a.sockets...)
}

func (a *audience) await(ctx context.Context, sockets ...*listener.Listener) error {
	deadline := time.Now().Add(openWait)
	for _, socket := range sockets {
		for !socket.Connected() {
			if time.Now().After(deadline) || ctx.Err() != nil {
				return fmt.Errorf("sockets do not open: %+v", socket.Report())
			}
			time.Sleep(openPause)
		}
	}
	return nil
}

// close disconnects everybody at once. Whoever was lost on the way or came twice is an error, and so is whoever was cut off.
func (a *audience) close() error {
	var group sync.WaitGroup
	var amiss atomic.Pointer[listener.Report]
	for _, socket := range a.sockets {
		group.Go(func() {
			if r := socket.Close(); r.Gaps+r.Doubles+r.Unrecovered > 0 || r.Connects > 1 {
				amiss.Store(&r)
			}
		})
	}
	group.Wait()
	_ = a.redis.Close()
	if r := amiss.Load(); r != nil {
		return fmt.Errorf("a socket fared badly: %+v", *r)
	}
	return nil
}

// mark precedes, in a published frame, the time at which it was due.
var mark = []byte(`"due":"`)

// dueOf reads when a published frame was due; false when it is another frame.
func dueOf(frame []byte) (time.Time, bool) {
	_, rest, found := bytes.Cut(frame, mark)
	if !found {
		return time.Time{}, false
	}
	digits, _, _ := bytes.Cut(rest, []byte(`"`))
	nanos, err := strconv.ParseInt(string(digits), 10, 64)
	return time.Unix(0, nanos), err == nil
}

// published is a frame that is in no log, as large as that of a short message.
func published(due time.Time) string {
	return `{"v":1,"id":"` + uuid.Nil.String() + `","type":"typing","ts":"2026-01-01T00:00:00Z","data":{` +
		string(mark) + strconv.FormatInt(due.UnixNano(), 10) + `","text":"` + filling + `"}}`
}

var filling = string(bytes.Repeat([]byte("x"), 256))

// fanOut measures frames from Redis to sockets at two nodes, at a fixed rate, from when each was due to be published.
func (m *market) fanOut(ctx context.Context, perSecond float64) (Sample, error) {
	var r recorder
	a, err := m.open(ctx, m.options.Sockets, m.sites, func(frame []byte) {
		if due, ok := dueOf(frame); ok {
			r.add(time.Since(due))
		}
	})
	if err != nil {
		return Sample{}, err
	}
	start, sent := time.Now(), 0
	ticker := time.NewTicker(publishTick)
	defer ticker.Stop()
	for now := start; now.Sub(start) < m.options.Duration; now = <-ticker.C {
		pipeline := a.redis.Pipeline()
		for until := int(now.Sub(start).Seconds() * perSecond); sent < until; sent++ {
			due := start.Add(time.Duration(float64(sent) / perSecond * float64(time.Second)))
			pipeline.Publish(ctx, "rt:u:"+m.town.ids[sent%len(m.town.ids)].String(), published(due))
		}
		if _, err := pipeline.Exec(ctx); err != nil {
			return Sample{}, err
		}
	}
	elapsed := time.Since(start)
	if err := r.await(ctx, sent); err != nil {
		return Sample{}, err
	}
	return r.sample(elapsed), a.close()
}

// broadcast measures a frame to everybody, from being published to the last socket's hearing of it.
func (m *market) broadcast(ctx context.Context) (Sample, error) {
	var heard atomic.Int64
	all := make(chan time.Time, 1)
	a, err := m.open(ctx, m.options.Sockets, m.sites, func(frame []byte) {
		if _, ok := dueOf(frame); ok && heard.Add(1) == int64(m.options.Sockets) {
			all <- time.Now()
		}
	})
	if err != nil {
		return Sample{}, err
	}
	var r recorder
	start := time.Now()
	for time.Since(start) < m.options.Duration {
		heard.Store(0)
		begun := time.Now()
		if err := a.redis.Publish(ctx, "rt:admins", published(begun)).Err(); err != nil {
			return Sample{}, err
		}
		select {
		case last := <-all:
			r.add(last.Sub(begun))
		case <-time.After(hearWait):
			return Sample{}, fmt.Errorf("%d of %d heard a broadcast", heard.Load(), m.options.Sockets)
		}
	}
	return r.sample(time.Since(start)), a.close()
}

// hold measures what a socket costs one node that holds them all: the time to open it, and memory once all are open.
func (m *market) hold(ctx context.Context) (Sample, error) {
	before, err := m.residentBytes(ctx, 1)
	if err != nil {
		return Sample{}, err
	}
	start := time.Now()
	a, err := m.open(ctx, m.options.Sockets, m.sites[1:2], nil)
	if err != nil {
		return Sample{}, err
	}
	elapsed := time.Since(start)
	after, err := m.residentBytes(ctx, 1)
	if err != nil {
		return Sample{}, err
	}
	n := float64(m.options.Sockets)
	return Sample{PerSecond: n / elapsed.Seconds(), KiBEach: (after - before) / 1024 / n}, a.close()
}

// residentBytes reads a node's memory.
func (m *market) residentBytes(ctx context.Context, node int) (float64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, m.nodeOps[node]+"/metrics", nil)
	if err != nil {
		return 0, err
	}
	return readMetric(request, "process_resident_memory_bytes")
}

// await waits until so much is recorded.
func (r *recorder) await(ctx context.Context, n int) error {
	deadline := time.Now().Add(hearWait)
	for {
		r.mu.Lock()
		got := len(r.took)
		r.mu.Unlock()
		if got >= n {
			return nil
		}
		if time.Now().After(deadline) || ctx.Err() != nil {
			return fmt.Errorf("%d of %d frames were heard", got, n)
		}
		time.Sleep(openPause)
	}
}
