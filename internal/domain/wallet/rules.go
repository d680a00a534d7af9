package wallet

import "amanat/internal/money/operations"

// ApproveRule requires an admin to credit a deposit.
func ApproveRule() operations.Rule { return operations.Always[approvalParams](operations.ByAdmin) }

// HoldRule requires a user to request a withdrawal.
func HoldRule() operations.Rule { return operations.Always[orderParams](operations.ByUser) }

// HandlingRule requires an admin to send or reject a withdrawal.
func HandlingRule() operations.Rule { return operations.Always[payoutParams](operations.ByAdmin) }

// CancelRule requires a user to cancel a withdrawal.
func CancelRule() operations.Rule { return operations.Always[struct{}](operations.ByUser) }

// AdjustRule requires an admin to correct a wallet.
func AdjustRule() operations.Rule { return operations.Always[struct{}](operations.ByAdmin) }
