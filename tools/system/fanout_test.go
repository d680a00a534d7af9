//go:build soak

package system

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

	"amanat/tools/system/listener"
)

const (
	fanOutFor  = 2 * time.Second
	fanOutTick = 5 * time.Millisecond
	eachTick   = 5 // frames per tick to the reading clients of a node
	// Size of the frame per tick to each stalled client: in total more than the hub and the
	// sockets' buffers hold.
	greedySize = 16 << 10
)

// One in a hundred clients of a node reads nothing. Each is disconnected, and the others receive
// frames as fast as those at another node under the same load, where all read. The nodes alternate,
// and the median counts, because the machine also runs other things.
//
//nolint:paralleltest // what it times would be the other tests
func TestFanOut_stalled_clients(t *testing.T) {
	const runs = 7
	s := newSystem(t, released)
	apis := []*process{s.startAPI(), s.startAPI()}
	var groups []*readers
	for i, api := range apis {
		s.serve(api)
		groups = append(groups, openReaders(s, "node"+strconv.Itoa(i)+"-", pairs/2))
	}
	s.serve(apis...)
	var slower []float64
	for run := range runs {
		stalled, calm := groups[run%2], groups[1-run%2]
		before := slowCloses(apis[run%2])
		fanOut(t, s, map[*readers]bool{stalled: true, calm: false})
		await(t, startWait, "all cut", func() bool { return slowCloses(apis[run%2]) == before+float64(len(stalled.greedy)) })
		t.Logf("p99 where all read %s, where one in a hundred does not %s", calm.p99(), stalled.p99())
		slower = append(slower, float64(stalled.p99())/float64(calm.p99()))
	}
	slices.Sort(slower)
	require.LessOrEqual(t, slower[runs/2], 1.2, "%.2f", slower)
}

// readers is users at one node who record the latencies of frames.
type readers struct {
	*chatLoad
	site   func() string
	greedy []*chatUser // one in a hundred, which receive far more

	mu   sync.Mutex
	took []time.Duration
}

func openReaders(s *system, name string, pairs int) *readers {
	s.t.Helper()
	site := s.next()
	r := &readers{site: func() string { return site }}
	r.chatLoad = newChatLoadAt(s, name, pairs, r.site, r.heard)
	count := max(1, len(r.users)/100)
	r.greedy, r.users = r.users[:count], r.users[count:]
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

// connectGreedy opens the sockets of the users who receive far more.
func (r *readers) connectGreedy(ctx context.Context, stalled bool) {
	r.t.Helper()
	r.took = nil
	for _, c := range r.greedy {
		c.socket = listener.Open(ctx, listener.Options{
			Site: r.site, Origin: publicOrigin, Session: c.session, Stalled: stalled,
		})
	}
	await(r.t, startWait, "all connected", func() bool {
		return !slices.ContainsFunc(r.greedy, func(c *chatUser) bool { return !c.socket.Connected() })
	})
}

// fanOut publishes frames to all users for a while and waits until all reading ones have received
// them. The values of groups tell whether the group's greedy users stall.
func fanOut(t *testing.T, s *system, groups map[*readers]bool) {
	t.Helper()
	options, err := redis.ParseURL(s.redis.URL)
	require.NoError(t, err)
	client := redis.NewClient(options)
	defer func() { _ = client.Close() }()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for r, stalled := range groups {
		r.connectGreedy(ctx, stalled)
	}
	large := strings.Repeat("x", greedySize)
	ticker := time.NewTicker(fanOutTick)
	defer ticker.Stop()
	sent := 0
	for begun := time.Now(); time.Since(begun) < fanOutFor; <-ticker.C {
		pipeline := client.Pipeline()
		for range eachTick {
			for r := range groups {
				publish(ctx, pipeline, r.users[sent%len(r.users)], "")
			}
			sent++
		}
		for r := range groups {
			for _, c := range r.greedy {
				publish(ctx, pipeline, c, large)
			}
		}
		_, err := pipeline.Exec(ctx)
		require.NoError(t, err)
	}
	for r := range groups {
		await(t, startWait, "all heard", func() bool { return r.count() == sent })
	}
}

// publish publishes a frame without a sequence number, like a typing event.
func publish(ctx context.Context, pipeline redis.Pipeliner, to *chatUser, filling string) {
	mark := ""
	if filling == "" {
		mark = `"sent":"` + strconv.FormatInt(time.Now().UnixNano(), 10) + `",`
	}
	pipeline.Publish(ctx, "rt:u:"+to.id.String(),
		`{"v":1,"id":"`+to.id.String()+`","type":"typing","ts":"2026-01-01T00:00:00Z","data":{`+mark+`"text":"`+filling+`"}}`)
}
