package deals

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"amanat/internal/platform/actor"
	"amanat/internal/platform/catalog"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
	"amanat/internal/queue/jobs"
)

// clockBatch is how many deals one statement looks at; a sweep goes on until none is due.
const clockBatch = 200

// isDue tells whether it is time for the action. Whoever settles an operation of the clock asks again under the deal's lock, so the clock
// never acts on what changed a moment ago. It moves no money before both were warned for a day, and none to or from who is disabled.
func (d Deal) isDue(action Action, now time.Time) bool {
	if d.NextAction != action || d.Frozen() || d.NextActionAt == nil || now.Before(*d.NextActionAt) {
		return false
	}
	return !action.movesMoney() || !d.partyDisabled() && d.WarnedAt != nil && !now.Before(d.WarnedAt.Add(warnBefore))
}

// Sweep does what the clock has to do by now and returns how many deals it moved or asked to move. Any number of workers may run it at
// once, as often as they like: what moves money is an operation, of which a deal has one at a time; all else happens under the deal's
// lock.
func (s *Settler) Sweep(ctx context.Context) (int, error) {
	var moved int
	var failures []error
	for _, pass := range []struct {
		list func(ctx context.Context, q postgres.Querier, now time.Time, after uuid.UUID) ([]uuid.UUID, error)
		act  func(ctx context.Context, id uuid.UUID) error
	}{
		{listSuspensionDrift, s.syncSuspensions},
		{listTurningLate, s.turnLate},
		{listToWarn, s.warn},
		{listDue, s.act},
	} {
		var after uuid.UUID // the first of the order, which nothing has
		for {
			ids, err := pass.list(ctx, s.DB, s.Clock.Now(), after)
			if err != nil {
				return moved, err
			}
			for _, id := range ids {
				// One deal that fails must not keep the others from their time.
				if err := pass.act(ctx, id); err != nil {
					failures = append(failures, err)
					continue
				}
				moved++
			}
			if len(ids) < clockBatch || ctx.Err() != nil {
				break
			}
			after = ids[len(ids)-1]
		}
	}
	return moved, errors.Join(failures...)
}

// underClock runs a change of the clock that moves no money. A deal that somebody else is changing, or has an operation pending, is left
// for the next sweep.
func (s *Settler) underClock(ctx context.Context, id uuid.UUID, do func(tx *postgres.Tx, d Deal, now time.Time) error) error {
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		now := s.Clock.Now()
		d, free, err := tryLockDeal(ctx, tx, id, now)
		if err != nil || !free {
			return err
		}
		if err := errBusy(ctx, tx, id); err != nil {
			if fault.CodeOf(err) == fault.Conflict {
				return nil
			}
			return err
		}
		return do(tx, d, now)
	})
}

// turnLate writes down that a deal is late, which reads have known since it is. It moves no money and happens also while frozen.
func (s *Settler) turnLate(ctx context.Context, id uuid.UUID) error {
	return s.underClock(ctx, id, func(tx *postgres.Tx, d Deal, _ time.Time) error {
		if !d.turnedLate {
			return nil
		}
		if done, err := setLate(ctx, tx, id); err != nil || !done {
			return err
		}
		return s.tellLate(ctx, tx, d)
	})
}

// warn tells both parties that the clock acts within a day. What moves money waits for that day, however late the warning comes: after an
// outage nobody is surprised by what fell due meanwhile.
func (s *Settler) warn(ctx context.Context, id uuid.UUID) error {
	return s.underClock(ctx, id, func(tx *postgres.Tx, d Deal, now time.Time) error {
		kind, warns := warnings[d.NextAction]
		if !warns || d.Frozen() || d.NextActionAt == nil || now.Before(d.NextActionAt.Add(-warnBefore)) {
			return nil
		}
		var told []notice
		if d.WarnedAt == nil {
			d.WarnedAt, told = &now, []notice{{d.Buyer.ID, kind}, {d.Seller.ID, kind}}
		}
		if least := d.WarnedAt.Add(warnBefore); d.NextAction.movesMoney() && d.NextActionAt.Before(least) {
			d.NextActionAt = &least
		}
		if err := setWarned(ctx, tx, d); err != nil {
			return err
		}
		return s.tell(ctx, tx, d, change{actor: actor.System(), notices: told})
	})
}

