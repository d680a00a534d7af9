package wallet

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/config"
	"amanat/internal/app/user"
	"amanat/internal/app/worklist"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
)

// The rules are checked in order, and the first that fails gives the message.
func TestOrderValidate(t *testing.T) {
	t.Parallel()
	good := Order{Amount: 50_00, PhoneNumber: "01712345678", Method: Bkash}
	const textPhone = "Phone number must start with '01' and be 11 digits."
	for name, tc := range map[string]struct {
		change func(o *Order)
		field  string // expected in the error; "" for none
		text   string
	}{
		"good":                     {func(*Order) {}, "", ""},
		"by Nagad":                 {func(o *Order) { o.Method = Nagad }, "", ""},
		"no amount":                {func(o *Order) { o.Amount = 0 }, "amount", textAllFields},
		"no number":                {func(o *Order) { o.PhoneNumber = "" }, "phonenumber", textAllFields},
		"no method":                {func(o *Order) { o.Method = "" }, "paymentMethod", textAllFields},
		"number of 10 digits":      {func(o *Order) { o.PhoneNumber = "0171234567" }, "phonenumber", textPhone},
		"number of 12 digits":      {func(o *Order) { o.PhoneNumber = "017123456789" }, "phonenumber", textPhone},
		"number of another nation": {func(o *Order) { o.PhoneNumber = "02712345678" }, "phonenumber", textPhone},
		"number in Bangla digits":  {func(o *Order) { o.PhoneNumber = "০১৭১২৩৪৫৬৭৮" }, "phonenumber", textPhone},
		"number with a new line":   {func(o *Order) { o.PhoneNumber = "01712345678\n" }, "phonenumber", textPhone},
		"negative":                 {func(o *Order) { o.Amount = -1 }, "amount", textEnterValid},
		"largest":                  {func(o *Order) { o.Amount = 1_000_000_00 }, "", ""},
		"a cent too much":          {func(o *Order) { o.Amount = 1_000_000_01 }, "amount", textMaximum},
		"another method":           {func(o *Order) { o.Method = "Rocket" }, "paymentMethod", textMethod},
		"method in small letters":  {func(o *Order) { o.Method = "bkash" }, "paymentMethod", textMethod},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			order := good
			tc.change(&order)
			requireField(t, tc.field, tc.text, order.validate())
		})
	}
}

func TestBounds_zero_value_sets_no_limit(t *testing.T) {
	t.Parallel()
	require.NoError(t, Bounds{}.checkAmount(1, 1))
	require.NoError(t, Bounds{}.checkPendingWithdrawals(t.Context(), nil, owner.ID), "no query")
}

// An amount below the minimum is refused unless it empties the wallet.
func TestBounds_checkAmount(t *testing.T) {
	t.Parallel()
	b := Bounds{Minimum: 5_00}
	require.NoError(t, b.checkAmount(5_00, 1))
	require.NoError(t, b.checkAmount(1, 0))
	requireField(t, "amount", "The minimum withdrawal is $5.00.", b.checkAmount(4_99, 1))
}

func TestBoundsOf(t *testing.T) {
	t.Parallel()
	got := BoundsOf(config.Shared{WithdrawalHold: time.Hour, MinWithdrawal: 5_00, Limits: config.Limits{MaxPendingWithdrawals: 3}})
	require.Equal(t, Bounds{Hold: time.Hour, Minimum: 5_00, MaxPending: 3}, got)
}

// A withdrawal is paid out at the rate rounded down to whole taka.
func TestCheckTaka(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		amount money.Cents
		shown  *money.Poisha
		code   fault.Code
	}{
		"not told":           {10_00, nil, ""},
		"at the rate":        {10_00, new(money.Poisha(1_220_00)), ""},
		"rounded up":         {10_00, new(money.Poisha(1_230_00)), fault.RateChanged},
		"at the exact rate":  {10_00, new(money.Poisha(1_224_00)), fault.RateChanged},
		"a poisha off":       {10_00, new(money.Poisha(1_220_01)), fault.RateChanged},
		"a cent at the rate": {1, new(money.Poisha(1_22)), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := Order{Amount: tc.amount, Taka: tc.shown}.checkTaka(122_40)
			require.Equal(t, tc.code, fault.CodeOf(err))
		})
	}
}

func held() Withdrawal {
	return Withdrawal{
		ID: uuid.UUID{9}, User: owner, Amount: 50_00, PhoneNumber: "01712345678", Method: Bkash, Status: WithdrawalPending,
		RequestedAt: noon, HeldUntil: new(noon.Add(24 * time.Hour)), HeldReasons: []HoldReason{NewNumber},
	}
}

func (w Withdrawal) with(change func(w *Withdrawal)) Withdrawal {
	change(&w)
	return w
}

func TestOnHold(t *testing.T) {
	t.Parallel()
	until := noon.Add(24 * time.Hour)
	for name, tc := range map[string]struct {
		withdrawal Withdrawal
		now        time.Time
		onHold     bool
	}{
		"just requested":         {held(), noon, true},
		"a moment before":        {held(), until.Add(-1), true},
		"when the hold ends":     {held(), until, false},
		"never held":             {held().with(func(w *Withdrawal) { w.HeldUntil = nil }), noon, false},
		"confirmed by its owner": {held().with(func(w *Withdrawal) { w.ConfirmedAt = &noon }), noon, false},
		"disowned":               {held().with(func(w *Withdrawal) { w.DisownedAt = &noon }), noon, false},
		"sent":                   {held().with(func(w *Withdrawal) { w.Status = WithdrawalCompleted }), noon, false},
		"rejected or cancelled":  {held().with(func(w *Withdrawal) { w.Status = WithdrawalFailed }), noon, false},
		"confirmed, hold ended":  {held().with(func(w *Withdrawal) { w.ConfirmedAt = &noon }), until, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.onHold, tc.withdrawal.onHold(tc.now))
		})
	}
}

