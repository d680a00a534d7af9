package main

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/domain/deals"
	"amanat/internal/domain/notifications"
	"amanat/internal/domain/referrals"
	"amanat/internal/money/operations"
	"amanat/internal/queue/jobs"
	"amanat/internal/realtime"
)

const (
	pastStop   = time.Millisecond // sweeps come after the time they act on, not at it
	settleWait = 10 * time.Second
	settlePoll = 5 * time.Millisecond
)

// assembleDeals makes what lets the deals' clock act while time is moved.
func (p *processes) assembleDeals(s settings, db *pgxpool.Pool) error {
	inserter, err := jobs.NewInserter(db, s.log)
	if err != nil {
		return err
	}
	events := &realtime.Log{Clock: s.clock, Publish: p.messages}
	requests := &operations.Service{DB: db, Clock: s.clock, Enqueuer: inserter, Events: events, Announce: p.messages}
	notices := &notifications.Service{DB: db, Clock: s.clock, Events: events, Enqueuer: inserter}
	p.deals = &deals.Settler{
		Service: &deals.Service{DB: db, Clock: s.clock, Operations: requests, Events: events, Notices: notices, Jobs: inserter},
		Rewards: &referrals.Settler{
			Share: s.worker.ReferralShare, Clock: s.clock, Operations: requests, Events: events, Notices: notices,
		},
	}
	return nil
}

// pass moves business time forward by step with the outcome that waiting would have had: the deals' clock acts at each time at which it
// has something to do or to warn of, and what it moves is settled before time goes on.
func (p *processes) pass(ctx context.Context, clock *businessClock, step time.Duration) error {
	if err := p.sweep(ctx); err != nil { // what is to be warned of now is not left for the next stop
		return err
	}
	for left := step; left > 0; {
		next, found, err := p.deals.NextStop(ctx)
		if err != nil {
			return err
		}
		part := left
		if found {
			part = min(left, max(0, next.Sub(clock.Now()))+pastStop)
		}
		if err := clock.advance(part); err != nil {
			return err
		}
		if err := p.sweep(ctx); err != nil {
			return err
		}
		left -= part
	}
	return nil
}

// sweep lets the deals' clock act now, and waits until workers have settled what it has asked for.
func (p *processes) sweep(ctx context.Context) error {
	if _, err := p.deals.Sweep(ctx); err != nil {
		return err
	}
	enough := time.After(settleWait)
	for {
		pending, err := anyPendingOfClock(ctx, p.apiDB)
		if err != nil || !pending {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-enough: // a worker that fails is tried again, and says so itself
			return nil
		case <-time.After(settlePoll):
		}
	}
}
