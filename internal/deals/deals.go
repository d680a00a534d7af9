// Package deals is the escrow deal: its states, who may move it from one to the next, and what money moves then (DESIGN §3 "Deals").
package deals

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/clock"
	"amanat/internal/fault"
	"amanat/internal/money"
	"amanat/internal/operations"
	"amanat/internal/party"
	"amanat/internal/postgres"
	"amanat/internal/realtime"
	"amanat/internal/texts"
)

// Status is the state of a deal, in SPEC §4's words.
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
	Buyer, Seller         party.Party
	CreatedBy             uuid.UUID
	Price                 money.Cents
	Fee                   money.Cents
	Description           string
	DeliveryDays          int
	InspectionDays        int    // how long the buyer may look at what was delivered
	Status                Status // Late as soon as it is, whether or not a worker has said so
	CreatedAt             time.Time
	DueAt                 time.Time
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
	ClosedAt              *time.Time
	CloseReason           Reason
	RemovedAt             *time.Time
	turnedLate            bool // stored as active still: nobody was told yet
	ReviewGiven           bool // by the buyer, see internal/reviews
}

// Frozen tells whether a support request holds the deal's clock.
func (d Deal) Frozen() bool { return d.FrozenAt != nil }

// Payout is what the seller receives on completion.
func (d Deal) Payout() money.Cents { return d.Price - d.Fee }

// IsParty tells whether the user is the buyer or the seller.
func (d Deal) IsParty(userID uuid.UUID) bool { return userID == d.Buyer.ID || userID == d.Seller.ID }

// Other returns the party that the user is not.
func (d Deal) Other(userID uuid.UUID) party.Party {
	if userID == d.Buyer.ID {
		return d.Seller
	}
	return d.Buyer
}

// Line is one event of a deal's timeline.
type Line struct {
	ID    uuid.UUID
	Kind  texts.Kind
	Text  string
	At    time.Time
	Actor *party.Party // nil: the clock
}

// Detail is a deal with its timeline, oldest first, and the operation that is in flight on it, if any.
type Detail struct {
	Deal
	Timeline  []Line
	Operation *operations.Operation
}

// Notifier tells one person of something, in the transaction that made it true.
type Notifier interface {
	Notify(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, kind texts.Kind, params texts.Params, link string) error
}

// Rewarder writes down what is owed to those who brought the parties of a completed deal, and returns the sum. It runs in the transaction
// that completes the deal.
type Rewarder interface {
	Owe(ctx context.Context, tx *postgres.Tx, dealID, buyerID, sellerID uuid.UUID, price money.Cents) (money.Cents, error)
}

// Service holds the use cases of deals. The api calls the use cases, the readers and Request…; workers call Settle… and Sweep.
type Service struct {
	DB         postgres.DB
	Clock      clock.Clock
	Operations *operations.Service
	Events     *realtime.Log
	Notices    Notifier
	Jobs       operations.Enqueuer
	Rewards    Rewarder // only workers complete deals
}

// Messages of SPEC §8.
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
	MessageSupport   = "Your request has been sent to our support."
)

// Result is what a settled operation says to whoever asks.
type Result struct {
	Message string `json:"message"`
}

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
