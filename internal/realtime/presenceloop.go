package realtime

import (
	"bytes"
	"context"
	"hash/fnv"
	"slices"
	"time"

	"github.com/google/uuid"
)

// presenceLoop is the state of Run's goroutine.
type presenceLoop struct {
	*Presence
	sockets   LocalSockets
	redisUp   bool // Redis answers and holds the node's set
	linked    bool // the link is healthy, so announcements arrive
	refreshed time.Time
	round     int // of the refreshes, selects the shard to mark stale
}

// Run maintains the node's set and the users' lists until ctx ends.
func (p *Presence) Run(ctx context.Context, sockets LocalSockets) {
	loop := presenceLoop{Presence: p, sockets: sockets}
	ticker := time.NewTicker(p.pace.tick)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			// Users reconnect to another node within the grace period, or are offline.
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), presenceCall)
			defer cancel()
			p.sets.leave(last, p.pace.grace)
			return
		case now := <-ticker.C:
			loop.tick(ctx, now)
		}
	}
}

func (l *presenceLoop) tick(ctx context.Context, now time.Time) {
	ctx, cancel := context.WithTimeout(ctx, presenceCall)
	defer cancel()
	if healthy := l.channels.Healthy(); healthy != l.linked {
		l.linked = healthy
		l.markAllStale()
	}
	every := l.pace.refresh
	if !l.redisUp {
		every = l.pace.retry
	}
	if now.Sub(l.refreshed) >= every {
		l.refreshed = now
		l.refresh(ctx, now)
	}
	l.applyChanges(ctx, now)
	for users := l.due(now); len(users) > 0 && ctx.Err() == nil; users = l.due(now) {
		l.sendLists(ctx, users)
	}
}

// refresh extends the expiry of the node's set, or recreates it if it has expired.
func (l *presenceLoop) refresh(ctx context.Context, now time.Time) {
	l.reconcile(l.sockets.Users(), now)
	changed, err := l.sets.refresh(ctx, l.pace.expire, l.redisUp, l.localUsers)
	if err != nil {
		l.redisFailed(err)
		return
	}
	if !l.redisUp || changed {
		l.redisUp = true
		l.markAllStale()
	} else {
		l.round++
		l.markShardStale(l.round, staleShards)
	}
}

// redisFailed marks presence as unknown.
func (l *presenceLoop) redisFailed(err error) {
	if l.redisUp {
		l.log.Warn("realtime: presence is not known", "error", err)
	}
	l.redisUp = false
	l.markAllStale()
}

// applyChanges writes connects and disconnects to Redis and announces them to the partners. It does
// nothing while Redis is down: on its return all users are written and sent their lists.
func (l *presenceLoop) applyChanges(ctx context.Context, now time.Time) {
	came, left := l.takeChanges(now)
	if !l.redisUp || len(came)+len(left) == 0 {
		return
	}
	if err := l.sets.change(ctx, came, left); err != nil {
		l.redisFailed(err)
		return
	}
	partners, err := l.partners(ctx, append(came, left...))
	if err != nil { // markShardStale makes up for it
		l.log.Warn("realtime: presence is not announced", "error", err)
		return
	}
	l.announce(union(partners))
}

// sendLists sends users their lists if these have changed.
func (l *presenceLoop) sendLists(ctx context.Context, users []uuid.UUID) {
	if !l.redisUp {
		for _, user := range users {
			l.send(user, nil)
		}
		return
	}
	partners, err := l.partners(ctx, users)
	if err != nil {
		l.log.Warn("realtime: presence is not told", "error", err)
		l.markStale(users)
		return
	}
	online, err := l.sets.online(ctx, union(partners))
	if err != nil {
		l.redisFailed(err)
		return
	}
	for _, user := range users {
		list := []uuid.UUID{}
		for _, partner := range partners[user] {
			if _, is := online[partner]; is {
				list = append(list, partner)
			}
		}
		slices.SortFunc(list, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
		l.send(user, list)
	}
}

// send sends a list; nil means that presence is unknown.
func (l *presenceLoop) send(user uuid.UUID, list []uuid.UUID) {
	digest := fnv.New64a()
	if list == nil {
		_, _ = digest.Write([]byte("unknown"))
	}
	for _, id := range list {
		_, _ = digest.Write(id[:])
	}
	if l.shouldSend(user, digest.Sum64()) {
		l.sockets.Send(user, TypeOnlineUsers, list)
	}
}

// union returns the distinct partners of all users.
func union(partners map[uuid.UUID][]uuid.UUID) []uuid.UUID {
	seen := map[uuid.UUID]struct{}{}
	var all []uuid.UUID
	for _, list := range partners {
		for _, id := range list {
			if _, is := seen[id]; !is {
				seen[id] = struct{}{}
				all = append(all, id)
			}
		}
	}
	return all
}
