package api_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
)

const textNoPaper = "Amanat has not made a receipt or statement with this code."

// paper returns what is printed with a receipt of a deal.
func (b *browser) paper(path string) (p api.Paper) {
	b.t.Helper()
	b.get(path).want(200).into(&p)
	return p
}

// paperIn returns the paper in a response.
func (b *browser) paperIn(path string) api.Paper {
	b.t.Helper()
	var in struct{ Paper *api.Paper }
	b.get(path).want(200).into(&in)
	require.NotNil(b.t, in.Paper)
	return *in.Paper
}

// checked returns what a stranger sees of a paper.
func (f *fixture) checked(code string) string {
	f.t.Helper()
	return string(f.visitor().get("/check/" + code).want(200).body)
}

// A receipt has the rate that counted when the deal was paid. A stranger with its code sees what it
// says and how the deal stands, without texts and names.
func TestPaper_deal(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.Operator = "Amanat Ltd, 12 Lake Road, Dhaka" })
	f.work()
	boss, buyer, seller := f.market()
	offer := buyer.propose(seller, 20)
	buyer.get("/deals/"+offer.ID.String()+"/receipt").refused(409, "conflict", "A deal has a receipt once it has been paid.")
	deal := buyer.active(seller, 20)
	path := "/deals/" + deal.ID.String() + "/receipt"
	f.later(time.Hour, boss, buyer, seller)
	boss.setRate(125)

	receipt := buyer.paper(path)
	require.Equal(t, receipt.Code, seller.paper(path).Code)
	require.Equal(t, "120.00", receipt.USDToBDT.String(), "as it was")
	require.Equal(t, "Amanat Ltd, 12 Lake Road, Dhaka", receipt.Operator)
	id := strings.ToUpper(deal.ID.String())
	require.Equal(t, "D-"+id[24:28]+"-"+id[28:32]+"-"+id[32:], receipt.Number)

	shown := f.checked(strings.ToUpper(receipt.Code))
	require.Contains(t, shown, `"buyer":"b•••r","seller":"s•••r","price":20.00,`)
	require.Contains(t, shown, `"status":"Active","closedAt":null,"refund":null`)
	for _, secret := range []string{`"buyer"}`, `:"seller"`, deal.ID.String(), deal.Description} {
		require.NotContains(t, shown, secret)
	}
	seller.acts("cancel", deal, "Deal cancelled and buyer refunded", "Cancelled by Seller")
	require.Regexp(t, `"status":"Cancelled by Seller","closedAt":"[^"]+","refund":20\.00`, f.checked(receipt.Code))
}

func TestPaper_deposit(t *testing.T) {
	t.Parallel()
	f, boss, buyer, _ := newFixtureWithUsers(t)
	id := buyer.reports(50, "AB12CD34EF").Deposit.ID.String()
	require.Contains(t, string(buyer.get("/deposits/"+id).want(200).body), `"paper":null`)
	boss.post("/admin/deposit/approve/"+id, fields{"amount": 50, "userId": buyer.user.ID}).want(200)
	receipt := buyer.paperIn("/deposits/" + id)
	require.Regexp(t, `^P(-[0-9A-F]{4}){3}$`, receipt.Number)
	require.Equal(t, "127.0.0.1", receipt.Operator, "the host by default")
	shown := f.checked(receipt.Code)
	require.Contains(t, shown, `"user":"b•••r","paymentMethod":"Bkash","amount":50.00,"convertedAmount":6000.00,`)
	require.NotContains(t, shown, "AB12CD34EF")
}

// A statement is added up again for whoever checks it, as it was when it was made. One code tells
// nothing of other periods.
func TestPaper_statement(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	buyer.active(seller, 100)
	made := buyer.paperIn("/wallet/statement?kind=deposits")
	buyer.fund(boss, 30)
	shown := f.checked(made.Code)
	require.Contains(t, shown, `"user":"b•••r","from":null,"to":null,`)
	require.Contains(t, shown, `"kind":"deposits","count":1,"opening":0.00,"in":500.00,"out":0.00,"closing":400.00`)
	now := f.checked(buyer.paperIn("/wallet/statement").Code)
	require.Contains(t, now, `"kind":null,"count":3,"opening":0.00,"in":530.00,"out":100.00,"closing":430.00`)
	today := f.dhaka()
	f.later(48*time.Hour, boss, buyer)
	boss.setRate(125)
	past := buyer.paperIn("/wallet/statement?from=2026-01-01&to=" + today)
	require.Equal(t, "120.00", past.USDToBDT.String(), "when the period closed")
	require.Contains(t, f.checked(past.Code), `"from":"2025-12-31T18:00:00Z","to":"`)
	newcomer := f.member("newcomer").paperIn("/wallet/statement?from=1900-01-01&to=9999-12-31")
	require.Contains(t, f.checked(newcomer.Code), `"count":0,"opening":0.00,"in":0.00,"out":0.00,"closing":0.00`)
}

// Nobody can make a code, or turn one into that of another paper.
func TestPaper_forged(t *testing.T) {
	t.Parallel()
	f, _, buyer, seller := newFixtureWithUsers(t)
	code := buyer.paper("/deals/" + buyer.active(seller, 20).ID.String() + "/receipt").Code
	forged := []string{"k7m2p9qa4x", code[:len(code)-2], code + "00", code[:1], "ilou", strings.Repeat("0", 500)}
	for _, whole := range []string{code, buyer.paperIn("/wallet/statement").Code} {
		for _, i := range []int{0, 1, 12, 30, len(whole) - 2} {
			forged = append(forged, whole[:i]+fmt.Sprintf("%c", "01"[strings.Count(whole[i:i+1], "0")])+whole[i+1:])
		}
	}
	for _, other := range forged {
		f.visitor().get("/check/"+other).refused(404, "not_found", textNoPaper)
	}
}
