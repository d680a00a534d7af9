package wallet_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"amanat/internal/devtools/phone"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/queue/jobs"
)

// movement is one that the SIM has made, or that a forger has made up.
type movement struct {
	sms           phone.SMS
	before, after money.Poisha // balances that the SMS states
	amount        money.Cents
	out, forged   bool
	state         wallet.PaymentState // "": its SMS has not come
	reports       int                 // users who have reported it
	credited      bool
}

// chainModel is what docs/rules.md#payment-chain and #deposit-automatic say of one account.
type chainModel struct {
	phoned
	own   *phone.Phone
	users []uuid.UUID

	all   []*movement
	held  []*movement  // in the order in which their SMS came
	known money.Poisha // the balance that the next SMS has to continue
	had   map[money.Poisha]bool

	job    jobs.ReceiverAnchor // what an admin has entered last
	looked money.Poisha        // what was known then
}

// arrive reads the SMS of a movement.
func (m *chainModel) arrive(v *movement) {
	if v.state != "" {
		return
	}
	v.state = wallet.PaymentHeld
	m.held = append(m.held, v)
	m.follow()
}

// follow believes the held movements that continue the balance.
func (m *chainModel) follow() {
	for {
		v := m.believe(func(v *movement) bool { return v.before == m.known })
		if v == nil {
			return
		}
		m.known = v.after
	}
}

// believe believes the first held movement for which is holds, and returns it.
func (m *chainModel) believe(is func(v *movement) bool) *movement {
	i := slices.IndexFunc(m.held, is)
	if i < 0 {
		return nil
	}
	v := m.held[i]
	v.state = wallet.PaymentChained
	m.held = slices.Delete(m.held, i, i+1)
	return v
}

// set sets the balance.
func (m *chainModel) set(balance money.Poisha) {
	for want := balance; ; {
		v := m.believe(func(v *movement) bool { return v.after == want })
		if v == nil {
			break
		}
		want = v.before
	}
	m.known = balance
	m.follow()
	for _, v := range m.held {
		v.state = wallet.PaymentIgnored
	}
	m.held = nil
}

// settle credits what is proven.
func (m *chainModel) settle() {
	for _, v := range m.all {
		if len(m.held) == 0 && v.state == wallet.PaymentChained && v.reports == 1 && !v.out {
			v.credited = true
		}
	}
}

// move has the SIM make a movement. No balance occurs twice, so that only one order is possible.
func (m *chainModel) move(out bool, amount money.Cents) *movement {
	v := &movement{before: m.own.Balance(wallet.Bkash), amount: amount, out: out}
	taka := func() money.Poisha { return money.Poisha(123 * v.amount) }
	after := func() money.Poisha {
		if out {
			return v.before - taka() - 5_00
		}
		return v.before + taka()
	}
	for m.had[after()] {
		v.amount++
	}
	v.after = after()
	if out {
		v.sms = m.own.Send(wallet.Bkash, payer, taka(), 5_00, m.clock.Now())
	} else {
		v.sms = m.own.Receive(wallet.Bkash, payer, taka(), "", m.clock.Now())
	}
	m.had[v.after] = true
	m.all = append(m.all, v)
	return v
}

// forge makes up a payment whose author does not know any balance of the SIM.
func (m *chainModel) forge(r *rapid.T, amount money.Cents) *movement {
	taka := money.Poisha(123 * amount)
	balance := money.Poisha(rapid.Int64Range(0, 30_000_00).Filter(func(n int64) bool {
		return !m.had[money.Poisha(n)] && !m.had[money.Poisha(n)-taka]
	}).Draw(r, "balance"))
	v := &movement{before: balance - taka, after: balance, amount: amount, forged: true}
	m.had[v.before], m.had[v.after] = true, true
	v.sms = phone.SMS{Method: wallet.Bkash, TransactionID: "F" + strings.ToUpper(uuid.NewString()[:8])}
	v.sms.Text = phone.Text(wallet.Bkash, v.sms.TransactionID, payer, taka, 0, balance, "", m.clock.Now(), false)
	m.all = append(m.all, v)
	return v
}

// forward forwards the SMS of a movement.
func (m *chainModel) forward(t *testing.T, v *movement) {
	t.Helper()
	again := v.state != ""
	m.arrive(v)
	want := wallet.DeliveryHeld
	switch {
	case again:
		want = wallet.DeliveryRepeated
	case v.state == wallet.PaymentChained:
		want = wallet.DeliveryChained
	}
	require.Equal(t, want, m.deliver(t, m.own.Forward(v.sms, m.clock.Now())))
}

