package deals

import (
	"slices"
	"time"
)

// Action is what the system does with a deal if no user acts first.
type Action string

// Actions of the system (docs/rules.md#clock).
const (
	ActionExpire           Action = "expire"            // remove an unpaid deal
	ActionComplete         Action = "complete"          // complete a delivered deal
	ActionRefund           Action = "refund"            // refund a never delivered deal in full
	ActionRefundUnanswered Action = "refund_unanswered" // accept an unanswered cancellation request
	ActionEscalate         Action = "escalate"          // hand a once delivered deal to admins
)

// moneyActions are the actions that move money. They wait for warnBefore after their warning.
var moneyActions = []Action{ActionComplete, ActionRefund, ActionRefundUnanswered}

func (a Action) movesMoney() bool { return slices.Contains(moneyActions, a) }

// Periods of the system's actions.
const (
	startAtLeast    = 24 * time.Hour // from payment to the first consequence of being late
	exitAfter       = 24 * time.Hour
	refundAfter     = 14 * day
	answerWithin    = 72 * time.Hour
	redeliverWithin = 7 * day
	leftAfterFreeze = 24 * time.Hour // at least
	warnBefore      = 24 * time.Hour
	remindBefore    = 3 * time.Hour
	remindAfter     = 3 * time.Hour // the warning, at least
)

// maxRequests limits the cancellation requests and resets of a deal, counted together.
const maxRequests = 3

// RequestsLeft returns how many cancellation requests or resets the buyer has left.
func (d Deal) RequestsLeft() int { return maxRequests - d.Requests }

// consequencesFrom returns when lateness begins to have consequences.
func (d Deal) consequencesFrom() time.Time {
	if d.ActivatedAt == nil {
		return d.DueAt
	}
	if start := d.ActivatedAt.Add(startAtLeast); start.After(d.DueAt) {
		return start
	}
	return d.DueAt
}

// ExitAt returns when the buyer of a never delivered deal may leave it without consent.
func (d Deal) ExitAt() time.Time { return d.consequencesFrom().Add(exitAfter) }

// mayExit reports whether the buyer may leave now.
func (d Deal) mayExit(now time.Time) bool {
	return d.Status.Open() && d.FirstDeliveredAt == nil && !now.Before(d.ExitAt())
}

// countFrozen adds the time frozen until now to FrozenFor, and to ResetAt unless the reset came
// after the freeze. It returns that time.
func (d *Deal) countFrozen(now time.Time) time.Duration {
	stood := now.Sub(*d.FrozenAt)
	d.FrozenFor += stood
	if d.ResetAt != nil && !d.ResetAt.After(*d.FrozenAt) {
		later := d.ResetAt.Add(stood)
		d.ResetAt = &later
	}
	return stood
}

// warnedOf reports whether both parties were warned of this very action and the change has not put
// it off, so that the announced time holds.
func (d Deal) warnedOf(action Action, at time.Time) bool {
	return action.movesMoney() && d.WarnedAt != nil && d.NextAction == action && d.NextActionAt != nil && !at.After(*d.NextActionAt)
}

// plan returns the system's next action on the deal and its time, ignoring a current freeze; "" for
// none. It is computed anew at every change.
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
