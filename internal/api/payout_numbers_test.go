package api_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
)

// saves saves a number for withdrawals.
func (b *browser) saves(name, method, number string) api.PayoutNumber {
	b.t.Helper()
	var saved api.PayoutNumberChange
	b.post("/wallet/payout-numbers", fields{"name": name, "paymentMethod": method, "phoneNumber": number}).want(201).into(&saved)
	require.Equal(b.t, "payout_number_saved", saved.Code)
	return saved.Number
}

func (b *browser) payoutNumbers() []api.PayoutNumber {
	b.t.Helper()
	var list api.PayoutNumbers
	b.get("/wallet/payout-numbers").want(200).into(&list)
	return list.Numbers
}

func TestPayoutNumbers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	owner, other := f.member("owner"), f.member("other")
	require.Empty(t, owner.payoutNumbers())

	mine := owner.saves("  my \u202e bKash ", "Bkash", "01712345678")
	require.Equal(t, "my bKash", mine.Name)
	require.Nil(t, mine.LastSentAt)
	sister := owner.saves("Amina", "Nagad", "01712345678") // another wallet of the same number
	other.saves("my bKash", "Bkash", "01712345678")
	require.Equal(t, []api.PayoutNumber{sister, mine}, owner.payoutNumbers())

	path := "/wallet/payout-numbers/" + mine.ID.String()
	var renamed api.PayoutNumberChange
	owner.do("PATCH", path, fields{"name": "Shop"}).want(200).into(&renamed)
	require.Equal(t, "The name has been changed.", renamed.Message)
	require.Equal(t, "Shop", renamed.Number.Name)
	owner.do("PATCH", path, fields{"name": ""}).refused(400, "invalid", "Please name this number.")
	other.do("PATCH", path, fields{"name": "Mine now"}).refused(404, "not_found", "Number not found.")
	other.do("DELETE", path, nil).refused(404, "not_found", "Number not found.")

	said := owner.do("DELETE", path, nil).want(200)
	require.JSONEq(t, `{"message": "The number has been removed.", "outcome": "payout_number_removed"}`, string(said.body))
	owner.do("DELETE", path, nil).want(404)
	require.Equal(t, []api.PayoutNumber{sister}, owner.payoutNumbers())
}

func TestPayoutNumbers_refuses(t *testing.T) {
	t.Parallel()
	owner := newFixture(t).member("owner")
	for _, tc := range []struct {
		body    fields
		message string
	}{
		{fields{"paymentMethod": "Cash", "phoneNumber": "1"}, "Choose Bkash or Nagad."},
		{fields{"paymentMethod": "Nagad", "phoneNumber": "0181234567"}, "Phone number must start with '01' and be 11 digits."},
		{fields{"paymentMethod": "Nagad", "phoneNumber": "01812345678", "name": " \u2800 "}, "Please name this number."},
		{
			fields{"paymentMethod": "Nagad", "phoneNumber": "01812345678", "name": strings.Repeat("ন", 41)},
			"The name may have up to 40 characters.",
		},
	} {
		owner.post("/wallet/payout-numbers", tc.body).refused(400, "invalid", tc.message)
	}
	require.Empty(t, owner.payoutNumbers())

	owner.saves(strings.Repeat("ন", 40), "Nagad", "01812345678")
	again := owner.post("/wallet/payout-numbers", fields{"name": "Again", "paymentMethod": "Nagad", "phoneNumber": "01812345678"})
	require.Equal(t, "You already saved this number.", again.refused(409, "duplicate", "You already saved this number.").Fields["phoneNumber"])
}

// Saving the same request twice saves one number, and of twelve requests at once ten do.
func TestPayoutNumbers_ten_at_most(t *testing.T) {
	t.Parallel()
	owner := newFixture(t).member("owner")
	body := func(i int) fields {
		return fields{"name": fmt.Sprint("Number ", i), "paymentMethod": "Bkash", "phoneNumber": fmt.Sprintf("017000000%02d", i)}
	}
	first := owner.post("/wallet/payout-numbers", body(0), "Idempotency-Key", "p1").want(201)
	require.JSONEq(t, string(first.body), string(owner.post("/wallet/payout-numbers", body(0), "Idempotency-Key", "p1").want(201).body))

	var wg sync.WaitGroup
	for i := range 11 {
		wg.Go(func() { owner.post("/wallet/payout-numbers", body(i+1)) })
	}
	wg.Wait()
	require.Len(t, owner.payoutNumbers(), 10)
	refused := owner.post("/wallet/payout-numbers", body(20))
	refused.refused(409, "conflict", "You can save up to 10 numbers.")
	require.Contains(t, string(refused.body), `"reason":"too_many_numbers"`)
}

// A saved number says when a withdrawal was last sent to it, and a withdrawal to it is held as one
// to any new number.
func TestPayoutNumbers_withdrawals(t *testing.T) {
	t.Parallel()
	f, boss, buyer, _ := newFixtureWithUsers(t)
	buyer.saves("Mine", "Bkash", "01712345678")
	w := buyer.withdraws(40, "01712345678")
	require.Contains(t, w.HeldReasons, "new_number")
	require.True(t, w.OnHold)

	buyer.confirms(w.ID)
	sent := f.clock.Now().Truncate(time.Microsecond)
	boss.post("/admin/withdrawals/"+w.ID.String()+"/send", fields{"amount": 40, "userId": buyer.user.ID}).want(200)
	require.WithinRange(t, *buyer.payoutNumbers()[0].LastSentAt, sent, f.clock.Now())
}
