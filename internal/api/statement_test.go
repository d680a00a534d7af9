package api_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/ratelimit"
)

// statement returns what a statement says of its sums, and a line for each transaction.
func (b *browser) statement(query string) (sums string, lines []string) {
	b.t.Helper()
	var s api.WalletStatement
	b.get("/wallet/statement" + query).want(200).into(&s)
	for _, l := range s.Lines {
		about := ""
		for _, part := range []*string{l.Title, l.With, l.Method, l.Reference} {
			if part != nil {
				about += " " + *part
			}
		}
		lines = append(lines, fmt.Sprintf("%s %s %s%s", l.Kind, l.Amount, l.BalanceAfter, about))
	}
	return fmt.Sprintf("%s + %s - %s = %s, %d", s.Opening, s.In, s.Out, s.Closing, s.Total), lines
}

func TestWalletStatement(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	first := f.clock.Now()
	f.later(10*day, boss, buyer, seller)
	deal := buyer.active(seller, 100)
	buyer.acts("complete", deal, "Deal marked as completed", "Completed")
	seller.post("/withdraw", fields{"amount": 40, "phonenumber": "01712345678", "paymentMethod": "Bkash"}).want(201)

	sums, lines := buyer.statement("")
	require.Equal(t, "0.00 + 500.00 - 100.00 = 400.00, 2", sums)
	require.Len(t, lines, 2)
	require.Equal(t, "deal_pay -100.00 400.00 "+deal.Description+" seller", lines[0], "the latest first")
	require.Regexp(t, `^deposit_approve 500\.00 500\.00 Bkash [0-9A-Z]{8,12}$`, lines[1])

	later := "?from=" + first.Add(5*day).Format(time.DateOnly)
	sums, lines = buyer.statement(later)
	require.Equal(t, "500.00 + 0.00 - 100.00 = 400.00, 1", sums)
	require.Len(t, lines, 1)
	sums, lines = buyer.statement("?to=" + first.Add(5*day).Format(time.DateOnly))
	require.Equal(t, "0.00 + 500.00 - 0.00 = 500.00, 1", sums)
	require.Len(t, lines, 1)
	sums, _ = buyer.statement("?kind=deposits")
	require.Equal(t, "0.00 + 500.00 - 0.00 = 400.00, 1", sums, "the balances are those of all kinds")
	sums, lines = buyer.statement("?page=2&limit=1")
	require.Equal(t, "0.00 + 500.00 - 100.00 = 400.00, 2", sums)
	require.Len(t, lines, 1)

	sums, lines = seller.statement("")
	require.Equal(t, "0.00 + 98.00 - 40.00 = 58.00, 2", sums)
	require.Equal(t, "withdrawal_hold -40.00 58.00 Bkash 01712345678", lines[0])
	sums, lines = f.member("newcomer").statement("")
	require.Equal(t, "0.00 + 0.00 - 0.00 = 0.00, 0", sums)
	require.Empty(t, lines)

	for _, file := range []string{"", "/csv"} {
		buyer.get("/wallet/statement"+file+"?kind=gifts").
			refused(400, "invalid", "kind must be one of deals, deposits, withdrawals, rewards, corrections.")
		buyer.get("/wallet/statement"+file+"?from=2026-02-02&to=2026-02-01").refused(400, "invalid", "to must not be before from.")
	}
	buyer.get("/wallet/statement/csv?language=fr").refused(400, "invalid", "language must be one of en, bn.")
}

// A spreadsheet must take no text of another user for a formula.
func TestWalletStatement_csv(t *testing.T) {
	t.Parallel()
	f, _, buyer, seller := newFixtureWithUsers(t)
	var deal api.DealDetail
	seller.post("/deals/create", fields{
		"price": 100, "description": `=HYPERLINK("https://evil.example","Click")`, "deliveryDuration": 7,
		"buyerId": buyer.user.ID, "sellerId": seller.user.ID,
	}).want(201).into(&deal)
	buyer.post("/deals/pay/"+deal.ID.String(), nil).want(200)

	reply := buyer.get("/wallet/statement/csv?language=bn").want(200)
	require.Regexp(t, `^attachment; filename="amanat-buyer-\d{4}-\d\d-\d\d\.csv"$`, reply.header.Get("Content-Disposition"))
	body, marked := bytes.CutPrefix(reply.body, []byte("\ufeff"))
	require.True(t, marked)
	rows, err := csv.NewReader(bytes.NewReader(body)).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 5, "heads, opening, two transactions, closing")
	require.Equal(t, "তারিখ", rows[0][0])
	require.Equal(t, "0.00", rows[1][7])
	require.Equal(t, []string{"টাকা জমা", "", "", "বিকাশ"}, rows[2][1:5], "the oldest first")
	require.Equal(t, []string{
		"ডিলের পেমেন্ট", `'=HYPERLINK("https://evil.example","Click")`, "seller", "", "", "-100.00", "400.00",
	}, rows[3][1:8])
	require.Equal(t, "deal:"+deal.ID.String(), rows[3][8])
	require.Equal(t, "400.00", rows[4][7])
	require.Equal(t, f.clock.Now().In(clock.Dhaka).Format("2006-01-02"), rows[3][0][:10])
}

// A spreadsheet shows what was written, in whatever locale it opens the file.
func TestNoFormula(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"A channel; 5,000 fans": "A channel; 5,000 fans",
		"a=b":                   "a=b",
		"8N7A6D5EEX":            "8N7A6D5EEX",
		"2026":                  "2026",
		"=1+1":                  "'=1+1",
		"＝1+1":                  "'＝1+1",
		"＠x":                    "'＠x",
		" +1":                   "' +1",
		";=1+1":                 ";'=1+1",
		"a;\"=1;＋1\ny\t-1":      "a;'\"=1;'＋1\ny\t'-1",
		"01712345678":           "'01712345678",
		"1234567890123456":      "'1234567890123456",
		"12E34567":              "'12E34567",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, want, api.NoFormula(text))
		})
	}
}

// Making files takes CPU time.
func TestRateLimits_files(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.Limits.FileLimit = ratelimit.Rate{Count: 1, Per: time.Hour} })
	user := f.member("buyer")
	user.get("/wallet/statement/csv").want(200)
	require.Equal(t, 429, user.get("/wallet/statement/csv").status)
}
