package ratelimit

// Kept returns the number of buckets kept in this process.
func (l *Limiter) Kept() int {
	l.local.mu.Lock()
	defer l.local.mu.Unlock()
	return len(l.local.full)
}
