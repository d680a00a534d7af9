// Package operations is the life of a money operation. The api asks for one: a row and its River job in one transaction. A worker
// settles it: the posting, the row's outcome and the job's completion in one transaction. The api waits a moment for the outcome, and
// whoever asks again, with the same Idempotency-Key or not, is told of the same operation (docs/rules.md#money-calls).
package operations

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/money/idempotency"
	"amanat/internal/platform/actor"
	"amanat/internal/platform/clock"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
	"amanat/internal/queue/jobs"
)

// Status is where an operation stands.
type Status string

// Statuses. A rejected operation has changed nothing.
const (
	Pending  Status = "pending"
	Done     Status = "done"
	Rejected Status = "rejected"
)

// Operation is a money operation as it stands.
type Operation struct {
	ID           uuid.UUID
	Kind         string
	Subject      string      // such as deal:{id}
	Actor        actor.Actor `db:"actor_id"` // a user or the system
	Params       json.RawMessage
	Status       Status
	Result       json.RawMessage
	ErrorCode    *string
	ErrorMessage *string
	Shortfall    *int64
	CreatedAt    time.Time
	FinishedAt   *time.Time
}

// Err returns why a rejected operation was refused, and nil for any other.
func (o Operation) Err() error {
	if o.Status != Rejected {
		return nil
	}
	refusal := fault.New(fault.Code(*o.ErrorCode), *o.ErrorMessage)
	if o.Shortfall != nil {
		refusal.Shortfall = *o.Shortfall
	}
	return refusal
}

// SubjectID returns the id part of the subject. Code Invalid when it has none.
func (o Operation) SubjectID() (uuid.UUID, error) {
	if _, id, found := strings.Cut(o.Subject, ":"); found {
		if parsed, err := uuid.Parse(id); err == nil {
			return parsed, nil
		}
	}
	return uuid.UUID{}, ErrMalformed()
}

// UserID returns the id of the user whose operation it is. Code Invalid when it is the system's.
func (o Operation) UserID() (uuid.UUID, error) {
	if id, isUser := o.Actor.UserID(); isUser {
		return id, nil
	}
	return uuid.UUID{}, ErrMalformed()
}

// Subjects of operations.
func subject(kind string, id uuid.UUID) string { return kind + ":" + id.String() }

// Deal is the subject of a deal's operations.
func Deal(id uuid.UUID) string { return subject("deal", id) }

// Deposit is the subject of a deposit's operations.
func Deposit(id uuid.UUID) string { return subject("deposit", id) }

// Withdrawal is the subject of a withdrawal's operations.
func Withdrawal(id uuid.UUID) string { return subject("withdrawal", id) }

// Reward is the subject of a referral reward's operation.
func Reward(id uuid.UUID) string { return subject("reward", id) }

// Announcer tells waiting api processes that an operation is settled. It must not block and may lose messages.
type Announcer interface {
	OperationSettled(id uuid.UUID)
}

// EventLog appends to a person's event log in a transaction.
type EventLog interface {
	Append(tx *postgres.Tx, userID uuid.UUID, eventType string, payload any)
}

// Observer counts settled operations.
type Observer interface {
	OperationSettled(kind, outcome string, sinceRequest time.Duration)
}

// Service asks for operations and records their outcomes.
type Service struct {
	DB       postgres.Beginner
	Clock    clock.Clock
	Enqueuer jobs.Enqueuer
	Events   EventLog
	Announce Announcer
	Observe  Observer // may be nil
}

// Request says what is asked for.
type Request struct {
	ID      uuid.UUID // of the operation; made by the caller
	Kind    string
	Subject string
	Actor   actor.Actor // a user or the system
	Params  any         // what the worker needs beside the subject
	Key     *idempotency.Key
}

// Check tells whether an operation may be asked for, and refuses with a *fault.Error: NotFound or Forbidden for who may not know or do
// this, Conflict when the subject is in no state for it. It reads; it does not lock, since a worker checks again under the lock.
type Check func(ctx context.Context, tx *postgres.Tx) error

// Request writes the operation and its job in one transaction and returns it, usually pending. When the same was asked for before it
// returns that operation instead: by the same Idempotency-Key; by the same actor while it is pending; by the same actor after it was
// done, when check now says Conflict. Another operation pending on the subject is a Conflict.
func (s *Service) Request(ctx context.Context, r Request, check Check) (Operation, error) {
	var op Operation
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		var err error
		op, err = s.requestTx(ctx, tx, r, check)
		return err
	})
	if fault.CodeOf(err) != fault.Conflict {
		return op, err
	}
	// The state may be wrong because this very operation made it so.
	done, found, lookupErr := s.lastDone(ctx, r)
	if lookupErr != nil {
		return Operation{}, lookupErr
	}
	if found {
		return done, nil
	}
	return Operation{}, err
}

