package torture

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/google/uuid"
)

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
