package realtime

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/olahol/melody"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/semaphore"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/ratelimit"
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
	Sockets    int   // per user on this node; one more closes the oldest
	FrameBytes int64 // size of a client's frame
	Frames     ratelimit.Rate
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

const shards = 64

// index maps users to their sockets. It returns immutable slices, so that callers need no lock.
type index struct {
	shards [shards]shard
}

type shard struct {
	mu    sync.RWMutex
	users map[uuid.UUID]connected
}

// connected holds a user's sockets on this node, oldest first.
type connected struct {
	sockets []*socket
	live    int // sockets that are ready
}

func newIndex() *index {
	x := &index{}
	for i := range x.shards {
		x.shards[i].users = map[uuid.UUID]connected{}
	}
	return x
}

// of returns the shard of a user. The last byte of an id is random, also in time-ordered ids.
func (x *index) of(userID uuid.UUID) *shard { return &x.shards[userID[len(userID)-1]%shards] }

// sockets returns all sockets of a user.
func (x *index) sockets(userID uuid.UUID) []*socket {
	s := x.of(userID)
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.users[userID].sockets
}

// add adds a socket. It returns the user's oldest sockets beyond most; they stay in the index until
// removed.
func (x *index) add(k *socket, most int) (tooMany []*socket) {
	s := x.of(k.userID)
	s.mu.Lock()
	defer s.mu.Unlock()
	user := s.users[k.userID]
	user.sockets = append(slices.Clip(user.sockets), k)
	s.users[k.userID] = user
	return user.sockets[:max(0, len(user.sockets)-most)]
}

// markReady records that a socket has sent hello and calls then with whether it is its user's
// first. Calls to then are ordered per user with those of remove. It does nothing if the socket has
// been removed.
func (x *index) markReady(k *socket, then func(first bool)) {
	s := x.of(k.userID)
	s.mu.Lock()
	defer s.mu.Unlock()
	user := s.users[k.userID]
	if !slices.Contains(user.sockets, k) {
		return
	}
	k.counted = true
	user.live++
	s.users[k.userID] = user
	then(user.live == 1)
}

// remove removes a socket and calls then if it was the last ready one of its user.
func (x *index) remove(k *socket, then func()) {
	s := x.of(k.userID)
	s.mu.Lock()
	defer s.mu.Unlock()
	user := s.users[k.userID]
	others := make([]*socket, 0, len(user.sockets))
	for _, other := range user.sockets {
		if other != k {
			others = append(others, other)
		}
	}
	user.sockets = others
	if k.counted {
		if user.live--; user.live == 0 {
			then()
		}
	}
	if len(others) == 0 {
		delete(s.users, k.userID)
		return
	}
	s.users[k.userID] = user
}

// all returns every socket.
func (x *index) all() []*socket {
	var list []*socket
	for i := range x.shards {
		s := &x.shards[i]
		s.mu.RLock()
		for _, user := range s.users {
			list = append(list, user.sockets...)
		}
		s.mu.RUnlock()
	}
	return list
}

// live returns the users who have a ready socket.
func (x *index) live() []uuid.UUID {
	list := []uuid.UUID{}
	for i := range x.shards {
		s := &x.shards[i]
		s.mu.RLock()
		for userID, user := range s.users {
			if user.live > 0 {
				list = append(list, userID)
			}
		}
		s.mu.RUnlock()
	}
	return list
}

// size returns the number of users and sockets.
func (x *index) size() (users, sockets int) {
	for i := range x.shards {
		s := &x.shards[i]
		s.mu.RLock()
		users += len(s.users)
		for _, user := range s.users {
			sockets += len(user.sockets)
		}
		s.mu.RUnlock()
	}
	return users, sockets
}

// recheckEvery bounds how long a socket outlives its session if Redis loses the control message.
const recheckEvery = time.Minute

// ReceiveFrame passes a frame from Redis to the user's dispatcher. It blocks while that
// dispatcher's queue is full. This blocks the link too, so a process that cannot keep up does not
// run out of memory.
func (h *Hub) ReceiveFrame(userID uuid.UUID, payload string) {
	select {
	case h.queues[userID[len(userID)-1]%dispatchers] <- delivery{userID, payload}:
	case <-h.work.Done():
	}
}

func (h *Hub) deliverAll(ctx context.Context, queue <-chan delivery) {
	for {
		select {
		case <-ctx.Done():
			return
		case d := <-queue:
			h.deliver(d)
		}
	}
}

func (h *Hub) deliver(d delivery) {
	sockets := h.index.sockets(d.userID)
	if len(sockets) == 0 {
		return
	}
	frame, behind := []byte(d.payload), false
	var head struct{ Seq int64 }
	if json.Unmarshal(frame, &head) != nil {
		head.Seq = 0
	}
	for _, k := range sockets {
		if head.Seq == 0 {
			k.enqueueUnsequenced(frame)
		} else if k.enqueueSequenced(head.Seq, frame) {
			behind = true
		}
	}
	if behind {
		h.backfills.add(d.userID, 0)
	}
}

func (h *Hub) sendToAdmins(frame []byte) {
	for _, k := range h.index.all() {
		if k.admin.Load() {
			k.enqueueUnsequenced(frame)
		}
	}
}

// control handles messages about ended sessions.
func (h *Hub) control(payload []byte) {
	var c control
	if err := json.Unmarshal(payload, &c); err != nil {
		h.log.Warn("realtime: strange control message", "error", err)
		return
	}
	h.EndSessions(c.ends)
}

// recheckRegularly closes the sockets of ended sessions and updates which users are admins.
func (h *Hub) recheckRegularly(ctx context.Context) {
	ticker := time.NewTicker(recheckEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := h.Recheck(ctx); err != nil && ctx.Err() == nil {
			h.log.Warn("realtime: sessions not checked", "error", err)
		}
	}
}

// Recheck checks all sessions once. Run does so every minute.
func (h *Hub) Recheck(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	sockets := h.index.all()
	if len(sockets) == 0 {
		return nil
	}
	ids := make([]uuid.UUID, len(sockets))
	for i, k := range sockets {
		ids[i] = k.sessionID
	}
	admins, err := h.opts.Sessions(ctx, ids)
	if err != nil {
		return err
	}
	for _, k := range sockets {
		admin, lives := admins[k.sessionID]
		k.admin.Store(admin)
		if !lives {
			k.close(closeEnded, "session ended")
		}
	}
	return nil
}

// callQueue calls functions sequentially, in the order in which they were added.
type callQueue struct {
	wake chan struct{}

	mu    sync.Mutex
	calls []func()
}

// add never blocks, so it may be called with locks held.
func (q *callQueue) add(call func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.calls = append(q.calls, call)
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func (q *callQueue) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-q.wake:
			q.flush()
		}
	}
}

func (q *callQueue) flush() {
	q.mu.Lock()
	calls := q.calls
	q.calls = nil
	q.mu.Unlock()
	for _, call := range calls {
		call()
	}
}
