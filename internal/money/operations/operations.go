// Package operations manages the life cycle of money operations, which Service describes. The api
// requests an operation and waits a moment for its outcome; a worker settles it
// (docs/rules.md#money-calls).
package operations

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/tracing"
	"amanat/internal/money"
	"amanat/internal/money/idempotency"
	"amanat/queue/jobs"
)

// Status is the state of an operation.
type Status string

// Statuses. A rejected operation has changed nothing.
const (
	Pending  Status = "pending"
	Done     Status = "done"
	Rejected Status = "rejected"
)

// Operation is a money operation.
type Operation struct {
	ID           uuid.UUID
	Kind         string
	Subject      string      // such as deal:{id}
	Actor        actor.Actor `db:"actor_id"` // a user or the system
	Params       json.RawMessage
	Status       Status
	Result       json.RawMessage
	ErrorCode    *string
	ErrorReason  *string
	ErrorMessage *string
	ErrorParams  fault.Params
	Shortfall    *int64
	CreatedAt    time.Time
	FinishedAt   *time.Time
	RequestID    *string // of the call that requested it; nil: the clock
}

// Err returns why a rejected operation was refused, and nil for any other.
func (o Operation) Err() error {
	if o.Status != Rejected {
		return nil
	}
	return o.refusal()
}

// refusal returns the stored error of a rejected operation.
func (o Operation) refusal() *fault.Error {
	refusal := &fault.Error{Code: fault.Code(*o.ErrorCode), Reason: *o.ErrorReason, Message: *o.ErrorMessage, Params: o.ErrorParams}
	if o.Shortfall != nil {
		refusal.Shortfall = *o.Shortfall
	}
	return refusal
}

// SubjectID returns the ID part of the subject. Code Invalid if it has none.
func (o Operation) SubjectID() (uuid.UUID, error) {
	if _, id, found := strings.Cut(o.Subject, ":"); found {
		if parsed, err := uuid.Parse(id); err == nil {
			return parsed, nil
		}
	}
	return uuid.UUID{}, ErrMalformed()
}

// UserID returns the ID of the user who is the actor. Code Invalid if the actor is the system.
func (o Operation) UserID() (uuid.UUID, error) {
	if id, isUser := o.Actor.UserID(); isUser {
		return id, nil
	}
	return uuid.UUID{}, ErrMalformed()
}

// subject returns the subject of operations on one object.
func subject(kind string, id uuid.UUID) string { return kind + ":" + id.String() }

// Deal returns the subject of operations on a deal.
func Deal(id uuid.UUID) string { return subject("deal", id) }

// Deposit returns the subject of operations on a deposit.
func Deposit(id uuid.UUID) string { return subject("deposit", id) }

// Withdrawal returns the subject of operations on a withdrawal.
func Withdrawal(id uuid.UUID) string { return subject("withdrawal", id) }

// Reward returns the subject of the operation on a referral reward.
func Reward(id uuid.UUID) string { return subject("reward", id) }

// Correction returns the subject of the operation on a correction of a wallet.
func Correction(id uuid.UUID) string { return subject("correction", id) }

// Announcer notifies waiting api processes that an operation is settled. It must not block and may
// lose messages.
type Announcer interface {
	OperationSettled(id uuid.UUID)
}

// EventLog appends to a user's event log in a transaction.
type EventLog interface {
	Append(tx *postgres.Tx, userID uuid.UUID, eventType string, payload any)
}

// Observer counts settled operations.
type Observer interface {
	OperationSettled(kind, outcome string, sinceRequest time.Duration)
}

// Service requests operations and records their outcomes. The life of an operation:
//
//  1. A function of a domain package, such as deals.Service.RequestPay, opens a transaction. Begin
//     queues the reservation of the Idempotency-Key and the insertion of the operation, which is
//     pending.
//  2. The function reads what it needs and checks it: without locks, since the worker checks again,
//     unless it changes the row, as an admin's claim does. If it refuses, the rollback releases the
//     key and the subject.
//  3. Enqueue adds the River job, which is sent with the COMMIT. If an equal operation of the same
//     actor is pending on the subject, the request is tied to that one; any other is a Conflict.
//  4. Answer returns the operation after the commit. If the transaction was refused since the call
//     is a repeated one, it returns the earlier operation.
//  5. A Waiter waits until the operation has settled, for two seconds at most.
//  6. A worker locks the operation and its subject, checks the actor and the subject again, and
//     calls Finish in the transaction that moves the money. If a check refuses, it rolls back and
//     calls Reject in another one. Any other error is retried.
//
// Sweep enqueues a new job for a pending operation without one. End is for an operator: it rejects
// an operation that cannot settle.
type Service struct {
	DB       postgres.Beginner
	Clock    clock.Clock
	Enqueuer jobs.FastEnqueuer
	Events   EventLog
	Announce Announcer
	Observe  Observer // may be nil
}

