package deals

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/idempotency"
)

// Join creates the deal of a link between its maker and the actor. Joining is agreeing: a deal in
// which the actor sells is accepted. Joining again returns the deal. Codes: NotFound if the link is
// unknown or has ended; Forbidden for its maker and if one of the two has blocked the other;
// Conflict if too many deals between the two wait to be accepted, or if the actor is the buyer and
// may not pay such a price yet; IdempotencyMismatch.
func (s *Service) Join(ctx context.Context, userID uuid.UUID, code string, key *idempotency.Key) (Detail, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return Detail{}, err
	}
	joined := id
	made, err := idempotency.Create(ctx, s.DB, key, id, s.Clock.Now(), func(tx *postgres.Tx) error {
		earlier, err := s.join(ctx, tx, userID, id, code)
		if err != nil || earlier == nil {
			return err
		}
		joined = *earlier
		return idempotency.Repoint(ctx, tx, key, joined)
	})
	if err != nil {
		return Detail{}, err
	}
	if joined != id {
		made = joined
	}
	return s.Get(ctx, userID, made)
}

// join creates the deal, or returns the one in which the actor is already.
func (s *Service) join(ctx context.Context, tx *postgres.Tx, userID, id uuid.UUID, code string) (earlier *uuid.UUID, err error) {
	i, err := lockInvite(ctx, tx, code)
	switch {
	case err != nil:
		return nil, err
	case i.Maker.ID == userID:
		return nil, fault.New(fault.Forbidden, "invite_own", "This is your own link. Send it to whoever the deal is with.")
	case i.Joiner != nil && *i.Joiner == userID:
		return i.DealID, nil
	}
	now := s.Clock.Now()
	if err := i.check(now); err != nil {
		return nil, err
	}
	d, err := s.insertJoined(ctx, tx, i, userID, id)
	if err != nil {
		return nil, err
	}
	if err := setInviteJoined(ctx, tx, i.ID, id); err != nil {
		return nil, err
	}
	if err := s.publish(ctx, tx, d, change{actor: actor.User(i.Maker.ID), line: catalog.LineCreated}); err != nil {
		return nil, err
	}
	d.AcceptedAt = &now
	return nil, s.apply(ctx, tx, d, change{
		actor: actor.User(userID), line: catalog.LineJoined, notices: []notice{{i.Maker.ID, catalog.DealJoined}},
	})
}

// insertJoined inserts the deal with the checks of Create. The maker's limit was checked when they
// made the link, and is again when they pay.
func (s *Service) insertJoined(ctx context.Context, tx *postgres.Tx, i Invite, userID, id uuid.UUID) (Deal, error) {
	draft := i.draft(userID)
	if i.MakerBuys {
		if _, err := checkPairLimit(ctx, tx, i.Maker.ID, userID); err != nil {
			return Deal{}, err
		}
	} else if err := s.Limits.CheckPrice(ctx, tx, userID, i.Price); err != nil {
		return Deal{}, err
	}
	d, err := s.insert(ctx, tx, i.Maker.ID, userID, id, draft)
	if fault.CodeOf(err) == fault.Invalid { // disabled meanwhile
		err = errNoInvite()
	}
	return d, err
}
