package deals

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/app/images"
	"amanat/internal/app/user"
	"amanat/internal/app/worklist"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// DisputeReason is why a party opens a dispute.
type DisputeReason string

// Reasons of the buyer, of the seller, and of both.
const (
	DisputeNotDelivered DisputeReason = "not_delivered"
	DisputeNotAsAgreed  DisputeReason = "not_as_agreed"
	DisputeBroken       DisputeReason = "broken"
	DisputeAccessTaken  DisputeReason = "access_taken"
	DisputeNotReleased  DisputeReason = "not_released"
	DisputeAsksMore     DisputeReason = "asks_more"
	DisputeAbuse        DisputeReason = "abuse"
	DisputeOther        DisputeReason = "other"
)

// reasonsOf returns the reasons that a party may give.
func (d Deal) reasonsOf(userID uuid.UUID) []DisputeReason {
	if userID == d.Buyer.ID {
		return []DisputeReason{DisputeNotDelivered, DisputeNotAsAgreed, DisputeBroken, DisputeAccessTaken, DisputeOther}
	}
	return []DisputeReason{DisputeNotReleased, DisputeAsksMore, DisputeAbuse, DisputeOther}
}

// DisputeStatus is the state of a dispute.
type DisputeStatus string

// Statuses. A settled or closed dispute has ended.
const (
	DisputeOpen     DisputeStatus = "open"
	DisputeDecided  DisputeStatus = "decided" // and not carried out yet
	DisputeAppealed DisputeStatus = "appealed"
	DisputeSettled  DisputeStatus = "settled" // the price was divided
	DisputeClosed   DisputeStatus = "closed"  // by its opener, or the deal ended otherwise
)

// DisputeStatuses returns all statuses.
func DisputeStatuses() []DisputeStatus {
	return []DisputeStatus{DisputeOpen, DisputeDecided, DisputeAppealed, DisputeSettled, DisputeClosed}
}

// Ended reports whether nothing more happens in a dispute with the status.
func (s DisputeStatus) Ended() bool { return s == DisputeSettled || s == DisputeClosed }

// Periods of a dispute (docs/rules.md#disputes).
const (
	disputeAnswerWithin = 48 * time.Hour
	disputeRemindBefore = 24 * time.Hour
	disputeDecideWithin = 72 * time.Hour // from the answer, or from the end of the time for it
	disputeAppealWithin = 72 * time.Hour
)

// DisputeTurn is what a dispute waits for from a party.
type DisputeTurn string

// What a party can do: accept a decision or appeal against it, accept an offer, answer.
const (
	TurnDecision DisputeTurn = "decision"
	TurnOffer    DisputeTurn = "offer"
	TurnAnswer   DisputeTurn = "answer"
)

// Turns are what a dispute waits for from both parties; nil: nothing.
type Turns struct{ Buyer, Seller *DisputeTurn }

// DisputeRef names a dispute of a deal.
type DisputeRef struct {
	ID     uuid.UUID     `json:"_id"`
	Status DisputeStatus `json:"status" enum:"open,decided,appealed,settled,closed"`
}

// Dispute is a party's complaint about a deal, which the parties settle or an admin decides.
type Dispute struct {
	ID          uuid.UUID
	Deal        Deal `db:"-"`
	OpenedBy    uuid.UUID
	Reason      DisputeReason
	Status      DisputeStatus
	CreatedAt   time.Time
	AnswerDueAt time.Time
	AnsweredAt  *time.Time
	Claim       *worklist.Claim
	AppealedBy  *uuid.UUID
	AppealedAt  *time.Time
	CarryOutAt  *time.Time // when the decision is carried out; nil while none waits for that
	EndedAt     *time.Time
	Decision    *Decision // the last one; nil: none
}

// Split is how the price of a deal is divided.
type Split struct{ BuyerGets, SellerGets, Fee money.Cents }

// split divides a price: the fee is that of what the buyer does not get back, and the seller
// receives the rest (docs/rules.md#dispute-split).
func split(price, buyerGets money.Cents) Split {
	rest := price - buyerGets
	fee := money.Fee(rest)
	return Split{BuyerGets: buyerGets, SellerGets: rest - fee, Fee: fee}
}

// Offer is a party's offer to divide the price.
type Offer struct {
	ID     uuid.UUID
	MadeBy uuid.UUID
	Split
	Status    OfferStatus
	CreatedAt time.Time
}

// OfferStatus is the state of an offer.
type OfferStatus string

// Statuses.
const (
	OfferOpen      OfferStatus = "open"
	OfferWithdrawn OfferStatus = "withdrawn" // or the dispute has ended
	OfferReplaced  OfferStatus = "replaced"  // by a later one of the same party
	OfferAccepted  OfferStatus = "accepted"
)

