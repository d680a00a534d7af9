package deals

import (
	"context"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/sanitize"
	"amanat/internal/money"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/operations"
)

// Bounds of what is written in a dispute.
const (
	maxLinks = 5
	maxLink  = 500
)

// Statement is what a user writes in a dispute: a text, pictures and links.
type Statement struct {
	Words
	Links []string
}

func (s Statement) normalized() Statement {
	s.Words = s.Words.normalized()
	links := make([]string, len(s.Links))
	for i, link := range s.Links {
		links[i] = sanitize.Line(link)
	}
	s.Links = links
	return s
}

// check returns the first rule that the statement breaks. Code Invalid.
func (s Statement) check() error {
	if s.Text == "" {
		return fault.Field("text", "dispute_text_missing", "Write what happened.")
	}
	if err := s.checkLength(); err != nil {
		return err
	}
	if len(s.Pictures) > maxPictures {
		return fault.Field("pictures", "dispute_pictures_over_limit", "You can add at most 8 pictures.")
	}
	if len(s.Links) > maxLinks {
		return fault.Field("links", "links_over_limit", "You can add at most 5 links.")
	}
	for _, link := range s.Links {
		if !validLink(link) {
			return fault.Field("links", "link_invalid", "A link must begin with https:// and have at most 500 characters.")
		}
	}
	return nil
}

// validLink reports whether a link leads to a page on the web. Names and passwords, which can make
// an address look like another one, are not allowed in it.
func validLink(link string) bool {
	if utf8.RuneCountInString(link) > maxLink || strings.ContainsAny(link, " \\") {
		return false
	}
	u, err := url.Parse(link)
	return err == nil && u.Scheme == "https" && u.Hostname() != "" && u.User == nil
}

// entry is a line to be added to a dispute's thread.
type entry struct {
	author   *uuid.UUID // nil: the system
	kind     EntryKind
	said     Statement
	offer    *uuid.UUID
	decision *uuid.UUID
}

// enter adds a line to the thread of a dispute and gives it the pictures that its author has added.
func (s *Service) enter(ctx context.Context, tx *postgres.Tx, x Dispute, e entry) error {
	id, err := queueEntry(tx, x.ID, e, s.Clock.Now())
	if err != nil || len(e.said.Pictures) == 0 {
		return err
	}
	shown, err := showInDispute.Count(ctx, tx, postgres.Args{"deal": x.Deal.ID, "owner": *e.author, "entry": id, "pictures": e.said.Pictures})
	if err == nil && shown < int64(len(e.said.Pictures)) {
		err = errPictures()
	}
	return err
}

// AnswerDispute answers a dispute for the party who did not open it, once; messages may follow.
// Codes: NotFound, Forbidden for the opener, Invalid, Duplicate after an answer, Conflict when the
// dispute is decided or has ended, IdempotencyMismatch. A replay returns the dispute.
func (s *Service) AnswerDispute(
	ctx context.Context, userID, id uuid.UUID, said Statement, key *idempotency.Key,
) (DisputeDetail, error) {
	said = said.normalized()
	return s.writeInDispute(ctx, userID, id, key, false, func(tx *postgres.Tx, x Dispute) error {
		if userID == x.OpenedBy {
			return fault.New(fault.Forbidden, "dispute_other_only", "Only the other party can answer.")
		}
		if err := said.check(); err != nil {
			return err
		}
		switch {
		case x.Status.Ended():
			return errDisputeEnded()
		case x.AnsweredAt != nil:
			return fault.New(fault.Duplicate, "dispute_answered_already", "You have answered already. You can write another message.")
		case x.Status != DisputeOpen:
			return errDisputeStatus()
		}
		if err := setAnswered.One(ctx, tx, postgres.Args{"id": id, "now": s.Clock.Now()}); err != nil {
			return err
		}
		if err := s.enter(ctx, tx, x, entry{author: &userID, kind: EntryAnswer, said: said}); err != nil {
			return err
		}
		return s.tellDispute(ctx, tx, x, change{
			actor: actor.User(userID), line: catalog.LineDisputeAnswered, notices: []notice{{x.OpenedBy, catalog.DealDisputeAnswered}},
		})
	})
}

