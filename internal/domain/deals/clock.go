package deals

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// clockBatch bounds how many deals each query of the sweep returns; the sweep repeats it until no
// deal is due.
const clockBatch = 200

// isDue reports whether it is time for the action. It is checked again under the deal's lock when
// the system's operation settles, so that the system never acts on a state that has just changed.
// No money moves before both parties have been warned for a day, nor while a party is disabled.
func (d Deal) isDue(action Action, now time.Time) bool {
	if d.NextAction != action || d.Frozen() || d.NextActionAt == nil || now.Before(*d.NextActionAt) {
		return false
	}
	return !action.movesMoney() || !d.partyDisabled() && d.WarnedAt != nil && !now.Before(d.WarnedAt.Add(warnBefore))
}

// Sweep does everything that is due on deals and returns how many it changed or requested an
// operation for. A failing list or deal does not hold up the others; their errors are returned
// joined. Any number of workers may run it concurrently and at any interval: money is moved by
// operations, of which a deal has at most one pending, and all else happens under the deal's lock.
func (s *Settler) Sweep(ctx context.Context) (int, error) {
	var moved int
	var failures []error
	for _, p := range []pass{
		{listSuspensionDrift, s.syncSuspensions},
		{listNewlyLate, s.markLate},
		{listToWarn, s.warn},
		{listToRemind, s.remind},
		{listDue, s.act},
		{listUnanswered, s.remindOfAnswer},
		{listDecisionsDue, s.carryOut},
	} {
		n, err := s.sweepPass(ctx, p)
		moved += n
		failures = append(failures, err)
	}
	return moved, errors.Join(failures...)
}

// pass is one part of a sweep: what it lists, and what it does with each. act reports whether it
// changed or requested anything.
type pass struct {
	list func(ctx context.Context, q postgres.Querier, now time.Time, after uuid.UUID) ([]uuid.UUID, error)
	act  func(ctx context.Context, id uuid.UUID) (bool, error)
}

func (s *Settler) sweepPass(ctx context.Context, p pass) (int, error) {
	var moved int
	var failures []error
	var after uuid.UUID // sorts before every ID
	for {
		ids, err := p.list(ctx, s.DB, s.Clock.Now(), after)
		if err != nil {
			return moved, errors.Join(append(failures, err)...)
		}
		for _, id := range ids {
			done, err := p.act(ctx, id)
			if err != nil {
				failures = append(failures, err)
			} else if done {
				moved++
			}
		}
		if len(ids) < clockBatch || ctx.Err() != nil {
			return moved, errors.Join(failures...)
		}
		after = ids[len(ids)-1]
	}
}

// tryChange runs a change by the system that moves no money, and reports whether do made one. A
// deal that another transaction has locked, or with a pending operation, is left for the next
// sweep.
func (s *Settler) tryChange(
	ctx context.Context, id uuid.UUID, do func(tx *postgres.Tx, d Deal, now time.Time) (bool, error),
) (bool, error) {
	var changed bool
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		now := s.Clock.Now()
		d, ok, err := tryLockDeal(ctx, tx, id, now)
		if err != nil || !ok {
			return err
		}
		if err := checkNotBusy(ctx, tx, id); err != nil {
			if fault.CodeOf(err) == fault.Conflict {
				return nil
			}
			return err
		}
		changed, err = do(tx, d, now)
		return err
	})
	return changed && err == nil, err
}

// markLate stores that a deal is late; reads derive it from the due date until then. It moves no
// money and also happens while the deal is frozen.
func (s *Settler) markLate(ctx context.Context, id uuid.UUID) (bool, error) {
	return s.tryChange(ctx, id, func(tx *postgres.Tx, d Deal, _ time.Time) (bool, error) {
		if !d.newlyLate {
			return false, nil
		}
		if done, err := setLate.Any(ctx, tx, postgres.Args{"id": id}); err != nil || !done {
			return false, err
		}
		return true, s.publishLate(ctx, tx, d)
	})
}

// warn notifies both parties that the system acts within a day. An action that moves money is put
// off until a day after the warning, however late the warning is: after an outage, no deal is
// settled unannounced.
func (s *Settler) warn(ctx context.Context, id uuid.UUID) (bool, error) {
	return s.tryChange(ctx, id, func(tx *postgres.Tx, d Deal, now time.Time) (bool, error) {
		kind, warns := warnings[d.NextAction]
		if !warns || d.Frozen() || d.NextActionAt == nil || now.Before(d.NextActionAt.Add(-warnBefore)) {
			return false, nil
		}
		var notices []notice
		if d.WarnedAt == nil {
			d.WarnedAt, notices = &now, []notice{{d.Buyer.ID, kind}, {d.Seller.ID, kind}}
		}
		if least := d.WarnedAt.Add(warnBefore); d.NextAction.movesMoney() && d.NextActionAt.Before(least) {
			d.NextActionAt = &least
		}
		if err := setWarned(ctx, tx, d); err != nil {
			return false, err
		}
		return true, s.publish(ctx, tx, d, change{actor: actor.System(), notices: notices})
	})
}

