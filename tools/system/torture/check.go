package main

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"amanat/internal/money"
)

// part is a history that is checked by itself.
type part struct {
	name  string
	model porcupine.Model
	ops   []porcupine.Operation
}

// checkParts returns what is wrong with the parts that are not linearizable, or that cannot be
// decided in time.
func checkParts(parts []part) []string {
	found := make([]string, len(parts))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range parts {
		group.Go(func() error {
			if result := porcupine.CheckOperationsTimeout(p.model, p.ops, checkTimeout); result != porcupine.Ok {
				found[i] = p.violation(result)
			}
			return nil
		})
	}
	_ = group.Wait() // none fails
	return slices.DeleteFunc(found, func(text string) bool { return text == "" })
}

// shownOps is how many operations a violation lists.
const shownOps = 40

func (p part) violation(result porcupine.CheckResult) string {
	var text strings.Builder
	what := "the answers fit into no order"
	if result == porcupine.Unknown {
		what = fmt.Sprintf("not decided within %s", checkTimeout)
	}
	_, _ = fmt.Fprintf(&text, "%s: %s:", p.name, what)
	for _, op := range p.ops[:min(len(p.ops), shownOps)] {
		_, _ = fmt.Fprintf(&text, "\n    %12.6f %12.6f  %s", time.Duration(op.Call).Seconds(), time.Duration(op.Return).Seconds(),
			p.model.DescribeOperation(op.Input, op.Output))
	}
	return text.String()
}

func compareIDs(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }

// checkSettled returns the calls whose outcome never became known, though they were repeated until
// long after the last fault.
func checkSettled(calls []Call) (violations []string) {
	for _, c := range calls {
		if c.Outcome == Unknown && !c.Kind.reads() && c.Kind != Deliver {
			violations = append(violations, fmt.Sprintf("%s of %s never settled: %d attempts in %s, the last one answered %d",
				c.Kind, c.Subject, c.Attempts, c.Returned-c.Invoked, c.Status))
		}
	}
	return violations
}

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

// checkTimeout bounds the check of one part of a history. A part that cannot be decided in this
// time is a violation.
const checkTimeout = 60 * time.Second

// walletInput is an operation on a wallet: a change, or what somebody saw.
type walletInput struct {
	change Wallet
	saw    *Wallet
	// A refusal for too small a balance says how much there was.
	had *int64
	why string
}

// walletModel is a wallet that changes by one operation after the other. init is what it has at
// first.
func walletModel(init Wallet) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return init },
		Step: func(state, input, _ any) (bool, any) {
			has, in := state.(Wallet), input.(walletInput) //nolint:errcheck,forcetypeassert // of this model only
			switch {
			case in.saw != nil:
				return *in.saw == has, has
			case in.had != nil:
				return *in.had == has.Free, has
			}
			return true, has.plus(in.change)
		},
		DescribeOperation: func(input, _ any) string { return input.(walletInput).why }, //nolint:errcheck,forcetypeassert // as above
	}
}

// checkWallets checks that what each user saw in their wallet can be explained by the answers that
// all users got: the history of each wallet must be linearizable.
func checkWallets(calls []Call) (checked int, violations []string) {
	happened, violations := effects(calls)
	wallets := map[uuid.UUID][]porcupine.Operation{}
	add := func(wallet uuid.UUID, from, to time.Duration, in walletInput) {
		wallets[wallet] = append(wallets[wallet], porcupine.Operation{Input: in, Call: int64(from), Return: int64(to)})
	}
	for _, e := range happened {
		add(e.wallet, e.from, e.to, walletInput{change: e.change, why: fmt.Sprintf("%s %+v", e.id, e.change)})
	}
	for _, c := range calls {
		switch {
		case c.Kind == ReadWallet && c.Outcome == OK:
			add(c.Buyer, c.Invoked, c.Returned, walletInput{saw: &c.Saw.Wallet, why: fmt.Sprintf("saw %+v", c.Saw.Wallet)})
		case c.Outcome == Refused && c.Shortfall > 0:
			had := c.Cents - c.Shortfall
			add(c.Buyer, c.from(), c.Returned, walletInput{had: &had, why: fmt.Sprintf("%s refused: has %d", c.Subject, had)})
		}
	}
	var parts []part
	for _, wallet := range slices.SortedFunc(maps.Keys(wallets), compareIDs) {
		parts = append(parts, windows("wallet "+wallet.String(), wallets[wallet])...)
	}
	return len(wallets), append(violations, checkParts(parts)...)
}

