package jobs

import (
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"
)

// FetchCooldown is the minimum time between two fetches of a worker, and between two notifications
// from one inserting process. River's default would delay payments.
const FetchCooldown = 3 * time.Millisecond

// NewInserter returns a River client that only inserts. Processes pass the middleware of package
// jobtrace.
func NewInserter(db *pgxpool.Pool, log *slog.Logger, middleware ...rivertype.Middleware) (*river.Client[pgx.Tx], error) {
	return river.NewClient(riverpgxv5.New(db), &river.Config{
		FetchCooldown: FetchCooldown, Logger: log, Middleware: middleware, Schema: Schema,
	})
}
