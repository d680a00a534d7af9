package realtime

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
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

var (
	errSilent       = errors.New("realtime: no traffic from Redis within the timeout")
	errNotDelivered = errors.New("realtime: what is published does not arrive")
	errReplaced     = errors.New("realtime: the connection was replaced")
)

// Link is a process's subscription to Redis, over one connection. It carries the fixed channels and
// those of the users connected to this process, and reconnects whenever it breaks or falls silent.
// Messages published while it is down are lost; readers recover them from the log.
type Link struct {
	client   *redis.Client
	log      *slog.Logger
	handlers map[string]func(payload []byte)
	users    userChannels
	probe    string // the link's own channel
	probed   chan struct{}
	received atomic.Int64 // number of messages
	healthy  atomic.Bool
	open     atomic.Bool  // whether all channels of the connection are subscribed
	opened   atomic.Int64 // number of completed subscriptions
	receiver Receiver
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
func NewLink(client *redis.Client, log *slog.Logger) *Link {
	l := &Link{
		client: client, log: log, handlers: map[string]func([]byte){},
		probe: "rt:probe:" + uuid.Must(uuid.NewV7()).String(), probed: make(chan struct{}, 1),
	}
	l.users.init()
	return l
}

// Handle registers f for the messages of a channel. It must be called before Run, at most once per
// channel. f must not block: it delays all further messages.
func (l *Link) Handle(channel string, f func(payload []byte)) {
	if _, taken := l.handlers[channel]; taken {
		panic("realtime: channel " + channel + " has a handler")
	}
	l.handlers[channel] = f
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

// serve opens the subscription and returns when it fails.
func (l *Link) serve(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	l.open.Store(false)
	sub := l.client.Subscribe(ctx)
	defer func() { _ = sub.Close() }()
	defer context.AfterFunc(ctx, func() { _ = sub.Close() })()
	var group sync.WaitGroup
	group.Go(func() { stop(l.subscribe(ctx, sub)) })
	group.Go(func() { stop(l.probeRegularly(ctx)) })
	stop(l.receive(ctx, sub))
	group.Wait()
	return context.Cause(ctx)
}

// subscribe subscribes to all channels, then applies changes until ctx ends. The probe channel
// comes last: Redis confirms subscriptions in order, so its confirmation implies that of all
// others.
func (l *Link) subscribe(ctx context.Context, sub *redis.PubSub) error {
	l.users.reopened()
	if len(l.handlers) > 0 {
		if err := sub.Subscribe(ctx, slices.Sorted(maps.Keys(l.handlers))...); err != nil {
			return err
		}
	}
	if err := l.users.write(ctx, sub); err != nil {
		return err
	}
	if err := sub.Subscribe(ctx, l.probe); err != nil {
		return err
	}
	idle := time.NewTicker(unsubscribeAfter)
	defer idle.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-l.users.wanted:
		case <-idle.C:
			l.users.releaseIdle()
		}
		if err := l.users.write(ctx, sub); err != nil {
			return err
		}
	}
}

func (l *Link) receive(ctx context.Context, sub *redis.PubSub) error {
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
			l.dispatch(m.Channel, m.Payload)
		case *redis.Subscription:
			if err := l.confirmed(m); err != nil {
				return err
			}
		}
	}
}

func (l *Link) dispatch(channel, payload string) {
	l.received.Add(1)
	if channel == l.probe {
		select {
		case l.probed <- struct{}{}:
		default:
		}
		return
	}
	if user, isUser := strings.CutPrefix(channel, userPrefix); isUser {
		if id, err := uuid.Parse(user); err == nil {
			l.receiver.ReceiveFrame(id, payload)
		}
	} else if handle := l.handlers[channel]; handle != nil {
		handle([]byte(payload))
	}
}

// confirmed handles Redis's confirmation of a subscription. A second confirmation of the probe
// channel means that go-redis has replaced the connection by itself. Messages may be lost then, so
// it is treated as a failure.
func (l *Link) confirmed(s *redis.Subscription) error {
	switch {
	case s.Kind != "subscribe":
		return nil
	case s.Channel == l.probe:
		if l.open.Swap(true) {
			return errReplaced
		}
		l.healthy.Store(true)
		l.opened.Add(1)
		l.receiver.Resubscribed()
		return nil
	}
	if user, isUser := strings.CutPrefix(s.Channel, userPrefix); isUser {
		if id, err := uuid.Parse(user); err == nil {
			l.users.confirm(id)
		}
	}
	return nil
}

// probeRegularly publishes to the probe channel and fails if neither the probe nor any other
// message arrives: a link may answer pings and deliver nothing. A failure to publish is ignored
// here; receive notices a broken connection.
func (l *Link) probeRegularly(ctx context.Context) error {
	ticker := time.NewTicker(probeEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-l.probed: // a late probe
			continue
		case <-ticker.C:
		}
		received := l.received.Load()
		if !l.open.Load() || l.client.Publish(ctx, l.probe, "").Err() != nil {
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-l.probed:
		case <-time.After(probeWait):
			if l.received.Load() == received {
				return errNotDelivered
			}
		}
	}
}

func isTimeout(err error) bool {
	t, ok := err.(interface{ Timeout() bool })
	return ok && t.Timeout()
}
