package notifications

import (
	"slices"
	"time"

	"amanat/internal/app/catalog"
)

// Group is a group of kinds, for which users choose how they hear of them.
type Group string

// Groups of kinds (docs/rules.md#notices).
const (
	GroupDeals     Group = "deals"
	GroupMoney     Group = "money" // deposits, withdrawals and rewards
	GroupMessages  Group = "messages"
	GroupReminders Group = "reminders" // of what the system does with a deal soon
	GroupAccount   Group = "account"
)

// Groups returns the groups in the order in which they are shown.
func Groups() []Group {
	return []Group{GroupDeals, GroupMoney, GroupMessages, GroupReminders, GroupAccount}
}

// mailLocked reports whether users cannot turn off the emails of the group.
func (g Group) mailLocked() bool { return g == GroupAccount }

// urgent reports whether pushes of the group do not wait for the end of quiet hours.
func (g Group) urgent() bool { return g == GroupAccount || g == GroupMoney }

// lifetime returns how long a push of the group is worth being shown.
func (g Group) lifetime() time.Duration {
	if g == GroupReminders {
		return 3 * time.Hour // then the system acts, or has a newer reminder
	}
	return 24 * time.Hour
}

// members lists the kinds of each group but GroupDeals, which has the rest. Notices to admins have
// no group.
var members = map[Group][]catalog.Kind{
	GroupMoney: {
		catalog.ReferralCredited, catalog.DepositApproved, catalog.DepositApprovedForDeal, catalog.DepositChanged,
		catalog.DepositRejected, catalog.DepositRecounted,
		catalog.DepositExpired, catalog.DepositNotFound, catalog.DepositOtherAmount, catalog.DepositUsedBefore, catalog.DepositOtherNumber,
		catalog.WithdrawalSent, catalog.WithdrawalSentBefore, catalog.WithdrawalRejected, catalog.WithdrawalRequested,
		catalog.WithdrawalHeld, catalog.WithdrawalVerify, catalog.WithdrawalConfirmed, catalog.WithdrawalCancelled,
		catalog.BalanceCredited, catalog.BalanceDebited,
	},
	GroupReminders: {
		catalog.DealExpiresSoon, catalog.DealCompletesSoon, catalog.DealRefundsSoon, catalog.DealUnansweredSoon, catalog.DealEscalatesSoon,
		catalog.DealExpiresNext, catalog.DealCompletesNext, catalog.DealRefundsNext, catalog.DealUnansweredNext, catalog.DealEscalatesNext,
	},
	GroupMessages: {catalog.MessagesUnread},
	GroupAccount: {
		catalog.FactorOn, catalog.FactorOff, catalog.FactorReset, catalog.TOTPAdded, catalog.TOTPRemoved, catalog.PasskeyAdded,
		catalog.PasskeyRemoved, catalog.BackupCodesNew, catalog.BackupCodeUsed, catalog.EmailChanged, catalog.DataExportReady,
		catalog.DataExportFailed, catalog.ModerationWarned, catalog.ModerationHidden, catalog.ModerationUpheld,
		catalog.ModerationOverturned, catalog.ModerationSuspensionEnded, catalog.ReportActionTaken, catalog.ReportNoViolation,
		catalog.PaymentMade, catalog.ReleaseMade,
	},
}

// groupOf returns the group of a kind of notices to users.
func groupOf(kind catalog.Kind) Group {
	for group, kinds := range members {
		if slices.Contains(kinds, kind) {
			return group
		}
	}
	return GroupDeals
}
