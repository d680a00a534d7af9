package realtime

import (
	"time"

	"github.com/google/uuid"

	"amanat/internal/fault"
	"amanat/internal/postgres"
)

// Types of events in the log. Their frames have a Seq.
const (
	TypeDealUpdated      = "dealUpdated"
	TypeWalletUpdated    = "walletUpdated"
	TypeOperationSettled = "operationSettled"
	TypeNotification     = "newDepositNotification" // SPEC's name; sent for every new notification
	TypeNewMessage       = "newMessage"             // to both people of a conversation
	TypeReceiveMessage   = "receiveMessage"         // to the receiver: the pop-up
	TypeMessageRead      = "messageRead"            // to both
)

// Types of frames that are in no log, have no Seq and may be lost.
const (
	TypeHello        = "hello"          // the first frame of every socket
	TypeOnlineUsers  = "getOnlineUsers" // SPEC's name; who of those that one has a conversation with is online
	TypeTyping       = "typing"         // also from clients
	TypeQueueChanged = "queueChanged"   // to admins
	TypePong         = "pong"           // answers ping
	TypeProblem      = "problem"        // a frame of the client was refused
)

// Types of frames that clients send, beside TypeTyping.
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
	Code    fault.Code `json:"code"`
	Message string     `json:"message" doc:"Text for the user."`
}

// WalletUpdated is the payload of TypeWalletUpdated: whatever shows the wallet or its history must be read again.
type WalletUpdated struct {
	At time.Time `json:"at"`
}

// WalletUpdated tells a person's screens, when the transaction commits, that his wallet or its history is another.
func (l *Log) WalletUpdated(tx *postgres.Tx, userID uuid.UUID) {
	l.Append(tx, userID, TypeWalletUpdated, WalletUpdated{At: l.Clock.Now()})
}

// Queue names a list that admins work on.
type Queue string

// The queues of admins.
const (
	QueueDeposits        Queue = "deposits"
	QueueWithdrawals     Queue = "withdrawals"
	QueueSupport         Queue = "support"
	QueueBugReports      Queue = "bug-reports"
	QueueContactMessages Queue = "contact-messages"
	QueueDeals           Queue = "deals"
	QueueUsers           Queue = "users"
)

// QueueChanged is the payload of TypeQueueChanged: a row has come, or is another.
type QueueChanged struct {
	Queue Queue     `json:"queue" enum:"deposits,withdrawals,support,bug-reports,contact-messages,deals,users"`
	ID    uuid.UUID `json:"id" doc:"Of the row."`
}
