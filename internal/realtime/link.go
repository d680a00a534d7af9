package realtime

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

// Timeouts of a Link. go-redis pings an idle subscription but never waits for the reply, so a
// silently broken connection looks alive forever: the link treats silence longer than a few pings
// as a failure.
const (
	pingAfter   = 2 * time.Second
	silenceMax  = 6 * time.Second
	probeEvery  = 10 * time.Second
	probeWait   = 5 * time.Second
	reopenPause = 500 * time.Millisecond
)

// homeChannel is a channel that each part of a cluster has and nobody publishes to.
const homeChannel = "rt:home"

var (
	errSilent       = errors.New("realtime: Redis says nothing")
	errNotDelivered = errors.New("realtime: what is published does not arrive")
	errReplaced     = errors.New("realtime: the connection was replaced")
	errMoved        = errors.New("realtime: the channels have moved to another server of the cluster")
)

// Link is a process's subscription to Redis: one connection, or in Redis Cluster one for each part
// of the channels. It carries the fixed channels and those of the users connected to this process,
// and reconnects whenever it breaks or falls silent. Messages published while it is down are lost;
// readers recover them from the log.
type Link struct {
	bus      bus
	log      *slog.Logger
	handlers map[string]func(payload []byte)
	parts    []*part
	healthy  atomic.Bool
	open     atomic.Int64 // number of parts whose channels are all subscribed
	opened   atomic.Int64 // number of completed subscriptions
	receiver Receiver
}

// part is the connection for a part of the channels.
type part struct {
	link     *Link
	number   int
	fixed    []string // channels with a handler
	users    userChannels
	probe    string // this part's own channel
	probed   chan struct{}
	received atomic.Int64 // number of messages
	open     atomic.Bool
}

// Receiver handles what a Link receives for users. *Hub implements it.
type Receiver interface {
	// ReceiveFrame is called with each message of a user's channel, in the order of publication. It
	// blocks all further messages until it returns.
	ReceiveFrame(userID uuid.UUID, payload string)
	// Resubscribed is called each time the subscription has been established: messages may have
	// been missed before.
	Resubscribed()
}

// NewLink returns a Link. It connects when Run is called.
func NewLink(client redis.UniversalClient, log *slog.Logger) *Link {
	l := &Link{bus: newBus(client), log: log, handlers: map[string]func([]byte){}}
	probe := "rt:probe:" + uuid.Must(uuid.NewV7()).String()
	for number := range l.bus.parts {
		p := &part{link: l, number: number, probe: probe, probed: make(chan struct{}, 1)}
		p.users.init()
		l.parts = append(l.parts, p)
	}
	return l
}

// Handle registers f for the messages of a channel. It must be called before Run, at most once per
// channel. f must not block: it delays all further messages.
func (l *Link) Handle(channel string, f func(payload []byte)) {
	if _, taken := l.handlers[channel]; taken {
		panic("realtime: channel " + channel + " has a handler")
	}
	l.handlers[channel] = f
	p := l.parts[l.bus.partOf(channel)]
	p.fixed = append(p.fixed, channel)
}

// HandleSettled registers a handler for the operations announced by Redis.OperationSettled. The
// conditions of Handle apply.
func (l *Link) HandleSettled(settled func(uuid.UUID)) {
	l.Handle(settledChannel, func(payload []byte) {
		if id, err := uuid.ParseBytes(payload); err == nil {
			settled(id)
		}
	})
}

// Healthy reports whether all channels are subscribed and messages are arriving.
func (l *Link) Healthy() bool { return l.healthy.Load() }

