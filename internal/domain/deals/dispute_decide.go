package deals

import (
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/audit"
	"amanat/internal/app/catalog"
	"amanat/internal/app/worklist"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/sanitize"
	"amanat/internal/money"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

const (
	minRuling = 10
	maxRuling = 2000
)

// Ruling is what an admin decides about a dispute.
type Ruling struct {
	BuyerGets money.Cents
	Reason    string
}

func (r Ruling) check(price money.Cents) error {
	if err := checkBuyerGets(r.BuyerGets, price); err != nil {
		return err
	}
	switch n := utf8.RuneCountInString(r.Reason); {
	case n < minRuling:
		return fault.Field("reason", "ruling_too_short", "Give the reason in at least 10 characters. Both parties will read it.")
	case n > maxRuling:
		return fault.Field("reason", "ruling_over_limit", "The reason must be at most 2,000 characters.")
	}
	return nil
}

// ClaimDispute keeps other admins away from a dispute that waits for a decision, for five minutes.
// Claiming again renews the claim. Codes: NotFound, Forbidden for a dispute or an appeal that the
// admin may not decide, AlreadyHandled.
func (s *Service) ClaimDispute(ctx context.Context, admin, id uuid.UUID) (DisputeDetail, error) {
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		return s.changeAnyDispute(ctx, tx, id, func(x Dispute) error {
			if err := x.checkAdmin(admin); err != nil {
				return err
			}
			now := s.Clock.Now()
			if err := x.checkWaiting(admin, now, DisputeOpen, DisputeAppealed); err != nil {
				return err
			}
			s.Events.WorklistChanged(tx, realtime.WorklistDisputes, id)
			return worklist.SetClaim(ctx, tx, "disputes", id, admin, now)
		})
	})
	if err != nil {
		return DisputeDetail{}, err
	}
	return s.GetAnyDispute(ctx, id)
}

// checkAdmin returns Forbidden if the admin may not decide what the dispute waits for: parties
// decide nothing, and an appeal is for another admin than the one who has decided.
func (x Dispute) checkAdmin(admin uuid.UUID) error {
	switch {
	case x.Deal.IsParty(admin):
		return errOwnDeal()
	case x.Status == DisputeAppealed && x.Decision != nil && x.Decision.By.ID == admin:
		return fault.New(fault.Forbidden, "appeal_other_admin", "Another admin has to decide the appeal.")
	}
	return nil
}

// checkWaiting returns AlreadyHandled unless the dispute has one of the statuses and no other
// admin's claim is valid.
func (x Dispute) checkWaiting(admin uuid.UUID, now time.Time, statuses ...DisputeStatus) error {
	row := worklist.Row{Waits: slices.Contains(statuses, x.Status), Claim: x.Claim}
	if x.Decision != nil {
		row.HandledBy, row.HandledAt = &x.Decision.By, &x.Decision.DecidedAt
	} else if !row.Waits {
		return fault.New(fault.AlreadyHandled, "dispute_over", "The parties have ended this dispute.")
	}
	return row.Check(admin, now)
}

// DecideDispute decides an open dispute. The decision is carried out once both parties have
// accepted it, or after 72 hours without an appeal; until then the deal is frozen. The caller has
// checked that the actor is an admin. Codes: NotFound, Forbidden for a party of the deal, Invalid,
// AlreadyHandled, Conflict while an operation is pending, IdempotencyMismatch. A replay returns the
// dispute.
func (s *Service) DecideDispute(ctx context.Context, admin, id uuid.UUID, ruling Ruling, key *idempotency.Key) (DisputeDetail, error) {
	ruling.Reason = sanitize.Text(ruling.Reason)
	return s.writeInDispute(ctx, admin, id, key, true, func(tx *postgres.Tx, x Dispute) error {
		if err := x.checkAdmin(admin); err != nil {
			return err
		}
		if err := ruling.check(x.Deal.Price); err != nil {
			return err
		}
		now := s.Clock.Now()
		if err := x.checkWaiting(admin, now, DisputeOpen); err != nil {
			return err
		}
		if err := checkNotBusy(ctx, tx, x.Deal.ID); err != nil {
			return err
		}
		return s.rule(ctx, tx, x, admin, ruling, now.Add(disputeAppealWithin))
	})
}

