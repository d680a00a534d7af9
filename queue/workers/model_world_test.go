package workers

import (
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"amanat/internal/domain/deals"
	"amanat/internal/domain/reports"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
	"amanat/internal/money/operations"
)

// modelFixture has the services on a database, and the model to compare them with. Operations are
// settled as workers do, but fetched without River.
type modelFixture struct {
	*fixture
	sweeper *deals.Settler
	model   *model
	users   []uuid.UUID
	names   map[uuid.UUID]string
	admin   uuid.UUID
	second  uuid.UUID // another admin
	counts  map[string]int
	groups  *groups
	kinds   map[string]operationKind
}

// drain settles all pending operations: those on deals in groups, the others by themselves.
func (f *modelFixture) drain() error {
	ctx := f.t.Context()
	for {
		tasks, err := f.fetch()
		if err != nil || len(tasks) == 0 {
			return err
		}
		grouped := slices.DeleteFunc(slices.Clone(tasks), func(t *task) bool { return t.kind.queueLock == nil })
		settled := f.groups.settleGroup(ctx, grouped)
		for _, t := range tasks {
			if slices.Contains(settled, t) {
				continue
			}
			if err := f.groups.services.settleAlone(ctx, t); err != nil {
				return err
			}
		}
		for _, t := range tasks {
			op, err := operations.Get(ctx, f.db.API(), t.operation)
			if err == nil {
				err = op.Err()
			}
			if err != nil {
				return fmt.Errorf("a worker refused what the api had let through: %w", err)
			}
		}
	}
}

// fetch takes all money jobs, each of which is worked once.
func (f *modelFixture) fetch() ([]*task, error) {
	rows, err := f.db.Owner().Query(f.t.Context(), `
		delete from river.river_job where queue = 'money' and state = 'available' returning kind, (args ->> 'operation_id')::uuid`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (*task, error) {
		t := &task{}
		err := row.Scan(&t.jobKind, &t.operation)
		kind := f.kinds[t.jobKind]
		t.kind = &kind
		return t, err
	})
}

func (f *modelFixture) try(name string, d *modelDeal, actor uuid.UUID) error {
	ctx := f.t.Context()
	var err error
	switch name {
	case "pay":
		_, err = f.deals.RequestPay(ctx, actor, d.id, deals.AnyTerms, nil)
	case "deliver":
		_, err = f.deals.Deliver(ctx, actor, d.id, deals.Words{})
	case "ship":
		_, err = f.deals.Ship(ctx, actor, d.id, deals.Words{}, "Pathao", "77")
	case "arrived":
		_, err = f.deals.Arrived(ctx, actor, d.id)
	case "remove":
		_, err = f.deals.Remove(ctx, actor, d.id, nil)
	case "agree":
		_, err = f.deals.Accept(ctx, actor, d.id)
	case "complete":
		_, err = f.deals.RequestComplete(ctx, actor, d.id, nil)
	case "force complete":
		_, err = f.deals.RequestForceComplete(ctx, actor, d.id, nil)
	case "force cancel":
		_, err = f.deals.RequestForceCancel(ctx, actor, d.id, nil)
	case "cancel":
		_, err = f.deals.Cancel(ctx, actor, d.id, nil)
	case "accept":
		_, err = f.deals.RequestAcceptCancellation(ctx, actor, d.id, nil)
	case "decline":
		_, err = f.deals.DeclineCancellation(ctx, actor, d.id)
	case "reset":
		_, err = f.deals.ResetDelivery(ctx, actor, d.id, "Please change the colours.")
	case "dispute":
		_, err = f.deals.OpenDispute(ctx, actor, d.id, deals.DisputeOther, words("Please look."), nil)
	case "counter", "take", "drop":
		err = f.tryCounteroffer(name, d, actor)
	case "support":
		err = f.deals.RequestSupport(ctx, actor, d.id, "Please look.", nil)
	}
	return err
}

// pause draws how far to advance the time: a fixed span, or to just before or after a deal's
// deadline.
func (f *modelFixture) pause(rt *rapid.T) time.Duration {
	pauses := []time.Duration{time.Hour, 11 * time.Hour, day, 8 * day}
	for _, d := range f.model.deals {
		if until := d.nextAt.Sub(f.model.now); d.next != "" && !d.removed && until > 0 {
			pauses = append(pauses, until+time.Minute)
			if d.next != deals.ActionExpire {
				pauses = append(pauses, until-time.Minute, until+time.Minute, until+time.Minute)
			}
		}
	}
	return max(0, rapid.SampledFrom(pauses).Draw(rt, "time"))
}

