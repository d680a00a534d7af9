package wallet

import (
	"slices"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
)

// ReasonCode says why a deposit failed (docs/rules.md#deposit-reasons).
type ReasonCode string

// Reasons. Those that admins choose are AdminReasons.
const (
	NoReason    ReasonCode = ""
	NotFound    ReasonCode = "not_found"    // no payment with the transaction ID
	OtherAmount ReasonCode = "other_amount" // the payment is of another amount
	UsedBefore  ReasonCode = "used_before"  // the payment was credited before
	OtherNumber ReasonCode = "other_number" // the payment went to a number that is not the platform's
	OtherReason ReasonCode = "other"        // in the admin's words
	Retracted   ReasonCode = "retracted"    // by its user
	Expired     ReasonCode = "expired"      // no admin handled it in time
)

// AdminReasons returns the reasons that an admin may reject a deposit for.
func AdminReasons() []ReasonCode {
	return []ReasonCode{NotFound, OtherAmount, UsedBefore, OtherNumber, OtherReason}
}

// Rejection is why an admin rejects a deposit.
type Rejection struct {
	Code   ReasonCode // NoReason: not given
	Reason string     // the admin's own words; optional
}

func (r Rejection) validate() error {
	if r.Code != NoReason && !slices.Contains(AdminReasons(), r.Code) {
		return fault.Field("code", "deposit_reason_unknown", "Choose one of the reasons.")
	}
	return checkReason(r.Reason)
}

// code returns the code to store: words without one are another reason.
func (r Rejection) code() ReasonCode {
	if r.Code == NoReason && r.Reason != "" {
		return OtherReason
	}
	return r.Code
}

// rejectedKinds are the notices of rejections by their codes. Each says what the user can do.
var rejectedKinds = map[ReasonCode]catalog.Kind{
	NotFound:    catalog.DepositNotFound,
	OtherAmount: catalog.DepositOtherAmount,
	UsedBefore:  catalog.DepositUsedBefore,
	OtherNumber: catalog.DepositOtherNumber,
	OtherReason: catalog.DepositRejected,
	NoReason:    catalog.DepositRejected,
}
