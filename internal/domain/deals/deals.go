// Package deals implements escrow deals: their statuses, who may make which transition, and the
// money that each transition moves (docs/rules.md#deals).
package deals

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/app/images"
	"amanat/internal/app/user"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// Status is the state of a deal (docs/rules.md#deal-statuses).
type Status string

// Statuses. Active, Late and Delivered are open: the money is in escrow.
const (
	Pending           Status = "Pending"
	Active            Status = "Active"
	Late              Status = "Late"
	Delivered         Status = "Delivered"
	Completed         Status = "Completed"
	Cancelled         Status = "Cancelled"
	CancelledByBuyer  Status = "Cancelled by Buyer"
	CancelledBySeller Status = "Cancelled by Seller"
)

// Open reports whether the deal's money is in escrow.
func (s Status) Open() bool { return s == Active || s == Late || s == Delivered }

// Deal is a deal as of the time it was read.
type Deal struct {
	ID            uuid.UUID
	Buyer, Seller user.Ref `db:"-"`
	CreatedBy     uuid.UUID
	Terms
	Fee               money.Cents
	DescriptionErased bool // its author has closed the account
	// TermsVersion is 1, and one more with every counter-offer that was accepted.
	TermsVersion int
	// CounterofferBy made the open counter-offer; nil: there is none.
	CounterofferBy   *uuid.UUID
	Status           Status // Late from the due date on, whether or not a worker has stored it
	CreatedAt        time.Time
	DueAt            time.Time
	AcceptedAt       *time.Time // by the seller; nil until they accept
	ActivatedAt      *time.Time
	Delivered        bool
	DeliveredAt      *time.Time // of the current delivery
	FirstDeliveredAt *time.Time // never cleared
	Shipment                    // of the current delivery
	// ResetAt is the time of a reset with no delivery since, plus the time frozen since then.
	ResetAt               *time.Time
	CancellationRequested bool
	CancellationAskedAt   *time.Time
	CancellationDeclined  bool
	Requests              int // cancellation requests and resets so far
	NextAction            Action
	NextActionAt          *time.Time // not advanced while the deal is frozen
	WarnedAt              *time.Time
	FrozenAt              *time.Time
	FrozenFor             time.Duration
	EscalatedAt           *time.Time // set while the deal waits for an admin's decision
	// SuspendedAt is set while the deal waits for an admin's decision because a party is disabled.
	// The deal is frozen for as long.
	SuspendedAt    *time.Time
	ClosedAt       *time.Time
	CloseReason    Reason
	Refunded       *money.Cents // paid back to the buyer at closing; nil if nothing was
	SettledFee     *money.Cents // taken when a dispute was settled; nil if the deal ended otherwise
	RemovedAt      *time.Time
	DisputeID      *uuid.UUID // of the dispute that has not ended; nil: none
	DisputeTurns   Turns      `db:"-"` // of it
	Ruled          bool       // an admin has decided it
	newlyLate      bool       // still stored as Active; the parties are not notified yet
	BuyerDisabled  bool       // by an admin; the current state
	SellerDisabled bool
	BuyerHeld      bool // by an admin: the buyer's money may not leave
	// BuyerStopped is BuyerHeld set by the buyer's own "This was not me", until they reset their
	// password.
	BuyerStopped bool
	ReviewGiven  bool // by the buyer, see internal/domain/reviews

	// The languages of the parties' notifications; "": not read.
	BuyerLanguage, SellerLanguage string
}

// Frozen reports whether a support request, a dispute or a suspension stops the deal's deadlines.
func (d Deal) Frozen() bool { return d.FrozenAt != nil }

// Payout is what the seller receives on completion, or has received when a dispute was settled.
func (d Deal) Payout() money.Cents {
	if d.SettledFee == nil {
		return d.Price - d.Fee
	}
	back, _ := d.Refund()
	return d.Price - back - *d.SettledFee
}

