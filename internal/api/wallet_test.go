package api_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/catalog"
	"amanat/internal/app/config"
	"amanat/internal/app/pauses"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/ratelimit"
	"amanat/internal/money"
)

const creditedTwice = "A deposit was credited twice."

func (b *browser) proposes(user uuid.UUID, direction string, amount float64) api.Correction {
	b.t.Helper()
	var handled api.CorrectionHandled
	b.post("/admin/corrections", correction(user, direction, amount)).want(201).into(&handled)
	require.Equal(b.t, "Another admin has to confirm this correction.", handled.Message)
	return handled.Correction
}

func correction(user uuid.UUID, direction string, amount float64) fields {
	return fields{"userId": user, "direction": direction, "amount": amount, "reason": creditedTwice, "note": "See the slip."}
}

func correctionPath(a api.Correction) string { return "/admin/corrections/" + a.ID.String() }

func TestCorrections(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	stop := f.work()
	boss, second, buyer := f.admin("boss"), f.admin("second"), f.member("buyer")
	boss.setRate(120)
	key := []string{"Idempotency-Key", "the-click"}
	first := boss.post("/admin/corrections", correction(buyer.user.ID, "credit", 40), key...).want(201)
	require.JSONEq(t, string(first.body),
		string(boss.post("/admin/corrections", correction(buyer.user.ID, "credit", 40), key...).want(201).body))
	var page api.AdminCorrections
	second.get("/admin/corrections?status=open&search=BUY").want(200).into(&page)
	require.Equal(t, 1, page.Total)
	a := page.Corrections[0]
	require.Equal(t, "credit", a.Direction)
	require.EqualValues(t, 40_00, a.Amount)
	require.Equal(t, creditedTwice, a.Reason)
	require.Equal(t, "See the slip.", a.Note)
	require.Equal(t, 72*time.Hour, a.ExpiresAt.Sub(a.ProposedAt))
	second.get("/admin/corrections?search=nobody").want(200).into(&page)
	require.Zero(t, page.Total)
	second.get("/admin/corrections?search=%25").want(200).into(&page)
	require.Zero(t, page.Total)

	boss.post(correctionPath(a)+"/confirm", nil).
		refused(403, "forbidden", "You proposed this correction. Another admin has to decide it.")
	second.post(correctionPath(a)+"/withdraw", nil).
		refused(403, "forbidden", "Only the admin who proposed this correction can withdraw it.")
	stop()
	var pending api.Underway
	second.post(correctionPath(a)+"/confirm", nil).want(http.StatusAccepted).into(&pending)
	require.Equal(t, "balance_adjust", pending.Operation.Kind)
	second.get(correctionPath(a)).want(200).into(&a)
	require.Equal(t, pending.Operation.ID, a.Operation.ID)
	f.work()
	require.Eventually(t, func() bool {
		second.get(correctionPath(a)).want(200).into(&a)
		return a.Status == "confirmed"
	}, 10*time.Second, 20*time.Millisecond)
	buyer.requireWallet("40.00", "0.00", "0.00")
	for _, act := range []string{"/confirm", "/reject"} {
		require.Equal(t, "already_handled", decodeFailure(t, second.post(correctionPath(a)+act, fields{"reason": "No."}).want(409)).Code)
	}
	require.Equal(t, "already_handled", decodeFailure(t, boss.post(correctionPath(a)+"/withdraw", nil).want(409)).Code)

	debit := boss.proposes(buyer.user.ID, "debit", 15.5)
	second.post(correctionPath(debit)+"/confirm", nil).want(200)
	buyer.requireWallet("24.50", "0.00", "0.00")
	requireInStatement(t, buyer)
}

// requireInStatement requires that the corrections of TestCorrections and their reasons stand in
// the history, the statement and its file.
func requireInStatement(t *testing.T, buyer *browser) {
	t.Helper()
	var statement api.WalletStatement
	buyer.get("/wallet/statement?kind=corrections").want(200).into(&statement)
	require.Len(t, statement.Lines, 2)
	var history api.WalletHistory
	buyer.get("/wallet/history").want(200).into(&history)
	require.Len(t, history.Movements, 2)
	for _, m := range append(history.Movements, statement.Lines[0].WalletMovement, statement.Lines[1].WalletMovement) {
		require.EqualValues(t, "balance_adjust", m.Kind)
		require.Equal(t, creditedTwice, *m.Reason)
	}
	require.EqualValues(t, -15_50, statement.Lines[0].Amount)
	require.Contains(t, string(buyer.get("/wallet/statement/csv").want(200).body), ",Correction,,,,"+creditedTwice+",-15.50,24.50,correction:")
	require.Contains(t, string(buyer.get("/wallet/statement/csv?language=bn").want(200).body), ",ব্যালেন্স সংশোধন,")
}

// Every kind of movement has a name of its own in the file of a statement.
func TestMovementKinds_have_names(t *testing.T) {
	t.Parallel()
	for _, kind := range api.MovementKind("").Schema(nil).Enum {
		for _, lang := range []string{catalog.English, catalog.Bangla} {
			require.NotEqual(t, catalog.Render(lang, catalog.StatementUnknown, nil), catalog.MovementName(lang, fmt.Sprint(kind)), kind)
		}
	}
}

