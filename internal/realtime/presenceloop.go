package realtime

import (
	"bytes"
	"context"
	"hash/fnv"
	"slices"
	"time"

	"github.com/google/uuid"
)

// presenceLoop is what only Run's goroutine knows.
type presenceLoop struct {
	*Presence
	screens   Screens
	known     bool // Redis answers
	linked    bool // announcements are heard
	refreshed time.Time
	round     int // of the refreshes: whose turn it is to be told afresh
}

// Run keeps the node's set and people's lists until ctx ends.
func (p *Presence) Run(ctx context.Context, screens Screens) {
	loop := presenceLoop{Presence: p, screens: screens}
	ticker := time.NewTicker(p.pace.turn)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			// Who was here comes back elsewhere within the grace, or is gone.
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), presenceCall)
			defer cancel()
			p.sets.leave(last, p.pace.grace)
			return
		case now := <-ticker.C:
			loop.turn(ctx, now)
		}
	}
}

func (l *presenceLoop) turn(ctx context.Context, now time.Time) {
	ctx, cancel := context.WithTimeout(ctx, presenceCall)
	defer cancel()
	if healthy := l.channels.Healthy(); healthy != l.linked {
		l.linked = healthy
		l.outdateAll()
	}
	every := l.pace.refresh
	if !l.known {
		every = l.pace.retry
	}
	if now.Sub(l.refreshed) >= every {
		l.refreshed = now
		l.refresh(ctx, now)
	}
	l.move(ctx, now)
	for users := l.due(now); len(users) > 0 && ctx.Err() == nil; users = l.due(now) {
		l.tell(ctx, users)
	}
}

// refresh keeps the node's set from expiring, and makes it anew when it has.
func (l *presenceLoop) refresh(ctx context.Context, now time.Time) {
	l.reconcile(l.screens.Users(), now)
	changed, err := l.sets.refresh(ctx, l.pace.expire, l.known, l.everybody)
	if err != nil {
		l.lose(err)
		return
	}
	if !l.known || changed {
		l.known = true
		l.outdateAll()
	} else {
		l.round++
		l.outdateShare(l.round, checkShare)
	}
}

// lose is for when Redis does not answer.
func (l *presenceLoop) lose(err error) {
	if l.known {
		l.log.Warn("realtime: presence is not known", "error", err)
	}
	l.known = false
	l.outdateAll()
}

// move writes down who came and left, and tells those who may see it. While Redis is away there is nothing to do: on its return
// everybody is written down and told.
func (l *presenceLoop) move(ctx context.Context, now time.Time) {
	came, left := l.moved(now)
	if !l.known || len(came)+len(left) == 0 {
		return
	}
	if err := l.sets.change(ctx, came, left); err != nil {
		l.lose(err)
		return
	}
	partners, err := l.partners(ctx, append(came, left...))
	if err != nil { // in time everybody is told anyway
		l.log.Warn("realtime: presence is not announced", "error", err)
		return
	}
	l.announce(union(partners))
}

// tell sends people their lists, if these are new.
func (l *presenceLoop) tell(ctx context.Context, users []uuid.UUID) {
	if !l.known {
		for _, user := range users {
			l.send(user, nil)
		}
		return
	}
	partners, err := l.partners(ctx, users)
	if err != nil {
		l.log.Warn("realtime: presence is not told", "error", err)
		l.outdate(users)
		return
	}
	online, err := l.sets.online(ctx, union(partners))
	if err != nil {
		l.lose(err)
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

// send sends a list, nil for one that is not known.
func (l *presenceLoop) send(user uuid.UUID, list []uuid.UUID) {
	digest := fnv.New64a()
	if list == nil {
		_, _ = digest.Write([]byte("unknown"))
	}
	for _, id := range list {
		_, _ = digest.Write(id[:])
	}
	if l.news(user, digest.Sum64()) {
		l.screens.Send(user, TypeOnlineUsers, list)
	}
}

// union returns everybody that anybody has as a partner, once.
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
