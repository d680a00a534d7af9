package realtime

import "time"

// WaitForRedis sets how long joining sockets wait for a subscription. Call it while none is
// joining.
func (h *Hub) WaitForRedis(d time.Duration) { h.joinWait = d }

// SpeedUp shortens all intervals of a Presence that is not running yet.
func (p *Presence) SpeedUp() {
	p.pace = pace{
		tick: 5 * time.Millisecond, gather: 20 * time.Millisecond, grace: 300 * time.Millisecond, refresh: 100 * time.Millisecond,
		retry: 50 * time.Millisecond, expire: time.Second,
	}
}
