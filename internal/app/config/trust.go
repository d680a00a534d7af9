package config

import (
	"errors"
	"strings"

	"amanat/internal/money"
)

// TrustLimit is what an account of one level of trust may do; 0 means no limit.
type TrustLimit struct {
	Deal      money.Cents // price of one deal that it pays
	Paid      money.Cents // sum paid in 24 hours
	Withdrawn money.Cents // sum withdrawn in 24 hours
}

// TrustLimits are the limits of the levels of trust. The zero value sets none.
type TrustLimits struct {
	New, Basic, Established, Trusted TrustLimit
}

// trustOff is the text of TrustLimits without any limit.
const trustOff = "off"

var errTrustLimits = errors.New(
	`must be "off" or dollars per deal, paid and withdrawn in a day for each level, as in ` +
		`new=1000/2000/500,basic=5000/15000/5000,established=25000/50000/25000,trusted=0/0/0`)

// UnmarshalText parses "off" or the limits of all four levels.
func (l *TrustLimits) UnmarshalText(text []byte) error {
	*l = TrustLimits{}
	if string(text) == trustOff {
		return nil
	}
	missing := map[string]*TrustLimit{
		"new": &l.New, "basic": &l.Basic, "established": &l.Established, "trusted": &l.Trusted,
	}
	for _, part := range strings.Split(string(text), ",") {
		name, amounts, _ := strings.Cut(strings.TrimSpace(part), "=")
		limit := missing[name]
		if limit == nil {
			return errTrustLimits
		}
		if err := limit.parse(amounts); err != nil {
			return err
		}
		delete(missing, name)
	}
	if len(missing) > 0 {
		return errTrustLimits
	}
	return l.checkRising()
}

func (l *TrustLimit) parse(text string) error {
	amounts := strings.Split(text, "/")
	if len(amounts) != 3 {
		return errTrustLimits
	}
	for i, amount := range []*money.Cents{&l.Deal, &l.Paid, &l.Withdrawn} {
		cents, err := money.Parse(amounts[i])
		if err != nil || cents < 0 {
			return errTrustLimits
		}
		*amount = money.Cents(cents)
	}
	return nil
}

// checkRising refuses limits that fall from one level to the next: the pages tell users what the
// next level allows.
func (l *TrustLimits) checkRising() error {
	levels := []TrustLimit{l.New, l.Basic, l.Established, l.Trusted}
	for i, higher := range levels[1:] {
		lower := levels[i]
		if falls(lower.Deal, higher.Deal) || falls(lower.Paid, higher.Paid) || falls(lower.Withdrawn, higher.Withdrawn) {
			return errors.New("must be at least as high in each level as in the one before")
		}
	}
	return nil
}

func falls(lower, higher money.Cents) bool {
	return higher != 0 && (lower == 0 || higher < lower)
}
