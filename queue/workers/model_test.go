package workers

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"amanat/internal/deals"
	"amanat/internal/fault"
	"amanat/internal/money"
	"amanat/internal/operations"
	"amanat/internal/postgres"
	"amanat/internal/reports"
	"amanat/queue/jobs"
)

// model is DESIGN §3 "Deals" told again, in the plainest way, to be held against the real thing. It knows nothing of locks, operations or
// SQL: only what everybody has and where every deal stands.
type model struct {
	now     time.Time
	wallets map[uuid.UUID]money.Cents
	fees    money.Cents
	brought map[uuid.UUID]uuid.UUID // who brought whom
	deals   []*modelDeal
}

type modelDeal struct {
	id                          uuid.UUID
	buyer, seller               uuid.UUID
	price                       money.Cents
	status                      deals.Status
	inspection                  time.Duration
	due, activated              time.Time
	deliveredAt, resetAt        time.Time
	askedAt                     time.Time
	onceDelivered, declined     bool
	requests                    int
	next                        deals.Action
	nextAt                      time.Time
	frozenAt                    time.Time
	frozenFor                   time.Duration
	support                     map[uuid.UUID]bool
	escalated, removed          bool
	exited, paidBy, completedBy uuid.UUID // who did what, for doing it again
	exitedBy                    string
}

func (d *modelDeal) open() bool {
	return d.status == deals.Active || d.status == deals.Late || d.status == deals.Delivered
}

func (d *modelDeal) asked() bool  { return !d.askedAt.IsZero() }
func (d *modelDeal) frozen() bool { return !d.frozenAt.IsZero() }
func (d *modelDeal) from() time.Time {
	return slices.MaxFunc([]time.Time{d.due, d.activated.Add(day)}, time.Time.Compare)
}
func (m *model) mayExit(d *modelDeal) bool {
	return d.open() && !d.onceDelivered && !m.now.Before(d.from().Add(day))
}

// replan says what the clock waits for after a change.
func (m *model) replan(d *modelDeal) {
	if d.frozen() {
		d.frozenFor += m.now.Sub(d.frozenAt)
		d.frozenAt = m.now
	}
	if !d.open() {
		d.next, d.frozenAt, d.escalated, d.askedAt = "", time.Time{}, false, time.Time{}
		if d.status == deals.Pending && !d.removed {
			d.next, d.nextAt = deals.ActionExpire, d.due
		}
		return
	}
	refundAt := d.from().Add(14*day + d.frozenFor)
	switch {
	case d.escalated:
		d.next = ""
	case d.status == deals.Delivered:
		d.next, d.nextAt = deals.ActionComplete, d.deliveredAt.Add(d.inspection)
	case d.onceDelivered && d.asked():
		d.next, d.nextAt = deals.ActionEscalate, d.askedAt.Add(72*time.Hour)
	case d.onceDelivered:
		d.next, d.nextAt = deals.ActionEscalate, d.resetAt.Add(7*day)
	case d.asked() && d.askedAt.Add(72*time.Hour).Before(refundAt):
		d.next, d.nextAt = deals.ActionRefundUnanswered, d.askedAt.Add(72*time.Hour)
	default:
		d.next, d.nextAt = deals.ActionRefund, refundAt
	}
}

func (m *model) close(d *modelDeal, status deals.Status, toBuyer, toSeller money.Cents) {
	m.wallets[d.buyer] += toBuyer
	m.wallets[d.seller] += toSeller
	rest := d.price - toBuyer - toSeller
	if status == deals.Completed {
		rewarded := map[uuid.UUID]bool{}
		for _, party := range []uuid.UUID{d.buyer, d.seller} {
			referrer, ok := m.brought[party]
			if ok && referrer != d.buyer && referrer != d.seller && !rewarded[referrer] {
				rewarded[referrer] = true
				m.wallets[referrer] += d.price / 100
				rest -= d.price / 100
			}
		}
	}
	m.fees += rest
	d.status = status
	m.replan(d)
}

func (m *model) lateness(d *modelDeal) {
	if d.status == deals.Active && m.now.After(d.due) {
		d.status = deals.Late
	}
}

// tick is what the clock does at the present moment.
func (m *model) tick() {
	for _, d := range m.deals {
		m.lateness(d)
		if d.removed || d.next == "" || d.frozen() || m.now.Before(d.nextAt) {
			continue
		}
		fee := money.Fee(d.price)
		switch d.next {
		case deals.ActionExpire:
			d.removed = true
			m.replan(d)
		case deals.ActionComplete:
			m.close(d, deals.Completed, 0, d.price-fee)
		case deals.ActionRefund:
			m.close(d, deals.Cancelled, d.price, 0)
		case deals.ActionRefundUnanswered:
			back := d.price - fee
			if m.mayExit(d) {
				back = d.price
			}
			m.close(d, deals.Cancelled, back, 0)
		case deals.ActionEscalate:
			d.escalated = true
			m.replan(d)
		}
	}
}

