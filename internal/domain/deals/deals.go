// Package deals is the escrow deal: its states, who may move it from one to the next, and what money moves then (docs/rules.md#deals).
package deals

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/platform/catalog"
	"amanat/internal/platform/clock"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
	"amanat/internal/platform/user"
	"amanat/internal/queue/jobs"
	"amanat/internal/realtime"
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

// Open tells whether the deal's money is in escrow.
func (s Status) Open() bool { return s == Active || s == Late || s == Delivered }

// Deal is a deal as it stands at the time it was read.
type Deal struct {
	ID                    uuid.UUID
	Buyer, Seller         user.Ref
	CreatedBy             uuid.UUID
	Price                 money.Cents
	Fee                   money.Cents
	Description           string
	DeliveryDays          int
	InspectionDays        int    // how long the buyer may look at what was delivered
	Status                Status // Late as soon as it is, whether or not a worker has said so
	CreatedAt             time.Time
	DueAt                 time.Time
	AcceptedAt            *time.Time // by the seller; nil while a deal that the buyer made waits for them
	ActivatedAt           *time.Time
	Delivered             bool
	DeliveredAt           *time.Time // of the delivery that stands
	FirstDeliveredAt      *time.Time // kept for ever
	ResetAt               *time.Time // of the reset that no delivery has followed, later by what the clock stood still since
	CancellationRequested bool
	CancellationAskedAt   *time.Time
	CancellationDeclined  bool
	Requests              int // cancellation requests and resets so far
	NextAction            Action
	NextActionAt          *time.Time // stands still while the clock is frozen
	WarnedAt              *time.Time
	FrozenAt              *time.Time
	FrozenFor             time.Duration
	EscalatedAt           *time.Time // waits for an admin's decision
	SuspendedAt           *time.Time // waits for an admin's decision because a party is disabled; frozen as long
	ClosedAt              *time.Time
	CloseReason           Reason
	Refunded              *money.Cents // what went back to the buyer when it was closed; nil: nothing did
	RemovedAt             *time.Time
	turnedLate            bool // stored as active still: nobody was told yet
	BuyerDisabled         bool // by an admin, as the buyer is now
	SellerDisabled        bool
	BuyerHeld             bool // by an admin: no money of the buyer may leave
	BuyerStopped          bool // by the buyer's own "This was not me", until the buyer resets the password: likewise
	ReviewGiven           bool // by the buyer, see internal/domain/reviews
}

// Frozen tells whether a support request or a suspension holds the deal's clock.
func (d Deal) Frozen() bool { return d.FrozenAt != nil }

// Payout is what the seller receives on completion.
func (d Deal) Payout() money.Cents { return d.Price - d.Fee }

// IsParty tells whether the user is the buyer or the seller.
func (d Deal) IsParty(userID uuid.UUID) bool { return userID == d.Buyer.ID || userID == d.Seller.ID }

// Other returns the party that the user is not.
func (d Deal) Other(userID uuid.UUID) user.Ref {
	if userID == d.Buyer.ID {
		return d.Seller
	}
	return d.Buyer
}

// Line is one event of a deal's timeline.
type Line struct {
	ID    uuid.UUID
	Kind  catalog.Kind
	Text  string
	Note  string // what the actor wrote to both parties, "" when nothing
	At    time.Time
	Actor *user.Ref // nil: the clock
}

// Detail is a deal with its timeline, oldest first, and the operation that is in flight on it, if any.
type Detail struct {
	Deal
	Timeline  []Line
	Operation *operations.Operation
}

// Notifier tells one person of something, in the transaction that made it true.
type Notifier interface {
	Notify(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, kind catalog.Kind, params catalog.Params, link string) error
}

// Rewarder writes down what is owed to those who brought the parties of a completed deal, and returns the sum, which is no more than
// the fee. It runs in the transaction that completes the deal.
type Rewarder interface {
	Owe(ctx context.Context, tx *postgres.Tx, dealID, buyerID, sellerID uuid.UUID, price, fee money.Cents) (money.Cents, error)
}

// Service holds the use cases of deals that the api calls: the readers, the changes that move no money, and Request… for those that do.
type Service struct {
	DB         postgres.DB
	Clock      clock.Clock
	Operations *operations.Service
	Events     *realtime.Log
	Notices    Notifier
	Jobs       jobs.Enqueuer
}

// Settler settles the operations of deals and lets the clock act on them. It is for workers.
type Settler struct {
	*Service
	Rewards Rewarder
}

// Fixed texts (docs/rules.md#texts).
const (
	MessageActivated = "Deal activated!"
	MessageDelivered = "Seller has delivered the deal"
	MessageCompleted = "Deal marked as completed"
	MessageRemoved   = "Deal declined and removed"
	MessageRequested = "Cancellation request sent"
	MessageDeclined  = "You have declined the cancellation request"
	MessageAccepted  = "Deal cancelled and buyer refunded (2% fee taken)"
	MessageRefunded  = "Deal cancelled and buyer refunded"
	MessageReset     = "Delivery reset"
	MessageAgreed    = "Deal accepted"
	MessageSupport   = "Your request has been sent to our support."
)

func errNotFound() *fault.Error { return fault.New(fault.NotFound, "Deal not found.") }

func errForbidden(who string) *fault.Error {
	return fault.Newf(fault.Forbidden, "Only the %s can do this.", who)
}

// errState refuses an action that the deal's state has no place for.
func errState(action string, d Deal) *fault.Error {
	return fault.Newf(fault.Conflict, "This deal is %s, so it cannot be %s.", d.Status, action)
}

// link leads a notification's reader to the deal, or to what is left when it is gone.
func (d Deal) link() string {
	if d.RemovedAt != nil {
		return "/deal"
	}
	return "/deal/" + d.ID.String()
}
