package workers

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"amanat/internal/domain/deals"
	"amanat/internal/lib/clock"
	"amanat/internal/money"
	"amanat/internal/testing/soak"
)

var modelActions = []string{
	"pay", "deliver", "remove", "complete", "force complete", "force cancel", "cancel", "accept", "decline", "reset", "support", "agree",
	"dispute", "counter", "take", "drop", "ship", "arrived",
}

// modelStories are the names of playStory, of which pendingStories are of deals that are not paid.
var (
	modelStories = append([]string{
		"accept late", "no answer", "hold at the deadline", "no new delivery", "declined", "twice to support", "a second dispute",
		"a party disabled for a time", "on its way",
	}, pendingStories...)
	pendingStories = []string{"an ended counter-offer", "paid before it is accepted"}
)

// scope runs its cleanups at the end of one check instead of the whole test, since each check has
// its own database.
type scope struct {
	testing.TB
	cleanups []func()
}

// Cleanup registers f to run at the end of the check.
func (s *scope) Cleanup(f func()) { s.cleanups = append(s.cleanups, f) }

func (s *scope) end() {
	for _, f := range slices.Backward(s.cleanups) {
		f()
	}
}

func newModelFixture(t testing.TB, counts map[string]int) *modelFixture {
	t.Helper()
	base := newFixtureAt(t, clock.NewStopped()) // so that no deadline passes between a step and its check
	f := &modelFixture{fixture: base, counts: counts, admin: base.admin("admin")}
	onWorker, ops := *base.deals, *base.ops
	ops.DB = base.db.Worker()
	onWorker.DB, onWorker.Operations = base.db.Worker(), &ops
	f.sweeper = &deals.Settler{Service: &onWorker, Rewards: base.rewards}
	services := f.services()
	services.Deals, services.Referrals = f.sweeper, f.rewards
	f.groups, f.kinds = newGroups(services), operationKinds(services)
	f.second = base.admin("second")
	f.names = map[uuid.UUID]string{}
	f.model = &model{
		now: base.clock.Now(), wallets: map[uuid.UUID]money.Cents{}, brought: map[uuid.UUID]uuid.UUID{},
		disabled: map[uuid.UUID]bool{}, held: map[uuid.UUID]bool{}, counts: counts,
	}
	for i := range 5 {
		id := base.withFunds(fmt.Sprintf("user%d", i), 900_00)
		f.users = append(f.users, id)
		f.names[id] = fmt.Sprintf("user%d", i)
		f.model.wallets[id] = 900_00
	}
	// User 0 referred users 1 and 2, and user 1 referred user 3. So a deal may reward one referrer
	// for both parties, two referrers, or none, and a referrer may be a party.
	for referred, referrer := range map[int]int{1: 0, 2: 0, 3: 1} {
		_, err := base.db.Owner().Exec(t.Context(), `update users set referred_by = $2 where id = $1`, f.users[referred], f.users[referrer])
		require.NoError(t, err)
		f.model.brought[f.users[referred]] = f.users[referrer]
	}
	return f
}

const (
	modelHits  = 100 // how often each case of modelMust occurs in a full run
	modelSteps = 90  // of one check
)

// modelMust lists the cases that a full run must cover. Paying conflicts only while a party is
// disabled or a counter-offer is open: only the buyer may pay, and a repeated payment returns the
// first outcome.
var modelMust = []string{
	"pay done", "pay conflict", "pay not_found", "pay forbidden", "pay insufficient_balance",
	"deliver done", "deliver not_found", "deliver forbidden", "deliver conflict", "remove done", "remove not_found", "remove conflict",
	"complete done", "complete not_found", "complete forbidden", "complete conflict", "force complete done", "force complete conflict",
	"force cancel done", "force cancel conflict", "cancel done", "cancel not_found", "cancel conflict",
	"accept done", "accept not_found", "accept forbidden", "accept conflict", "decline done", "decline not_found", "decline forbidden",
	"decline conflict", "reset done", "reset not_found", "reset forbidden", "reset conflict", "support done", "support not_found",
	"support conflict", "close support done",
	"agree done", "agree not_found", "agree forbidden", "agree conflict", "decline paid done",
	"clock expire", "clock complete", "clock refund", "clock refund_unanswered", "clock escalate", "clock held", "reminded",
	"suspended", "resumed", "cancel disabled seller", "accept past the exit", "complete held", "support again",
	"dispute done", "dispute not_found", "dispute conflict", "dispute again", "close dispute done", "offer done", "offer held",
	"counter done", "counter not_found", "counter conflict", "take done", "take not_found", "take forbidden", "take conflict", "drop done",
	"drop conflict", "pay countered",
	"ship done", "arrived done", "arrived not_found", "arrived forbidden", "arrived conflict", "inspection begun", "inspection begun before",
	"decide done", "accept decision done", "decide appeal done", "clock decision",
	"decision put off",
}

