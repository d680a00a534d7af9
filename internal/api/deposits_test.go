package api_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/config"
	"amanat/internal/lib/ratelimit"
	"amanat/internal/money"
	"amanat/internal/money/operations"
)

// ownDeposit has the fields of a user's own deposit that these tests check.
type ownDeposit struct {
	Deposit struct {
		ID         uuid.UUID `json:"_id"`
		Status     string
		Reason     *string
		ReasonCode *string
		DealID     *uuid.UUID
		Expired    bool
	}
	Wait api.DepositWait
}

func (b *browser) deposit(id uuid.UUID) ownDeposit {
	b.t.Helper()
	var own ownDeposit
	b.get("/deposits/" + id.String()).want(200).into(&own)
	require.Equal(b.t, id, own.Deposit.ID)
	return own
}

// Money that is sent for a deal leads back to it, while the deal can be paid.
func TestDeposit_for_deal(t *testing.T) {
	t.Parallel()
	_, boss, buyer, seller := newFixtureWithUsers(t)
	deal := seller.proposeToBuyer(buyer, 40)
	body := func(deal any) fields {
		return fields{"amount": 40, "transactionId": transactionID(), "paymentMethod": "Bkash", "dealId": deal}
	}
	seller.post("/auth/deposit", body(deal.ID)).refused(403, "forbidden", "Only the buyer can do this.")
	buyer.post("/auth/deposit", body("none")).refused(404, "not_found", "Not found.")
	var made, again, foreign api.DepositSubmitted
	boss.post("/auth/deposit", body(deal.ID)).want(201).into(&foreign)
	require.Nil(t, foreign.Deposit.DealID, "somebody else's deal is as one that is gone")
	report, key := body(deal.ID), []string{"Idempotency-Key", "one-click"}
	buyer.post("/auth/deposit", report, key...).want(201).into(&made)
	require.Equal(t, &deal.ID, made.Deposit.DealID)
	require.Equal(t, &deal.ID, buyer.deposit(made.Deposit.ID).Deposit.DealID)
	boss.post("/admin/deposit/approve/"+made.Deposit.ID.String(), fields{"amount": 40, "userId": buyer.user.ID}).want(200)
	notice := buyer.notifications("").Notifications[0]
	require.Equal(t, "Your $40.00 is here. Pay for the deal “A channel”.", notice.Message)
	require.Equal(t, "/deal/"+deal.ID.String(), notice.Link)
	seller.do(http.MethodDelete, remove(deal), nil).want(200)
	require.Nil(t, buyer.deposit(made.Deposit.ID).Deposit.DealID, "the money is free for other deals")
	// Whoever has sent the money can report it, although the deal is gone.
	var late api.DepositSubmitted
	buyer.post("/auth/deposit", body(deal.ID)).want(201).into(&late)
	require.Nil(t, late.Deposit.DealID)
	buyer.post("/auth/deposit", report, key...).want(201).into(&again)
	require.Equal(t, made.Deposit.ID, again.Deposit.ID, "it was reported while the deal was there")
	require.Equal(t, "completed", again.Deposit.Status)
}

// The code of a payment is the user's own, and names a deal whose buyer they are.
func TestPaymentCode(t *testing.T) {
	t.Parallel()
	f, _, buyer, seller := newFixtureWithUsers(t)
	deal := seller.proposeToBuyer(buyer, 40)
	code := func(b *browser, body fields) string {
		var answer api.PaymentCode
		b.post("/wallet/payment-code", body).want(200).into(&answer)
		return answer.Code
	}
	mine := code(buyer, fields{})
	require.Equal(t, mine, code(buyer, fields{"dealId": deal.ID, "terms": 1}))
	require.NotEqual(t, mine, code(seller, fields{}))
	seller.post("/wallet/payment-code", fields{"dealId": deal.ID}).refused(403, "forbidden", "Only the buyer can do this.")
	buyer.post("/wallet/payment-code", fields{"dealId": "none"}).refused(404, "not_found", "Not found.")
	require.Equal(t, 1, f.rows("payment_codes where deal_terms = 1"))

	var made api.DepositSubmitted
	body := fields{"amount": 40, "transactionId": transactionID(), "paymentMethod": "Bkash", "dealId": deal.ID, "terms": 1}
	buyer.post("/auth/deposit", body).want(201).into(&made)
	require.True(t, made.Deposit.PaysDeal)
}

