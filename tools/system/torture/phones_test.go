package main

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// Each of these is a promise about a payment that is broken.
func TestPaid_problem(t *testing.T) {
	t.Parallel()
	who := person{id: uuid.New()}
	good := claim{
		UserID: who.id, Status: "completed", Amount: price, Booked: price * takaPerDollar, Automatic: true, Credits: 1,
		State: "chained", Stated: price * takaPerDollar, Noted: true,
	}
	real := paid{by: who, cents: price, real: true}
	require.Empty(t, real.problem(good))
	for name, tc := range map[string]struct {
		change func(c *claim, one *paid)
		want   string
	}{
		"forged":             {func(_ *claim, one *paid) { one.real = false }, "credited though nobody has paid"},
		"forged, believed":   {func(c *claim, one *paid) { one.real, c.Status = false, "pending" }, "believed though nobody has paid"},
		"forged, waits":      {func(c *claim, one *paid) { one.real, c.Status, c.State = false, "pending", "held" }, ""},
		"twice":              {func(c *claim, _ *paid) { c.Credits = 2 }, "credited more than once"},
		"to another":         {func(c *claim, _ *paid) { c.UserID = uuid.New() }, "credited otherwise than paid"},
		"another amount":     {func(c *claim, _ *paid) { c.Amount++ }, "credited otherwise than paid"},
		"no SMS":             {func(c *claim, _ *paid) { c.State = "" }, "credited without its SMS"},
		"a held SMS":         {func(c *claim, _ *paid) { c.State = "held" }, "credited without its SMS"},
		"a held SMS, admin":  {func(c *claim, _ *paid) { c.State, c.Automatic = "held", false }, ""},
		"another SMS":        {func(c *claim, _ *paid) { c.Noted = false }, "credited without its SMS"},
		"a poisha more":      {func(c *claim, _ *paid) { c.Booked++ }, "credited without its SMS"},
		"forgotten":          {func(c *claim, _ *paid) { c.Status = "pending" }, "waits though its SMS proves it"},
		"waits for balances": {func(c *claim, _ *paid) { c.Status, c.Broken = "pending", true }, ""},
		"waits for its SMS":  {func(c *claim, _ *paid) { c.Status, c.State = "pending", "" }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, one := good, real
			tc.change(&c, &one)
			require.Equal(t, tc.want, one.problem(c))
		})
	}
}
