package api_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/app/pauses"
)

// operator returns the service of the operator's tool. The api hears of its changes when its clock
// has advanced by two seconds.
func (f *fixture) operator() *pauses.Service { return &pauses.Service{DB: f.workerDB, Clock: f.clock} }

func (f *fixture) pauses(areas ...pauses.Area) {
	f.t.Helper()
	for _, area := range areas {
		require.NoError(f.t, f.operator().Pause(f.t.Context(), area, "a test"))
	}
	f.clock.Advance(2 * time.Second)
}

func (f *fixture) resumes(areas ...pauses.Area) {
	f.t.Helper()
	for _, area := range areas {
		_, err := f.operator().Resume(f.t.Context(), area)
		require.NoError(f.t, err)
	}
	f.clock.Advance(2 * time.Second)
}

const (
	textMoneyPaused = "Payments are paused for a short time. Your money is safe, and nothing is lost. Please try again later."
	report          = "/auth/deposit"
)

func TestPauses_money(t *testing.T) {
	t.Parallel()
	f, _, buyer, seller := newFixtureWithUsers(t)
	waits := buyer.withdraws(10, "01712345678")
	deal := buyer.agreed(seller, 20)
	f.pauses(pauses.Money)

	pay, key := "/deals/pay/"+deal.ID.String(), []string{"Idempotency-Key", "one-click"}
	paid := buyer.post(pay, nil, key...)
	require.Equal(t, "paused_money", paid.refused(503, "unavailable", textMoneyPaused).Reason)
	require.Equal(t, "60", paid.header.Get("Retry-After"))
	withdrawal := fields{"amount": 10, "phonenumber": "01712345678", "paymentMethod": "Bkash"}
	buyer.post("/withdraw", withdrawal).refused(503, "unavailable", textMoneyPaused)
	buyer.post(report, fields{}).refused(503, "unavailable", textMoneyPaused)

	// What moves no money goes on, and so does saying that a withdrawal was somebody else's.
	buyer.get("/deals/" + deal.ID.String()).want(200)
	f.visitor().post("/auth/logout", nil).want(200)
	buyer.notMine(waits.ID)

	f.resumes(pauses.Money)
	buyer.post(pay, nil, key...).want(200)
}

func TestPauses_areas(t *testing.T) {
	t.Parallel()
	f, _, buyer, _ := newFixtureWithUsers(t)
	var now api.Pauses
	f.visitor().get("/public/pauses").want(200).into(&now)
	require.Empty(t, now.Paused)
	require.NotNil(t, now.Paused)
	begun := f.clock.Now()
	f.pauses(pauses.Deposits, pauses.Withdrawals, pauses.Signups)

	f.visitor().get("/public/pauses").want(200).into(&now)
	require.Len(t, now.Paused, 3)
	require.Equal(t, pauses.Deposits, now.Paused[0].Area)
	require.WithinDuration(t, begun, now.Paused[0].Since, time.Second)
	buyer.post(report, fields{}).
		refused(503, "unavailable", "Deposits are paused for a short time. Please do not send money now, and try again later.")
	buyer.post("/withdraw", fields{}).
		refused(503, "unavailable", "Withdrawals are paused for a short time. Your balance is safe. Please try again later.")
	f.visitor().post("/auth/signup", fields{}).
		refused(503, "unavailable", "New accounts are paused for a short time. Please try again later.")

	f.resumes(pauses.Deposits, pauses.Withdrawals, pauses.Signups)
	buyer.post(report, fields{}).want(400)
	f.visitor().post("/auth/signup", fields{}).want(400)
}
