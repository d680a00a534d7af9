package system

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// tradeFixture is a system with two apis, an admin, and buyers and a seller with money.
type tradeFixture struct {
	*system
	admin  *person
	buyers []*person
	seller *person

	// The expected balance of each wallet once all requested operations are settled.
	cents map[*person]int64
	done  tally // operations settled during the setup
}

const (
	buyerCount  = 4
	buyerFunds  = 10_000_00
	sellerFunds = 1_000_00
	price       = 10_00
	payout      = 9_80 // of a deal at that price: the fee is 2%
	splitBack   = 4_00 // to the buyer, of a deal whose dispute is settled
	splitPaid   = 5_88 // to the seller
	withdrawn   = 1_00
	deposited   = 5_00
)

// newTradeFixture sets up a tradeFixture and leaves no worker running.
func newTradeFixture(t *testing.T, b *build) *tradeFixture {
	t.Helper()
	f := &tradeFixture{system: newSystem(t, b), cents: map[*person]int64{}}
	f.serve(f.startAPI(), f.startAPI())
	worker := f.startWorker(allQueues)
	f.amanat(f.db.APIURL, "set-rate", "122.40")
	f.admin, f.seller = f.system.admin("boss"), f.member("seller")
	for _, name := range []string{"nusrat", "rakib", "sadia", "tanvir"}[:buyerCount] {
		f.buyers = append(f.buyers, f.member(name))
	}
	prepared := newLoadUsers(t)
	for _, buyer := range f.buyers {
		prepared.retry(f.approval(buyer, buyerFunds))
	}
	prepared.retry(f.approval(f.seller, sellerFunds))
	prepared.wait()
	worker.stop(softStop)
	f.done = f.operations()
	return f
}

// buyer returns the buyers in turn.
func (f *tradeFixture) buyer(i int) *person { return f.buyers[i%len(f.buyers)] }

func dollars(cents int64) float64 { return float64(cents) / 100 }

// approval reports a deposit as the user and returns the admin's approval of it.
func (f *tradeFixture) approval(user *person, cents int64) request {
	f.t.Helper()
	var reported struct {
		Deposit struct {
			ID              uuid.UUID `json:"_id"`
			ConvertedAmount json.Number
		}
	}
	transaction := strings.ToUpper(uuid.NewString()[24:])
	user.post("/auth/deposit", fields{"amount": dollars(cents), "transactionId": transaction, "paymentMethod": "Bkash"}).
		want(http.StatusCreated).into(&reported)
	f.cents[user] += cents
	return f.admin.ask("/admin/deposit/approve/"+reported.Deposit.ID.String(), fields{
		"amount": dollars(cents), "userId": user.ID, "receivedTaka": reported.Deposit.ConvertedAmount,
	})
}

// correction returns the admin's confirmation of a credit that the operator has proposed.
func (f *tradeFixture) correction(user *person, cents int64) request {
	f.t.Helper()
	id := uuid.New()
	_, err := f.db.Owner().Exec(f.t.Context(), `
		insert into corrections (id, user_id, amount, reason, proposed_at, expires_at)
		values ($1, $2, $3, 'A check', now(), now() + interval '72 hours')`, id, user.ID, cents)
	require.NoError(f.t, err)
	f.cents[user] += cents
	return f.admin.ask("/admin/corrections/"+id.String()+"/confirm", fields{})
}

// proposal returns the seller's proposal of a deal to the buyer, which needs no acceptance.
func (f *tradeFixture) proposal(buyer *person) request {
	return f.seller.ask("/deals/create", fields{
		"price": dollars(price), "description": "A channel", "deliveryDuration": 7, "buyerId": buyer.ID, "sellerId": f.seller.ID,
	})
}

// report returns the buyer's report of a deposit, which stays pending.
func (f *tradeFixture) report(buyer *person) request {
	return buyer.ask("/auth/deposit", fields{
		"amount": dollars(deposited), "transactionId": strings.ToUpper(uuid.NewString()[24:]), "paymentMethod": "Nagad",
	})
}

// deal proposes a deal to the buyer as the seller.
func (f *tradeFixture) deal(buyer *person) uuid.UUID {
	f.t.Helper()
	var deal struct {
		ID uuid.UUID `json:"_id"`
	}
	f.seller.do(f.proposal(buyer)).want(http.StatusCreated).into(&deal)
	return deal.ID
}

// payment returns the buyer's payment of a new deal.
func (f *tradeFixture) payment(buyer *person) request {
	f.t.Helper()
	f.cents[buyer] -= price
	return buyer.ask("/deals/pay/"+f.deal(buyer).String(), nil)
}

func (f *tradeFixture) payments(n int) []request {
	f.t.Helper()
	var requests []request
	for i := range n {
		requests = append(requests, f.payment(f.buyer(i)))
	}
	return requests
}

