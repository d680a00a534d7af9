package api_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/lib/clock"
)

// totals returns the bodies of the five admin totals.
func (b *browser) totals(query string) (users, deals, withdrawn, deposited, earned string) {
	b.t.Helper()
	read := func(path string) string {
		b.t.Helper()
		return string(b.get(path + query).want(200).body)
	}
	return read("/admin/total-users"), read("/admin/total-deals"), read("/admin/total-withdraw-amount"), read("/admin/total-deposits"),
		read("/admin/platform-earnings")
}

func (b *browser) requireTotals(query, users, deals, withdrawn, deposited, earned string) {
	b.t.Helper()
	u, d, w, in, e := b.totals(query)
	require.JSONEq(b.t, `{"totalUsers": `+users+`}`, u, query)
	require.JSONEq(b.t, `{"totalDeals": `+deals+`}`, d, query)
	require.JSONEq(b.t, `{"totalWithdrawAmount": `+withdrawn+`}`, w, query)
	require.JSONEq(b.t, `{"totalDepositAmount": `+deposited+`}`, in, query)
	require.JSONEq(b.t, `{"totalEarnings": `+earned+`}`, e, query)
}

func (b *browser) series(query string) api.Series {
	b.t.Helper()
	var series api.Series
	b.get("/admin/series" + query).want(200).into(&series)
	return series
}

// dhaka returns the current date in Dhaka.
func (f *fixture) dhaka() string { return f.clock.Now().In(clock.Dhaka).Format(time.DateOnly) }

func TestAdminTotals(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	first := f.dhaka()
	deal := buyer.active(seller, 100)
	removed := buyer.propose(seller, 7)
	buyer.do("DELETE", "/deals/"+removed.ID.String(), nil).want(200)

	f.later(3*day, boss, buyer, seller)
	second := f.dhaka()
	buyer.acts("complete", deal, "Deal marked as completed", "Completed")
	var submitted api.WithdrawalSubmitted
	seller.post("/withdraw", fields{"amount": 50.5, "phonenumber": "01712345678", "paymentMethod": "Bkash"}).want(201).into(&submitted)
	boss.requireTotals("", "3", "1", "0", "500", "2")
	seller.confirms(submitted.Withdrawal.ID)
	boss.post("/admin/withdrawals/"+submitted.Withdrawal.ID.String()+"/send", fields{"amount": 50.5}).want(200)
	buyer.post("/auth/deposit", fields{"amount": 9, "transactionId": transactionID(), "paymentMethod": "Bkash"}).want(201)

	boss.requireTotals("", "3", "1", "50.5", "500", "2")
	boss.requireTotals("?startDate="+first+"&endDate="+first, "3", "1", "0", "500", "0")
	boss.requireTotals("?startDate="+second+"&endDate="+second, "0", "0", "50.5", "0", "2")
	boss.requireTotals("?endDate="+second, "3", "1", "50.5", "500", "2")
	boss.requireTotals("?startDate="+second, "0", "0", "50.5", "0", "2")
	boss.requireTotals("?endDate=2020-01-01", "0", "0", "0", "0", "0")

	series := boss.series("?of=earnings&startDate=" + first)
	require.Equal(t, "earnings", series.Of)
	require.Equal(t, []string{first, second}, []string{series.StartDate, series.EndDate}, "to today")
	require.Len(t, series.Days, 4)
	require.Equal(t, api.SeriesDay{Date: first}, series.Days[0], "also when nothing happened")
	require.Equal(t, api.SeriesDay{Date: second, Count: 1, Amount: 2_00}, series.Days[3])
	for of, wanted := range map[string]api.SeriesDay{
		"deposits": {Date: first, Count: 1, Amount: 500_00}, "deals": {Date: first, Count: 1, Amount: 100_00}, "users": {Date: first, Count: 3},
	} {
		require.Equal(t, []api.SeriesDay{wanted}, boss.series("?of="+of+"&startDate="+first+"&endDate="+first).Days)
	}
	month := boss.series("?of=withdrawals&endDate=" + second)
	require.Len(t, month.Days, 30)
	require.Equal(t, api.SeriesDay{Date: second, Count: 1, Amount: 50_50}, month.Days[29])
}

// A business day starts at midnight in Dhaka, 18:00 UTC.
func TestAdminTotals_days_in_dhaka(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss := f.admin("boss")
	for at, username := range map[string]string{"2020-03-01T17:59:59.999999Z": "before", "2020-03-01T18:00:00Z": "after"} {
		f.member(username)
		_, err := f.owner.Exec(t.Context(), "update users set created_at = $1::timestamptz where username = $2", at, username)
		require.NoError(t, err)
	}
	for query, wanted := range map[string]string{
		"?startDate=2020-03-01&endDate=2020-03-01": `{"totalUsers": 1}`,
		"?startDate=2020-03-02&endDate=2020-03-02": `{"totalUsers": 1}`,
		"?endDate=2020-02-29":                      `{"totalUsers": 0}`,
		"?startDate=2020-03-01&endDate=2020-03-02": `{"totalUsers": 2}`,
	} {
		require.JSONEq(t, wanted, string(boss.get("/admin/total-users"+query).want(200).body), query)
	}
	days := boss.series("?of=users&startDate=2020-03-01&endDate=2020-03-03").Days
	require.Equal(t, []api.SeriesDay{{Date: "2020-03-01", Count: 1}, {Date: "2020-03-02", Count: 1}, {Date: "2020-03-03"}}, days)
}

func TestAdminTotals_invalid(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss, rahim := f.admin("boss"), f.member("rahim")
	for _, path := range []string{
		"/admin/total-users", "/admin/total-deals", "/admin/total-withdraw-amount", "/admin/total-deposits", "/admin/platform-earnings",
		"/admin/series",
	} {
		rahim.get(path+"?startDate=x").refused(403, "forbidden", "Only admins may do this.")
		of := "&of=deals"
		for _, date := range []string{"x", "2026-02-30", "2026-1-1", "01/02/2026", "0000-01-01"} {
			failure := boss.get(path+"?startDate="+date+of).refused(400, "invalid", "startDate must be a date such as 2026-01-31.")
			require.Contains(t, failure.Fields, "startDate")
		}
		boss.get(path+"?startDate=2026-01-02&endDate=2026-01-01"+of).refused(400, "invalid", "endDate must not be before startDate.")
	}
	boss.get("/admin/series").refused(400, "invalid", "Choose what to count.")
	boss.get("/admin/series?of=gold").refused(400, "invalid", "of must be one of deposits, withdrawals, earnings, deals, users.")
	boss.get("/admin/series?of=users&startDate=2024-01-01&endDate=2024-12-31").want(200)
	boss.get("/admin/series?of=users&startDate=2024-01-01&endDate=2025-01-01").refused(400, "invalid", "The range must be at most 366 days.")
}