func TestCorrections_refusals(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.work()
	boss, second, buyer := f.admin("boss"), f.admin("second"), f.member("buyer")
	const path = "/admin/corrections"
	require.Equal(t, "1.00", decodeFailure(t, boss.post(path, correction(buyer.user.ID, "debit", 1)).want(409)).Shortfall.String())
	for text, change := range map[string]fields{
		"There is no open account with this ID.":      {"userId": "rahim"},
		"Choose whether money is added or taken off.": {"direction": ""},
		"Enter a valid amount":                        {"amount": -1},
	} {
		body := correction(buyer.user.ID, "credit", 1)
		for name, value := range change {
			body[name] = value
		}
		boss.post(path, body).refused(400, "invalid", text)
	}
	boss.get(path + "?status=lost").want(400)
	a, open := boss.proposes(buyer.user.ID, "credit", 1), boss.proposes(buyer.user.ID, "credit", 1)
	second.post(correctionPath(a)+"/reject", fields{}).refused(400, "invalid", "Write why you reject this correction.")
	second.post(correctionPath(a)+"/reject", fields{"reason": "No."}).want(200)
	f.pauses(pauses.Money)
	second.post(correctionPath(open)+"/confirm", nil).refused(503, "unavailable", textMoneyPaused)
	f.resumes(pauses.Money)
}

// history returns the opening balance and one line for each movement of the wallet.
func (b *browser) history(query string) (opening string, lines []string) {
	b.t.Helper()
	var h api.WalletHistory
	b.get("/wallet/history" + query).want(200).into(&h)
	require.True(b.t, h.Complete)
	for _, m := range h.Movements {
		lines = append(lines, fmt.Sprintf("%s %s %s", m.Kind, m.Amount, m.BalanceAfter))
	}
	return h.Opening.String(), lines
}

func TestWalletHistory(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	require.Contains(t, string(seller.get("/wallet/history").want(200).body), `"movements":[]`)
	f.later(10*day, boss, buyer, seller)
	deal, calledOff := buyer.active(seller, 100), buyer.active(seller, 50)
	buyer.acts("complete", deal, "Deal marked as completed", "Completed")
	seller.acts("cancel", calledOff, "Deal cancelled and buyer refunded", "Cancelled by Seller")
	var submitted api.WithdrawalSubmitted
	seller.post("/withdraw", fields{"amount": 40, "phonenumber": "01712345678", "paymentMethod": "Bkash"}).want(201).into(&submitted)
	boss.post("/admin/withdrawals/"+submitted.Withdrawal.ID.String()+"/reject", nil).want(200)

	opening, lines := buyer.history("")
	require.Equal(t, "0.00", opening)
	lately := []string{"deal_pay -100.00 400.00", "deal_pay -50.00 350.00", "deal_refund 50.00 400.00"}
	require.Equal(t, append([]string{"deposit_approve 500.00 500.00"}, lately...), lines)
	opening, lines = buyer.history("?days=5")
	require.Equal(t, "500.00", opening)
	require.Equal(t, lately, lines)

	opening, lines = seller.history("")
	require.Equal(t, "0.00", opening)
	require.Equal(t, []string{"deal_complete 98.00 98.00", "withdrawal_hold -40.00 58.00", "withdrawal_reject 40.00 98.00"}, lines)

	var h api.WalletHistory
	buyer.get("/wallet/history?days=5").want(200).into(&h)
	require.Equal(t, "deal:"+deal.ID.String(), h.Movements[0].Subject)
	require.WithinDuration(t, f.clock.Now(), h.To, time.Minute)
	require.Equal(t, 5*day, h.To.Sub(h.From))

	f.later(6*day, buyer)
	opening, lines = buyer.history("?days=5")
	require.Equal(t, "400.00", opening, "nothing has moved since")
	require.Empty(t, lines)
	for _, days := range []string{"0", "-1", "1.5", "many"} {
		buyer.get("/wallet/history?days="+days).refused(400, "invalid", "days must be a whole number from 1.")
	}
	buyer.get("/wallet/history?days=366").refused(400, "invalid", "days must be at most 365.")
}

// trustLimits are small enough for the money of newFixtureWithUsers.
func trustLimits(c *config.API) {
	c.TrustLimits = config.TrustLimits{
		New: config.TrustLimit{Deal: 50_00, Paid: 80_00, Withdrawn: 20_00}, Basic: config.TrustLimit{Deal: 100_00, Paid: 150_00},
	}
}

func (b *browser) limits() api.WalletLimits {
	b.t.Helper()
	var limits api.WalletLimits
	b.get("/wallet/limits").want(200).into(&limits)
	return limits
}

