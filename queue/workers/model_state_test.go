package workers

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/domain/deals"
	"amanat/internal/money"
)

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
		may = append(may, move{"deliver", false}, move{"deliver", false}, move{"deliver", false})
	case d.requests < 3:
		may = append(may, move{"reset", true}, move{"reset", true}, move{"reset", true})
	}
	return may
}
