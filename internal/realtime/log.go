// Package realtime delivers events to users' open pages. An event log in PostgreSQL is written in
// the transaction that caused the event, and Redis channels carry it to the api processes after the
// commit. The log is authoritative; Redis may lose messages.
package realtime

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

// Version is the version of the frame format.
const Version = 1

// Frame is an event as sent to a client. Seq is the event's position in the receiver's log.
type Frame struct {
	Version int             `json:"v"`
	ID      uuid.UUID       `json:"id"`
	Seq     int64           `json:"seq,omitempty"`
	Type    string          `json:"type"`
	At      time.Time       `json:"ts"`
	Data    json.RawMessage `json:"data"`
}

// event is a frame to append to a user's log.
type event struct {
	userID uuid.UUID
	frame  Frame
}

// Publisher delivers frames to the processes that hold a user's sockets, or those of all admins. It
// must not block and may lose frames.
type Publisher interface {
	PublishFrame(userID uuid.UUID, frame Frame)
	PublishAdmins(frame Frame)
}

// Log appends events to users' logs and publishes them.
type Log struct {
	Clock   clock.Clock
	Publish Publisher
}

// batch collects a transaction's events. They are written last before the commit, so that the locks
// on user_seq are held briefly and always taken in the order of user ids, which prevents deadlocks.
type batch struct {
	events     []event
	transient  []event // published after the events, not written
	worklists  []WorklistChanged
	err        error
	registered bool // to be written
}

// batch returns the batch of the transaction.
func (l *Log) batch(tx *postgres.Tx) *batch {
	b := postgres.Local(tx, func() *batch { return &batch{} })
	if !b.registered {
		b.registered = true
		tx.LastBeforeCommit(func(context.Context) error { return l.write(tx, b) })
	}
	return b
}

// Append adds an event to a user's log when the transaction commits, then publishes it.
func (l *Log) Append(tx *postgres.Tx, userID uuid.UUID, eventType string, payload any) {
	b := l.batch(tx)
	b.add(&b.events, l, userID, eventType, payload)
}

// PublishAtCommit sends a frame to a user's open pages after the transaction's events, without
// logging it; it may be lost.
func (l *Log) PublishAtCommit(tx *postgres.Tx, userID uuid.UUID, frameType string, payload any) {
	b := l.batch(tx)
	b.add(&b.transient, l, userID, frameType, payload)
}

func (b *batch) add(list *[]event, l *Log, userID uuid.UUID, frameType string, payload any) {
	frame, err := l.frame(frameType, payload)
	if err != nil {
		b.err = err
		return
	}
	*list = append(*list, event{userID, frame})
}

// PublishTransient sends a frame to a user's open pages without logging it; it may be lost.
// Encoding errors are ignored, so payload must be one of this package's or the domain's frame
// types.
func (l *Log) PublishTransient(userID uuid.UUID, frameType string, payload any) {
	if frame, err := l.frame(frameType, payload); err == nil {
		l.Publish.PublishFrame(userID, frame)
	}
}

func (l *Log) frame(frameType string, payload any) (Frame, error) {
	data, err := json.Marshal(payload)
	if err != nil {
		return Frame{}, fmt.Errorf("realtime: payload of %s: %w", frameType, err)
	}
	id, err := uuid.NewV7()
	return Frame{Version: Version, ID: id, Type: frameType, At: l.Clock.Now(), Data: data}, err
}

// write queues the collected events and publishes them when the transaction has committed. Later
// ones are collected again.
func (l *Log) write(tx *postgres.Tx, b *batch) error {
	events, transient, queues, err := b.events, b.transient, b.worklists, b.err
	*b = batch{}
	if err != nil {
		return err
	}
	slices.SortStableFunc(events, func(a, c event) int { return slices.Compare(a.userID[:], c.userID[:]) })
	if len(events) > 0 {
		queueEvents(tx, events)
	}
	tx.AfterCommit(func() {
		for _, e := range slices.Concat(events, transient) {
			l.Publish.PublishFrame(e.userID, e.frame)
		}
		l.publishWorklists(queues)
	})
	return nil
}

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
	TypeHello           = "hello"          // the first frame of every socket
	TypeOnlineUsers     = "getOnlineUsers" // the user's conversation partners who are online
	TypeReceiveMessage  = "receiveMessage" // to the receiver of a newMessage: its sender and beginning
	TypeTyping          = "typing"         // also from clients
	TypeWorklistChanged = "queueChanged"   // to admins
	TypePong            = "pong"           // answers ping
	TypeProblem         = "problem"        // a frame of the client was refused
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

// Worklist names a worklist of admins.
type Worklist string

// The worklists of admins.
const (
	WorklistDeposits        Worklist = "deposits"
	WorklistWithdrawals     Worklist = "withdrawals"
	WorklistSupport         Worklist = "support"
	WorklistBugReports      Worklist = "bug-reports"
	WorklistContactMessages Worklist = "contact-messages"
	WorklistDeals           Worklist = "deals"
	WorklistUsers           Worklist = "users"
	WorklistReports         Worklist = "reports"
	WorklistDisputes        Worklist = "disputes"
	WorklistCorrections     Worklist = "corrections"
	WorklistPayments        Worklist = "payments"
)

// WorklistChanged is the payload of TypeWorklistChanged: a row of a worklist was added or changed.
type WorklistChanged struct {
	Queue Worklist  `json:"queue" enum:"deposits,withdrawals,support,bug-reports,contact-messages,deals,users,reports,disputes,corrections,payments"`
	ID    uuid.UUID `json:"id" doc:"Of the row."`
}

// WorklistChanged notifies all connected admins, after the commit, that a row of a worklist was
// added, changed or removed. It is not logged and may be lost: admins who connect later read the
// list.
func (l *Log) WorklistChanged(tx *postgres.Tx, list Worklist, id uuid.UUID) {
	b := l.batch(tx)
	if change := (WorklistChanged{Queue: list, ID: id}); !slices.Contains(b.worklists, change) {
		b.worklists = append(b.worklists, change)
	}
}

// publishWorklists publishes the changes after the commit.
func (l *Log) publishWorklists(changes []WorklistChanged) {
	for _, change := range changes {
		if frame, err := l.frame(TypeWorklistChanged, change); err == nil {
			l.Publish.PublishAdmins(frame)
		}
	}
}

const (
	// Retention is how long the log keeps an event. A client that reconnects later is told to
	// refetch everything (hello with recovered false).
	Retention = 7 * 24 * time.Hour
	// pruneBatch bounds each DELETE, so that its locks and disk writes are short.
	pruneBatch = 5_000
)

// Prune deletes events older than Retention, in batches that are transactions of their own, and
// returns how many it deleted. Workers call it; concurrent calls are safe.
func (l *Log) Prune(ctx context.Context, q postgres.Querier) (int64, error) {
	pruned, err := deleteEvents.DeleteOldest(ctx, q, postgres.Args{"before": l.Clock.Now().Add(-Retention)}, pruneBatch)
	if err != nil {
		return pruned, fmt.Errorf("realtime: prune: %w", err)
	}
	return pruned, nil
}