// completions returns the buyers' completions of deals that it has paid.
func (f *tradeFixture) completions(n int) []request {
	f.t.Helper()
	var requests []request
	paid := newLoadUsers(f.t)
	for i := range n {
		payment := f.payment(f.buyer(i))
		paid.retry(payment)
		requests = append(requests, payment.by.ask(strings.Replace(payment.path, "pay", "complete", 1), nil))
		f.cents[f.seller] += payout
	}
	paid.wait()
	return requests
}

// settlements returns the buyers' acceptances of the seller's offers in disputes about deals that
// it has paid.
func (f *tradeFixture) settlements(n int) []request {
	f.t.Helper()
	var payments, requests []request
	paid := newLoadUsers(f.t)
	for i := range n {
		payments = append(payments, f.payment(f.buyer(i)))
		paid.retry(payments[i])
	}
	paid.wait()
	for i, payment := range payments {
		var opened struct {
			Dispute struct {
				ID uuid.UUID `json:"_id"`
			}
		}
		deal := strings.TrimPrefix(payment.path, "/deals/pay/")
		payment.by.post("/deals/"+deal+"/dispute", fields{"reason": "other", "text": "It is not what was agreed."}).
			want(http.StatusCreated).into(&opened)
		var offered struct {
			Dispute struct {
				Offers []struct {
					ID uuid.UUID `json:"_id"`
				}
			}
		}
		path := "/disputes/" + opened.Dispute.ID.String() + "/offers"
		f.seller.post(path, fields{"buyerGets": dollars(splitBack)}).want(http.StatusOK).into(&offered)
		requests = append(requests, payment.by.ask(path+"/"+offered.Dispute.Offers[0].ID.String()+"/accept", nil))
		f.cents[f.buyer(i)] += splitBack
		f.cents[f.seller] += splitPaid
	}
	return requests
}

// withdrawal returns a withdrawal request of the users in turn, because pending ones per user are
// limited.
func (f *tradeFixture) withdrawal(i int) request {
	f.t.Helper()
	who := f.seller
	if i%(buyerCount+1) < buyerCount {
		who = f.buyer(i % (buyerCount + 1))
	}
	f.cents[who] -= withdrawn
	return who.ask("/withdraw", fields{"amount": dollars(withdrawn), "phonenumber": "01712345678", "paymentMethod": "Nagad"})
}

// requireOnce requires that everything requested, by kind, has happened exactly once.
func (f *tradeFixture) requireOnce(asked tally) {
	f.t.Helper()
	want := f.done.plus(asked)
	require.Equal(f.t, want, f.operations(), "one operation for each request")
	require.Equal(f.t, want, f.transfers(), "one transfer for each operation")
	total := 0
	for _, n := range want {
		total += n
	}
	require.Equal(f.t, total, f.count(`select count(*) from user_events where type = 'operationSettled'`), "the actor is told once")
	for what, twice := range map[string]string{
		"timelines":     `select from deal_events group by deal_id, kind having count(*) > 1`,
		"notifications": `select from notifications where kind like 'deal_%' group by user_id, kind, link having count(*) > 1`,
	} {
		require.Zero(f.t, f.count(`select count(*) from (`+twice+`) twice`), what)
	}
	require.Zero(f.t, f.count(`
		select count(*) from (select seq, row_number() over (partition by user_id order by seq) as n from user_events) e where seq <> n`),
		"event logs have no gaps")
	for person, cents := range f.cents {
		require.InDelta(f.t, dollars(cents), person.wallet(), 0.001, person.Username)
	}
	f.requireBooksInOrder()
}

func (p *person) wallet() float64 {
	p.t.Helper()
	var has struct{ Wallet float64 }
	p.get("/wallet").want(http.StatusOK).into(&has)
	return has.Wallet
}

// requireSettledInTime requires that no operation took longer than the bound.
func (f *tradeFixture) requireSettledInTime(bound time.Duration) {
	f.t.Helper()
	slowest := f.slowest()
	f.t.Logf("slowest operation: %s", slowest)
	require.LessOrEqual(f.t, slowest, bound)
}

// sqlSlowestPerCrash divides the time of each operation by the workers that died with it. All
// workers that attempted it died, except the one that settled it.
const sqlSlowestPerCrash = `
select max(extract(epoch from o.finished_at - o.created_at) / greatest(1, workers - 1))
  from operations o
 cross join lateral (
	select count(distinct worker) as workers
	  from river.river_job j, unnest(j.attempted_by) worker
	 where j.args->>'operation_id' = o.id::text) attempts`

// requireSettledAfterCrashes requires that no operation took longer than the bound for each worker
// that died with it. Use it where workers die one after the other and none but the last survives.
func (f *tradeFixture) requireSettledAfterCrashes(bound time.Duration) {
	f.t.Helper()
	var seconds float64
	require.NoError(f.t, f.db.Owner().QueryRow(f.t.Context(), sqlSlowestPerCrash).Scan(&seconds))
	perCrash := time.Duration(seconds * float64(time.Second)).Round(time.Millisecond)
	f.t.Logf("slowest operation: %s, %s for each crash", f.slowest(), perCrash)
	require.LessOrEqual(f.t, perCrash, bound)
}
