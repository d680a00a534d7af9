package realtime

import (
	"context"
	"time"
)

// Draining 10,000 sockets takes ten seconds; a hundred are closed at once.
const (
	drainBatch   = 100
	drainBatches = 100
	drainPause   = 100 * time.Millisecond
)

// Drain rejects new sockets, closes the others in batches so that they do not all reconnect at
// once, and waits until they are gone. When ctx ends, it aborts the rest.
func (h *Hub) Drain(ctx context.Context) {
	h.stopAccepting()
	gone := make(chan struct{})
	go func() {
		h.pumping.Wait()
		close(gone)
	}()
	size := max(drainBatch, (len(h.index.all())+drainBatches-1)/drainBatches)
	pause := time.NewTicker(drainPause)
	defer pause.Stop()
	for {
		h.closeBatch(size) // includes sockets that are still joining
		select {
		case <-gone:
			return
		case <-ctx.Done():
			h.abort()
			<-gone
			return
		case <-pause.C:
		}
	}
}

// closeBatch closes at most n sockets.
func (h *Hub) closeBatch(n int) {
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