func (f *modelFixture) create(rt *rapid.T) {
	pair := rapid.Permutation(f.users[1:]).Draw(rt, "parties")
	if f.model.disabled[pair[0]] || f.model.disabled[pair[1]] {
		return
	}
	// One price range in five exceeds every user's balance, and one is of prices that do not count.
	most := rapid.SampledFrom([]int64{1_20, 400_00, 400_00, 400_00, 4000_00}).Draw(rt, "most")
	inspection := rapid.IntRange(1, 10).Draw(rt, "inspection")
	draft := deals.Draft{
		BuyerID: &pair[0], SellerID: &pair[1], Terms: deals.Terms{
			Description:    "A channel",
			Price:          money.Cents(rapid.Int64Range(1, most).Draw(rt, "price")),
			DeliveryDays:   rapid.IntRange(1, 9).Draw(rt, "delivery"),
			InspectionDays: inspection,
		},
	}
	maker := rapid.SampledFrom(pair[:2]).Draw(rt, "maker")
	made, err := f.deals.Create(f.t.Context(), maker, draft, nil)
	if maker == pair[0] && !f.model.mayOffer(pair[0], pair[1]) {
		require.Equal(rt, fault.Conflict, fault.CodeOf(err))
		return
	}
	require.NoError(rt, err)
	d := &modelDeal{
		id: made.ID, buyer: pair[0], seller: pair[1], price: draft.Price, status: deals.Pending,
		inspection: time.Duration(inspection) * day, delivery: time.Duration(draft.DeliveryDays) * day, due: made.DueAt,
		support: map[uuid.UUID]bool{}, freezing: map[uuid.UUID]bool{}, froze: map[uuid.UUID]bool{}, disputes: map[uuid.UUID]int{},
		accepted: maker == pair[1],
	}
	f.model.replan(d)
	f.model.deals = append(f.model.deals, d)
}

func (f *modelFixture) openSupport(dealID, user uuid.UUID) (id uuid.UUID, err error) {
	err = f.db.Owner().QueryRow(f.t.Context(),
		`select id from support_requests where deal_id = $1 and user_id = $2 and closed_at is null`, dealID, user).Scan(&id)
	return id, err
}

// advance lets time pass. If working is set, the sweep and the workers run a minute after each
// deadline on the way, otherwise only at the end.
func (f *modelFixture) advance(step time.Duration, working bool) {
	for {
		part := step
		if stop := f.model.nextStop(); working && stop > 0 {
			part = min(step, stop+time.Minute)
		}
		f.clock.Advance(part)
		f.model.now = f.clock.Now()
		f.model.tick()
		_, err := f.sweeper.Sweep(f.t.Context())
		require.NoError(f.t, err)
		require.NoError(f.t, f.drain())
		if step -= part; step <= 0 {
			return
		}
	}
}

// standing disables a user or holds their withdrawals, or enables or releases all users.
func (f *modelFixture) standing(name string, user uuid.UUID) {
	ctx, people := f.t.Context(), f.people()
	var err error
	switch name {
	case "disable":
		err = people.DisableUser(ctx, f.admin, user, "")
		f.model.disable(user)
	case "enable":
		for _, user := range f.users {
			if f.model.disabled[user] {
				require.NoError(f.t, people.EnableUser(ctx, f.admin, user))
				f.model.enable(user)
			}
		}
	case "hold":
		_, err = people.HoldWithdrawals(ctx, f.names[user])
		f.model.held[user] = true
	case "release":
		for user := range f.model.held {
			_, err = people.ReleaseWithdrawals(ctx, f.names[user])
			require.NoError(f.t, err)
			delete(f.model.held, user)
		}
	}
	require.NoError(f.t, err)
	f.counts[name]++
}

