package ratelimit

// Kept returns how many buckets this process remembers.
func (l *Limiter) Kept() int {
	l.local.mu.Lock()
	defer l.local.mu.Unlock()
	return len(l.local.full)
}
