// Package ledger is the double-entry ledger and the only writer of its tables. A transfer moves money between accounts and always sums
// to zero in each currency; the database refuses anything else. Only workers may post: the api's role has no right to.
//
// What posts and what checks runs in PostgreSQL, as written in migrations/functions/ledger_*.sql; migrations/schema.sql shows the tables.
package ledger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/money"
	"amanat/internal/platform/actor"
	"amanat/internal/platform/postgres"
)

// Kind is the kind of an account.
type Kind string

// The kinds. Wallet, escrow and hold accounts have an owner and never fall below zero; the others are the provider's own.
const (
	kindWallet          Kind = "wallet"
	kindEscrow          Kind = "escrow"
	kindHold            Kind = "hold"
	kindFees            Kind = "fees"
	kindReferralPayable Kind = "referral_payable"
	kindExchange        Kind = "exchange"
	kindBkash           Kind = "bkash"
	kindNagad           Kind = "nagad"
)

type currency string

const (
	usd currency = "USD"
	bdt currency = "BDT"
)

// Account names an account; it comes to exist with its first posting.
type Account struct {
	kind     Kind
	owner    uuid.NullUUID // null for the provider's own
	currency currency
}

func owned(kind Kind, owner uuid.UUID, currency currency) Account {
	return Account{kind, uuid.NullUUID{UUID: owner, Valid: true}, currency}
}

// ofProvider returns an account of the provider's own.
func ofProvider(kind Kind, currency currency) Account {
	return Account{kind: kind, currency: currency}
}

// Wallet is what a user can spend.
func Wallet(userID uuid.UUID) Account { return owned(kindWallet, userID, usd) }

// Escrow is what is held for one deal.
func Escrow(dealID uuid.UUID) Account { return owned(kindEscrow, dealID, usd) }

// Hold is what is held for one withdrawal until it is sent or rejected.
func Hold(withdrawalID uuid.UUID) Account { return owned(kindHold, withdrawalID, usd) }

// Fees is what the provider has earned.
func Fees() Account { return ofProvider(kindFees, usd) }

// ReferralPayable is what is owed to referrers and not yet credited.
func ReferralPayable() Account { return ofProvider(kindReferralPayable, usd) }

// ExchangeUSD is the dollar side of changing taka into wallet dollars and back; below zero by what users hold.
func ExchangeUSD() Account { return ofProvider(kindExchange, usd) }

// ExchangeBDT is the taka side of the same.
func ExchangeBDT() Account { return ofProvider(kindExchange, bdt) }

// Mobile is the provider's account with a payment method ("Bkash" or "Nagad"), in taka. Money that came in lowers it: it stands for the
// world outside.
func Mobile(method string) (Account, error) {
	switch method {
	case "Bkash":
		return ofProvider(kindBkash, bdt), nil
	case "Nagad":
		return ofProvider(kindNagad, bdt), nil
	}
	return Account{}, fmt.Errorf("ledger: no account for payment method %q", method)
}

// Leg moves an amount, in the smallest unit of the accounts' currency, from one account to another. A leg of zero is left out.
type Leg struct {
	From, To Account
	Amount   int64
}

// Move is a leg in dollars.
func Move(from, to Account, amount money.Cents) Leg { return Leg{from, to, int64(amount)} }

// MoveBDT is a leg in taka.
func MoveBDT(from, to Account, amount money.Poisha) Leg { return Leg{from, to, int64(amount)} }

// Transfer is one posting: all its legs or none.
type Transfer struct {
	// Key happens once for ever. What excludes each other shares a key: completing and refunding a deal are both deal:{id}:close.
	Key    string
	Kind   string
	Legs   []Leg
	Actor  actor.Actor
	Reason string
	At     time.Time // business time
}

// InsufficientError says that an account would have fallen below zero. Nothing was written.
type InsufficientError struct {
	Shortfall money.Cents
}

// Error returns the shortfall, for logs.
func (e *InsufficientError) Error() string { return "ledger: insufficient by " + e.Shortfall.String() }

// ErrKeyTaken says that another transfer stands under the key: something that excludes this one has happened. Nothing was written.
var ErrKeyTaken = errors.New("ledger: another transfer has this key")

// Post books a transfer inside the caller's transaction. Only the worker's role may. Posting the same transfer again changes nothing
// and succeeds. It returns *InsufficientError or ErrKeyTaken, with the transaction still usable.
func Post(ctx context.Context, tx *postgres.Tx, t Transfer) error {
	entries, err := entriesOf(t.Legs)
	if err != nil {
		return fmt.Errorf("ledger: transfer %s: %w", t.Key, err)
	}
	outcome, shortfall, err := post(ctx, tx, t, entries)
	if err != nil {
		return fmt.Errorf("ledger: transfer %s: %w", t.Key, err)
	}
	switch outcome {
	case "posted", "replayed":
		return nil
	case "insufficient":
		return &InsufficientError{Shortfall: money.Cents(shortfall)}
	case "mismatch":
		return ErrKeyTaken
	default:
		return fmt.Errorf("ledger: transfer %s: unknown outcome %q", t.Key, outcome)
	}
}

type entry struct {
	account Account
	amount  int64
}

// entriesOf nets the legs into one entry an account, in a fixed order, so that the same transfer always has the same hash.
func entriesOf(legs []Leg) ([]entry, error) {
	sums := map[Account]int64{}
	for _, leg := range legs {
		if leg.Amount < 0 {
			return nil, fmt.Errorf("leg of %d: %w", leg.Amount, errNegative)
		}
		if leg.From.currency != leg.To.currency {
			return nil, errCurrencies
		}
		sums[leg.From] -= leg.Amount
		sums[leg.To] += leg.Amount
	}
	var entries []entry
	for account, amount := range sums {
		if amount != 0 {
			entries = append(entries, entry{account, amount})
		}
	}
	if len(entries) == 0 {
		return nil, errEmpty
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(
			cmp.Compare(a.account.kind, b.account.kind),
			slices.Compare(a.account.owner.UUID[:], b.account.owner.UUID[:]),
			cmp.Compare(a.account.currency, b.account.currency),
		)
	})
	return entries, nil
}

var (
	errNegative   = errors.New("negative amount")
	errCurrencies = errors.New("leg between currencies")
	errEmpty      = errors.New("no money moves")
)

// WalletBalance returns what a user can spend: 0 for a user who never had money. Both roles may call it.
func WalletBalance(ctx context.Context, q postgres.Querier, userID uuid.UUID) (money.Cents, error) {
	units, err := walletBalance(ctx, q, userID)
	return money.Cents(units), err
}

// Balance returns what an account holds, in the smallest unit of its currency. Both roles may call it.
func Balance(ctx context.Context, q postgres.Querier, account Account) (int64, error) {
	return balance(ctx, q, account)
}

// Fold moves what has been posted on the provider's accounts into their rollups, so that their balances stay cheap to read, and returns
// how many changed. Only the worker's role may.
func Fold(ctx context.Context, q postgres.Querier) (int64, error) { return fold(ctx, q) }