// The number of checks, each on its own database. The flag -rapid.checks overrides it.
func init() {
	if err := flag.Set("rapid.checks", strconv.Itoa(soak.Rounds(3, 30))); err != nil {
		panic(err)
	}
}

// modelCounts counts how often each case occurred, in all checks together.
type modelCounts struct {
	mu    sync.Mutex
	times map[string]int
}

func (c *modelCounts) add(times map[string]int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, n := range times {
		c.times[name] += n
	}
}

// rarest returns the case of modelMust that occurred least often, and how often.
func (c *modelCounts) rarest() (string, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	name := slices.MinFunc(modelMust, func(a, b string) int { return cmp.Compare(c.times[a], c.times[b]) })
	return name, c.times[name]
}

// checkModel runs random actions on the services and the model and compares them.
func checkModel(t *testing.T, counts *modelCounts) {
	t.Helper()
	rapid.Check(t, func(rt *rapid.T) {
		s := &scope{TB: t}
		defer s.end()
		times := map[string]int{}
		f := newModelFixture(s, times)
		for range modelSteps {
			f.step(rt)
			f.check(rt)
		}
		f.finish(rt)
		counts.add(times)
	})
}

// TestModel compares the services with the model. At night (make soak) it continues, on all cores,
// until every case of modelMust has occurred modelHits times.
func TestModel(t *testing.T) {
	t.Parallel()
	counts := &modelCounts{times: map[string]int{}}
	for least := -1; least < soak.Rounds(0, modelHits) && !t.Failed(); {
		t.Run("round", func(t *testing.T) {
			for range soak.Rounds(1, runtime.GOMAXPROCS(0)) {
				t.Run("", func(t *testing.T) {
					t.Parallel()
					checkModel(t, counts)
				})
			}
		})
		name, times := counts.rarest()
		t.Logf("the rarest case occurred %d of %d times: %s", times, modelHits, name)
		least = times
	}
	for _, name := range slices.Sorted(maps.Keys(counts.times)) {
		t.Logf("%6d  %s", counts.times[name], name)
	}
}

// model is a simple implementation of docs/rules.md#deals to compare the services with. It has no
// locks, operations or SQL, only the balance of every user and the state of every deal.
type model struct {
	now     time.Time
	wallets map[uuid.UUID]money.Cents
	fees    money.Cents
	brought map[uuid.UUID]uuid.UUID // referred user to referrer
	deals   []*modelDeal

	disabled, held map[uuid.UUID]bool // users
	counts         map[string]int     // how often each case occurred
}

type modelDeal struct {
	id                          uuid.UUID
	buyer, seller               uuid.UUID
	price, refunded             money.Cents
	status                      deals.Status
	inspection, delivery        time.Duration
	due, activated              time.Time
	deliveredAt, resetAt        time.Time
	askedAt                     time.Time
	onceDelivered, declined     bool
	shipped                     bool      // what was delivered last, unless it was taken back
	arrivedAt                   time.Time // as the buyer said
	requests                    int
	next                        deals.Action
	nextAt                      time.Time
	frozenAt                    time.Time
	frozenFor                   time.Duration
	support, freezing           map[uuid.UUID]bool // users with an open request, with one that freezes
	dispute                     *modelDispute      // that has not ended
	disputes                    map[uuid.UUID]int  // of each user so far
	froze                       map[uuid.UUID]bool // users whose request or dispute has frozen the deal before
	warnedAt, remindedAt        time.Time
	reminders                   int
	escalated, removed          bool
	suspended                   bool
	accepted                    bool
	exited, paidBy, completedBy uuid.UUID // the actors, for repeated requests
	exitedBy                    string
	counteroffer                *modelCounteroffer // the last one
	counteroffers               int                // so far
}