// Run keeps the link connected until ctx ends and delivers messages of users' channels to the
// receiver. It may be called only once.
func (l *Link) Run(ctx context.Context, receiver Receiver) {
	l.receiver = receiver
	for first := true; ctx.Err() == nil; first = false {
		err := l.serve(ctx)
		if ctx.Err() != nil {
			return
		}
		if l.healthy.Swap(false) || first {
			l.log.Warn("realtime: lost Redis, trying again", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(reopenPause):
		}
	}
}

// serve opens the subscriptions and returns when one fails.
func (l *Link) serve(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	l.open.Store(0)
	var group sync.WaitGroup
	for _, p := range l.parts {
		p.open.Store(false)
		group.Go(func() { stop(p.serve(ctx)) })
	}
	group.Wait()
	return context.Cause(ctx)
}

// partOpened is called when a part has subscribed to all its channels.
func (l *Link) partOpened() {
	if l.open.Add(1) == int64(len(l.parts)) {
		l.healthy.Store(true)
		l.opened.Add(1)
		l.receiver.Resubscribed()
	}
}

// usersOf returns the channels of the part that the user's channel belongs to.
func (l *Link) usersOf(userID uuid.UUID) *userChannels {
	return &l.parts[l.bus.partOf(userChannel(userID))].users
}

// serve opens the part's subscription and returns when it fails.
func (p *part) serve(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	sub := p.link.bus.open(ctx, p.number)
	defer func() { _ = sub.Close() }()
	defer context.AfterFunc(ctx, func() { _ = sub.Close() })()
	if p.link.bus.sharded() {
		// The first channel decides which server the connection is made to.
		if err := sub.subscribe(ctx, homeChannel); err != nil {
			return err
		}
	}
	var group sync.WaitGroup
	group.Go(func() { stop(p.subscribe(ctx, sub)) })
	group.Go(func() { stop(p.probeRegularly(ctx)) })
	stop(p.receive(ctx, sub))
	group.Wait()
	return context.Cause(ctx)
}

// subscribe subscribes to all channels, then applies changes until ctx ends. The probe channel
// comes last: Redis confirms subscriptions in order, so its confirmation implies that of all
// others.
func (p *part) subscribe(ctx context.Context, sub subscription) error {
	p.users.reopened()
	if len(p.fixed) > 0 {
		if err := sub.subscribe(ctx, p.fixed...); err != nil {
			return err
		}
	}
	if err := p.users.write(ctx, sub); err != nil {
		return err
	}
	if err := sub.subscribe(ctx, p.probe); err != nil {
		return err
	}
	idle := time.NewTicker(unsubscribeAfter)
	defer idle.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-p.users.wanted:
		case <-idle.C:
			p.users.releaseIdle()
		}
		if err := p.users.write(ctx, sub); err != nil {
			return err
		}
	}
}

func (p *part) receive(ctx context.Context, sub subscription) error {
	var silence time.Duration
	for {
		received, err := sub.ReceiveTimeout(ctx, pingAfter)
		switch {
		case isTimeout(err) && ctx.Err() == nil:
			if silence += pingAfter; silence >= silenceMax {
				return errSilent
			}
			if err := sub.Ping(ctx); err != nil {
				return err
			}
			continue
		case err != nil:
			return err
		}
		silence = 0
		switch m := received.(type) {
		case *redis.Message:
			p.dispatch(p.link.bus.named(m.Channel), m.Payload)
		case *redis.Subscription:
			if err := p.confirmed(m); err != nil {
				return err
			}
		}
	}
}

func (p *part) dispatch(channel, payload string) {
	p.received.Add(1)
	if channel == p.probe {
		select {
		case p.probed <- struct{}{}:
		default:
		}
		return
	}
	if user, isUser := strings.CutPrefix(channel, userPrefix); isUser {
		if id, err := uuid.Parse(user); err == nil {
			p.link.receiver.ReceiveFrame(id, payload)
		}
	} else if handle := p.link.handlers[channel]; handle != nil {
		handle([]byte(payload))
	}
}

// confirmed handles Redis's confirmation of a subscription. A second confirmation of the probe
// channel means that go-redis has replaced the connection by itself, and the end of a subscription
// that the part has moved to another server. Messages may be lost then, so both are treated as
// failures.
func (p *part) confirmed(s *redis.Subscription) error {
	channel := p.link.bus.named(s.Channel)
	switch {
	case s.Kind == "sunsubscribe" && channel == p.probe:
		return errMoved
	case s.Kind != "subscribe" && s.Kind != "ssubscribe":
		return nil
	case channel == p.probe:
		if p.open.Swap(true) {
			return errReplaced
		}
		p.link.partOpened()
		return nil
	}
	if user, isUser := strings.CutPrefix(channel, userPrefix); isUser {
		if id, err := uuid.Parse(user); err == nil {
			p.users.confirm(id)
		}
	}
	return nil
}

// probeRegularly publishes to the probe channel and fails if neither the probe nor any other
// message arrives: a link may answer pings and deliver nothing. A failure to publish is ignored
// here; receive notices a broken connection.
func (p *part) probeRegularly(ctx context.Context) error {
	ticker := time.NewTicker(probeEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-p.probed: // a late probe
			continue
		case <-ticker.C:
		}
		received := p.received.Load()
		if !p.open.Load() || p.link.bus.publish(ctx, p.link.bus.client, p.number, p.probe, "").Err() != nil {
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-p.probed:
		case <-time.After(probeWait):
			if p.received.Load() == received {
				return errNotDelivered
			}
		}
	}
}

func isTimeout(err error) bool {
	t, ok := err.(interface{ Timeout() bool })
	return ok && t.Timeout()
}