func TestDeposit_follow(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.DepositHours = config.Hours{From: 9 * time.Hour, To: 23 * time.Hour} })
	f.work()
	boss, buyer, stranger := f.admin("boss"), f.member("buyer"), f.member("stranger")
	boss.setRate(120)
	reported := buyer.reports(95, "AB12CD34EF")
	require.Nil(t, reported.Wait.UsualMinutes)
	require.Equal(t, []string{"09:00", "23:00"}, []string{reported.Wait.From, reported.Wait.To})
	require.Equal(t, reported.Wait.Open, reported.Wait.NextOpenAt == nil)
	id := reported.Deposit.ID

	own := buyer.deposit(id)
	require.Equal(t, "pending", own.Deposit.Status)
	require.Nil(t, own.Deposit.ReasonCode)
	stranger.get("/deposits/"+id.String()).refused(404, "not_found", "Deposit not found.")
	boss.get("/deposits/"+id.String()).refused(404, "not_found", "Deposit not found.")
	var pending struct {
		Deposits []struct {
			ID uuid.UUID `json:"_id"`
		}
		Wait api.DepositWait
	}
	buyer.get("/deposits/pending").want(200).into(&pending)
	require.Len(t, pending.Deposits, 1)
	require.Equal(t, id, pending.Deposits[0].ID)
	require.Equal(t, "09:00", pending.Wait.From)
	stranger.get("/deposits/pending").want(200).into(&pending)
	require.Empty(t, pending.Deposits)

	told := len(buyer.events("walletUpdated"))
	boss.post("/admin/deposit/approve/"+id.String(), fields{"amount": 95, "userId": buyer.user.ID}).want(200)
	require.Equal(t, "completed", buyer.deposit(id).Deposit.Status)
	require.Len(t, buyer.events("walletUpdated"), told+1)
	require.Equal(t, "/balance/deposits/"+id.String(), buyer.notifications("").Notifications[0].Link)
	for i := range 4 {
		next := buyer.reports(10, fmt.Sprintf("AB12CD35E%d", i)).Deposit.ID
		boss.post("/admin/deposit/approve/"+next.String(), fields{"amount": 10, "userId": buyer.user.ID}).want(200)
	}
	require.Equal(t, 1, *buyer.deposit(id).Wait.UsualMinutes, "a minute at least")
	refused := buyer.post("/auth/deposit", fields{"amount": 10, "transactionId": "ab12cd34ef", "paymentMethod": "Nagad"}).want(409)
	failure := decodeFailure(t, refused)
	require.Equal(t, "duplicate", failure.Code)
	require.Contains(t, failure.Message, "($95.00, credited).")
}

func TestRetractDeposit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss, buyer := f.admin("boss"), f.member("buyer")
	boss.setRate(120)
	id := buyer.reports(95, "AB12CD34EF").Deposit.ID
	retract := "/deposits/" + id.String() + "/retract"
	told := len(buyer.events("walletUpdated"))
	var answer struct {
		Message, Outcome string
		Deposit          struct{ Status, ReasonCode string }
	}
	buyer.post(retract, nil).want(200).into(&answer)
	require.Equal(t, "You have withdrawn this report.", answer.Message)
	require.Equal(t, "deposit_retracted", answer.Outcome)
	require.Equal(t, "Failed", answer.Deposit.Status)
	require.Equal(t, "retracted", answer.Deposit.ReasonCode)
	require.Len(t, buyer.events("walletUpdated"), told+1)
	buyer.post(retract, nil).want(200)
	require.Len(t, buyer.events("walletUpdated"), told+1)
	require.False(t, buyer.deposit(id).Deposit.Expired)
	again := buyer.reports(95, "AB12CD34EF").Deposit.ID
	boss.post("/admin/deposit/reject/"+again.String(), nil).want(200)
	buyer.post("/deposits/"+again.String()+"/retract", nil).refused(409, "conflict", "This deposit has been handled already.")
}