// Request is a request for an operation. Begin, Enqueue and Answer take the same one.
type Request struct {
	Kind    string
	Subject string
	Actor   actor.Actor // a user or the system
	Params  any         // what the worker needs besides the subject
	Key     *idempotency.Key

	keyFree func() bool // whether this request has reserved the key
	op      *Operation  // the inserted one, or the pending one that it is tied to
}

// Begin queues the first statements of a request: they wait for a concurrent request with the same
// key or on the same subject, so that the checks see what it has done.
func (s *Service) Begin(ctx context.Context, tx *postgres.Tx, r *Request) {
	id, now := uuid.Must(uuid.NewV7()), s.Clock.Now()
	r.op, r.keyFree = nil, idempotency.QueueReserve(tx, r.Key, id, now)
	queueInsert(tx, id, *r, tracing.RequestID(ctx), now, func(inserted Operation) { r.op = &inserted })
}

// Enqueue ends the transaction of a request that may be carried out. It queues the insertion of the
// job and River's notification of it: last, since River decides before the commit whether to
// notify. Code Conflict if another operation is pending on the subject.
func (s *Service) Enqueue(ctx context.Context, tx *postgres.Tx, r *Request) error {
	if err := tx.Flush(ctx); err != nil {
		return err
	}
	if !r.keyFree() {
		return errKeyUsed
	}
	if r.op != nil {
		return s.enqueue(ctx, tx, *r.op)
	}
	pending, found, err := findEquivalent(ctx, tx, *r, Pending)
	if err == nil && !found {
		err = ErrBusy()
	}
	if err != nil {
		return err
	}
	r.op = &pending
	return idempotency.Repoint(ctx, tx, r.Key, pending.ID)
}

// errKeyUsed rolls back a request whose key an earlier one has used.
var errKeyUsed = errors.New("operations: the key is used")

// Answer returns the operation of a request, usually pending, given the error with which its
// transaction ended. A repeated request gets the earlier operation: the one with the same key,
// whatever the checks say now, or one that equals a done operation of the same actor if they say
// Conflict. Code IdempotencyMismatch if the key belongs to another request; otherwise the error of
// the transaction.
func (s *Service) Answer(ctx context.Context, r *Request, err error) (Operation, error) {
	if err == nil {
		trace.SpanFromContext(ctx).SetAttributes(
			attribute.String("amanat.operation.id", r.op.ID.String()), attribute.String("amanat.operation.subject", r.Subject))
		return *r.op, nil
	}
	replayed := !r.keyFree() // or a check has refused before the key was reserved
	conflict := fault.CodeOf(err) == fault.Conflict
	if fault.As(err) == nil && !errors.Is(err, errKeyUsed) || !replayed && !conflict {
		return Operation{}, err
	}
	var op Operation
	var found bool
	lookupErr := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		id, used, err := idempotency.Lookup(ctx, tx, r.Key)
		if found = used; err == nil && used {
			op, err = Get(ctx, tx, id)
		}
		if err != nil || used || !conflict {
			return err
		}
		if op, found, err = findEquivalent(ctx, tx, *r, Done); err != nil || !found {
			return err
		}
		_, _, err = idempotency.Reserve(ctx, tx, r.Key, op.ID, s.Clock.Now())
		return err
	})
	if lookupErr != nil || !found {
		return Operation{}, cmp.Or(lookupErr, err)
	}
	return op, nil
}

