package deals

import (
	"slices"
	"time"
)

// Action is what the clock does with a deal when nobody else does anything.
type Action string

// Actions of the clock (docs/rules.md#clock).
const (
	ActionExpire           Action = "expire"            // an unpaid deal is removed
	ActionComplete         Action = "complete"          // a delivered deal that nobody touched is completed
	ActionRefund           Action = "refund"            // a deal that was never delivered is refunded in full
	ActionRefundUnanswered Action = "refund_unanswered" // a cancellation request that nobody answered is accepted
	ActionEscalate         Action = "escalate"          // a deal that was once delivered goes to the admins
)

// moneyActions are those that move money. They wait for warnBefore after their warning.
var moneyActions = []Action{ActionComplete, ActionRefund, ActionRefundUnanswered}

func (a Action) movesMoney() bool { return slices.Contains(moneyActions, a) }

// Times of the clock.
const (
	startAtLeast    = 24 * time.Hour // whoever is paid late has a day before consequences count
	exitAfter       = 24 * time.Hour
	refundAfter     = 14 * day
	answerWithin    = 72 * time.Hour
	redeliverWithin = 7 * day
	leftAfterFreeze = 24 * time.Hour // at least
	warnBefore      = 24 * time.Hour
)

// maxRequests is how many cancellation requests and resets together a deal may have.
const maxRequests = 3

// RequestsLeft returns how many cancellation requests and resets together the buyer has left.
func (d Deal) RequestsLeft() int { return maxRequests - d.Requests }

// consequencesFrom is when being late begins to count.
func (d Deal) consequencesFrom() time.Time {
	if d.ActivatedAt == nil {
		return d.DueAt
	}
	if start := d.ActivatedAt.Add(startAtLeast); start.After(d.DueAt) {
		return start
	}
	return d.DueAt
}

// ExitAt is when the buyer of a deal that was never delivered may leave it without anybody's consent.
func (d Deal) ExitAt() time.Time { return d.consequencesFrom().Add(exitAfter) }

// mayExit tells whether the buyer may leave now.
func (d Deal) mayExit(now time.Time) bool {
	return d.Status.Open() && d.FirstDeliveredAt == nil && !now.Before(d.ExitAt())
}

// countFrozen adds the time that the clock has stood still until now to what counts from before it stopped, and returns it.
func (d *Deal) countFrozen(now time.Time) time.Duration {
	stood := now.Sub(*d.FrozenAt)
	d.FrozenFor += stood
	if d.ResetAt != nil && !d.ResetAt.After(*d.FrozenAt) {
		later := d.ResetAt.Add(stood)
		d.ResetAt = &later
	}
	return stood
}

// warnedOf tells whether both were warned of just this action, so that the time they were told holds: the change has not put it off.
func (d Deal) warnedOf(action Action, at time.Time) bool {
	return action.movesMoney() && d.WarnedAt != nil && d.NextAction == action && d.NextActionAt != nil && !at.After(*d.NextActionAt)
}

// plan returns what the clock does next with the deal and when, were it not frozen; "" for nothing. It is decided anew at every change.
func (d Deal) plan() (Action, time.Time) {
	switch {
	case d.Status == Pending:
		return ActionExpire, d.DueAt
	case !d.Status.Open() || d.EscalatedAt != nil:
		return "", time.Time{}
	case d.Status == Delivered:
		return ActionComplete, d.DeliveredAt.Add(time.Duration(d.InspectionDays) * day)
	case d.FirstDeliveredAt != nil && d.CancellationAskedAt != nil:
		return ActionEscalate, d.CancellationAskedAt.Add(answerWithin)
	case d.FirstDeliveredAt != nil:
		return ActionEscalate, d.ResetAt.Add(redeliverWithin)
	}
	refundAt := d.consequencesFrom().Add(refundAfter + d.FrozenFor)
	if d.CancellationAskedAt != nil {
		if answerAt := d.CancellationAskedAt.Add(answerWithin); answerAt.Before(refundAt) {
			return ActionRefundUnanswered, answerAt
		}
	}
	return ActionRefund, refundAt
}
