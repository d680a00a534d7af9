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

	"amanat/internal/clock"
	"amanat/internal/postgres"
)

// ErrGarbage is returned by Hooks.Receive for a frame that it does not know.
var ErrGarbage = errors.New("realtime: unknown frame")

// Hooks are told of sockets. Those that are nil are skipped. They are called with no lock held and must not block for long: Joined, Left
// and Socket are called by one goroutine, so that they come in the order of what happened; Receive by the socket's own.
type Hooks struct {
	Joined func(Person)           // the first socket of the user on this node is live: hello is out
	Left   func(userID uuid.UUID) // the last socket of the user on this node is gone
	Socket func(userID uuid.UUID) // a further socket is live: send it what it must know
	// Receive gets every frame of a client but ping. A *fault.Error is sent back as a problem; after ErrGarbage the socket is closed
	// as garbage; anything else is a failure of ours, which is logged.
	Receive func(ctx context.Context, p Person, frameType string, data json.RawMessage) error
}

// Limits bound what one client may do.
type Limits struct {
	Sockets    int        // of one user on this node; one more closes the oldest
	FrameBytes int64      // of a client's frame
	Frames     rate.Limit // of a client, a second
	FrameBurst int        // at once
}

// Options are the parts a Hub is made of. All are required but Hooks.
type Options struct {
	DB      postgres.Querier
	Clock   clock.Clock // of the business: frames that the hub makes carry its time. What the hub waits for is real time.
	Hooks   Hooks
	Limits  Limits
	Link    *Link
	Logger  *slog.Logger
	Metrics prometheus.Registerer
	// Sessions returns those of the given sessions that live, and whether each is an admin's.
	Sessions func(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]bool, error)
}

// Hub holds the sockets of this process and brings each the events of its user: over Redis within milliseconds, and from the log whatever
// Redis has lost. It is safe for concurrent use.
type Hub struct {
	opts     Options
	db       postgres.Querier
	link     *Link
	log      *slog.Logger
	index    *index
	metrics  *metrics
	calls    callQueue
	overdue  overdue
	checkNow chan struct{}
	queues   [dispatchers]chan delivery
	buffers  sync.Pool // of sockets that are being written to
	joins    *semaphore.Weighted
	joinWait time.Duration

	// work is the context of what sockets do with the database: they outlive the requests that opened them, and end with the hub.
	work     context.Context
	stopWork context.CancelFunc

	mu      sync.Mutex
	pump    *melody.Melody // nil while the hub takes no sockets
	pumping sync.WaitGroup // sockets with a connection
}

// dispatchers bring frames from the link to sockets, each for its share of the users, whose order it keeps.
const (
	dispatchers   = 4
	dispatchQueue = 1024
)

// delivery is a frame as it came from Redis.
type delivery struct {
	userID  uuid.UUID
	payload string
}

// New returns a Hub, which takes no sockets until Run. It gives the link's channels of users, admins and control their meaning, so a link
// is for one hub. It fails when the metrics are registered already.
func New(o Options) (*Hub, error) {
	h := &Hub{
		opts: o, db: o.DB, link: o.Link, log: o.Logger, index: newIndex(),
		checkNow: make(chan struct{}, 1), calls: callQueue{wake: make(chan struct{}, 1)}, overdue: newOverdue(),
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
	h.link.frame, h.link.whole = h.dispatch, h.check
	h.link.Handle(adminsChannel, h.passToAdmins)
	h.link.Handle(controlChannel, h.control)
	return h, nil
}

// Run serves sockets, once, until ctx ends; those that are still there then are cut off. Drain first.
func (h *Hub) Run(ctx context.Context) {
	h.mu.Lock()
	h.pump = h.newPump()
	pump := h.pump
	h.mu.Unlock()
	var group sync.WaitGroup
	for _, queue := range h.queues {
		group.Go(func() { h.deliverAll(ctx, queue) })
	}
	group.Go(func() { h.heal(ctx) })
	group.Go(func() { h.checkRegularly(ctx) })
	group.Go(func() { h.recheckRegularly(ctx) })
	group.Go(func() { h.calls.run(ctx) })
	<-ctx.Done()
	h.refuse()
	h.cut()
	h.pumping.Wait()
	_ = pump.Close() // only now: it hangs while sockets come and go
	group.Wait()
	h.calls.flush()
}

// refuse lets no further socket in.
func (h *Hub) refuse() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.pump = nil
}

// cut ends all connections at once. Sockets that are not in the index yet look by themselves: see connected.
func (h *Hub) cut() {
	h.stopWork()
	for _, k := range h.index.all() {
		k.conn.cut()
	}
}

// Send sends a frame to the user's sockets on this node. It has no seq, is in no log, and is lost to those that are just joining.
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
		k.pass(frame)
	}
}

// Users returns who is connected here.
func (h *Hub) Users() []uuid.UUID { return h.index.live() }

// EndSessions closes the sockets of those who match, because their session is over.
func (h *Hub) EndSessions(match func(Person) bool) {
	for _, k := range h.index.all() {
		if match(k.person()) {
			k.close(closeEnded, "session ended")
		}
	}
}

// encode returns a frame that is in no log.
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
