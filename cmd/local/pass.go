package main

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/domain/deals"
	"amanat/internal/domain/notifications"
	"amanat/internal/domain/referrals"
	"amanat/internal/domain/trust"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

const (
	// Sweeps run after the time they act on, not at it.
	pastStop   = time.Millisecond
	settleWait = 10 * time.Second
	settlePoll = 5 * time.Millisecond
)

// assembleDeals creates the service that executes due actions of deals while time is moved.
func (p *processes) assembleDeals(s settings, db *pgxpool.Pool) error {
	inserter, err := jobs.NewInserter(db, s.log)
	if err != nil {
		return err
	}
	events := &realtime.Log{Clock: s.clock, Publish: p.messages}
	requests := &operations.Service{DB: db, Clock: s.clock, Enqueuer: inserter, Events: events, Announce: p.messages}
	notices := &notifications.Service{DB: db, Clock: s.clock, Events: events}
	p.deals = &deals.Settler{
		Service: &deals.Service{
			DB: db, Clock: s.clock, Operations: requests, Events: events, Notices: notices, Jobs: inserter, Limits: trust.Unlimited(),
			Images: nil, Conversations: nil, // of calls that only the api makes
		},
		Rewards: &referrals.Settler{
			DB: db, Share: s.worker.ReferralShare, Clock: s.clock, Operations: requests, Events: events, Notices: notices,
		},
	}
	return nil
}

// pass moves business time forward by step, with the same outcome as waiting: the deadline sweep
// runs at each time when it has something to do or to warn of, and what it moves is settled before
// time goes on.
func (p *processes) pass(ctx context.Context, clock *businessClock, step time.Duration) error {
	// Warnings due now must not wait for the next stop.
	if err := p.sweep(ctx); err != nil {
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

// sweep runs the deadline sweep and waits until workers have settled the operations that it
// requested.
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
		// A failing job is retried by the worker, which logs the error.
		case <-enough:
			return nil
		case <-time.After(settlePoll):
		}
	}
}
