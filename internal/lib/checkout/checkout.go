// Package checkout takes payments on a page of the payment provider.
package checkout

import "errors"

// Order is what somebody is to pay.
type Order struct {
	Invoice string // unique: the provider takes one payment for it
	Payer   string // names the payer in the provider's records
	Poisha  int64
	Return  string // the address that the provider sends the browser to
}

// Page is where an order is paid.
type Page struct {
	Ref string // of the payment, with the provider
	URL string
}

var (
	// ErrToken says that the provider does not accept the token of a call.
	ErrToken = errors.New("checkout: the token is not accepted")
	// ErrOrder says that the provider makes no page for an order, as one of too much.
	ErrOrder = errors.New("checkout: the order is not accepted")
)

// State is what has become of a payment.
type State int

// States of payments.
const (
	Pending State = iota
	Agreed        // by the payer; nothing is paid until it is executed
	Paid
	Refused // nothing has been paid, and nothing will be
)

// Outcome is a clear answer of the provider. An answer that is not clear is an error: the payment
// may have been made.
type Outcome struct {
	State         State
	Code          string // of the provider, if Refused
	TransactionID string // if Paid, as are the others
	Payer         string // the payer's number
	Poisha        int64
}