// Decision is an admin's decision of a dispute.
type Decision struct {
	ID    uuid.UUID
	Final bool // of an appeal
	By    user.Ref
	Split
	Reason           string
	DecidedAt        time.Time
	DueAt            time.Time // when it is carried out unless both parties accept it before
	BuyerAcceptedAt  *time.Time
	SellerAcceptedAt *time.Time
	CarriedOutAt     *time.Time
}

// DisputeDetail is a dispute with all that its room shows.
type DisputeDetail struct {
	Dispute
	Thread    []DisputeEntry // oldest first
	Offers    []Offer        // oldest first
	Appeal    string         // the text; "" without an appeal
	Operation *operations.Operation
}

// DisputeEntry is a line of a dispute's thread.
type DisputeEntry struct {
	ID       uuid.UUID
	At       time.Time
	Author   *user.Ref // nil for the system
	Kind     EntryKind
	Text     string
	Links    []string
	Pictures []images.Attachment `db:"-"`
	OfferID  *uuid.UUID
}

// EntryKind is what a line of a thread is.
type EntryKind string

// Kinds of entries.
const (
	EntryOpened         EntryKind = "opened"
	EntryAnswer         EntryKind = "answer"
	EntryMessage        EntryKind = "message"
	EntryOffer          EntryKind = "offer"
	EntryOfferWithdrawn EntryKind = "offer_withdrawn"
	EntryDecision       EntryKind = "decision"
	EntryAccepted       EntryKind = "accepted"
	EntryAppeal         EntryKind = "appeal"
	EntrySettled        EntryKind = "settled"
	EntryClosed         EntryKind = "closed"
)

// ExpectedBy returns when the next decision, or the carrying out of the last one, is expected; nil
// for a dispute that has ended.
func (x Dispute) ExpectedBy() *time.Time {
	var at time.Time
	switch x.Status {
	case DisputeOpen:
		at = x.AnswerDueAt
		if x.AnsweredAt != nil && x.AnsweredAt.Before(at) {
			at = *x.AnsweredAt
		}
		at = at.Add(disputeDecideWithin)
	case DisputeDecided:
		return x.CarryOutAt
	case DisputeAppealed:
		at = x.AppealedAt.Add(disputeDecideWithin)
	case DisputeSettled, DisputeClosed:
		return nil
	}
	return &at
}

// CanAppeal reports whether a user may appeal against the decision now.
func (x Dispute) CanAppeal(userID uuid.UUID, now time.Time) bool {
	return x.Deal.IsParty(userID) && x.checkAppeal(userID, now) == nil
}

// OpenDispute opens a dispute about an open deal and asks the other party for an answer. The first
// dispute of a party freezes the deal until it ends. Codes: NotFound if the user is not a party,
// Invalid with the first rule that fails, Conflict if the deal is not open, while a dispute is, and
// while an operation is pending; IdempotencyMismatch. A replay returns the dispute.
func (s *Service) OpenDispute(
	ctx context.Context, userID, dealID uuid.UUID, reason DisputeReason, said Statement, key *idempotency.Key,
) (DisputeDetail, error) {
	said = said.normalized()
	id, err := uuid.NewV7()
	if err != nil {
		return DisputeDetail{}, err
	}
	id, err = idempotency.Create(ctx, s.DB, key, id, s.Clock.Now(), func(tx *postgres.Tx) error {
		return s.changeIn(ctx, tx, userID, dealID, func(tx *postgres.Tx, d Deal) error {
			if err := d.checkDisputable(userID, reason); err != nil {
				return err
			}
			if err := said.check(); err != nil {
				return err
			}
			if err := checkNotBusy(ctx, tx, dealID); err != nil {
				return err
			}
			return s.openDispute(ctx, tx, d, Dispute{ID: id, OpenedBy: userID, Reason: reason}, said)
		})
	})
	if err != nil {
		return DisputeDetail{}, err
	}
	return s.GetDispute(ctx, userID, id)
}

// checkDisputable returns why a user may not open a dispute about the deal. Codes: Invalid,
// Conflict.
func (d Deal) checkDisputable(userID uuid.UUID, reason DisputeReason) error {
	switch {
	case !d.Status.Open():
		return errState("disputed", d)
	case d.DisputeID != nil:
		return fault.New(fault.Conflict, "dispute_open_already", "There is a dispute about this deal already.")
	case !slices.Contains(d.reasonsOf(userID), reason):
		return fault.Field("reason", "dispute_reason_missing", "Choose what is wrong.")
	}
	return nil
}

