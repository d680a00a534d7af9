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
	Status                Status // Late as soon as it is, whether or not a worker has said so
	CreatedAt             time.Time
	DueAt                 time.Time
	ActivatedAt           *time.Time
	Delivered             bool
	DeliveredAt           *time.Time
	CancellationRequested bool
	CancellationDeclined  bool
	ClosedAt              *time.Time
}

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

// Service holds the use cases of deals. The api calls Create, Deliver, Remove, the readers and Request…; workers call Settle….
type Service struct {
	DB         postgres.DB
	Clock      clock.Clock
	Operations *operations.Service
	Events     *realtime.Log
	Notices    Notifier
}

// Messages of SPEC §8.
const (
	MessageActivated = "Deal activated!"
	MessageDelivered = "Seller has delivered the deal"
	MessageCompleted = "Deal marked as completed"
	MessageRemoved   = "Deal declined and removed"
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

func link(id uuid.UUID) string { return "/deal/" + id.String() }
