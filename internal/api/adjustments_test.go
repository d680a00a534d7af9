package api_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/catalog"
	"amanat/internal/app/pauses"
)

const creditedTwice = "A deposit was credited twice."

func (b *browser) proposes(user uuid.UUID, direction string, amount float64) api.Adjustment {
	b.t.Helper()
	var handled api.AdjustmentHandled
	b.post("/admin/adjustments", correction(user, direction, amount)).want(201).into(&handled)
	require.Equal(b.t, "Another admin has to confirm this correction.", handled.Message)
	return handled.Adjustment
}

func correction(user uuid.UUID, direction string, amount float64) fields {
	return fields{"userId": user, "direction": direction, "amount": amount, "reason": creditedTwice, "note": "See the slip."}
}

func adjustmentPath(a api.Adjustment) string { return "/admin/adjustments/" + a.ID.String() }

func TestAdjustments(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	stop := f.work()
	boss, second, buyer := f.admin("boss"), f.admin("second"), f.member("buyer")
	boss.setRate(120)
	key := []string{"Idempotency-Key", "the-click"}
	first := boss.post("/admin/adjustments", correction(buyer.user.ID, "credit", 40), key...).want(201)
	require.JSONEq(t, string(first.body),
		string(boss.post("/admin/adjustments", correction(buyer.user.ID, "credit", 40), key...).want(201).body))
	var page api.AdminAdjustments
	second.get("/admin/adjustments?status=open&search=BUY").want(200).into(&page)
	require.Equal(t, 1, page.Total)
	a := page.Adjustments[0]
	require.Equal(t, "credit", a.Direction)
	require.EqualValues(t, 40_00, a.Amount)
	require.Equal(t, creditedTwice, a.Reason)
	require.Equal(t, "See the slip.", a.Note)
	require.Equal(t, 72*time.Hour, a.ExpiresAt.Sub(a.ProposedAt))
	second.get("/admin/adjustments?search=nobody").want(200).into(&page)
	require.Zero(t, page.Total)
	second.get("/admin/adjustments?search=%25").want(200).into(&page)
	require.Zero(t, page.Total)

	boss.post(adjustmentPath(a)+"/confirm", nil).
		refused(403, "forbidden", "You proposed this correction. Another admin has to decide it.")
	second.post(adjustmentPath(a)+"/withdraw", nil).
		refused(403, "forbidden", "Only the admin who proposed this correction can withdraw it.")
	stop()
	var pending api.Underway
	second.post(adjustmentPath(a)+"/confirm", nil).want(http.StatusAccepted).into(&pending)
	require.Equal(t, "balance_adjust", pending.Operation.Kind)
	second.get(adjustmentPath(a)).want(200).into(&a)
	require.Equal(t, pending.Operation.ID, a.Operation.ID)
	const busy = "Another action on this is being processed. Please wait a moment."
	second.post(adjustmentPath(a)+"/reject", fields{"reason": "No."}).refused(409, "conflict", busy)
	boss.post(adjustmentPath(a)+"/withdraw", nil).refused(409, "conflict", busy)
	f.admin("third").post(adjustmentPath(a)+"/confirm", nil).refused(409, "conflict", busy)
	f.work()
	require.Eventually(t, func() bool {
		second.get(adjustmentPath(a)).want(200).into(&a)
		return a.Status == "confirmed"
	}, 10*time.Second, 20*time.Millisecond)
	buyer.requireWallet("40.00", "0.00", "0.00")
	for _, act := range []string{"/confirm", "/reject"} {
		require.Equal(t, "already_handled", decodeFailure(t, second.post(adjustmentPath(a)+act, fields{"reason": "No."}).want(409)).Code)
	}
	require.Equal(t, "already_handled", decodeFailure(t, boss.post(adjustmentPath(a)+"/withdraw", nil).want(409)).Code)

	debit := boss.proposes(buyer.user.ID, "debit", 15.5)
	second.post(adjustmentPath(debit)+"/confirm", nil).want(200)
	buyer.requireWallet("24.50", "0.00", "0.00")
	requireInStatement(t, buyer)
}

// requireInStatement requires that the corrections of TestAdjustments and their reasons stand in
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
	require.Contains(t, string(buyer.get("/wallet/statement/csv").want(200).body), ",Correction,,,,"+creditedTwice+",-15.50,24.50,adjustment:")
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

func TestAdjustments_refusals(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.work()
	boss, second, buyer := f.admin("boss"), f.admin("second"), f.member("buyer")
	const path = "/admin/adjustments"
	boss.post(path, correction(boss.user.ID, "credit", 1)).
		refused(403, "forbidden", "You cannot propose a correction of your own balance.")
	require.Equal(t, "1.00", decodeFailure(t, boss.post(path, correction(buyer.user.ID, "debit", 1)).want(409)).Shortfall.String())
	for text, change := range map[string]fields{
		"There is no open account with this ID.":         {"userId": "rahim"},
		"Choose whether money is added or taken off.":    {"direction": ""},
		"Enter a valid amount":                           {"amount": -1},
		"The amount must be at most $10,000,000,000.00.": {"amount": 10_000_000_000.01},
		"Write a reason. The user will read it.":         {"reason": " "},
	} {
		body := correction(buyer.user.ID, "credit", 1)
		for name, value := range change {
			body[name] = value
		}
		boss.post(path, body).refused(400, "invalid", text)
	}
	boss.get(path + "?status=lost").want(400)
	for range 3 {
		boss.proposes(buyer.user.ID, "credit", 1)
	}
	boss.post(path, correction(buyer.user.ID, "credit", 1)).
		refused(409, "conflict", "Three corrections of this balance wait for an admin. Decide those first.")
	var page api.AdminAdjustments
	second.get(path + "?limit=1").want(200).into(&page)
	require.Equal(t, 3, page.Total)
	a := page.Adjustments[0]
	second.post(adjustmentPath(a)+"/reject", fields{}).refused(400, "invalid", "Write why you reject this correction.")
	second.post(adjustmentPath(a)+"/reject", fields{"reason": "No."}).want(200)
	f.pauses(pauses.Money)
	second.get(path + "?status=open").want(200).into(&page)
	second.post(adjustmentPath(page.Adjustments[0])+"/confirm", nil).refused(503, "unavailable", textMoneyPaused)
	f.resumes(pauses.Money)
}