func (m *model) takeBack(d *modelDeal) {
	d.status, d.resetAt = deals.Active, m.now
	m.lateness(d)
}

// act says what an action comes to: the code of its refusal, or "" with the model moved on.
func (m *model) act(name string, d *modelDeal, actor uuid.UUID, admin bool) fault.Code {
	m.lateness(d)
	force := name == "force complete" || name == "force cancel"
	if d.removed || (!admin || !force) && actor != d.buyer && actor != d.seller {
		return fault.NotFound
	}
	buyer, seller, fee := actor == d.buyer, actor == d.seller, money.Fee(d.price)
	switch name {
	case "pay":
		switch {
		case !buyer:
			return fault.Forbidden
		case d.status != deals.Pending && d.paidBy == actor:
			return ""
		case d.status != deals.Pending:
			return fault.Conflict
		case m.wallets[actor] < d.price:
			return fault.InsufficientBalance
		}
		m.wallets[actor] -= d.price
		d.status, d.activated, d.paidBy = deals.Active, m.now, actor
	case "deliver":
		switch {
		case !seller:
			return fault.Forbidden
		case d.status == deals.Delivered:
			return ""
		case d.status != deals.Active && d.status != deals.Late, d.asked():
			return fault.Conflict
		}
		d.status, d.deliveredAt, d.onceDelivered = deals.Delivered, m.now, true
	case "remove":
		if d.status != deals.Pending {
			return fault.Conflict
		}
		d.removed = true
	case "complete", "force complete":
		switch {
		case name == "complete" && !buyer:
			return fault.Forbidden
		case !d.open() && d.completedBy == actor:
			return ""
		case !d.open():
			return fault.Conflict
		}
		d.completedBy = actor
		m.close(d, deals.Completed, 0, d.price-fee)
	case "force cancel":
		if !d.open() {
			return refusedUnless(d.exited == actor && d.exitedBy == name)
		}
		d.exited, d.exitedBy = actor, name
		m.close(d, deals.Cancelled, d.price, 0)
	case "cancel":
		return m.cancel(d, actor, seller)
	case "accept":
		switch {
		case !seller:
			return fault.Forbidden
		case !d.open() || !d.asked():
			return refusedUnless(d.exited == actor && d.exitedBy == name)
		}
		d.exited, d.exitedBy = actor, name
		m.close(d, deals.Cancelled, d.price-fee, 0)
	case "decline":
		switch {
		case !seller:
			return fault.Forbidden
		case !d.open():
			return fault.Conflict
		case !d.asked():
			return refusedUnless(d.declined)
		}
		d.askedAt, d.declined = time.Time{}, true
	case "reset":
		switch {
		case !buyer:
			return fault.Forbidden
		case d.status != deals.Delivered && d.open() && !d.resetAt.IsZero() && d.resetAt.After(d.deliveredAt):
			return ""
		case d.status != deals.Delivered, d.requests == 3:
			return fault.Conflict
		}
		m.takeBack(d)
		d.requests++
	case "support":
		if d.support[actor] {
			return fault.Conflict
		}
		d.support[actor] = true
		if d.open() && !d.frozen() {
			d.frozenAt = m.now
		}
		return "" // the clock stands still as it is
	}
	m.replan(d)
	return ""
}

func (m *model) cancel(d *modelDeal, actor uuid.UUID, seller bool) fault.Code {
	switch {
	case !d.open():
		return refusedUnless(d.exited == actor && d.exitedBy == "cancel")
	case seller:
		d.exited, d.exitedBy = actor, "cancel"
		m.close(d, deals.CancelledBySeller, d.price, 0)
	case m.mayExit(d):
		d.exited, d.exitedBy = actor, "cancel"
		m.close(d, deals.CancelledByBuyer, d.price, 0)
	case d.asked():
		return ""
	case d.requests == 3:
		return fault.Conflict
	default:
		if d.status == deals.Delivered {
			m.takeBack(d)
		}
		d.askedAt, d.declined = m.now, false
		d.requests++
		m.replan(d)
	}
	return ""
}

func refusedUnless(again bool) fault.Code {
	if again {
		return ""
	}
	return fault.Conflict
}

