package deals

import "amanat/internal/money/operations"

// PayRule allows users to pay deals.
func PayRule() operations.Rule { return operations.Always[payParams](operations.ByUser) }

// CompleteRule returns who may complete a deal. An admin's completion requires that the actor is
// still an admin when it settles.
func CompleteRule(op operations.Operation) (operations.Authority, error) {
	var p completeParams
	if err := op.Decode(&p); err != nil {
		return "", err
	}
	switch p.By {
	case byBuyer:
		return operations.ByUser, nil
	case byAdmin:
		return operations.ByAdmin, nil
	case byClock:
		return operations.BySystem, nil
	}
	return "", operations.ErrMalformed()
}

// RefundRule returns who may refund a deal, by the reason. An admin's refund requires that the
// actor is still an admin when it settles.
func RefundRule(op operations.Operation) (operations.Authority, error) {
	var p refundParams
	if err := op.Decode(&p); err != nil {
		return "", err
	}
	switch p.Reason {
	case ReasonAccepted, ReasonSeller, ReasonDeclined, ReasonSellerDisabled, ReasonExit:
		return operations.ByUser, nil
	case ReasonAdmin:
		return operations.ByAdmin, nil
	case ReasonUnanswered, ReasonOverdue:
		return operations.BySystem, nil
	case ReasonCompleted, ReasonSettled: // not refunds
	}
	return "", operations.ErrMalformed()
}
