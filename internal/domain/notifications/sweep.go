package notifications

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"amanat/internal/lib/mailer"
	"amanat/internal/lib/postgres"
)

const (
	// A sweep begins no email or push after sweepTime. The last emails take as long as mailer.SMTP
	// allows.
	sweepTime  = 15 * time.Second
	settleTime = 5 * time.Second
	// SweepTimeout is more than a sweep takes.
	SweepTimeout = 40 * time.Second
	// sweepLease is longer than a batch takes: sweepTime, the last emails and settleTime.
	sweepLease = time.Minute
)

// Failure is an attempt to send an email or a push that has failed.
type Failure[ID any] struct {
	ID      ID // of the notification or of the push
	Attempt int
	Err     error
	GivenUp bool // it is not retried
}

// result is what became of an email or a push. The zero value is of one that was not tried.
type result struct {
	tried bool
	sent  bool          // false without an error: it is not wanted
	wait  time.Duration // until the end of quiet hours; 0: none
	err   error
}

func (r result) serverDown() bool { return errors.Is(r.err, mailer.ErrUnavailable) }

// sweep claims what is due and sends it, a batch after the other, until nothing is left, the mail
// server is found to be down or sweepTime is over. settle records the results of a batch, also if
// the process is being stopped.
func sweep[T, ID any](
	ctx context.Context, db postgres.DB, claim postgres.QueryStatement[T], senders int, attempt func(context.Context, T) result,
	settle func(ctx context.Context, batch []T, results []result) ([]Failure[ID], error),
) ([]Failure[ID], error) {
	starting, cancel := context.WithTimeout(ctx, sweepTime)
	defer cancel()
	var failures []Failure[ID]
	for {
		batch, err := claim.Many(ctx, db, postgres.Args{"lease": sweepLease})
		if err != nil || len(batch) == 0 {
			return failures, err
		}
		results, down := sendBatch(ctx, starting, batch, senders, attempt)
		settling, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
		failed, err := settle(settling, batch, results)
		cancel()
		failures = append(failures, failed...)
		if err != nil || len(batch) < sweepBatch || down || starting.Err() != nil {
			return failures, err
		}
	}
}

// sendBatch tries as many of a batch as it can until starting ends or the mail server is found to
// be down. The results are by place in the batch.
func sendBatch[T any](
	ctx, starting context.Context, batch []T, senders int, attempt func(context.Context, T) result,
) (results []result, serverDown bool) {
	var next atomic.Int64
	var down atomic.Bool
	var group sync.WaitGroup
	results = make([]result, len(batch))
	for range min(senders, len(batch)) {
		group.Go(func() {
			for starting.Err() == nil && !down.Load() {
				i := int(next.Add(1)) - 1
				if i >= len(batch) {
					return
				}
				r := recovered(ctx, batch[i], attempt)
				if r.err != nil && ctx.Err() != nil {
					return // the process stops: this is no failure of what was to be sent
				}
				if r.serverDown() {
					down.Store(true)
				}
				r.tried = true
				results[i] = r
			}
		})
	}
	group.Wait()
	return results, down.Load()
}

// recovered is attempt with a panic, which would end the process here, as an error.
func recovered[T any](ctx context.Context, one T, attempt func(context.Context, T) result) (r result) {
	defer func() {
		if value := recover(); value != nil {
			r = result{err: fmt.Errorf("panic: %v", value)}
		}
	}()
	return attempt(ctx, one)
}
