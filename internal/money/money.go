// Package money holds amounts as integers of the smallest unit, and the arithmetic of fees and
// rates. It does not use floating point.
package money

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// Cents is an amount of US dollars in cents. On the wire it is a JSON number with at most two
// decimals.
type Cents int64

// Poisha is an amount of Bangladeshi taka in poisha (1/100). On the wire it is a JSON number with
// at most two decimals.
type Poisha int64

// Rate is the price of one US dollar in poisha, as set by an admin. On the wire it is a JSON number
// with at most two decimals.
type Rate int64

// Basis points (docs/rules.md#fee, docs/rules.md#referral).
const (
	FeeBasisPoints      = 200 // service fee, 2%
	ReferralBasisPoints = 100 // referral reward, 1%
)

// Bounds of a price (docs/rules.md#deal-create).
const (
	MinPrice Cents = 1
	MaxPrice Cents = 1_000_000_00
)

// Errors returned by Parse.
var (
	ErrSyntax   = errors.New("money: not a decimal number")
	ErrDecimals = errors.New("money: more than two decimals")
	ErrRange    = errors.New("money: out of range")
)

// maxUnits keeps sums of many amounts far from overflow: 10^15 units are ten trillion dollars.
const maxUnits = 1_000_000_000_000_000

// maxDigits is how many digits maxUnits has.
const maxDigits = 16

// Parse parses a decimal such as "12", "12.5", "-0.01" or "1.5e1" into hundredths. A plus sign,
// blanks, or a value with more than two decimals is an error; nothing is rounded
// (docs/rules.md#amounts). Only the value matters, not the notation, since JSON encoders differ.
func Parse(s string) (int64, error) {
	digits, negative := strings.CutPrefix(s, "-")
	mantissa, exponent, err := cutExponent(digits)
	if err != nil {
		return 0, err
	}
	whole, fraction, point := strings.Cut(mantissa, ".")
	if whole == "" || (point && fraction == "") || !isDigits(whole) || !isDigits(fraction) {
		return 0, ErrSyntax
	}
	significant := strings.TrimRight(whole+fraction, "0")
	decimals := len(significant) - len(whole) - exponent // negative: zeros before the point
	significant = strings.TrimLeft(significant, "0")
	switch {
	case significant == "":
		return 0, nil
	case decimals > 2:
		return 0, ErrDecimals
	case len(significant)+2-decimals > maxDigits:
		return 0, ErrRange
	}
	var units int64
	for _, c := range significant + strings.Repeat("0", 2-decimals) {
		units = units*10 + int64(c-'0')
	}
	if units > maxUnits {
		return 0, ErrRange
	}
	if negative {
		units = -units
	}
	return units, nil
}

// maxExponent caps exponents. No input is long enough for a larger one to change the result.
const maxExponent = 1_000_000_000

// cutExponent splits "1.5e1" into "1.5" and 1.
func cutExponent(s string) (mantissa string, exponent int, err error) {
	at := strings.IndexAny(s, "eE")
	if at < 0 {
		return s, 0, nil
	}
	digits, negative := strings.CutPrefix(s[at+1:], "-")
	if !negative {
		digits = strings.TrimPrefix(digits, "+")
	}
	if digits == "" || !isDigits(digits) {
		return "", 0, ErrSyntax
	}
	for _, c := range digits {
		exponent = min(exponent*10+int(c-'0'), maxExponent)
	}
	if negative {
		exponent = -exponent
	}
	return s[:at], exponent, nil
}

func isDigits(s string) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// format formats hundredths as a decimal with two decimals.
func format(units int64) string {
	sign, magnitude := "", uint64(units)
	if units < 0 {
		sign, magnitude = "-", -uint64(units)
	}
	return fmt.Sprintf("%s%d.%02d", sign, magnitude/100, magnitude%100)
}

// String returns the amount with two decimals and no currency sign.
func (c Cents) String() string { return format(int64(c)) }

// String returns the amount with two decimals and no currency sign.
func (p Poisha) String() string { return format(int64(p)) }

// String returns the rate in taka with two decimals.
func (r Rate) String() string { return format(int64(r)) }

// MarshalJSON writes a JSON number with two decimals.
func (c Cents) MarshalJSON() ([]byte, error) { return []byte(c.String()), nil }

// MarshalJSON writes a JSON number with two decimals.
func (p Poisha) MarshalJSON() ([]byte, error) { return []byte(p.String()), nil }

// MarshalJSON writes a JSON number with two decimals.
func (r Rate) MarshalJSON() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalJSON reads a JSON number from its token, without passing through a float.
func (c *Cents) UnmarshalJSON(b []byte) error {
	units, err := Parse(string(b))
	if err != nil {
		return err
	}
	*c = Cents(units)
	return nil
}

// UnmarshalJSON reads a JSON number from its token, without passing through a float.
func (p *Poisha) UnmarshalJSON(b []byte) error {
	units, err := Parse(string(b))
	if err != nil {
		return err
	}
	*p = Poisha(units)
	return nil
}

// UnmarshalJSON reads a JSON number from its token, without passing through a float.
func (r *Rate) UnmarshalJSON(b []byte) error {
	units, err := Parse(string(b))
	if err != nil {
		return err
	}
	*r = Rate(units)
	return nil
}

// Fee returns the service fee of a price: 2% rounded half up to the cent (docs/rules.md#fee).
func Fee(price Cents) Cents {
	// Splitting the price keeps the product from overflowing.
	return price/10_000*FeeBasisPoints + (price%10_000*FeeBasisPoints+5_000)/10_000
}

// Reward returns the referral reward of a price: 1% rounded down to the cent
// (docs/rules.md#referral).
func Reward(price Cents) Cents {
	return price/10_000*ReferralBasisPoints + price%10_000*ReferralBasisPoints/10_000
}

// FloorTaka returns the value of a dollar in whole taka for withdrawals and balances: the rate
// rounded down (docs/rules.md#exchange-rate).
func (r Rate) FloorTaka() int64 { return int64(r) / 100 }

// CeilTaka returns the cost of a dollar in whole taka for deposits: the rate rounded up
// (docs/rules.md#exchange-rate).
func (r Rate) CeilTaka() int64 { return (int64(r) + 99) / 100 }

// Worth returns the dollars that an amount of taka pays for, rounded down to cents.
func Worth(taka Poisha, takaPerDollar int64) Cents { return Cents(int64(taka) / takaPerDollar) }

// Convert converts an amount of dollars to taka, exactly, at a whole number of taka per dollar. It
// returns ErrRange on overflow.
func Convert(amount Cents, takaPerDollar int64) (Poisha, error) {
	if amount != 0 && takaPerDollar > math.MaxInt64/absolute(int64(amount)) {
		return 0, ErrRange
	}
	return Poisha(int64(amount) * takaPerDollar), nil
}

func absolute(n int64) int64 {
	if n < 0 {
		return -n
	}
	return n
}
