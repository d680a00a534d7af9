package deals

import "amanat/internal/money/operations"

// PayRule says who may have a deal paid: a user.
func PayRule() operations.Rule { return operations.Always[struct{}](operations.ByUser) }

// CompleteRule says who may have a deal completed: on an admin's word only somebody who is still an admin when it settles.
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

// RefundRule says who may have a deal refunded, by the reason: an admin's only with somebody who is still an admin when it settles.
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
	case ReasonCompleted: // is no refund
	}
	return "", operations.ErrMalformed()
}