func (d *modelDeal) open() bool {
	return d.status == deals.Active || d.status == deals.Late || d.status == deals.Delivered
}

func (d *modelDeal) asked() bool  { return !d.askedAt.IsZero() }
func (d *modelDeal) frozen() bool { return !d.frozenAt.IsZero() }
func (d *modelDeal) from() time.Time {
	return slices.MaxFunc([]time.Time{d.due, d.activated.Add(day)}, time.Time.Compare)
}

// stood adds the time since the freeze to the deal's frozen time.
func (d *modelDeal) stood(now time.Time) {
	if !d.resetAt.IsZero() && !d.resetAt.After(d.frozenAt) {
		d.resetAt = d.resetAt.Add(now.Sub(d.frozenAt))
	}
	d.frozenFor += now.Sub(d.frozenAt)
}

func (d *modelDeal) movesMoney() bool {
	return d.next == deals.ActionComplete || d.next == deals.ActionRefund || d.next == deals.ActionRefundUnanswered
}

func (d *modelDeal) isParty(user uuid.UUID) bool { return user == d.buyer || user == d.seller }

func (m *model) partyDisabled(d *modelDeal) bool { return m.disabled[d.buyer] || m.disabled[d.seller] }

// replan sets the next deadline after a change. If the same action was already announced for a time
// that is not earlier, the warning and that time stay.
func (m *model) replan(d *modelDeal) {
	before, told := d.next, d.nextAt
	m.replanAnew(d)
	if d.movesMoney() && !d.warnedAt.IsZero() && d.next == before && !d.nextAt.After(told) {
		d.nextAt = told
		return
	}
	d.warnedAt = time.Time{}
}