// FeeTaken is the fee of the deal: of the whole price, or of what a settled dispute gave the
// seller.
func (d Deal) FeeTaken() money.Cents {
	if d.SettledFee == nil {
		return d.Fee
	}
	return *d.SettledFee
}

// IsParty reports whether the user is the buyer or the seller.
func (d Deal) IsParty(userID uuid.UUID) bool { return userID == d.Buyer.ID || userID == d.Seller.ID }

// Other returns the other party: the seller for the buyer, else the buyer.
func (d Deal) Other(userID uuid.UUID) user.Ref {
	if userID == d.Buyer.ID {
		return d.Seller
	}
	return d.Buyer
}

// Line is an event of a deal's timeline.
type Line struct {
	ID   uuid.UUID
	Kind catalog.Kind
	Text string
	Note string // the actor's message to both parties, or ""
	// Pictures are those of a delivery.
	Pictures []images.Attachment
	At       time.Time
	Actor    *user.Ref // nil for the system
}

// Detail is a deal with its timeline, oldest first, its open counter-offer, its latest dispute and
// its pending operation, if any.
type Detail struct {
	Deal
	Timeline     []Line
	Counteroffer *Counteroffer
	Dispute      *DisputeRef
	Operation    *operations.Operation
}

// Notifier notifies a user of a change, in the transaction that makes it.
type Notifier interface {
	// UseLanguage says in which language a user reads; "" means unknown.
	UseLanguage(tx *postgres.Tx, userID uuid.UUID, language string)
	Notify(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, kind catalog.Kind, params catalog.Params, link string) error
}

// Limits bounds what a buyer pays by the level of trust of their account. *trust.Service implements
// it. Its refusals have the code Conflict.
type Limits interface {
	// CheckPrice checks the price of a deal that the buyer creates.
	CheckPrice(ctx context.Context, q postgres.Querier, buyer uuid.UUID, price money.Cents) error
	// QueuePayment queues what check needs, which is called when that has run.
	QueuePayment(tx *postgres.Tx, buyer uuid.UUID) (check func(ctx context.Context, deal uuid.UUID, price money.Cents) error)
}

// Rewarder records the rewards owed to the referrers of a completed deal's parties and returns
// their sum, which is at most the fee. It runs in the transaction that completes the deal.
type Rewarder interface {
	Owe(ctx context.Context, tx *postgres.Tx, dealID, buyerID, sellerID uuid.UUID, price, fee money.Cents) (money.Cents, error)
}

// Images decodes and stores pictures sent as data URLs. *images.Service implements it.
type Images interface {
	Read(ctx context.Context, owner uuid.UUID, dataURL string) (*images.Picture, error)
	SaveForDeal(ctx context.Context, tx *postgres.Tx, id uuid.UUID, p *images.Picture, owner uuid.UUID) error
	Release(ctx context.Context, tx *postgres.Tx, id uuid.UUID) error
}

// Conversations writes what a party says with an act on a deal into the conversation of the two.
// *chat.Service implements it.
type Conversations interface {
	// PrepareAct takes the locks that come before that of the deal.
	PrepareAct(ctx context.Context, tx *postgres.Tx, one, other uuid.UUID) error
	// WriteAct writes a message with the words and the event's pictures, unless the two cannot
	// write to each other. The event of the timeline has been inserted.
	WriteAct(ctx context.Context, tx *postgres.Tx, sender, receiver, event uuid.UUID, words string) error
}

// Service implements the use cases of deals that the API calls: reads, transitions that move no
// money, and Request… methods for those that do.
type Service struct {
	DB         postgres.DB
	Clock      clock.Clock
	Operations *operations.Service
	Events     *realtime.Log
	Notices    Notifier
	Jobs       jobs.Enqueuer
	Limits     Limits
	// Images and Conversations are needed to deliver with words or pictures and to ask for changes,
	// which the API does.
	Images        Images
	Conversations Conversations
}