func TestRetractDeposit_rate_limited(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) { c.Limits.RetractLimit = ratelimit.Rate{Count: 2, Per: 24 * time.Hour} })
	f.admin("boss").setRate(120)
	buyer := f.member("buyer")
	for range 2 {
		id := buyer.reports(95, "AB12CD34EF").Deposit.ID
		buyer.post("/deposits/"+id.String()+"/retract", nil).want(200)
	}
	id := buyer.reports(95, "AB12CD34EF").Deposit.ID
	buyer.post("/deposits/"+id.String()+"/retract", nil).
		refused(429, "rate_limited", "Too many attempts. Please try again later.")
	require.Equal(t, "pending", buyer.deposit(id).Deposit.Status)
}

func TestRejectDeposit_codes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss, buyer := f.admin("boss"), f.member("buyer")
	boss.setRate(120)
	id := buyer.reports(95, "AB12CD34EF").Deposit.ID
	reject := "/admin/deposit/reject/" + id.String()
	boss.post(reject, fields{"code": "expired"}).refused(400, "invalid", "Choose one of the reasons.")
	boss.post(reject, fields{"code": 5}).want(400)
	boss.post(reject, fields{"code": "other_amount", "reason": "It was ৳9,000."}).want(200)
	own := buyer.deposit(id).Deposit
	require.Equal(t, "other_amount", *own.ReasonCode)
	require.Equal(t, "It was ৳9,000.", *own.Reason)
	buyer.do("PUT", "/auth/language", fields{"language": "bn"}).want(200)
	notice := buyer.notifications("").Notifications[0]
	require.Equal(t, "deposit_other_amount", notice.Kind)
	require.Contains(t, notice.Message, "ঠিক সেই পরিমাণ দিয়ে আবার জানান। It was ৳9,000.")
	require.Equal(t, "/balance/deposits/"+id.String(), notice.Link)
}

// Admins can work the deposits of people with a history first.
func TestAdminDeposits_payer(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t) // the buyer has a credited deposit
	buyer.reports(95, "AB12CD34EF")
	seller.reports(20, "AB99CD34EF")
	_, err := f.accounts.MarkVerified(t.Context(), "seller")
	require.NoError(t, err)
	for payer, want := range map[string]string{
		"credited": "AB12CD34EF", "never_credited": "AB99CD34EF", "verified": "AB99CD34EF", "unverified": "AB12CD34EF",
	} {
		var page struct {
			Deposits []struct {
				TransactionID string
				IsVerified    bool
				History       api.History
			}
		}
		boss.get("/admin/deposits?status=pending&payer=" + payer).want(200).into(&page)
		require.Len(t, page.Deposits, 1, payer)
		got := page.Deposits[0]
		require.Equal(t, want, got.TransactionID, payer)
		require.Equal(t, want == "AB99CD34EF", got.IsVerified)
		require.Equal(t, want == "AB12CD34EF", got.History.Approved == 1)
	}
	boss.get("/admin/deposits?payer=rich").
		refused(400, "invalid", "payer must be one of credited, never_credited, verified, unverified.")
}

// Each number takes what its caps allow. A deposit keeps the one that its user was shown.
func TestDeposit_receivers(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *config.API) {
		require.NoError(t, c.Receivers.UnmarshalText([]byte("Bkash:01700000001,Bkash:01700000002:20000/20000,Nagad:01800000002")))
	})
	f.work()
	boss, buyer, stranger := f.admin("boss"), f.member("buyer"), f.member("stranger")
	boss.setRate(100)
	shown := func() (r api.Receiver) {
		var list []api.Receiver
		stranger.get("/wallet/receivers").want(200).into(&list)
		require.Equal(t, "01800000002", *list[1].Number)
		return list[0]
	}
	report := func(amount int, transaction, number string) reply {
		return buyer.post("/auth/deposit", fields{
			"amount": amount, "transactionId": transaction, "paymentMethod": "Bkash", "receiver": number,
		})
	}
	require.Equal(t, "01700000001", *shown().Number)
	require.Equal(t, money.Poisha(50_000_00), *shown().Room)
	var first api.DepositSubmitted
	report(455, "AB12CD34E1", "").want(201).into(&first)
	require.Equal(t, "01700000001", *boss.queued(first.Deposit.ID).Receiver)
	boss.post("/admin/deposit/approve/"+first.Deposit.ID.String(), fields{"amount": 455, "userId": buyer.user.ID}).want(200)
	require.Equal(t, "01700000002", *shown().Number)
	report(195, "AB12CD34E2", "01700000002").want(201)
	require.Equal(t, "01700000001", *shown().Number)
	require.Equal(t, money.Poisha(4_000_00), *shown().Room)
	report(40, "AB12CD34E3", "01700000001").want(201)
	full := shown()
	require.Nil(t, full.Number)
	require.NotNil(t, full.FullUntil)
	report(10, "AB12CD34E4", "01700000001").want(201)
	report(10, "AB12CD34E5", "01800000002").refused(400, "invalid",
		"Amanat no longer uses the number that you were shown. If you have sent money to it, report it again.")
}

