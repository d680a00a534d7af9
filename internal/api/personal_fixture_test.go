package api_test

import (
	"context"
	"image/color"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/devtools/localstack"
	"amanat/internal/domain/reports"
	"amanat/queue/jobs"
)

// What the leaver's name, address, browser and texts contain, and their phone number.
const (
	mark      = "quokka"
	markPhone = "01755512399"
	others    = "wombat" // in the texts of the other user
)

// newFixtureWithData is a fixture whose workers serve all queues but the periodic one, and its
// mails.
func newFixtureWithData(t *testing.T) (f *fixture, mails *localstack.MailCatcher) {
	t.Helper()
	f = newFixture(t)
	mails, err := localstack.StartMail(context.WithoutCancel(t.Context()), f.clock.Now)
	require.NoError(t, err)
	t.Cleanup(func() { _ = mails.Stop() })
	f.smtpURL = mails.URL()
	f.work(jobs.QueueMail, jobs.QueueData, jobs.QueueMaintenance)
	return f, mails
}

// runs runs a job and waits for its end.
func (f *fixture) runs(args river.JobArgs) {
	f.t.Helper()
	inserter, err := jobs.NewInserter(f.workerDB, quiet())
	require.NoError(f.t, err)
	job, err := inserter.Insert(f.t.Context(), args, nil)
	require.NoError(f.t, err)
	require.Eventually(f.t, func() bool {
		var state string
		err := f.owner.QueryRow(f.t.Context(), `select state from river.river_job where id = $1`, job.Job.ID).Scan(&state)
		require.NotContains(f.t, []string{"discarded", "cancelled", "retryable"}, state, f.log.String())
		return err == nil && state == "completed"
	}, 20*time.Second, 20*time.Millisecond)
}

func (f *fixture) reconciled() {
	f.t.Helper()
	findings, err := reports.Reconcile(f.t.Context(), f.workerDB)
	require.NoError(f.t, err)
	require.Empty(f.t, findings)
}

// leaves makes b close the account.
func (b *browser) leaves() reply {
	b.t.Helper()
	return b.post("/auth/close", fields{"username": b.user.Username})
}

// leaver returns a user who has done everything in the product that leaves a trace, and has no
// money left.
func (f *fixture) leaver(boss, other *browser) *browser {
	f.t.Helper()
	b := f.visitor()
	agent := []string{"User-Agent", mark + " browser"}
	b.post("/auth/signup", fields{
		"username": "The-" + mark, "email": mark + "@" + mark + ".example", "password": password, "referredBy": other.me().ReferralCode,
	}, agent...).want(http.StatusCreated).into(&b.user)
	f.visitor().post("/auth/login", fields{"username": b.user.Username, "password": "a wrong one"}, agent...).want(401)
	b.do(http.MethodPut, "/auth/update-profile", fields{"profilePic": pictureURL(f.t, color.White, 20, 20)}).want(200)
	b.post("/auth/email", fields{"email": mark + "2@" + mark + ".example"}).want(200)
	_, err := f.owner.Exec(f.t.Context(), `
		insert into passkeys (id, user_id, credential_id, public_key, sign_count, backup_eligible, transports, name, created_at)
		values (gen_random_uuid(), $1, 'id', 'key', 0, false, '{}', $2, now())`, b.user.ID, mark+" phone")
	require.NoError(f.t, err)
	b.publish(fields{"title": mark + " logo", "description": mark, "tags": []string{mark}, "image": pictureURL(f.t, color.Black, 30, 30)})
	b.post("/auth/bug-report", fields{"subject": mark, "description": mark}, "Idempotency-Key", mark+"-bug").want(201)
	b.post("/contact", fields{"name": mark, "email": mark + "@example.com", "message": mark}).want(201)
	f.leaverTrades(b, boss, other)
	f.leaverTalks(b, boss, other)
	f.leaverReports(b, boss, other)
	f.leaverPays(b, boss)
	_, err = f.owner.Exec(f.t.Context(), `
		insert into push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth, user_agent, created_at, renewed_at)
		values (gen_random_uuid(), $1, gen_random_uuid(), 'https://push.example/' || $2, decode(repeat('04', 65), 'hex'),
		        decode(repeat('00', 16), 'hex'), $2, now(), now())`, b.user.ID, mark+" phone")
	require.NoError(f.t, err)
	return b
}