// The message has the time in Dhaka and the reasons for the hold.
func TestErrOnHold(t *testing.T) {
	t.Parallel()
	w := held().with(func(w *Withdrawal) { w.HeldReasons = []HoldReason{NewNumber, PasswordReset, NewBrowser} })
	require.EqualError(t, w.errOnHold(), "conflict: This withdrawal is held until 2 Mar 2026, 18:00 unless its owner confirms it: "+
		"the number is new, the password was reset, the browser is new.")
}

// Nobody sends a withdrawal that is disowned or stopped, but who worked on it before may have sent
// it, and proves that with the transaction ID.
func TestCheckSendable(t *testing.T) {
	t.Parallel()
	const payout = "8N7A6D5E4F"
	before, after := noon.Add(-time.Minute), noon.Add(time.Minute)
	free := WorklistWithdrawal{Withdrawal: held().with(func(w *Withdrawal) { w.ConfirmedAt = &noon })}
	disowned, stopped := free, free
	disowned.DisownedAt, stopped.StoppedAt = &noon, &noon
	claimed := func(w WorklistWithdrawal, by user.Ref, at time.Time) WorklistWithdrawal {
		w.Claim, w.ClaimedAt = &worklist.Claim{Admin: by, Until: at.Add(worklist.ClaimFor)}, &at
		return w
	}
	both := claimed(disowned, admin, before)
	both.StoppedAt = &after
	stoppedFirst := claimed(disowned, admin, noon.Add(-time.Second))
	stoppedFirst.StoppedAt = &before
	for name, tc := range map[string]struct {
		withdrawal  WorklistWithdrawal
		transaction string
		code        fault.Code
		text        string // of the error; "" for none
	}{
		"confirmed":                      {free, "", "", ""},
		"on hold":                        {WorklistWithdrawal{Withdrawal: held()}, payout, fault.Conflict, "is held until"},
		"disowned":                       {disowned, payout, fault.Conflict, "somebody else asked for this"},
		"of a user who may not withdraw": {stopped, payout, fault.Conflict, "of this user are on hold"},
		"disowned after the claim":       {claimed(disowned, admin, before), payout, "", ""},
		"stopped after the claim":        {claimed(stopped, admin, before), payout, "", ""},
		"both after the claim":           {both, payout, "", ""},
		"one of both after the claim":    {stoppedFirst, payout, fault.Conflict, "somebody else asked for this"},
		"without a transaction ID":       {claimed(disowned, admin, before), "", fault.Invalid, "enter the transaction ID"},
		"claimed by another admin":       {claimed(disowned, owner, before), payout, fault.Conflict, "somebody else asked for this"},
		"claimed when it was disowned":   {claimed(disowned, admin, noon), payout, fault.Conflict, "somebody else asked for this"},
		"claimed when it was stopped":    {claimed(stopped, admin, after), payout, fault.Conflict, "of this user are on hold"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := tc.withdrawal.checkSendable(admin.ID, tc.transaction, noon)
			if tc.text == "" {
				require.NoError(t, err)
				return
			}
			require.Equal(t, tc.code, fault.CodeOf(err))
			if f := fault.As(err); f.Fields != nil {
				require.Contains(t, f.Fields["transactionId"], tc.text)
				return
			}
			require.ErrorContains(t, err, tc.text)
		})
	}
}

func TestPayoutValidate(t *testing.T) {
	t.Parallel()
	const textFormat = "Invalid transaction ID format. It should be 8-12 alphanumeric characters."
	for name, tc := range map[string]struct {
		payout      Payout
		field, text string
	}{
		"without a transaction id": {Payout{Amount: 50_00}, "", ""},
		"with a transaction id":    {Payout{Amount: 50_00, TransactionID: "8N7A6D5E4F"}, "", ""},
		"no amount":                {Payout{}, "amount", textEnterValid},
		"negative":                 {Payout{Amount: -50_00}, "amount", textEnterValid},
		"a cent less":              {Payout{Amount: 49_99}, "amount", textAmountsDiffer},
		"a cent more":              {Payout{Amount: 50_01}, "amount", textAmountsDiffer},
		"short transaction id":     {Payout{Amount: 50_00, TransactionID: "8N7A6D5"}, "transactionId", textFormat},
		"long transaction id":      {Payout{Amount: 50_00, TransactionID: "8N7A6D5E4F3G2"}, "transactionId", textFormat},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requireField(t, tc.field, tc.text, tc.payout.validate(WorklistWithdrawal{Withdrawal: held()}))
		})
	}
}

func TestRequirePendingOf(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		who    user.Ref
		status WithdrawalStatus
		code   fault.Code
	}{
		"owner":            {owner, WithdrawalPending, ""},
		"another user":     {admin, WithdrawalPending, fault.NotFound},
		"owner when sent":  {owner, WithdrawalCompleted, fault.Conflict},
		"owner when over":  {owner, WithdrawalFailed, fault.Conflict},
		"others when sent": {admin, WithdrawalCompleted, fault.NotFound},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := WorklistWithdrawal{Withdrawal: held().with(func(w *Withdrawal) { w.Status = tc.status })}
			require.Equal(t, tc.code, fault.CodeOf(w.requirePendingOf(tc.who.ID)))
		})
	}
}