// rule stores and announces a decision of a locked dispute, which is carried out at due. It is
// final if it is about an appeal.
func (s *Service) rule(ctx context.Context, tx *postgres.Tx, x Dispute, admin uuid.UUID, ruling Ruling, due time.Time) error {
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	now := s.Clock.Now()
	d := Decision{
		ID: id, Final: x.Status == DisputeAppealed, Split: split(x.Deal.Price, ruling.BuyerGets), Reason: ruling.Reason,
		DecidedAt: now, DueAt: due,
	}
	if err := insertDecision(ctx, tx, x.ID, admin, d); err != nil {
		return err
	}
	if err := setDisputeDecided.One(ctx, tx, postgres.Args{"id": x.ID, "due": due}); err != nil {
		return err
	}
	if err := s.enter(ctx, tx, x, entry{author: &admin, kind: EntryDecision, decision: &id}); err != nil {
		return err
	}
	if err := s.freeze(ctx, tx, &x.Deal); err != nil {
		return err
	}
	line, kind, action := catalog.LineDisputeDecided, catalog.DealDisputeDecided, "dispute.decide"
	if d.Final {
		line, kind, action = catalog.LineDisputeFinal, catalog.DealDisputeFinal, "dispute.decide_appeal"
	}
	err = s.tellDispute(ctx, tx, x, change{
		actor: actor.User(admin), line: line, params: d.params(), note: ruling.Reason,
		notices: []notice{{x.Deal.Buyer.ID, kind}, {x.Deal.Seller.ID, kind}},
	})
	if err != nil {
		return err
	}
	return audit.Record(ctx, tx, audit.Entry{
		At: now, Actor: actor.User(admin), Action: action, Subject: operations.Deal(x.Deal.ID), Details: map[string]any{
			"dispute": x.ID, "buyer": x.Deal.Buyer.ID, "seller": x.Deal.Seller.ID, "price": x.Deal.Price,
			"buyerGets": d.BuyerGets, "sellerGets": d.SellerGets, "fee": d.Fee, "reason": ruling.Reason,
		},
	})
}

// auditedSplit records that a decision was carried out.
func (s *Service) auditedSplit(ctx context.Context, tx *postgres.Tx, t settlement, d Deal) error {
	return audit.Record(ctx, tx, audit.Entry{
		At: s.Clock.Now(), Actor: actor.User(t.decision.By.ID), Action: "dispute.carry_out", Subject: operations.Deal(d.ID),
		Details: map[string]any{
			"dispute": t.dispute.ID, "buyer": d.Buyer.ID, "seller": d.Seller.ID, "price": d.Price,
			"buyerGets": t.decision.BuyerGets, "sellerGets": t.decision.SellerGets,
		},
	})
}

// Settling is the result of accepting a decision: an operation once both parties have accepted it.
type Settling struct {
	Operation *operations.Operation
	Dispute   DisputeDetail
}

// AcceptDecision accepts the decision of a dispute for a party. When both have, it is carried out.
// Codes: NotFound, Conflict if no decision waits and while another operation is pending.
func (s *Service) AcceptDecision(ctx context.Context, userID, id uuid.UUID, key *idempotency.Key) (Settling, error) {
	x, err := s.GetDispute(ctx, userID, id)
	if err != nil {
		return Settling{}, err
	}
	if op, used, err := operations.Replayed(ctx, s.DB, key, id); err != nil || used {
		return Settling{Operation: op, Dispute: x}, err
	}
	if x.Decision == nil {
		return Settling{}, errDisputeStatus()
	}
	both, err := s.acceptDecision(ctx, userID, x.Dispute, key)
	if err != nil {
		return Settling{}, err
	}
	if both {
		p := settleParams{By: settledByBoth, Of: x.Decision.ID}
		op, err := s.requestSettling(ctx, actor.User(userID), x.Deal.ID, id, p, key)
		return Settling{Operation: &op}, err
	}
	x, err = s.GetDispute(ctx, userID, id)
	return Settling{Dispute: x}, err
}