// openDispute stores and announces a dispute of a locked deal.
func (s *Service) openDispute(ctx context.Context, tx *postgres.Tx, d Deal, x Dispute, said Statement) error {
	now := s.Clock.Now()
	x.CreatedAt, x.AnswerDueAt, x.Deal = now, now.Add(disputeAnswerWithin), d
	if err := checkDisputesLeft(ctx, tx, d.ID, x.OpenedBy); err != nil {
		return err
	}
	before, err := hasFrozen.One(ctx, tx, postgres.Args{"deal": d.ID, "user": x.OpenedBy})
	if err != nil {
		return err
	}
	if err := insertDispute(ctx, tx, x, !before); err != nil {
		return err
	}
	if err := s.enter(ctx, tx, x, entry{author: &x.OpenedBy, kind: EntryOpened, said: said}); err != nil {
		return err
	}
	line, kind := catalog.LineDisputedAgain, catalog.DealDisputedAgain
	if !before || d.Frozen() { // a party freezes a deal once, so that it cannot delay it again and again
		line, kind = catalog.LineDisputed, catalog.DealDisputed
		if err := s.freeze(ctx, tx, &d); err != nil {
			return err
		}
	}
	x.Deal = d
	err = s.tellDispute(ctx, tx, x, change{
		actor: actor.User(x.OpenedBy), line: line, notices: []notice{{d.Other(x.OpenedBy).ID, kind}},
	})
	if err != nil {
		return err
	}
	return s.notifyAdmins(ctx, tx, d, jobs.AdminNotice{
		NoticeKind: string(catalog.AdminDispute), Params: catalog.Params{"username": d.nameOf(x.OpenedBy)}, AboutID: &x.OpenedBy,
		Link: disputeLink(x.ID),
	})
}

// tellDispute records and announces a change of a dispute to both parties and all admins.
func (s *Service) tellDispute(ctx context.Context, tx *postgres.Tx, x Dispute, c change) error {
	s.Events.WorklistChanged(tx, realtime.WorklistDisputes, x.ID)
	c.link = disputeLink(x.ID)
	return s.publish(ctx, tx, x.Deal, c)
}

// disputeLink is the page of a dispute.
func disputeLink(id uuid.UUID) string { return "/disputes/" + id.String() }

func errNoDispute() error {
	return fault.New(fault.NotFound, "dispute_not_found", "Dispute not found.")
}

// errDisputeStatus says that the dispute's status does not allow the action any more, or not yet.
func errDisputeStatus() error {
	return fault.New(fault.Conflict, "dispute_status", "The dispute has changed meanwhile. Look at it again.")
}

// errRuled says that the deal ends as the decision of its dispute says.
func errRuled() error {
	return fault.New(fault.Conflict, "deal_ruled", "An admin has decided the dispute about this deal.")
}

func errDisputeEnded() error {
	return fault.New(fault.Conflict, "dispute_ended", "This dispute has ended.")
}

// GetDispute returns a dispute to a party of its deal. Code NotFound for others.
func (s *Service) GetDispute(ctx context.Context, userID, id uuid.UUID) (DisputeDetail, error) {
	x, err := s.GetAnyDispute(ctx, id)
	if err == nil && !x.Deal.IsParty(userID) {
		return DisputeDetail{}, errNoDispute()
	}
	return x, err
}

// GetAnyDispute returns a dispute to an admin. Code NotFound.
func (s *Service) GetAnyDispute(ctx context.Context, id uuid.UUID) (DisputeDetail, error) {
	return s.disputeDetail(ctx, id)
}

// DisputeQuery is what an admin looks for among the disputes. Empty fields select all.
type DisputeQuery struct {
	Status DisputeStatus
	Search string // the beginning of a party's username, or words of the deal's description
}

// ListDisputes returns a page of disputes to an admin, and their total number: of a status that
// waits for an admin the oldest first, otherwise the newest first. Descriptions of deals are whole.
func (s *Service) ListDisputes(ctx context.Context, query DisputeQuery, page postgres.Page) ([]Dispute, int, error) {
	list, total, err := listDisputes(ctx, s.DB, query, page)
	if err != nil {
		return nil, 0, err
	}
	return list, total, s.addDeals(ctx, list)
}

// addDeals reads the deals of disputes.
func (s *Service) addDeals(ctx context.Context, list []Dispute) error {
	ids := make([]uuid.UUID, len(list))
	for i, x := range list {
		ids[i] = x.Deal.ID
	}
	found, err := dealsOf(ctx, s.DB, ids, s.Clock.Now())
	if err != nil {
		return err
	}
	for i := range list {
		for _, d := range found {
			if d.ID == list[i].Deal.ID {
				list[i].Deal = d
			}
		}
	}
	return nil
}

