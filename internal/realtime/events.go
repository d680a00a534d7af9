package realtime

import (
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

// Types of events in the log. Their frames have a Seq.
const (
	TypeDealUpdated      = "dealUpdated"
	TypeWalletUpdated    = "walletUpdated"
	TypeOperationSettled = "operationSettled"
	TypeNotification     = "newDepositNotification" // sent for every new notification
	TypeNewMessage       = "newMessage"             // to both users of a conversation
	TypeMessageRead      = "messageRead"            // to both
	TypeBlockChanged     = "blockChanged"           // to both users of a block
	TypeDataExportReady  = "dataExportReady"        // it may have failed
)

// Types of frames that are not in the log. They have no Seq and may be lost.
const (
	TypeHello          = "hello"          // the first frame of every socket
	TypeOnlineUsers    = "getOnlineUsers" // the user's conversation partners who are online
	TypeReceiveMessage = "receiveMessage" // to the receiver of a newMessage: its sender and beginning
	TypeTyping         = "typing"         // also from clients
	TypeQueueChanged   = "queueChanged"   // to admins
	TypePong           = "pong"           // answers ping
	TypeProblem        = "problem"        // a frame of the client was refused
)

// Types of frames that clients send, in addition to TypeTyping.
const (
	TypePing       = "ping"
	TypeMarkAsRead = "markAsRead"
)

// Hello is the payload of TypeHello.
type Hello struct {
	Recovered bool  `json:"recovered" doc:"true: whatever was missed since the given position follows. false: nothing is replayed; refetch everything."`
	Seq       int64 `json:"seq" doc:"The newest position in the user's event log."`
}

// Problem is the payload of TypeProblem.
type Problem struct {
	Code    fault.Code   `json:"code"`
	Reason  string       `json:"reason,omitempty" doc:"As in Error." example:"too_many_attempts"`
	Message string       `json:"message" doc:"Text for the user." example:"Done."`
	Params  fault.Params `json:"params,omitempty" doc:"As in Error."`
}

// WalletUpdated is the payload of TypeWalletUpdated: clients reload the wallet and its history.
type WalletUpdated struct {
	At time.Time `json:"at"`
}

// WalletUpdated logs a change of the user's wallet or its history when the transaction commits.
func (l *Log) WalletUpdated(tx *postgres.Tx, userID uuid.UUID) {
	l.Append(tx, userID, TypeWalletUpdated, WalletUpdated{At: l.Clock.Now()})
}

// Queue names a worklist of admins.
type Queue string

// The worklists of admins.
const (
	QueueDeposits        Queue = "deposits"
	QueueWithdrawals     Queue = "withdrawals"
	QueueSupport         Queue = "support"
	QueueBugReports      Queue = "bug-reports"
	QueueContactMessages Queue = "contact-messages"
	QueueDeals           Queue = "deals"
	QueueUsers           Queue = "users"
	QueueReports         Queue = "reports"
	QueueDisputes        Queue = "disputes"
	QueueAdjustments     Queue = "adjustments"
)

// QueueChanged is the payload of TypeQueueChanged: a row of a worklist was added or changed.
type QueueChanged struct {
	Queue Queue     `json:"queue" enum:"deposits,withdrawals,support,bug-reports,contact-messages,deals,users,reports,disputes,adjustments"`
	ID    uuid.UUID `json:"id" doc:"Of the row."`
}
