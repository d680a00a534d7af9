package config

import (
	"errors"
	"time"

	"amanat/internal/money"
)

// Withdrawals are the rules for withdrawals. The api checks them on request; workers enforce them
// when they settle.
type Withdrawals struct {
	// WithdrawalHold is how long a withdrawal in new circumstances is held unless its owner
	// confirms it; 0 disables holds.
	WithdrawalHold time.Duration `env:"WITHDRAWAL_HOLD" envDefault:"24h"`
	// MinWithdrawal is the minimum amount of a withdrawal: each is paid out by hand.
	MinWithdrawal USD `env:"MIN_WITHDRAWAL" envDefault:"1.00"`
	// MaxPendingWithdrawals is the maximum number of a user's withdrawals waiting for an admin.
	MaxPendingWithdrawals int `env:"MAX_PENDING_WITHDRAWALS" envDefault:"5"`
}

func (c Withdrawals) check(p *problems) {
	p.check("WITHDRAWAL_HOLD", atLeast(c.WithdrawalHold, 0))
	p.check("MIN_WITHDRAWAL", atLeast(c.MinWithdrawal, 1))
	p.check("MAX_PENDING_WITHDRAWALS", atLeast(c.MaxPendingWithdrawals, 1))
}

// USD is an amount as written by an operator, such as 1.00.
type USD money.Cents

// String returns the amount with two decimals.
func (u USD) String() string { return money.Cents(u).String() }

// UnmarshalText parses the amount without a float.
func (u *USD) UnmarshalText(text []byte) error {
	cents, err := money.Parse(string(text))
	if err != nil {
		return errors.New("must be dollars and cents, as in 1.00")
	}
	*u = USD(cents)
	return nil
}
