// Package deals implements escrow deals: their statuses, who may make which transition, and the
// money that each transition moves (docs/rules.md#deals).
package deals

import (
	"context"
	"maps"
	"time"

	"github.com/google/uuid"

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
	ID                uuid.UUID
	Buyer, Seller     user.Ref
	CreatedBy         uuid.UUID
	Price             money.Cents
	Fee               money.Cents
	Description       string
	DescriptionErased bool // its author has closed the account
	DeliveryDays      int
	InspectionDays    int // how long the buyer may inspect a delivery
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
	DisputeTurns   Turns      // of it
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
	OutcomeCompleted             = catalog.Outcome{Code: "deal_completed", Message: "Deal marked as completed"}
	OutcomeRemoved               = catalog.Outcome{Code: "deal_removed", Message: "Deal declined and removed"}
	OutcomeRequested             = catalog.Outcome{Code: "cancellation_requested", Message: "Cancellation request sent"}
	OutcomeDeclined              = catalog.Outcome{Code: "cancellation_declined", Message: "You have declined the cancellation request"}
	OutcomeAccepted              = catalog.Outcome{Code: "deal_refunded_less_fee", Message: "Deal cancelled and buyer refunded (2% fee taken)"}
	OutcomeRefunded              = catalog.Outcome{Code: "deal_refunded", Message: "Deal cancelled and buyer refunded"}
	OutcomeReset                 = catalog.Outcome{Code: "delivery_reset", Message: "Delivery reset"}
	OutcomeAgreed                = catalog.Outcome{Code: "deal_accepted", Message: "Deal accepted"}
	OutcomeRevoked               = catalog.Outcome{Code: "link_withdrawn", Message: "Link withdrawn"}
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
// notification repeats nothing that a party wrote, who may be a stranger.
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
