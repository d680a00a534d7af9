package operations

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
)

// View is an operation as clients see it, in responses and in events.
type View struct {
	ID         uuid.UUID  `json:"_id"`
	Kind       string     `json:"kind" example:"deal_paid"`
	Subject    string     `json:"subject" doc:"deal:{id}, deposit:{id}, withdrawal:{id} or adjustment:{id}" example:"deal:019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
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
	Reason    string       `json:"reason" doc:"As in Error." example:"deal_status"`
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
