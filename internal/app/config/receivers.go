package config

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"amanat/internal/money"
)

// Receivers are the platform's numbers that users send deposits to, in the order of the setting.
type Receivers []Receiver

// Receiver is one of the numbers, and the most that it takes a day and a month.
type Receiver struct {
	Method, Number string
	Day, Month     money.Poisha
}

// NoCap is the cap of an account without caps, such as a merchant's.
const NoCap money.Poisha = math.MaxInt64

// personalCaps are the limits of bKash and Nagad for personal accounts.
const personalCaps = "50000/300000"

var (
	errReceivers = errors.New(
		"must be methods with numbers, as in Bkash:01700000000,Bkash:01800000000:50000/300000,Nagad:01900000000:merchant")
	errCaps        = errors.New("must be caps in whole taka a day and a month, as in 50000/300000, or merchant")
	receiverNumber = regexp.MustCompile(`^01[0-9]{9}$`)
)

// UnmarshalText parses a list such as Bkash:01700000000,Nagad:01900000000:50000/300000.
func (r *Receivers) UnmarshalText(text []byte) error {
	*r = Receivers{}
	for part := range strings.SplitSeq(string(text), ",") {
		method, rest, found := strings.Cut(strings.TrimSpace(part), ":")
		if !found {
			return errReceivers
		}
		number, caps, capped := strings.Cut(rest, ":")
		if !capped {
			caps = personalCaps
		}
		day, month, err := parseCaps(caps)
		if err != nil {
			return fmt.Errorf("%w; %s has %q", err, number, caps)
		}
		*r = append(*r, Receiver{Method: method, Number: number, Day: day, Month: month})
	}
	return nil
}

func parseCaps(text string) (day, month money.Poisha, err error) {
	if text == "merchant" {
		return NoCap, NoCap, nil
	}
	perDay, perMonth, _ := strings.Cut(text, "/")
	daily, dayErr := strconv.ParseUint(perDay, 10, 32)
	monthly, monthErr := strconv.ParseUint(perMonth, 10, 32)
	if dayErr != nil || monthErr != nil || daily > monthly {
		return 0, 0, errCaps
	}
	return money.Poisha(daily * 100), money.Poisha(monthly * 100), nil
}

func (r Receivers) check() error {
	found := map[string]bool{"Bkash": false, "Nagad": false}
	for i, one := range r {
		if _, known := found[one.Method]; !known || !receiverNumber.MatchString(one.Number) {
			return fmt.Errorf("must be Bkash or Nagad with a mobile number of 11 digits that starts with 01; got %q", one.Method+":"+one.Number)
		}
		if slices.ContainsFunc(r[:i], func(o Receiver) bool { return o.Method == one.Method && o.Number == one.Number }) {
			return fmt.Errorf("must name a number once; %s:%s is named twice", one.Method, one.Number)
		}
		found[one.Method] = true
	}
	if !found["Bkash"] || !found["Nagad"] {
		return errors.New("must have a number of Bkash and one of Nagad")
	}
	return nil
}
