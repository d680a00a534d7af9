package operations

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"amanat/internal/money"
)

// Wire is an operation as clients see it, in answers and in events.
type Wire struct {
	ID         uuid.UUID       `json:"_id"`
	Kind       string          `json:"kind"`
	Subject    string          `json:"subject"`
	Status     Status          `json:"status" enum:"pending,done,rejected"`
	Result     json.RawMessage `json:"result,omitempty"`
	Error      *WireError      `json:"error,omitempty"`
	CreatedAt  time.Time       `json:"createdAt"`
	FinishedAt *time.Time      `json:"finishedAt,omitempty"`
}

// WireError is why an operation was rejected.
type WireError struct {
	Code      string       `json:"code"`
	Message   string       `json:"message"`
	Shortfall *money.Cents `json:"shortfall,omitempty"`
}

// View returns the operation as clients see it.
func View(op Operation) Wire {
	w := Wire{
		ID: op.ID, Kind: op.Kind, Subject: op.Subject, Status: op.Status,
		Result: op.Result, CreatedAt: op.CreatedAt, FinishedAt: op.FinishedAt,
	}
	if op.Status == Rejected {
		w.Error = &WireError{Code: *op.ErrorCode, Message: *op.ErrorMessage, Shortfall: (*money.Cents)(op.Shortfall)}
	}
	return w
}
