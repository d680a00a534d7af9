package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
)

// takesCheckouts has a worker say that it can use the account with bKash.
func (f *fixture) takesCheckouts() {
	f.t.Helper()
	_, err := f.owner.Exec(f.t.Context(), `insert into checkout_providers (payment_method, seen_at) values ('Bkash', $1)`, f.clock.Now())
	require.NoError(f.t, err)
}

func (f *fixture) checkoutJobs() (n int) {
	f.t.Helper()
	require.NoError(f.t, f.owner.QueryRow(f.t.Context(), `select count(*) from river.river_job where kind = 'checkout'`).Scan(&n))
	return n
}

func TestCheckout(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	stop := f.work()
	boss, buyer, seller := f.market()
	stop() // nobody asks bKash
	deal := seller.proposeToBuyer(buyer, 40)
	body := fields{"amount": 40, "dealId": deal.ID}
	receivers := func() (list []api.Receiver) {
		buyer.get("/wallet/receivers").want(200).into(&list)
		return list
	}
	require.False(t, receivers()[0].Checkout)
	buyer.post("/checkouts", body).refused(503, "unavailable", "bKash takes no payments here at the moment. Send the money yourself.")
	f.takesCheckouts()
	require.True(t, receivers()[0].Checkout)
	require.False(t, receivers()[1].Checkout, "Nagad")

	seller.post("/checkouts", body).refused(403, "forbidden", "Only the buyer can do this.")
	buyer.post("/checkouts", fields{"amount": 40, "convertedAmount": 1}).want(409)
	buyer.post("/checkouts", fields{"amount": 40, "dealId": "nonsense"}).want(404)
	var made, again api.Checkout
	buyer.post("/checkouts", body, "Idempotency-Key", "once").want(201).into(&made)
	require.Equal(t, "starting", made.State)
	require.Equal(t, &deal.ID, made.DealID)
	buyer.post("/checkouts", body, "Idempotency-Key", "once").want(201).into(&again)
	require.Equal(t, made, again)
	require.Equal(t, 1, f.checkoutJobs())

	path := "/checkouts/" + made.ID.String()
	for _, other := range []*browser{seller, boss} {
		other.get(path).refused(404, "not_found", "There is no such payment.")
		other.post(path+"/return", fields{"status": "cancel"}).want(404)
	}
	buyer.post(path+"/return", fields{"status": "paid"}).want(400)
	buyer.post(path+"/return", fields{"status": "success"}).want(200)
	require.Equal(t, 1, f.checkoutJobs(), "it has no page yet")
	_, err := f.owner.Exec(t.Context(), `update checkouts set state = 'open', url = 'https://bkash.example', ref = 'TR1'`)
	require.NoError(t, err)
	buyer.get(path).want(200).into(&made)
	require.Equal(t, "https://bkash.example", *made.URL)
	buyer.post(path+"/return", fields{"status": "success"}).want(200)
	require.Equal(t, 2, f.checkoutJobs())
	_, err = f.owner.Exec(t.Context(), `update checkouts set state = 'failed', failure = 'declined'`)
	require.NoError(t, err)
	buyer.get(path).want(200).into(&made)
	require.Equal(t, api.CheckoutFailure("declined"), *made.Failure)
	require.Nil(t, made.URL)
}

// Anybody may call, with anything: it only has bKash asked about an unfinished checkout.
func TestBkashNotification(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	stop := f.work()
	_, buyer, _ := f.market()
	stop() // nobody asks bKash
	f.takesCheckouts()
	var made api.Checkout
	buyer.post("/checkouts", fields{"amount": 40}).want(201).into(&made)
	_, err := f.owner.Exec(t.Context(), `update checkouts set state = 'open', url = 'https://bkash.example', ref = 'TR1'`)
	require.NoError(t, err)
	notify := func(body string) {
		answer, err := http.Post(f.url+"/api/ipn/bkash", "text/plain; charset=UTF-8", strings.NewReader(body))
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		require.Equal(t, 200, answer.StatusCode, body)
	}
	for _, nonsense := range []string{
		``, `nonsense`, `[]`, `{"Type": "Notification", "Message": "nonsense"}`, `{"merchantInvoiceNumber": "nonsense"}`,
		`{"Type": "Notification", "Message": "{\"merchantInvoiceNumber\": \"0198c0de00007000800000ab12cd34ef\"}"}`,
	} {
		notify(nonsense)
	}
	require.Equal(t, 1, f.checkoutJobs())
	invoice := strings.ReplaceAll(made.ID.String(), "-", "")
	for range 3 {
		notify(`{"Type": "Notification", "Message": "{\"trxID\": \"AB12CD34EF\", \"merchantInvoiceNumber\": \"` + invoice + `\"}"}`)
	}
	require.Equal(t, 1, f.checkoutJobs(), "the first one still waits")

	notify(`{"Type": "SubscriptionConfirmation", "SubscribeURL": "https://sns.evil.example/?Action=ConfirmSubscription"}`)
	require.NotContains(t, f.log.String(), "evil")
	notify(`{"Type": "SubscriptionConfirmation", "TopicArn": "arn:aws:sns:ap-southeast-1:1:bkash", ` +
		`"SubscribeURL": "https://sns.ap-southeast-1.amazonaws.com/?Action=ConfirmSubscription"}`)
	require.Contains(t, f.log.String(), "https://sns.ap-southeast-1.amazonaws.com/?Action=ConfirmSubscription")
}
