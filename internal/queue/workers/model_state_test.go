package workers

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/domain/deals"
	"amanat/internal/money"
)

// model is docs/rules.md#deals told again, in the plainest way, to be held against the real thing. It knows nothing of locks, operations or
// SQL: only what everybody has and where every deal stands.
type model struct {
	now     time.Time
	wallets map[uuid.UUID]money.Cents
	fees    money.Cents
	brought map[uuid.UUID]uuid.UUID // who brought whom
	deals   []*modelDeal

	disabled, held map[uuid.UUID]bool // people
	counts         map[string]int     // of what was met
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
	support, answered           map[uuid.UUID]bool // who has a request open, who has had one closed
	warnedAt                    time.Time
	escalated, removed          bool
	suspended                   bool
	accepted                    bool
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

// stood counts the time that the clock stood still until now.
func (d *modelDeal) stood(now time.Time) {
	if !d.resetAt.IsZero() && !d.resetAt.After(d.frozenAt) {
		d.resetAt = d.resetAt.Add(now.Sub(d.frozenAt))
	}
	d.frozenFor += now.Sub(d.frozenAt)
}

// supportHolds tells whether somebody's first request is open.
func (d *modelDeal) supportHolds() bool {
	for user := range d.support {
		if !d.answered[user] {
			return true
		}
	}
	return false
}

func (d *modelDeal) movesMoney() bool {
	return d.next == deals.ActionComplete || d.next == deals.ActionRefund || d.next == deals.ActionRefundUnanswered
}

func (d *modelDeal) isParty(user uuid.UUID) bool { return user == d.buyer || user == d.seller }

func (m *model) partyDisabled(d *modelDeal) bool { return m.disabled[d.buyer] || m.disabled[d.seller] }

// replan says what the clock waits for after a change. A warning of the same holds, and so does the time that was told.
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

// sensible returns what the parties can do with a deal as it stands; what keeps it going more often, so that it gets somewhere.
func (m *model) sensible(d *modelDeal) []move {
	switch {
	case d.status == deals.Pending: // with too little money, too: people try
		return append([]move{{"pay", true}, {"pay", true}}, acceptance(d)...)
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