// NextStop returns the next time at which the clock has something to do or to warn of, and false when there is none. Whoever moves time
// by hand stops there and sweeps.
func (s *Settler) NextStop(ctx context.Context) (time.Time, bool, error) {
	at, err := nextStop(ctx, s.DB, s.Clock.Now())
	if err != nil || at == nil {
		return time.Time{}, false, err
	}
	return *at, true, nil
}

var warnings = map[Action]catalog.Kind{
	ActionExpire:           catalog.DealExpiresSoon,
	ActionComplete:         catalog.DealCompletesSoon,
	ActionRefund:           catalog.DealRefundsSoon,
	ActionRefundUnanswered: catalog.DealUnansweredSoon,
	ActionEscalate:         catalog.DealEscalatesSoon,
}

// act does what the deal's clock waits for.
func (s *Settler) act(ctx context.Context, id uuid.UUID) error {
	d, err := getDeal(ctx, s.DB, id, s.Clock.Now())
	if err != nil {
		return ignoreGone(err)
	}
	switch d.NextAction {
	case ActionComplete:
		if d.buyerLocked() {
			err = s.underClock(ctx, id, s.escalateHeld(ctx))
			break
		}
		_, err = s.requestComplete(ctx, actor.System(), id, byClock, nil)
	case ActionRefund:
		_, err = s.requestRefund(ctx, actor.System(), id, ReasonOverdue, nil)
	case ActionRefundUnanswered:
		_, err = s.requestRefund(ctx, actor.System(), id, ReasonUnanswered, nil)
	case ActionExpire, ActionEscalate:
		err = s.underClock(ctx, id, s.expireOrEscalate(ctx))
	}
	return ignoreGone(err)
}

// ignoreGone drops the refusals of a deal that somebody else has moved on: the clock has nothing to do there any more.
func ignoreGone(err error) error {
	if code := fault.CodeOf(err); code == fault.Conflict || code == fault.NotFound {
		return nil
	}
	return err
}

func (s *Settler) expireOrEscalate(ctx context.Context) func(tx *postgres.Tx, d Deal, now time.Time) error {
	return func(tx *postgres.Tx, d Deal, now time.Time) error {
		switch {
		case d.isDue(ActionExpire, now):
			d.RemovedAt = &now
			return s.apply(ctx, tx, d, change{actor: actor.System(), notices: []notice{{d.Buyer.ID, catalog.DealExpired}, {d.Seller.ID, catalog.DealExpired}}})
		case d.isDue(ActionEscalate, now):
			return s.escalate(ctx, tx, d, now)
		}
		return nil
	}
}

// escalateHeld leaves to the admins what the clock would complete on behalf of a buyer whose money is on hold.
func (s *Settler) escalateHeld(ctx context.Context) func(tx *postgres.Tx, d Deal, now time.Time) error {
	return func(tx *postgres.Tx, d Deal, now time.Time) error {
		if !d.buyerLocked() || !d.isDue(ActionComplete, now) {
			return nil
		}
		return s.escalate(ctx, tx, d, now)
	}
}

func (s *Service) escalate(ctx context.Context, tx *postgres.Tx, d Deal, now time.Time) error {
	d.EscalatedAt = &now
	c := change{actor: actor.System(), line: catalog.LineEscalated, notices: []notice{{d.Buyer.ID, catalog.DealEscalated}, {d.Seller.ID, catalog.DealEscalated}}}
	if err := s.apply(ctx, tx, d, c); err != nil {
		return err
	}
	return s.tellAdmins(ctx, tx, d, jobs.AdminNotice{
		NoticeKind: string(catalog.AdminEscalated), Params: catalog.Params{}, Link: "/admin/deals?tab=decide",
	})
}
