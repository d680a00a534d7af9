package deals

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

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

// suspend freezes an open deal and puts it into the admins' queue.
func (s *Service) suspend(ctx context.Context, tx *postgres.Tx, d Deal) error {
	if err := setSuspended(ctx, tx, d.ID, s.Clock.Now()); err != nil {
		return err
	}
	s.Events.QueueChanged(tx, realtime.QueueDeals, d.ID)
	disabled := d.disabledParty()
	return s.publish(ctx, tx, d, change{actor: actor.System(), about: &disabled, line: catalog.LineSuspended, notices: []notice{
		{d.Buyer.ID, catalog.DealSuspended}, {d.Seller.ID, catalog.DealSuspended},
	}})
}

// resume ends a suspension. The deal stays frozen while a support request or a dispute freezes it.
func (s *Service) resume(ctx context.Context, tx *postgres.Tx, d Deal, enabled uuid.UUID) error {
	held, err := anyFreezing(ctx, tx, d.ID)
	if err == nil {
		err = setResumed(ctx, tx, d.ID)
	}
	if err == nil && !held {
		err = thaw(ctx, tx, &d, s.Clock.Now())
	}
	if err != nil {
		return err
	}
	s.Events.QueueChanged(tx, realtime.QueueDeals, d.ID)
	return s.publish(ctx, tx, d, change{actor: actor.System(), about: &enabled, line: catalog.LineResumed, notices: []notice{
		{d.Buyer.ID, catalog.DealResumed}, {d.Seller.ID, catalog.DealResumed},
	}})
}