// WriteInDispute adds a message of a party or of an admin, asAdmin, to the thread of a dispute. The
// caller has checked that an admin is one. Codes: NotFound, Invalid, Conflict when the dispute has
// ended, IdempotencyMismatch. A replay returns the dispute.
func (s *Service) WriteInDispute(
	ctx context.Context, userID, id uuid.UUID, asAdmin bool, said Statement, key *idempotency.Key,
) (DisputeDetail, error) {
	said = said.normalized()
	return s.writeInDispute(ctx, userID, id, key, asAdmin, func(tx *postgres.Tx, x Dispute) error {
		if err := said.check(); err != nil {
			return err
		}
		if x.Status.Ended() {
			return errDisputeEnded()
		}
		if err := s.enter(ctx, tx, x, entry{author: &userID, kind: EntryMessage, said: said}); err != nil {
			return err
		}
		c := change{actor: actor.User(userID), notices: []notice{
			{x.Deal.Buyer.ID, catalog.DealDisputeAsked}, {x.Deal.Seller.ID, catalog.DealDisputeAsked},
		}}
		if x.Deal.IsParty(userID) {
			c.notices = []notice{{x.Deal.Other(userID).ID, catalog.DealDisputeMessage}}
		}
		return s.tellDispute(ctx, tx, x, c)
	})
}

// writeInDispute runs a change that the key makes once and returns the dispute.
func (s *Service) writeInDispute(
	ctx context.Context, userID, id uuid.UUID, key *idempotency.Key, asAdmin bool, write func(tx *postgres.Tx, x Dispute) error,
) (DisputeDetail, error) {
	_, err := idempotency.Create(ctx, s.DB, key, id, s.Clock.Now(), func(tx *postgres.Tx) error {
		return s.changeAnyDispute(ctx, tx, id, func(x Dispute) error {
			if !asAdmin && !x.Deal.IsParty(userID) {
				return errNoDispute()
			}
			return write(tx, x)
		})
	})
	if err != nil {
		return DisputeDetail{}, err
	}
	return s.GetAnyDispute(ctx, id)
}

// disputeDetail reads a dispute with its thread. Support requests that were open when the dispute
// was opened are the first lines.
func (s *Service) disputeDetail(ctx context.Context, id uuid.UUID) (DisputeDetail, error) {
	var detail DisputeDetail
	err := postgres.Snapshot(ctx, s.DB, func(tx *postgres.Tx) error {
		x, err := getDispute(ctx, tx, id)
		if err != nil {
			return err
		}
		if x.Deal, err = getDeal(ctx, tx, x.Deal.ID, s.Clock.Now()); err != nil {
			return err
		}
		detail = DisputeDetail{Dispute: x}
		ofDispute := postgres.Args{"dispute": id, "deal": x.Deal.ID, "opened": x.CreatedAt}
		listOffers.Queue(tx, ofDispute, func(o Offer) { detail.Offers = append(detail.Offers, o) })
		listEntries.Queue(tx, ofDispute, func(e DisputeEntry) { detail.Thread = append(detail.Thread, e) })
		listEntryPictures.Queue(tx, ofDispute, func(p shownPicture) {
			for i, line := range detail.Thread {
				if line.ID == p.ShownBy {
					detail.Thread[i].Pictures = append(line.Pictures, p.attachment())
				}
			}
		})
		operations.QueuePendingOn(tx, operations.Deal(x.Deal.ID), func(op operations.Operation) { detail.Operation = &op })
		return tx.Flush(ctx)
	})
	for _, line := range detail.Thread {
		if line.Kind == EntryAppeal {
			detail.Appeal = line.Text
		}
	}
	return detail, err
}

