package systemtest

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"amanat/internal/bench/listener"
)

const (
	fanOutFor  = 2 * time.Second
	fanOutTick = 5 * time.Millisecond
	eachTick   = 5                // frames to those who read
	greedyTick = 8                // large frames to those who may not: more than their socket's buffers hold
	timerSlack = time.Millisecond // the machine's clock is no better
)

// fanOut is frames published for many people, who note when they come.
type fanOut struct {
	*gathering
	redis  *redis.Client
	greedy []*chatter // one in a hundred, who are sent far more

	mu   sync.Mutex
	took []time.Duration
}

func openFanOut(s *system, pairs int) *fanOut {
	s.t.Helper()
	f := &fanOut{}
	f.gathering = gatherWith(s, pairs, func(*chatter) func([]byte) { return f.heard })
	options, err := redis.ParseURL(s.redis.URL)
	require.NoError(s.t, err)
	f.redis = redis.NewClient(options)
	s.t.Cleanup(func() { _ = f.redis.Close() })
	count := max(1, len(f.people)/100)
	f.greedy, f.people = f.people[:count], f.people[count:]
	for _, c := range f.greedy {
		c.socket.Close()
	}
	return f
}

var sentMark = []byte(`"sent":"`)

func (f *fanOut) heard(frame []byte) {
	_, rest, found := bytes.Cut(frame, sentMark)
	if !found {
		return
	}
	digits, _, _ := bytes.Cut(rest, []byte(`"`))
	sent, err := strconv.ParseInt(string(digits), 10, 64)
	if err != nil {
		f.t.Errorf("%s: %v", frame, err)
	}
	took := time.Since(time.Unix(0, sent))
	f.mu.Lock()
	defer f.mu.Unlock()
	f.took = append(f.took, took)
}

// run publishes for a while, with the greedy connected as said, and returns the 99th percentile of how long frames took to the others.
func (f *fanOut) run(greedy listener.Options) time.Duration {
	f.t.Helper()
	ctx, stop := context.WithCancel(f.t.Context())
	defer stop()
	for _, c := range f.greedy {
		greedy.Site, greedy.Origin, greedy.Session, greedy.Since = f.next, publicOrigin, c.session, 0
		c.socket = listener.Open(ctx, greedy)
		defer c.socket.Close()
	}
	await(f.t, startWait, "all connected", func() bool {
		return !slices.ContainsFunc(f.greedy, func(c *chatter) bool { return !c.socket.Connected() })
	})
	f.mu.Lock()
	f.took = nil
	f.mu.Unlock()
	sent := 0
	large := strings.Repeat("x", 3<<10)
	ticker := time.NewTicker(fanOutTick)
	defer ticker.Stop()
	for begun := time.Now(); time.Since(begun) < fanOutFor; <-ticker.C {
		pipeline := f.redis.Pipeline()
		for range eachTick {
			f.publish(pipeline, f.people[sent%len(f.people)], "")
			sent++
		}
		for i := range greedyTick {
			f.publish(pipeline, f.greedy[i%len(f.greedy)], large)
		}
		_, err := pipeline.Exec(ctx)
		require.NoError(f.t, err)
	}
	await(f.t, startWait, "all heard", func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return len(f.took) == sent
	})
	slices.Sort(f.took)
	return f.took[len(f.took)*99/100]
}

// publish sends a frame that is in no log, as typing is.
func (f *fanOut) publish(pipeline redis.Pipeliner, to *chatter, filling string) {
	mark := ""
	if filling == "" {
		mark = `"sent":"` + strconv.FormatInt(time.Now().UnixNano(), 10) + `",`
	}
	pipeline.Publish(f.t.Context(), "rt:u:"+to.id.String(),
		`{"v":1,"id":"`+to.id.String()+`","type":"typing","ts":"2026-01-01T00:00:00Z","data":{`+mark+`"text":"`+filling+`"}}`)
}

func median(list []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}