// acceptDecision records that a party accepts the decision and reports whether both have. The key
// is tied to the dispute unless they have: then it is for the operation. If the process dies before
// the operation is requested, the clock requests it.
func (s *Service) acceptDecision(ctx context.Context, userID uuid.UUID, seen Dispute, key *idempotency.Key) (both bool, err error) {
	err = postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		both = false
		return s.changeDispute(ctx, tx, userID, seen.ID, func(x Dispute) error {
			d := x.Decision
			if d == nil || d.ID != seen.Decision.ID || x.Status == DisputeAppealed || x.Status == DisputeClosed {
				return errDisputeStatus()
			}
			if both = d.acceptedByBoth(); both || x.Status == DisputeSettled {
				both = true
				return nil // accepted or carried out already
			}
			if err := checkNotBusy(ctx, tx, x.Deal.ID); err != nil {
				return err
			}
			mine, theirs := d.BuyerAcceptedAt, d.SellerAcceptedAt
			if userID == x.Deal.Seller.ID {
				mine, theirs = theirs, mine
			}
			both = theirs != nil
			if !both {
				if _, replayed, err := idempotency.Reserve(ctx, tx, key, x.ID, s.Clock.Now()); err != nil || replayed {
					return err
				}
			}
			if mine != nil {
				return nil
			}
			return s.accepted(ctx, tx, x, userID, both)
		})
	})
	return both, err
}

func (s *Service) accepted(ctx context.Context, tx *postgres.Tx, x Dispute, userID uuid.UUID, both bool) error {
	now := s.Clock.Now()
	if err := setDecisionAccepted.One(ctx, tx,
		postgres.Args{"id": x.Decision.ID, "buyer": userID == x.Deal.Buyer.ID, "now": now}); err != nil {
		return err
	}
	if both {
		if err := setDisputeDecided.One(ctx, tx, postgres.Args{"id": x.ID, "due": now}); err != nil {
			return err
		}
	}
	if err := s.enter(ctx, tx, x, entry{author: &userID, kind: EntryAccepted, decision: &x.Decision.ID}); err != nil {
		return err
	}
	return s.tellDispute(ctx, tx, x, change{
		actor: actor.User(userID), notices: []notice{{x.Deal.Other(userID).ID, catalog.DealDecisionAccepted}},
	})
}

// AppealDispute appeals against a decision for a party, with a text of 1 to 2,000 characters. There
// is one appeal in a dispute, which another admin decides. Codes: NotFound, Invalid, Conflict if
// the user cannot appeal, IdempotencyMismatch. A replay returns the dispute.
func (s *Service) AppealDispute(ctx context.Context, userID, id uuid.UUID, text string, key *idempotency.Key) (DisputeDetail, error) {
	said := Statement{Words: Words{Text: text}}.normalized()
	return s.writeInDispute(ctx, userID, id, key, false, func(tx *postgres.Tx, x Dispute) error {
		if said.Text == "" {
			return fault.Field("text", "dispute_appeal_missing", "Write why the decision is wrong.")
		}
		if err := said.checkLength(); err != nil {
			return err
		}
		now := s.Clock.Now()
		if err := x.checkAppeal(userID, now); err != nil {
			return err
		}
		if err := checkNotBusy(ctx, tx, x.Deal.ID); err != nil {
			return err
		}
		if err := setDisputeAppealed.One(ctx, tx, postgres.Args{"id": id, "user": userID, "now": now}); err != nil {
			return err
		}
		if err := s.enter(ctx, tx, x, entry{author: &userID, kind: EntryAppeal, said: said}); err != nil {
			return err
		}
		err := s.tellDispute(ctx, tx, x, change{
			actor: actor.User(userID), line: catalog.LineDisputeAppealed,
			notices: []notice{{x.Deal.Other(userID).ID, catalog.DealDisputeAppealed}},
		})
		if err != nil {
			return err
		}
		return s.notifyAdmins(ctx, tx, x.Deal, jobs.AdminNotice{
			NoticeKind: string(catalog.AdminDisputeAppeal), Params: catalog.Params{"username": x.Deal.nameOf(userID)}, AboutID: &userID,
			Link: disputeLink(id),
		})
	})
}

