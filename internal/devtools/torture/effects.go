package torture

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/money"
)

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