// windows divides the history of a wallet where nothing was under way. Everything before such a
// moment has had its effect, so that the wallet had a certain balance, and the parts can be checked
// one by one.
func windows(name string, ops []porcupine.Operation) (parts []part) {
	slices.SortFunc(ops, func(a, b porcupine.Operation) int { return int(a.Call - b.Call) })
	var has Wallet
	var end int64
	first := 0
	cut := func(to int) {
		if to == first {
			return
		}
		parts = append(parts, part{name: name, model: walletModel(has), ops: ops[first:to]})
		for _, op := range ops[first:to] {
			has = has.plus(op.Input.(walletInput).change) //nolint:errcheck,forcetypeassert // of this model only
		}
		first = to
	}
	for i, op := range ops {
		if op.Call > end {
			cut(i)
		}
		end = max(end, op.Return)
	}
	cut(len(ops))
	return parts
}

// never is when an effect whose outcome is unknown has happened at the latest.
const never = time.Duration(math.MaxInt64)

// effect is the change of a wallet by one thing that happens at most once, such as the payment of a
// deal, however many calls have asked for it.
type effect struct {
	id       string // of the thing
	wallet   uuid.UUID
	change   Wallet
	from, to time.Duration // when it happened
}

// changes returns what the call does to wallets if it succeeds, and the name of the thing that it
// makes happen.
func (c Call) changes() (thing string, changes map[uuid.UUID]Wallet) {
	fee := int64(money.Fee(money.Cents(c.Cents)))
	switch c.Kind {
	case Pay:
		return "pay", map[uuid.UUID]Wallet{c.Buyer: {Free: -c.Cents, Escrow: c.Cents}}
	case Complete, ForceComplete:
		return "close", map[uuid.UUID]Wallet{c.Buyer: {Escrow: -c.Cents}, c.Seller: {Free: c.Cents - fee}}
	case SellerCancel, ForceCancel:
		return "close", map[uuid.UUID]Wallet{c.Buyer: {Free: c.Cents, Escrow: -c.Cents}}
	case AcceptCancel:
		return "close", map[uuid.UUID]Wallet{c.Buyer: {Free: c.Cents - fee, Escrow: -c.Cents}}
	case Settle:
		rest := c.Cents - c.Part
		return "close", map[uuid.UUID]Wallet{
			c.Buyer: {Free: c.Part, Escrow: -c.Cents}, c.Seller: {Free: rest - int64(money.Fee(money.Cents(rest)))},
		}
	case Approve, Adjust:
		return "credit", map[uuid.UUID]Wallet{c.Buyer: {Free: c.Cents}}
	case Withdraw:
		return "hold", map[uuid.UUID]Wallet{c.Buyer: {Free: -c.Cents, Held: c.Cents}}
	case Send:
		return "settle", map[uuid.UUID]Wallet{c.Buyer: {Held: -c.Cents}}
	case Reject, Cancel:
		return "settle", map[uuid.UUID]Wallet{c.Buyer: {Free: c.Cents, Held: -c.Cents}}
	case Create, Remove, Deliver, AskCancel, Dispute, Offer, Deposit, Propose, ReadDeal, ReadWallet:
	}
	return "", nil
}

// effects returns what has happened to wallets. Calls that made the same thing happen are one
// effect: it happened after the first of them began and before the first of them was answered.
// Calls that contradict each other are violations.
func effects(calls []Call) (list []effect, violations []string) {
	known := map[string]int{} // index in list, by id and wallet
	var unknown []Call
	for _, c := range calls {
		thing, changes := c.changes()
		switch {
		case thing == "" || c.Outcome == Refused:
			continue
		case c.Outcome == Unknown:
			unknown = append(unknown, c)
			continue
		}
		for wallet, change := range changes {
			id := c.Subject.String() + ":" + thing
			at, again := known[id+wallet.String()]
			if !again {
				known[id+wallet.String()] = len(list)
				list = append(list, effect{id, wallet, change, c.from(), c.Returned})
				continue
			}
			e := &list[at]
			if e.change != change {
				violations = append(violations, fmt.Sprintf("%s of %s: happened in two ways: %+v and %+v", thing, c.Subject, e.change, change))
			}
			e.from, e.to = min(e.from, c.from()), min(e.to, c.Returned)
		}
	}
	for _, c := range unknown {
		thing, changes := c.changes()
		for wallet, change := range changes {
			id := c.Subject.String() + ":" + thing
			if at, happened := known[id+wallet.String()]; happened {
				list[at].from = min(list[at].from, c.from())
				continue
			}
			list = append(list, effect{id, wallet, change, c.from(), never})
		}
	}
	slices.SortFunc(list, func(a, b effect) int { return int(a.from - b.from) })
	return list, violations
}