func TestWalletLimits(t *testing.T) {
	t.Parallel()
	f := newFixture(t, trustLimits)
	f.work()
	_, buyer, seller := f.market()
	for _, reader := range []*browser{f.visitor(), buyer} {
		require.JSONEq(t, `{
			"level": "new", "perDeal": 50, "paid": {"limit": 80, "used": 0}, "withdrawn": {"limit": 20, "used": 0},
			"next": {"level": "basic", "perDeal": 100, "paid": 150, "withdrawn": null, "needs": [
				{"kind": "account_age", "have": 0, "need": 1}]}}`,
			string(reader.get("/wallet/limits").want(200).body))
	}

	refused := buyer.post("/deals/create", fields{
		"price": 50.01, "description": "A channel", "deliveryDuration": 7, "buyerId": buyer.user.ID, "sellerId": seller.user.ID,
	})
	refused.refused(409, "conflict", "Deals up to $50.00 are possible with your account now.")
	require.Contains(t, string(refused.body), `"reason":"limit_per_deal","params":{"limit":50.00}`)
	dear := seller.proposeToBuyer(buyer, 50.01) // the limit of its buyer counts when they pay
	buyer.post(pay(dear), nil).refused(409, "conflict", "Deals up to $50.00 are possible with your account now.")
	buyer.post(invitePath(seller.invites(fields{}))+"/join", nil).
		refused(409, "conflict", "Deals up to $50.00 are possible with your account now.")

	buyer.active(seller, 50)
	refused = buyer.post(pay(seller.proposeToBuyer(buyer, 30.01)), nil)
	refused.refused(409, "conflict", "You can pay up to $30.00 more today.")
	require.Contains(t, string(refused.body), `"reason":"limit_paid","params":{"left":30.00}`)
	buyer.withdraws(15, "01712345678")
	refused = buyer.post("/withdraw", fields{"amount": 5.01, "phonenumber": "01712345678", "paymentMethod": "Bkash"})
	refused.refused(409, "conflict", "You can withdraw up to $5.00 more today.")
	require.Contains(t, string(refused.body), `"reason":"limit_withdrawn","params":{"left":5.00}`)
	seen := buyer.limits()
	require.EqualValues(t, 50_00, seen.Paid.Used)
	require.EqualValues(t, 15_00, seen.Withdrawn.Used)

	f.later(24*time.Hour, buyer, seller)
	seen = buyer.limits()
	require.Equal(t, "basic", seen.Level)
	require.Nil(t, seen.Withdrawn.Limit)
	require.Zero(t, seen.Paid.Used)
	buyer.post(pay(dear), nil).want(200)
	buyer.withdraws(100, "01712345678")
	buyer.propose(seller, 100)
}

// Limits that are off are not shown, and neither is the way to higher ones.
func TestWalletLimits_off(t *testing.T) {
	t.Parallel()
	b := newFixture(t).member("member")
	require.JSONEq(t, `{
		"level": "new", "perDeal": null, "paid": {"limit": null, "used": 0}, "withdrawn": {"limit": null, "used": 0}, "next": null}`,
		string(b.get("/wallet/limits").want(200).body))
}

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

// newest returns the latest line of the statement.
func (b *browser) newest() api.StatementLine {
	b.t.Helper()
	var s api.WalletStatement
	b.get("/wallet/statement").want(200).into(&s)
	require.NotEmpty(b.t, s.Lines)
	return s.Lines[0]
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
	require.Equal(t, []string{"টাকা যোগ", "", "", "বিকাশ"}, rows[2][1:5], "the oldest first")
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
		"12345678901":           "12345678901",
		"=1+1":                  "'=1+1",
		"＝1+1":                  "'＝1+1",
		"＠x":                    "'＠x",
		" +1":                   "' +1",
		";=1+1":                 ";'=1+1",
		"a;\"=1;＋1\ny\t-1":      "a;'\"=1;'＋1\ny\t'-1",
		"01712345678":           "'01712345678",
		"123456789012":          "'123456789012",
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

// A phone repeats a call that is refused, so what cannot be stored is accepted and dropped.
func TestPhoneDelivery_unreadable(t *testing.T) {
	t.Parallel()
	phone := newFixture(t).visitor()
	for _, body := range []string{"", "a\x00b", "\xff"} {
		phone.do(http.MethodPost, "/phones/shop", body).want(200)
	}
	phone.do(http.MethodPost, "/phones/%00", "{}").want(400) // not the name of a phone
}

func TestAdminReceivers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.work()
	boss := f.admin("boss")
	_, err := f.owner.Exec(t.Context(), `
		insert into receivers (id, phone, sim, payment_method, heard_at, broken_at)
		values (gen_random_uuid(), 'shop', 1, 'Bkash', $1, $1)`, f.clock.Now())
	require.NoError(t, err)
	receiver := func() api.AdminReceiver {
		var list []api.AdminReceiver
		boss.get("/admin/receivers").want(200).into(&list)
		require.Len(t, list, 1)
		return list[0]
	}
	require.Nil(t, receiver().Balance)
	boss.post("/admin/receivers/"+receiver().ID.String()+"/balance", fields{"balance": 605.50}).want(200)
	require.Eventually(t, func() bool { return receiver().Balance != nil }, 10*time.Second, 10*time.Millisecond)
	require.Equal(t, money.Poisha(605_50), *receiver().Balance)
}
