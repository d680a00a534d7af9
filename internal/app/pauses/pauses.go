// Package pauses lets an operator stop parts of the service for a time, without a deployment. Calls
// of a paused part are refused and change nothing.
package pauses

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/app/actor"
	"amanat/internal/app/audit"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
)

// Area is a part of the service that can be paused.
type Area string

// Areas. Money covers every call that moves money, and with it deposits and withdrawals.
const (
	Money       Area = "money"
	Deposits    Area = "deposits"    // reporting payments
	Withdrawals Area = "withdrawals" // requesting payouts
	Signups     Area = "signups"
)

// Areas returns all areas.
func Areas() []Area { return []Area{Money, Deposits, Withdrawals, Signups} }

// coveredBy reports whether a pause of another area stops this one, too.
func (a Area) coveredBy(other Area) bool {
	return a == other || other == Money && (a == Deposits || a == Withdrawals)
}

// Pause is a pause in force.
type Pause struct {
	Area     Area
	Reason   string // for operators
	PausedAt time.Time
}

// Service is for operators. Changes need the login of the worker or of the database's owner.
type Service struct {
	DB    *pgxpool.Pool
	Clock clock.Clock
}

// List returns the pauses in force.
func (s *Service) List(ctx context.Context) ([]Pause, error) { return list.Many(ctx, s.DB, nil) }

// Pause stops an area; the api refuses its calls within seconds. Pausing again changes the reason.
func (s *Service) Pause(ctx context.Context, area Area, reason string) error {
	return s.change(ctx, audit.Entry{
		At: s.Clock.Now(), Actor: actor.Operator(), Action: "pause.begin", Subject: "pause:" + string(area),
		Details: map[string]string{"reason": reason},
	}, func(tx *postgres.Tx) (bool, error) {
		return true, save(ctx, tx, Pause{Area: area, Reason: reason, PausedAt: s.Clock.Now()})
	})
}

// Resume ends the pause of an area. It reports whether there was one.
func (s *Service) Resume(ctx context.Context, area Area) (resumed bool, err error) {
	err = s.change(ctx, audit.Entry{
		At: s.Clock.Now(), Actor: actor.Operator(), Action: "pause.end", Subject: "pause:" + string(area), Details: struct{}{},
	}, func(tx *postgres.Tx) (bool, error) {
		resumed, err = remove(ctx, tx, area)
		return resumed, err
	})
	return resumed, err
}

// change makes a change and records it, unless there was nothing to do.
func (s *Service) change(ctx context.Context, entry audit.Entry, apply func(tx *postgres.Tx) (bool, error)) error {
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		changed, err := apply(tx)
		if err != nil || !changed {
			return err
		}
		return audit.Record(ctx, tx, entry)
	})
	if err != nil {
		return fmt.Errorf("pauses: %s: %w", entry.Action, err)
	}
	return nil
}

// find returns the pause that stops an area, if any.
func find(pauses []Pause, area Area) (Pause, bool) {
	i := slices.IndexFunc(pauses, func(p Pause) bool { return area.coveredBy(p.Area) })
	if i < 0 {
		return Pause{}, false
	}
	return pauses[i], true
}
