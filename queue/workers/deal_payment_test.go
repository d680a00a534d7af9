package workers

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/config"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/queue/jobs"
)

// sentFor has an admin credit what the buyer has sent for a deal with the terms.
func (f *fixture) sentFor(d deals.Deal, admin uuid.UUID, terms int, amount money.Cents) wallet.Deposit {
	f.t.Helper()
	sent, err := f.wallet.ReportDeposit(f.t.Context(), d.Buyer.ID, wallet.Report{
		Amount: amount, TransactionID: uuid.NewString()[24:], Method: wallet.Bkash, DealID: &d.ID, Terms: terms,
	}, nil)
	require.NoError(f.t, err)
	f.settled(f.approve(admin, sent, amount, ""))
	return sent
}

// again runs the job of a deposit once more, to its end.
func (f *fixture) again(deposit uuid.UUID) {
	f.t.Helper()
	require.NoError(f.t, postgres.WithTx(f.t.Context(), f.db.API(), func(tx *postgres.Tx) error {
		_, err := f.jobs.InsertTx(f.t.Context(), tx, jobs.DealPayment{DepositID: deposit}, nil)
		return err
	}))
	f.worked()
}

// worked waits until the jobs that pay deals have ended.
func (f *fixture) worked() {
	f.t.Helper()
	require.Eventually(f.t, func() bool {
		return f.count(`select count(*) from river.river_job where kind = 'deal_payment' and state <> 'completed'`) == 0
	}, 30*time.Second, 50*time.Millisecond)
}

func (f *fixture) statusOf(d deals.Deal) deals.Status {
	f.t.Helper()
	found, err := f.deals.Get(f.t.Context(), d.Buyer.ID, d.ID)
	require.NoError(f.t, err)
	return found.Status
}

func TestDealPayment(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	buyer, seller, admin := f.user("nusrat"), f.user("karim"), f.admin("boss")
	d := f.deal(buyer, seller, 80_00)
	f.sentFor(d, admin, d.TermsVersion, 30_00)
	f.worked()
	text, link := f.told(buyer)
	require.Equal(t, "The deal “A channel” is not paid yet: $50.00 is missing. Your $30.00 is in your balance.", text)
	require.Equal(t, "/deal/"+d.ID.String(), link)

	rest := f.sentFor(d, admin, d.TermsVersion, 60_00)
	f.worked()
	require.Equal(t, deals.Active, f.statusOf(d))
	require.EqualValues(t, 10_00, f.balance(buyer))
	notices := f.count(`select count(*) from notifications`)
	f.again(rest.ID)
	require.EqualValues(t, 10_00, f.balance(buyer), "once")
	require.Equal(t, notices, f.count(`select count(*) from notifications`))
	f.reconciled()
}

func TestDealPayment_refused(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		before func(f *fixture, d deals.Deal)
		said   string
	}{
		"a counter-offer": {func(f *fixture, d deals.Deal) {
			terms := d.Terms
			terms.Price = 70_00
			_, err := f.deals.MakeCounteroffer(f.t.Context(), d.Seller.ID, d.ID, terms, "", nil)
			require.NoError(f.t, err)
		}, "The deal “A channel” is not paid: its terms have changed. Read them before you pay. Your $80.00 is in your balance."},
		"other terms": {func(f *fixture, d deals.Deal) {
			terms := d.Terms
			terms.Price = 70_00
			offer, err := f.deals.MakeCounteroffer(f.t.Context(), d.Buyer.ID, d.ID, terms, "", nil)
			require.NoError(f.t, err)
			_, err = f.deals.AcceptCounteroffer(f.t.Context(), d.Seller.ID, d.ID, offer.Counteroffer.ID)
			require.NoError(f.t, err)
		}, "The deal “A channel” is not paid: its terms have changed. Read them before you pay. Your $80.00 is in your balance."},
		"a suspended seller": {func(f *fixture, d deals.Deal) {
			_, err := f.db.Owner().Exec(f.t.Context(), `update users set disabled_at = now() where id = $1`, d.Seller.ID)
			require.NoError(f.t, err)
		}, "The deal “A channel” cannot be paid now. Your $80.00 is in your balance."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.start()
			admin := f.admin("boss")
			d := f.deal(f.user("nusrat"), f.user("karim"), 80_00)
			tc.before(f, d)
			sent := f.sentFor(d, admin, d.TermsVersion, 80_00)
			f.worked()
			text, _ := f.told(d.Buyer.ID)
			require.Equal(t, tc.said, text)
			require.EqualValues(t, 80_00, f.balance(d.Buyer.ID))
			notices := f.count(`select count(*) from notifications`)
			f.again(sent.ID)
			require.Equal(t, notices, f.count(`select count(*) from notifications`), "once")
			f.reconciled()
		})
	}
}

// The buyer's limits hold as if they had paid the deal themselves.
func TestDealPayment_limits(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	limited := f.dependencies()
	limit := config.TrustLimit{Deal: 60_00}
	limited.Config.TrustLimits = config.TrustLimits{New: limit, Basic: limit, Established: limit, Trusted: limit}
	client, err := Assemble(limited)
	require.NoError(t, err)
	f.startClient(client)
	admin := f.admin("boss")
	d := f.deal(f.user("nusrat"), f.user("karim"), 80_00)
	f.sentFor(d, admin, d.TermsVersion, 80_00)
	f.worked()
	text, _ := f.told(d.Buyer.ID)
	require.Equal(t, "The deal “A channel” is not paid: it is above your limits for now. Your $80.00 is in your balance.", text)
	require.Equal(t, deals.Pending, f.statusOf(d))
}
