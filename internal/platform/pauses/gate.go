package pauses

import (
	"context"
	"sync"
	"time"

	"amanat/internal/platform/clock"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
)

const (
	// fresh is how long a process goes by what it has read.
	fresh = 2 * time.Second
	// retryAfter is what clients are told.
	retryAfter = time.Minute
)

// Gate tells the api what is paused. It is safe for concurrent use.
type Gate struct {
	db    postgres.DB
	clock clock.Clock

	mu     sync.Mutex
	pauses []Pause
	readAt time.Time // zero: never
}

// NewGate returns a Gate.
func NewGate(db postgres.DB, c clock.Clock) *Gate { return &Gate{db: db, clock: c} }

// Paused returns the pauses in force as of at most two seconds ago. While the database does not
// answer, it returns what was read last.
func (g *Gate) Paused(ctx context.Context) ([]Pause, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.clock.Now()
	if age := now.Sub(g.readAt); !g.readAt.IsZero() && age >= 0 && age < fresh {
		return g.pauses, nil
	}
	pauses, err := list(ctx, g.db)
	if err == nil {
		g.pauses, g.readAt = pauses, now
	} else if g.readAt.IsZero() {
		return nil, err
	}
	return g.pauses, nil
}

// Check fails while the area is paused. Code Unavailable.
func (g *Gate) Check(ctx context.Context, area Area) error {
	pauses, err := g.Paused(ctx)
	if err != nil {
		return err
	}
	if pause, found := find(pauses, area); found {
		return errPaused(pause.Area)
	}
	return nil
}

func errPaused(area Area) error {
	switch area {
	case Deposits:
		return fault.Retry(fault.Unavailable, retryAfter, "paused_deposits",
			"Deposits are paused for a short time. Please do not send money now, and try again later.")
	case Withdrawals:
		return fault.Retry(fault.Unavailable, retryAfter, "paused_withdrawals",
			"Withdrawals are paused for a short time. Your balance is safe. Please try again later.")
	case Signups:
		return fault.Retry(fault.Unavailable, retryAfter, "paused_signups",
			"New accounts are paused for a short time. Please try again later.")
	case Money:
	}
	return fault.Retry(fault.Unavailable, retryAfter, "paused_money",
		"Payments are paused for a short time. Your money is safe, and nothing is lost. Please try again later.")
}