// check compares the deals, scores and wallets with the model and reconciles the books.
func (f *modelFixture) check(rt *rapid.T) {
	require.NoError(rt, f.drain())
	f.model.now = f.clock.Now()
	for _, d := range f.model.deals {
		f.model.lateness(d)
		got, err := f.deals.GetAny(f.t.Context(), f.admin, d.id)
		if d.removed {
			require.Equal(rt, fault.NotFound, fault.CodeOf(err))
			continue
		}
		require.NoError(rt, err)
		require.Equal(rt, d.status, got.Status, "status")
		require.Equal(rt, d.next, got.NextAction, "next action of a %s deal", d.status)
		if d.next != "" && !d.frozen() {
			require.WithinDuration(rt, d.nextAt, *got.NextActionAt, 2*time.Minute, "when")
		}
		require.Equal(rt, d.asked(), got.CancellationRequested, "requested")
		require.Equal(rt, d.frozen(), got.Frozen(), "frozen")
		require.Equal(rt, d.escalated, got.EscalatedAt != nil, "escalated")
		require.Equal(rt, d.suspended, got.SuspendedAt != nil, "suspended")
		require.Equal(rt, !d.warnedAt.IsZero(), got.WarnedAt != nil, "warned")
		for _, party := range []uuid.UUID{d.buyer, d.seller} {
			require.Equal(rt, d.reminders, f.count(`
				select count(*) from notifications
				 where user_id = $1 and link = '/deal/' || $2::uuid and kind like '%\_next'`, party, d.id), "reminders")
		}
		require.Equal(rt, d.requests, got.Requests, "requests")
		require.Equal(rt, d.accepted, got.Accepted(), "accepted")
		require.Equal(rt, d.price, got.Price, "price")
		require.Equal(rt, d.countered(), got.CounterofferBy != nil, "open counter-offer")
	}
	f.checkScores(rt)
	for user, want := range f.model.wallets {
		require.Equal(rt, want, f.balance(user), "wallet")
	}
	findings, err := reports.Reconcile(f.t.Context(), f.db.Worker())
	require.NoError(rt, err)
	require.Empty(rt, findings)
}

// finish lets all deadlines pass. Every deal must then be closed, removed or escalated.
func (f *modelFixture) finish(rt *rapid.T) {
	f.standing("enable", uuid.Nil)
	f.standing("release", uuid.Nil)
	for _, d := range f.model.deals {
		for len(d.support) > 0 {
			f.closeSupport(d)
		}
		f.closeDispute(d)
		if d.dispute != nil && d.dispute.appealed {
			f.decideAppeal(d, f.disputeID(d), 0)
		}
	}
	// A decision that nobody has carried out in time is put off by a day, so at last they work.
	for _, working := range []bool{false, false, false, false, false, true} {
		f.advance(40*day, working)
		f.check(rt)
	}
	for _, d := range f.model.deals {
		require.True(rt, d.removed || d.escalated || !d.open() && d.status != deals.Pending, "a %s deal is left", d.status)
	}
}

// agree is the seller's acceptance of a deal that the buyer created.
func (m *model) agree(d *modelDeal, seller bool) fault.Code {
	switch {
	case !seller:
		return fault.Forbidden
	case d.status != deals.Pending && !d.open():
		return fault.Conflict
	case d.accepted:
	case d.countered():
		return fault.Conflict
	default:
		d.accepted = true
		m.replan(d)
	}
	return ""
}

// declinePaid is the seller declining a paid deal that they never accepted. The buyer is refunded
// in full.
func (m *model) declinePaid(d *modelDeal, seller uuid.UUID) fault.Code {
	const declined = "declined"
	if !d.open() {
		return refusedUnless(d.exited == seller && d.exitedBy == declined)
	}
	d.exited, d.exitedBy = seller, declined
	m.close(d, deals.CancelledBySeller, d.price, 0)
	return ""
}

// acceptance returns what a seller can do with a deal that they have not accepted.
func acceptance(d *modelDeal) []move {
	if d.accepted {
		return nil
	}
	moves := []move{{"agree", false}, {"remove", false}}
	if d.status == deals.Pending {
		moves = append(moves, move{"agree", false})
	}
	return moves
}

// mayOffer reports whether the buyer may create one more deal that the seller has to accept.
func (m *model) mayOffer(buyer, seller uuid.UUID) bool {
	ofPair, ofMaker := 0, 0
	for _, d := range m.deals {
		if d.accepted || d.removed || d.status != deals.Pending && !d.open() {
			continue
		}
		if d.buyer == buyer {
			ofMaker++
		}
		if d.buyer == buyer && d.seller == seller || d.buyer == seller && d.seller == buyer {
			ofPair++
		}
	}
	return ofPair < 10 && ofMaker < 50
}

