package torture

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/anishathalye/porcupine"
	"github.com/google/uuid"
)

// Statuses of deals, as the api has them. A removed deal cannot be read.
const (
	dealMissing = ""
	dealRemoved = "removed"
	dealPending = "Pending"
	dealActive  = "Active"
	dealGiven   = "Delivered"
	dealDone    = "Completed"
	dealBack    = "Cancelled"
	dealStopped = "Cancelled by Seller"
)

// dealState is a deal in its model.
type dealState struct {
	status    string
	requested bool // the buyer has asked to cancel it
	disputed  bool
	closedBy  Kind // "": it is not closed
}

func (s dealState) open() bool { return s.status == dealActive || s.status == dealGiven }
func (s dealState) paid() bool { return s.open() || s.closedBy != "" }

// closings has the status that each way to close a deal leaves it in.
var closings = map[Kind]string{
	Complete: dealDone, ForceComplete: dealDone, Settle: dealDone,
	SellerCancel: dealStopped, AcceptCancel: dealBack, ForceCancel: dealBack,
}

// do returns the deal after a call that is answered with ok, and false if it cannot have been
// possible. Repeating what one has done is answered with ok and changes nothing.
func (s dealState) do(kind Kind) (dealState, bool) {
	switch kind {
	case Create:
		if s.status != dealMissing {
			return s, false
		}
		return dealState{status: dealPending}, true
	case Remove:
		return dealState{status: dealRemoved}, s.status == dealPending
	case Pay:
		if s.status == dealPending {
			s.status = dealActive
			return s, true
		}
		return s, s.paid()
	case Deliver:
		if s.status == dealActive && !s.requested {
			s.status = dealGiven
		}
		return s, s.status == dealGiven
	case AskCancel:
		if !s.open() {
			return s, false
		}
		return dealState{status: dealActive, requested: true, disputed: s.disputed}, true
	case Dispute:
		ok := s.open() && !s.disputed
		s.disputed = true
		return s, ok
	case Offer:
		return s, s.open() && s.disputed
	default:
		return s.close(kind)
	}
}

func (s dealState) close(kind Kind) (dealState, bool) {
	after, closes := closings[kind]
	switch {
	case !closes:
		return s, false
	case s.closedBy != "":
		return s, s.closedBy == kind
	case !s.open(), kind == AcceptCancel && !s.requested, kind == Settle && !s.disputed:
		return s, false
	}
	return dealState{status: after, closedBy: kind}, true
}

// refuses reports whether the deal can have been in this state when the call was refused.
func (s dealState) refuses(c Call) bool {
	_, possible := s.do(c.Kind)
	switch c.Reason {
	case "busy": // another operation on the deal was under way
		return s.status == dealPending || s.open()
	case "deal_not_found":
		return s.status == dealMissing || s.status == dealRemoved
	case "balance_too_low":
		return c.Kind == Pay && s.status == dealPending
	case "no_cancellation_to_accept":
		return c.Kind == AcceptCancel && !s.requested
	case "cancellation_unanswered":
		return c.Kind == Deliver && s.requested
	case "deal_status":
		return !possible
	case "dispute_ended", "dispute_status", "offer_gone", "offer_not_found":
		return (c.Kind == Offer || c.Kind == Settle) && !s.open()
	}
	return false
}

// sees reports whether a reader of the deal sees this.
func (s dealState) sees(saw Sight) bool {
	switch s.status {
	case dealMissing, dealRemoved:
		return saw.Status == dealRemoved
	}
	return saw.Status == s.status && (!s.open() || saw.Requested == s.requested)
}

// dealModel is a deal that changes by one call after the other.
var dealModel = porcupine.Model{
	Init: func() any { return dealState{} },
	Step: func(state, input, _ any) (bool, any) {
		s, c := state.(dealState), input.(Call) //nolint:errcheck,forcetypeassert // of this model only
		switch {
		case c.Kind == ReadDeal:
			return s.sees(*c.Saw), s
		case c.Outcome == Refused:
			return s.refuses(c), s
		}
		after, possible := s.do(c.Kind)
		if c.Outcome == Unknown && !possible { // it had no effect
			return true, s
		}
		return possible, after
	},
	DescribeOperation: func(input, _ any) string {
		c := input.(Call) //nolint:errcheck,forcetypeassert // of this model only
		if c.Saw != nil {
			return fmt.Sprintf("%s %+v", c.Kind, *c.Saw)
		}
		return fmt.Sprintf("%s %s %s", c.Kind, c.Outcome, c.Reason)
	},
}

// checkDeals checks that the answers about each deal fit into one order: the history of each deal
// must be linearizable.
func checkDeals(calls []Call) (checked int, violations []string) {
	deals := map[uuid.UUID][]porcupine.Operation{}
	for _, c := range calls {
		if !c.aboutDeal() || c.Kind == ReadDeal && c.Outcome != OK {
			continue
		}
		end := int64(c.Returned)
		if c.Outcome == Unknown {
			end = math.MaxInt64
		}
		deals[c.Subject] = append(deals[c.Subject], porcupine.Operation{Input: c, Call: int64(c.from()), Return: end})
	}
	var parts []part
	for _, deal := range slices.SortedFunc(maps.Keys(deals), compareIDs) {
		parts = append(parts, part{name: "deal " + deal.String(), model: dealModel, ops: deals[deal]})
	}
	return len(deals), checkParts(parts)
}

func (c Call) aboutDeal() bool {
	switch c.Kind {
	case Create, Remove, Pay, Deliver, Complete, SellerCancel, AskCancel, AcceptCancel, ForceComplete, ForceCancel,
		Dispute, Offer, Settle, ReadDeal:
		return true
	case Deposit, Approve, Withdraw, Send, Reject, Cancel, Propose, Adjust, ReadWallet:
	}
	return false
}