// Settler settles the operations of deals and runs the deadline sweep. It is for workers.
type Settler struct {
	*Service
	Rewards Rewarder
}

// Outcomes, with fixed texts (docs/rules.md#texts).
var (
	OutcomeActivated             = catalog.Outcome{Code: "deal_activated", Message: "Deal activated!"}
	OutcomeDelivered             = catalog.Outcome{Code: "deal_delivered", Message: "Seller has delivered the deal"}
	OutcomeArrived               = catalog.Outcome{Code: "deal_arrived", Message: "Marked as arrived"}
	OutcomeCompleted             = catalog.Outcome{Code: "deal_completed", Message: "Deal marked as completed"}
	OutcomeRemoved               = catalog.Outcome{Code: "deal_removed", Message: "Deal declined and removed"}
	OutcomeRequested             = catalog.Outcome{Code: "cancellation_requested", Message: "Cancellation request sent"}
	OutcomeDeclined              = catalog.Outcome{Code: "cancellation_declined", Message: "You have declined the cancellation request"}
	OutcomeAccepted              = catalog.Outcome{Code: "deal_refunded_less_fee", Message: "Deal cancelled and buyer refunded (2% fee taken)"}
	OutcomeRefunded              = catalog.Outcome{Code: "deal_refunded", Message: "Deal cancelled and buyer refunded"}
	OutcomeReset                 = catalog.Outcome{Code: "delivery_reset", Message: "Delivery reset"}
	OutcomeAgreed                = catalog.Outcome{Code: "deal_accepted", Message: "Deal accepted"}
	OutcomeRevoked               = catalog.Outcome{Code: "link_withdrawn", Message: "Link cancelled"}
	OutcomeCountered             = catalog.Outcome{Code: "counteroffer_made", Message: "Counter-offer sent"}
	OutcomeCounterofferAccepted  = catalog.Outcome{Code: "counteroffer_accepted", Message: "Counter-offer accepted"}
	OutcomeCounterofferDeclined  = catalog.Outcome{Code: "counteroffer_declined", Message: "Counter-offer declined"}
	OutcomeCounterofferWithdrawn = catalog.Outcome{Code: "counteroffer_withdrawn", Message: "Counter-offer withdrawn"}

	OutcomeSupport = catalog.Outcome{Code: "support_requested", Message: "Your request has been sent to our support."}

	OutcomeDisputed         = catalog.Outcome{Code: "dispute_opened", Message: "Dispute opened"}
	OutcomeAnswered         = catalog.Outcome{Code: "dispute_answered", Message: "Answer sent"}
	OutcomeWritten          = catalog.Outcome{Code: "dispute_message_sent", Message: "Message sent"}
	OutcomeDisputeClosed    = catalog.Outcome{Code: "dispute_closed", Message: "Dispute closed"}
	OutcomeOffered          = catalog.Outcome{Code: "offer_made", Message: "Offer sent"}
	OutcomeOfferWithdrawn   = catalog.Outcome{Code: "offer_withdrawn", Message: "Offer withdrawn"}
	OutcomeSettled          = catalog.Outcome{Code: "dispute_settled", Message: "Dispute settled"}
	OutcomeDecisionAccepted = catalog.Outcome{Code: "decision_accepted", Message: "Decision accepted"}
	OutcomeAppealed         = catalog.Outcome{Code: "dispute_appealed", Message: "Appeal sent"}
	OutcomeDisputeClaimed   = catalog.Outcome{Code: "dispute_claimed", Message: "Dispute claimed"}
	OutcomeDisputeDecided   = catalog.Outcome{Code: "dispute_decided", Message: "Dispute decided"}
)

func errNotFound() *fault.Error {
	return fault.New(fault.NotFound, "deal_not_found", "Deal not found.")
}

func errBuyerOnly() *fault.Error {
	return fault.New(fault.Forbidden, "buyer_only", "Only the buyer can do this.")
}

