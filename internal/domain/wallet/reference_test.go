package wallet_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/devtools/phone"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

// code returns a user's code, which they have asked for to add money to their balance.
func (f phoned) code(t *testing.T, userID uuid.UUID) string {
	t.Helper()
	code, err := f.PaymentCode(t.Context(), userID, nil, 0)
	require.NoError(t, err)
	return code
}

// paysWith has somebody pay the taka with a reference, and returns the SMS about it.
func (f phoned) paysWith(taka money.Poisha, reference string) phone.SMS {
	return f.phone.Receive(wallet.Bkash, payer, taka, reference, f.clock.Now())
}

func (f phoned) deposits(t *testing.T, userID uuid.UUID) []wallet.Deposit {
	t.Helper()
	list, _, err := f.ListDeposits(t.Context(), userID, postgres.Page{Limit: 10})
	require.NoError(t, err)
	return list
}

func TestPaymentCode(t *testing.T) {
	t.Parallel()
	f := newPhoned(t)
	seen := map[string]bool{}
	for _, name := range []string{"u1", "u2", "u3", "u4", "u5", "u6"} {
		userID := f.user(t, name)
		code := f.code(t, userID)
		require.Regexp(t, `^[2-9BCDFGHJKMNPQRSTVWXZ]{6}$`, code)
		require.Equal(t, code, f.code(t, userID), "for ever")
		require.NotContains(t, seen, code)
		seen[code] = true
	}
	f.exec(t, `update users set closed_at = now(), disabled_at = now() where id = @id`, postgres.Args{"id": f.owner})
	_, err := f.PaymentCode(t.Context(), f.owner, nil, 0)
	require.Equal(t, fault.Unauthenticated, fault.CodeOf(err))
}

// A payment with the code of its payer is credited without a report, and once.
func TestMatchPayment_code(t *testing.T) {
	t.Parallel()
	f := newPhoned(t)
	sms := f.paysWith(123*50_00+61, " "+strings.ToLower(f.code(t, f.owner))+" ")
	require.Equal(t, wallet.DeliveryChained, f.deliver(t, f.forward(sms)))
	require.Equal(t, money.Cents(50_00), f.balance(t))
	text, _ := f.told(t)
	require.Equal(t, "Your deposit of $50.00 is in your balance.", text)
	f.deliver(t, f.forward(sms))
	f.claimAgain(t)
	made := f.deposits(t, f.owner)
	require.Len(t, made, 1)
	require.Equal(t, money.Poisha(123*50_00+61), *made[0].PaidAmount)

	reported := f.report(t, f.owner, strings.ToLower(sms.TransactionID), 49_00)
	require.Equal(t, made[0].ID, reported.ID, "it is no second deposit")
	require.Equal(t, money.Cents(50_00), reported.Amount)
	_, err := f.ReportDeposit(t.Context(), f.owner, wallet.Report{Amount: 1_00, TransactionID: "OTHER12345", Method: wallet.Nagad}, nil)
	require.NoError(t, err, "another payment")
	f.reconciled(t)
}

// claimAgain runs the job of every payment once more.
func (f phoned) claimAgain(t *testing.T) {
	t.Helper()
	for _, id := range f.ids(t, `select id from payments`) {
		require.NoError(t, f.settler.MatchPayment(t.Context(), id))
	}
	f.work(t)
}

// A payment becomes a deposit once it is believed: when the missing SMS comes, or an admin enters
// the balance.
func TestMatchPayment_code_held(t *testing.T) {
	t.Parallel()
	for name, resume := range map[string]func(t *testing.T, f phoned, lost phone.SMS){
		"it comes": func(t *testing.T, f phoned, lost phone.SMS) { t.Helper(); f.deliver(t, f.forward(lost)) },
		"an admin": func(t *testing.T, f phoned, _ phone.SMS) { t.Helper(); f.anchor(t, f.phone.Balance(wallet.Bkash)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newPhoned(t)
			lost, next := f.pays(100_00), f.paysWith(123*50_00, f.code(t, f.owner))
			require.Equal(t, wallet.DeliveryHeld, f.deliver(t, f.forward(next)))
			require.Empty(t, f.deposits(t, f.owner))
			resume(t, f, lost)
			require.Equal(t, money.Cents(50_00), f.balance(t))
			f.reconciled(t)
		})
	}
}