// told has another user report the movement, at most two.
func (m *chainModel) told(t *testing.T, v *movement) {
	t.Helper()
	if v.reports < len(m.users) {
		m.report(t, m.users[v.reports], v.sms.TransactionID, v.amount)
		m.work(t)
		v.reports++
	}
}

// look has an admin enter the balance that the app of the provider shows.
func (m *chainModel) look(t *testing.T) {
	t.Helper()
	var id uuid.UUID
	require.NoError(t, m.db.Owner().QueryRow(t.Context(), `select id from receivers where phone = $1`, m.own.Name).Scan(&id))
	m.job, m.looked = m.entered(t, id, m.own.Balance(wallet.Bkash)), m.known
}

// enter has a worker take over what an admin has entered last, maybe again.
func (m *chainModel) enter(t *testing.T) {
	t.Helper()
	m.anchored(t, m.job)
	if m.looked == m.known {
		m.set(money.Poisha(m.job.Balance))
	}
}

// act does something at random with a movement.
func (m *chainModel) act(t *testing.T, r *rapid.T) {
	t.Helper()
	amount := money.Cents(rapid.Int64Range(1_00, 20_00).Draw(r, "amount"))
	one := rapid.SampledFrom(m.all).Draw(r, "movement")
	switch rapid.SampledFrom([]string{
		"forward", "pay", "pay", "lose", "send", "forge", "forge", "steal", "report", "report", "look", "anchor", "enter",
	}).Draw(r, "action") {
	case "forward":
		m.forward(t, one)
	case "pay":
		one = m.move(false, amount)
		m.told(t, one)
		m.forward(t, one)
	case "lose":
		m.told(t, m.move(false, amount))
	case "send":
		m.forward(t, m.move(true, amount))
	case "forge":
		one = m.forge(r, amount)
		m.told(t, one)
		m.forward(t, one)
	case "steal": // the text is right, the key is not the phone's
		thief := phone.New(m.own.Name, "another key of sufficient length", 0)
		require.Equal(t, wallet.DeliveryForged, m.deliver(t, thief.Forward(one.sms, m.clock.Now())))
	case "report":
		m.told(t, one)
	case "look":
		m.look(t)
	case "anchor":
		m.look(t)
		m.enter(t)
	case "enter":
		m.enter(t)
	}
	m.settle()
}

// check holds the product against the model.
func (m *chainModel) check(t *testing.T) {
	t.Helper()
	type row struct {
		ID       string
		State    wallet.PaymentState
		Credited int
	}
	var ids []string
	var want []row
	for _, v := range m.all {
		require.False(t, v.forged && (v.credited || v.state == wallet.PaymentChained))
		one := row{ID: v.sms.TransactionID, State: v.state}
		if v.credited {
			one.Credited = 1
		}
		ids, want = append(ids, one.ID), append(want, one)
	}
	got, err := postgres.Query[row]("test.credited", `
		select m.id, coalesce(p.state, '') as state,
		       (select count(*) from deposits d where d.transaction_id = m.id and d.status = 'completed') as credited
		  from unnest(@ids::text[]) with ordinality m (id, n) left join payments p on p.transaction_id = m.id order by m.n`,
	).Many(t.Context(), m.db.Owner(), postgres.Args{"ids": ids})
	require.NoError(t, err)
	require.Equal(t, want, got)
	var balance int64
	var broken bool
	require.NoError(t, m.db.Owner().QueryRow(t.Context(),
		`select balance, broken_at is not null from receivers where phone = $1`, m.own.Name).Scan(&balance, &broken))
	require.Equal(t, int64(m.known), balance)
	require.Equal(t, len(m.held) > 0, broken)
}

// Whatever is lost, late, repeated, forged or reported by two, product and model agree: a payment
// is credited once, and only while its SMS continues the balance of the account.
func TestPayments_model(t *testing.T) {
	t.Parallel()
	f := newPhoned(t)
	f.settler.AutoCreditMax = 1_000_000_00
	users, accounts := []uuid.UUID{f.owner, f.user(t, "karim")}, 0
	rapid.Check(t, func(r *rapid.T) {
		accounts++
		m := &chainModel{phoned: f, users: users, own: phone.New(fmt.Sprintf("phone%d", accounts), phoneKey, 10_000_00)}
		f.settler.Phones[m.own.Name] = phoneKey
		m.had = map[money.Poisha]bool{10_000_00: true}
		m.known = -1 // none
		m.forward(t, m.move(false, 1_00))
		m.look(t)
		m.enter(t)
		for range rapid.IntRange(1, 12).Draw(r, "actions") {
			m.act(t, r)
			m.check(t)
		}
	})
	f.reconciled(t)
}