// What an admin reads of a user before deciding counts decisions only, not what waits beside it.
func TestAdminDeposits_history(t *testing.T) {
	t.Parallel()
	f, boss, buyer, _ := newFixtureWithUsers(t) // the buyer has a credited deposit
	ids := make([]uuid.UUID, 4)
	for i := range ids {
		ids[i] = buyer.reports(float64(10+i), fmt.Sprintf("AB12CD34E%d", i)).Deposit.ID
		f.clock.Advance(time.Minute)
	}
	require.Equal(t, api.History{Approved: 1, Waiting: 3}, boss.queued(ids[0]).History)
	boss.post("/admin/deposit/reject/"+ids[2].String(), nil).want(200)
	buyer.post("/deposits/"+ids[3].String()+"/retract", nil).want(200)
	require.Equal(t, api.History{Approved: 1, Refused: 1, Waiting: 1}, boss.queued(ids[0]).History, "a retracted one is not refused")
	require.Equal(t, api.History{Approved: 1, Waiting: 2}, boss.queued(ids[2]).History, "itself is not counted")
}

func TestAdminDeposits_search(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss, buyer, seller := f.admin("boss"), f.member("buyer"), f.member("seller")
	boss.setRate(120)
	buyer.reports(95, "AB12CD34EF")
	seller.reports(20, "AB99CD34EF")
	seller.post("/auth/deposit", fields{"amount": 300, "transactionId": "75LQ02XR", "paymentMethod": "Nagad"}).want(201)
	type page struct {
		Deposits []struct {
			TransactionID string
		}
		TotalAmount float64
		Page, Pages int
		Total       int
	}
	list := func(query string) (p page, ids []string) {
		t.Helper()
		boss.get("/admin/deposits?" + query).want(200).into(&p)
		for _, d := range p.Deposits {
			ids = append(ids, d.TransactionID)
		}
		return p, ids
	}
	for query, want := range map[string][]string{
		"":                                 {"75LQ02XR", "AB99CD34EF", "AB12CD34EF"},
		"status=pending&sort=newest":       {"75LQ02XR", "AB99CD34EF", "AB12CD34EF"},
		"search=%E0%A7%B311%2C400":         {"AB12CD34EF"},
		"search=%00":                       nil,
		"search=sell&method=Bkash&limit=5": {"AB99CD34EF"},
	} {
		_, ids := list(query)
		require.Equal(t, want, ids, query)
	}
	p, ids := list("limit=2&page=2&sort=largest")
	require.Equal(t, []string{"AB99CD34EF"}, ids)
	require.InDelta(t, 415, p.TotalAmount, 0, "of all pages")
	require.Equal(t, []int{2, 2, 3}, []int{p.Page, p.Pages, p.Total})
	boss.get("/admin/deposits?sort=smallest").refused(400, "invalid", "sort must be one of oldest, newest, largest.")
	boss.get("/admin/deposits?method=Rocket").refused(400, "invalid", "method must be one of Bkash, Nagad.")
	_, err := f.owner.Exec(t.Context(), `
		insert into deposits (id, user_id, payment_method, transaction_id, claimed_amount, amount, rate, converted_amount, created_at)
		select gen_random_uuid(), $1, 'Bkash', 'ZZ' || lpad(i::text, 8, '0'), 100, 100, 120, 12000, now() from generate_series(1, 60) i`,
		seller.user.ID)
	require.NoError(t, err)
	p, ids = list("limit=100")
	require.Len(t, ids, 50, "at most")
	require.Equal(t, 2, p.Pages)
}