// MakeOffer offers the other party to divide the price: buyerGets goes back to the buyer. It
// replaces the open offer of the same party. Codes: NotFound, Invalid, Conflict when the dispute
// has ended or was finally decided, and while an operation is pending; IdempotencyMismatch. A
// replay returns the dispute.
func (s *Service) MakeOffer(
	ctx context.Context, userID, id uuid.UUID, buyerGets money.Cents, key *idempotency.Key,
) (DisputeDetail, error) {
	return s.writeInDispute(ctx, userID, id, key, false, func(tx *postgres.Tx, x Dispute) error {
		if err := checkBuyerGets(buyerGets, x.Deal.Price); err != nil {
			return err
		}
		if err := x.checkOffers(); err != nil {
			return err
		}
		if err := checkNotBusy(ctx, tx, x.Deal.ID); err != nil {
			return err
		}
		offerID, err := uuid.NewV7()
		if err != nil {
			return err
		}
		o := Offer{ID: offerID, MadeBy: userID, Split: split(x.Deal.Price, buyerGets), CreatedAt: s.Clock.Now()}
		queueInsertOffer(tx, id, o)
		if err := s.enter(ctx, tx, x, entry{author: &userID, kind: EntryOffer, offer: &offerID}); err != nil {
			return err
		}
		return s.tellDispute(ctx, tx, x, change{
			actor: actor.User(userID), params: o.params(), notices: []notice{{x.Deal.Other(userID).ID, catalog.DealDisputeOffer}},
		})
	})
}

// checkBuyerGets checks what is to go back to the buyer. Code Invalid.
func checkBuyerGets(buyerGets, price money.Cents) error {
	if buyerGets < 0 || buyerGets > price {
		return fault.Fieldf("buyerGets", "split_out_of_range", "The amount must be from 0 to the price, ${amount}.",
			fault.Params{"amount": price})
	}
	return nil
}

// checkOffers returns Conflict if no offers can be made or accepted any more.
func (x Dispute) checkOffers() error {
	switch {
	case x.Status.Ended():
		return errDisputeEnded()
	case x.Decision != nil && x.Decision.Final:
		return errDisputeStatus()
	}
	return nil
}

// params are the amounts of a split in texts.
func (s Split) params() catalog.Params {
	return catalog.Params{"refund": s.BuyerGets.String(), "payout": s.SellerGets.String()}
}

// WithdrawOffer withdraws an open offer of the user. Withdrawing it again changes nothing. Codes:
// NotFound, also for an offer of the other party; Conflict for an offer that was replaced or
// accepted, and while an operation is pending.
func (s *Service) WithdrawOffer(ctx context.Context, userID, id, offerID uuid.UUID) (DisputeDetail, error) {
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		return s.changeDispute(ctx, tx, userID, id, func(x Dispute) error {
			o, err := getOffer(ctx, tx, id, offerID)
			switch {
			case err != nil:
				return err
			case o.MadeBy != userID:
				return errNoOffer()
			case o.Status == OfferWithdrawn:
				return nil
			case o.Status != OfferOpen:
				return errOfferGone()
			}
			if err := checkNotBusy(ctx, tx, x.Deal.ID); err != nil {
				return err
			}
			setOffer.QueueOne(tx, postgres.Args{"id": offerID, "status": OfferWithdrawn})
			if err := s.enter(ctx, tx, x, entry{author: &userID, kind: EntryOfferWithdrawn, offer: &offerID}); err != nil {
				return err
			}
			return s.tellDispute(ctx, tx, x, change{actor: actor.User(userID)})
		})
	})
	if err != nil {
		return DisputeDetail{}, err
	}
	return s.GetDispute(ctx, userID, id)
}

func errNoOffer() error { return fault.New(fault.NotFound, "offer_not_found", "Offer not found.") }

func errOfferGone() error {
	return fault.New(fault.Conflict, "offer_gone", "This offer is not open any more.")
}

// AcceptOffer requests that the price be divided as the other party has offered. Codes: NotFound,
// Forbidden for one's own offer and for a buyer whose money is on hold, Conflict if the offer is
// not open, if a party is disabled, or if another operation is pending.
func (s *Service) AcceptOffer(ctx context.Context, userID, id, offerID uuid.UUID, key *idempotency.Key) (operations.Operation, error) {
	dealID, err := findDealOfDispute(ctx, s.DB, id)
	if err != nil {
		return operations.Operation{}, err
	}
	p := settleParams{By: settledByOffer, Of: offerID}
	return s.requestSettling(ctx, actor.User(userID), dealID, id, p, key)
}
