// Package ledger is the double-entry ledger and the only writer of its tables. A transfer moves
// money between accounts and sums to zero in each currency, which the database enforces. Only
// workers may post: the role of the api lacks the privilege.
//
// Posting and its checks run in PostgreSQL: the functions are in migrations/functions/ledger_*.sql,
// the tables and their triggers in migrations/0002_ledger.sql.
package ledger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"amanat/internal/app/actor"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/tracing"
	"amanat/internal/money"
)

// Kind is the kind of an account.
type Kind string

// Kinds of accounts. Wallet, escrow and hold accounts have an owner and never fall below zero; the
// others belong to the provider.
const (
	kindWallet          Kind = "wallet"
	kindEscrow          Kind = "escrow"
	kindHold            Kind = "hold"
	kindFees            Kind = "fees"
	kindReferralPayable Kind = "referral_payable"
	kindExchange        Kind = "exchange"
	kindBkash           Kind = "bkash"
	kindNagad           Kind = "nagad"
	kindCorrections     Kind = "corrections"
)

type currency string

const (
	usd currency = "USD"
	bdt currency = "BDT"
)

// Account identifies an account, which is created by its first posting.
type Account struct {
	kind     Kind
	owner    uuid.NullUUID // null for the provider's accounts
	currency currency
}

func owned(kind Kind, owner uuid.UUID, currency currency) Account {
	return Account{kind, uuid.NullUUID{UUID: owner, Valid: true}, currency}
}

// ofProvider returns an account of the provider.
func ofProvider(kind Kind, currency currency) Account {
	return Account{kind: kind, currency: currency}
}

// Wallet is the account of the money that a user can spend.
func Wallet(userID uuid.UUID) Account { return owned(kindWallet, userID, usd) }

// Escrow is the account of the money held for a deal.
func Escrow(dealID uuid.UUID) Account { return owned(kindEscrow, dealID, usd) }

// Hold is the account of the money held for a withdrawal until it is sent, rejected or cancelled.
func Hold(withdrawalID uuid.UUID) Account { return owned(kindHold, withdrawalID, usd) }

// Fees is the account of the fees that the provider has earned.
func Fees() Account { return ofProvider(kindFees, usd) }

// ReferralPayable is the account of the rewards owed to referrers and not yet credited.
func ReferralPayable() Account { return ofProvider(kindReferralPayable, usd) }

// Corrections is the account against which corrections of wallets are booked. Its balance is
// negative by what users were credited, net of what they were debited.
func Corrections() Account { return ofProvider(kindCorrections, usd) }

// ExchangeUSD is the dollar side of the exchange between taka and dollars. Its balance is negative
// by what users hold.
func ExchangeUSD() Account { return ofProvider(kindExchange, usd) }

// ExchangeBDT is the taka side of the exchange.
func ExchangeBDT() Account { return ofProvider(kindExchange, bdt) }

// Mobile is the provider's account with a payment method ("Bkash" or "Nagad"), in taka. It
// represents the outside world, so money that comes in lowers it.
func Mobile(method string) (Account, error) {
	switch method {
	case "Bkash":
		return ofProvider(kindBkash, bdt), nil
	case "Nagad":
		return ofProvider(kindNagad, bdt), nil
	}
	return Account{}, fmt.Errorf("ledger: no account for payment method %q", method)
}

// Leg moves an amount, in the smallest unit of the accounts' currency, from one account to another.
// A leg of zero is dropped.
type Leg struct {
	From, To Account
	Amount   int64
}

// Move returns a leg in dollars.
func Move(from, to Account, amount money.Cents) Leg { return Leg{from, to, int64(amount)} }

// MoveBDT returns a leg in taka.
func MoveBDT(from, to Account, amount money.Poisha) Leg { return Leg{from, to, int64(amount)} }

// Transfer is one posting. Its legs are posted all or none.
type Transfer struct {
	// Key is unique: at most one transfer is ever posted with it. Transfers that exclude each other
	// share a key: completing and refunding a deal both use deal:{id}:close.
	Key    string
	Kind   string
	Legs   []Leg
	Actor  actor.Actor
	Reason string
	At     time.Time // business time
}

// InsufficientError means that an account would have fallen below zero. Nothing was written.
type InsufficientError struct {
	Shortfall money.Cents
}

// Error returns a message with the shortfall, for logs.
func (e *InsufficientError) Error() string { return "ledger: insufficient by " + e.Shortfall.String() }

// ErrKeyTaken means that a different transfer with the same key exists, so something that excludes
// this one has already happened. Nothing was written.
var ErrKeyTaken = errors.New("ledger: another transfer has this key")

// CheckRole fails unless the pool's login has the right to post that a process must have: workers
// may post, and the api must not, so that a compromised api cannot move money. Processes call it
// before they serve.
func CheckRole(ctx context.Context, q postgres.Querier, posts bool) error {
	may, err := mayPost.One(ctx, q, nil)
	switch {
	case err != nil:
		return fmt.Errorf("ledger: %w", err)
	case may && !posts:
		return errors.New("the login of DATABASE_URL can move money: the api must log in as amanat_api")
	case posts && !may:
		return errors.New("the login of DATABASE_URL cannot move money: the worker must log in as amanat_worker")
	}
	return nil
}

// Post posts a transfer in the caller's transaction. Only the worker's role may call it. Posting
// the same transfer again succeeds and changes nothing. It returns *InsufficientError or
// ErrKeyTaken and leaves the transaction usable.
func Post(ctx context.Context, tx *postgres.Tx, t Transfer) (err error) {
	ctx, span := startSpan(ctx, t)
	defer func() { tracing.End(span, err) }()
	entries, err := entriesOf(t.Legs)
	if err == nil {
		var outcome outcomeRow
		if outcome, err = post.One(ctx, tx, postArgs(t, entries)); err == nil {
			return outcome.err(t)
		}
	}
	return fmt.Errorf("ledger: transfer %s: %w", t.Key, err)
}