// move is an action by the buyer or the seller.
type move struct {
	name  string
	buyer bool
}

func (v move) of(d *modelDeal) (string, uuid.UUID) {
	if v.buyer {
		return v.name, d.buyer
	}
	return v.name, d.seller
}

// sensible returns what the parties can do with a deal as it stands; what keeps it going more often, so that it gets somewhere.
func (m *model) sensible(d *modelDeal) []move {
	switch {
	case d.status == deals.Pending && m.wallets[d.buyer] >= d.price:
		return []move{{"pay", true}}
	case !d.open():
		return nil
	}
	may := []move{{"complete", true}}
	if d.support[d.buyer] {
		may = append(may, move{"support", true}, move{"support", true})
	}
	if d.requests < 3 && !d.asked() {
		may = append(may, move{"cancel", true}, move{"cancel", true})
	}
	switch {
	case d.asked():
		may = append(may, move{"decline", false}, move{"decline", false}, move{"accept", false})
	case d.status != deals.Delivered:
		may = append(may, move{"deliver", false}, move{"deliver", false}, move{"deliver", false})
	case d.requests < 3:
		may = append(may, move{"reset", true}, move{"reset", true}, move{"reset", true})
	}
	return may
}

func (m *model) closeSupport(d *modelDeal, user uuid.UUID) {
	delete(d.support, user)
	if len(d.support) > 0 || !d.frozen() {
		return
	}
	stood := m.now.Sub(d.frozenAt)
	d.frozenFor += stood
	d.frozenAt = time.Time{}
	if d.next != "" {
		d.nextAt = slices.MaxFunc([]time.Time{d.nextAt.Add(stood), m.now.Add(day)}, time.Time.Compare)
	}
}

// world is the real thing under the model's eyes: a database, and operations settled as workers do but without waiting for River.
type world struct {
	*bench
	sweeper *deals.Service
	model   *model
	users   []uuid.UUID
	admin   uuid.UUID
	counts  map[string]int
}

func (w *world) settle(op operations.Operation) error {
	ctx := w.t.Context()
	var refusal *fault.Error
	settle := map[string]func() (any, error){}
	return postgres.WithTx(ctx, w.db.Worker(), func(tx *postgres.Tx) error {
		locked, err := w.ops.Lock(ctx, tx, op.ID)
		if err != nil || locked.Status != operations.Pending {
			return err
		}
		settle[jobs.KindDealPay] = func() (any, error) { return w.sweeper.SettlePay(ctx, tx, locked) }
		settle[jobs.KindDealComplete] = func() (any, error) { return w.sweeper.SettleComplete(ctx, tx, locked) }
		settle[jobs.KindDealRefund] = func() (any, error) { return w.sweeper.SettleRefund(ctx, tx, locked) }
		settle[jobs.KindReferralCredit] = func() (any, error) { return w.rewards.SettleCredit(ctx, tx, locked) }
		result, err := settle[locked.Kind]()
		if errors.As(err, &refusal) {
			return fmt.Errorf("a worker refused what the api had let through: %w", err)
		}
		if err != nil {
			return err
		}
		return w.ops.Finish(ctx, tx, locked, result)
	})
}

// drain settles everything that is pending.
func (w *world) drain() error {
	for {
		rows, err := w.db.Owner().Query(w.t.Context(), `select id from operations where status = 'pending' order by created_at`)
		if err != nil {
			return err
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			if err := w.settle(operations.Operation{ID: id}); err != nil {
				return err
			}
		}
	}
}

func (w *world) try(name string, d *modelDeal, actor uuid.UUID) error {
	ctx := w.t.Context()
	var err error
	switch name {
	case "pay":
		_, err = w.deals.RequestPay(ctx, actor, d.id, nil)
	case "deliver":
		_, err = w.deals.Deliver(ctx, actor, d.id)
	case "remove":
		err = w.deals.Remove(ctx, actor, d.id)
	case "complete":
		_, err = w.deals.RequestComplete(ctx, actor, d.id, nil)
	case "force complete":
		_, err = w.deals.RequestForceComplete(ctx, actor, d.id, nil)
	case "force cancel":
		_, err = w.deals.RequestForceCancel(ctx, actor, d.id, nil)
	case "cancel":
		_, err = w.deals.Cancel(ctx, actor, d.id, nil)
	case "accept":
		_, err = w.deals.RequestAcceptCancellation(ctx, actor, d.id, nil)
	case "decline":
		_, err = w.deals.DeclineCancellation(ctx, actor, d.id)
	case "reset":
		_, err = w.deals.ResetDelivery(ctx, actor, d.id)
	case "support":
		err = w.deals.RequestSupport(ctx, actor, d.id, "Please look.", nil)
	}
	return err
}