// enqueue queues the insertion of the operation's job and the notification of it.
func (s *Service) enqueue(ctx context.Context, tx *postgres.Tx, op Operation) error {
	args, err := jobs.ForOperation(op.Kind, op.ID)
	if err != nil {
		return err
	}
	_, err = s.Enqueuer.InsertManyFastTx(ctx, tx.Deferring("operations.enqueue"), []river.InsertManyParams{{Args: args}})
	if err != nil {
		return fmt.Errorf("enqueue %s: %w", op.Kind, err)
	}
	queueNotify(tx)
	return nil
}

// ErrBusy returns the Conflict for a subject with a pending operation.
func ErrBusy() error {
	return fault.New(fault.Conflict, "busy", "Another action on this is being processed. Please wait a moment.")
}

// Replayed returns what an earlier request with the key has made, for a call that requests an
// operation or changes its subject at once: op is nil if the key is tied to the subject. used is
// false if the key is new. Code IdempotencyMismatch.
func Replayed(
	ctx context.Context, q postgres.Querier, key *idempotency.Key, subject uuid.UUID,
) (op *Operation, used bool, err error) {
	made, used, err := idempotency.Lookup(ctx, q, key)
	if err != nil || !used || made == subject {
		return nil, used, err
	}
	found, err := Get(ctx, q, made)
	return &found, true, err
}

// GetOwn returns an operation to the user who is its actor. Code NotFound for other users.
func GetOwn(ctx context.Context, q postgres.Querier, userID, id uuid.UUID) (Operation, error) {
	op, err := Get(ctx, q, id)
	if err == nil && !op.Actor.Is(userID) {
		err = errNotFound()
	}
	return op, err
}

func errNotFound() error {
	return fault.New(fault.NotFound, "operation_not_found", "Operation not found.")
}

// QueueLockAll queues the locking of operations, in ID order until the transaction ends. When that
// has run, the result has those that exist, by ID. Workers call it before they lock the subjects.
func (s *Service) QueueLockAll(tx *postgres.Tx, ids []uuid.UUID) map[uuid.UUID]Operation {
	locked := make(map[uuid.UUID]Operation, len(ids))
	lockAll.Queue(tx, postgres.Args{"ids": ids}, func(op Operation) { locked[op.ID] = op })
	return locked
}

// Finish records that the operation, which the transaction has locked and found pending, is done.
// result is shown to the actor.
func (s *Service) Finish(tx *postgres.Tx, op Operation, result any) error {
	encoded, err := json.Marshal(result)
	if err != nil {
		return fmt.Errorf("result of %s: %w", op.Kind, err)
	}
	op.Status, op.Result = Done, encoded
	return s.settle(tx, op)
}

// Reject records that the operation was rejected, and why. The transaction must not have changed
// anything else.
func (s *Service) Reject(tx *postgres.Tx, op Operation, refusal *fault.Error) error {
	code := string(refusal.Code)
	op.Status, op.ErrorCode, op.ErrorReason = Rejected, &code, &refusal.Reason
	op.ErrorMessage, op.ErrorParams = &refusal.Message, refusal.Params
	if refusal.Shortfall > 0 {
		op.Shortfall = &refusal.Shortfall
	}
	return s.settle(tx, op)
}

// unstored collects the outcomes of a transaction.
type unstored struct{ ops []Operation }

// storeBeforeCommit stores the outcome, in one statement for all operations of the transaction.
func storeBeforeCommit(tx *postgres.Tx, op Operation) {
	u := postgres.Local(tx, func() *unstored { return &unstored{} })
	if len(u.ops) == 0 {
		tx.BeforeCommit(func(context.Context) error {
			queueSettle(tx, u.ops)
			u.ops = nil
			return nil
		})
	}
	u.ops = append(u.ops, op)
}