func (m *model) replanAnew(d *modelDeal) {
	if d.frozen() {
		d.stood(m.now)
		d.frozenAt = m.now
	}
	if !d.open() {
		d.next, d.frozenAt, d.escalated, d.suspended, d.askedAt = "", time.Time{}, false, false, time.Time{}
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
		switch {
		case !d.arrivedAt.IsZero():
			d.nextAt = d.arrivedAt.Add(d.inspection)
		case d.shipped:
			d.nextAt = d.nextAt.Add(5 * day)
		}
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

// sensible returns what the parties can do with a deal in its present state. Moves that bring the
// deal forward are repeated, so that they are drawn more often.
func (m *model) sensible(d *modelDeal) []move {
	switch {
	case d.status == deals.Pending: // also with an insufficient balance
		return slices.Concat([]move{{"pay", true}, {"pay", true}}, acceptance(d), negotiation(d))
	case !d.open():
		return nil
	}
	if m.disabled[d.seller] && !d.onceDelivered {
		return []move{{"cancel", true}}
	}
	if m.held[d.buyer] {
		return append([]move{{"complete", true}, {"deliver", false}, {"deliver", false}}, acceptance(d)...)
	}
	may := append([]move{{"complete", true}}, acceptance(d)...)
	if d.dispute == nil {
		may = append(may, move{"dispute", true}, move{"dispute", false})
	}
	if d.support[d.buyer] {
		may = append(may, move{"support", true}, move{"support", true})
	}
	if d.requests < 3 && !d.asked() {
		may = append(may, move{"cancel", true}, move{"cancel", true})
	}
	if d.asked() && m.mayExit(d) {
		may = append(may, move{"accept", false}, move{"accept", false}, move{"accept", false})
	}
	switch {
	case d.asked():
		may = append(may, move{"decline", false}, move{"decline", false}, move{"accept", false})
	case d.status != deals.Delivered:
		may = append(may, move{"deliver", false}, move{"deliver", false}, move{"ship", false}, move{"ship", false})
	case d.shipped && d.arrivedAt.IsZero():
		may = append(may, move{"arrived", true}, move{"arrived", true}, move{"arrived", true})
	case d.requests < 3:
		may = append(may, move{"reset", true}, move{"reset", true}, move{"reset", true})
	}
	return may
}

// tick does what the deadline sweep does at the present time.
func (m *model) tick() {
	for _, d := range m.deals {
		m.lateness(d)
		m.warn(d)
		m.remind(d)
		m.carryOut(d)
		if d.removed || d.next == "" || d.frozen() || m.now.Before(d.nextAt) {
			continue
		}
		m.counts["clock "+string(d.next)]++
		fee := money.Fee(d.price)
		switch d.next {
		case deals.ActionExpire:
			d.removed = true
			m.replan(d)
		case deals.ActionComplete:
			if m.held[d.buyer] {
				m.counts["clock held"]++
				d.escalated = true
				m.replan(d)
				continue
			}
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

// warn records the warning that a deadline is less than a day away. A deadline that moves money is
// put off to at least a day after its warning.
func (m *model) warn(d *modelDeal) {
	if d.removed || d.next == "" || d.frozen() || m.now.Before(d.nextAt.Add(-day)) {
		return
	}
	if !d.warnedAt.IsZero() || !d.movesMoney() && !m.now.Before(d.nextAt) {
		return
	}
	d.warnedAt = m.now
	if d.movesMoney() && d.nextAt.Before(m.now.Add(day)) {
		d.nextAt = m.now.Add(day)
	}
}

// remind records the last reminder before a deadline, one for each warning.
func (m *model) remind(d *modelDeal) {
	if d.removed || d.next == "" || d.frozen() || !d.toRemind() || m.now.Before(d.warnedAt.Add(3*time.Hour)) {
		return
	}
	if m.now.Before(d.nextAt.Add(-3*time.Hour)) || !m.now.Before(d.nextAt) {
		return
	}
	d.remindedAt = m.now
	d.reminders++
	m.counts["reminded"]++
}

// toRemind reports whether a reminder is still to follow the warning.
func (d *modelDeal) toRemind() bool { return d.warnedAt.After(d.remindedAt) }

// nextStop returns the time until the next deadline, warning or reminder, or 0 if there is none.
func (m *model) nextStop() time.Duration {
	var stop time.Duration
	for _, d := range m.deals {
		times := []time.Time{}
		if d.status == deals.Active {
			times = append(times, d.due)
		}
		if d.next != "" && !d.frozen() && !d.removed {
			times = append(times, d.nextAt)
			if d.warnedAt.IsZero() {
				times = append(times, d.nextAt.Add(-day))
			}
			if d.toRemind() {
				times = append(times, d.nextAt.Add(-3*time.Hour))
			}
		}
		if x := d.dispute; x != nil && x.decided && !x.appealed {
			times = append(times, x.dueAt)
		}
		for _, at := range times {
			if until := at.Sub(m.now); until > 0 && (stop == 0 || until < stop) {
				stop = until
			}
		}
	}
	return stop
}

// disable freezes the deadlines of all open deals of a user until enable.
func (m *model) disable(user uuid.UUID) {
	m.disabled[user] = true
	for _, d := range m.deals {
		if !d.open() || !d.isParty(user) || d.suspended {
			continue
		}
		d.suspended = true
		if !d.frozen() {
			d.frozenAt = m.now
		}
		m.counts["suspended"]++
	}
}

func (m *model) enable(user uuid.UUID) {
	delete(m.disabled, user)
	for _, d := range m.deals {
		if !d.suspended || !d.isParty(user) || m.partyDisabled(d) {
			continue
		}
		d.suspended = false
		m.counts["resumed"]++
		if !d.holds() {
			m.thaw(d)
		}
	}
}

func (m *model) closeSupport(d *modelDeal, user uuid.UUID) {
	if d.freezing[user] && !d.activated.IsZero() {
		d.froze[user] = true
	}
	delete(d.support, user)
	delete(d.freezing, user)
	if d.holds() || d.suspended || !d.frozen() {
		return
	}
	m.thaw(d)
}

func (m *model) thaw(d *modelDeal) {
	stood := m.now.Sub(d.frozenAt)
	d.stood(m.now)
	d.frozenAt, d.warnedAt = time.Time{}, time.Time{}
	if d.next != "" {
		d.nextAt = slices.MaxFunc([]time.Time{d.nextAt.Add(stood), m.now.Add(day)}, time.Time.Compare)
	}
}