// checkAppeal returns why a party cannot appeal against the decision. Code Conflict.
func (x Dispute) checkAppeal(userID uuid.UUID, now time.Time) error {
	d := x.Decision
	switch {
	case x.Status.Ended():
		return errDisputeEnded()
	case d == nil:
		return errDisputeStatus()
	case x.AppealedAt != nil:
		return fault.New(fault.Conflict, "dispute_appealed_already", "There was an appeal against this decision already.")
	case userID == x.Deal.Buyer.ID && d.BuyerAcceptedAt != nil, userID == x.Deal.Seller.ID && d.SellerAcceptedAt != nil:
		return fault.New(fault.Conflict, "decision_accepted_already", "You have accepted this decision.")
	case !now.Before(d.DueAt):
		return fault.New(fault.Conflict, "dispute_appeal_too_late", "The time to appeal is over.")
	}
	return nil
}

// DecideDisputeAppeal decides an appeal and requests that the decision, which is final, be carried
// out. The caller has checked that the actor is an admin. Codes: NotFound, Forbidden for a party of
// the deal and for the admin who decided first, Invalid, AlreadyHandled, Conflict.
func (s *Service) DecideDisputeAppeal(
	ctx context.Context, admin, id uuid.UUID, ruling Ruling, key *idempotency.Key,
) (operations.Operation, error) {
	ruling.Reason = sanitize.Text(ruling.Reason)
	switch op, used, err := operations.Replayed(ctx, s.DB, key, id); {
	case err != nil:
		return operations.Operation{}, err
	case used:
		return *op, nil
	}
	var final Decision
	var dealID uuid.UUID
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		return s.changeAnyDispute(ctx, tx, id, func(x Dispute) error {
			dealID = x.Deal.ID
			if err := s.ruleOnAppeal(ctx, tx, x, admin, ruling); err != nil {
				return err
			}
			now, err := getDispute(ctx, tx, id)
			if err == nil {
				final = *now.Decision
			}
			return err
		})
	})
	if err != nil {
		return operations.Operation{}, err
	}
	p := settleParams{By: settledByAppeal, Of: final.ID}
	return s.requestSettling(ctx, actor.User(admin), dealID, id, p, key)
}

// ruleOnAppeal stores the final decision of a locked dispute. The same decision of the same admin,
// repeated, changes nothing: a process may have died before it requested the operation.
func (s *Service) ruleOnAppeal(ctx context.Context, tx *postgres.Tx, x Dispute, admin uuid.UUID, ruling Ruling) error {
	if d := x.Decision; d != nil && d.Final && d.By.ID == admin && d.BuyerGets == ruling.BuyerGets && d.Reason == ruling.Reason {
		return nil
	}
	if err := x.checkAdmin(admin); err != nil {
		return err
	}
	if err := ruling.check(x.Deal.Price); err != nil {
		return err
	}
	now := s.Clock.Now()
	if x.Status == DisputeOpen || x.Status == DisputeDecided && !x.Decision.Final {
		return fault.New(fault.Conflict, "no_appeal", "Nobody has appealed against this decision.")
	}
	if err := x.checkWaiting(admin, now, DisputeAppealed); err != nil {
		return err
	}
	if err := checkNotBusy(ctx, tx, x.Deal.ID); err != nil {
		return err
	}
	return s.rule(ctx, tx, x, admin, ruling, now)
}
