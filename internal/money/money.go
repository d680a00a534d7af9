// Package money holds amounts as integers of the smallest unit and the arithmetic of fees and rates. It never uses floating point.
package money

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// Cents is an amount of US dollars in cents. On the wire it is a JSON number with at most two decimals.
type Cents int64

// Poisha is an amount of Bangladeshi taka in poisha (1/100). On the wire it is a JSON number with at most two decimals.
type Poisha int64

// Rate is the price of one US dollar in poisha, as an admin set it. On the wire it is a JSON number with at most two decimals.
type Rate int64

// Basis points of SPEC §9.
const (
	FeeBasisPoints      = 200 // service fee, 2%
	ReferralBasisPoints = 100 // referral reward, 1%
)

// Bounds of a price (DESIGN §3 "Limits").
const (
	MinPrice Cents = 1
	MaxPrice Cents = 1_000_000_00
)

// Errors of Parse.
var (
	ErrSyntax   = errors.New("money: not a decimal number")
	ErrDecimals = errors.New("money: more than two decimals")
	ErrRange    = errors.New("money: out of range")
)

// maxUnits keeps sums of many amounts far from overflow: 10^15 units are ten trillion dollars.
const maxUnits = 1_000_000_000_000_000

// Parse reads a plain decimal such as "12", "12.5" or "-0.01" into hundredths. An exponent, a sign of plus, blanks and more than two
// decimals are errors, never rounded (DESIGN §2); trailing zeros past the second decimal are allowed, since a JSON encoder may write them.
func Parse(s string) (int64, error) {
	digits, negative := strings.CutPrefix(s, "-")
	whole, fraction, point := strings.Cut(digits, ".")
	if whole == "" || (point && fraction == "") || !isDigits(whole) || !isDigits(fraction) {
		return 0, ErrSyntax
	}
	fraction = strings.TrimRight(fraction, "0")
	if len(fraction) > 2 {
		return 0, ErrDecimals
	}
	fraction += strings.Repeat("0", 2-len(fraction))
	var units int64
	for _, c := range whole + fraction {
		units = units*10 + int64(c-'0')
		if units > maxUnits {
			return 0, ErrRange
		}
	}
	if negative {
		units = -units
	}
	return units, nil
}

func isDigits(s string) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// format writes hundredths as a decimal with exactly two decimals.
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

// Fee returns the service fee of a price: 2% rounded half up to the cent (DESIGN §3).
func Fee(price Cents) Cents {
	// Splitting keeps the product small for every price that Parse lets through.
	return price/10_000*FeeBasisPoints + (price%10_000*FeeBasisPoints+5_000)/10_000
}

// Reward returns the referral reward of a price: 1% rounded down to the cent (DESIGN §3).
func Reward(price Cents) Cents {
	return price/10_000*ReferralBasisPoints + price%10_000*ReferralBasisPoints/10_000
}

// FloorTaka returns the whole taka a dollar is worth in a withdrawal or a balance: the rate rounded down (SPEC §9).
func (r Rate) FloorTaka() int64 { return int64(r) / 100 }

// CeilTaka returns the whole taka a dollar costs in a deposit: the rate rounded up (SPEC §9).
func (r Rate) CeilTaka() int64 { return (int64(r) + 99) / 100 }

// Convert returns the taka for an amount of dollars at a whole number of taka a dollar. It is exact.
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
