package systemtest

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// market is a system on which business is done: two apis, an admin, buyers with money and a seller with some.
type market struct {
	*system
	admin  *person
	buyers []*person
	seller *person

	cents map[*person]int64 // what each wallet must hold once everything asked for is settled
	done  tally             // operations settled while the market was prepared
}

const (
	buyerCount  = 4
	buyerFunds  = 10_000_00
	sellerFunds = 1_000_00
	price       = 10_00
	payout      = 9_80 // of a deal of that price: 2% is the fee
	withdrawn   = 1_00
	deposited   = 5_00
)

// openMarket prepares a market with two apis and leaves no worker behind.
func openMarket(t *testing.T, b *build) *market {
	t.Helper()
	m := &market{system: newSystem(t, b), cents: map[*person]int64{}}
	m.serve(m.startAPI(), m.startAPI())
	worker := m.startWorker(allQueues)
	m.amanat(m.db.APIURL, "set-rate", "122.40")
	m.admin, m.seller = m.system.admin("boss"), m.member("seller")
	for _, name := range []string{"nusrat", "rakib", "sadia", "tanvir"}[:buyerCount] {
		m.buyers = append(m.buyers, m.member(name))
	}
	prepared := newCrowd(t)
	for _, buyer := range m.buyers {
		prepared.insist(m.approval(buyer, buyerFunds))
	}
	prepared.insist(m.approval(m.seller, sellerFunds))
	prepared.wait()
	worker.stop(softStop)
	m.done = m.operations()
	return m
}

// buyer returns one buyer after the other.
func (m *market) buyer(i int) *person { return m.buyers[i%len(m.buyers)] }

func dollars(cents int64) float64 { return float64(cents) / 100 }

// approval lets the user report a deposit and returns the admin's approval of it.
func (m *market) approval(user *person, cents int64) request {
	m.t.Helper()
	var reported struct {
		Deposit struct {
			ID uuid.UUID `json:"_id"`
		}
	}
	transaction := strings.ToUpper(uuid.NewString()[24:])
	user.post("/auth/deposit", fields{"amount": dollars(cents), "transactionId": transaction, "paymentMethod": "Bkash"}).
		want(http.StatusCreated).into(&reported)
	m.cents[user] += cents
	return m.admin.ask("/admin/deposit/approve/"+reported.Deposit.ID.String(), fields{"amount": dollars(cents), "userId": user.ID})
}

// proposal returns the seller's proposal of a deal to the buyer, which nobody else has to accept.
func (m *market) proposal(buyer *person) request {
	return m.seller.ask("/deals/create", fields{
		"price": dollars(price), "description": "A channel", "deliveryDuration": 7, "buyerId": buyer.ID, "sellerId": m.seller.ID,
	})
}

// report returns the buyer's report of a deposit that nobody approves.
func (m *market) report(buyer *person) request {
	return buyer.ask("/auth/deposit", fields{
		"amount": dollars(deposited), "transactionId": strings.ToUpper(uuid.NewString()[24:]), "paymentMethod": "Nagad",
	})
}

// deal lets the seller propose a deal to the buyer.
func (m *market) deal(buyer *person) uuid.UUID {
	m.t.Helper()
	var deal struct {
		ID uuid.UUID `json:"_id"`
	}
	m.seller.do(m.proposal(buyer)).want(http.StatusCreated).into(&deal)
	return deal.ID
}

// payment returns the buyer's payment of a new deal.
func (m *market) payment(buyer *person) request {
	m.t.Helper()
	m.cents[buyer] -= price
	return buyer.ask("/deals/pay/"+m.deal(buyer).String(), nil)
}

func (m *market) payments(n int) []request {
	m.t.Helper()
	var requests []request
	for i := range n {
		requests = append(requests, m.payment(m.buyer(i)))
	}
	return requests
}

// completions returns the buyers' completions of deals that have been paid.
func (m *market) completions(n int) []request {
	m.t.Helper()
	var requests []request
	paid := newCrowd(m.t)
	for i := range n {
		payment := m.payment(m.buyer(i))
		paid.insist(payment)
		requests = append(requests, payment.by.ask(strings.Replace(payment.path, "pay", "complete", 1), nil))
		m.cents[m.seller] += payout
	}
	paid.wait()
	return requests
}

// withdrawal returns one person's request after the other's: nobody may have many that wait.
func (m *market) withdrawal(i int) request {
	m.t.Helper()
	who := m.seller
	if i%(buyerCount+1) < buyerCount {
		who = m.buyer(i % (buyerCount + 1))
	}
	m.cents[who] -= withdrawn
	return who.ask("/withdraw", fields{"amount": dollars(withdrawn), "phonenumber": "01712345678", "paymentMethod": "Nagad"})
}

// requireOnce wants all that was asked for, by kind, to have happened once and to be settled in time.
func (m *market) requireOnce(asked tally) {
	m.t.Helper()
	want := m.done.plus(asked)
	require.Equal(m.t, want, m.operations(), "one operation for each request")
	require.Equal(m.t, want, m.transfers(), "one transfer for each operation")
	total := 0
	for _, n := range want {
		total += n
	}
	require.Equal(m.t, total, m.count(`select count(*) from user_events where type = 'operationSettled'`), "the actor is told once")
	for what, twice := range map[string]string{
		"timelines":     `select from deal_events group by deal_id, kind having count(*) > 1`,
		"notifications": `select from notifications where kind like 'deal_%' group by user_id, kind, link having count(*) > 1`,
	} {
		require.Zero(m.t, m.count(`select count(*) from (`+twice+`) twice`), what)
	}
	require.Zero(m.t, m.count(`
		select count(*) from (select seq, row_number() over (partition by user_id order by seq) as n from user_events) e where seq <> n`),
		"event logs have no gaps")
	for person, cents := range m.cents {
		require.InDelta(m.t, dollars(cents), person.wallet(), 0.001, person.Username)
	}
	m.requireBooksInOrder()
}

func (p *person) wallet() float64 {
	p.t.Helper()
	var has struct{ Wallet float64 }
	p.get("/wallet").want(http.StatusOK).into(&has)
	return has.Wallet
}

// requireSettledInTime wants no operation to have taken longer than the bound.
func (m *market) requireSettledInTime(bound time.Duration) {
	m.t.Helper()
	slowest := m.slowest()
	m.t.Logf("slowest operation: %s", slowest)
	require.LessOrEqual(m.t, slowest, bound)
}