// remind notifies both parties for the last time before the system acts.
func (s *Settler) remind(ctx context.Context, id uuid.UUID) (bool, error) {
	return s.tryChange(ctx, id, func(tx *postgres.Tx, d Deal, now time.Time) (bool, error) {
		kind, reminds := reminders[d.NextAction]
		if !reminds || d.Frozen() || d.NextActionAt == nil || now.Before(d.NextActionAt.Add(-remindBefore)) || !now.Before(*d.NextActionAt) {
			return false, nil
		}
		if done, err := setReminded.Any(ctx, tx, postgres.Args{"id": id, "now": now}); err != nil || !done {
			return false, err
		}
		return true, s.publish(ctx, tx, d, change{actor: actor.System(), notices: []notice{{d.Buyer.ID, kind}, {d.Seller.ID, kind}}})
	})
}

// NextStop returns the next time at which an action, a warning or a reminder is due, or false if
// there is none. Callers that move time by hand stop there and sweep.
func (s *Settler) NextStop(ctx context.Context) (time.Time, bool, error) {
	at, err := nextStop.One(ctx, s.DB,
		postgres.Args{"now": s.Clock.Now(), "notice": warnBefore, "last": remindBefore, "remind": disputeRemindBefore})
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

var reminders = map[Action]catalog.Kind{
	ActionExpire:           catalog.DealExpiresNext,
	ActionComplete:         catalog.DealCompletesNext,
	ActionRefund:           catalog.DealRefundsNext,
	ActionRefundUnanswered: catalog.DealUnansweredNext,
	ActionEscalate:         catalog.DealEscalatesNext,
}

// act executes the deal's next action.
func (s *Settler) act(ctx context.Context, id uuid.UUID) (bool, error) {
	d, err := getDeal(ctx, s.DB, id, s.Clock.Now())
	if err != nil {
		return requested(err)
	}
	switch d.NextAction {
	case ActionComplete:
		if d.buyerLocked() {
			return s.tryChange(ctx, id, s.escalateHeld(ctx))
		}
		_, err = s.requestComplete(ctx, actor.System(), id, byClock, nil)
	case ActionRefund:
		_, err = s.requestRefund(ctx, actor.System(), id, ReasonOverdue, nil)
	case ActionRefundUnanswered:
		_, err = s.requestRefund(ctx, actor.System(), id, ReasonUnanswered, nil)
	case ActionExpire, ActionEscalate:
		return s.tryChange(ctx, id, s.expireOrEscalate(ctx))
	default:
		return false, nil
	}
	return requested(err)
}

// requested is the result of a pass that requests an operation. Conflict and NotFound mean that the
// deal has changed meanwhile, so nothing is left to do.
func requested(err error) (bool, error) {
	if code := fault.CodeOf(err); code == fault.Conflict || code == fault.NotFound {
		return false, nil
	}
	return err == nil, err
}

func (s *Settler) expireOrEscalate(ctx context.Context) func(tx *postgres.Tx, d Deal, now time.Time) (bool, error) {
	return func(tx *postgres.Tx, d Deal, now time.Time) (bool, error) {
		switch {
		case d.isDue(ActionExpire, now):
			d.RemovedAt = &now
			return true, s.apply(ctx, tx, d, change{actor: actor.System(), notices: []notice{
				{d.Buyer.ID, catalog.DealExpired}, {d.Seller.ID, catalog.DealExpired},
			}})
		case d.isDue(ActionEscalate, now):
			return true, s.escalate(ctx, tx, d, now)
		}
		return false, nil
	}
}

// escalateHeld hands a deal to the admins that the system would otherwise complete for a buyer
// whose money is on hold.
func (s *Settler) escalateHeld(ctx context.Context) func(tx *postgres.Tx, d Deal, now time.Time) (bool, error) {
	return func(tx *postgres.Tx, d Deal, now time.Time) (bool, error) {
		if !d.buyerLocked() || !d.isDue(ActionComplete, now) {
			return false, nil
		}
		return true, s.escalate(ctx, tx, d, now)
	}
}

func (s *Service) escalate(ctx context.Context, tx *postgres.Tx, d Deal, now time.Time) error {
	d.EscalatedAt = &now
	c := change{actor: actor.System(), line: catalog.LineEscalated, notices: []notice{
		{d.Buyer.ID, catalog.DealEscalated}, {d.Seller.ID, catalog.DealEscalated},
	}}
	if err := s.apply(ctx, tx, d, c); err != nil {
		return err
	}
	return s.notifyAdmins(ctx, tx, d, jobs.AdminNotice{
		NoticeKind: string(catalog.AdminEscalated), Params: catalog.Params{}, Link: "/admin/deals?tab=decide",
	})
}

// partyDisabled reports whether the buyer or the seller is disabled.
func (d Deal) partyDisabled() bool { return d.BuyerDisabled || d.SellerDisabled }

// disabledParty returns the disabled party, or the seller if both are.
func (d Deal) disabledParty() uuid.UUID {
	if d.SellerDisabled {
		return d.Seller.ID
	}
	return d.Buyer.ID
}

// mayLeaveDisabled reports whether the buyer may leave because the seller is disabled and has never
// delivered.
func (d Deal) mayLeaveDisabled() bool {
	return d.Status.Open() && d.SellerDisabled && d.FirstDeliveredAt == nil
}

// errPartyDisabled says that a deal with a disabled party cannot be paid.
func errPartyDisabled(d Deal) error {
	return fault.Newf(fault.Conflict, "party_suspended", "The account of {name} is suspended, so this deal cannot be paid.",
		fault.Params{"name": d.nameOf(d.disabledParty())})
}

// buyerLocked reports whether the buyer's money may not leave.
func (d Deal) buyerLocked() bool { return d.BuyerHeld || d.BuyerStopped }

// errLocked tells a buyer whose money is on hold how to end the hold.
func errLocked(d Deal) error {
	if d.BuyerHeld {
		return fault.New(fault.Forbidden, "account_on_hold", "Your account is on hold. Please contact our support.")
	}
	return fault.New(fault.Forbidden, "account_stopped", "Your account is on hold until you reset your password with a link that we mail you.")
}

// SyncSuspensions suspends the open deals of a disabled user, and resumes those of a user enabled
// again, in the transaction that disabled or enabled the user. The caller updates the user's row
// first, so that no payment can slip in between: SyncSuspensions waits for one that holds the
// deal's lock, and one that gets the lock later reads the new row.
func (s *Service) SyncSuspensions(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) error {
	list, err := lockOfUser(ctx, tx, userID, s.Clock.Now())
	if err != nil {
		return err
	}
	suspended := 0
	for _, d := range list {
		switch {
		case !d.Status.Open():
		case d.partyDisabled() && d.SuspendedAt == nil:
			suspended++
			err = s.suspend(ctx, tx, d)
		case !d.partyDisabled() && d.SuspendedAt != nil:
			err = s.resume(ctx, tx, d, userID)
		}
		if err != nil {
			return err
		}
	}
	if suspended == 0 {
		return nil
	}
	d := list[0]
	_, err = s.Jobs.InsertTx(ctx, tx, jobs.AdminNotice{
		NoticeKind: string(catalog.AdminSuspended), Params: catalog.Params{"username": d.nameOf(userID)}, AboutID: &userID, SubjectID: userID,
		Link: "/admin/deals?tab=decide",
	}, nil)
	return err
}

// syncSuspensions is SyncSuspensions for the deadline sweep, which finds users who were disabled or
// enabled without a call to it.
func (s *Service) syncSuspensions(ctx context.Context, userID uuid.UUID) (bool, error) {
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error { return s.SyncSuspensions(ctx, tx, userID) })
	return err == nil, err
}

