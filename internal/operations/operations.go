// Package operations is the life of a money operation. The api asks for one: a row and its River job in one transaction. A worker
// settles it: the posting, the row's outcome and the job's completion in one transaction. The api waits a moment for the outcome, and
// whoever asks again, with the same Idempotency-Key or not, is told of the same operation (DESIGN §2 "Money calls").
package operations

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"amanat/internal/clock"
	"amanat/internal/fault"
	"amanat/internal/postgres"
	"amanat/queue/jobs"
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
	Subject      string    // such as deal:{id}
	ActorID      uuid.UUID // uuid.Nil: the clock
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

// SubjectID returns the id part of the subject.
func (o Operation) SubjectID() (uuid.UUID, error) {
	for i := range o.Subject {
		if o.Subject[i] == ':' {
			return uuid.Parse(o.Subject[i+1:])
		}
	}
	return uuid.Nil, fmt.Errorf("operations: malformed subject %q", o.Subject)
}

// Subjects of operations.
func subject(noun string, id uuid.UUID) string { return noun + ":" + id.String() }

// Deal is the subject of a deal's operations.
func Deal(id uuid.UUID) string { return subject("deal", id) }

// Deposit is the subject of a deposit's operations.
func Deposit(id uuid.UUID) string { return subject("deposit", id) }

// Withdrawal is the subject of a withdrawal's operations.
func Withdrawal(id uuid.UUID) string { return subject("withdrawal", id) }

// Reward is the subject of a referral reward's operation.
func Reward(id uuid.UUID) string { return subject("reward", id) }

// Enqueuer inserts River jobs in a transaction; *river.Client[pgx.Tx] is one.
type Enqueuer interface {
	InsertTx(ctx context.Context, tx pgx.Tx, args river.JobArgs, opts *river.InsertOpts) (*rivertype.JobInsertResult, error)
}

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
	Enqueuer Enqueuer
	Events   EventLog
	Announce Announcer
	Observe  Observer // may be nil
}

// Request says what is asked for.
type Request struct {
	ID      uuid.UUID // of the operation; made by the caller
	Kind    string
	Subject string
	ActorID uuid.UUID // uuid.Nil: the clock
	Params  any       // what the worker needs beside the subject
	Key     *Key
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
		op, err = s.request(ctx, tx, r, check)
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

func (s *Service) request(ctx context.Context, tx *postgres.Tx, r Request, check Check) (Operation, error) {
	first, replayed, err := s.Reserve(ctx, tx, r.Key, r.ID)
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
		return s.join(ctx, tx, r)
	}
	// Last, since River decides before the commit whether to notify (notes on its limiter).
	return op, s.enqueue(ctx, tx, op)
}

// Follow asks for an operation that follows from another one, in that one's transaction. Its subject must be new.
func (s *Service) Follow(ctx context.Context, tx *postgres.Tx, r Request) error {
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

// join returns the operation pending on the subject if it is what r asks for.
func (s *Service) join(ctx context.Context, tx *postgres.Tx, r Request) (Operation, error) {
	op, found, err := same(ctx, tx, r, Pending)
	if err != nil {
		return Operation{}, err
	}
	if !found {
		return Operation{}, ErrBusy()
	}
	return op, rebind(ctx, tx, r.Key, op.ID)
}

// ErrBusy is the Conflict of a subject that has an operation pending.
func ErrBusy() error {
	return fault.New(fault.Conflict, "Another action on this is being processed. Please wait a moment.")
}

func (s *Service) lastDone(ctx context.Context, r Request) (op Operation, found bool, err error) {
	err = postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		op, found, err = same(ctx, tx, r, Done)
		if err != nil || !found || r.Key == nil {
			return err
		}
		_, _, err = s.Reserve(ctx, tx, r.Key, op.ID)
		return err
	})
	return op, found, err
}

// Get returns an operation to its actor; NotFound for anybody else.
func (s *Service) Get(ctx context.Context, q postgres.Querier, actorID, id uuid.UUID) (Operation, error) {
	op, err := get(ctx, q, id)
	if err != nil {
		return Operation{}, err
	}
	if op.ActorID != actorID {
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
	if op.ActorID != uuid.Nil {
		s.Events.Append(tx, op.ActorID, "operationSettled", View(op))
	}
	tx.AfterCommit(func() {
		s.Announce.OperationSettled(op.ID)
		if s.Observe != nil {
			s.Observe.OperationSettled(op.Kind, string(op.Status), now.Sub(op.CreatedAt))
		}
	})
	return nil
}
