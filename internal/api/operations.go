package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"

	"amanat/internal/fault"
	"amanat/internal/money"
	"amanat/internal/operations"
)

func (s *Server) registerOperations() {
	register(s, endpoint{
		id: "operation", method: http.MethodGet, path: "/operations/{id}", tag: "Operations",
		summary: "A money operation, to its actor and to admins",
	}, s.operation)
}

// Operation is a money operation as it stands.
type Operation struct {
	ID         uuid.UUID        `json:"_id"`
	Kind       string           `json:"kind"`
	Subject    string           `json:"subject" doc:"deal:{id}, deposit:{id} or withdrawal:{id}"`
	Status     string           `json:"status" enum:"pending,done,rejected"`
	Result     *OperationResult `json:"result,omitempty" doc:"Of a done operation."`
	Error      *OperationError  `json:"error,omitempty" doc:"Of a rejected operation."`
	CreatedAt  time.Time        `json:"createdAt"`
	FinishedAt *time.Time       `json:"finishedAt,omitempty"`
}

// OperationResult is what a done operation tells its actor.
type OperationResult struct {
	Message string `json:"message"`
}

// OperationError is why an operation was rejected.
type OperationError struct {
	Code      fault.Code   `json:"code"`
	Message   string       `json:"message"`
	Shortfall *money.Cents `json:"shortfall,omitempty"`
}

func operationOf(op operations.Operation) (Operation, error) {
	wire := Operation{
		ID: op.ID, Kind: op.Kind, Subject: op.Subject, Status: string(op.Status), CreatedAt: op.CreatedAt, FinishedAt: op.FinishedAt,
	}
	if len(op.Result) > 0 {
		wire.Result = &OperationResult{}
		if err := json.Unmarshal(op.Result, wire.Result); err != nil {
			return Operation{}, fmt.Errorf("result of operation %s: %w", op.ID, err)
		}
	}
	if f := fault.As(op.Err()); f != nil {
		wire.Error = &OperationError{Code: f.Code, Message: f.Message, Shortfall: newError(f).Shortfall}
	}
	return wire, nil
}

// IDPath is an input that is nothing but the id in the path.
type IDPath struct {
	ID string `path:"id" format:"uuid"`
}

func (s *Server) operation(ctx context.Context, _ *IDPath) (*output[Operation], error) {
	var op operations.Operation
	var err error
	if actor(ctx).IsAdmin {
		op, err = s.operations.Find(ctx, s.db, pathID(ctx))
	} else {
		op, err = s.operations.Get(ctx, s.db, actor(ctx).ID, pathID(ctx))
	}
	if err != nil {
		return nil, err
	}
	wire, err := operationOf(op)
	return respond(wire), err
}