var modelActions = []string{
	"pay", "deliver", "remove", "complete", "force complete", "force cancel", "cancel", "accept", "decline", "reset", "support",
}

func (w *world) step(rt *rapid.T) {
	name := rapid.SampledFrom(append(slices.Clone(modelActions), "create", "advance", "advance", "close support", "reset")).Draw(rt, "action")
	open := slices.DeleteFunc(slices.Clone(w.model.deals), func(d *modelDeal) bool { return d.removed })
	switch {
	case name == "advance":
		w.advance(w.pause(rt))
		return
	case name == "create" || len(open) == 0:
		w.create(rt)
		return
	}
	// The deals of late, and every other time something that can be done: the rest are refusals.
	d := open[max(0, len(open)-1-rapid.IntRange(0, 3).Draw(rt, "deal"))]
	if name == "close support" {
		w.closeSupport(d)
		return
	}
	actor := rapid.SampledFrom([]uuid.UUID{d.buyer, d.seller, w.users[0]}).Draw(rt, "actor")
	if sensible := w.model.sensible(d); len(sensible) > 0 && rapid.Bool().Draw(rt, "sensible") {
		name, actor = rapid.SampledFrom(sensible).Draw(rt, "what").of(d)
	}
	admin := name == "force complete" || name == "force cancel"
	if admin {
		actor = w.admin
	}
	before := ""
	expected := w.model.act(name, d, actor, admin)
	if expected != "" {
		before = w.books()
	}
	err := w.try(name, d, actor)
	require.Equal(rt, expected, fault.CodeOf(err), "%s of a %s deal: %v", name, d.status, err)
	if expected != "" {
		require.Equal(rt, before, w.books(), "a refused %s changed something", name)
	}
	w.counts[name+" "+cmp.Or(string(expected), "done")]++
}

// pause is how long nothing happens: some time, or until just before or after the clock of some deal strikes.
func (w *world) pause(rt *rapid.T) time.Duration {
	pauses := []time.Duration{time.Hour, 11 * time.Hour, day, 8 * day}
	for _, d := range w.model.deals {
		if until := d.nextAt.Sub(w.model.now); d.next != "" && !d.removed && until > 0 {
			pauses = append(pauses, until+time.Minute)
			if d.next != deals.ActionExpire {
				pauses = append(pauses, until-time.Minute, until+time.Minute, until+time.Minute)
			}
		}
	}
	return max(0, rapid.SampledFrom(pauses).Draw(rt, "time"))
}

func (w *world) create(rt *rapid.T) {
	pair := rapid.Permutation(w.users[1:]).Draw(rt, "parties")
	draft := deals.Draft{
		BuyerID: pair[0], SellerID: pair[1], Description: "A channel",
		Price:          money.Cents(rapid.Int64Range(1, 400_00).Draw(rt, "price")),
		DeliveryDays:   rapid.IntRange(1, 9).Draw(rt, "delivery"),
		InspectionDays: rapid.IntRange(1, 10).Draw(rt, "inspection"),
	}
	made, err := w.deals.Create(w.t.Context(), pair[0], draft, nil)
	require.NoError(rt, err)
	d := &modelDeal{
		id: made.ID, buyer: pair[0], seller: pair[1], price: draft.Price, status: deals.Pending,
		inspection: time.Duration(draft.InspectionDays) * day, due: made.DueAt, support: map[uuid.UUID]bool{},
	}
	w.model.replan(d)
	w.model.deals = append(w.model.deals, d)
}

func (w *world) closeSupport(d *modelDeal) {
	for user := range d.support {
		id, err := w.openSupport(d.id, user)
		require.NoError(w.t, err)
		require.NoError(w.t, w.deals.CloseSupport(w.t.Context(), w.admin, id))
		w.model.closeSupport(d, user)
		w.counts["close support done"]++
		return
	}
}

func (w *world) openSupport(dealID, user uuid.UUID) (id uuid.UUID, err error) {
	err = w.db.Owner().QueryRow(w.t.Context(),
		`select id from support_requests where deal_id = $1 and user_id = $2 and closed_at is null`, dealID, user).Scan(&id)
	return id, err
}

func (w *world) advance(step time.Duration) {
	w.clock.Advance(step)
	w.model.now = w.clock.Now()
	for _, d := range w.model.deals {
		if !d.removed && d.next != "" && !d.frozen() && !w.model.now.Before(d.nextAt) {
			w.counts["clock "+string(d.next)]++
		}
	}
	w.model.tick()
	_, err := w.sweeper.Sweep(w.t.Context())
	require.NoError(w.t, err)
}

