package systemtest

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"amanat/internal/devtools/bench/listener"
)

const (
	fanOutFor  = 2 * time.Second
	fanOutTick = 5 * time.Millisecond
	eachTick   = 5        // frames a node to those who read
	greedySize = 16 << 10 // of the frame each tick to those who may not: in all more than the hub and the sockets' buffers hold
)

// One in a hundred clients reads nothing. Each is cut off, and the others hear as soon as those at another node, where at the same time and
// under the same load everybody reads. The nodes change roles, and the median counts, because the machine has other things to do.
//
//nolint:paralleltest // what it times would be the other tests
func TestStalledClientsAreCutAndSlowNobody(t *testing.T) {
	const runs = 7
	s := newSystem(t, released)
	apis := []*process{s.startAPI(), s.startAPI()}
	var crowds []*readers
	for i, api := range apis {
		s.serve(api)
		crowds = append(crowds, openReaders(s, "node"+strconv.Itoa(i)+"-", pairs()/2))
	}
	s.serve(apis...)
	var slower []float64
	for run := range runs {
		stalled, calm := crowds[run%2], crowds[1-run%2]
		before := cuts(apis[run%2])
		fanOut(t, s, map[*readers]bool{stalled: true, calm: false})
		await(t, startWait, "all cut", func() bool { return cuts(apis[run%2]) == before+float64(len(stalled.greedy)) })
		t.Logf("p99 where all read %s, where one in a hundred does not %s", calm.p99(), stalled.p99())
		slower = append(slower, float64(stalled.p99())/float64(calm.p99()))
	}
	slices.Sort(slower)
	require.LessOrEqual(t, slower[runs/2], 1.2, "%.2f", slower)
}

// readers is people at one node, who note how long frames take to them.
type readers struct {
	*gathering
	site   func() string
	greedy []*chatter // one in a hundred, who are sent far more

	mu   sync.Mutex
	took []time.Duration
}

func openReaders(s *system, name string, pairs int) *readers {
	s.t.Helper()
	site := s.next()
	r := &readers{site: func() string { return site }}
	r.gathering = gatherWith(s, name, pairs, r.site, r.heard)
	count := max(1, len(r.people)/100)
	r.greedy, r.people = r.people[:count], r.people[count:]
	for _, c := range r.greedy {
		c.socket.Close()
	}
	return r
}

var sentMark = []byte(`"sent":"`)

func (r *readers) heard(frame []byte) {
	_, rest, found := bytes.Cut(frame, sentMark)
	if !found {
		return
	}
	digits, _, _ := bytes.Cut(rest, []byte(`"`))
	sent, err := strconv.ParseInt(string(digits), 10, 64)
	if err != nil {
		r.t.Errorf("%s: %v", frame, err)
	}
	took := time.Since(time.Unix(0, sent))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.took = append(r.took, took)
}

func (r *readers) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.took)
}

func (r *readers) p99() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	slices.Sort(r.took)
	return r.took[len(r.took)*99/100]
}

// connectGreedy opens the sockets of those who are sent far more.
func (r *readers) connectGreedy(ctx context.Context, stalled bool) {
	r.t.Helper()
	r.took = nil
	for _, c := range r.greedy {
		c.socket = listener.Open(ctx, listener.Options{
			Site: r.site, Origin: publicOrigin, Session: c.session, Stalled: stalled,
		})
	}
	await(r.t, startWait, "all connected", func() bool {
		return !slices.ContainsFunc(r.greedy, func(c *chatter) bool { return !c.socket.Connected() })
	})
}

// fanOut publishes to everybody for a while and waits until all who read have heard. The value tells whether the loadUsers's greedy stall.
func fanOut(t *testing.T, s *system, crowds map[*readers]bool) {
	t.Helper()
	options, err := redis.ParseURL(s.redis.URL)
	require.NoError(t, err)
	client := redis.NewClient(options)
	defer func() { _ = client.Close() }()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for r, stalled := range crowds {
		r.connectGreedy(ctx, stalled)
	}
	large := strings.Repeat("x", greedySize)
	ticker := time.NewTicker(fanOutTick)
	defer ticker.Stop()
	sent := 0
	for begun := time.Now(); time.Since(begun) < fanOutFor; <-ticker.C {
		pipeline := client.Pipeline()
		for range eachTick {
			for r := range crowds {
				publish(ctx, pipeline, r.people[sent%len(r.people)], "")
			}
			sent++
		}
		for r := range crowds {
			for _, c := range r.greedy {
				publish(ctx, pipeline, c, large)
			}
		}
		_, err := pipeline.Exec(ctx)
		require.NoError(t, err)
	}
	for r := range crowds {
		await(t, startWait, "all heard", func() bool { return r.count() == sent })
	}
}

// publish sends a frame that is in no log, as typing is.
func publish(ctx context.Context, pipeline redis.Pipeliner, to *chatter, filling string) {
	mark := ""
	if filling == "" {
		mark = `"sent":"` + strconv.FormatInt(time.Now().UnixNano(), 10) + `",`
	}
	pipeline.Publish(ctx, "rt:u:"+to.id.String(),
		`{"v":1,"id":"`+to.id.String()+`","type":"typing","ts":"2026-01-01T00:00:00Z","data":{`+mark+`"text":"`+filling+`"}}`)
}