func (s *Service) settle(tx *postgres.Tx, op Operation) error {
	now := s.Clock.Now()
	op.FinishedAt = &now
	storeBeforeCommit(tx, op)
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

// View is an operation as clients see it, in responses and in events.
type View struct {
	ID         uuid.UUID  `json:"_id"`
	Kind       string     `json:"kind" example:"deal_paid"`
	Subject    string     `json:"subject" doc:"deal:{id}, deposit:{id}, withdrawal:{id} or correction:{id}" example:"deal:019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
	Status     Status     `json:"status" enum:"pending,done,rejected"`
	Result     *Result    `json:"result,omitempty" doc:"Of a done operation."`
	Error      *Error     `json:"error,omitempty" doc:"Of a rejected operation."`
	CreatedAt  time.Time  `json:"createdAt"`
	FinishedAt *time.Time `json:"finishedAt,omitempty"`
}

// Result is what the actor of a done operation receives.
type Result struct {
	catalog.Outcome
}

// Error is why an operation was rejected.
type Error struct {
	Code      fault.Code   `json:"code"`
	Reason    string       `json:"reason,omitempty" doc:"As in Error." example:"deal_status"`
	Message   string       `json:"message" example:"Done."`
	Params    fault.Params `json:"params,omitempty" doc:"As in Error."`
	Shortfall *money.Cents `json:"shortfall,omitempty"`
}

// View returns the operation as clients see it. It fails if the stored result is not a Result.
func (o Operation) View() (View, error) {
	v := View{ID: o.ID, Kind: o.Kind, Subject: o.Subject, Status: o.Status, CreatedAt: o.CreatedAt, FinishedAt: o.FinishedAt}
	if len(o.Result) > 0 {
		v.Result = &Result{}
		if err := json.Unmarshal(o.Result, v.Result); err != nil {
			return View{}, fmt.Errorf("result of operation %s: %w", o.ID, err)
		}
	}
	if o.Status == Rejected {
		refusal := o.refusal()
		v.Error = &Error{
			Code: refusal.Code, Reason: refusal.Reason, Message: refusal.Message, Params: refusal.Params,
			Shortfall: (*money.Cents)(o.Shortfall),
		}
	}
	return v, nil
}

// Authority is the role that the actor of an operation must have.
type Authority string

// Authorities.
const (
	ByUser   Authority = "user"   // any user; the domain package checks the rest
	ByAdmin  Authority = "admin"  // an admin, also when the operation settles
	BySystem Authority = "system" // no user: deadlines, rewards
)

// Rule returns the authority that an operation requires, from its params. It refuses params that no
// call produces with code Invalid. The domain package of the operation defines the rule.
type Rule func(op Operation) (Authority, error)

// Always returns the Rule of a kind of operation with params of type P and a fixed authority.
func Always[P any](authority Authority) Rule {
	return func(op Operation) (Authority, error) {
		var params P
		return authority, op.Decode(&params)
	}
}

// Decode decodes the operation's params into params. Code Invalid if they do not match exactly.
func (o Operation) Decode(params any) error {
	decoder := json.NewDecoder(bytes.NewReader(o.Params))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(params); err != nil {
		return ErrMalformed()
	}
	if _, err := decoder.Token(); err != io.EOF {
		return ErrMalformed()
	}
	return nil
}

// ErrMalformed returns the Invalid error for an operation that no call produces.
func ErrMalformed() *fault.Error {
	return fault.New(fault.Invalid, "operation_malformed", "This request cannot be carried out.")
}

// Actors holds the current state of the actors of operations.
type Actors map[uuid.UUID]actorRow

// QueueActors queues the reading of the users who are the actors of the operations. When that has
// run, the result has them. Workers queue it after the locking of the operations and of their
// subjects.
func QueueActors(tx *postgres.Tx, ids []uuid.UUID) Actors {
	actors := make(Actors, len(ids))
	listActors.Queue(tx, postgres.Args{"ids": ids}, func(r actorRow) { actors[r.ID] = r })
	return actors
}

// Check checks that the operation's actor may still have it carried out when it settles. Codes:
// Forbidden if the actor is disabled or lacks the authority that the rule requires, Invalid if the
// rule refuses the params.
func (a Actors) Check(op Operation, rule Rule) error {
	authority, err := rule(op)
	if err != nil {
		return err
	}
	userID, isUser := op.Actor.UserID()
	switch {
	case !isUser && authority == BySystem:
		return nil
	case !isUser, authority == BySystem:
		return ErrMalformed()
	}
	user, found := a[userID]
	switch {
	case !found:
		return fmt.Errorf("operations: actor %s was not read", userID)
	case user.Disabled:
		return fault.New(fault.Forbidden, "account_disabled", "This account is disabled.")
	case authority == ByAdmin && !user.Admin:
		return fault.New(fault.Forbidden, "admins_only", "Only admins may do this.")
	}
	return nil
}