// suspend freezes an open deal and puts it on the admins' worklist.
func (s *Service) suspend(ctx context.Context, tx *postgres.Tx, d Deal) error {
	if err := setSuspended.One(ctx, tx, postgres.Args{"id": d.ID, "now": s.Clock.Now()}); err != nil {
		return err
	}
	s.Events.WorklistChanged(tx, realtime.WorklistDeals, d.ID)
	disabled := d.disabledParty()
	return s.publish(ctx, tx, d, change{actor: actor.System(), about: &disabled, line: catalog.LineSuspended, notices: []notice{
		{d.Buyer.ID, catalog.DealSuspended}, {d.Seller.ID, catalog.DealSuspended},
	}})
}

// resume ends a suspension. The deal stays frozen while a support request or a dispute freezes it.
func (s *Service) resume(ctx context.Context, tx *postgres.Tx, d Deal, enabled uuid.UUID) error {
	held, err := anyFreezing.One(ctx, tx, postgres.Args{"deal": d.ID})
	if err == nil {
		err = setResumed.One(ctx, tx, postgres.Args{"id": d.ID})
	}
	if err == nil && !held {
		err = thaw(ctx, tx, &d, s.Clock.Now())
	}
	if err != nil {
		return err
	}
	s.Events.WorklistChanged(tx, realtime.WorklistDeals, d.ID)
	return s.publish(ctx, tx, d, change{actor: actor.System(), about: &enabled, line: catalog.LineResumed, notices: []notice{
		{d.Buyer.ID, catalog.DealResumed}, {d.Seller.ID, catalog.DealResumed},
	}})
}
