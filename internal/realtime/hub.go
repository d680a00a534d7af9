package realtime

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/olahol/melody"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
)

// ErrGarbage is returned by Hooks.Receive for an unknown frame type.
var ErrGarbage = errors.New("realtime: unknown frame")

// Hooks are callbacks for socket events; nil ones are skipped. They are called without locks and
// must not block for long. Joined, Left and Socket are called from one goroutine, in the order of
// the events; Receive is called from the socket's own goroutine.
type Hooks struct {
	// Joined is called when a user's first socket on this node is live, after its hello.
	Joined func(Identity)
	// Left is called when a user's last live socket on this node has closed.
	Left func(userID uuid.UUID)
	// Socket is called for each further live socket of a user: it needs the current presence.
	Socket func(userID uuid.UUID)
	// Receive handles every client frame except ping. A *fault.Error is sent back as a problem
	// frame, ErrGarbage closes the socket with 4004, and any other error is logged as a server
	// error.
	Receive func(ctx context.Context, p Identity, frameType string, data json.RawMessage) error
}

// Limits bound the resources of one client.
type Limits struct {
	Sockets    int        // per user on this node; one more closes the oldest
	FrameBytes int64      // size of a client's frame
	Frames     rate.Limit // client frames per second
	FrameBurst int        // client frames at once
}

// Options are the dependencies of a Hub. All are required except Hooks.
type Options struct {
	DB postgres.Querier
	// Clock stamps the frames that the hub creates. Timeouts use the machine's time.
	Clock   clock.Clock
	Hooks   Hooks
	Limits  Limits
	Link    *Link
	Logger  *slog.Logger
	Metrics prometheus.Registerer
	// Sessions returns those of the given sessions that are still valid, and whether each belongs
	// to an admin.
	Sessions func(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]bool, error)
}

// Hub holds the sockets of this process and delivers each user's events to them: through Redis
// within milliseconds, and from the log whatever Redis lost. It is safe for concurrent use.
type Hub struct {
	opts      Options
	db        postgres.Querier
	link      *Link
	log       *slog.Logger
	index     *index
	metrics   *metrics
	calls     callQueue
	backfills backfillQueue
	checkNow  chan struct{}
	queues    [dispatchers]chan delivery
	buffers   sync.Pool // write buffers, shared by all sockets
	joins     *semaphore.Weighted
	joinWait  time.Duration

	// work is the context of the sockets' database calls. Sockets outlive the requests that opened
	// them; work ends with the hub.
	work     context.Context
	stopWork context.CancelFunc

	mu      sync.Mutex
	pump    *melody.Melody // nil while the hub accepts no sockets
	pumping sync.WaitGroup // open connections
}

// Dispatchers deliver frames from the link to sockets. Each serves a share of the users and
// preserves the order of each user's frames.
const (
	dispatchers   = 4
	dispatchQueue = 1024
)

// delivery is a frame as received from Redis.
type delivery struct {
	userID  uuid.UUID
	payload string
}

// New returns a Hub that accepts sockets once Run is called. It registers handlers for the link's
// admin and control channels, and the link's Run must be given this hub, so a link serves one hub.
// New fails if the metrics are already registered.
func New(o Options) (*Hub, error) {
	h := &Hub{
		opts: o, db: o.DB, link: o.Link, log: o.Logger, index: newIndex(),
		checkNow: make(chan struct{}, 1), calls: callQueue{wake: make(chan struct{}, 1)}, backfills: newBackfillQueue(),
		joins: semaphore.NewWeighted(maxJoins), joinWait: joinWait,
	}
	h.work, h.stopWork = context.WithCancel(context.Background())
	for i := range h.queues {
		h.queues[i] = make(chan delivery, dispatchQueue)
	}
	h.metrics = newMetrics(h)
	if err := o.Metrics.Register(h.metrics); err != nil {
		return nil, err
	}
	h.link.Handle(adminsChannel, h.sendToAdmins)
	h.link.Handle(controlChannel, h.control)
	return h, nil
}

// Run serves sockets until ctx ends, then aborts those that remain. Call Drain first. Run may be
// called only once.
func (h *Hub) Run(ctx context.Context) {
	h.mu.Lock()
	h.pump = h.newPump()
	pump := h.pump
	h.mu.Unlock()
	var group sync.WaitGroup
	for _, queue := range h.queues {
		group.Go(func() { h.deliverAll(ctx, queue) })
	}
	group.Go(func() { h.backfill(ctx) })
	group.Go(func() { h.checkRegularly(ctx) })
	group.Go(func() { h.recheckRegularly(ctx) })
	group.Go(func() { h.calls.run(ctx) })
	<-ctx.Done()
	h.stopAccepting()
	h.abort()
	h.pumping.Wait()
	_ = pump.Close() // last: it hangs while sockets connect or disconnect
	group.Wait()
	h.calls.flush()
}

// stopAccepting makes Join reject further sockets.
func (h *Hub) stopAccepting() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.pump = nil
}

// abort closes all connections immediately. Sockets that are not in the index yet abort themselves,
// see connected.
func (h *Hub) abort() {
	h.stopWork()
	for _, k := range h.index.all() {
		k.conn.abort()
	}
}

// Send sends a frame to the user's sockets on this node. The frame has no seq and is not in the
// log; sockets that are still joining do not receive it.
func (h *Hub) Send(userID uuid.UUID, frameType string, data any) {
	sockets := h.index.sockets(userID)
	if len(sockets) == 0 {
		return
	}
	frame, err := h.encode(frameType, data)
	if err != nil {
		h.log.Error("realtime: frame not encoded", "type", frameType, "error", err)
		return
	}
	for _, k := range sockets {
		k.enqueueUnsequenced(frame)
	}
}

// Users returns the users who have a live socket on this node.
func (h *Hub) Users() []uuid.UUID { return h.index.live() }

// EndSessions closes the sockets whose identity matches, because their session has ended.
func (h *Hub) EndSessions(match func(Identity) bool) {
	for _, k := range h.index.all() {
		if match(k.identity()) {
			k.close(closeEnded, "session ended")
		}
	}
}

// encode returns an encoded frame without a seq.
func (h *Hub) encode(frameType string, data any) ([]byte, error) {
	encoded, err := json.Marshal(data)
	if err != nil {
		return nil, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return nil, err
	}
	return json.Marshal(Frame{Version: Version, ID: id, Type: frameType, At: h.opts.Clock.Now(), Data: encoded})
}