// offers makes b propose a deal with the mark in its description, as its seller or its buyer.
func (b *browser) offers(other *browser, seller bool, price float64) api.DealDetail {
	b.t.Helper()
	terms := fields{
		"price": price, "description": "A channel of a " + mark, "deliveryDuration": 7, "buyerId": b.user.ID, "sellerId": other.user.ID,
	}
	if seller {
		terms["buyerId"], terms["sellerId"] = other.user.ID, b.user.ID
	}
	var deal api.DealDetail
	b.post("/deals/create", terms, "Idempotency-Key", mark+uuid.NewString()).want(201).into(&deal)
	return deal
}

func (f *fixture) leaverTrades(b, boss, other *browser) {
	f.t.Helper()
	sold := b.offers(other, true, 100)
	other.post(pay(sold), nil).want(200)
	b.support(sold, mark+" asks for help").want(201)
	boss.post(closeSupport(boss.supportRequests()[0]), answered).want(200)
	boss.post("/admin/users/"+b.user.ID.String()+"/disable", fields{"reason": "to be sure"}).want(200)
	boss.post("/admin/users/"+b.user.ID.String()+"/enable", nil).want(200)
	b.post("/auth/login", fields{"username": b.user.Username, "password": password}, "User-Agent", mark+" browser").want(200)
	b.do(http.MethodPut, "/deals/"+sold.ID.String()+"/proof", fields{"shown": true}).want(200)
	b.post(act("deliver", sold), fields{"text": "Here is a " + mark, "pictures": []uuid.UUID{b.shows(sold).ID}}).want(200)
	other.post(act("reset-delivery", sold), fields{"text": others + " asks for changes"}).want(200)
	b.post(act("deliver", sold), fields{"text": "Another " + mark, "pictures": []uuid.UUID{b.shows(sold).ID}}).want(200)
	x := b.post("/deals/"+sold.ID.String()+"/dispute", fields{
		"reason": "other", "text": mark + " is not paid", "links": []string{"https://" + mark + ".example"},
		"pictures": []uuid.UUID{b.evidence(sold.ID).ID},
	}).want(201).enters()
	other.post(dispute(x, "answer"), fields{"text": others + " answers"}).want(200)
	b.post(dispute(x, "messages"), fields{"text": mark + " waits"}).want(200)
	other.post(complete(sold), nil).want(200)
	other.post("/reviews", fields{"dealId": sold.ID, "rating": 5, "comment": others}).want(201)
	bought := b.offers(other, false, 20)
	other.do(http.MethodPut, accept(bought), nil).want(200)
	b.post(pay(bought), nil).want(200)
	b.post(complete(bought), nil).want(200)
	b.post("/reviews", fields{"dealId": bought.ID, "rating": 4, "comment": "Bought by a " + mark}).want(201)
	withdrawn := b.offers(other, true, 5)
	b.do(http.MethodDelete, remove(withdrawn), nil).want(200)
	guest := fields{"email": mark + "3@" + mark + ".example", "phone": markPhone}
	link := fields{"price": 5, "description": "A link of a " + mark, "deliveryDuration": 7, "sellerId": b.user.ID, "invite": guest}
	b.post("/deals/create", link, "Idempotency-Key", uuid.NewString()).want(201)
	their := other.proposeToBuyer(b, 3) // described by the other
	var countered api.DealChange
	b.post(counteroffers(their), fields{
		"price": 2, "description": "Terms of a " + mark, "deliveryDuration": 7, "inspectionDays": 3, "text": "Please, says the " + mark,
	}).want(201).into(&countered)
	other.do(http.MethodDelete, remove(their), nil).want(200)
	their = other.proposeToBuyer(b, 3)
	b.post(counteroffers(their), fields{
		"price": 2, "description": "Agreed by a " + mark, "deliveryDuration": 7, "inspectionDays": 3,
	}).want(201).into(&countered)
	other.post(counteroffer(countered.Deal, "/accept"), nil).want(200)
	other.do(http.MethodDelete, remove(their), nil).want(200)
}