// startSpan starts the span of a posting, whose attributes find the transfer.
func startSpan(ctx context.Context, t Transfer) (context.Context, trace.Span) {
	return tracing.Start(ctx, "post "+t.Kind, trace.WithAttributes(attribute.String("amanat.transfer.key", t.Key)))
}

// err returns why the transfer was not posted, or nil if it was.
func (o outcomeRow) err(t Transfer) error {
	switch o.Outcome {
	case "posted", "replayed":
		return nil
	case "insufficient":
		return &InsufficientError{Shortfall: money.Cents(o.Shortfall)}
	case "mismatch":
		return ErrKeyTaken
	default:
		return fmt.Errorf("ledger: transfer %s: unknown outcome %q", t.Key, o.Outcome)
	}
}

// PostAtCommit posts a transfer just before the caller's transaction commits. All transfers of the
// transaction are posted by one statement, which locks their accounts in one order. If a transfer
// is refused, the transaction fails: a single one with the error that Post returns for it, passed
// through explain unless that is nil; one of several with an error that does not say which, so that
// the caller should try each in a transaction of its own. Only the worker's role may call it.
func PostAtCommit(ctx context.Context, tx *postgres.Tx, t Transfer, explain func(error) error) error {
	entries, err := entriesOf(t.Legs)
	if err != nil {
		return fmt.Errorf("ledger: transfer %s: %w", t.Key, err)
	}
	b := postgres.Local(tx, func() *batch { return &batch{} })
	if len(b.postings) == 0 {
		tx.BeforeCommit(func(context.Context) error {
			b.queue(tx)
			return nil
		})
	}
	b.postings = append(b.postings, posting{t, entries, explain})
	// A posting that is rolled back has no span.
	_, span := startSpan(ctx, t)
	tx.AfterCommit(func() { span.End() })
	return nil
}

// batch collects the transfers of a transaction.
type batch struct{ postings []posting }

type posting struct {
	transfer Transfer
	entries  []entry
	explain  func(error) error // nil: unchanged
}

// queue queues the collected transfers. Later ones are collected again.
func (b *batch) queue(tx *postgres.Tx) {
	postings := b.postings
	b.postings = nil
	if len(postings) > 1 {
		queuePostMany(tx, postings)
		return
	}
	p := postings[0]
	post.QueueMany(tx, postArgs(p.transfer, p.entries), func(outcomes []outcomeRow) error {
		err := outcomes[0].err(p.transfer)
		if err != nil && p.explain != nil {
			err = p.explain(err)
		}
		return err
	})
}

type entry struct {
	account Account
	amount  int64
}

// entriesOf nets the legs into one entry per account, in a fixed order, so that equal transfers
// have equal hashes.
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

// WalletBalance returns what a user can spend, or 0 if the user never had money. Both roles may
// call it.
func WalletBalance(ctx context.Context, q postgres.Querier, userID uuid.UUID) (money.Cents, error) {
	return walletBalance.One(ctx, q, postgres.Args{"owner": userID})
}

// QueueWalletBalance is WalletBalance as one of queued statements. It sets
// balance when they have run.
func QueueWalletBalance(q postgres.Queue, userID uuid.UUID, balance *money.Cents) {
	walletBalance.Queue(q, postgres.Args{"owner": userID}, func(available money.Cents) { *balance = available })
}

// Balance returns the balance of an account in the smallest unit of its currency. Both roles may
// call it.
func Balance(ctx context.Context, q postgres.Querier, account Account) (int64, error) {
	return balance(ctx, q, account)
}

// Fold adds new entries of the provider's accounts to their rollups, so that their balances stay
// cheap to read, and returns how many rollups changed. Only the worker's role may call it.
func Fold(ctx context.Context, q postgres.Querier) (int64, error) { return fold.One(ctx, q, nil) }

// KeyKind is the pattern of the keys of one kind of transfer; {id} stands for the ID of what the
// money moves for. Transfers that exclude each other share a key, hence a KeyKind.
type KeyKind string

// Kinds of keys. The part up to the ID is the subject of the operation that posts the transfer.
const (
	DealPay          KeyKind = "deal:{id}:pay"
	DealClose        KeyKind = "deal:{id}:close" // anything that empties the escrow
	DepositApprove   KeyKind = "deposit:{id}:approve"
	WithdrawalHold   KeyKind = "withdrawal:{id}:hold"
	WithdrawalSettle KeyKind = "withdrawal:{id}:settle" // sent, rejected or cancelled
	RewardCredit     KeyKind = "reward:{id}:credit"     //nolint:gosec // a credit, no credential
	BalanceAdjust    KeyKind = "correction:{id}:adjust"
)

const keyID = "{id}"

// Key returns the key of the transfer for one deal, deposit, withdrawal, reward or
// correction.
func (k KeyKind) Key(id uuid.UUID) string { return strings.Replace(string(k), keyID, id.String(), 1) }

// SQL returns an SQL expression for the key; id is an SQL expression for the ID.
func (k KeyKind) SQL(id string) string {
	before, after, _ := strings.Cut(string(k), keyID)
	return `'` + before + `' || ` + id + ` || '` + after + `'`
}

// SubjectKind returns the part before the first colon: deal, deposit, withdrawal, reward or
// correction.
func (k KeyKind) SubjectKind() string {
	kind, _, _ := strings.Cut(string(k), ":")
	return kind
}

// Step returns the part after the last colon.
func (k KeyKind) Step() string { return string(k)[strings.LastIndex(string(k), ":")+1:] }
