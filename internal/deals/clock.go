package deals

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"amanat/internal/fault"
	"amanat/internal/postgres"
	"amanat/internal/texts"
	"amanat/queue/jobs"
)

// clockBatch is how many deals one statement looks at; a sweep goes on until none is due.
const clockBatch = 200

// isDue tells whether it is time for the action. Whoever settles an operation of the clock asks again under the deal's lock, so the clock
// never acts on what changed a moment ago.
func (d Deal) isDue(action Action, now time.Time) bool {
	return d.NextAction == action && !d.Frozen() && d.NextActionAt != nil && !now.Before(*d.NextActionAt)
}

// Sweep does what the clock has to do by now and returns how many deals it moved or asked to move. Any number of workers may run it at
// once, as often as they like: what moves money is an operation, of which a deal has one at a time; all else happens under the deal's
// lock.
func (s *Service) Sweep(ctx context.Context) (int, error) {
	var moved int
	var failures []error
	for _, pass := range []struct {
		list func(ctx context.Context, q postgres.Querier, now time.Time, after uuid.UUID) ([]uuid.UUID, error)
		act  func(ctx context.Context, id uuid.UUID) error
	}{
		{listTurningLate, s.turnLate},
		{listToWarn, s.warn},
		{listDue, s.act},
	} {
		after := uuid.Nil
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
func (s *Service) underClock(ctx context.Context, id uuid.UUID, do func(tx *postgres.Tx, d Deal, now time.Time) error) error {
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
func (s *Service) turnLate(ctx context.Context, id uuid.UUID) error {
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

// warn tells both parties that the clock acts within a day.
func (s *Service) warn(ctx context.Context, id uuid.UUID) error {
	return s.underClock(ctx, id, func(tx *postgres.Tx, d Deal, now time.Time) error {
		kind, warns := warnings[d.NextAction]
		if !warns || d.Frozen() || d.WarnedAt != nil || d.NextActionAt == nil || now.Before(d.NextActionAt.Add(-warnBefore)) {
			return nil
		}
		if err := setWarned(ctx, tx, id, now); err != nil {
			return err
		}
		return s.tell(ctx, tx, d, change{notices: []notice{{d.Buyer.ID, kind}, {d.Seller.ID, kind}}})
	})
}

var warnings = map[Action]texts.Kind{
	ActionExpire:           texts.DealExpiresSoon,
	ActionComplete:         texts.DealCompletesSoon,
	ActionRefund:           texts.DealRefundsSoon,
	ActionRefundUnanswered: texts.DealUnansweredSoon,
	ActionEscalate:         texts.DealEscalatesSoon,
}

// act does what the deal's clock waits for.
func (s *Service) act(ctx context.Context, id uuid.UUID) error {
	d, err := getDeal(ctx, s.DB, id, s.Clock.Now())
	if err != nil {
		return ignoreGone(err)
	}
	switch d.NextAction {
	case ActionComplete:
		_, err = s.requestComplete(ctx, uuid.Nil, id, byClock, nil)
	case ActionRefund:
		_, err = s.requestRefund(ctx, uuid.Nil, id, ReasonOverdue, nil, false)
	case ActionRefundUnanswered:
		_, err = s.requestRefund(ctx, uuid.Nil, id, ReasonUnanswered, nil, false)
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

func (s *Service) expireOrEscalate(ctx context.Context) func(tx *postgres.Tx, d Deal, now time.Time) error {
	return func(tx *postgres.Tx, d Deal, now time.Time) error {
		both := func(kind texts.Kind) []notice { return []notice{{d.Buyer.ID, kind}, {d.Seller.ID, kind}} }
		switch {
		case d.isDue(ActionExpire, now):
			d.RemovedAt = &now
			return s.apply(ctx, tx, d, change{notices: both(texts.DealExpired)})
		case d.isDue(ActionEscalate, now):
			d.EscalatedAt = &now
			if err := s.apply(ctx, tx, d, change{line: texts.LineEscalated, notices: both(texts.DealEscalated)}); err != nil {
				return err
			}
			return s.tellAdmins(ctx, tx, d, jobs.AdminNotice{
				NoticeKind: string(texts.AdminEscalated), Params: texts.Params{}, Link: "/admin/deals?tab=decide",
			})
		}
		return nil
	}
}