func (f *fixture) leaverTalks(b, boss, other *browser) {
	f.t.Helper()
	talk := b.opens(other, fields{"text": "Hello from " + mark}).Conversation.ID
	b.post("/messages", fields{"conversationId": talk, "text": "see", "image": pictureURL(f.t, color.White, 40, 40)}).want(201)
	other.says(talk, others+" says hello")
	b.post("/messages", fields{"conversationId": talk, "text": "bye, " + mark}, "Idempotency-Key", mark+"-bye").want(201)
	boss.get("/admin/messages/by-users/" + b.user.ID.String() + "/" + other.user.ID.String()).want(200)
}

// leaverReports makes b report and block others, be reported, and appeal against the decision.
func (f *fixture) leaverReports(b, boss, other *browser) {
	f.t.Helper()
	report := func(by *browser, subject string, id uuid.UUID, text string) {
		f.t.Helper()
		body := fields{"subject": subject, "subjectId": id, "reason": "other", "text": text}
		by.post("/reports", body, "Idempotency-Key", uuid.NewString()).want(201)
	}
	report(b, "user", other.user.ID, "They bite a "+mark)
	post := b.publish(fields{"title": mark + " for hire", "description": mark})
	report(other, "post", post.ID, others+" says so")
	report(other, "user", b.user.ID, others+" says so")
	var queue api.AdminCases
	boss.get("/admin/reports").want(200).into(&queue)
	for _, c := range queue.Cases {
		if c.Subject == "post" {
			ruling := fields{"action": "hide", "reason": "It is for sale elsewhere."}
			boss.post("/admin/reports/"+c.ID.String()+"/decide", ruling, "Idempotency-Key", uuid.NewString()).want(200)
		}
	}
	var decisions []api.Decision
	b.get("/decisions").want(200).into(&decisions)
	require.Len(f.t, decisions, 1)
	appeal := fields{"text": "No " + mark + " is"}
	b.post("/decisions/"+decisions[0].ID.String()+"/appeal", appeal, "Idempotency-Key", uuid.NewString()).want(201)
	b.post("/users/"+f.member("bystander").user.ID.String()+"/block", nil).want(200)
}

// leaverPays withdraws all money of b, in three ways. A balance is corrected, and the correction
// corrected.
func (f *fixture) leaverPays(b, boss *browser) {
	f.t.Helper()
	b.fund(boss, 40)
	b.post("/wallet/payout-numbers", fields{"name": mark, "paymentMethod": "Bkash", "phoneNumber": markPhone}).want(201)
	cancelled := b.withdraws(1, markPhone)
	b.post("/withdraw/"+cancelled.ID.String()+"/cancel", nil).want(200)
	boss.post("/admin/withdrawals/"+b.withdraws(1, markPhone).ID.String()+"/reject", fields{"reason": "No such number."}).want(200)
	second := f.admin("second")
	for _, direction := range []string{"credit", "debit"} {
		correction := fields{"userId": b.user.ID, "direction": direction, "amount": 1, "reason": "A test.", "note": "Of a " + mark}
		var proposed api.AdjustmentHandled
		boss.post("/admin/adjustments", correction).want(201).into(&proposed)
		second.post(adjustmentPath(proposed.Adjustment)+"/confirm", nil).want(200)
	}
	sent := b.withdraws(118, markPhone)
	b.confirms(sent.ID)
	boss.post("/admin/withdrawals/"+sent.ID.String()+"/send", fields{"amount": 118, "transactionId": transactionID()}).want(200)
}
