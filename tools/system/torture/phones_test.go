package main

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/devtools/bkash"
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

func TestPaid_dealProblem(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		price int64
		is    aimed
		want  string
	}{
		"paid":               {price, aimed{Status: dealActive}, ""},
		"too dear":           {2 * price, aimed{Status: dealPending, Notices: 1}, ""},
		"removed":            {price, aimed{Status: dealRemoved}, ""},
		"forgotten":          {price, aimed{Status: dealPending, Notices: 1}, "not paid though its payment is credited"},
		"nobody told":        {2 * price, aimed{Status: dealPending}, "not paid, and its buyer is not told so once"},
		"told twice":         {2 * price, aimed{Status: dealPending, Notices: 2}, "not paid, and its buyer is not told so once"},
		"paid and not":       {price, aimed{Status: dealActive, Notices: 1}, "paid, and its buyer is told that it is not"},
		"paid with too much": {2 * price, aimed{Status: dealActive}, "paid with too little"},
		"completed":          {price, aimed{Status: dealDone}, "in a status that nobody has asked for"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.want, paid{cents: price, deal: &Call{Cents: tc.price}}.dealProblem(tc.is))
		})
	}
}

// Each of these is a promise about a payout that is broken.
func TestCheckPayouts(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(w *payoutRow, one *sent, l *leftRow)
		want   string
	}{
		"in order":       {func(*payoutRow, *sent, *leftRow) {}, ""},
		"by hand":        {func(w *payoutRow, _ *sent, _ *leftRow) { w.Automatic, w.Transaction = false, "" }, ""},
		"forged":         {func(_ *payoutRow, one *sent, _ *leftRow) { one.real = false }, "books what it has not paid out"},
		"another number": {func(w *payoutRow, _ *sent, _ *leftRow) { w.Number = strangerNumber }, "books what it has not paid out"},
		"another amount": {func(w *payoutRow, _ *sent, _ *leftRow) { w.Taka++ }, "books what it has not paid out"},
		"no SMS":         {func(w *payoutRow, _ *sent, _ *leftRow) { w.Noted = "" }, "booked without its SMS"},
		"not booked":     {func(w *payoutRow, _ *sent, _ *leftRow) { w.Status = "pending" }, "1 payments of 122.00 more than withdrawals"},
		"its SMS lost":   {func(w *payoutRow, _ *sent, _ *leftRow) { w.Automatic, w.Transaction, w.Noted = false, "", "" }, ""},
		"hidden":         {func(_ *payoutRow, _ *sent, l *leftRow) { l.Listed = false }, "not noticed as it should be"},
		"no alarm":       {func(_ *payoutRow, _ *sent, l *leftRow) { l.Alarmed = false }, "not noticed as it should be"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := payoutRow{Status: "completed", Number: payeeNumber(1), Taka: 122_00, Transaction: "OURS", Noted: "OURS", Automatic: true}
			one, l := sent{number: payeeNumber(1), taka: 122_00, real: true}, leftRow{Transaction: "LEFT", Listed: true, Alarmed: true}
			tc.change(&w, &one, &l)
			payouts := map[string]sent{"OURS": one, "LEFT": {number: strangerNumber, taka: 122_00, real: true}}
			found := join(checkPayouts(payouts, []payoutRow{w}, []leftRow{l}))
			require.Contains(t, found, tc.want)
			require.Equal(t, tc.want == "", found == "", found)
		})
	}
	w := payoutRow{Status: "completed", Number: payeeNumber(1), Taka: 122_00, Transaction: "OURS"}
	one := map[string]sent{"OURS": {number: payeeNumber(1), taka: 122_00, real: true}}
	found := join(checkPayouts(one, []payoutRow{w, w}, []leftRow{{Transaction: "FORGED"}}))
	require.Contains(t, found, "books several withdrawals")
	require.Contains(t, found, "-1 payments of 122.00 more than withdrawals")
	require.Contains(t, found, "believed though nobody has sent it")
	listed := []leftRow{{Transaction: "OURS", Listed: true, Alarmed: true}}
	require.Contains(t, join(checkPayouts(one, []payoutRow{w}, listed)), "not noticed as it should be")
	w.Transaction = ""
	require.Empty(t, checkPayouts(one, []payoutRow{w}, listed), "booked without its payment")
}

// Each of these is a promise about a checkout that is broken.
func TestCheckoutRow_problem(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(row *checkoutRow, p *bkash.Payment)
		want   string
	}{
		"in order":    {func(*checkoutRow, *bkash.Payment) {}, ""},
		"cancelled":   {func(row *checkoutRow, p *bkash.Payment) { *row, *p = checkoutRow{State: "failed"}, bkash.Payment{} }, ""},
		"twice asked": {func(_ *checkoutRow, p *bkash.Payment) { p.Executions = 2 }, "executed more than once"},
		"not paid":    {func(_ *checkoutRow, p *bkash.Payment) { p.Paid = false }, "credited though nobody has paid"},
		"not asked": {func(row *checkoutRow, p *bkash.Payment) {
			*row, *p = checkoutRow{State: "open"}, bkash.Payment{Agreed: true}
		}, "not executed though its payer has come back"},
		"unknown":            {func(row *checkoutRow, _ *bkash.Payment) { row.State, row.Deposit = "executing", "" }, "paid, and nobody knows"},
		"waits":              {func(row *checkoutRow, _ *bkash.Payment) { row.Deposit = "pending" }, "credited otherwise than paid"},
		"another amount":     {func(_ *checkoutRow, p *bkash.Payment) { p.Amount = "1.00" }, "credited otherwise than paid"},
		"waits for an admin": {func(row *checkoutRow, p *bkash.Payment) { row.Deposit, p.Amount = "pending", "1.00" }, ""},
		"credited twice":     {func(row *checkoutRow, _ *bkash.Payment) { row.Credits = 2 }, "credited more than once"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			row := checkoutRow{Amount: price, State: "paid", Deposit: "completed", Credits: 1}
			p := bkash.Payment{Amount: "12300.00", Agreed: true, Paid: true, Executions: 1}
			tc.change(&row, &p)
			require.Equal(t, tc.want, row.problem(p))
		})
	}
}
