package ledger

import (
	"strings"

	"github.com/google/uuid"
)

// KeyKind is what transfers of one kind are for, written as their keys are: {id} stands for what the money moves for. What must happen
// once has one key, so whatever may do it shares the kind.
type KeyKind string

// The kinds. The part up to the id is the subject of the operation that posts the transfer.
const (
	DealPay          KeyKind = "deal:{id}:pay"
	DealClose        KeyKind = "deal:{id}:close" // whatever empties the escrow
	DepositApprove   KeyKind = "deposit:{id}:approve"
	WithdrawalHold   KeyKind = "withdrawal:{id}:hold"
	WithdrawalSettle KeyKind = "withdrawal:{id}:settle" // sent, rejected or cancelled
	RewardCredit     KeyKind = "reward:{id}:credit"     //nolint:gosec // a credit, no credential
)

const keyID = "{id}"

// Key returns the key of the transfer for one deal, deposit, withdrawal or reward.
func (k KeyKind) Key(id uuid.UUID) string { return strings.Replace(string(k), keyID, id.String(), 1) }

// SQL returns an expression for the key, in which id is an expression for the id.
func (k KeyKind) SQL(id string) string {
	before, after, _ := strings.Cut(string(k), keyID)
	return `'` + before + `' || ` + id + ` || '` + after + `'`
}

// SubjectKind returns the part before the first colon: deal, deposit, withdrawal or reward.
func (k KeyKind) SubjectKind() string {
	kind, _, _ := strings.Cut(string(k), ":")
	return kind
}

// Step returns what a key ends with, after the last colon.
func (k KeyKind) Step() string { return string(k)[strings.LastIndex(string(k), ":")+1:] }
