package realtime

import "time"

// WaitForRedis has sockets that join wait so long for a subscription; to be called while none does.
func (h *Hub) WaitForRedis(d time.Duration) { h.joinWait = d }

// Hurry lets a Presence that does not run yet do everything many times as fast.
func (p *Presence) Hurry() {
	p.pace = pace{
		turn: 5 * time.Millisecond, gather: 20 * time.Millisecond, grace: 300 * time.Millisecond, refresh: 100 * time.Millisecond,
		retry: 50 * time.Millisecond, expire: time.Second,
	}
}
