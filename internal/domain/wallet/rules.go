package wallet

import "amanat/internal/money/operations"

// ApproveRule says who may have a deposit credited: an admin.
func ApproveRule() operations.Rule { return operations.Always[approvalParams](operations.ByAdmin) }

// HoldRule says who may have a withdrawal made: a user.
func HoldRule() operations.Rule { return operations.Always[orderParams](operations.ByUser) }

// HandlingRule says who may have a withdrawal sent or rejected: an admin.
func HandlingRule() operations.Rule { return operations.Always[payoutParams](operations.ByAdmin) }

// CancelRule says who may have a withdrawal cancelled: a user.
func CancelRule() operations.Rule { return operations.Always[struct{}](operations.ByUser) }