func errSellerOnly() *fault.Error {
	return fault.New(fault.Forbidden, "seller_only", "Only the seller can do this.")
}

// errState says that the deal's status does not allow the action.
func errState(action string, d Deal) *fault.Error {
	return fault.Newf(fault.Conflict, "deal_status", "This deal is {status}, so it cannot be {action}.",
		fault.Params{"status": d.Status, "action": action})
}

// title names the deal in messages about it.
func (d Deal) title() string {
	return catalog.DealTitle(d.Description)
}

// agreed reports whether the seller has accepted the deal and the buyer has paid. Until then a
// notification contains no text of a party, who may be a stranger.
func (d Deal) agreed() bool { return d.AcceptedAt != nil && d.ActivatedAt != nil }

// withTitle returns the parameters of a notification with the deal's title, once the two have
// agreed.
func (d Deal) withTitle(params catalog.Params) catalog.Params {
	if !d.agreed() {
		return params
	}
	params = maps.Clone(params)
	params[catalog.TitleParam] = d.title()
	return params
}

// link returns the link of a notification: the deal, or the list of deals once it is removed.
func (d Deal) link() string {
	if d.RemovedAt != nil {
		return "/deal"
	}
	return "/deal/" + d.ID.String()
}

// PayRule allows users to pay deals.
func PayRule() operations.Rule { return operations.Always[payParams](operations.ByUser) }

// CompleteRule returns who may complete a deal. An admin's completion requires that the actor is
// still an admin when it settles.
func CompleteRule(op operations.Operation) (operations.Authority, error) {
	var p completeParams
	if err := op.Decode(&p); err != nil {
		return "", err
	}
	switch p.By {
	case byBuyer:
		return operations.ByUser, nil
	case byAdmin:
		return operations.ByAdmin, nil
	case byClock:
		return operations.BySystem, nil
	}
	return "", operations.ErrMalformed()
}

// RefundRule returns who may refund a deal, by the reason. An admin's refund requires that the
// actor is still an admin when it settles.
func RefundRule(op operations.Operation) (operations.Authority, error) {
	var p refundParams
	if err := op.Decode(&p); err != nil {
		return "", err
	}
	switch p.Reason {
	case ReasonAccepted, ReasonSeller, ReasonDeclined, ReasonSellerDisabled, ReasonExit:
		return operations.ByUser, nil
	case ReasonAdmin:
		return operations.ByAdmin, nil
	case ReasonUnanswered, ReasonOverdue:
		return operations.BySystem, nil
	case ReasonCompleted, ReasonSettled: // not refunds
	}
	return "", operations.ErrMalformed()
}

// Action is what the system does with a deal if no user acts first.
type Action string

// Actions of the system (docs/rules.md#clock).
const (
	ActionExpire           Action = "expire"            // remove an unpaid deal
	ActionComplete         Action = "complete"          // complete a delivered deal
	ActionRefund           Action = "refund"            // refund a never delivered deal in full
	ActionRefundUnanswered Action = "refund_unanswered" // accept an unanswered cancellation request
	ActionEscalate         Action = "escalate"          // hand a once delivered deal to admins
)

// moneyActions are the actions that move money. They wait for warnBefore after their warning.
var moneyActions = []Action{ActionComplete, ActionRefund, ActionRefundUnanswered}

func (a Action) movesMoney() bool { return slices.Contains(moneyActions, a) }

// Periods of the system's actions.
const (
	startAtLeast    = 24 * time.Hour // from payment to the first consequence of being late
	exitAfter       = 24 * time.Hour
	refundAfter     = 14 * day
	answerWithin    = 72 * time.Hour
	arriveWithin    = 5 * day // of a shipment, from its delivery to the beginning of the inspection
	redeliverWithin = 7 * day
	leftAfterFreeze = 24 * time.Hour // at least
	warnBefore      = 24 * time.Hour
	remindBefore    = 3 * time.Hour
	remindAfter     = 3 * time.Hour // the warning, at least
)