// check compares what is with what should be.
func (w *world) check(rt *rapid.T) {
	require.NoError(rt, w.drain())
	w.model.now = w.clock.Now()
	for _, d := range w.model.deals {
		w.model.lateness(d)
		got, err := w.deals.GetAny(w.t.Context(), w.admin, d.id)
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
		require.Equal(rt, d.requests, got.Requests, "requests")
	}
	for user, want := range w.model.wallets {
		require.Equal(rt, want, w.balance(user), "wallet")
	}
	findings, err := reports.Reconcile(w.t.Context(), w.db.Worker())
	require.NoError(rt, err)
	require.Empty(rt, findings)
}

// finish lets all time pass: no deal may be left lying about.
func (w *world) finish(rt *rapid.T) {
	for _, d := range w.model.deals {
		for len(d.support) > 0 {
			w.closeSupport(d)
		}
	}
	for range 6 {
		w.advance(40 * day)
		w.check(rt)
	}
	for _, d := range w.model.deals {
		require.True(rt, d.removed || d.escalated || !d.open() && d.status != deals.Pending, "a %s deal is left", d.status)
	}
}

// scope is a test whose cleanups run when one check ends, not when all do: each check has a database of its own.
type scope struct {
	testing.TB
	cleanups []func()
}

// Cleanup registers work for the end of the check.
func (s *scope) Cleanup(f func()) { s.cleanups = append(s.cleanups, f) }

func (s *scope) end() {
	for _, f := range slices.Backward(s.cleanups) {
		f()
	}
}

func newWorld(t testing.TB, counts map[string]int) *world {
	t.Helper()
	b := newBench(t)
	w := &world{bench: b, counts: counts, admin: b.admin("admin")}
	onWorker, ops := *b.deals, *b.ops
	ops.DB = b.db.Worker()
	onWorker.DB, onWorker.Operations, onWorker.Rewards = b.db.Worker(), &ops, b.rewards
	w.sweeper = &onWorker
	w.model = &model{now: b.clock.Now(), wallets: map[uuid.UUID]money.Cents{}, brought: map[uuid.UUID]uuid.UUID{}}
	for i := range 5 {
		id := b.withFunds(fmt.Sprintf("user%d", i), 900_00)
		w.users = append(w.users, id)
		w.model.wallets[id] = 900_00
	}
	// One brings two, one of those brings another: rewards to one for both parties, to two, to a party, to nobody.
	for referred, referrer := range map[int]int{1: 0, 2: 0, 3: 1} {
		_, err := b.db.Owner().Exec(t.Context(), `update users set referred_by = $2 where id = $1`, w.users[referred], w.users[referrer])
		require.NoError(t, err)
		w.model.brought[w.users[referred]] = w.users[referrer]
	}
	return w
}

// What the model test must have met at least this often.
const (
	modelHits  = 100
	modelSteps = 90
)

var modelMust = []string{
	"pay done", "pay not_found", "pay forbidden", "pay conflict", "pay insufficient_balance",
	"deliver done", "deliver not_found", "deliver forbidden", "deliver conflict", "remove done", "remove not_found", "remove conflict",
	"complete done", "complete not_found", "complete forbidden", "complete conflict", "force complete done", "force complete conflict",
	"force cancel done", "force cancel conflict", "cancel done", "cancel not_found", "cancel conflict",
	"accept done", "accept not_found", "accept forbidden", "accept conflict", "decline done", "decline not_found", "decline forbidden",
	"decline conflict", "reset done", "reset not_found", "reset forbidden", "reset conflict", "support done", "support not_found",
	"support conflict", "close support done",
	"clock expire", "clock complete", "clock refund", "clock refund_unanswered", "clock escalate",
}

func TestDealsAgainstTheModel(t *testing.T) {
	t.Parallel()
	counts := map[string]int{}
	enough := func() bool {
		return !slices.ContainsFunc(modelMust, func(name string) bool { return counts[name] < modelHits })
	}
	for !enough() && !t.Failed() {
		t.Run("", func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				if enough() {
					return
				}
				s := &scope{TB: t}
				defer s.end()
				w := newWorld(s, counts)
				for range modelSteps {
					w.step(rt)
					w.check(rt)
				}
				w.finish(rt)
			})
		})
		if testing.Short() {
			break
		}
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%6d  %s", counts[name], name)
	}
}
