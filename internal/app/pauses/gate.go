package pauses

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

const (
	// fresh is how long a process goes by what it has read.
	fresh = 2 * time.Second
	// patience is how long a call waits for a read before it goes by an older one.
	patience    = 100 * time.Millisecond
	readTimeout = 5 * time.Second
	// retryAfter is what clients are told.
	retryAfter = time.Minute
)

// Gate tells the api what is paused. It is safe for concurrent use.
type Gate struct {
	db    postgres.DB
	clock clock.Clock
	reads singleflight.Group

	mu     sync.Mutex
	pauses []Pause
	readAt time.Time // zero: never
}

// NewGate returns a Gate.
func NewGate(db postgres.DB, c clock.Clock) *Gate { return &Gate{db: db, clock: c} }

// Paused returns the pauses in force. What was read within two seconds is returned at once; older,
// after one read that all callers share, for which none waits longer than patience. While the
// database does not answer, Paused returns what was read last.
func (g *Gate) Paused(ctx context.Context) ([]Pause, error) {
	pauses, age, known := g.last()
	if known && age >= 0 && age < fresh {
		return pauses, nil
	}
	read := g.reads.DoChan("", func() (any, error) { return g.read(context.WithoutCancel(ctx)) })
	var expired <-chan time.Time
	if known {
		expired = time.After(patience)
	}
	select {
	case done := <-read:
		if done.Err == nil {
			pauses, _ := done.Val.([]Pause) // what the read returns
			return pauses, nil
		}
		if known {
			return pauses, nil
		}
		return nil, done.Err
	case <-expired:
		return pauses, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// last returns what was read last and how long ago; false before the first read.
func (g *Gate) last() ([]Pause, time.Duration, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.pauses, g.clock.Now().Sub(g.readAt), !g.readAt.IsZero()
}

func (g *Gate) read(ctx context.Context) ([]Pause, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	now := g.clock.Now()
	pauses, err := list.Many(ctx, g.db, nil)
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pauses, g.readAt = pauses, now
	return pauses, nil
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