// maxRequests limits the cancellation requests and resets of a deal, counted together.
const maxRequests = 3

// RequestsLeft returns how many cancellation requests or resets the buyer has left.
func (d Deal) RequestsLeft() int { return maxRequests - d.Requests }

// consequencesFrom returns when lateness begins to have consequences.
func (d Deal) consequencesFrom() time.Time {
	if d.ActivatedAt == nil {
		return d.DueAt
	}
	if start := d.ActivatedAt.Add(startAtLeast); start.After(d.DueAt) {
		return start
	}
	return d.DueAt
}

// ExitAt returns when the buyer of a never delivered deal may leave it without consent.
func (d Deal) ExitAt() time.Time { return d.consequencesFrom().Add(exitAfter) }

// mayExit reports whether the buyer may leave now.
func (d Deal) mayExit(now time.Time) bool {
	return d.Status.Open() && d.FirstDeliveredAt == nil && !now.Before(d.ExitAt())
}

// countFrozen adds the time frozen until now to FrozenFor, and to ResetAt unless the reset came
// after the freeze. It returns that time.
func (d *Deal) countFrozen(now time.Time) time.Duration {
	stood := now.Sub(*d.FrozenAt)
	d.FrozenFor += stood
	if d.ResetAt != nil && !d.ResetAt.After(*d.FrozenAt) {
		later := d.ResetAt.Add(stood)
		d.ResetAt = &later
	}
	return stood
}

// warnedOf reports whether both parties were warned of this very action and the change has not put
// it off, so that the announced time holds.
func (d Deal) warnedOf(action Action, at time.Time) bool {
	return action.movesMoney() && d.WarnedAt != nil && d.NextAction == action && d.NextActionAt != nil && !at.After(*d.NextActionAt)
}

// plan returns the system's next action on the deal and its time, ignoring a current freeze; "" for
// none. It is computed anew at every change.
func (d Deal) plan() (Action, time.Time) {
	switch {
	case d.Status == Pending:
		return ActionExpire, d.DueAt
	case !d.Status.Open() || d.EscalatedAt != nil:
		return "", time.Time{}
	case d.Status == Delivered:
		return ActionComplete, d.inspectedFrom().Add(d.inspection())
	case d.FirstDeliveredAt != nil && d.CancellationAskedAt != nil:
		return ActionEscalate, d.CancellationAskedAt.Add(answerWithin)
	case d.FirstDeliveredAt != nil:
		return ActionEscalate, d.ResetAt.Add(redeliverWithin)
	}
	refundAt := d.consequencesFrom().Add(refundAfter + d.FrozenFor)
	if d.CancellationAskedAt != nil {
		if answerAt := d.CancellationAskedAt.Add(answerWithin); answerAt.Before(refundAt) {
			return ActionRefundUnanswered, answerAt
		}
	}
	return ActionRefund, refundAt
}

// noteParam is the event and notification parameter that holds the actor's message.
const noteParam = "note"

// change is what a transition records and sends beside the deal's new state.
type change struct {
	actor   actor.Actor
	line    catalog.Kind // timeline event; "" for none
	about   *uuid.UUID   // the user named in the texts, if not the actor
	refund  money.Cents
	note    string // the actor's message to both parties
	said    Words  // by a party to the other, with the change
	notices []notice
	params  catalog.Params // of the texts, besides those of every change
	link    string         // of the notices; "": the deal
}

type notice struct {
	to   uuid.UUID
	kind catalog.Kind
}

