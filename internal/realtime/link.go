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

// What a Link waits for. go-redis pings an idle subscription but never waits for the answer, so a link that died silently looks alive for
// ever: silence longer than a few pings is taken for death.
const (
	pingAfter   = 2 * time.Second
	silenceMax  = 6 * time.Second
	probeEvery  = 10 * time.Second
	probeWait   = 5 * time.Second
	reopenPause = 500 * time.Millisecond
)

var (
	errSilent   = errors.New("realtime: Redis says nothing")
	errDeaf     = errors.New("realtime: what is published does not arrive")
	errReplaced = errors.New("realtime: the connection was replaced")
)

// Link is a process's one subscription to Redis: fixed channels, and those of the users who are connected here. It opens itself again
// whenever it breaks or falls silent. What was published meanwhile is lost: whoever needs it reads the log.
type Link struct {
	client   *redis.Client
	log      *slog.Logger
	handlers map[string]func(payload []byte)
	probe    string // a channel of this process alone
	probed   chan struct{}
	heard    atomic.Int64 // messages
	healthy  atomic.Bool
	opened   atomic.Int64 // how often a subscription became whole

	frame func(userID uuid.UUID, payload string) // of a user's channel
	whole func()                                 // after each opening: things may have been missed

	users userChannels
}

// NewLink returns a Link; nothing is opened until Run.
func NewLink(client *redis.Client, log *slog.Logger) *Link {
	l := &Link{
		client: client, log: log, handlers: map[string]func([]byte){},
		probe: "rt:probe:" + uuid.Must(uuid.NewV7()).String(), probed: make(chan struct{}, 1),
		frame: func(uuid.UUID, string) {}, whole: func() {},
	}
	l.users.init()
	l.Handle(l.probe, func([]byte) {
		select {
		case l.probed <- struct{}{}:
		default:
		}
	})
	return l
}

// Handle has f called with whatever is published on a channel. It must be called before Run, once a channel. f must not block: everything
// else that comes waits for it.
func (l *Link) Handle(channel string, f func(payload []byte)) {
	if _, taken := l.handlers[channel]; taken {
		panic("realtime: channel " + channel + " has a handler")
	}
	l.handlers[channel] = f
}

// HandleSettled has settled called with every operation that Redis.OperationSettled announces, under the conditions of Handle.
func (l *Link) HandleSettled(settled func(uuid.UUID)) {
	l.Handle(settledChannel, func(payload []byte) {
		if id, err := uuid.ParseBytes(payload); err == nil {
			settled(id)
		}
	})
}

// Healthy tells whether all channels are subscribed and the link is heard of.
func (l *Link) Healthy() bool { return l.healthy.Load() }

// Run keeps the link open until ctx ends.
func (l *Link) Run(ctx context.Context) {
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

// serve opens the subscription and returns when it breaks.
func (l *Link) serve(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
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

// subscribe asks for all channels, and for the changes from then on. The channel of probes comes last, so that its confirmation, in the
// order of the requests, is that of all.
func (l *Link) subscribe(ctx context.Context, sub *redis.PubSub) error {
	var fixed []string
	for channel := range l.handlers {
		if channel != l.probe {
			fixed = append(fixed, channel)
		}
	}
	l.users.reopened()
	if len(fixed) > 0 {
		if err := sub.Subscribe(ctx, fixed...); err != nil {
			return err
		}
	}
	if err := l.users.write(ctx, sub); err != nil {
		return err
	}
	if err := sub.Subscribe(ctx, l.probe); err != nil {
		return err
	}
	leave := time.NewTicker(unsubscribeAfter)
	defer leave.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-l.users.wanted:
		case <-leave.C:
			l.users.leave()
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
	l.heard.Add(1)
	if user, isUser := strings.CutPrefix(channel, userPrefix); isUser {
		if id, err := uuid.Parse(user); err == nil {
			l.frame(id, payload)
		}
	} else if handle := l.handlers[channel]; handle != nil {
		handle([]byte(payload))
	}
}

// confirmed notes that Redis has subscribed a channel. When the client library has opened another connection by itself, the channel of
// probes is confirmed a second time: messages are lost, so that is no better than a broken link.
func (l *Link) confirmed(s *redis.Subscription) error {
	if s.Kind != "subscribe" {
		return nil
	}
	if s.Channel == l.probe {
		if l.healthy.Swap(true) {
			return errReplaced
		}
		l.opened.Add(1)
		l.whole()
		return nil
	}
	if user, isUser := strings.CutPrefix(s.Channel, userPrefix); isUser {
		if id, err := uuid.Parse(user); err == nil {
			l.users.confirm(id)
		}
	}
	return nil
}

// probeRegularly publishes and expects to hear of it, or of something else when there is much to hear: a link may answer pings and deliver
// nothing. That nothing can be published is for receive to notice.
func (l *Link) probeRegularly(ctx context.Context) error {
	ticker := time.NewTicker(probeEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-l.probed: // late
			continue
		case <-ticker.C:
		}
		heard := l.heard.Load()
		if !l.Healthy() || l.client.Publish(ctx, l.probe, "").Err() != nil {
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-l.probed:
		case <-time.After(probeWait):
			if l.heard.Load() == heard {
				return errDeaf
			}
		}
	}
}

func isTimeout(err error) bool {
	t, ok := err.(interface{ Timeout() bool })
	return ok && t.Timeout()
}
