package realtime

import (
	"context"
	"time"
)

// A drain of 10,000 sockets takes ten seconds, one of a hundred no time.
const (
	drainBatch   = 100
	drainBatches = 100
	drainPause   = 100 * time.Millisecond
)

// Drain lets no further socket in, tells all others to come back, a few at a time so that they do not come back at once, and waits until
// they have gone. When ctx ends, the rest is cut off.
func (h *Hub) Drain(ctx context.Context) {
	h.refuse()
	gone := make(chan struct{})
	go func() {
		h.pumping.Wait()
		close(gone)
	}()
	size := max(drainBatch, (len(h.index.all())+drainBatches-1)/drainBatches)
	pause := time.NewTicker(drainPause)
	defer pause.Stop()
	for {
		h.sendAway(size) // also those that were about to join
		select {
		case <-gone:
			return
		case <-ctx.Done():
			h.cut()
			<-gone
			return
		case <-pause.C:
		}
	}
}

// sendAway closes at most n sockets.
func (h *Hub) sendAway(n int) {
	for _, k := range h.index.all() {
		if n == 0 {
			return
		}
		if !k.ending() {
			k.close(closeRestart, "restarting")
			n--
		}
	}
}
