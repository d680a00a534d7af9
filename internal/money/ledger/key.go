package ledger

import (
	"strings"

	"github.com/google/uuid"
)

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
	BalanceAdjust    KeyKind = "adjustment:{id}:adjust"
)

const keyID = "{id}"

// Key returns the key of the transfer for one deal, deposit, withdrawal, reward or
// adjustment.
func (k KeyKind) Key(id uuid.UUID) string { return strings.Replace(string(k), keyID, id.String(), 1) }

// SQL returns an SQL expression for the key; id is an SQL expression for the ID.
func (k KeyKind) SQL(id string) string {
	before, after, _ := strings.Cut(string(k), keyID)
	return `'` + before + `' || ` + id + ` || '` + after + `'`
}

// SubjectKind returns the part before the first colon: deal, deposit, withdrawal, reward or
// adjustment.
func (k KeyKind) SubjectKind() string {
	kind, _, _ := strings.Cut(string(k), ":")
	return kind
}

// Step returns the part after the last colon.
func (k KeyKind) Step() string { return string(k)[strings.LastIndex(string(k), ":")+1:] }