// A report that comes first is the deposit, and the reference changes nothing.
func TestMatchPayment_code_reported(t *testing.T) {
	t.Parallel()
	f := newPhoned(t)
	sms := f.paysWith(123*50_00, f.code(t, f.owner))
	d := f.reported(t, sms, 50_00)
	f.deliver(t, f.forward(sms))
	require.Equal(t, wallet.DepositCompleted, f.status(t, d))
	require.Len(t, f.deposits(t, f.owner), 1)
	f.reconciled(t)
}

// A payment with the code of one user that another reports is credited to neither.
func TestMatchPayment_code_reported_by_another(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]bool{"before the SMS": true, "after it, once an admin has to decide": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newPhoned(t)
			f.settler.AutoCreditMax = 200_00
			other := f.user(t, "karim")
			taka, amount := money.Poisha(123*50_00), money.Cents(50_00)
			if !first {
				taka, amount = 123*300_00, 300_00
			}
			sms := f.paysWith(taka, f.code(t, other))
			if first {
				f.reported(t, sms, amount)
				f.deliver(t, f.forward(sms))
			} else {
				f.deliver(t, f.forward(sms))
				f.reported(t, sms, amount)
			}
			for _, userID := range []uuid.UUID{f.owner, other} {
				made := f.deposits(t, userID)
				require.Len(t, made, 1)
				require.Equal(t, wallet.DepositPending, made[0].Status)
				require.True(t, made[0].Disputed)
			}
			f.reconciled(t)
		})
	}
}

// Whose code is in a payment has no deposit of it, and somebody else reports it.
func TestMatchDeposit_code_of_another(t *testing.T) {
	t.Parallel()
	f := newPhoned(t)
	other := f.user(t, "karim")
	sms := f.paysWith(123*50_00, f.code(t, other))
	f.exec(t, `update users set disabled_at = now() where id = @id`, postgres.Args{"id": other})
	f.deliver(t, f.forward(sms))
	require.Empty(t, f.deposits(t, other))
	require.Equal(t, wallet.DepositPending, f.status(t, f.reported(t, sms, 50_00)))
}

func TestMatchPayment_code_left_to_admins(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change    string // of the owner's code or account
		taka      money.Poisha
		reference string // "": the owner's code
		made      int
	}{
		"a code of nobody":       {taka: 123 * 50_00, reference: "B2B2B2"},
		"another reference":      {taka: 123 * 50_00, reference: "rent"},
		"a closed account":       {taka: 123 * 50_00, change: `update users set closed_at = now(), disabled_at = now() where id = @user`},
		"a disabled account":     {taka: 123 * 50_00, change: `update users set disabled_at = now() where id = @user`},
		"the code of a leaver":   {taka: 123 * 50_00, change: `delete from payment_codes where user_id = @user`},
		"less than a cent":       {taka: 50},
		"more than is automatic": {taka: 123 * 200_01, made: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newPhoned(t)
			code := f.code(t, f.owner)
			if tc.reference != "" {
				code = tc.reference
			}
			if tc.change != "" {
				f.exec(t, tc.change, postgres.Args{"user": f.owner})
			}
			require.Equal(t, wallet.DeliveryChained, f.deliver(t, f.forward(f.paysWith(tc.taka, code))))
			made := f.deposits(t, f.owner)
			require.Len(t, made, tc.made)
			for _, d := range made {
				require.Equal(t, wallet.DepositPending, d.Status)
				seen, err := f.GetDeposit(t.Context(), d.ID)
				require.NoError(t, err)
				require.True(t, seen.Evidence.Code, "the admin sees that it is theirs")
			}
			require.Zero(t, f.balance(t))
			f.reconciled(t)
		})
	}
}

