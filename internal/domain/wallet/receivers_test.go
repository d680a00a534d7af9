package wallet_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/config"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

const (
	oneNumber   = "01700000001"
	otherNumber = "01700000002"
)

// fixed is a clock that stands still.
type fixed time.Time

func (f fixed) Now() time.Time { return time.Time(f) }

func numbers(t *testing.T, text string) (list config.Receivers) {
	t.Helper()
	require.NoError(t, list.UnmarshalText([]byte(text)))
	return list
}

func TestShownReceivers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Clock = fixed(time.Date(2026, time.March, 15, 12, 0, 0, 0, clock.Dhaka))
	newcomer := f.user(t, "newcomer")
	two := numbers(t, "Bkash:"+oneNumber+",Bkash:"+otherNumber+",Nagad:"+oneNumber)
	midnight, thisMonth := "2026-03-15T00:00:00+06:00", "2026-03-02T10:00:00+06:00"
	tomorrow := time.Date(2026, time.March, 16, 0, 0, 0, 0, clock.Dhaka)
	nextMonth := time.Date(2026, time.April, 1, 0, 0, 0, 0, clock.Dhaka)
	type row struct {
		number string
		taka   int
		at     string
	}
	for _, tc := range []struct {
		name    string
		numbers config.Receivers
		rows    []row
		change  string // of these deposits
		number  string
		room    int        // taka; 0: any amount, or full
		full    *time.Time // until
	}{
		{"nothing was paid", two, nil, "", oneNumber, 50_000, nil},
		{"most room in the month", two, []row{{oneNumber, 10, midnight}}, "", otherNumber, 50_000, nil},
		{
			"of yesterday", two,
			[]row{{oneNumber, 20_000, "2026-03-14T23:59:59+06:00"}, {otherNumber, 25_000, midnight}},
			"",
			oneNumber, 50_000, nil,
		},
		{"of last month", two, []row{{oneNumber, 290_000, "2026-02-28T23:59:59+06:00"}}, "", oneNumber, 50_000, nil},
		{"of the first of the month", two, []row{{oneNumber, 290_000, "2026-03-01T00:00:00+06:00"}}, "", otherNumber, 50_000, nil},
		{
			"little room today", two,
			[]row{{oneNumber, 30_000, midnight}, {otherNumber, 40_000, thisMonth}},
			"",
			otherNumber, 50_000, nil,
		},
		{"whole thousands", two[:1], []row{{oneNumber, 12_345, midnight}}, "", oneNumber, 37_000, nil},
		{"the month bounds the day", two[:1], []row{{oneNumber, 290_000, thisMonth}}, "", oneNumber, 10_000, nil},
		{"full today", two, []row{{oneNumber, 49_500, midnight}, {otherNumber, 60_000, midnight}}, "", oneNumber, 0, &tomorrow},
		{
			"one is full for the month", two,
			[]row{{oneNumber, 300_000, thisMonth}, {otherNumber, 50_000, midnight}},
			"",
			otherNumber, 0, &tomorrow,
		},
		{"full this month", two[:1], []row{{oneNumber, 299_500, thisMonth}}, "", oneNumber, 0, &nextMonth},
		{"failed ones are free", two[:1], []row{{oneNumber, 50_000, midnight}}, "status = 'Failed'", oneNumber, 50_000, nil},
		{"what arrived", two[:1], []row{{oneNumber, 20_000, midnight}}, "paid_amount = 2100000", oneNumber, 29_000, nil},
		{"to the other method", two[:1], []row{{oneNumber, 20_000, midnight}}, "payment_method = 'Nagad'", oneNumber, 50_000, nil},
		{
			"pending", two[:1],
			[]row{{oneNumber, 10_000, midnight}, {oneNumber, 20_000, midnight}},
			"status = 'pending', handled_at = null where amount = 20000", oneNumber, 20_000, nil,
		},
		{
			"pending of a newcomer", two[:1],
			[]row{{oneNumber, 10_000, midnight}, {oneNumber, 20_000, midnight}},
			"status = 'pending', handled_at = null, user_id = '" + newcomer.String() + "' where amount = 20000", oneNumber, 40_000, nil,
		},
		{
			"a merchant's account", numbers(t, "Bkash:"+oneNumber+",Bkash:"+otherNumber+":merchant"),
			[]row{{otherNumber, 900_000, midnight}},
			"",
			otherNumber, 0, nil,
		},
		{
			"closed for new payments", numbers(t, "Bkash:"+oneNumber+":0/0,Bkash:"+otherNumber),
			[]row{{otherNumber, 30_000, midnight}},
			"",
			otherNumber, 20_000, nil,
		},
	} {
		f.exec(t, `delete from deposits`, nil)
		for _, r := range tc.rows {
			f.exec(t, `
				insert into deposits (id, user_id, payment_method, transaction_id, claimed_amount, amount, rate, converted_amount, receiver,
				                      status, created_at, handled_at)
				values (@id, @user, 'Bkash', @transaction, @cents::bigint, @cents, 100, @cents * 100, @number, 'completed', @at, @at)`,
				postgres.Args{
					"id": uuid.New(), "user": f.owner, "transaction": transactionID(), "cents": r.taka, "number": r.number, "at": r.at,
				})
		}
		if tc.change != "" {
			f.exec(t, `update deposits set `+tc.change, nil)
		}
		f.Numbers = tc.numbers
		shown, err := f.ShownReceivers(t.Context())
		require.NoError(t, err)
		want := wallet.ShownReceiver{Method: wallet.Bkash, Number: tc.number}
		if tc.room != 0 {
			want.Room = new(money.Poisha(tc.room * 100))
		}
		if tc.full != nil {
			want.FullUntil = new(tc.full.UTC())
		}
		require.Equal(t, want, shown[0], tc.name)
	}
}

func transactionID() string { return strings.ToUpper(uuid.NewString()[24:]) }

// A deposit keeps the number that its user was shown, also if it is full by then.
func TestReportDeposit_receiver(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Numbers = numbers(t, "Bkash:"+oneNumber+",Bkash:"+otherNumber+":0/0,Nagad:01900000000")
	report := func(transaction, number string) (wallet.Deposit, error) {
		return f.ReportDeposit(t.Context(), f.owner, wallet.Report{
			Amount: 10_00, TransactionID: transaction, Method: wallet.Bkash, Receiver: number,
		}, nil)
	}
	d, err := report("AB12CD34E1", otherNumber)
	require.NoError(t, err)
	require.Equal(t, otherNumber, d.Receiver)
	require.True(t, f.OneOfSeveral(d))
	d, err = report("AB12CD34E2", "")
	require.NoError(t, err)
	require.Equal(t, oneNumber, d.Receiver, "the one shown now")
	for _, number := range []string{"01700000003", "01900000000"} {
		_, err = report("AB12CD34E3", number)
		requireCode(t, fault.Invalid, err)
	}
	f.Numbers = numbers(t, "Bkash:"+oneNumber+",Nagad:01900000000")
	require.False(t, f.OneOfSeveral(d))
}