// apply ends every transition: it replans the next action, saves the deal and its timeline, and
// notifies both parties. d is the deal after the change; the caller holds its lock.
func (s *Service) apply(ctx context.Context, tx *postgres.Tx, d Deal, c change) error {
	now := s.Clock.Now()
	if d.Frozen() { // count the time frozen so far once, whatever the next action is
		d.countFrozen(now)
		d.FrozenAt = &now
	}
	action, at := d.plan()
	if d.warnedOf(action, at) {
		at = *d.NextActionAt
	} else {
		d.WarnedAt = nil
	}
	d.NextAction, d.NextActionAt = action, &at
	if action == "" || d.RemovedAt != nil {
		d.NextAction, d.NextActionAt, d.WarnedAt = "", nil, nil
	}
	if d.EscalatedAt != nil || d.SuspendedAt != nil { // on the admins' worklist, or leaving it now
		s.Events.WorklistChanged(tx, realtime.WorklistDeals, d.ID)
	}
	if d.RemovedAt != nil && d.CounterofferBy != nil {
		queueEndCounteroffer(tx, d.ID, CounterofferClosed)
		d.CounterofferBy = nil
	}
	if !d.Status.Open() {
		if d.DisputeID != nil {
			if err := s.closeDispute(tx, &d, nil); err != nil {
				return err
			}
		}
		d.CancellationRequested, d.CancellationAskedAt = false, nil
		d.FrozenAt, d.EscalatedAt, d.SuspendedAt = nil, nil, nil
	}
	saveBeforeCommit(tx, d)
	if d.newlyLate && d.Status == Late { // the sweep will not find it anymore
		if err := s.publishLate(ctx, tx, d); err != nil {
			return err
		}
	}
	return s.publish(ctx, tx, d, c)
}

func (s *Service) publishLate(ctx context.Context, tx *postgres.Tx, d Deal) error {
	return s.publish(ctx, tx, d, change{actor: actor.System(), line: catalog.LineLate, notices: []notice{
		{d.Buyer.ID, catalog.DealLate}, {d.Seller.ID, catalog.DealLate},
	}})
}

// publish adds the timeline event, pushes the update to both parties' screens and sends the
// notices.
func (s *Service) publish(ctx context.Context, tx *postgres.Tx, d Deal, c change) error {
	params := catalog.Params{
		"amount": d.Price.String(),
		"payout": d.Payout().String(),
		"refund": c.refund.String(),
	}
	maps.Copy(params, c.params)
	named, isUser := c.actor.UserID()
	if c.about != nil {
		named, isUser = *c.about, true
	}
	if isUser && d.IsParty(named) {
		params["username"] = d.nameOf(named)
	}
	if note := cmp.Or(c.note, c.said.Text); note != "" {
		params[noteParam] = note
	}
	if c.line != "" {
		event, err := queueEvent(tx, d.ID, c.line, c.actor, params, s.Clock.Now())
		if err != nil {
			return err
		}
		if err := s.tell(ctx, tx, d, event, c); err != nil {
			return err
		}
	}
	for _, p := range []uuid.UUID{d.Buyer.ID, d.Seller.ID} {
		s.Events.Append(tx, p, realtime.TypeDealUpdated, DealUpdated{ID: d.ID, Status: d.Status})
	}
	params = maps.Clone(d.withTitle(params))
	switch {
	case c.said.Text != "" && d.agreed():
		params[noteParam] = catalog.Shorten(c.said.Text, catalog.InList)
	case c.said.Text != "":
		delete(params, noteParam)
	}
	if len(c.notices) > 0 {
		s.Notices.UseLanguage(tx, d.Buyer.ID, d.BuyerLanguage)
		s.Notices.UseLanguage(tx, d.Seller.ID, d.SellerLanguage)
	}
	for _, n := range c.notices {
		if err := s.Notices.Notify(ctx, tx, n.to, n.kind, params, cmp.Or(c.link, d.link())); err != nil {
			return err
		}
	}
	return nil
}

// DealUpdated is the realtime event that makes both parties' open screens reload the deal.
type DealUpdated struct {
	ID     uuid.UUID `json:"_id"`
	Status Status    `json:"status" enum:"Pending,Active,Late,Delivered,Completed,Cancelled,Cancelled by Buyer,Cancelled by Seller"`
}