func (b *browser) reports(amount float64, transaction string) api.DepositSubmitted {
	b.t.Helper()
	var submitted api.DepositSubmitted
	b.post("/auth/deposit", fields{"amount": amount, "transactionId": transaction, "paymentMethod": "Bkash"}).want(201).into(&submitted)
	return submitted
}

// adminDeposit has the fields of a queued deposit that these tests check.
type adminDeposit struct {
	ID                   uuid.UUID `json:"_id"`
	Status               string
	Receiver             *string
	Disputed             bool
	CreditRate           int
	CreditAmount         float64
	History              api.History
	AwaitingConfirmation *struct {
		Amount float64
		Reason string
		By     struct{ Username string }
	}
	Disputes []struct {
		ID            uuid.UUID `json:"_id"`
		User          struct{ Username string }
		IsVerified    bool
		PaymentMethod string
		Amount        float64
		Status        string
	}
}

func (b *browser) queued(id uuid.UUID) adminDeposit {
	b.t.Helper()
	var queue struct{ Deposits []adminDeposit }
	b.get("/admin/deposits").want(200).into(&queue)
	for _, d := range queue.Deposits {
		if d.ID == id {
			return d
		}
	}
	b.t.Fatalf("deposit %s is not in the queue", id)
	return adminDeposit{}
}

func twoAdmins(c *config.API) { c.CreditSecondAdmin = 1000 }

func TestConfirmDeposit_second_admin(t *testing.T) {
	t.Parallel()
	f := newFixture(t, twoAdmins)
	stop := f.work()
	boss, second, buyer := f.admin("boss"), f.admin("second"), f.member("buyer")
	boss.setRate(120)
	var queue struct{ SecondAdminAbove, ReceivedTakaAbove float64 }
	boss.get("/admin/deposits").want(200).into(&queue)
	require.InDelta(t, 500, queue.ReceivedTakaAbove, 0)
	require.InDelta(t, 1000, queue.SecondAdminAbove, 0, "before it is asked for, an admin knows what a second one has to confirm")
	deposit := buyer.reports(1500, "AB12CD34EF").Deposit
	approve, confirm := "/admin/deposit/approve/"+deposit.ID.String(), "/admin/deposits/"+deposit.ID.String()+"/confirm"
	second.post(confirm, fields{"amount": 1500}).refused(409, "conflict", "No credit of this deposit waits for a second admin.")
	approval := fields{"amount": 1800, "userId": buyer.user.ID}
	boss.post(approve, approval).refused(400, "invalid", "Write a reason: the amount is not what the payment is worth.")
	approval["reason"] = "Bkash shows more"
	approval["receivedTaka"] = 1800
	boss.post(approve, approval).refused(400, "invalid", "The taka that arrived are not worth the amount to credit.")
	approval["receivedTaka"] = 216_000
	key := []string{"Idempotency-Key", "the-click"}
	first := boss.post(approve, approval, key...).want(200)
	require.JSONEq(t, string(first.body), string(boss.post(approve, approval, key...).want(200).body))
	var proposed struct {
		Message string
		Deposit adminDeposit
	}
	first.into(&proposed)
	require.Equal(t, "A second admin has to confirm this credit.", proposed.Message)
	require.Equal(t, "pending", proposed.Deposit.Status)
	require.InDelta(t, 1800, proposed.Deposit.AwaitingConfirmation.Amount, 0)
	require.Equal(t, "boss", second.queued(deposit.ID).AwaitingConfirmation.By.Username)
	buyer.requireWallet("0.00", "0.00", "0.00")

	confirmation := fields{"amount": 1800, "receivedTaka": 216_000}
	boss.post(confirm, confirmation).
		refused(403, "forbidden", "You proposed this credit. Another admin has to confirm it.")
	stop()
	var pending api.Underway
	second.post(confirm, fields{"amount": 1800}).refused(400, "invalid", "Enter the taka that arrived.")
	second.post(confirm, confirmation).want(http.StatusAccepted).into(&pending)
	require.Equal(t, "deposit_approve", pending.Operation.Kind)
	f.work()
	require.Eventually(t, func() bool {
		var op operations.View
		second.get("/operations/" + pending.Operation.ID.String()).want(200).into(&op)
		return op.Status == operations.Done
	}, 10*time.Second, 20*time.Millisecond)
	buyer.requireWallet("1800.00", "0.00", "0.00")
	line := buyer.newest()
	require.Equal(t, money.Cents(1500_00), *line.ClaimedAmount)
	require.Equal(t, "Bkash shows more", *line.Reason)

	next := buyer.reports(1500, "AB12CD34EG").Deposit.ID.String()
	boss.post("/admin/deposit/approve/"+next, fields{"amount": 1500, "userId": buyer.user.ID, "receivedTaka": 180_000}).want(200)
	second.post("/admin/deposits/"+next+"/confirm", fields{"amount": 1500, "receivedTaka": 180_000}).want(200)
	buyer.requireWallet("3300.00", "0.00", "0.00")
	require.Nil(t, buyer.newest().ClaimedAmount, "credited as reported")
}

