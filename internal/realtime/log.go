// Package realtime keeps what a person's screens must hear of: an event log in PostgreSQL, written in the transaction that made the
// event true, and Redis channels that carry it to the api processes after the commit. The log is the truth; Redis may lose anything.
package realtime

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/clock"
	"amanat/internal/postgres"
)

// Version of the frame's shape.
const Version = 1

// Frame is an event as a client receives it. Seq is the event's place in the receiver's log.
type Frame struct {
	Version int             `json:"v"`
	ID      uuid.UUID       `json:"id"`
	Seq     int64           `json:"seq,omitempty"`
	Type    string          `json:"type"`
	At      time.Time       `json:"ts"`
	Data    json.RawMessage `json:"data"`
}

// event is a frame on its way into the log, with who it is for.
type event struct {
	userID uuid.UUID
	frame  Frame
}

// Publisher carries frames to the processes that serve a user's screens, or those of all admins. It must not block and may lose them.
type Publisher interface {
	PublishFrame(userID uuid.UUID, frame Frame)
	PublishAdmins(frame Frame)
}

// Log is the event log.
type Log struct {
	Clock   clock.Clock
	Publish Publisher
}

// batch collects a transaction's events, so that the locks on user_seq are taken once, in the order of user ids, as the last thing
// before the commit: everybody needs them, and only so can no two transactions wait for each other.
type batch struct {
	events []event
	queues []QueueChanged
	err    error
}

// batch returns the transaction's.
func (l *Log) batch(tx *postgres.Tx) *batch {
	return postgres.Local(tx, func() *batch {
		b := &batch{}
		tx.BeforeCommit(func(ctx context.Context) error { return l.flush(ctx, tx, b) })
		return b
	})
}

// Append adds an event to a person's log when the transaction commits, and publishes it then.
func (l *Log) Append(tx *postgres.Tx, userID uuid.UUID, eventType string, payload any) {
	b := l.batch(tx)
	frame, err := l.frame(eventType, payload)
	if err != nil {
		b.err = err
		return
	}
	b.events = append(b.events, event{userID, frame})
}

// Tell sends a person's screens, if there are any, what no log keeps and may be lost. payload is one of ours, which JSON can hold.
func (l *Log) Tell(userID uuid.UUID, frameType string, payload any) {
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

func (l *Log) flush(ctx context.Context, tx *postgres.Tx, b *batch) error {
	if b.err != nil {
		return b.err
	}
	slices.SortStableFunc(b.events, func(a, c event) int { return slices.Compare(a.userID[:], c.userID[:]) })
	if len(b.events) > 0 {
		if err := appendEvents(ctx, tx, b.events); err != nil {
			return fmt.Errorf("realtime: %w", err)
		}
	}
	tx.AfterCommit(func() {
		for _, e := range b.events {
			l.Publish.PublishFrame(e.userID, e.frame)
		}
		l.publishQueues(b.queues)
	})
	return nil
}
