package workers

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// repeatAfter is how often River's client may log the same error.
const repeatAfter = 10 * time.Second

// riverLog returns the log for River's client. What the client reports at INFO, such as the counts
// of jobs every five seconds, is logged at DEBUG. An error that repeats, as each fetch fails while
// the database is away, is logged once in repeatAfter; the next line says how many were omitted.
func riverLog(log *slog.Logger) *slog.Logger {
	return slog.New(quietHandler{Handler: log.Handler(), seen: &seenErrors{last: map[string]time.Time{}, omitted: map[string]int{}}})
}

type quietHandler struct {
	slog.Handler

	seen *seenErrors
}

type seenErrors struct {
	mu      sync.Mutex
	last    map[string]time.Time // by message
	omitted map[string]int
}

// Enabled implements slog.Handler.
func (h quietHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.Handler.Enabled(ctx, quieter(level))
}

// Handle implements slog.Handler.
func (h quietHandler) Handle(ctx context.Context, record slog.Record) error {
	record = record.Clone()
	record.Level = quieter(record.Level)
	if record.Level >= slog.LevelError {
		omitted, log := h.seen.pass(record)
		if !log {
			return nil
		}
		if omitted > 0 {
			record.AddAttrs(slog.Int("omitted", omitted))
		}
	}
	return h.Handler.Handle(ctx, record)
}

// pass reports whether to log an error, and how many like it were omitted before.
func (s *seenErrors) pass(record slog.Record) (omitted int, log bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last, found := s.last[record.Message]; found && record.Time.Sub(last) < repeatAfter {
		s.omitted[record.Message]++
		return 0, false
	}
	omitted = s.omitted[record.Message]
	s.last[record.Message], s.omitted[record.Message] = record.Time, 0
	return omitted, true
}

// WithAttrs implements slog.Handler.
func (h quietHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return quietHandler{h.Handler.WithAttrs(attrs), h.seen}
}

// WithGroup implements slog.Handler.
func (h quietHandler) WithGroup(name string) slog.Handler {
	return quietHandler{h.Handler.WithGroup(name), h.seen}
}

func quieter(level slog.Level) slog.Level {
	if level == slog.LevelInfo {
		return slog.LevelDebug
	}
	return level
}