func (s *Service) requestTx(ctx context.Context, tx *postgres.Tx, r Request, check Check) (Operation, error) {
	first, replayed, err := idempotency.Reserve(ctx, tx, r.Key, r.ID, s.Clock.Now())
	if err != nil {
		return Operation{}, err
	}
	if replayed {
		return get(ctx, tx, first)
	}
	// Before the check: the insert waits for whoever holds the subject, and the check must see what that has left.
	op, inserted, err := insert(ctx, tx, r, s.Clock.Now())
	if err != nil {
		return Operation{}, err
	}
	if err := check(ctx, tx); err != nil {
		return Operation{}, err
	}
	if !inserted {
		return attachPending(ctx, tx, r)
	}
	// Last, since River decides before the commit whether to notify.
	return op, s.enqueue(ctx, tx, op)
}

// EnqueueFollowUp requests an operation that follows from another one, in the transaction that settles that one. Its subject must be new.
func (s *Service) EnqueueFollowUp(ctx context.Context, tx *postgres.Tx, r Request) error {
	op, inserted, err := insert(ctx, tx, r, s.Clock.Now())
	if err != nil {
		return err
	}
	if !inserted {
		return fmt.Errorf("operations: %s has an operation already", r.Subject)
	}
	return s.enqueue(ctx, tx, op)
}

func (s *Service) enqueue(ctx context.Context, tx *postgres.Tx, op Operation) error {
	args, err := jobs.ForOperation(op.Kind, op.ID)
	if err != nil {
		return err
	}
	if _, err := s.Enqueuer.InsertTx(ctx, tx, args, nil); err != nil {
		return fmt.Errorf("enqueue %s: %w", op.Kind, err)
	}
	return nil
}

// attachPending returns the operation pending on the subject if it is what r asks for, and ties r's key to it.
func attachPending(ctx context.Context, tx *postgres.Tx, r Request) (Operation, error) {
	op, found, err := findEquivalent(ctx, tx, r, Pending)
	if err != nil {
		return Operation{}, err
	}
	if !found {
		return Operation{}, ErrBusy()
	}
	return op, idempotency.Repoint(ctx, tx, r.Key, op.ID)
}

// ErrBusy is the Conflict of a subject that has an operation pending.
func ErrBusy() error {
	return fault.New(fault.Conflict, "Another action on this is being processed. Please wait a moment.")
}

func (s *Service) lastDone(ctx context.Context, r Request) (op Operation, found bool, err error) {
	err = postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		op, found, err = findEquivalent(ctx, tx, r, Done)
		if err != nil || !found || r.Key == nil {
			return err
		}
		_, _, err = idempotency.Reserve(ctx, tx, r.Key, op.ID, s.Clock.Now())
		return err
	})
	return op, found, err
}

// Get returns an operation to the user who is its actor; NotFound for anybody else.
func (s *Service) Get(ctx context.Context, q postgres.Querier, userID, id uuid.UUID) (Operation, error) {
	op, err := get(ctx, q, id)
	if err != nil {
		return Operation{}, err
	}
	if !op.Actor.Is(userID) {
		return Operation{}, errNotFound()
	}
	return op, nil
}

func errNotFound() error { return fault.New(fault.NotFound, "Operation not found.") }

// Lock returns the operation locked until the transaction ends. Workers call it before they lock the subject.
func (s *Service) Lock(ctx context.Context, tx *postgres.Tx, id uuid.UUID) (Operation, error) {
	return lock(ctx, tx, id)
}

// Finish records that the operation is done. result is shown to whoever asks.
func (s *Service) Finish(ctx context.Context, tx *postgres.Tx, op Operation, result any) error {
	encoded, err := json.Marshal(result)
	if err != nil {
		return fmt.Errorf("result of %s: %w", op.Kind, err)
	}
	op.Status, op.Result = Done, encoded
	return s.settle(ctx, tx, op)
}

// Reject records that the operation was refused and why. The transaction must have changed nothing else.
func (s *Service) Reject(ctx context.Context, tx *postgres.Tx, op Operation, refusal *fault.Error) error {
	code := string(refusal.Code)
	op.Status, op.ErrorCode, op.ErrorMessage = Rejected, &code, &refusal.Message
	if refusal.Shortfall > 0 {
		op.Shortfall = &refusal.Shortfall
	}
	return s.settle(ctx, tx, op)
}

func (s *Service) settle(ctx context.Context, tx *postgres.Tx, op Operation) error {
	now := s.Clock.Now()
	op.FinishedAt = &now
	if err := settle(ctx, tx, op); err != nil {
		return err
	}
	if userID, isUser := op.Actor.UserID(); isUser {
		view, err := op.View()
		if err != nil {
			return err
		}
		s.Events.Append(tx, userID, "operationSettled", view)
	}
	tx.AfterCommit(func() {
		s.Announce.OperationSettled(op.ID)
		if s.Observe != nil {
			s.Observe.OperationSettled(op.Kind, string(op.Status), now.Sub(op.CreatedAt))
		}
	})
	return nil
}