// CheckDisputeParty returns why a user is not a party of a dispute. Code NotFound.
func (s *Service) CheckDisputeParty(ctx context.Context, userID, id uuid.UUID) error {
	dealID, err := findDealOfDispute(ctx, s.DB, id)
	if err == nil {
		_, _, err = s.parties(ctx, userID, dealID)
	}
	if fault.CodeOf(err) == fault.NotFound {
		err = errNoDispute()
	}
	return err
}

// FindDealOfDispute returns the ID of the deal that a dispute is about. Code NotFound.
func (s *Service) FindDealOfDispute(ctx context.Context, id uuid.UUID) (uuid.UUID, error) {
	return findDealOfDispute(ctx, s.DB, id)
}

// changeDispute runs a change of a dispute for a party under the lock of its deal. Code NotFound
// for others.
func (s *Service) changeDispute(
	ctx context.Context, tx *postgres.Tx, userID, id uuid.UUID, change func(x Dispute) error,
) error {
	return s.changeAnyDispute(ctx, tx, id, func(x Dispute) error {
		if !x.Deal.IsParty(userID) {
			return errNoDispute()
		}
		return change(x)
	})
}

// changeAnyDispute is changeDispute for any user.
func (s *Service) changeAnyDispute(ctx context.Context, tx *postgres.Tx, id uuid.UUID, change func(x Dispute) error) error {
	dealID, err := findDealOfDispute(ctx, tx, id)
	if err != nil {
		return err
	}
	d, err := lockDeal(ctx, tx, dealID, s.Clock.Now())
	if err != nil {
		return err
	}
	x, err := getDispute(ctx, tx, id)
	if err != nil {
		return err
	}
	x.Deal = d
	return change(x)
}

// CloseDispute closes a dispute without moving money, for the party who opened it. The deal's clock
// goes on as after a support request. Closing it again changes nothing. Codes: NotFound, Forbidden
// for the other party, Conflict after a decision, when the dispute has ended otherwise, and while
// an operation is pending.
func (s *Service) CloseDispute(ctx context.Context, userID, id uuid.UUID) (DisputeDetail, error) {
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		return s.changeDispute(ctx, tx, userID, id, func(x Dispute) error {
			switch {
			case userID != x.OpenedBy:
				return fault.New(fault.Forbidden, "dispute_opener_only", "Only the one who opened the dispute can close it.")
			case x.Status == DisputeClosed:
				return nil
			case x.Status.Ended():
				return errDisputeEnded()
			case x.Status != DisputeOpen:
				return fault.New(fault.Conflict, "dispute_decided_already", "An admin has decided this dispute. It cannot be closed any more.")
			}
			if err := checkNotBusy(ctx, tx, x.Deal.ID); err != nil {
				return err
			}
			return s.withdrawDispute(ctx, tx, x)
		})
	})
	if err != nil {
		return DisputeDetail{}, err
	}
	return s.GetDispute(ctx, userID, id)
}

// withdrawDispute ends a dispute for its opener and thaws the deal if nothing else keeps it frozen.
func (s *Service) withdrawDispute(ctx context.Context, tx *postgres.Tx, x Dispute) error {
	d := x.Deal
	if err := s.closeDispute(tx, &d, &x.OpenedBy); err != nil {
		return err
	}
	held, err := anyFreezing.One(ctx, tx, postgres.Args{"deal": d.ID})
	if err != nil {
		return err
	}
	line, kind := catalog.LineDisputeDone, catalog.DealDisputeDone
	if !held && d.SuspendedAt == nil && d.Frozen() {
		line, kind = catalog.LineDisputeClosed, catalog.DealDisputeClosed
		if err := thaw(ctx, tx, &d, s.Clock.Now()); err != nil {
			return err
		}
	}
	x.Deal = d
	return s.tellDispute(ctx, tx, x, change{
		actor: actor.User(x.OpenedBy), line: line, notices: []notice{{d.Other(x.OpenedBy).ID, kind}},
	})
}

// closeDispute ends the dispute of a locked deal: by its opener, or because the deal ends.
func (s *Service) closeDispute(tx *postgres.Tx, d *Deal, by *uuid.UUID) error {
	id := *d.DisputeID
	d.DisputeID = nil
	s.Events.WorklistChanged(tx, realtime.WorklistDisputes, id)
	return s.endDispute(tx, id, DisputeClosed, by)
}

// endDispute ends a dispute and withdraws the offers that are open.
func (s *Service) endDispute(tx *postgres.Tx, id uuid.UUID, as DisputeStatus, by *uuid.UUID) error {
	kind := EntryClosed
	if as == DisputeSettled {
		kind = EntrySettled
	}
	now := s.Clock.Now()
	queueEndDispute(tx, id, as, now)
	_, err := queueEntry(tx, id, entry{author: by, kind: kind}, now)
	return err
}