func TestDeposit_disputed(t *testing.T) {
	t.Parallel()
	_, boss, buyer, seller := newFixtureWithUsers(t)
	first := seller.reports(20, "AB12CD34EF")
	require.Equal(t, "Deposit submitted successfully!", first.Message)
	second := buyer.reports(25, "ab12cd34ef")
	require.Equal(t, "Deposit submitted. Somebody else has reported the same transaction ID, so an admin will check both.", second.Message)
	require.True(t, second.Deposit.Disputed)
	var history api.DepositHistory
	seller.get("/auth/deposit/history").want(200).into(&history)
	require.True(t, history.Deposits[0].Disputed)

	seen := boss.queued(second.Deposit.ID)
	require.True(t, seen.Disputed)
	require.Len(t, seen.Disputes, 1)
	rival := seen.Disputes[0]
	require.Equal(t, first.Deposit.ID, rival.ID)
	require.Equal(t, []string{"seller", "Bkash", "pending"}, []string{rival.User.Username, rival.PaymentMethod, rival.Status})
	require.InDelta(t, 20, rival.Amount, 0)
}

// A convertedAmount that is not a number is not compared.
func TestConvertedAmount_odd_values(t *testing.T) {
	t.Parallel()
	_, _, buyer, _ := newFixtureWithUsers(t)
	for path, body := range map[string]fields{
		"/auth/deposit": {"amount": 10, "transactionId": "AB12CD34EF", "paymentMethod": "Bkash"},
		"/withdraw":     {"amount": 10, "phonenumber": "01712345678", "paymentMethod": "Bkash"},
	} {
		for i, vague := range []any{nil, "1", "many", true, fields{}} {
			body["convertedAmount"] = vague
			if path == "/auth/deposit" {
				body["transactionId"] = "VAGUE0000" + string(rune('A'+i))
			}
			accepted := buyer.post(path, body).want(201)
			if path == "/withdraw" { // the number of waiting withdrawals is limited
				var asked api.WithdrawalSubmitted
				accepted.into(&asked)
				buyer.post("/withdraw/"+asked.Withdrawal.ID.String()+"/cancel", nil).want(200)
			}
		}
	}
}

func TestSetExchangeRate_large_change(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss := f.admin("boss")
	set := func(rate float64, confirm any) reply {
		return boss.do(http.MethodPut, "/admin/exchange-rate", fields{"usdToBdt": rate, "confirm": confirm})
	}
	set(100, nil).want(200) // the first
	set(99, false).want(200)
	failure := set(12.24, nil).refused(400, "invalid", "This changes the rate from 99.00 to 12.24, by more than 10%. Please confirm it.")
	require.Contains(t, failure.Fields, "confirm")
	set(12.24, "yes").refused(400, "invalid", "confirm must be true or false.")
	set(0.5, true).refused(400, "invalid", "Enter a valid rate")
	set(12.24, true).want(200)
}
