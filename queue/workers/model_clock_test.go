package workers

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/domain/deals"
	"amanat/internal/money"
)

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