// A deposit that its user has taken back is not made again, and they can report the payment.
func TestMatchPayment_code_retracted(t *testing.T) {
	t.Parallel()
	f := newPhoned(t)
	sms := f.paysWith(123*300_00, f.code(t, f.owner))
	f.deliver(t, f.forward(sms))
	_, err := f.RetractDeposit(t.Context(), f.owner, f.deposits(t, f.owner)[0].ID)
	require.NoError(t, err)
	f.claimAgain(t)
	require.Len(t, f.deposits(t, f.owner), 1)
	f.reported(t, sms, 300_00)
	require.Len(t, f.deposits(t, f.owner), 2)
}

// deal inserts an unpaid deal of the owner.
func (f phoned) deal(t *testing.T) uuid.UUID {
	t.Helper()
	deal := uuid.New()
	f.exec(t, `
		insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, inspection_days, created_at, due_at)
		values (@id, @buyer, @seller, @seller, 10000, 200, 'A channel', 1, 1, now(), now())`,
		postgres.Args{"id": deal, "buyer": f.owner, "seller": f.user(t, "karim")})
	return deal
}

// The payments of a day are for the deal that the user has asked for their code for last.
func TestPaymentCode_deal(t *testing.T) {
	t.Parallel()
	f := newPhoned(t)
	f.Numbers = numbers(t, "Bkash:"+oneNumber+",Bkash:"+otherNumber+":0/0,Nagad:01900000000")
	deal := f.deal(t)
	code, err := f.PaymentCode(t.Context(), f.owner, &deal, 3)
	require.NoError(t, err)
	latest := func() wallet.Deposit {
		f.deliver(t, f.forward(f.paysWith(123*10_00, code)))
		return f.deposits(t, f.owner)[0]
	}
	d := latest()
	require.Equal(t, deal, *d.DealID)
	require.Equal(t, 3, *d.DealTerms)
	require.Equal(t, oneNumber, d.Receiver, "the one that was shown with the code")
	require.Equal(t, 1, f.count(t, `river.river_job where kind = 'deal_payment' and args->>'deposit_id' = $1`, d.ID.String()))
	text, _ := f.told(t)
	require.Equal(t, "Your deposit of $10.00 is in your balance.", text, "nothing is left to do")

	p, found, err := f.settler.DealToPay(t.Context(), d.ID)
	require.NoError(t, err)
	require.True(t, found)
	for range 2 {
		require.NoError(t, f.settler.KeepForWallet(t.Context(), p, fault.New(fault.Conflict, "terms_changed", "")))
	}
	text, link := f.told(t)
	require.Contains(t, text, "The deal “A channel” is not paid: its terms have changed.")
	require.Equal(t, "/deal/"+deal.String(), link)
	require.Len(t, f.notices(t), 2, "once")

	f.clock.Advance(24 * time.Hour)
	f.deliver(t, f.phone.Ping(f.clock.Now()))
	require.Nil(t, latest().DealID, "a day later")
	f.code(t, f.owner)
	require.Nil(t, latest().DealTerms, "it is for the balance now")
	f.reconciled(t)
}

// With the login of the api, a code cannot be given to another user, nor a payment be found by one.
func TestPaymentCode_by_the_login_of_the_api(t *testing.T) {
	t.Parallel()
	f := newPhoned(t)
	f.code(t, f.owner)
	for _, sql := range []string{
		`update payment_codes set user_id = gen_random_uuid()`, `update payment_codes set code = 'B2B2B2'`, `delete from payment_codes`,
		`select reference from payments`, `update deposits set unreported = true`, `update deposits set deal_terms = 1`,
	} {
		_, err := f.db.API().Exec(t.Context(), sql)
		require.ErrorContains(t, err, "permission denied", sql)
	}
}
