package api

import (
	"context"
	"log/slog"
	"strings"
)

// acceptFailed begins what net/http logs when it cannot accept a connection.
const acceptFailed = "http: Accept error"

// serverLog handles what net/http logs. That connections cannot be accepted, usually for lack of
// file descriptors, keeps its level. Everything else is about single connections and caused by
// clients, so it is logged at debug level.
type serverLog struct{ slog.Handler }

// Handle passes a record on, at the level it is worth.
func (h serverLog) Handle(ctx context.Context, record slog.Record) error {
	if !strings.HasPrefix(record.Message, acceptFailed) {
		record.Level = slog.LevelDebug
	}
	if !h.Enabled(ctx, record.Level) {
		return nil
	}
	return h.Handler.Handle(ctx, record)
}