// checkScores compares the completed and finished deals of all users. A deal that its seller never
// accepted, or that costs less than $1, does not count.
func (f *modelFixture) checkScores(rt *rapid.T) {
	for _, user := range f.users {
		completed, finished := 0, 0
		for _, d := range f.model.deals {
			over := d.status != deals.Pending && !d.open()
			if !over || !d.accepted || d.price < 1_00 || d.buyer != user && d.seller != user {
				continue
			}
			finished++
			if d.status == deals.Completed && 2*d.refunded <= d.price {
				completed++
			}
		}
		standing, err := (&reports.Service{DB: f.db.API()}).Standing(f.t.Context(), user, reports.Period{})
		require.NoError(rt, err)
		require.Equal(rt, []int{completed, finished}, []int{standing.Completed, standing.Finished}, "completed and finished deals")
	}
}

// modelCounteroffer is the last counter-offer of a deal.
type modelCounteroffer struct {
	id     uuid.UUID
	maker  uuid.UUID
	price  money.Cents
	status deals.CounterofferStatus
}

// countered reports whether the deal waits for an answer to a counter-offer.
func (d *modelDeal) countered() bool {
	return d.counteroffer != nil && d.counteroffer.status == deals.CounterofferOpen
}

// nextPrice is the price of the next counter-offer, which differs from all earlier ones.
func (d *modelDeal) nextPrice() money.Cents {
	if d.counteroffer == nil {
		return d.price + 3
	}
	return max(d.price, d.counteroffer.price) + 3
}

// counter makes a counter-offer, whose ID is not known to the model yet.
func (m *model) counter(d *modelDeal, actor uuid.UUID) fault.Code {
	if d.status != deals.Pending || m.partyDisabled(d) || d.counteroffers == 30 {
		return fault.Conflict
	}
	d.counteroffer = &modelCounteroffer{maker: actor, price: d.nextPrice(), status: deals.CounterofferOpen}
	d.counteroffers++
	m.replan(d)
	return ""
}

// take accepts the last counter-offer.
func (m *model) take(d *modelDeal, actor uuid.UUID) fault.Code {
	o := d.counteroffer
	switch {
	case o == nil:
		return fault.NotFound
	case o.maker == actor:
		return fault.Forbidden
	case o.status == deals.CounterofferAccepted:
		return ""
	case o.status != deals.CounterofferOpen, m.partyDisabled(d):
		return fault.Conflict
	}
	o.status = deals.CounterofferAccepted
	d.price, d.accepted, d.due = o.price, true, m.now.Add(d.delivery)
	m.replan(d)
	return ""
}

// drop withdraws the last counter-offer, as its maker, or declines it.
func (m *model) drop(d *modelDeal, actor uuid.UUID) fault.Code {
	o, status := d.counteroffer, deals.CounterofferDeclined
	switch {
	case o == nil:
		return fault.NotFound
	case o.maker == actor:
		status = deals.CounterofferWithdrawn
	}
	switch o.status {
	case status:
	case deals.CounterofferOpen:
		o.status = status
		m.replan(d)
	default:
		return fault.Conflict
	}
	return ""
}

// negotiation returns what the parties can do about the terms of a deal that is not paid.
func negotiation(d *modelDeal) []move {
	if !d.countered() {
		return []move{{"counter", true}, {"counter", false}}
	}
	byBuyer := d.counteroffer.maker == d.buyer
	return []move{{"take", !byBuyer}, {"take", !byBuyer}, {"drop", true}, {"drop", false}, {"counter", !byBuyer}}
}

// tryCounteroffer makes, accepts or ends a counter-offer with the services. It runs after the
// model, which has the price.
func (f *modelFixture) tryCounteroffer(name string, d *modelDeal, actor uuid.UUID) error {
	ctx := f.t.Context()
	id := uuid.New() // of none
	if d.counteroffer != nil {
		id = d.counteroffer.id
	}
	switch {
	case name == "counter":
		price := d.nextPrice()
		if d.countered() {
			price = d.counteroffer.price
		}
		made, err := f.deals.MakeCounteroffer(ctx, actor, d.id, deals.Terms{
			Price: price, Description: "A channel", DeliveryDays: int(d.delivery / (24 * time.Hour)), InspectionDays: int(d.inspection / day),
		}, "", nil)
		if err == nil {
			d.counteroffer.id = made.Counteroffer.ID
		}
		return err
	case name == "take":
		_, err := f.deals.AcceptCounteroffer(ctx, actor, d.id, id)
		return err
	case d.counteroffer != nil && d.counteroffer.maker == actor:
		_, err := f.deals.WithdrawCounteroffer(ctx, actor, d.id, id)
		return err
	default:
		_, err := f.deals.DeclineCounteroffer(ctx, actor, d.id, id)
		return err
	}
}
